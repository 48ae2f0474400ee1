"""Studies over scenarios: repeat, compare, and hold a replayed log against what was recorded."""

from scheduler_core.studies._estimate import Estimate, estimate, half_width
from scheduler_core.studies.compare import (
    Change,
    Comparison,
    Difference,
    Loser,
    PairedJobs,
    compare,
    compare_metric,
    find_losers,
    join,
    pair_jobs,
)
from scheduler_core.studies.replay import ReplayStudy, recorded_result, replay, replay_scenario
from scheduler_core.studies.replicate import (
    Progress,
    Replications,
    Simulate,
    combine,
    default_replications,
    is_drawn,
    replicate,
)

__all__ = [
    "Change",
    "Comparison",
    "Difference",
    "Estimate",
    "Loser",
    "PairedJobs",
    "Progress",
    "ReplayStudy",
    "Replications",
    "Simulate",
    "combine",
    "compare",
    "compare_metric",
    "default_replications",
    "estimate",
    "find_losers",
    "half_width",
    "is_drawn",
    "join",
    "pair_jobs",
    "recorded_result",
    "replay",
    "replay_scenario",
    "replicate",
]
