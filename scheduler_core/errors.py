"""The errors of the library: what was wrong, its value, and what would be right.

Every error has a `code`, under which the pages find a text of their own, and a sentence that stands alone in a
terminal. Only the edge of the product (a page's frame, the command line) catches `CoreError`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core.phrases import Phrase, Wording

SHOWN_CHARACTERS = 60
"""A value is quoted in a sentence up to this length."""


def shorten(value: object) -> str:
    """Return `value` as Python writes it, cut to what fits into a sentence."""
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."


def _shown(value: object) -> str:
    return Phrase("'{words}'", words=value) if isinstance(value, Phrase) else shorten(value)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a scenario document.

    Attributes
    ----------
    path : str
        Where, as a person writes it: ``workload.classes.pretrain.per_day``; empty for the document as a whole.
    value : object
        What stands there.
    allowed : str
        What would be right; completes the sentence "it must be ...".
    problem : str
        A sentence of its own for what "must be" does not express; ``{path}`` and ``{value}`` may be left open in it.
    """

    path: str
    value: object
    allowed: Wording
    problem: Wording = ""

    @property
    def sentence(self) -> Phrase:
        """The fault in one sentence."""
        where = " ".join(self.path.splitlines()) or Phrase("the document")
        if self.problem:
            return self.problem.filled(path=where, value=_shown(self.value))
        return _must_be(where, self.value, self.allowed)


def _must_be(field: str, value: object, allowed: str) -> Phrase:
    return Phrase("{field} is {value}; it must be {allowed}.", field=field, value=_shown(value), allowed=allowed)


class CoreError(Exception):
    """Anything the library refuses or finds out; the text is one sentence a user can act on.

    Attributes
    ----------
    phrases : tuple of Phrase
        The same, ready to be said in another language; several where several things are wrong.
    """

    code = "core"

    def __init__(self, *phrases: Phrase) -> None:
        self.phrases = phrases
        super().__init__("\n".join(phrases))


class InputError(CoreError, ValueError):
    """A setting is outside what the model accepts.

    Attributes
    ----------
    field : str
        Name of the setting.
    value : object
        What was given.
    allowed : str
        What would be right.
    """

    code = "input"

    def __init__(self, field: str, value: object, allowed: Phrase) -> None:
        self.field, self.value, self.allowed = field, value, allowed
        super().__init__(_must_be(field, value, allowed))


class TraceError(CoreError):
    """A job log cannot be read as its format.

    Attributes
    ----------
    file : str
        Name of the file.
    line : int, optional
        Line in the file, counted from 1; None where the file as a whole is meant.
    problem : str
        What is wrong there.
    """

    code = "trace"

    def __init__(self, file: str, line: int | None, problem: Phrase) -> None:
        self.file, self.line, self.problem = file, line, problem
        where = file if line is None else Phrase("{file}, line {line}", file=file, line=line)
        super().__init__(Phrase("{where}: {problem}", where=where, problem=problem))


class LinkError(CoreError):
    """A link is damaged, hostile, too long, or from a later version.

    Attributes
    ----------
    problem : str
        What is wrong, in one sentence.
    nearest : object
        The valid `Scenario` closest to what the link seems to say; None only when a link was to be written.
    """

    code = "link"

    def __init__(self, problem: Phrase, nearest: object = None) -> None:
        self.problem, self.nearest = problem, nearest
        super().__init__(problem)


class ScenarioError(CoreError):
    """A scenario document is refused.

    Attributes
    ----------
    faults : tuple of Fault
        Everything that is wrong, in the order of the document.
    """

    code = "scenario"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(*(fault.sentence for fault in self.faults))


class InfeasibleError(CoreError):
    """A valid question has no answer; shown as a finding, not as a mistake."""

    code = "infeasible"


class KernelError(CoreError):
    """The engine contradicted itself: a bug of ours."""

    code = "kernel"
