"""Compile every kernel once, during set-up: `python -m scheduler_core.kernels.warm`."""

import importlib
import sys
import time
from collections.abc import Callable

from scheduler_core import registry
from scheduler_core.kernels import jit

ENTRIES = ("scheduler_core.engine.run", "scheduler_core.kernels.ranks")


def warm_up(report: Callable[[str], None] | None = None) -> int:
    """Make every kernel ready, compiling what is not in the cache.

    Parameters
    ----------
    report : callable, optional
        Called with the name of each kernel that is made ready.

    Returns
    -------
    int
        Kernels that Python can call.
    """
    if report is not None:
        jit.listen(report)
    for name in ENTRIES:
        importlib.import_module(name)
    for kind in ("policies", "placements"):
        registry.find(kind)
    return len(jit.KERNELS)


def main() -> None:
    """Warm up, with a line of progress on stderr."""
    began = time.monotonic()
    made: list[str] = []
    if jit.is_warm():
        n_kernels = warm_up()
        sys.stderr.write(f"The simulator is compiled ({n_kernels} kernels in the cache).\n")
        return

    def show(name: str) -> None:
        made.append(name)
        sys.stderr.write(f"\rCompiling the simulator, once: {len(made)} parts, {time.monotonic() - began:.0f} s   ")
        sys.stderr.flush()

    warm_up(show)
    sys.stderr.write("\n")


if __name__ == "__main__":
    main()
