"""Back-offs of gangs that gave up: whole ms from 0 to 30 s, the same whatever else happens (docs/model.md, 17.6)."""

from dataclasses import replace

import numpy as np

from scheduler_core.kernels.state import N_BACKOFFS
from scheduler_core.kernels.tables import Jobs
from scheduler_core.scenario import load
from scheduler_core.workload.draws import MOST_BACKOFF_MS, backoff_draws
from tests.builders import job, table
from tests.oracle.asked import asked, job_class

JOBS = [job(at, 1, 2, job_class="x" if at % 2 else "y") for at in range(400)]
TABLE = table(load(asked(JOBS, classes=[job_class("x"), job_class("y")])))


def test_each_job_has_several_between_0_and_30_s() -> None:
    drawn = backoff_draws(TABLE)
    assert drawn.shape == (400, N_BACKOFFS)
    assert 0 <= drawn.min() < 100
    assert 29_900 < drawn.max() <= MOST_BACKOFF_MS
    assert 14_500 < drawn.mean() < 15_500  # 15 s +- 3 standard errors of 8.66 s / sqrt(3,200)
    assert len(np.unique(drawn[:, 0])) > 390


def test_jobs_of_another_class_change_nothing() -> None:
    x = TABLE.jobs.job_class == TABLE.classes.index("x")
    alone = replace(TABLE, jobs=Jobs(*(column[x] for column in TABLE.jobs)), ids=None)
    assert backoff_draws(alone).tolist() == backoff_draws(TABLE)[x].tolist()
