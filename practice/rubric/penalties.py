"""The penalties P1, P2, P4 and P5; P3 is in `consistency`."""

from collections.abc import Callable

from practice.rubric.model import View
from practice.rubric.numbers import has_gpu_mark
from practice.rubric.text import Span

ALL = "STARL"


def vague(view: View) -> list[Span]:
    """P1: praise in a clause without a quantity."""
    found: list[Span] = []
    for sentence in view.sentences(ALL):
        for clause in view.doc.clauses(sentence):
            if not view.numbers(clause):
                found += view.hits("vague", clause)
    return found


def buzzwords(view: View) -> list[Span]:
    """P2: words that stand for no mechanism."""
    return [hit for sentence in view.sentences(ALL) for hit in view.hits("buzz", sentence)]


def pleases_all(view: View) -> list[Span]:
    """P4: everybody is happy, unless the sentence names a loser with a quantity."""
    found: list[Span] = []
    for sentence in view.sentences(ALL):
        has_loser = view.first("loser", sentence) is not None and bool(view.numbers(sentence))
        if not has_loser:
            found += view.hits("pleases_all", sentence)
    return found


def orphans(view: View) -> list[Span]:
    """P5: at least four numbers, more than half in sentences that name nothing they could belong to."""
    total, lost = 0, []
    for sentence in view.sentences(ALL):
        numbers = view.numbers(sentence)
        total += len(numbers)
        is_owned = view.metrics(sentence) or view.mechanisms(sentence) or has_gpu_mark(view.text, sentence)
        if not is_owned and not any(one.kind in {"money", "gpu", "scale"} for one in numbers):
            lost += [one.span for one in numbers]
    return lost[:1] if total >= 4 and len(lost) * 2 > total else []


CHECKS: dict[str, Callable[[View], list[Span]]] = {
    "P1": vague, "P2": buzzwords, "P4": pleases_all, "P5": orphans,
}  # fmt: skip
