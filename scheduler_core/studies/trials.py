"""Which run or trial stands beside which answer: one table for the pages, the commands and docs/economics.md.

`TRIALS` names each; `BESIDE` says to which topic of which page it belongs. A topic whose answer is a simulation from
the start (where waiting comes from) has none.
"""

from collections.abc import Mapping
from typing import Protocol

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.studies.deal_wait import confirm_deal
from scheduler_core.studies.delay_order import confirm_delay
from scheduler_core.studies.plan_confirm import Confirmation, confirm_size, confirm_zones, study_classes
from scheduler_core.studies.plan_overflow import confirm_burst
from scheduler_core.studies.plan_pools import confirm_isolation, confirm_pool
from scheduler_core.studies.replicate import Progress
from scheduler_core.studies.trial_bill import trial_bill, trial_credit
from scheduler_core.studies.trial_change import confirm_change, trial_speed, trial_squeeze
from scheduler_core.studies.trial_claim import trial_claim
from scheduler_core.studies.trial_deal import trial_volume
from scheduler_core.studies.trial_demand import trial_commitment, trial_growth
from scheduler_core.studies.trial_failures import trial_saves, trial_spares
from scheduler_core.studies.trial_rent import trial_owning, trial_spot
from scheduler_core.studies.trial_sharing import trial_evictions, trial_packing


class Trial(Protocol):
    """What puts a formula beside a run or a trial."""

    def __call__(self, asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
        """Return the formulas with what was found; empty where the inputs give no answer to confirm."""


def _size(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    return (confirm_size(asked, progress=progress),)


def _classes(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    return study_classes(asked, progress=progress).confirmations


def _burst(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    return () if asked.values()["on_demand_usd_per_gpu_h"] is None else (confirm_burst(asked, progress=progress),)


TRIALS: Mapping[str, Trial] = {
    "promise": confirm_deal,
    "isolation": confirm_isolation,
    "volume": trial_volume,
    "owning": trial_owning,
    "commitment": trial_commitment,
    "spot": trial_spot,
    "burst": _burst,
    "change": confirm_change,
    "speed": trial_speed,
    "squeeze": trial_squeeze,
    "claim": trial_claim,
    "delay": confirm_delay,
    "evictions": trial_evictions,
    "bill": trial_bill,
    "packing": trial_packing,
    "credit": trial_credit,
    "size": _size,
    "pool": confirm_pool,
    "classes": _classes,
    "growth": trial_growth,
    "spares": trial_spares,
    "saves": trial_saves,
    "zones": confirm_zones,
}

BESIDE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "economics": {
        "deal": ("promise", "isolation", "volume"),
        "rent": ("owning", "commitment", "burst", "spot"),
        "change": ("change", "speed", "squeeze"),
        "claim": ("claim",),
        "delay": ("delay", "evictions"),
        "bill": ("bill", "packing", "credit"),
    },
    "plan": {
        "size": ("size", "pool"),
        "pool": ("pool",),
        "classes": ("classes",),
        "growth": ("growth",),
        "spares": ("spares", "saves"),
        "zones": ("zones",),
        "burst": ("burst",),
        "squeeze": ("squeeze",),
    },
}
"""Page -> topic -> what stands beside its answers. The topic `pool` is the command's; the page has it in `size`."""
