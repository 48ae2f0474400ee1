"""What is kept of a candidate's work, as the rest of the product sees it and as an export writes it."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

LONGEST_TEXT = 2_000_000
"""Characters of one section; an answer of 100,000 words has about 600,000."""


def _storable(text: str) -> str:
    """Drop the one character that PostgreSQL cannot store and no keyboard types."""
    return text.replace("\0", "")


Line = Annotated[str, AfterValidator(_storable)]
LongText = Annotated[Line, Field(max_length=LONGEST_TEXT)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,79}$")]
RecordId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
Direction = Literal["up", "same", "down"]
Kind = Literal["exercise", "story"]
Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(ge=0, le=100)]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SetAside(_Kept):
    """A text that another tab replaced; it is kept, so that nothing typed is lost."""

    text: LongText
    saved_at: AwareDatetime


class Section(_Kept):
    """One box of an answer. `version` grows by one with every change, so that a second tab is noticed."""

    text: LongText
    saved_at: AwareDatetime
    version: int = Field(default=1, ge=1)
    set_aside: tuple[SetAside, ...] = ()


class Prediction(_Kept):
    """Which way a measure was said to move under an option, how surely, and which way it went in the run."""

    option: Slug
    measure: Slug
    said: Direction
    sure_share: Share | None = None
    came: Direction | None = None


class RuleOutcome(_Kept):
    """What one rule gave, and where in `Grade.text` it was seen."""

    rule: Slug
    value: Share
    points: float
    weight: float
    spans: tuple[tuple[int, int], ...] = ()


class Charge(_Kept):
    """What one penalty took, and where."""

    penalty: Slug
    points: float
    spans: tuple[tuple[int, int], ...] = ()


class Grade(_Kept):
    """The score of an answer, with the version of the rules that gave it."""

    rubric_version: str = Field(max_length=20)
    persona: Slug
    text: LongText
    total: Points
    dimensions: Mapping[Slug, Points | None]
    outcomes: tuple[RuleOutcome, ...]
    charges: tuple[Charge, ...] = ()
    notes: tuple[Slug, ...] = ()
    evidence_share: Share | None = None

    def value(self, rule: str) -> float:
        """Return the value of a rule, 0 to 1; 0 where these rules did not have it."""
        return next((one.value for one in self.outcomes if one.rule == rule), 0.0)


class Record(_Kept):
    """What attempts and stories have in common: an opaque id, and sections of text."""

    id: RecordId
    persona: Slug = "committee"
    sections: Mapping[Slug, Section] = {}
    created_at: AwareDatetime
    updated_at: AwareDatetime

    def texts(self) -> dict[str, str]:
        """Return the text of every section."""
        return {name: one.text for name, one in self.sections.items()}


class Attempt(Record):
    """One attempt at an exercise, or one scoring of a story.

    `progress` belongs to the player: the step, the clock, the probes asked. `run_hash` names the run the answer was
    held to. `finished_at` is there once the attempt was scored.
    """

    kind: Kind = "exercise"
    subject: Slug
    mode: Slug = "practice"
    seed: int = Field(default=0, ge=0, lt=2**31)
    choices: Mapping[Slug, Slug] = {}
    predictions: tuple[Prediction, ...] = ()
    progress: Mapping[Slug, JsonValue] = {}
    run_hash: str | None = Field(default=None, max_length=80)
    grade: Grade | None = None
    finished_at: AwareDatetime | None = None


class LedgerLine(_Kept):
    """A number of a story, with what it means to the business."""

    name: Line = Field(default="", max_length=200)
    value: Line = Field(default="", max_length=100)
    meaning: Line = Field(default="", max_length=1000)


class Story(Record):
    """A project of the candidate's own: five boxes, a failure, a corrected judgement, and its numbers."""

    title: Line = Field(default="", max_length=200)
    ledger: tuple[LedgerLine, ...] = ()


class Saved(_Kept):
    """What saving a section gave: its new version, when, and the text of another tab that was set aside."""

    version: int
    saved_at: AwareDatetime
    set_aside: SetAside | None = None
