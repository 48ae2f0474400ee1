"""A name that has to be one of those that there are."""

from collections.abc import Iterable
from typing import Protocol

from scheduler_core import CoreError, InputError, Phrase


class Refusal(Protocol):
    """Makes the error for a name that is not one of those that there are."""

    def __call__(self, what: str, value: str, names: str, /) -> CoreError:
        """Return the error; `names` are those that there are."""


def _refuse(what: str, value: str, names: str, /) -> CoreError:
    return InputError(what, value, Phrase("one of {names}", names=names))


def known(what: str, name: str, among: Iterable[str], refusal: Refusal = _refuse) -> str:
    """Return `name` where it is one of `among`.

    Parameters
    ----------
    what : str
        What is named.
    name : str
        Its name.
    among : iterable of str
        Those that there are.
    refusal : callable
        Makes the error.

    Raises
    ------
    CoreError
        The refusal, where it is not.
    """
    names = tuple(among)
    if name not in names:
        raise refusal(what, name, ", ".join(names))
    return name
