"""The link of a session: exercise, choices, predictions and the evidence as it was seen; the answer only on request."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from practice.exercises import Exercise, play
from practice.player.errors import PlayerError, known
from practice.player.modes import MODES
from practice.player.moves import check_choice, exercise_of
from practice.player.session import MOVEMENTS, Session, setting_of
from practice.rubric import PERSONAS
from practice.rubric import VERSION as RUBRIC_VERSION
from scheduler_core import ENGINE_VERSION

LONGEST_LINK = 6_000
"""Characters: some servers refuse addresses over 8,000."""

_LARGEST_BYTES = 1_000_000
_SPOKEN = ("answer", "replies", "whys")


class Shared(BaseModel):
    """What a link holds; `evidence` is measure -> median, as the sender saw it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: Session
    seeds: int
    evidence: Mapping[str, float] = Field(default_factory=dict)
    rubric: str
    engine: str

    @property
    def is_same_version(self) -> bool:
        """Whether this program is the one that made the evidence."""
        return (self.rubric, self.engine) == (RUBRIC_VERSION, ENGINE_VERSION)


def share(exercise: Exercise, session: Session, *, has_answers: bool = False) -> Shared:
    """Return what a link of a session holds; without answers nothing that the candidate wrote."""
    update: dict[str, object] = {"mode": "reviewer", "minutes": None, "clock_s": None, "felt": {}}
    if not has_answers:
        update |= {name: type(getattr(session, name))() for name in _SPOKEN}
    rows = play(exercise, setting_of(session)).rows
    seen = {name: rows[name].after.median for name in exercise.evidence.measures}
    return Shared(
        session=session.model_copy(update=update),
        seeds=exercise.world.seeds,
        evidence={name: round(one, 6) for name, one in seen.items() if one is not None},
        rubric=RUBRIC_VERSION,
        engine=ENGINE_VERSION,
    )


def encode(shared: Shared) -> str:
    """Return a link's text.

    Raises
    ------
    PlayerError
        If it would be too long to travel.
    """
    raw = json.dumps(shared.model_dump(mode="json", exclude_defaults=True), sort_keys=True, ensure_ascii=False,
                     separators=(",", ":"))  # fmt: skip
    packed = base64.urlsafe_b64encode(zlib.compress(raw.encode("utf-8", "replace"), 9)).rstrip(b"=").decode()
    if len(packed) > LONGEST_LINK:
        raise PlayerError(
            "length", f"{len(packed):,}", f"at most {LONGEST_LINK:,} characters", most=f"{LONGEST_LINK:,}"
        )
    return packed


def decode(text: str) -> Shared:
    """Return what a link holds.

    Raises
    ------
    PlayerError
        If it is damaged, or names an exercise, step, choice, mode or persona that there is not.
    """
    try:
        opener = zlib.decompressobj()
        raw = opener.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _LARGEST_BYTES)
        if opener.unconsumed_tail or not opener.eof:
            raise PlayerError("link", text[:20], "complete, as it was copied")
        shared = Shared.model_validate_json(raw)
    except (binascii.Error, zlib.error, ValidationError, ValueError) as error:
        raise PlayerError("link", text[:20], "complete, as it was copied") from error
    check(shared.session)
    return shared


def check(session: Session) -> None:
    """Refuse a session that names something its exercise does not have."""
    exercise = exercise_of(session)
    mode = MODES[known("mode", session.mode, list(MODES))]
    known("persona", session.persona, list(PERSONAS))
    for step in (session.step, session.reached):
        known("step", step, list(mode.steps))
    for decision, option in session.choices.items():
        check_choice(exercise, decision, option)
    for movement in session.predictions.values():
        known("prediction", movement, MOVEMENTS)
    for name in session.stress:
        known("stress", name, [one.id for one in exercise.stress])
