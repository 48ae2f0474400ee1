"""The ten steps and the modes: what is shown when, read from `data/player.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Words = Mapping[str, str]
"""A text in both languages: `en` and `zh`."""

DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data" / "player.toml").read_text(encoding="utf-8"))
STEP_NAMES: Mapping[str, Words] = DATA["step"]
"""Step -> its name, in the order in which they are played."""

STEPS = tuple(STEP_NAMES)
TONES: Mapping[str, Mapping[str, Words]] = DATA["tone"]


@dataclass(frozen=True)
class Mode:
    """A way to play.

    Attributes
    ----------
    name, about : mapping
        Texts.
    hints : str
        ``writing`` (from the answer on), ``scored`` or ``never``.
    reveal : str
        Model answers ``always``, or once ``scored``.
    rewrites : bool
        Whether choices and answer stay open until the model answers are shown; else each closes with its step.
    minutes : tuple of int
        Clocks to choose from; none without.
    timed_from : str
        Step with which the clock starts.
    persona : str
        Whose weights are used; empty where the candidate chooses.
    tone : str
        How the interviewer speaks.
    steps : tuple of str
        Which steps are played.
    is_read_only : bool
        Whether nothing can be changed.
    is_loop : bool
        Whether it is the first of several rounds.
    """

    name: Words
    about: Words
    hints: str
    reveal: str
    rewrites: bool
    minutes: tuple[int, ...] = ()
    timed_from: str = ""
    persona: str = ""
    tone: str = "plain"
    steps: tuple[str, ...] = STEPS
    is_read_only: bool = False
    is_loop: bool = False

    def shows_hints(self, step: str) -> bool:
        """Return whether hints stand beside a step."""
        first = {"writing": "answer", "scored": "score"}.get(self.hints)
        return first is not None and STEPS.index(step) >= STEPS.index(first)

    def shows_models(self, reached: str) -> bool:
        """Return whether the model answers may be seen by who has reached a step."""
        return self.reveal == "always" or STEPS.index(reached) >= STEPS.index("score")


def _mode(row: Mapping[str, Any]) -> Mode:
    lists = {name: tuple(row[name]) for name in ("minutes", "steps") if name in row}
    return Mode(**{**row, **lists})


MODES: Mapping[str, Mode] = {name: _mode(row) for name, row in DATA["mode"].items()}
