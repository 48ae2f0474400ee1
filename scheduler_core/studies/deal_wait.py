"""The promise of a dedicated cluster, run: the 99 % wait at the peak by formula, and as the simulator finds it.

Requests come at random (Poisson) and take one GPU each; what the formula assumes of their length (exponential) is run
as the check, and requests of equal length beside it. The run lasts as many requests, in hours where the deal has
seconds: a change of unit changes no wait but its unit.
"""

from dataclasses import dataclass

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SECONDS_PER_DAY
from scheduler_core.economics.isolation_cost import PROMISE
from scheduler_core.economics.queueing import require_stable, wait_quantile
from scheduler_core.scenario import Scenario, apply, load_case
from scheduler_core.studies._estimate import Estimate
from scheduler_core.studies.replicate import Progress, Simulate, replicate

CASE = "one-pool-poisson@1"
JOBS = 300_000.0
SEEDS = 5
WARMUP_SHARE = 0.1
_MS_PER_HOUR = 3_600_000
_HOURS_PER_DAY = 24


@dataclass(frozen=True)
class DealWait:
    """The 99 % wait of a deal at its peak, in s.

    Attributes
    ----------
    formula_s : float
        One pool, Poisson, exponential.
    run_s : Estimate
        The same by simulation.
    equal_s : Estimate
        By simulation with requests of equal length.
    limit_s : float
        What was promised.
    """

    formula_s: float
    run_s: Estimate
    equal_s: Estimate
    limit_s: float

    @property
    def is_confirmed(self) -> bool:
        """Whether the formula lies in the interval of the runs, widened by the grain of a quantile (2 %)."""
        low, high = self.run_s.low, self.run_s.high
        return low is not None and high is not None and 0.98 * low <= self.formula_s <= 1.02 * high


def confirm_deal(asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None) -> DealWait:
    """Return the 99 % wait of the deal at its peak, by formula and by simulation.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication.

    Raises
    ------
    InfeasibleError
        If the line grows for ever.
    """
    gpus, service_s = int(asked.number("dedicated_gpus")), asked.number("request_gpu_s")
    load = asked.number("requests_per_day") * service_s * asked.number("peak_factor") / SECONDS_PER_DAY
    require_stable(gpus, load)

    def half(first: float) -> Progress | None:
        return None if progress is None else lambda share: progress(first + share / 2)

    found = [
        replicate(_queue(gpus, load, duration), SEEDS, progress=half(at / 2), simulate=simulate, scopes=("all",))
        for at, duration in enumerate(("{exponential: {mean: 1h}}", "{fixed: 1h}"))
    ]
    run, equal = (_scaled(each.estimate("wait_p99"), service_s / _MS_PER_HOUR) for each in found)
    return DealWait(wait_quantile(gpus, load, service_s, PROMISE), run, equal, asked.number("wait_limit_s"))


def _queue(gpus: int, load: float, duration: str) -> Scenario:
    per_day = load * _HOURS_PER_DAY
    days = JOBS / per_day
    settings = {
        "cluster.pools.node.gpus_per_node": str(gpus),
        "workload.classes.job.per_day": f"{per_day:.12g}",
        "workload.classes.job.duration": duration,
        "run.days": f"{days:.12g}",
        "run.warmup_days": f"{WARMUP_SHARE * days:.12g}",
    }
    return apply(load_case(CASE), settings)


def _scaled(found: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit."""
    parts = {name: getattr(found, name) for name in ("mean", "low", "high", "median")}
    return Estimate(
        **{name: None if value is None else value * factor for name, value in parts.items()},
        n=found.n, is_lower_bound=found.is_lower_bound,
    )  # fmt: skip
