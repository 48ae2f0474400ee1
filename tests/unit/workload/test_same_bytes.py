"""The same scenario gives the same bytes whatever the CPU can do."""

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scheduler_core.scenario.document import load
from scheduler_core.workload import build

ROOT = Path(__file__).parents[3]

DOCUMENT = """
headroom: 1
name: every kind of draw
cluster: {pools: [{name: p, gpu: A100, zones: {z: 20}}]}
tenants: [{name: t}]
workload:
  arrivals: {process: bursty, day: office, week: true}
  classes:
    - {name: lognormal, tenant: t, per_day: 9000, gpus: {1: 0.9, 8: 0.1}, limit: {over_ask: realistic},
       duration: {lognormal: {median: 75s, mean: 180s, max: 24h}}, priority: {uniform: [0.1, 0.7]}}
    - {name: exponential, tenant: t, per_day: 3000, gpus: 2, limit: {factors: [1, 1.3]},
       duration: {exponential: {mean: 1h}}, priority: {choice: {0.2: 0.4, 0.8: 0.6}}}
    - {name: by-size, tenant: t, per_day: 3000, gpus: {1: 0.5, 128: 0.5}, limit: {factor: 1.7},
       duration: {by_gpus: {default: {uniform: {min: 1s, max: 1h}}, 128: {lognormal: {median: 1h, sigma: 2}}}}}
policy: {order: fifo, discipline: strict, placement: best_fit}
run: {days: 14, seed: 11}
"""

RECORDED = "2841581a65da72d23be2ba215961cf68352553925a14836f91d56fe6545c94f0"
"""SHA-256 of the columns; made on an x86-64 machine with AVX2. It changes only together with every generated result."""


def digest() -> str:
    """Hash all columns of the table, in a fixed byte order."""
    jobs = build(load(DOCUMENT), replication=1).jobs
    columns = [column.astype(column.dtype.newbyteorder("<")).tobytes() for column in jobs]
    return hashlib.sha256(b"".join(columns)).hexdigest()


def dispatched() -> list[str]:
    """Return the optional CPU features that numpy uses here; only those can be switched off."""
    return list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


def test_the_table_is_the_recorded_one() -> None:
    assert digest() == RECORDED


def test_switching_off_cpu_features_changes_no_byte() -> None:
    features = dispatched()
    if not features:
        pytest.skip("numpy uses no optional CPU feature on this machine")
    code = (
        "from tests.unit.workload.test_same_bytes import digest, dispatched\n"
        "assert dispatched() == []\n"
        "print(digest())\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(features)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == RECORDED


INEXACT = {
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "power", "pow", "float_power", "cbrt", "hypot"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan"),
    *("sum", "mean", "dot", "matmul", "einsum", "var", "std", "interp", "default_rng", "Generator"),
}
"""Functions of numpy and math whose last bit (or whose draw) depends on the machine or the release."""


@pytest.mark.parametrize(
    "path", sorted((ROOT / "scheduler_core" / "workload").glob("*.py")), ids=lambda path: path.name
)
def test_draws_use_exactly_rounded_operations_only(path: Path) -> None:
    # A machine on which numpy has nothing to switch off, or nothing that matters, cannot show a difference.
    calls = {
        f"line {node.lineno}: {node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id in {"np", "math", "random"} and node.attr in INEXACT
    }
    assert calls == set()
