"""A session as an attempt keeps it: what was typed lies in the attempt's sections, everything else in its progress."""

from typing import Any, Final

from pydantic import ValidationError

from practice.history import Attempt
from practice.player.errors import PlayerError
from practice.player.session import Session

_REPLY: Final = "reply."
_WHY: Final = "why."


def reply_section(question: str) -> str:
    """Return the name of the section that holds the reply to a question."""
    return f"{_REPLY}{question}"


def why_section(depth: int) -> str:
    """Return the name of the section that holds the reply to a why, from 0."""
    return f"{_WHY}{depth}"


def session_of(attempt: Attempt) -> Session:
    """Return the session of an attempt.

    Raises
    ------
    PlayerError
        If the attempt holds none that this program reads.
    """
    told = attempt.texts()
    try:
        session = Session.model_validate(attempt.progress.get("session"))
    except ValidationError as error:
        raise PlayerError("link", attempt.id[:12], "an attempt of this program") from error
    spoken: dict[str, Any] = {
        "answer": {name: text for name, text in told.items() if len(name) == 1},
        "replies": {name.removeprefix(_REPLY): text for name, text in told.items() if name.startswith(_REPLY)},
        "whys": tuple(told[name] for name in sorted(told) if name.startswith(_WHY)),
    }
    return session.model_copy(update=spoken)
