"""How long users say their jobs will run.

`realistic` draws what archives show: the run time is a Beta(0.6, 1.4) share of the request (mean
0.3, density highest near 0), at most 100 times the run time is asked for, and people ask for round
lengths: 1, 4, 12, 24, 48 h or 7 d. Seven days is the most anybody asks for, except for jobs that
run longer, which ask for whole weeks; so no limit is below the run time.
Source: reference runs of HPC2N and MetaCentrum, median run / limit 0.45 and 0.045.
"""

from itertools import count

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import NO_LIMIT_MS
from scheduler_core.scenario.durations import LimitRule
from scheduler_core.workload import choices, exact
from scheduler_core.workload.streams import Streams

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

HOUR_MS = 3_600_000
ROUND_MS = tuple(hours * HOUR_MS for hours in (1, 4, 12, 24, 48, 168))
BETA = (0.6, 1.4)
MOST_TIMES_RUN = 100.0


def draw(rule: LimitRule | None, runtime_ms: Int64, streams: Streams, entity: str) -> Int64:
    """Return the limits of jobs.

    Parameters
    ----------
    rule : LimitRule, optional
        How the class states limits; None: not at all.
    runtime_ms : int64, shape (n_jobs,)
        True run times in ms.
    streams : Streams
        Purposes used: "limit_factor" by `factors`; "limit_x0", "limit_y0", "limit_x1" ... by `over_ask`.
    entity : str
        Whose limits, for example "class:pretrain".

    Returns
    -------
    int64, shape (n_jobs,)
        Planned lengths in ms, `NO_LIMIT_MS` without a limit.
    """
    if rule is None:
        return np.full_like(runtime_ms, NO_LIMIT_MS)
    if rule.fixed is not None:
        return np.full_like(runtime_ms, rule.fixed)
    if rule.factor is not None:
        return scaled(runtime_ms, np.array(rule.factor))
    if rule.factors is not None:
        u = streams.uniform("limit_factor", entity, runtime_ms.shape[0])
        return scaled(runtime_ms, np.array(rule.factors)[choices.between(u, 0, len(rule.factors) - 1)])
    if rule.over_ask is not None:
        return realistic(runtime_ms, streams, entity)
    return runtime_ms.copy()


def scaled(runtime_ms: Int64, factors: Float64) -> Int64:
    """Return run times multiplied by `factors` (one, or one a job), rounded to ms."""
    return np.rint(runtime_ms * factors).astype(np.int64)


def realistic(runtime_ms: Int64, streams: Streams, entity: str) -> Int64:
    """Return limits as people ask for them.

    Parameters
    ----------
    runtime_ms : int64, shape (n_jobs,)
        True run times in ms.
    streams : Streams
        Purposes used: "limit_x0", "limit_y0", "limit_x1" ...
    entity : str
        Whose limits, for example "class:pretrain".

    Returns
    -------
    int64, shape (n_jobs,)
        Limits in ms, one of `ROUND_MS` or whole weeks.
    """
    share = beta(streams, entity, runtime_ms.shape[0])
    asked = runtime_ms / np.maximum(share, 1.0 / MOST_TIMES_RUN)
    step = np.minimum(np.searchsorted(np.array(ROUND_MS), asked, side="left"), len(ROUND_MS) - 1)
    weeks = -(-runtime_ms // ROUND_MS[-1])
    return np.where(weeks > 1, weeks * ROUND_MS[-1], np.array(ROUND_MS, np.int64)[step])


def beta(streams: Streams, entity: str, n: int) -> Float64:
    """Draw `n` shares from Beta(0.6, 1.4), float64, shape (n,).

    Notes
    -----
    Joehnk's method (Devroye, "Non-uniform random variate generation", 1986, section IX.3.4): X = U^(1/a),
    Y = V^(1/b), kept when X + Y <= 1 (here 55 %), then X / (X + Y). Who is refused draws again in the next round,
    in order of index and from streams of that round, so a longer table begins with the shorter one.
    """
    share = np.empty(n)
    rows = np.arange(n)
    for attempt in count():
        if not rows.size:
            break
        x, y = (
            exact.exp(exact.log(streams.uniform(f"limit_{side}{attempt}", entity, rows.size)) / shape)
            for side, shape in zip("xy", BETA, strict=True)
        )
        total = x + y
        is_kept = total <= 1.0
        share[rows[is_kept]] = x[is_kept] / total[is_kept]
        rows = rows[~is_kept]
    return share
