"""Technical facts of an answer that are told without what they are worth."""

import re

from practice.rubric.model import View
from practice.rubric.text import document_of

_HEADER = re.compile(r"^[STARL]:\s*")
"""What a box begins with where fewer than three are filled, so that they are no sections."""


def facts_without_effect(answer: str | dict[str, str]) -> tuple[str, ...]:
    """Return the sentences of Action and Result that hold a mechanism or a metric with a number, and no money near by.

    Parameters
    ----------
    answer : str or dict of str to str
        One text, or the five boxes.

    Returns
    -------
    tuple of str
        In the candidate's own words; a sentence counts as valued where it or the next one names an amount of money.
    """
    view = View(document_of(answer))
    found = []
    for sentence, reach in view.with_next(view.sentences("AR")):
        is_technical = bool(view.mechanisms(sentence) or view.metrics(sentence)) and bool(view.numbers(sentence))
        if is_technical and not any(one.kind == "money" for one in view.numbers(reach)):
            place = view.doc.original_span(sentence)
            found.append(_HEADER.sub("", view.doc.original[place.start : place.end].strip()))
    return tuple(found)
