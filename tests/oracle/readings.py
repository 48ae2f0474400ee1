"""The four readings of the interview question, worked from their definitions and not from `economics/dedicated.py`.

docs/economics.md prints them line by line, and a test holds the product to them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SEED_CASES

HURDLE_ROI = 3.0
DAY_S = 86_400
DAYS_PER_YEAR = 365


@dataclass(frozen=True)
class Worked:
    """One reading, worked out.

    Attributes
    ----------
    case, name : str
        Key of `SEED_CASES`, and the reading.
    fixed_usd : float
        F, a day.
    paid, given_up, cost : float
        USD of a request: what is paid, what is not earned any more or spent, and what of it counts as cost where the
        denominator is all cost.
    request_gpu_s, gpus, usable_share : float
        GPU time of a request, and the cluster.
    """

    case: str
    name: str
    fixed_usd: float
    paid: float
    given_up: float
    cost: float
    request_gpu_s: float
    gpus: float
    usable_share: float

    @property
    def margin(self) -> float:
        """What a request adds, in USD."""
        return self.paid - self.given_up

    def volume(self, roi: float) -> float:
        """Return the requests a day for a return: N (m - roi v) = (1 + roi) F."""
        return (1 + roi) * self.fixed_usd / (self.margin - roi * self.cost)

    def use(self, per_day: float) -> float:
        """Return the share of the GPU time of a day that a volume takes."""
        return per_day * self.request_gpu_s / (DAY_S * self.gpus)

    @property
    def cap(self) -> float:
        """Requests a day that the cluster can serve."""
        return self.usable_share * DAY_S * self.gpus / self.request_gpu_s

    @property
    def highest(self) -> float:
        """Return at the cap."""
        return (self.cap * self.margin - self.fixed_usd) / (self.fixed_usd + self.cap * self.cost)


def worked() -> Iterator[Worked]:
    """Yield the readings of both built-in cases; the heavier requests of the hurdle case are those it has anyway."""
    for case, changes in SEED_CASES.items():
        asked = Assumptions().change(changes)
        number = asked.number
        gpus = number("dedicated_gpus")
        rent = gpus * number("dedicated_usd_per_gpu_h") * 24
        fixed = rent + number("dedicated_staff") * number("person_usd_per_year") / DAYS_PER_YEAR
        shared, own = number("list_usd_per_request"), number("variable_usd_per_request")
        paid, seconds = number("premium_ratio") * shared, number("request_gpu_s")
        heavy = number("heavy_request_gpu_s")
        rows = {"R1": (own, 0.0, seconds), "R2": (shared, 0.0, seconds), "R2'": (own, own, seconds)}
        if heavy != seconds:
            rows["R2''"] = (own, 0.0, heavy)
        for name, (given_up, cost, each_s) in rows.items():
            yield Worked(case, name, fixed, paid, given_up, cost, each_s, gpus, number("usable_share"))


def readings_table() -> str:
    """Return the table of the page."""
    names = ("Reading", "margin m", "N* = F / m", "N (ROI 3)", "use at N*, N (ROI 3)", "cap", "highest return")
    head = f"| {' | '.join(names)} |\n{'|---' * len(names)}|"
    return "\n".join([head, *(_line(each) for each in worked())])


def _line(each: Worked) -> str:
    volumes = each.volume(0), each.volume(HURDLE_ROI)
    below = f"({each.margin:.3f} - 3 x {each.cost:.3f})" if each.cost else f"{each.margin:.3f}"
    uses = ", ".join(f"{100 * each.use(volume):.3g} %" for volume in volumes)
    out = "" if volumes[1] <= each.cap else ", out of reach"
    return (
        f"| {each.case}, {each.name} | {each.paid:.3f} - {each.given_up:.3f} = {each.margin:.3f} "
        f"| {each.fixed_usd:,.0f} / {each.margin:.3f} = {volumes[0]:,.0f} "
        f"| {4 * each.fixed_usd:,.0f} / {below} = {volumes[1]:,.0f} | x {each.request_gpu_s:g} s: {uses} "
        f"| {each.cap:,.0f} | {each.highest:.2f}{out} |"
    )
