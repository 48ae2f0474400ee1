"""`python -m benchmarks`: time the engine on the frozen cases and compare with budgets.toml.

Every line runs in a process of its own; its memory is what a run allocates at its peak. The table of the jobs and
the draws are made before the clock starts; the clock covers everything from the job table to the
outcome: sorting, laying out memory, the event loop, causes.
"""

import json
import subprocess
import sys
import time
import tomllib
import tracemalloc
from pathlib import Path
from typing import Any

import click
import numpy as np

from scheduler_core import registry, workload
from scheduler_core.engine.run import run
from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.scenario import Scenario, apply, load

FOLDER = Path(__file__).parent
BUDGETS: list[dict[str, Any]] = tomllib.loads((FOLDER / "budgets.toml").read_text())["line"]


def lines() -> list[dict[str, Any]]:
    """Return the lines of budgets.toml, then one for each order found that none of them names (without a budget)."""
    case = load(FOLDER / "cases" / "bench-095.yaml")
    orders = (line.get("set", {}).get("policy.order") for line in BUDGETS)
    named = {apply(case, {"policy.order": order} if order else {}).policy.order.slug for order in orders}
    return BUDGETS + [
        {
            "name": f"best-effort {slug}, counted, load 0.95",
            "case": "bench-095",
            "set": {"policy.order": slug, "policy.discipline": "best_effort"},
            "jobs": 600_000,
            "design_jobs_per_s": 1_000_000,
        }
        for slug in registry.find("policies")
        if slug not in named
    ]


def measure(line: dict[str, Any], runs: int) -> dict[str, float]:
    """Run one line and return its figures.

    Parameters
    ----------
    line : dict
        `case`, `set` (changes to the case) and `jobs`, the first jobs to take.
    runs : int
        Timed runs after one that is not timed; the median counts.

    Returns
    -------
    dict
        `jobs_per_s`, `spread_share` (half the range of the runs over the median), `bytes_per_job` above
        the job table (peak), `mean_waiting` jobs, `jobs`.
    """
    scenario = apply(load(FOLDER / "cases" / f"{line['case']}.yaml"), line.get("set", {}))
    table = workload.build(scenario)
    n_jobs = min(table.n_jobs, line.get("jobs", table.n_jobs))
    jobs = Jobs._make(column[:n_jobs].copy() for column in table.jobs)
    offered = None if table.offered is None else table.offered[:n_jobs]
    table = JobTable(jobs, table.tenants, table.classes, table.type_sets, offered=offered)
    first = Jobs._make(column[:1_000].copy() for column in jobs)
    small = JobTable(first, table.tenants, table.classes, table.type_sets)
    run(scenario, small)
    times = [_run_s(scenario, table) for _ in range(runs)]
    tracemalloc.start()  # the peak of the process would be that of drawing the jobs
    outcome = run(scenario, table)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    started = np.where(outcome.start_ms < 0, outcome.end_ms, outcome.start_ms)
    waited = np.maximum(started - jobs.submit_ms, 0).sum()
    middle = float(np.median(times))
    return {
        "jobs": n_jobs,
        "jobs_per_s": n_jobs / middle,
        "spread_share": (max(times) - min(times)) / 2 / middle,
        "bytes_per_job": peak_bytes / n_jobs,
        "mean_waiting": float(waited) / max(1, int(jobs.submit_ms[-1])),
    }


def _run_s(scenario: Scenario, table: JobTable) -> float:
    """Run once; return its processor time in s."""
    began = time.process_time()
    run(scenario, table)
    return time.process_time() - began


def measure_apart(number: int, runs: int) -> dict[str, float]:
    """Measure line `number` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks", "--line", str(number), "--runs", str(runs)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(answer.stdout)
    return figures


@click.command()
@click.option("--line", type=int, help="Measure this line alone and print its figures as JSON.")
@click.option("--runs", default=5, show_default=True, help="Timed runs of each line.")
@click.option("--only", default="", help="Only lines whose name contains this text.")
def main(line: int | None, runs: int, only: str) -> None:
    """Time the engine on the frozen bench cases."""
    if line is not None:
        click.echo(json.dumps(measure(lines()[line], runs)))
        return
    click.echo("| line | jobs | jobs/s (median) | spread | design | bytes/job | mean waiting |")
    click.echo("|---|---:|---:|---:|---:|---:|---:|")
    missed = []
    for number, entry in enumerate(lines()):
        if only not in entry["name"]:
            continue
        seen = measure_apart(number, runs)
        click.echo(
            f"| {entry['name']} | {seen['jobs']:,.0f} | {seen['jobs_per_s']:,.0f} | "
            f"{seen['spread_share']:.0%} | {entry.get('design_jobs_per_s', '-'):} | {seen['bytes_per_job']:,.0f} | "
            f"{seen['mean_waiting']:,.0f} |"
        )
        if seen["jobs_per_s"] < entry.get("jobs_per_s", 0) * (1 - entry.get("margin_share", 0)):
            missed.append(entry["name"])
    if missed:
        raise click.ClickException(f"slower than budgets.toml allows: {', '.join(missed)}")


if __name__ == "__main__":
    main()
