"""A scenario as the query of an address, and back.

`case=fenced-research@1&set=policy.order:priority&v=1&e=0.1.0`: a frozen case, then one `set=path:value` for each
change, so that a reviewer can read what was changed. `v` is the version of this format, `e` the engine that gave the
numbers, `h` up to three headline numbers. Above 2,000 characters the changes are packed into `z=`.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote

from scheduler_core.errors import LinkError, ScenarioError
from scheduler_core.links.packing import PackingError, pack, unpack
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import DEFAULT_CASE, Scenario, apply, cases, differences, flow, load_case, nearest

FORMAT_VERSION = 1
READABLE_LENGTH = 2_000
"""Longer queries have their changes packed."""

LONGEST_LINK = 7_000
"""No longer query is written: proxies cut addresses at 8 KB."""

_LONGEST_READ = 30_000
_MOST_PARAMETERS = 2_000
_MOST_HEADLINES = 3
_OURS = ("case", "set", "z", "v", "e", "h")
_CHANGE = re.compile(r'((?:"[^"]*"|[^":])+):(.*)', re.DOTALL)
_VERSION = re.compile(r"[\w.+-]{1,40}", re.ASCII)
_HEADLINE = re.compile(r"([a-z][\w.-]{0,63}):(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)", re.ASCII)
_SAFE = ":@,/"

Query = str | Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Link:
    """What a link says.

    Attributes
    ----------
    scenario : Scenario
        The question.
    engine_version : str
        Version that gave the numbers; empty if the link does not say.
    headline : mapping of str to float
        Up to three metrics with the values the sender saw.
    """

    scenario: Scenario
    engine_version: str = ""
    headline: Mapping[str, float] = field(default_factory=dict)


def encode(scenario: Scenario, *, engine_version: str = "", headline: Mapping[str, float] | None = None) -> str:
    """Write a scenario as the query of an address.

    Parameters
    ----------
    scenario : Scenario
        What to share.
    engine_version : str
        Version that gave the numbers.
    headline : mapping of str to float, optional
        Metric -> value the sender sees; the first three are kept, with six significant digits.

    Returns
    -------
    str
        Without a question mark; at most 7,000 characters.

    Raises
    ------
    LinkError
        If it would be longer.
    """
    base = scenario.case if scenario.case is not None and scenario.case in cases() else DEFAULT_CASE
    changes = differences(scenario, load_case(base))
    tail = _tail(engine_version, headline or {})
    told = [f"set={_escape(f'{path}:{_text(value)}')}" for path, value in changes.items()]
    query = "&".join([f"case={_escape(base)}", *told, *tail])
    if len(query) > READABLE_LENGTH:
        query = "&".join([f"case={_escape(base)}", f"z={pack(changes)}", *tail])
    if len(query) > LONGEST_LINK:
        raise LinkError(
            Phrase(
                "The link would have {n_query:,} characters, and no more than {longest_link:,} arrive "
                "everywhere: it is too long; save the scenario as a file instead.",
                n_query=len(query),
                longest_link=LONGEST_LINK,
            ),
            scenario,
        )
    return query


def _tail(engine_version: str, headline: Mapping[str, float]) -> list[str]:
    tail = [f"v={FORMAT_VERSION}"]
    tail += [f"e={_escape(engine_version)}"] if engine_version else []
    kept = [f"{slug}:{float(f'{value:.6g}'):g}" for slug, value in headline.items() if math.isfinite(value)]
    return tail + ([f"h={_escape(','.join(kept[:_MOST_HEADLINES]))}"] if kept else [])


def _escape(text: str) -> str:
    return quote(text, safe=f"{_SAFE} ").replace(" ", "+")


def _text(value: object) -> str:
    return value if isinstance(value, str) else flow(value)


def decode(query: Query) -> Link:
    """Read a link.

    Parameters
    ----------
    query : str or mapping
        A whole address, its query, or its parameters (a list where one stands several times). Parameters that are not
        ours are ignored; without any of ours it is the default case.

    Returns
    -------
    Link
        What it says.

    Raises
    ------
    LinkError
        In one sentence, if the link is damaged, hostile, or from a later version; `nearest` holds the valid scenario
        closest to what it seems to say.
    """
    reader = _Reader()
    reader.read(_parameters(query))
    return reader.link()


def _parameters(query: Query) -> list[tuple[str, str]]:
    if not isinstance(query, str):
        pairs = [(key, value) for key, values in query.items() for value in _listed(values)]
    else:
        text = query.strip().split("#", 1)[0]
        text = text.split("?", 1)[1] if "?" in text.split("&", 1)[0] else text
        if len(text) > _LONGEST_READ:
            problem = Phrase(
                "The link has {n_text:,} characters; no real one has over {longest_read:,}.",
                n_text=len(text),
                longest_read=_LONGEST_READ,
            )
            raise LinkError(problem, load_case(DEFAULT_CASE))
        if "=" not in text and "://" in text:
            text = ""
        try:
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS, errors="replace")
        except ValueError as error:
            raise LinkError(Phrase("The link has too many parameters."), load_case(DEFAULT_CASE)) from error
    return [(key, value) for key, value in pairs if key in _OURS]


def _listed(values: str | Sequence[str]) -> Iterator[str]:
    yield from [values] if isinstance(values, str) else values


class _Reader:
    """Reads the parameters one by one; notes what is wrong and goes on, so that `nearest` keeps all it can."""

    def __init__(self) -> None:
        self.problems: list[Phrase] = []
        self.case = ""
        self.changes: list[tuple[str, object]] = []
        self.engine_version = ""
        self.headline: dict[str, float] = {}

    def read(self, parameters: list[tuple[str, str]]) -> None:
        """Take in all parameters."""
        if sum(len(value) for _, value in parameters) > _LONGEST_READ:
            self.problems.append(Phrase("it has over {most:,} characters.", most=_LONGEST_READ))
            parameters = []
        for key, value in parameters:
            getattr(self, f"_read_{key}")(value)

    def _read_case(self, value: str) -> None:
        if self.case and value != self.case:
            self.problems.append(Phrase("it names two cases."))
        elif value not in cases():
            self.problems.append(Phrase("it starts from the case {case!r}, which is not known here.", case=value[:80]))
        self.case = self.case or value

    def _read_set(self, value: str) -> None:
        found = _CHANGE.fullmatch(value)
        if found is None:
            self.problems.append(Phrase("its change {change!r} is not of the form path:value.", change=value[:80]))
        else:
            self.changes.append((found[1], found[2]))

    def _read_z(self, value: str) -> None:
        try:
            self.changes += unpack(value)
        except PackingError as error:
            self.problems += error.phrases

    def _read_v(self, value: str) -> None:
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            self.problems.append(Phrase("its version {version!r} is not a number.", version=value[:40]))
        elif int(value) > FORMAT_VERSION:
            later = Phrase(
                "it was made by a later version (format {value}; this program reads up to {format_version}).",
                value=int(value),
                format_version=FORMAT_VERSION,
            )
            self.problems.insert(0, later)  # explains whatever else is not understood

    def _read_e(self, value: str) -> None:
        self.engine_version = value if _VERSION.fullmatch(value) else ""

    def _read_h(self, value: str) -> None:
        found = [_HEADLINE.fullmatch(part) for part in value.split(",")[:_MOST_HEADLINES]]
        values = {part[1]: float(part[2]) for part in found if part is not None}
        self.headline = {slug: number for slug, number in values.items() if math.isfinite(number)}

    def link(self) -> Link:
        """Return the link, or raise with the nearest scenario."""
        base = load_case(self.case if self.case in cases() else DEFAULT_CASE)
        changes = dict(self.changes)
        if len(changes) != len(self.changes):
            self.problems.append(Phrase("it changes one value twice."))
        try:
            scenario = apply(base, changes)
        except ScenarioError as error:
            self.problems += error.phrases
            scenario = nearest(base, changes)
        if self.problems:
            raise LinkError(_told(self.problems), scenario)
        return Link(scenario, self.engine_version, self.headline)


def _told(problems: list[Phrase]) -> Phrase:
    """Return the first problem, and how many more there are."""
    told = Phrase("This link cannot be opened as it is: {first}", first=problems[0])
    more = len(problems) - 1
    if not more:
        return told
    rest = Phrase("There are {n} more problems.", n=more) if more > 1 else Phrase("There is one more problem.")
    return Phrase("{told} {rest}", told=told, rest=rest)
