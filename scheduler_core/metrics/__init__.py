"""What a run says about itself: metrics with unit, direction and source, by class, tenant, size and pool.

Each public file of this package holds the metrics of one topic in `METRICS`; they are found at run time.
"""

from scheduler_core.metrics._base import SCOPE_KINDS, Metric, Scope, ScopeKind, Value, Words, mean
from scheduler_core.metrics._due import tenants_due
from scheduler_core.metrics._summary import Summary, all_metrics, summarize
from scheduler_core.metrics._targets import TargetOutcome, TargetState, evaluate_targets, judge, scope_of
from scheduler_core.metrics._timeline import Timeline, timeline
from scheduler_core.metrics._verdict import VERDICT_METRICS, Verdict, verdict, worst_scope
from scheduler_core.metrics._view import View, views

__all__ = [
    "SCOPE_KINDS",
    "VERDICT_METRICS",
    "Metric",
    "Scope",
    "ScopeKind",
    "Summary",
    "TargetOutcome",
    "TargetState",
    "Timeline",
    "Value",
    "Verdict",
    "View",
    "Words",
    "all_metrics",
    "evaluate_targets",
    "judge",
    "mean",
    "scope_of",
    "summarize",
    "tenants_due",
    "timeline",
    "verdict",
    "views",
    "worst_scope",
]
