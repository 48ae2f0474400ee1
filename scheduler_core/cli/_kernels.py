"""The first run compiles the kernels, which takes up to a minute: say so, and how far it is."""

import time

from scheduler_core.cli._progress import note

EVERY_S = 5.0


class Compiling:
    """Counts the parts as they are compiled; a line every five seconds at most."""

    def __init__(self) -> None:
        self.n_parts = 0
        self._began = self._said = time.monotonic()

    def __call__(self, _: str) -> None:
        """Take note of one more part."""
        self.n_parts += 1
        now = time.monotonic()
        if now - self._said >= EVERY_S:
            self._said = now
            note(f"Compiling the simulator: {self.n_parts} parts after {now - self._began:.0f} s")


def load_kernels() -> None:
    """Load the engine; if its kernels are not in the cache, say that they are compiled now, once."""
    from scheduler_core.kernels import jit, warm  # noqa: PLC0415  (loads numba)

    if jit.is_warm():
        return
    note("Compiling the simulator for this computer, which happens once and takes about a minute.")
    warm.warm_up(Compiling())
