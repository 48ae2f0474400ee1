"""Workloads: from a scenario to the table of jobs that the engine runs."""

from scheduler_core.workload.build import build
from scheduler_core.workload.tables import JobTables

__all__ = ["JobTables", "build"]
