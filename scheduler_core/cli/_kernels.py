"""The first run compiles the kernels, which takes up to a minute: say so."""

import time

from scheduler_core.cli._progress import note


def load_kernels() -> None:
    """Load the engine; if its kernels are not in the cache, say that they are compiled now, once."""
    from scheduler_core.kernels import jit  # noqa: PLC0415  (loads numba)

    if jit.is_warm():
        return
    began = time.monotonic()
    note("Compiling the simulator for this computer; this happens once and takes under a minute.")
    from scheduler_core import api  # noqa: F401, PLC0415  (importing compiles)

    note(f"Compiled in {time.monotonic() - began:.0f} s.")
