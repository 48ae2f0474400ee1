from dataclasses import replace

import numpy as np

from scheduler_core import simulate
from scheduler_core.kernels.tables import Jobs
from scheduler_core.scenario import Scenario
from scheduler_core.workload.draws import order_draws
from tests.builders import job, scenario, table
from tests.conformance.checks import random_table


def line(seed: int, n_jobs: int = 40) -> Scenario:
    """Return jobs of 8 GPUs that all come while the first one runs."""
    jobs = [job(0, 10, 8)] + [job(1, 10, 8) for _ in range(n_jobs)]
    return scenario(jobs, order="random", run={"days": 1, "drain": True, "seed": seed})


def test_jobs_start_in_the_order_of_their_draws() -> None:
    asked = line(3)
    start = simulate(asked).outcome.start_ms
    drawn = order_draws(table(asked))
    assert np.argsort(start[1:]).tolist() == np.argsort(drawn[1:]).tolist()
    assert start[1:].tolist() != sorted(start[1:].tolist())


def test_another_seed_is_another_order_and_the_same_seed_the_same() -> None:
    starts = [simulate(line(seed)).outcome.start_ms.tolist() for seed in (3, 3, 4)]
    assert starts[0] == starts[1] != starts[2]


def test_a_repetition_draws_anew() -> None:
    drawn = [simulate(line(3), replication=number).outcome.start_ms.tolist() for number in (0, 1)]
    assert drawn[0] != drawn[1]


def test_a_class_draws_the_same_whoever_else_is_there() -> None:
    together = random_table(0)
    x = together.jobs.job_class == 0
    only = Jobs._make(column[x] for column in together.jobs)
    assert order_draws(replace(together, jobs=only)).tolist() == order_draws(together)[x].tolist()
    assert len(set(order_draws(together).tolist())) == together.n_jobs
