"""The numbers of a text as they were written."""

from practice.rubric.numbers import quantities
from practice.rubric.text import Span, document_of


def quantities_in(text: str) -> tuple[str, ...]:
    """Return every quantity of a text in order, each in the candidate's own writing ("4 h", "0.6")."""
    doc = document_of(text)
    spans = [doc.original_span(one.span) for one in quantities(doc.text, Span(0, len(doc.text)))]
    return tuple(doc.original[span.start : span.end] for span in spans)
