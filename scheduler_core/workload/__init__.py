"""Workloads: from a scenario to the table of jobs that the engine runs."""

from scheduler_core.workload.build import build

__all__ = ["build"]
