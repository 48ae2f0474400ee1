"""Cut a text where something was seen in it, so that pages and exports show it marked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Seen = tuple[int, int, str, str]
"""First character, end, kind, reason."""


@dataclass(frozen=True)
class Mark:
    """A stretch of a text: nothing was seen where `kind` is empty.

    Attributes
    ----------
    text, kind : str
        The stretch, and the strongest kind that was seen there.
    reasons, weaker : tuple of str
        Rules, penalties and ``E``: of that kind, and of weaker ones.
    """

    text: str
    kind: str
    reasons: tuple[str, ...]
    weaker: tuple[str, ...] = ()


def cut(text: str, seen: Iterable[Seen], kinds: Sequence[str]) -> tuple[Mark, ...]:
    """Return `text` in order, cut wherever what was seen begins or ends; the parts joined give it back.

    Parameters
    ----------
    text : str
        What was scored.
    seen : iterable of Seen
        What was found where; places outside the text are left out.
    kinds : sequence of str
        Every kind, the weakest first: where several lie over each other the last one shows.
    """
    found = [one for one in seen if one[0] < len(text)]
    cuts = sorted({0, len(text), *(at for first, end, *_ in found for at in (max(first, 0), min(end, len(text))))})
    order = ("", *kinds)
    parts = []
    for start, end in pairwise(cuts):
        here = [(kind, reason) for first, last, kind, reason in found if first < end and start < last]
        kind = max((kind for kind, _ in here), key=order.index, default="")
        reasons = dict.fromkeys(reason for one, reason in here if one == kind)
        weaker = dict.fromkeys(reason for one, reason in sorted(here, key=lambda one: order.index(one[0])))
        others = tuple(reason for reason in weaker if reason not in reasons)
        parts.append(Mark(text[start:end], kind, tuple(reasons), others))
    return tuple(parts)
