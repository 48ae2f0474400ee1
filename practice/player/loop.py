"""A loop of rounds: another exercise and another interviewer in each, and a weak round ends it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from practice.exercises import Exercise, exercises
from practice.player.modes import DATA, Words
from practice.player.moves import exercise_of, start
from practice.player.session import Session
from practice.rubric import Judged, Verdict, session_verdict


@dataclass(frozen=True)
class Round:
    """One round: what it is called, and whose weights it uses."""

    name: Words
    persona: str


ROUNDS: tuple[Round, ...] = tuple(Round(**row) for row in DATA["round"])
_MODE = "loop"


@dataclass(frozen=True)
class Standing:
    """How a loop stands after the rounds that were scored: the verdict over them, and whether there is another."""

    played: int
    verdict: Verdict
    lowest: Mapping[str, float]
    """The lowest dimension of the last round -> its points, 0 to 100."""

    @property
    def is_stopped(self) -> bool:
        """Whether a round ended the loop before its end."""
        return self.verdict.stopped_at is not None

    @property
    def goes_on(self) -> bool:
        """Whether there is another round."""
        return not self.is_stopped and self.played < len(ROUNDS)


def standing(scores: Sequence[Judged]) -> Standing:
    """Return how a loop stands.

    Parameters
    ----------
    scores : sequence of Judged
        The rounds that were scored, in order; at least one.
    """
    last = {name: points or 0.0 for name, points in scores[-1].dimensions.items()}
    weakest = min(last, key=last.__getitem__)
    return Standing(len(scores), session_verdict(scores, is_loop=True), {weakest: last[weakest]})


def next_exercise(session: Session) -> Exercise:
    """Return the exercise of the next round: the one after this, in the order of the list."""
    names = list(exercises())
    return exercises()[names[(names.index(exercise_of(session).id) + 1) % len(names)]]


def next_round(session: Session, *, now_s: float) -> Session:
    """Return the session of the next round of a loop."""
    number = session.round + 1
    begun = start(next_exercise(session), _MODE, now_s=now_s)
    return begun.model_copy(update={"loop": session.loop, "round": number, "persona": ROUNDS[number - 1].persona})
