"""Another process, on another CPU: it compiles nothing, and its answer has the same bytes."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scheduler_core import load, simulate
from scheduler_core.kernels import jit
from scheduler_core.kernels.warm import warm_up
from scheduler_core.result import Result

ROOT = Path(__file__).parents[3]

DOCUMENT = """
headroom: 1
name: a line, two fences, gangs of several nodes
cluster:
  pools:
    - {name: p, gpu: A100, zones: {x: 3, y: 1}}
    - {name: q, gpu: H100, zones: {x: 1}, gpus_per_node: 4}
    - {name: own, gpu: A100, zones: {y: 2}}
tenants: [{name: t}, {name: u, pool: own}]
workload:
  arrivals: {process: bursty, day: office}
  classes:
    - {name: small, tenant: t, per_day: 150, gpus: {1: 0.6, 4: 0.4}, limit: {over_ask: realistic},
       duration: {lognormal: {median: 20min, mean: 1h, max: 24h}}}
    - {name: large, tenant: t, per_day: 20, gpus: {12: 0.5, 20: 0.5}, gpu_types: [A100], limit: {factor: 1.5},
       duration: {exponential: {mean: 1h}}}
    - {name: other, tenant: u, per_day: 80, gpus: {2: 0.5, 8: 0.5}, limit: {fixed: 2h},
       duration: {exponential: {mean: 1h}}}
policy: {order: {shortest: {by: limit}}, discipline: easy, placement: best_fit, kill_at_limit: true}
run: {days: 1.5, seed: 11}
"""

RECORDED = "67f691d178b4a8492e34b9b61edfe4147eb80f7856e5974be4596313cf3197d8"
"""SHA-256 of the outcome in every mode; it changes only with the rules of docs/model.md or the generator's draws."""


def question() -> Result:
    """Run the scenario with its placements."""
    return simulate(load(DOCUMENT), record_placements=True)


def digest(result: Result) -> str:
    """Hash every column of an outcome, in a fixed byte order."""
    out = result.outcome
    placements = out.placements
    assert placements is not None
    columns: list[NDArray[np.integer]] = [out.start_ms, out.finish_ms, out.state, out.cause_ms, out.order_behind_ms]
    columns += [placements.row, placements.node, placements.gpus, np.array([out.end_ms, out.events])]
    return hashlib.sha256(b"".join(c.astype(c.dtype.newbyteorder("<")).tobytes() for c in columns)).hexdigest()


def optional_features() -> list[str]:
    """Return the optional CPU features that numpy uses here; only those can be switched off."""
    return list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


def report() -> dict[str, Any]:
    """Return what this process says about its kernels and its answer; runs in the second process."""
    is_warm = jit.is_warm()
    n_ready = warm_up()
    answer = digest(question())
    return {
        "features": optional_features(),
        "digest": answer,
        "is_warm": is_warm,
        "n_ready": n_ready,
        "kernels": {
            f"{kernel.__module__}.{kernel.__name__}": [
                len(kernel.signatures),
                sum(kernel.stats.cache_hits.values()),
                sum(kernel.stats.cache_misses.values()),
            ]
            for kernel in jit.KERNELS
        },
        "n_steps_waiting": len(jit._waiting_steps),
        "n_steps_compiled": sum(bool(compiled.signatures) for compiled, _ in jit._waiting_steps),
    }


@pytest.fixture(scope="module")
def second() -> dict[str, Any]:
    """Report of a process that starts after this one has made all kernels, with as plain a CPU as can be had."""
    warm_up()
    code = "import json, sys; from tests.unit.engine.test_second_process import report; json.dump(report(), sys.stdout)"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(optional_features())},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert run.returncode == 0, run.stderr
    said: dict[str, Any] = json.loads(run.stdout)
    return said


def test_the_answer_is_the_recorded_one() -> None:
    result = question()
    assert digest(result) == RECORDED
    # What makes it worth recording: waits of several causes, gangs over nodes, kills, a line at the end.
    causes = result.outcome.cause_ms.sum(axis=0)
    assert (causes > 0).sum() >= 4
    assert set(result.outcome.state.tolist()) >= {0, 1, 2, 3}


def test_switching_off_cpu_features_changes_no_byte(second: dict[str, Any]) -> None:
    if not optional_features():
        pytest.skip("numpy uses no optional CPU feature on this machine")
    assert second["features"] == []
    assert second["digest"] == RECORDED


def test_a_second_process_finds_every_kernel_in_the_cache_and_compiles_nothing(second: dict[str, Any]) -> None:
    assert second["is_warm"]
    assert second["n_ready"] == len(second["kernels"])
    assert second["n_steps_compiled"] == 0
    if jit.MODE == "python":
        assert second["kernels"] == {}
        return
    some = (
        "engine.loop.advance",
        "engine.loop.advance_plain",
        "kernels.ranks.rank_all",
        "kernels.levels.can_place",
        "policies.shortest.rank",
    )
    assert {f"scheduler_core.{name}" for name in some} <= set(second["kernels"])
    assert set(map(tuple, second["kernels"].values())) == {(1, 1, 0)}  # one signature, found, nothing missed
    assert second["n_steps_waiting"] > 50
