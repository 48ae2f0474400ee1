"""What the rules see of an answer, and what a rule returns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from practice.rubric.lexicon import LEXICON, Metric
from practice.rubric.numbers import Quantity, quantities
from practice.rubric.text import Document, Span, ends_in


@dataclass(frozen=True)
class Found:
    """The outcome of one rule: a value of 0, 0.5 or 1, and where in the normalised text it was seen."""

    value: float
    spans: tuple[Span, ...] = ()


_BULLETS = " \t\n:-*\u2022\u00b7"
_DENIED_WITHIN = 24
"""Characters before a word in which a denial of it can begin."""
NOTHING = Found(0.0)


@dataclass
class View:
    """One answer with what is read from it more than once."""

    doc: Document
    _numbers: dict[Span, tuple[Quantity, ...]] = field(default_factory=dict)
    _metrics: dict[Span, list[tuple[Metric, Span]]] = field(default_factory=dict)
    _hits: dict[tuple[str, Span], list[Span]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the normalised text."""
        return self.doc.text

    def sentences(self, names: str) -> tuple[Span, ...]:
        """Return the sentences of some sections."""
        return self.doc.sentences(names)

    def has_section(self, name: str) -> bool:
        """Say whether the answer has this section under a heading of its own."""
        return self.doc.is_sectioned and name in self.doc.sections

    def hits(self, family: str, span: Span) -> list[Span]:
        """Return where a family is named in a stretch of text."""
        if (family, span) not in self._hits:
            found = LEXICON.family(family).finditer(self.text, span.start, span.end)
            self._hits[family, span] = [Span(*one.span()) for one in found]
        return self._hits[family, span]

    def first(self, family: str, span: Span) -> Span | None:
        """Return where a family is first named in a stretch of text."""
        match = LEXICON.family(family).search(self.text, span.start, span.end)
        return Span(*match.span()) if match else None

    def told(self, family: str, span: Span) -> Span | None:
        """Return where a family is first named without being denied ("there was no pilot")."""
        return next((hit for hit in self.hits(family, span) if not self.is_taken_back(hit, span)), None)

    def is_taken_back(self, hit: Span, span: Span) -> bool:
        """Say whether a hit is denied just before it, or by what takes back all that follows in its sentence."""
        if self.first("denied", Span(max(span.start, hit.start - _DENIED_WITHIN), hit.start)):
            return True
        whole = self.first("nothing_so", Span(span.start, hit.start))
        between = Span(whole.end, hit.start) if whole else None
        return between is not None and not ends_in(self.text, between) and not self.first("turn", between)

    def opening(self, family: str, clause: Span) -> Span | None:
        """Return where a clause begins with a family, after a bullet at most; None where it does not."""
        hit = self.first(family, clause)
        return None if hit is None or self.text[clause.start : hit.start].strip(_BULLETS) else hit

    def first_of(self, sections: str, family: str) -> Found:
        """Return 1 with the first place where sentences of these sections name a family and do not deny it."""
        hits = (self.told(family, sentence) for sentence in self.sentences(sections))
        return next((Found(1.0, (hit,)) for hit in hits if hit), NOTHING)

    def is_told_backwards(self, first: Span, last: Span) -> bool:
        """Say whether the second of two numbers is the earlier one ("now 40, down from 90")."""
        return self.first("earlier", Span(max(first.end, last.start - 12), last.start)) is not None

    def numbers(self, span: Span) -> tuple[Quantity, ...]:
        """Return the quantities of a sentence or clause."""
        if span not in self._numbers:
            self._numbers[span] = quantities(self.text, span)
        return self._numbers[span]

    def metrics(self, span: Span) -> list[tuple[Metric, Span]]:
        """Return the metrics named in a stretch of text, in order of their place."""
        if span not in self._metrics:
            self._metrics[span] = self._find_metrics(span)
        return self._metrics[span]

    def _find_metrics(self, span: Span) -> list[tuple[Metric, Span]]:
        named = LEXICON.metrics_named(self.text, span.start, span.end)
        found = [(metric, Span(start, end)) for metric, start, end in named]
        kept: list[tuple[Metric, Span]] = []
        for metric, place in sorted(found, key=lambda one: (one[0].better == "neither", one[1])):
            if metric.better != "neither" or all(place.start >= b.end or place.end <= b.start for _, b in kept):
                kept.append((metric, place))
        return sorted(kept, key=lambda one: one[1])

    def metric_names(self, span: Span) -> set[str]:
        """Return the names of the metrics in a stretch of text."""
        return {metric.name for metric, _ in self.metrics(span)}

    def mechanisms(self, span: Span) -> list[tuple[str, Span]]:
        """Return the mechanisms named in a stretch of text, each once."""
        return [(name, Span(start, end)) for name, start, end in LEXICON.mechanisms(self.text, span.start, span.end)]

    def measured_kinds(self, names: str) -> set[str]:
        """Return in which kinds of number these sections give metrics; a later number of that kind is understood."""
        sentences = [one for one in self.sentences(names) if self.metrics(one)]
        return {n.kind for one in sentences for n in self.numbers(one) if n.kind in {"duration", "percent", "money"}}

    def with_next(self, sentences: tuple[Span, ...]) -> Iterator[tuple[Span, Span]]:
        """Yield each sentence, and the stretch from it to the end of the next."""
        for number, sentence in enumerate(sentences):
            yield sentence, Span(sentence.start, sentences[min(number + 1, len(sentences) - 1)].end)

    @cached_property
    def regressions(self) -> tuple[Found, ...]:
        """Return what got worse, as the Result tells it."""
        from practice.rubric.outcome import find_regressions  # noqa: PLC0415 - the finder needs this class

        return tuple(find_regressions(self))


Detector = Callable[[View], Found]
