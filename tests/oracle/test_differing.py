"""Records of published simulators that ours does not reproduce: which rules make the difference (docs/model.md, 12).

The files in differing/ come from the programs of published/ORIGIN.md, on the same inputs.
"""

from pathlib import Path
from typing import Any

import pytest

from scheduler_core.scenario import load
from tests.builders import job, pool
from tests.oracle import peer_las
from tests.oracle.asked import asked, checkpoint, job_class
from tests.oracle.pairs import engine
from tests.oracle.test_published import FOLDER, NODES, read_numbers

DIFFERING = Path(__file__).parent / "differing"
Times = list[tuple[int, int]]


def recorded(peer: str, trace: str) -> Times:
    """Return the recorded start and finish of every job, in s."""
    return [(row["start_time"], row["finish_time"]) for row in read_numbers(DIFFERING / peer / f"{trace}_output.csv")]


def differing(one: Times, other: Times) -> tuple[int, int]:
    """Return how many jobs differ, and the row of the one that differs first in time."""
    rows = [row for row in range(len(one)) if one[row] != other[row]]

    def begins(row: int) -> int:
        return min(min(pair) for pair in zip(one[row], other[row], strict=True) if pair[0] != pair[1])

    return len(rows), min(rows, key=begins)


# ---- least attained service ---------------------------------------------------------------------

LAS = [
    pytest.param("tiresias_las-time", "small1000", False, (232, 17), id="las-time-small1000"),
    pytest.param("tiresias_las-time", "ties300", False, (263, 21), id="las-time-ties300"),
    pytest.param("tiresias_2dlas", "small1000", True, (164, 15), id="2dlas-small1000"),
]


@pytest.mark.parametrize(("peer", "trace", "is_by_gpus", "first"), LAS)
def test_two_rules_of_tiresias_are_all_that_separates_its_queues_from_ours(
    peer: str, trace: str, *, is_by_gpus: bool, first: tuple[int, int]
) -> None:
    rows = read_numbers(FOLDER / f"{trace}_input.csv")
    gpus = 8 * NODES[trace]
    assert peer_las.play(rows, gpus, peer_las.Rules(is_by_gpus)) == recorded(peer, trace)
    without = peer_las.play(rows, gpus, peer_las.Rules(is_by_gpus, is_running_first=False, is_early=False))
    assert differing(recorded(peer, trace), without) == first
    jobs = [job(row["submit_time"], row["duration"], row["num_gpu"], job_class="keeps") for row in rows]
    queues = {"thresholds": "3250s, 7200s", "by": "gpu_time" if is_by_gpus else "time"}
    keeps = job_class("keeps", checkpoint=checkpoint(86_400, 0, 0))
    policy: dict[str, Any] = {"discipline": "best_effort", "order": {"las": queues}, "rounds": {"every": "1s"}}
    seen = engine(load(asked(jobs, pool(NODES[trace]), classes=[keeps], **policy)))
    ours = [(start // 1_000, finish // 1_000) for start, finish in zip(seen.start, seen.finish, strict=True)]
    assert ours == without


def test_early_looks_make_no_difference_where_service_is_time() -> None:
    rows = read_numbers(FOLDER / "small1000_input.csv")
    assert peer_las.play(rows, 64, peer_las.Rules(is_by_gpus=False, is_early=False)) == recorded(
        "tiresias_las-time", "small1000"
    )
