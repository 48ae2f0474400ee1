"""What an exercise is: frozen models of `scenarios/exercises/*.toml`; docs/exercises.md says what each part is for.

A choice is a difference, and nothing else: of the scenario (`policy.order`), of the money formulas
(`economics.premium_ratio`) or of the exercise's own inputs (`inputs.days`). What follows from it is read by measures,
each from one source. So one path leads from a choice to its consequence, whatever the exercise is about.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

LEAST_SEEDS = 5
MOST_JOBS = 20_000
"""Jobs of one replication in practice; the full case may have more."""

LANGUAGES = ("en", "zh")
SECTIONS = ("S", "T", "A", "R", "L")
KINDS = ("technical", "logic", "data")
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Requirement = Annotated[str, StringConstraints(pattern=r"^R\d{1,3}$")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Movement = Literal["up", "down", "same"]
Expected = Literal["up", "down", "same", "not_up", "not_down"]


class Part(BaseModel):
    """A part of an exercise; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Text(Part):
    """A text in both languages; may hold placeholders such as ``{run.wait}``."""

    en: Words
    zh: Words

    def of(self, language: str) -> str:
        """Return the text in a language."""
        return str(getattr(self, language))


class Difference(Part):
    """What is changed: paths with their new values, and paths whose value is multiplied.

    `set` takes paths of the scenario, ``economics.NAME`` and ``inputs.NAME``. `scale` takes the same paths; ``*``
    stands for every item there (``workload.classes.*.per_day``, ``cluster.pools.*.zones.*``); counts are rounded.
    """

    set: Mapping[str, Any] = Field(default_factory=dict)
    scale: Mapping[str, float] = Field(default_factory=dict)


class Setting(Part):
    """One point of an exercise: an option for each decision that is taken, stress, and any further difference.

    A decision that is not named stays as it was before anybody decided.
    """

    choices: Mapping[Slug, Slug] = Field(default_factory=dict)
    stress: tuple[Slug, ...] = ()
    change: Difference = Difference()


class Input(Part):
    """A number of the exercise that no scenario holds; options may set it (``inputs.NAME``)."""

    value: float
    unit: str
    name: Text
    requirement: Requirement | None = None
    """Where an article gives it; without one it is an assumption of the exercise."""


class World(Part):
    """What is simulated before anybody decides."""

    scenario: Mapping[str, Any]
    """A scenario document: `case` with differences, or complete."""
    full: str | None = None
    """The case as the articles tell it, where it has more jobs than practice allows; run by the long tests."""
    seeds: int = Field(default=LEAST_SEEDS, ge=LEAST_SEEDS, le=20)
    economics: Mapping[str, Any] = Field(default_factory=dict)
    inputs: Mapping[Slug, Input] = Field(default_factory=dict)


class Measure(Part):
    """One number that follows from a choice.

    `source` is ``run`` (a metric of the simulation; `of` is its scope, such as ``class:urgent``), ``deal``, ``delay``
    (formulas of the core) or ``formula`` (`key` is arithmetic over other measures, inputs and facts).
    """

    source: str
    key: str
    of: str = "all"
    name: Text | None = None
    """What people call it; the metric's own name without one."""
    unit: str | None = None
    better: Literal["lower", "higher", "none"] | None = None
    rubric: str | None = None
    """Name in the rubric with its unit (``wait_min``), where an answer may claim it; ``wait.batch_min`` where an
    exercise has several waits, with the words that tell them apart."""
    words: tuple[str, ...] = ()
    absent: float | None = None
    """What stands for a run that has no figure: 0 lost hours where nobody can be evicted."""
    same_share: float = Field(default=0.02, ge=0, lt=1)
    """A change within this part of the value before counts as none."""


class Bound(Part):
    """A line that a measure must keep."""

    measure: Slug
    at_most: float | str | None = None
    at_least: float | str | None = None
    requirement: Requirement | None = None


class Task(Part):
    """The card: what is asked of the candidate, by when, and who looks."""

    text: Text
    deadline: Text
    target: Bound
    red_lines: tuple[Bound, ...] = Field(min_length=1)
    watchers: tuple[Text, ...] = Field(min_length=1)


class Predict(Part):
    """What is predicted before anything runs: each measure for each option of a decision, up, down or same."""

    decision: Slug
    measures: tuple[Slug, ...] = Field(min_length=1, max_length=6)


class Option(Difference):
    """One way to decide."""

    id: Slug
    label: Text
    marks: tuple[str, ...] = ()
    """Words by which an answer names it, in either language."""
    assumes: Text | None = None
    """What the difference takes for granted about people, where it does."""
    trap: Text | None = None
    """Why it tempts and what it costs; shown after the run."""
    reveals: tuple[Slug, ...] = ()
    """Measures that this look shows before the next decision."""


class Decision(Part):
    """A point where the candidate has to choose."""

    id: Slug
    question: Text
    options: tuple[Option, ...] = Field(min_length=2, max_length=4)

    def option(self, name: str) -> Option:
        """Return an option by its id."""
        return next(one for one in self.options if one.id == name)


class Shown(Part):
    """Which measures are the evidence, and for what."""

    decision: Slug
    """The decision whose options stand side by side; the others stay as chosen."""
    headline: Slug
    measures: tuple[Slug, ...] = Field(min_length=2)
    guards: tuple[Slug, ...] = Field(min_length=1)
    money: Slug
    regret: Slug | None = None
    """The stress in whose world a choice is compared with the best one, by `money`."""


class Probe(Part):
    """A follow-up question, and what a good answer to it holds."""

    ask: Text
    listen: Text


class Probes(Part):
    """Follow-ups of the three kinds."""

    technical: tuple[Probe, ...] = Field(min_length=2)
    logic: tuple[Probe, ...] = Field(min_length=2)
    data: tuple[Probe, ...] = Field(min_length=2)


class Answer(Part):
    """A model answer in five boxes."""

    choices: Mapping[Slug, Slug]
    """What it decided. A strong answer is told of the run of these, in the candidate's world; a weak one of the
    candidate's own run, and of these where nothing is decided yet."""
    S: Text
    T: Text
    A: Text
    R: Text
    L: Text


class Stress(Difference):
    """What an interviewer takes away; without a difference it is a question only."""

    id: Slug
    label: Text
    ask: Text


class Lever(Part):
    """A number that is moved to see how much depends on it, and where another option wins.

    With `is_factor` the value at the path (which may hold ``*``) is multiplied, else set.
    """

    id: Slug
    name: Text
    path: str
    low: float
    high: float
    is_factor: bool = False
    unit: str = "number"


class Direction(Part):
    """What must hold on at least nine of ten seeds, so that nobody trains on a wrong model."""

    text: Text
    before: Setting = Setting()
    after: Setting
    expect: Mapping[Slug, Expected] = Field(min_length=1)


class Article(Part):
    """A figure of an article, shown as such; where a measure computes the same, beside it with the residual."""

    text: Text
    value: float
    unit: str
    requirement: Requirement
    measure: Slug | None = None
    setting: Setting = Setting()
    against: Setting | None = None
    """With it the figure is a change: from there to `setting`, within each seed."""
    why: Text | None = None
    """Why the computed figure differs."""


class Card(Part):
    """The model card: what is simulated, what is not, what is assumed."""

    simulates: Text
    leaves_out: Text
    assumes: Text


class Exercise(Part):
    """One scripted STAR-L exercise."""

    id: Annotated[str, StringConstraints(pattern=r"^SC\d{2}$")]
    version: int = Field(ge=1)
    slug: str
    """The file's name without its ending; permanent, as is `id`."""
    title: Text
    seed_refs: tuple[Requirement, ...] = Field(min_length=1)
    world: World
    measures: Mapping[Slug, Measure]
    brief: Text
    why_hard: Text
    task: Task
    predict: Predict
    decisions: tuple[Decision, ...] = Field(min_length=2, max_length=5)
    evidence: Shown
    rationale: Text
    probes: Probes
    weak: Answer
    strong: Answer
    stress: tuple[Stress, ...] = Field(min_length=3)
    levers: tuple[Lever, ...] = Field(min_length=1)
    limits: tuple[Text, ...] = Field(min_length=2)
    card: Card
    directions: tuple[Direction, ...] = Field(min_length=2)
    articles: Mapping[Slug, Article]

    def decision(self, name: str) -> Decision:
        """Return a decision by its id."""
        return next(one for one in self.decisions if one.id == name)
