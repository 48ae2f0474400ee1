"""What the player refuses."""

from scheduler_core import CoreError


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
        What would be right.
    """

    code = "player"

    def __init__(self, what: str, value: object, allowed: str) -> None:
        self.what, self.value, self.allowed = what, str(value)[:60], allowed
        super().__init__(f"{what} is {self.value!r}; it must be {allowed}.")


def known(what: str, value: str, allowed: "tuple[str, ...] | list[str]") -> str:
    """Return `value` where it is allowed.

    Raises
    ------
    PlayerError
        Where it is not.
    """
    if value not in allowed:
        raise PlayerError(what, value, f"one of {', '.join(allowed)}")
    return value
