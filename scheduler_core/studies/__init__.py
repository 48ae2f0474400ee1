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
from scheduler_core.studies.isolation import Alone, IsolationStudy, isolation
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
from scheduler_core.studies.sweep import Means, Sweep, sweep
from scheduler_core.studies.sweep_cache import FolderCache
from scheduler_core.studies.sweep_front import Objective, Recommendation, Region
from scheduler_core.studies.sweep_measures import Measure, default_measures, read_measure
from scheduler_core.studies.sweep_points import Axis, Point, find_baseline, make_axis, make_points, split_values

__all__ = [
    "Alone",
    "Axis",
    "Change",
    "Comparison",
    "Difference",
    "Estimate",
    "FolderCache",
    "IsolationStudy",
    "Loser",
    "Means",
    "Measure",
    "Objective",
    "PairedJobs",
    "Point",
    "Progress",
    "Recommendation",
    "Region",
    "ReplayStudy",
    "Replications",
    "Simulate",
    "Sweep",
    "combine",
    "compare",
    "compare_metric",
    "default_measures",
    "default_replications",
    "estimate",
    "find_baseline",
    "find_losers",
    "half_width",
    "is_drawn",
    "isolation",
    "join",
    "make_axis",
    "make_points",
    "pair_jobs",
    "read_measure",
    "recorded_result",
    "replay",
    "replay_scenario",
    "replicate",
    "split_values",
    "sweep",
]
