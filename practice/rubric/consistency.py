"""The penalty P3: numbers of one answer that contradict each other. Each fault carries both places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from practice.rubric.model import View
from practice.rubric.numbers import Quantity
from practice.rubric.text import Span, document_of

_SAME = {"percent", "duration", "money", "gpu", "scale", "count", "ratio", "plain", "rate"}
_SLACK = 0.05
_POINTS = 2.0
_BEFORE = 32
"""Characters before a number in which its statistic stands."""


@dataclass(frozen=True)
class Fault:
    """Two statements that cannot both be true; `check` is the letter of the check."""

    check: str
    first: Span
    second: Span


@dataclass(frozen=True)
class Change:
    """One metric that moved: its name, both values, and where."""

    metric: str
    before: Quantity
    after: Quantity

    @property
    def span(self) -> Span:
        """Return the stretch from the first to the second value."""
        return Span(min(self.before.span.start, self.after.span.start), max(self.before.span.end, self.after.span.end))


def changes(view: View, sentence: Span) -> list[Change]:
    """Return the from-to pairs of a sentence, each with the nearest metric before it."""
    found: list[Change] = []
    metrics = view.metrics(sentence)
    for hit in view.hits("pair", sentence):
        inside = [one for one in view.numbers(sentence) if hit.start <= one.span.start < hit.end + 2]
        pair = next(((a, b) for a, b in pairwise(inside) if is_alike(a, b)), None)
        before = [metric.name for metric, place in metrics if place.start < hit.end]
        if pair and before:
            first, last = pair
            is_backwards = view.is_told_backwards(first.span, last.span)
            found.append(Change(before[-1], *((last, first) if is_backwards else (first, last))))
    return found


def is_alike(first: Quantity, second: Quantity) -> bool:
    """Say whether two quantities can be compared; a bare number takes the unit of its neighbour."""
    return first.kind == second.kind and first.kind in _SAME


def faults(view: View) -> list[Fault]:
    """Return every contradiction found, in the order of the checks."""
    found = [*_percent_changes(view), *_baselines(view), *_targets(view), *_red_lines(view), *_shares(view)]
    return [*found, *_limits(view)]


def _percent_changes(view: View) -> Iterator[Fault]:
    """Yield (a): a percent change beside a from-to pair says another size."""
    for sentence in view.sentences("ARL"):
        pairs = changes(view, sentence)
        for hit in view.hits("percent_change", sentence):
            said = [one for one in view.numbers(hit) if one.kind == "percent"]
            near = [one for one in pairs if one.span.start < hit.end and one.before.value]
            if not said or not near or any(said[0].span in (one.before.span, one.after.span) for one in near):
                continue
            change = near[-1]
            real = abs(change.after.value - change.before.value) / change.before.value * 100
            points = abs(change.after.value - change.before.value) if change.before.kind == "percent" else real
            if min(abs(real - said[0].value), abs(points - said[0].value)) > _POINTS:
                yield Fault("a", change.span, hit)


def _baselines(view: View) -> Iterator[Fault]:
    """Yield (b): a metric's value in Situation differs from the value Result starts at."""
    told: dict[str, list[Quantity]] = {}
    for sentence in view.sentences("S"):
        for name, number in values(view, sentence):
            told.setdefault(name, []).append(number)
    for sentence in view.sentences("R"):
        for change in changes(view, sentence):
            same = [one for one in told.get(change.metric, []) if is_alike(one, change.before)]
            is_alone = len(same) == 1 and _statistic(view, same[0]) == _statistic(view, change.before)
            if is_alone and _is_other(same[0], change.before) and _is_headline(view, sentence, change):
                yield Fault("b", same[0].span, change.span)


def _statistic(view: View, number: Quantity) -> str:
    """Return of which of many values a number speaks (p95, the longest); empty for a mean, or where it is not said."""
    before = Span(max(0, number.span.start - _BEFORE), number.span.start)
    tail, mean = (max(view.hits(family, before), default=None) for family in ("statistic", "mean"))
    return "" if tail is None or (mean and mean > tail) else view.text[tail.start : tail.end]


def _is_headline(view: View, sentence: Span, change: Change) -> bool:
    """Say whether a change is about the whole, not about a part or something that got worse."""
    before = Span(sentence.start, change.span.start)
    return not any(view.first(family, before) for family in ("part_of", "adversative", "price"))


def _is_other(told: Quantity, start: Quantity) -> bool:
    """Say whether two values of one thing differ; ten times apart they are two things ("8 weeks" to a delivery)."""
    low, high = sorted((told.value, start.value))
    return not _is_near(told, start) and high < 10 * low


def _is_near(first: Quantity, second: Quantity) -> bool:
    slack = max(abs(first.value) * _SLACK, 1.0 if first.kind == "percent" else 0.0)
    return abs(first.value - second.value) <= slack


def values(view: View, sentence: Span) -> list[tuple[str, Quantity]]:
    """Return each number of a sentence with the metric it belongs to: the nearest in its clause, before it first."""
    found: list[tuple[str, Quantity]] = []
    for clause in view.doc.clauses(sentence):
        metrics = view.metrics(clause)
        for number in view.numbers(clause):
            before = [metric.name for metric, place in metrics if place.end <= number.span.start]
            after = [metric.name for metric, place in metrics if place.start >= number.span.start]
            name = (before[-1:] or after[:1] or [""])[0]
            if name:
                found.append((name, number))
    return found


def _targets(view: View) -> Iterator[Fault]:
    """Yield (c): the target is said to be met, and the value is on its other side."""
    claims = [(one, hit) for one in view.sentences("R") if (hit := view.first("target_met", one))]
    if not claims:
        return
    aims = [aim for one in view.sentences("T") for aim in _aims(view, one)]
    for sentence in view.sentences("R"):
        for change in changes(view, sentence):
            for name, number, is_ceiling in aims:
                if name == change.metric and is_alike(number, change.after) and _misses(number, change, is_ceiling):
                    yield Fault("c", number.span, change.span)
                    return


def _misses(aim: Quantity, change: Change, is_ceiling: bool) -> bool:
    over = change.after.value - aim.value
    return over > aim.value * 0.001 if is_ceiling else -over > aim.value * 0.001


def _aims(view: View, sentence: Span) -> Iterator[tuple[str, Quantity, bool]]:
    """Yield the targets of a sentence: metric, value, and whether it is a ceiling."""
    falling = {metric.name for metric, _ in view.metrics(sentence) if metric.better == "down"}
    deadlines = view.hits("deadline", sentence)
    for name, number in values(view, sentence):
        if not number.span.begins_in(deadlines):
            yield name, number, name in falling


def _red_lines(view: View) -> Iterator[Fault]:
    """Yield (d): the value of a red line in Result is worse than in Task, while the text says that it was kept."""
    lines = [
        (name, number)
        for sentence in view.sentences("T")
        for clause in view.doc.clauses(sentence)
        if view.first("constraint", clause)
        for name, number in values(view, clause)
        if name == "slo" and number.kind == "percent"
    ]
    for sentence in view.sentences("R"):
        for clause in view.doc.clauses(sentence):
            kept = view.first("unchanged", clause)
            for name, number in values(view, clause):
                for line_name, line in lines:
                    if kept and name == line_name and number.kind == "percent" and 90 < number.value < line.value:
                        yield Fault("d", line.span, number.span)


def _shares(view: View) -> Iterator[Fault]:
    """Yield (e): parts that are said to be of one whole add up to more than 100 %."""
    for sentence in view.sentences("STARL"):
        hits = view.hits("parts_of_whole", sentence)
        parts = [one for hit in hits for one in view.numbers(hit) if one.kind == "percent"]
        if parts and sum(one.value for one in parts) > 101:
            yield Fault("e", parts[0].span, parts[-1].span)


def _limits(view: View) -> Iterator[Fault]:
    """Yield (h): a share above 1, or rate, wait and backlog more than a factor of 2 off Little's law."""
    rates: list[Quantity] = []
    waits: list[Quantity] = []
    backlogs: list[Quantity] = []
    for sentence in view.sentences("S"):
        for name, number in values(view, sentence):
            if name in {"utilisation", "slo"} and number.kind == "percent" and number.value > 100:
                yield Fault("h", number.span, number.span)
            if name == "wait" and number.kind == "duration" and view.first("mean", sentence):
                waits.append(number)
            if name == "backlog" and number.kind in {"scale", "count", "plain"}:
                backlogs.append(number)
        rates += [one for one in view.numbers(sentence) if one.kind in {"scale", "rate"} and _is_daily(view, one)]
    if len(rates) == len(waits) == len(backlogs) == 1 and backlogs[0].value:
        expected = rates[0].value / 86_400 * waits[0].value
        if not 0.5 <= expected / backlogs[0].value <= 2:
            yield Fault("h", waits[0].span, backlogs[0].span)


def _is_daily(view: View, number: Quantity) -> bool:
    near = Span(max(0, number.span.start - 6), min(number.span.end + 10, len(view.text)))
    return view.first("daily", near) is not None


def compare_turns(first: str | Mapping[str, str], later: str | Mapping[str, str]) -> list[Fault]:
    """Return (g): changes that a later turn tells with other numbers.

    The first span of each fault is in the first answer, the second in the later one; both as written.
    """
    before, after = View(document_of(first)), View(document_of(later))
    told = {one.metric: one for sentence in before.sentences("R") for one in changes(before, sentence)}
    return [
        Fault("g", before.doc.original_span(told[one.metric].span), after.doc.original_span(one.span))
        for sentence in after.sentences("STARL")
        for one in changes(after, sentence)
        if one.metric in told and _differ(told[one.metric], one)
    ]


def _differ(first: Change, later: Change) -> bool:
    if not (is_alike(first.before, later.before) and is_alike(first.after, later.after)):
        return False
    return not (_is_near(first.before, later.before) and _is_near(first.after, later.after))
