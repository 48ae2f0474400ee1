"""What follows from a choice: the evidence of an exercise at one setting, over its seeds.

Every setting sees the same draws (common random numbers), so a change is taken within each seed. Runs are kept by their
hash: an option that was simulated before answers at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median

from practice.exercises.model import Bound, Exercise, Measure, Movement, Setting
from practice.exercises.sources import SOURCES, Played
from practice.exercises.world import World, world_of
from practice.rubric import Run
from scheduler_core import (
    ENGINE_VERSION,
    MS_PER_UNIT,
    JobTables,
    Kept,
    Scenario,
    Summary,
    Target,
    Value,
    replicate,
    require_available,
    run_hash,
    simulate,
)

Progress = Callable[[float], bool]
_TABLES = JobTables(64)
_RUNS: Kept[tuple[Summary, ...]] = Kept(500)
BASE = Setting()


@dataclass(frozen=True)
class Figure:
    """A number over the seeds.

    Attributes
    ----------
    values : tuple of float or None
        One a seed.
    is_lower_bound : bool
        Whether the truth may be larger.
    """

    values: tuple[float | None, ...]
    is_lower_bound: bool = False

    @property
    def known(self) -> list[float]:
        """The values of the seeds that have one."""
        return [one for one in self.values if one is not None]

    @property
    def median(self) -> float | None:
        """Middle of the seeds; the number that is shown."""
        return median(self.known) if self.known else None

    @property
    def low(self) -> float | None:
        """Smallest over the seeds."""
        return min(self.known, default=None)

    @property
    def high(self) -> float | None:
        """Largest over the seeds."""
        return max(self.known, default=None)

    @property
    def coverage(self) -> float:
        """How likely the range from `low` to `high` holds the true median: 1 - 2 / 2^n, whatever the distribution."""
        return 1 - 2.0 ** (1 - len(self.known)) if self.known else 0.0


@dataclass(frozen=True)
class Row:
    """One measure at one setting, beside what it was before anybody decided.

    Attributes
    ----------
    measure, unit, better : str
        What it is.
    before, after, change : Figure
        Without any choice (under the same stress), with the choices, and the difference within each seed.
    movement : str
        ``up``, ``down`` or ``same``: same where the middle change is small, or the seeds disagree about its sign.
    """

    measure: str
    unit: str
    better: str
    before: Figure
    after: Figure
    change: Figure
    movement: Movement


@dataclass(frozen=True)
class Line:
    """A bound of the task and how a run stands to it: ``met``, ``missed`` or ``unknown``."""

    measure: str
    limit: float
    is_ceiling: bool
    is_red_line: bool
    state: str


@dataclass(frozen=True)
class Consequence:
    """The evidence of one setting.

    Attributes
    ----------
    setting : Setting
        What was chosen.
    world : World
        What that means; `world.scenario` can be opened anywhere else.
    rows : mapping of str to Row
        Every measure of the exercise.
    lines : tuple of Line
        The target first, then the red lines.
    facts : mapping of str to float
        What is known without a run.
    key : str
        Hash of the simulated scenario.
    """

    setting: Setting
    world: World
    rows: Mapping[str, Row]
    lines: tuple[Line, ...]
    facts: Mapping[str, float]
    key: str


def unit_of(measure: Measure) -> str:
    """Return the unit of a measure: its own, or that of its metric."""
    return SOURCES[measure.source].unit(measure) or "number"


def better_of(measure: Measure) -> str:
    """Return which way is better: lower, higher or none."""
    return SOURCES[measure.source].better(measure) or "none"


def play(
    exercise: Exercise,
    setting: Setting = BASE,
    *,
    seeds: int | None = None,
    is_full: bool = False,
    progress: Progress | None = None,
) -> Consequence:
    """Simulate a setting and the world before it, and return the evidence.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    setting : Setting
        Choices, stress and further differences; nothing is chosen by default.
    seeds : int, optional
        Number of runs; those of the exercise by default.
    is_full : bool
        Take the full case.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    Consequence
        Equal settings give equal evidence.

    Raises
    ------
    CoreError
        If a name is unknown or the scenario is impossible.
    """
    count = seeds or exercise.world.seeds
    before_setting = Setting(stress=setting.stress, change=setting.change)
    worlds = [world_of(exercise, one, is_full=is_full) for one in (before_setting, setting)]
    before, after = (
        Played(world, _summaries(world.scenario, count, _half(progress, part)), exercise.measures)
        for part, world in enumerate(worlds)
    )
    after.before = before
    rows = {name: _row(name, measure, before, after) for name, measure in exercise.measures.items()}
    bounds = [(exercise.task.target, False), *((one, True) for one in exercise.task.red_lines)]
    return Consequence(
        setting=setting,
        world=worlds[1],
        rows=rows,
        lines=tuple(_line(bound, rows[bound.measure], is_red_line=is_red) for bound, is_red in bounds),
        facts=after.facts,
        key=_key(worlds[1].scenario, count),
    )


def rubric_run(exercise: Exercise, setting: Setting, *, seeds: int | None = None) -> Run:
    """Return what the rubric needs to hold an answer's claims to the runs.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    setting : Setting
        What the candidate chose; it must take the decision that the evidence is about.
    seeds : int, optional
        As for `play`.
    """
    decision = exercise.decision(exercise.evidence.decision)
    chosen = setting.choices[decision.id]
    played = {option.id: play(exercise, swap(exercise, setting, option.id), seeds=seeds) for option in decision.options}
    named = {name: one.rubric for name, one in exercise.measures.items() if one.rubric}
    mine = played[chosen].rows
    lines = {named[one.measure]: (_in_rubric(one.limit, named[one.measure], mine[one.measure].unit), one.is_ceiling)
             for one in played[chosen].lines if one.measure in named}  # fmt: skip
    return Run(
        options={option: _claimable(one.rows, named, "after") for option, one in played.items()},
        chosen=chosen,
        baseline=_claimable(mine, named, "before"),
        marks={option.id: option.marks for option in decision.options},
        limits=lines,
        words={named[name].rpartition("_")[0].partition(".")[2]: exercise.measures[name].words for name in named},
    )


def swap(exercise: Exercise, setting: Setting, option: str) -> Setting:
    """Return a setting with another option of the decision that the evidence is about."""
    return setting.model_copy(update={"choices": {**setting.choices, exercise.evidence.decision: option}})


def _in_rubric(value: float, name: str, unit: str) -> float:
    """Return a value in the unit that a name of the rubric ends in; times are kept in ms here."""
    return value / MS_PER_UNIT.get(name.rpartition("_")[2], 1) if unit == "ms" else value


def _claimable(rows: Mapping[str, Row], named: Mapping[str, str], side: str) -> dict[str, float]:
    figures = {name: getattr(rows[name], side).median for name in named}
    return {named[name]: _in_rubric(one, named[name], rows[name].unit) for name, one in figures.items()
            if one is not None}  # fmt: skip


def _half(progress: Progress | None, part: int) -> Progress | None:
    return None if progress is None else lambda share: progress((part + share) / 2)


def _key(scenario: Scenario, count: int) -> str:
    return f"{run_hash(scenario, ENGINE_VERSION, 0)}/{count}"


def _summaries(scenario: Scenario, count: int, progress: Progress | None) -> tuple[Summary, ...]:
    def run() -> tuple[Summary, ...]:
        require_available(scenario)
        runner = partial(simulate, tables=_TABLES)
        return replicate(scenario, count, simulate=runner, progress=progress).summaries

    return _RUNS.get(_key(scenario, count), run)


def _figure(values: tuple[Value, ...]) -> Figure:
    return Figure(tuple(one.value for one in values), any(one.is_lower_bound for one in values))


def _row(name: str, measure: Measure, before: Played, after: Played) -> Row:
    old, new = _figure(before.values(name)), _figure(after.values(name))
    change = Figure(
        tuple(None if one is None or two is None else two - one
              for one, two in zip(old.values, new.values, strict=True)),
        old.is_lower_bound or new.is_lower_bound,
    )  # fmt: skip
    movement = moves(old, change, measure.same_share)
    return Row(name, unit_of(measure), better_of(measure), old, new, change, movement)


def moves(before: Figure, change: Figure, same_share: float) -> Movement:
    """Return which way a measure went over the seeds."""
    middle, low, high = change.median, change.low, change.high
    if middle is None or low is None or high is None or low <= 0 <= high:
        return "same"
    if abs(middle) <= same_share * abs(before.median or 0.0):
        return "same"
    return "up" if middle > 0 else "down"


def limit_of(bound: Bound) -> tuple[float, bool]:
    """Return the value of a bound (a time in ms) and whether it is a ceiling."""
    target = Target(metric=bound.measure, at_most=bound.at_most, at_least=bound.at_least)
    return (target.at_most, True) if target.at_most is not None else (target.at_least or 0.0, False)


def _line(bound: Bound, row: Row, *, is_red_line: bool) -> Line:
    limit, is_ceiling = limit_of(bound)
    value = row.after.median
    if value is None or (row.after.is_lower_bound and (value <= limit)):
        state = "unknown"
    else:
        state = "met" if (value <= limit if is_ceiling else value >= limit) else "missed"
    return Line(bound.measure, limit, is_ceiling, is_red_line, state)
