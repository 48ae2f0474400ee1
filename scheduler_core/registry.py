"""Find policies, placements, trace formats and metrics at run time.

Each lies in a file of its own and is found by looking into its package, so that adding one is adding a file, and so
that the scenario document can check a name without importing the layers above it.
"""

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Protocol, runtime_checkable

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase, Wording

EXPORTS = {"policies": "POLICY", "placements": "PLACEMENT", "traces": "FORMAT", "metrics": "METRICS"}
"""Package name -> the constant that each of its modules exports."""

ROOT = "scheduler_core"
_LARGEST = 1e15
ParamValue = int | float | str | None


@runtime_checkable
class Named(Protocol):
    """What can be found: it knows the word by which documents call it."""

    @property
    def slug(self) -> str:
        """The word by which documents call it."""


@dataclass(frozen=True, eq=False)
class Param:
    """One parameter of a policy, placement or discipline, as the document and the widgets need it.

    Attributes
    ----------
    slug : str
        Its key in the document.
    default : int, float, str or None
        Value when the document does not state it.
    options : tuple of str
        The allowed words; empty for a number.
    low, high, step : float
        Range (both ends allowed) and the step of a widget; for numbers.
    is_whole : bool
        Whether only whole numbers are allowed.
    unit : str
        Unit for people; empty for a plain number or word.
    none_means : str
        What null means; empty where null is not allowed.
    text : mapping
        One line of explanation by language.
    is_silent : bool
        Whether the default is left out of hashes: true for a setting that came after its word, so that the
        hashes of documents written before stay as they are.
    """

    slug: str
    default: ParamValue
    options: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    step: float = 1
    is_whole: bool = False
    unit: str = ""
    none_means: Wording = ""
    text: Mapping[str, str] = field(default_factory=dict)
    is_silent: bool = False

    @property
    def allowed(self) -> Phrase:
        """What may be written; completes "it must be ..."."""
        if self.options:
            words = Phrase("one of {names}", names=", ".join(self.options))
        else:
            words = Phrase("a whole number") if self.is_whole else Phrase("a number")
            if math.isfinite(self.low + self.high):
                words = Phrase("{noun} from {low:,.10g} to {high:,.10g}", noun=words, low=self.low, high=self.high)
        return Phrase("{words}, or null ({none})", words=words, none=self.none_means) if self.none_means else words

    def read(self, value: object, path: str) -> ParamValue:
        """Return `value` as the engine needs it.

        Parameters
        ----------
        value : object
            What the document says; ``true`` and ``false`` count as words.
        path : str
            Where it stands, for the refusal.

        Returns
        -------
        int, float, str or None
            The checked value.

        Raises
        ------
        InputError
            If it is not allowed.
        """
        if value is None and self.none_means:
            return None
        if self.options:
            chosen = str(value).lower() if isinstance(value, bool) else value
            if isinstance(chosen, str) and chosen in self.options:
                return chosen
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and self._is_inside(value):
            return int(value) if self.is_whole else float(value)
        raise InputError(path, value, self.allowed)

    def _is_inside(self, value: float) -> bool:
        if not self.low <= value <= self.high or abs(value) > _LARGEST:
            return False
        return not self.is_whole or value == int(value)


ANY_TEXT = Phrase("text")


@dataclass(frozen=True, eq=False)
class TextParam(Param):
    """A parameter whose value is text.

    Attributes
    ----------
    says : str
        What may be written; completes "it must be ...".
    fault_of : callable, optional
        What is wrong with a text, in a few words; nothing if it is fine.
    """

    says: Phrase = ANY_TEXT
    fault_of: Callable[[str], Wording] | None = None

    @property
    def allowed(self) -> Phrase:
        """What may be written; completes "it must be ..."."""
        return self.says

    def read(self, value: object, path: str) -> ParamValue:
        """Return `value` if it is an allowed text; see `Param.read`."""
        if not isinstance(value, str):
            raise InputError(path, value, self.allowed)
        problem = self.fault_of(value) if self.fault_of is not None else ""
        if problem:
            raise InputError(path, value, Phrase("{allowed}; {problem}", allowed=self.allowed, problem=problem))
        return value


def modules(kind: str) -> Iterator[ModuleType]:
    """Yield the public modules of the package `kind`, by name; none if the package is not there."""
    try:
        package = importlib.import_module(f"{ROOT}.{kind}")
    except ModuleNotFoundError as error:
        if error.name == f"{ROOT}.{kind}":
            return
        raise
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{ROOT}.{kind}.{info.name}")


@cache
def find(kind: str) -> Mapping[str, Named]:
    """Return what the package `kind` offers.

    Parameters
    ----------
    kind : str
        ``policies``, ``placements``, ``traces`` or ``metrics``.

    Returns
    -------
    mapping of str to object
        Slug -> the object each module exports, in the order of the modules' names.

    Raises
    ------
    InputError
        If there is no such kind, or two files claim one slug.
    """
    if kind not in EXPORTS:
        raise InputError("kind", kind, Phrase("one of {names}", names=", ".join(EXPORTS)))
    found: dict[str, Named] = {}
    for module in modules(kind):
        exported = getattr(module, EXPORTS[kind], ())
        for item in exported if isinstance(exported, tuple) else (exported,):
            if item.slug in found:
                raise InputError(
                    Phrase("slug in {name}", name=module.__name__), item.slug, Phrase("a word no other file uses")
                )
            found[item.slug] = item
    return found
