"""Elastic demand: jobs that are offered at stated times, and that the run lets come or not (docs/model.md 10.9).

Purposes of the streams: those of `generated`, of the entity `elastic:<class>`. More work a day begins with the
same jobs.
"""

from dataclasses import replace

import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import ELASTIC, Int64, Jobs, JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.elastic import Elastic
from scheduler_core.scenario.workload import JobClass
from scheduler_core.workload.amount import draw_amount, in_order
from scheduler_core.workload.generated import draw_jobs
from scheduler_core.workload.names import TypeSet
from scheduler_core.workload.streams import Streams


def add(table: JobTable, scenario: Scenario, replication: int) -> JobTable:
    """Add the jobs of elastic demand to a table, at the times at which they are offered.

    Parameters
    ----------
    table : JobTable
        All other jobs, sorted by submit time.
    scenario : Scenario
        With or without `workload.elastic`.
    replication : int
        Which draw.

    Returns
    -------
    JobTable
        Sorted by submit time; offers come after all others of their instant.

    Raises
    ------
    InputError
        If its class is not there, it would be more jobs than a run may have, or a listed job has the name of one.
    """
    elastic = scenario.workload.elastic
    if elastic is None:
        return table
    known = {each.name: each for each in scenario.workload.classes}
    if elastic.job_class not in known:  # older files may name any
        raise InputError(
            "workload.elastic.class", elastic.job_class, Phrase("one of the classes ({names})", names=", ".join(known))
        )
    job_class = known[elastic.job_class]
    jobs = draw(elastic, job_class, Streams(scenario.run.seed, replication), scenario.run.days_ms)
    n_jobs, n_others = jobs.submit_ms.shape[0], table.n_jobs
    types, type_set = _with_types(table.type_sets, job_class.gpu_types)
    jobs = jobs._replace(
        tenant=np.full(n_jobs, table.tenants.index(job_class.tenant), np.int32),
        job_class=np.full(n_jobs, table.classes.index(job_class.name), np.int32),
        type_set=np.full(n_jobs, type_set, np.int32),
    )
    order = np.argsort(np.concatenate([table.jobs.submit_ms, jobs.submit_ms]), kind="stable")
    return replace(
        table,
        jobs=in_order([table.jobs, jobs], order),
        type_sets=types,
        ids=None if table.ids is None else _names(table.ids, n_jobs, order),
        offered=order >= n_others,
    )


def draw(elastic: Elastic, job_class: JobClass, streams: Streams, days_ms: int) -> Jobs:
    """Draw what is offered before `days_ms`; the submit time of a job is that of its offer."""
    an_offer = elastic.gpu_ms_an_offer
    n_offers = max(0, -(-days_ms // elastic.every) - 1)  # at every, 2 x every ... before the end

    def first(n_jobs: int) -> Jobs:
        return draw_jobs(job_class, np.zeros(n_jobs, np.int64), streams, f"elastic:{job_class.name}")

    jobs = draw_amount(first, n_offers * an_offer, "workload.elastic.up_to_gpu_h_per_day", elastic.up_to_gpu_h_per_day)
    work = jobs.gpus.astype(np.int64) * jobs.runtime_ms
    before = np.cumsum(work) - work
    is_in_time = before < n_offers * an_offer  # a job of no length may follow the one that reaches the amount
    submit_ms = elastic.every * (1 + before // an_offer)
    return in_order([jobs._replace(submit_ms=submit_ms)], np.flatnonzero(is_in_time))


def _with_types(sets: tuple[TypeSet, ...], accepted: TypeSet) -> tuple[tuple[TypeSet, ...], int]:
    """Return the type sets with one more, if it is new, and its number."""
    wanted = None if accepted is None else tuple(sorted(set(accepted)))
    found = sets if wanted in sets else (*sets, wanted)
    return found, found.index(wanted)


def _names(ids: tuple[str, ...], n_jobs: int, order: Int64) -> tuple[str, ...]:
    names = [f"{ELASTIC}-{at}" for at in range(n_jobs)]
    taken = set(ids) & set(names)
    if taken:
        wanted = Phrase("another name; jobs of elastic demand are called so")
        raise InputError("workload.arrivals: id", min(taken), wanted)
    both = [*ids, *names]
    return tuple(both[at] for at in order.tolist())
