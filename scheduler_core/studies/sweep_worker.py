"""A worker of a sweep: ``python -m scheduler_core.studies.sweep_worker``, started and fed by `sweep_workers`.

It reads tasks from its standard input and answers on its standard output, both pickled by our own parent process; it
ends when the input does, so a parent that dies leaves nobody behind. It loads the kernels from the cache: the parent
has loaded (or compiled) them before.
"""

import os
import pickle
import sys
from typing import BinaryIO

from scheduler_core.studies.sweep_run import Runner

SHARE_STEP = 0.05
"""A task reports its progress in steps of this."""


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints does not disturb the answers
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer the tasks of one stream on another.

    Parameters
    ----------
    tasks : binary file
        First the jobs of a log or None; then (number, scenario, replication, kinds) each.
    answers : binary file
        Gets ("share", number, share), ("done", number, summary) or ("failed", number, None).
    """
    runner = Runner(pickle.load(tasks))  # noqa: S301  from the parent process
    while True:
        try:
            number, scenario, replication, kinds = pickle.load(tasks)  # noqa: S301
        except EOFError:
            return
        told = [0.0]

        def progress(share: float, number: int = number, told: list[float] = told) -> bool:
            if share >= told[0] + SHARE_STEP:
                told[0] = share
                _send(answers, "share", number, share)
            return True

        try:
            summary = runner.summary(scenario, replication, kinds, progress)
        except Exception:  # noqa: BLE001  the parent runs it again and meets the error where it can be told
            _send(answers, "failed", number, None)
            continue
        _send(answers, "done", number, summary)


def _send(answers: BinaryIO, kind: str, number: int, content: object) -> None:
    pickle.dump((kind, number, content), answers)
    answers.flush()


if __name__ == "__main__":
    main()
