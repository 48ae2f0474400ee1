"""Five whys: each question chains on the number that was said last."""

from collections.abc import Mapping, Sequence

from practice.player.modes import DATA, Words
from practice.rubric import quantities_in

_ROWS: tuple[Mapping[str, Words], ...] = tuple(DATA["why"])
WHYS = len(_ROWS)


def next_why(answer: Mapping[str, str], said: Sequence[str], language: str) -> str | None:
    """Return the next question, or None after the last.

    Parameters
    ----------
    answer : mapping of str to str
        The five boxes; the first question takes the last number of Result, else of Action.
    said : sequence of str
        The replies so far.
    language : str
        ``en`` or ``zh``.
    """
    if len(said) >= WHYS:
        return None
    row = _ROWS[len(said)]
    texts = [said[-1]] if said else [answer.get("R", ""), answer.get("A", "")]
    number = next((found[-1] for found in map(quantities_in, texts) if found), None)
    return row["silent"][language] if number is None else row["number"][language].replace("{n}", number)
