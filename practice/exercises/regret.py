"""What a choice costs beyond the best one, in the world as it may turn out."""

from dataclasses import dataclass

from practice.exercises.consequence import Figure, play, swap
from practice.exercises.model import Exercise, Setting


@dataclass(frozen=True)
class Regret:
    """How much worse a choice is than the best option of the same decision, in one stressed world.

    Attributes
    ----------
    stress, best : str
        The world, and the option that is best there.
    amount : Figure
        The difference of the money measure within each seed, in its `unit`; 0 where the choice is the best.
    """

    stress: str
    best: str
    amount: Figure
    unit: str


def regret(exercise: Exercise, setting: Setting) -> Regret | None:
    """Return the regret of a setting; None where none is asked for, the decision is open, or nothing is known."""
    shown = exercise.evidence
    if shown.regret is None or shown.decision not in setting.choices:
        return None
    stress = tuple(dict.fromkeys((*setting.stress, shown.regret)))
    true = setting.model_copy(update={"stress": stress})
    rows = {one.id: play(exercise, swap(exercise, true, one.id)).rows[shown.money]
            for one in exercise.decision(shown.decision).options}  # fmt: skip
    mine = rows[setting.choices[shown.decision]]
    sign = -1.0 if mine.better == "higher" else 1.0
    known = {name: sign * one.after.median for name, one in rows.items() if one.after.median is not None}
    if mine.after.median is None:
        return None
    best = min(known, key=known.__getitem__)
    pairs = zip(mine.after.values, rows[best].after.values, strict=True)
    lost = tuple(None if own is None or least is None else sign * (own - least) for own, least in pairs)
    return Regret(shown.regret, best, Figure(lost), mine.unit)
