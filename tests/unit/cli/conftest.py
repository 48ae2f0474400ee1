"""A small scenario in a file, and the command line called in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from scheduler_core import cli

SMALL = """\
headroom: 1
name: Three jobs on one node
cluster: {pools: [{name: node, gpu: A100, zones: {a: 1}, gpus_per_node: 8}]}
tenants: [{name: lab}, {name: ops}]
workload:
  arrivals:
    jobs:
      - {id: first, tenant: lab, submit: 0s, duration: 60s, gpus: 8}
      - {id: "=cmd()", tenant: ops, submit: 10s, duration: 30s, gpus: 4}
      - {id: third, tenant: ops, submit: 20s, duration: 90500ms, gpus: 4}
  classes: []
policy: {order: fifo, discipline: strict, placement: best_fit}
run: {days: 1}
targets:
  - {metric: wait_mean, of: ops, at_most: 1min}
  - {metric: utilisation, at_least: 0.5}
"""

SWF = """\
; MaxProcs: 8
1 0 30 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1
2 10 90 50 8 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1
3 20 0 10 1 -1 -1 1 200 -1 1 2 1 -1 1 -1 -1 -1
"""


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def refusal(self) -> str:
        """The one line of a command that refused its input."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        return self.err.strip()


Command = Callable[..., Said]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call the command line with some words."""

    def call(*words: object) -> Said:
        status = cli.run([str(word) for word in words])
        found = capsys.readouterr()
        return Said(status, found.out, found.err)

    return call


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A scenario of three listed jobs."""
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def swf(tmp_path: Path) -> Path:
    """A log of three jobs."""
    path = tmp_path / "small.swf"
    path.write_text(SWF, encoding="utf-8")
    return path
