"""What one process sees of modes and cache with a tiny kernel of its own; run as a script by test_jit.py."""

import json
import sys
import time
from pathlib import Path

import numpy as np

from scheduler_core.kernels import jit


def wait_for_others(meeting: Path, n_processes: int) -> None:
    """Come back when `n_processes` processes have come this far, so that they compile at the same time."""
    (meeting / str(time.monotonic_ns())).touch()
    until = time.monotonic() + 60
    while len(list(meeting.iterdir())) < n_processes and time.monotonic() < until:
        time.sleep(0.01)


def main(meeting: Path, n_processes: int) -> None:
    """Compile, read inside and outside an array, and say what happened."""
    names: list[str] = []
    jit.listen(names.append)
    wait_for_others(meeting, n_processes)

    from tests.unit.kernels.planted_kernel import look

    larger = np.arange(10, dtype=np.int64)
    view = larger[1:4]  # reads outside it still lie in memory that is ours
    seen: dict[str, object] = {"mode": jit.MODE, "names": names, "inside": int(look(view, 2))}
    for name, at in (("behind", 6), ("before", -1)):
        try:
            seen[name] = int(look(view, at))
        except IndexError as error:
            seen[name] = str(error)
    seen["n_kernels"] = len(jit.KERNELS)
    seen["hits"] = sum(sum(kernel.stats.cache_hits.values()) for kernel in jit.KERNELS)
    seen["misses"] = sum(sum(kernel.stats.cache_misses.values()) for kernel in jit.KERNELS)
    if jit.MODE == "python":
        from scheduler_core.engine.loop import advance
        from scheduler_core.kernels.warm import warm_up

        seen["is_plain"] = type(advance).__name__ == "function"
        seen["n_warm"] = warm_up()
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
