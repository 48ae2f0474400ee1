"""How well consequences were predicted before anything ran."""

from dataclasses import dataclass

from practice.exercises import Exercise, Setting, play
from practice.player.session import Session, guess_key


@dataclass(frozen=True)
class Guess:
    """One prediction and what happened; both ``up``, ``same`` or ``down``."""

    option: str
    measure: str
    said: str
    happened: str

    @property
    def is_right(self) -> bool:
        """Whether it was right."""
        return self.said == self.happened


@dataclass(frozen=True)
class Calibration:
    """All predictions of an attempt; `sure_share` is how sure the candidate was, 0 to 1."""

    guesses: tuple[Guess, ...]
    sure_share: float | None

    @property
    def right(self) -> int:
        """Number of right predictions."""
        return sum(one.is_right for one in self.guesses)

    @property
    def right_share(self) -> float:
        """Share of right predictions, 0 to 1; a blind guess among three gives a third."""
        return self.right / len(self.guesses) if self.guesses else 0.0

    @property
    def gap_share(self) -> float | None:
        """How much surer than right, -1 to 1; 0 is calibrated."""
        return None if self.sure_share is None else self.sure_share - self.right_share


def calibrate(exercise: Exercise, session: Session) -> Calibration:
    """Return the predictions beside what each option alone does to the world before it."""
    decision = exercise.decision(exercise.predict.decision)
    guesses = []
    for option in decision.options:
        said = {name: session.predictions.get(guess_key(option.id, name)) for name in exercise.predict.measures}
        if not any(said.values()):
            continue
        rows = play(exercise, Setting(choices={decision.id: option.id}, stress=session.stress)).rows
        guesses += [Guess(option.id, name, one, rows[name].movement) for name, one in said.items() if one]
    sure = session.sure_percent
    return Calibration(tuple(guesses), None if sure is None else sure / 100)
