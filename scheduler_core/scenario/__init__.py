"""The scenario document: what is asked, as frozen models; reading, changing, comparing and checking it."""

from scheduler_core.scenario.availability import require_available, unavailable
from scheduler_core.scenario.check import Load, Report, Unschedulable, check, mean_duration_ms
from scheduler_core.scenario.checkpoint import Checkpoint, JobShape
from scheduler_core.scenario.cluster import Cluster, Pool
from scheduler_core.scenario.differences import differences
from scheduler_core.scenario.document import (
    CASES_FOLDER,
    DEFAULT_CASE,
    SCHEMA_VERSION,
    Scenario,
    apply,
    cases,
    dump_document,
    load,
    load_case,
    nearest,
)
from scheduler_core.scenario.durations import Duration, Exponential, LimitRule, Lognormal, Priority, Uniform
from scheduler_core.scenario.fences import Fence, domains, fences, fits_empty, pools_of
from scheduler_core.scenario.fields import Spec, document_key
from scheduler_core.scenario.hashes import canonical, run_hash, scenario_hash
from scheduler_core.scenario.limits import LIMITS, limit
from scheduler_core.scenario.policy import Change, Choice, Policy, Rounds
from scheduler_core.scenario.policy_rules import preemption_of
from scheduler_core.scenario.preemption import Preemption
from scheduler_core.scenario.quotas import ROOT, UNLIMITED, Quota, QuotaTree, effective_quotas
from scheduler_core.scenario.reserve import Reserve, ReserveFor
from scheduler_core.scenario.run import Run
from scheduler_core.scenario.schema import json_schema
from scheduler_core.scenario.show import flow, to_yaml
from scheduler_core.scenario.targets import Target
from scheduler_core.scenario.tenants import Tenant
from scheduler_core.scenario.words import DISCIPLINES, known_words, word_text
from scheduler_core.scenario.workload import Arrivals, JobClass, JobRow, LogRef, Workload

__all__ = [
    "CASES_FOLDER",
    "DEFAULT_CASE",
    "DISCIPLINES",
    "LIMITS",
    "ROOT",
    "SCHEMA_VERSION",
    "UNLIMITED",
    "Arrivals",
    "Change",
    "Checkpoint",
    "Choice",
    "Cluster",
    "Duration",
    "Exponential",
    "Fence",
    "JobClass",
    "JobRow",
    "JobShape",
    "LimitRule",
    "Load",
    "LogRef",
    "Lognormal",
    "Policy",
    "Pool",
    "Preemption",
    "Priority",
    "Quota",
    "QuotaTree",
    "Report",
    "Reserve",
    "ReserveFor",
    "Rounds",
    "Run",
    "Scenario",
    "Spec",
    "Target",
    "Tenant",
    "Uniform",
    "Unschedulable",
    "Workload",
    "apply",
    "canonical",
    "cases",
    "check",
    "differences",
    "document_key",
    "domains",
    "dump_document",
    "effective_quotas",
    "fences",
    "fits_empty",
    "flow",
    "json_schema",
    "known_words",
    "limit",
    "load",
    "load_case",
    "mean_duration_ms",
    "nearest",
    "pools_of",
    "preemption_of",
    "require_available",
    "run_hash",
    "scenario_hash",
    "to_yaml",
    "unavailable",
    "word_text",
]
