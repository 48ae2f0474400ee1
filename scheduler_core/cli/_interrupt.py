"""Ctrl-C, remembered: an interrupt that a library swallows still ends the command.

Python raises ``KeyboardInterrupt`` wherever it happens to be. In numba's hand-over of functions that turns into a
``TypeError`` about a missing argument, in a destructor into nothing at all; the note taken here tells either from a
fault of ours.
"""

import signal
import threading
from types import FrameType
from typing import NoReturn

_seen = threading.Event()


def watch() -> None:
    """Take note of every Ctrl-C from now on; outside the main thread signals are not ours to watch."""
    _seen.clear()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _take_note)


def _take_note(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    _seen.set()
    raise KeyboardInterrupt


def interrupted() -> bool:
    """Return whether Ctrl-C was pressed since `watch`."""
    return _seen.is_set()
