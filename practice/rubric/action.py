"""The rules of Action."""

import re
from collections.abc import Callable

from practice.rubric.model import NOTHING, Found, View
from practice.rubric.text import Span

_LIST_MARK = re.compile(r"\s*(?:[,/\u3001]|,? ?(?:and|or|\u548c|\u6216|\u4e0e|\u8ddf|\u8fd8\u662f))\s*")
_SETTINGS = {"ratio", "percent", "duration", "gpu"}
_SEPARATORS = re.compile("[,/\u3001]")


def decision(view: View) -> Found:
    """A1: the candidate's own choice."""
    half = NOTHING
    for sentence in view.sentences("A"):
        own = _own_decision(view, sentence) or _without_subject(view, sentence)
        if own:
            return Found(1.0, (own,))
        other = view.first("decided_plural", sentence) or view.first("instead", sentence)
        if other and not half.value:
            half = Found(0.5, (other,))
    return half


def _own_decision(view: View, sentence: Span) -> Span | None:
    """Return a decision that says I, or that nobody else is named for."""
    for hit in view.hits("decided", sentence):
        if view.is_taken_back(hit, sentence) or view.first("nothing_so", hit):
            continue
        if view.first("i", hit) or not view.first("other_subject", Span(sentence.start, hit.end)):
            return hit
    return None


def _without_subject(view: View, sentence: Span) -> Span | None:
    """Return a decision told without its subject at the beginning of a clause ("Went with the ration.")."""
    for clause in view.doc.clauses(sentence):
        hit = view.opening("decided_bare", clause)
        if hit and not view.first("other_subject", Span(clause.start, hit.end)):
            return hit
    return None


def alternatives(view: View) -> Found:
    """A2: counted options, or a list of them."""
    half = NOTHING
    for sentence, pair in view.with_next(view.sentences("A")):
        hit = view.told("alternatives", sentence) or view.told("alternatives", pair)
        if hit:
            return Found(1.0, (hit,))
        one = view.first("instead", sentence)
        if one and not half.value:
            half = Found(0.5, (one,))
    listed = _enumeration(view)
    return listed if listed.value else half if half.value else _two_refusals(view)


def _enumeration(view: View) -> Found:
    """Take a counted list, or three values of one setting, as alternatives."""
    for sentence, pair in view.with_next(view.sentences("A")):
        for count in view.hits("counted", pair):
            near = Span(count.start, min(count.end + 2, pair.end))
            is_list = view.first("listed", Span(count.start, pair.end)) is not None
            if count.start < sentence.end and is_list and not view.first("no_option", near):
                return Found(1.0, (count,))
        swept = _swept(view, sentence)
        if swept:
            return Found(1.0, (swept,))
    return NOTHING


def _swept(view: View, sentence: Span) -> Span | None:
    """Return three values of one setting: ratios anywhere in a sentence, others in a row between list marks."""
    numbers = [one for one in view.numbers(sentence) if one.kind in _SETTINGS]
    ratios = {one.value: one.span for one in numbers if one.kind == "ratio"}
    if len(ratios) >= 3:
        return Span(min(ratios.values()).start, max(ratios.values()).end)
    for first, second, third in zip(numbers, numbers[1:], numbers[2:], strict=False):
        between = [view.text[a.span.end : b.span.start] for a, b in ((first, second), (second, third))]
        if all(_LIST_MARK.fullmatch(one) for one in between):
            return Span(first.span.start, third.span.end)
    return None


def _two_refusals(view: View) -> Found:
    """Take two refusals in two sentences as two alternatives."""
    hits = [hit for one in view.sentences("A") if (hit := view.first("refused", one))]
    return Found(1.0, tuple(hits[:2])) if len(hits) >= 2 else NOTHING


def basis(view: View) -> Found:
    """A3: evidence and a quantity in one sentence."""
    half = NOTHING
    for sentence in view.sentences("A"):
        word = view.told("basis", sentence)
        if not word:
            continue
        numbers = [one for one in view.numbers(sentence) if one.kind != "plain" or one.value >= 2]
        if numbers:
            return Found(1.0, (word, numbers[0].span))
        half = half if half.value else Found(0.5, (word,))
    return half


def mechanism(view: View) -> Found:
    """A4: two mechanisms; a bare list of names counts as one."""
    names: dict[str, Span] = {}
    for sentence in view.sentences("A"):
        found = view.mechanisms(sentence)
        text = view.text[sentence.start : sentence.end]
        is_list = len(_SEPARATORS.findall(text)) >= 4 and not re.search(r"\d", text)
        for name, span in found[:1] if is_list else found:
            names.setdefault(name, span)
    spans = tuple(sorted(names.values())[:3])
    return Found(1.0 if len(names) >= 2 else 0.5, spans) if names else NOTHING


def conflict(view: View) -> Found:
    """A5: who objected, and what moved them."""
    against = [hit for one in view.sentences("A") if (hit := view.told("conflict", one))]
    moved = [hit for one in view.sentences("A") if (hit := view.told("resolved", one))]
    if against and moved:
        return Found(1.0, (against[0], moved[-1]))
    spans = (*against[:1], *moved[:1])
    return Found(0.5, spans) if spans else NOTHING


def safety(view: View) -> Found:
    """A6: pilot, canary, way back."""
    return view.first_of("A", "safety")


RULES: dict[str, Callable[[View], Found]] = {
    "A1": decision, "A2": alternatives, "A3": basis, "A4": mechanism, "A5": conflict, "A6": safety,
}  # fmt: skip
