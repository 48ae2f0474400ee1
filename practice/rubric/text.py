"""An answer as the rules see it: normalised text with a way back to the original, sections, sentences, clauses.

Normalising is NFKC and lower case, one original character at a time, so that full-width and half-width text are equal
and every span found can be shown in the text the candidate wrote.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from practice.rubric.lexicon import LEXICON

SECTIONS = ("S", "T", "A", "R", "L")
"""Situation, Task, Action, Result, Learning, in the order of an answer."""

LONGEST_ANSWER = 20_000
"""Characters that are read; a spoken answer of five minutes has about 5,000."""

LONGEST_SENTENCE = 600
"""Characters after which a sentence without an end is cut, so that the time per answer stays linear in its length."""

_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,300}>|&(?:[a-z]{2,8}|#\d{1,6});")
_MIXED_GAP = re.compile(r"(?<=[\u4e00-\u9fff]) +(?=[a-z0-9$%])|(?<=[a-z0-9%]) +(?=[\u4e00-\u9fff])", re.IGNORECASE)
"""The space that many put between Chinese and what is not; it means nothing, so the rules never see it."""
_SENTENCE_END = re.compile("[" + LEXICON.marks["sentence_end"] + r"\n]+|(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)\.(?=\s|$)")
_CLAUSE_END = re.compile(r"(?<!\d),|,(?!\d)|[" + LEXICON.marks["dash"] + r"()]|\s-\s")
_PART_END = re.compile("[,;/\u3001]")
_HEAP, _HEAP_WITH_BARE = 12, 7
"""Parts of a sentence from which on short ones make a heap."""
_SHORT = 5
"""Characters of a short part in Chinese."""
_CHINESE = re.compile("[\u4e00-\u9fff]")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_PICTURE = re.compile("[\u2600-\u27bf\U0001f000-\U0001faff]")
_BLANKS, _UNSEEN = "\n\r\t", {"Cc", "Cf", "Cs"}
"""What a paste may bring that nobody sees: zero-width spaces, byte order marks, soft hyphens, control characters."""
_CHARACTER = {0x2019: "'", 0x2018: "'", 0x2212: "-", 0x2010: "-", 0x2011: "-", 0x201C: '"', 0x201D: '"', 0x0D: " "}


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of text: `start` to `end`, counted in characters, the end not included."""

    start: int
    end: int

    def begins_in(self, others: "Iterable[Span]") -> bool:
        """Say whether it begins inside one of the others."""
        return any(one.start <= self.start < one.end for one in others)


@dataclass(frozen=True)
class Section:
    """One section and the sentences in it that count (a repeated one, a stray paragraph and a heap of words do not)."""

    name: str
    sentences: tuple[Span, ...]


@dataclass(frozen=True)
class Document:
    """A normalised answer. All spans inside are of `text`; `original_span` leads back."""

    text: str
    original: str
    offsets: tuple[int, ...]
    sections: Mapping[str, Section]
    is_sectioned: bool
    is_truncated: bool

    def original_span(self, span: Span) -> Span:
        """Return the same stretch in the original text."""
        return Span(self.offsets[span.start], self.offsets[max(span.end - 1, span.start)] + 1)

    def sentences(self, names: str = "STARL") -> tuple[Span, ...]:
        """Return the sentences of these sections, in order; of the whole text where there are no sections."""
        if not self.is_sectioned:
            return self.sections["*"].sentences
        return tuple(one for name in names if name in self.sections for one in self.sections[name].sentences)

    def clauses(self, sentence: Span) -> Iterator[Span]:
        """Yield the parts of a sentence between its commas, dashes and brackets."""
        start = sentence.start
        for match in _CLAUSE_END.finditer(self.text, sentence.start, sentence.end):
            yield Span(start, match.start())
            start = match.end()
        yield Span(start, sentence.end)

    @cached_property
    def counted_text(self) -> str:
        """Return the text of all sentences that count."""
        return "\n".join(self.text[one.start : one.end] for one in self.sentences())


def ends_in(text: str, span: Span) -> bool:
    """Say whether a sentence ends inside a stretch of text."""
    return _SENTENCE_END.search(text, span.start, span.end) is not None


def is_heap(sentence: str) -> bool:
    """Say whether a sentence is a heap of words that the rules look for, without a statement ("but, worse, pilot, VP").

    So is what has many parts between its commas, nearly all of a word or two, and says a word such as "because" alone;
    or very many such parts.
    """
    parts = [part for one in _PART_END.split(sentence) if (part := one.strip())]
    if len(parts) < _HEAP_WITH_BARE:
        return False
    n_short = sum(len(one) <= _SHORT if _CHINESE.search(one) else len(one.split()) <= 2 for one in parts)
    is_short = n_short * 4 >= len(parts) * 3
    return is_short and (len(parts) >= _HEAP or any(LEXICON.family("bare").fullmatch(one) for one in parts))


def normalise(original: str) -> tuple[str, tuple[int, ...]]:
    """Return the normalised text and, for each of its characters, the index of its character in the original."""
    plain = _without_markup(original)
    characters: list[str] = []
    offsets: list[int] = []
    gaps = {index for gap in _MIXED_GAP.finditer(plain) for index in range(*gap.span())}
    for index, character in enumerate(plain):
        folded = "" if index in gaps else _folded(character)
        characters.append(folded)
        offsets += [index] * len(folded)
    return "".join(characters), tuple(offsets)


@lru_cache(8192)  # an answer has many characters, few of them different
def _folded(character: str) -> str:
    if character not in _BLANKS and unicodedata.category(character) in _UNSEEN:
        return ""
    if _PICTURE.match(character):
        return " "
    return _CHARACTER.get(ord(character)) or unicodedata.normalize("NFKC", character).lower()


def _without_markup(original: str) -> str:
    """Return the text with HTML tags, scripts and entities turned into as many spaces."""
    for opening, closing in (("<script", "</script>"), ("<style", "</style>")):
        at = original.lower().find(opening)
        while at >= 0:
            end = original.lower().find(closing, at)
            if end < 0:
                break
            original = original[:at] + " " * (end + len(closing) - at) + original[end + len(closing) :]
            at = original.lower().find(opening, at)
    return _TAG.sub(lambda match: " " * len(match[0]), original)


def document_of(answer: str | Mapping[str, str]) -> Document:
    """Read an answer.

    Parameters
    ----------
    answer : str or mapping of str to str
        One text, with or without headings, or the five boxes under the keys S, T, A, R and L. Boxes are joined to one
        text with headings first; spans refer to that text (`Document.original`).
    """
    if isinstance(answer, str):
        cut = answer[:LONGEST_ANSWER]
        return _document(cut, is_truncated=len(answer) > len(cut))
    boxes = [(name, answer.get(name, "").strip()) for name in SECTIONS]
    joined = "\n".join(f"{name}: {text}" for name, text in boxes if text)
    return _document(joined[:LONGEST_ANSWER], is_truncated=len(joined) > LONGEST_ANSWER)


def _document(original: str, *, is_truncated: bool) -> Document:
    text, offsets = normalise(original)
    sections = _sections(text, _headed_parts(text))
    is_sectioned = len(sections) >= 3
    if not is_sectioned:
        whole = tuple(_counted(text, [Span(0, len(text))]))
        sections = {"*": Section("*", whole)}
    return Document(text, original, offsets, sections, is_sectioned, is_truncated)


def _sections(text: str, parts: Mapping[str, list[Span]]) -> dict[str, Section]:
    """Return the sections in which something counts."""
    sections = {name: Section(name, tuple(_counted(text, spans))) for name, spans in parts.items()}
    return {name: one for name, one in sections.items() if one.sentences}


def _headed_parts(text: str) -> dict[str, list[Span]]:
    """Return where the text of each headed section lies; a heading that returns adds to its section."""
    parts: dict[str, list[Span]] = {}
    name, start = "", 0
    for match in _headings(text):
        if name:
            parts.setdefault(name, []).append(Span(start, match.start()))
        name, start = LEXICON.section_of(match), match.end()
    if name:
        parts.setdefault(name, []).append(Span(start, len(text)))
    return {name: spans for name, spans in parts.items() if any(text[one.start : one.end].strip() for one in spans)}


def _headings(text: str) -> list[re.Match[str]]:
    """Return the headings, in one style: among letters a word with a colon inside a line is none.

    "S: ... Result: nobody gained" goes on with the situation.
    """
    found = list(LEXICON.heading.finditer(text))
    styles = [LEXICON.is_letter(match) for match in found]
    is_lettered = sum(styles) * 2 >= len(styles)
    return [
        match
        for match, is_letter in zip(found, styles, strict=True)
        if is_letter == is_lettered or _begins_line(text, match.start())
    ]


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _counted(text: str, spans: list[Span]) -> Iterator[Span]:
    """Yield the sentences of a section that count: no repetition, no heap, no later paragraph about something else."""
    seen: set[str] = set()
    for span in spans:
        for number, paragraph in enumerate(_split(text, span, _PARAGRAPH)):
            if number and not LEXICON.has_terms(text[paragraph.start : paragraph.end], 2):
                continue
            for sentence in _split(text, paragraph, _SENTENCE_END):
                if is_heap(text[sentence.start : sentence.end]):
                    continue
                for piece in _pieces(text, sentence):
                    key = " ".join(text[piece.start : piece.end].split())
                    if key and key not in seen:
                        seen.add(key)
                        yield piece


def _split(text: str, span: Span, mark: re.Pattern[str]) -> Iterator[Span]:
    start = span.start
    for match in mark.finditer(text, span.start, span.end):
        if text[start : match.start()].strip():
            yield Span(start, match.start())
        start = match.end()
    if text[start : span.end].strip():
        yield Span(start, span.end)


def _pieces(text: str, sentence: Span) -> Iterator[Span]:
    """Yield the sentence, cut where it is longer than a person would speak."""
    start = sentence.start
    while sentence.end - start > LONGEST_SENTENCE:
        space = text.rfind(" ", start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE)
        end = space if space > 0 else start + LONGEST_SENTENCE
        yield Span(start, end)
        start = end
    yield Span(start, sentence.end)
