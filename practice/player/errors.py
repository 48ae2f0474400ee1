"""What the player refuses."""

from collections.abc import Iterable

from practice.exercises import known as known_name
from scheduler_core import CoreError, Phrase


class PlayerError(CoreError):
    """Something in a session or a link is not one of what it may be.

    Attributes
    ----------
    what : str
        ``exercise``, ``step``, ``decision``, ``choice``, ``mode``, ``persona``, ``prediction``, ``box``, ``link``
        and the like; key of the sentence that a reader sees.
    value : str
        What stood there, at most 60 characters.
    allowed : str
        What would be right, in English.
    parts : dict of str to str
        What a sentence in another language needs to say the same: ``names``, ``low``, ``high``, ``most``.
    """

    code = "player"

    def __init__(self, what: str, value: object, allowed: str, **parts: object) -> None:
        self.what, self.value, self.allowed = what, str(value)[:60], allowed
        self.parts = {name: str(part) for name, part in parts.items()}
        super().__init__(
            Phrase("{what} is {value!r}; it must be {allowed}.", what=what, value=self.value, allowed=allowed)
        )


def _not_there(what: str, value: str, names: str, /) -> PlayerError:
    return PlayerError(what, value, f"one of {names}", names=names)


def known(what: str, value: str, among: Iterable[str]) -> str:
    """Return `value` where it is one of `among`.

    Raises
    ------
    PlayerError
        Where it is not.
    """
    return known_name(what, value, among, _not_there)
