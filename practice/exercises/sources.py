"""Where a measure gets its number from: one table of sources; each gives one value a seed.

A new kind of consequence is one function here and one line in `SOURCES`; nothing else asks what kind an exercise is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from simpleeval import InvalidExpression, SimpleEval

from practice.exercises.model import Measure
from practice.exercises.world import World
from scheduler_core import (
    InputError,
    Phrase,
    Report,
    Summary,
    Value,
    Wording,
    all_metrics,
    check,
    deal_readings,
    price_delay,
)

DAYS_PER_YEAR = 365.0
NOTHING = Value(None)
BEFORE = "base_"


@dataclass
class Played:
    """A world with its runs, one a seed, and the measures that are read from it."""

    world: World
    summaries: tuple[Summary, ...]
    measures: Mapping[str, Measure]
    before: "Played | None" = None
    """The same without any choice; a formula may name its measures as ``base_NAME``."""
    _read: dict[str, tuple[Value, ...]] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)

    @property
    def n_seeds(self) -> int:
        """Number of runs."""
        return len(self.summaries)

    def values(self, name: str) -> tuple[Value, ...]:
        """Return a measure's value for each seed."""
        if name not in self._read:
            measure = self.measures[name]
            if name in self._open:
                raise InputError(
                    Phrase("the formula of {name}", name=name),
                    measure.key,
                    Phrase("one that does not lead back to itself"),
                )
            self._open.add(name)
            values = SOURCES[measure.source].read(self, measure)
            is_kept = measure.absent is None
            self._read[name] = (
                values if is_kept else tuple(Value(measure.absent) if one.value is None else one for one in values)
            )
        return self._read[name]

    @cached_property
    def report(self) -> Report:
        """What the scenario asks for against what it has."""
        return check(self.world.scenario)

    @cached_property
    def facts(self) -> dict[str, float]:
        """Numbers that are known before any run: sizes and loads, inputs and money inputs."""
        run, pools = self.world.scenario.run, self.report.pools
        gpus = float(sum(pool.gpus for pool in pools))
        measured = run.days - run.warmup_days
        numbers = {
            slug: value for slug, value in self.world.assumptions.values().items() if isinstance(value, (int, float))
        }
        classes = {f"{one.name}_per_day": float(one.per_day) for one in self.world.scenario.workload.classes}
        return {
            **numbers,
            **classes,
            **self.world.inputs,
            "gpus": gpus,
            "nodes": float(sum(sum(pool.zones.values()) for pool in self.world.scenario.cluster.pools)),
            "jobs_per_day": sum(pool.jobs_per_day for pool in pools),
            "offered_share": sum(pool.asked_gpus for pool in pools) / gpus,
            "days": run.days,
            "measured_days": measured,
            "per_year": DAYS_PER_YEAR / measured,
            "seeds": float(self.n_seeds),
        }


@dataclass(frozen=True)
class Source:
    """How values are read, and in which unit and direction, as far as the source knows them."""

    read: Callable[[Played, Measure], tuple[Value, ...]]
    unit: Callable[[Measure], str | None]
    better: Callable[[Measure], str | None]
    problem: Callable[[Measure], Wording]
    """What is wrong with a measure; nothing where all is well."""


def _run(played: Played, measure: Measure) -> tuple[Value, ...]:
    return tuple(summary.value(measure.key, measure.of) for summary in played.summaries)


def _same_each_seed(played: Played, value: float | None) -> tuple[Value, ...]:
    return (Value(value),) * played.n_seeds


def _deal(played: Played, measure: Measure) -> tuple[Value, ...]:
    reading = {one.name: one for one in deal_readings(played.world.assumptions)}[measure.of]
    owner = reading if hasattr(reading, measure.key) else reading.terms
    return _same_each_seed(played, getattr(owner, measure.key))


def _delay(played: Played, measure: Measure) -> tuple[Value, ...]:
    found, _ = price_delay(played.world.assumptions)
    first = found.order[0]
    whole = first.usd_per_day * first.days
    return _same_each_seed(played, whole if measure.key == "first_usd" else getattr(found, measure.key))


def _formula(played: Played, measure: Measure) -> tuple[Value, ...]:
    return tuple(_calculated(played, measure.key, seed) for seed in range(played.n_seeds))


@cache
def _parsed(expression: str) -> Any:  # noqa: ANN401  a node of ast
    """Return a formula parsed, once and while its file is read: Python 3.11 may fail when two threads parse at once."""
    return SimpleEval.parse(expression)


def _formula_problem(measure: Measure) -> Wording:
    try:
        _parsed(measure.key)
    except (InvalidExpression, SyntaxError) as error:
        return Phrase("key is {key!r}: {foreign}.", key=measure.key, foreign=error)
    return _needs_unit(measure)


def _calculated(played: Played, expression: str, seed: int) -> Value:
    """Return arithmetic over the values of one seed: no number where a part has none or the last step divides by 0."""
    used: list[Value] = []

    def look_up(node: object) -> float:
        name = str(getattr(node, "id", ""))
        if name in played.facts:
            return played.facts[name]
        told = (played.before or played) if name.startswith(BEFORE) else played
        name = name.removeprefix(BEFORE)
        if name not in played.measures:
            raise InputError(Phrase("a name in a formula"), name, Phrase("a measure, an input or a fact"))
        used.append(told.values(name)[seed])
        value = used[-1].value
        if value is None:
            raise ZeroDivisionError
        return value

    reader = SimpleEval(names=look_up, functions={"min": min, "max": max, "abs": abs})
    try:
        value = float(reader.eval(expression, previously_parsed=_parsed(expression)))
    except ZeroDivisionError:
        return NOTHING
    except InvalidExpression as error:
        raise InputError(
            Phrase("a formula"), expression, Phrase("arithmetic over measures, inputs and facts")
        ) from error
    return Value(value, any(one.is_lower_bound for one in used))


def _known_metric(measure: Measure) -> Wording:
    if measure.key not in all_metrics():
        return Phrase("key is {key!r}; it must be a metric of docs/metrics.md.", key=measure.key)
    kind = measure.of.partition(":")[0]
    kinds = all_metrics()[measure.key].scopes
    return (
        ""
        if kind in kinds
        else Phrase(
            "of is {of!r}; {key} is measured for {kinds}.", of=measure.of, key=measure.key, kinds=", ".join(kinds)
        )
    )


def _needs_unit(measure: Measure) -> Wording:
    return (
        "" if measure.unit and measure.better and measure.name else Phrase("unit, better and name must be given here.")
    )


def _attribute(*names: str) -> Callable[[Measure], Wording]:
    def problem(measure: Measure) -> Wording:
        if measure.key not in names:
            return Phrase("key is {key!r}; it must be one of {names}.", key=measure.key, names=", ".join(names))
        return _needs_unit(measure)

    return problem


def _given(name: str) -> Callable[[Measure], str | None]:
    return lambda measure: getattr(measure, name)


_DEAL = ("breakeven_per_day", "hurdle_per_day", "roi", "floor_share", "needed_price_usd", "fixed_usd", "margin_usd",
         "cap_per_day", "roi_max", "price_usd")  # fmt: skip

_DELAY = ("usd", "worst_usd", "flips_below_usd_per_day", "first_usd")

SOURCES: Mapping[str, Source] = {
    "run": Source(
        _run,
        lambda one: one.unit or all_metrics()[one.key].unit,
        lambda one: one.better or all_metrics()[one.key].better,
        _known_metric,
    ),
    "deal": Source(_deal, _given("unit"), _given("better"), _attribute(*_DEAL)),
    "delay": Source(_delay, _given("unit"), _given("better"), _attribute(*_DELAY)),
    "formula": Source(_formula, _given("unit"), _given("better"), _formula_problem),
}
"""Source -> how it is read."""
