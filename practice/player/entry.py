"""Where to begin: from what somebody does today and what was said of the last interview."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from practice.player.modes import DATA, Words

_DATA: Mapping[str, Any] = DATA["entry"]
BACKGROUNDS: Mapping[str, Words] = {name: row["name"] for name, row in _DATA["background"].items()}
FEEDBACK: Mapping[str, Words] = {name: row["name"] for name, row in _DATA["feedback"].items()}


@dataclass(frozen=True)
class Advice:
    """What to begin with, and why: `fits` says whether these exercises are meant for somebody like this."""

    fits: Words
    why: Words
    mode: str
    persona: str
    exercise: str


def advise(background: str, feedback: str) -> Advice:
    """Return where somebody should begin.

    Parameters
    ----------
    background, feedback : str
        Keys of `BACKGROUNDS` and `FEEDBACK`.
    """
    who, said = _DATA["background"][background], _DATA["feedback"][feedback]
    return Advice(who["fits"], said["why"], who["mode"], said["persona"], said["exercise"])
