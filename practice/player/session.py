"""Everything a candidate has said in one exercise: frozen, and the same as the JSON that is stored."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from practice.exercises import Setting

MOVEMENTS = ("up", "same", "down")
"""What may be predicted."""

FEELINGS = ("nervous", "invented", "contradicted")
"""What a candidate may note about a reply."""

FORMAT = 1


class Session(BaseModel):
    """One attempt.

    `step` is what is on screen and `reached` the furthest step seen. `predictions` holds ``option.measure`` ->
    movement. `asked` is chosen when the answer is handed in, and stays. Times are seconds since 1970, given by whoever
    has a clock.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    exercise: str
    exercise_version: int
    mode: str
    persona: str
    minutes: int | None = None
    started_s: float = 0.0
    clock_s: float | None = None
    """When the clock started."""
    ended_s: float | None = None
    step: str
    reached: str
    predictions: Mapping[str, str] = Field(default_factory=dict)
    sure_percent: int | None = Field(default=None, ge=0, le=100)
    choices: Mapping[str, str] = Field(default_factory=dict)
    stress: tuple[str, ...] = ()
    answer: Mapping[str, str] = Field(default_factory=dict)
    asked: tuple[str, ...] = ()
    replies: Mapping[str, str] = Field(default_factory=dict)
    whys: tuple[str, ...] = ()
    felt: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Question -> how the candidate felt about the own reply, some of `FEELINGS`; never in a link."""
    loop: str = ""
    """Id of the loop that this is a round of; empty outside one."""
    round: int = 0
    """Which round, from 1."""
    retried: Mapping[str, str] = Field(default_factory=dict)
    """Choices of the re-run after the score."""


def guess_key(option: str, measure: str) -> str:
    """Return the key of a prediction."""
    return f"{option}.{measure}"


def setting_of(session: Session, choices: Mapping[str, str] | None = None) -> Setting:
    """Return what is simulated for a session; with other choices where given."""
    return Setting(choices=dict(session.choices if choices is None else choices), stress=session.stress)
