"""How a candidate can stand by a choice: where the strong answer chose otherwise, and at what price."""

from dataclasses import dataclass

from practice.exercises.consequence import Consequence, Line, Row, play
from practice.exercises.model import Exercise, Setting


@dataclass(frozen=True)
class Defence:
    """The candidate's run beside the run of the strong answer, both in the candidate's world.

    Attributes
    ----------
    differing : tuple of str
        Decisions in which the strong answer chose otherwise, in their order.
    mine, theirs : Consequence
        The two runs.
    """

    exercise: Exercise
    differing: tuple[str, ...]
    mine: Consequence
    theirs: Consequence

    @property
    def is_same_run(self) -> bool:
        """Whether every number is the same: all choices are, or none of the others changes anything."""
        return all(row.after == self.theirs.rows[name].after for name, row in self.mine.rows.items())

    @property
    def rows(self) -> tuple[tuple[Row, Row], ...]:
        """The measures of the evidence: with the candidate's choices, and with those of the strong answer."""
        names = dict.fromkeys((self.exercise.evidence.headline, *self.exercise.evidence.measures))
        return tuple((self.mine.rows[name], self.theirs.rows[name]) for name in names)

    @property
    def missed(self) -> tuple[Line, ...]:
        """The target and the red lines that the candidate's run misses."""
        return tuple(one for one in self.mine.lines if one.state == "missed")

    @property
    def worse(self) -> tuple[Row, ...]:
        """Measures of the evidence that got worse through the candidate's choices."""
        bad = {"lower": "up", "higher": "down"}
        return tuple(mine for mine, _ in self.rows if bad.get(mine.better) == mine.movement)


def defend(exercise: Exercise, setting: Setting) -> Defence | None:
    """Return what the candidate has to stand by; None while the decision that the evidence is about is open."""
    if exercise.evidence.decision not in setting.choices:
        return None
    theirs = setting.model_copy(update={"choices": {**setting.choices, **exercise.strong.choices}})
    differing = tuple(one.id for one in exercise.decisions
                      if setting.choices.get(one.id) != theirs.choices.get(one.id))  # fmt: skip
    return Defence(exercise, differing, play(exercise, setting), play(exercise, theirs))
