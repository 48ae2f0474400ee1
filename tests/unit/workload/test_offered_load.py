"""What is drawn agrees with what the check of a scenario promises by formula. Tolerances are 4 standard errors."""

import math
from typing import Any

import numpy as np
import pytest

from scheduler_core.scenario.check import check, mean_duration_ms
from scheduler_core.scenario.document import load
from scheduler_core.scenario.durations import Duration
from scheduler_core.workload import build, durations
from scheduler_core.workload.streams import Streams

N = 400_000


@pytest.mark.parametrize(
    "rule",
    [
        {"fixed": "17min"},
        {"exponential": {"mean": "1h"}},
        {"uniform": {"min": "5min", "max": "3h"}},
        {"lognormal": {"median": "3h", "mean": "4h"}},
        {"lognormal": {"median": "20min", "mean": "1h", "max": "24h"}},
        {"lognormal": {"median": "20min", "sigma": 1, "min": "15min", "max": "1h"}},
    ],
)
def test_run_times_have_the_mean_of_the_formula(rule: dict[str, Any]) -> None:
    duration = Duration.model_validate(rule, context={"document": True})
    u = Streams(2).uniform("duration", "class:a", N)
    runtime_ms = durations.draw(duration, u, np.ones(N, np.int64))
    assert abs(runtime_ms.mean() - mean_duration_ms(duration)) <= 4 * runtime_ms.std() / math.sqrt(N)


@pytest.mark.parametrize("process", ["poisson", "bursty"])
def test_the_default_case_asks_for_what_its_check_says(process: str) -> None:
    # Whole weeks, so that `week: true` has its mean rate; fewer of the very many short jobs, to be quick.
    change = {"process": process, "week": True}
    overrides = {f"workload.arrivals.{name}": value for name, value in change.items()}
    overrides |= {"run.days": 56, "workload.classes.short.per_day": 2_000}
    scenario = load("fenced-research@1", overrides=overrides)
    table = build(scenario)
    promised, drawn = check(scenario), check(scenario, table)
    asked_gpu_ms = table.jobs.gpus * table.jobs.runtime_ms.astype(np.float64)
    for tenant, (right, found) in enumerate(zip(promised.tenants, drawn.tenants, strict=True)):
        own_gpu_ms = asked_gpu_ms[table.jobs.tenant == tenant]
        # The sum over a Poisson number of arrivals has the variance sum of (work of one arrival)^2. A batch of S jobs
        # adds (E[S^2] - E[S]) / E[S] = 11.5 times the squared mean work of a job.
        variance = (own_gpu_ms**2).sum()
        if process == "bursty":
            own_class = table.jobs.job_class[table.jobs.tenant == tenant]
            by_class = [own_gpu_ms[own_class == index] for index in set(own_class.tolist())]
            variance += sum(11.5 * work.size * work.mean() ** 2 for work in by_class)
        error_gpus = math.sqrt(variance) / (56 * 86_400_000)
        assert error_gpus < 0.05 * right.asked_gpus  # else the test would accept almost anything
        assert abs(found.asked_gpus - right.asked_gpus) < 4 * error_gpus
