"""When jobs arrive: Poisson and bursty, flat or following the hour of the day and the day of the week.

An arrival process runs on a clock on which it has unit rate: gaps there are exponential with mean
1, rounded to 1e-9, and added up as integers. The profile is constant within each hour, so turning
that clock into time is exact, and the time is rounded to whole ms.

Profiles (semantics 31): `day: office` is 2.3 from 08:00 to 18:00 and 1/14 otherwise, mean 1;
`week: true` multiplies Monday to Sunday by .87 1.05 1.18 1.37 1.32 .64 .58, rescaled to mean 1
(source: Philly, October and November 2017). Time 0 is Monday 00:00.

Bursty: an arrival is with probability 0.15 a batch whose size is geometric (1, 2, ...) with mean
10, else one job; the rate of arrivals is divided by 0.85 + 0.15 x 10 = 2.35, so the mean number of
jobs a day stays. A batch may have one member.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.workload import exact
from scheduler_core.workload.streams import Stream, Streams

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

HOUR_MS = 3_600_000
DAY_HOURS = 24
WEEK_HOURS = 168

OFFICE_RATES = tuple(2.3 if 8 <= hour < 18 else 1 / 14 for hour in range(DAY_HOURS))
FLAT_RATES = (1.0,) * DAY_HOURS
WEEK_FACTORS = (0.87, 1.05, 1.18, 1.37, 1.32, 0.64, 0.58)

BATCH_SHARE = 0.15
BATCH_MEAN = 10
JOBS_PER_ARRIVAL = 2.35

_UNIT = 1_000_000_000


class Profile(NamedTuple):
    """A weekly pattern: `rate` in each of the 168 hours and the `total` before each, in hours."""

    rate: Float64
    total: Float64


@dataclass(frozen=True)
class Process:
    """How one class arrives.

    Attributes
    ----------
    per_day : float
        Mean number of jobs a day.
    is_bursty : bool
        Batches instead of single jobs.
    is_office, is_weekly : bool
        Follow the hour of the day, the day of the week.
    """

    per_day: float
    is_bursty: bool = False
    is_office: bool = False
    is_weekly: bool = False


@cache
def profile(is_office: bool, is_weekly: bool) -> Profile:
    """Return the rates of a week relative to their mean, and their running total."""
    day = OFFICE_RATES if is_office else FLAT_RATES
    scale = len(WEEK_FACTORS) / math.fsum(WEEK_FACTORS)  # sum() rounds differently from Python 3.12 on
    week = tuple(factor * scale for factor in WEEK_FACTORS) if is_weekly else (1.0,) * 7
    rate = np.array([hourly * daily for daily in week for hourly in day])
    total = np.zeros(WEEK_HOURS + 1)
    np.cumsum(rate, out=total[1:])
    return Profile(rate, total)


def expected_hours(process: Process, end_ms: int) -> float:
    """Return the mean number of jobs before `end_ms`, as hours at the mean rate."""
    rate, total = profile(process.is_office, process.is_weekly)
    weeks, in_week_ms = divmod(end_ms, WEEK_HOURS * HOUR_MS)
    hour, rest_ms = divmod(in_week_ms, HOUR_MS)
    return float(weeks * total[-1] + total[hour] + rate[hour] * (rest_ms / HOUR_MS))


def draw(streams: Streams, entity: str, process: Process, end_ms: int) -> Int64:
    """Draw the arrivals of one class before `end_ms`.

    Parameters
    ----------
    streams : Streams
        Purposes used: "gap", and for bursty "is_batch" and "batch_size".
    entity : str
        Whose arrivals, for example "class:pretrain".
    process : Process
        Rate, bursts and profile.
    end_ms : int
        End of the run in ms; later arrivals are dropped, also those exactly at the end.

    Returns
    -------
    int64, shape (n_jobs,)
        Submit times in ms, not decreasing; equal for the members of a batch.
    """
    if process.per_day == 0:
        return np.empty(0, np.int64)
    per_hour = process.per_day / DAY_HOURS
    if process.is_bursty:
        per_hour /= JOBS_PER_ARRIVAL
    expected = expected_hours(process, end_ms) * per_hour
    units = _unit_rate_times(streams.open("gap", entity), expected)
    times_ms = _to_ms(units / (_UNIT * per_hour), profile(process.is_office, process.is_weekly))
    times_ms = times_ms[: np.searchsorted(times_ms, end_ms, side="left")]
    if process.is_bursty:
        times_ms = np.repeat(times_ms, _batch_sizes(streams, entity, times_ms.shape[0]))
    return times_ms


def _unit_rate_times(gaps: Stream, expected: float) -> Float64:
    """Return times of a unit-rate process in 1e-9, surely past `expected`."""
    block = int(expected + 6 * math.sqrt(expected)) + 16
    last = 0
    blocks = []
    while last <= expected * _UNIT + _UNIT:
        steps = np.rint(-exact.log(gaps.uniform(block)) * _UNIT).astype(np.int64)
        blocks.append(last + np.cumsum(steps))
        last = int(blocks[-1][-1])
    return np.concatenate(blocks).astype(np.float64)


def _to_ms(hours: Float64, pattern: Profile) -> Int64:
    """Turn hours at the mean rate into ms since Monday 00:00."""
    rate, total = pattern
    weeks = np.floor(hours / total[-1])
    in_week = hours - weeks * total[-1]
    hour = np.clip(np.searchsorted(total, in_week, side="right") - 1, 0, WEEK_HOURS - 1)
    within = (in_week - total[hour]) / rate[hour]
    times_ms: Int64 = np.rint((weeks * WEEK_HOURS + hour + within) * HOUR_MS).astype(np.int64)
    return times_ms


def _batch_sizes(streams: Streams, entity: str, n: int) -> Int64:
    is_batch = streams.uniform("is_batch", entity, n) < BATCH_SHARE
    u = streams.uniform("batch_size", entity, n)
    # P(size > k) = (1 - 1/mean)^k; exact.log keeps the step at the same draw on every machine.
    size = 1 + np.floor(exact.log(u) / exact.log_of(1 - 1 / BATCH_MEAN)).astype(np.int64)
    return np.where(is_batch, size, 1)
