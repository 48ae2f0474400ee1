"""What it costs that a cluster cannot be shared: the pooling premium, and what it does to the others.

Both arms are sized for the same promise (a quantile of the wait): the cluster of one's own for its own peak, the shared
pool for the peak with and without the customer. The pool's next GPU is never free: serving the customer there takes
the difference of two pools. Source: Kleinrock, "Queueing Systems", economies of scale of M/M/k.
"""

from dataclasses import dataclass

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import DAYS_PER_YEAR, HOURS_PER_DAY, SECONDS_PER_DAY, terms_of
from scheduler_core.economics.queueing import share_above, wait_quantile
from scheduler_core.economics.sizing import servers_for_limit

PROMISE = 0.99
"""Share of requests whose wait the promise bounds."""
FRAGILE_LOAD = 0.95
"""Above this load of a pool small errors in the input move the wait a lot."""


@dataclass(frozen=True)
class Isolation:
    """GPUs for the same promise, apart and together.

    Attributes
    ----------
    own_load, shared_load : float
        Offered work at the peak of the customer and of the others, in Erlangs (GPUs busy if nobody waited).
    own_gpus : int
        For the customer alone.
    shared_gpus, together_gpus : int
        For the others, and for all of them in one pool.
    usd_per_gpu_h : float
        Price of a GPU hour.
    own_p99_s : float, optional
        The customer's 99 % wait in s with the GPUs of the deal; None where the wait has no bound.
    late_share : float, optional
        Share of its requests that waits longer than promised.
    others_p99_s : float, optional
        99 % wait of the others in s if the GPUs of the deal are taken out of the common pool.
    """

    own_load: float
    shared_load: float
    own_gpus: int
    shared_gpus: int
    together_gpus: int
    usd_per_gpu_h: float
    own_p99_s: float | None
    late_share: float | None
    others_p99_s: float | None

    @property
    def shared_marginal_gpus(self) -> int:
        """GPUs that the customer takes in the common pool."""
        return self.together_gpus - self.shared_gpus

    @property
    def premium_gpus(self) -> int:
        """GPUs more because it stands apart."""
        return self.own_gpus - self.shared_marginal_gpus

    @property
    def premium_share(self) -> float:
        """The same as a share of what it takes in the pool."""
        return self.premium_gpus / self.shared_marginal_gpus if self.shared_marginal_gpus else 0.0

    @property
    def premium_usd_per_day(self) -> float:
        """The same in USD a day."""
        return self.premium_gpus * self.usd_per_gpu_h * HOURS_PER_DAY


def isolation_premium(asked: Assumptions) -> Isolation:
    """Return what standing apart costs under the assumptions, at the volume they name.

    Examples
    --------
    >>> from scheduler_core.economics.dedicated import SEED_CASES
    >>> found = isolation_premium(Assumptions().change(SEED_CASES["hurdle"]))
    >>> found.own_gpus, found.shared_marginal_gpus, found.premium_usd_per_day
    (64, 56, 336.0)
    """
    number = asked.number
    service, limit, others = number("request_gpu_s"), number("wait_limit_s"), number("shared_load_gpus")
    load = number("requests_per_day") * service * number("peak_factor") / SECONDS_PER_DAY
    late = 1 - PROMISE

    def fewest(erlangs: float) -> int:
        return servers_for_limit(erlangs, service, limit, late) if erlangs > 0 else 0

    gpus = int(number("dedicated_gpus"))
    together = fewest(load + others)
    is_stable = load < gpus
    return Isolation(
        own_load=load,
        shared_load=others,
        own_gpus=fewest(load),
        shared_gpus=fewest(others),
        together_gpus=together,
        usd_per_gpu_h=number("dedicated_usd_per_gpu_h"),
        own_p99_s=wait_quantile(gpus, load, service, PROMISE) if is_stable else None,
        late_share=share_above(gpus, load, service, limit) if is_stable else None,
        others_p99_s=_p99(together - gpus, others, service),
    )


def _p99(gpus: int, load: float, service: float) -> float | None:
    if load == 0:
        return 0.0
    return wait_quantile(gpus, load, service, PROMISE) if load < gpus else None


@dataclass(frozen=True)
class YearTest:
    """Value and cost of standing apart, a year, in USD.

    Attributes
    ----------
    premium_revenue_usd, slo_avoided_usd, noise_avoided_usd : float
        What it brings over the same customer on the shared pool.
    capacity_usd, staff_usd : float
        GPUs more than in the common pool, and people.
    """

    premium_revenue_usd: float
    slo_avoided_usd: float
    noise_avoided_usd: float
    capacity_usd: float
    staff_usd: float

    @property
    def value_usd(self) -> float:
        """Everything it brings."""
        return self.premium_revenue_usd + self.slo_avoided_usd + self.noise_avoided_usd

    @property
    def cost_usd(self) -> float:
        """Everything it costs more."""
        return self.capacity_usd + self.staff_usd

    @property
    def net_usd(self) -> float:
        """Value less cost."""
        return self.value_usd - self.cost_usd


def year_test(asked: Assumptions, found: Isolation | None = None) -> YearTest:
    """Return whether standing apart pays for a customer who would otherwise share, a year of it.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    found : Isolation, optional
        Its sizes, if they are known already.

    Examples
    --------
    >>> from scheduler_core.economics.dedicated import SEED_CASES
    >>> round(year_test(Assumptions().change(SEED_CASES["hurdle"])).net_usd)
    2026480
    """
    deal, sizes = terms_of(asked), found or isolation_premium(asked)
    served = min(asked.number("requests_per_day"), deal.cap_per_day)
    return YearTest(
        premium_revenue_usd=served * (deal.price_usd - deal.list_usd) * DAYS_PER_YEAR,
        slo_avoided_usd=asked.number("slo_avoided_usd_per_year"),
        noise_avoided_usd=asked.number("noise_avoided_usd_per_year"),
        capacity_usd=sizes.premium_usd_per_day * DAYS_PER_YEAR,
        staff_usd=asked.number("dedicated_staff") * asked.number("person_usd_per_year"),
    )
