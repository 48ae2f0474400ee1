"""An imported log: the neutral job frame with its report, and the job tables that can be made of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import Int64, JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.registry import ParamValue
from scheduler_core.traces._base import Bool, Format
from scheduler_core.traces._capacity import peak_use
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._replay import (
    HOUR_MS,
    LogFacts,
    Replay,
    build_table,
    choose_unit,
    number_classes,
    number_tenants,
    number_types,
    plan_limits,
    recorded_starts,
    select,
    sizes,
    span_ms,
)
from scheduler_core.traces._report import ImportReport, Unit
from scheduler_core.traces._texts import Message, message

MOST_PROCS_PER_GPU = 100_000


class Tables(NamedTuple):
    """The job table of a log and what was recorded; see `Replay`."""

    table: JobTable
    recorded_start_ms: Int64
    recorded_finish_ms: Int64


@dataclass(frozen=True, eq=False)
class Imported:
    """A log that has been read.

    Attributes
    ----------
    frame : pandas.DataFrame
        The neutral job frame, see docs/logs.md; one row a job, in the order of the file.
    log_format : Format
        How it was read.
    options : dict
        Every option with its value.
    reading : ImportReport
        The report before any job is left out; `report` is the complete one.
    facts : LogFacts
        What a document needs to name the log again.
    ledger : Ledger
        What happened to rows so far.
    """

    frame: pd.DataFrame
    log_format: Format
    options: dict[str, ParamValue]
    reading: ImportReport
    facts: LogFacts
    ledger: Ledger

    @cached_property
    def default(self) -> Replay:
        """The replay without any choice of the user: GPUs if there are any, else processors."""
        return self.replay()

    @property
    def report(self) -> ImportReport:
        """The report of `default`."""
        return self.default.report

    def table(
        self, *, unit: Unit | None = None, procs_per_gpu: int = 1, tenants: Sequence[str] | None = None
    ) -> Tables:
        """Return the job table with recorded starts and ends; see `replay` for the report that belongs to it."""
        made = self.replay(unit=unit, procs_per_gpu=procs_per_gpu, tenants=tenants)
        return Tables(made.table, made.recorded_start_ms, made.recorded_finish_ms)

    def replay(
        self,
        *,
        unit: Unit | None = None,
        procs_per_gpu: int = 1,
        tenants: Sequence[str] | None = None,
        gpu_types: Collection[str] = (),
    ) -> Replay:
        """Return the jobs that can be replayed.

        Parameters
        ----------
        unit : str, optional
            ``gpu`` or ``processor``: what one unit of size is. Default: GPU if any job that can be replayed has one.
        procs_per_gpu : int
            Processors that count as one GPU (rounded up for each job); used with processors only.
        tenants : sequence of str, optional
            Tenants in the order of the scenario; jobs of others are left out. Default: those of the log.
        gpu_types : collection of str
            Types of the cluster, for the option ``types: recorded``.

        Returns
        -------
        Replay
            With an empty table if no job can be replayed; the report says why.

        Raises
        ------
        InputError
            If `procs_per_gpu` is not a whole number from 1 to 100,000.
        """
        if isinstance(procs_per_gpu, bool) or not 1 <= procs_per_gpu <= MOST_PROCS_PER_GPU:
            raise InputError(
                "procs_per_gpu",
                procs_per_gpu,
                Phrase("a whole number from 1 to {most_procs_per_gpu:,}", most_procs_per_gpu=MOST_PROCS_PER_GPU),
            )
        ledger, frame = self.ledger.copy(), self.frame
        can_run = frame["duration_s"].notna().to_numpy() & frame["submit_time_s"].notna().to_numpy()
        chosen = choose_unit(frame, can_run, unit)
        size = sizes(frame, chosen, procs_per_gpu)
        keep = select(frame, size, chosen, ledger)
        if tenants is not None:
            keep &= self._of_tenants(keep, tenants, ledger)
        rows = np.flatnonzero(keep)
        rows = rows[np.argsort(frame["submit_time_s"].to_numpy()[rows], kind="stable")]
        jobs = frame.take(rows)
        gpus = size[rows].astype(np.int32)
        limit_ms, n_unlimited = plan_limits(jobs["requested_s"].to_numpy(), jobs["source_row"].to_numpy(), ledger)
        types = number_types(jobs["gpu_type"].array, gpu_types if self.options["types"] == "recorded" else ())
        named = (
            number_tenants(jobs["tenant"].array, tenants),
            number_classes(jobs, gpus, str(self.options["classes"])),
        )
        table = build_table(jobs, gpus, named, types, limit_ms)
        start = recorded_starts(jobs, table.jobs.submit_ms)
        finish = np.where(start < 0, -1, start + table.jobs.runtime_ms)
        report = self._report(table, start, ledger, chosen, 1 if chosen == "gpu" else procs_per_gpu)
        choice = [] if not table.n_jobs else [message(f"unit.{'asked' if unit else 'chosen'}_{chosen}")]
        if chosen == "gpu" and procs_per_gpu > 1:
            choice.append(message("unit.procs_ignored"))
        report = replace(report, no_limit=n_unlimited, warnings=(*choice, *report.warnings))
        kinds = jobs["gpu_type"].array
        names = tuple(str(kinds.categories[code]) for code in np.unique(kinds.codes) if kinds.categories[code])
        return Replay(table, start, finish, jobs["source_row"].to_numpy(), report, self.facts, names)

    def _of_tenants(self, keep: Bool, tenants: Sequence[str], ledger: Ledger) -> Bool:
        rows = np.flatnonzero(keep)
        index, _ = number_tenants(self.frame["tenant"].array[rows], tenants)
        foreign = rows[index < 0]
        ledger.add("left_out", "left_out.tenant", self.frame["source_row"].to_numpy()[foreign])
        found = np.ones(len(keep), bool)
        found[foreign] = False
        return found

    def _report(self, table: JobTable, start: Int64, ledger: Ledger, unit: Unit, procs_per_gpu: int) -> ImportReport:
        jobs = table.jobs
        assumed = np.where(start < 0, jobs.submit_ms, start)
        finish = assumed + jobs.runtime_ms
        unknown = int(np.count_nonzero(start < 0))
        warnings: list[Message] = [] if table.n_jobs else [message("replay.nothing")]
        if procs_per_gpu > 1:
            warnings.append(message("unit.divided", count=procs_per_gpu))
        if unknown:
            warnings.append(message("replay.unknown_starts", count=unknown))
        run_s = float(np.median(jobs.runtime_ms)) / 1000 if table.n_jobs else 0.0
        return replace(
            self.reading,
            kept=table.n_jobs,
            repaired=ledger.tallies("repaired"),
            clipped=ledger.tallies("clipped"),
            left_out=ledger.tallies("left_out"),
            unit=unit,
            procs_per_gpu=procs_per_gpu,
            kept_unit_h=float(np.sum(jobs.gpus.astype(np.float64) * jobs.runtime_ms)) / HOUR_MS,
            limits_overrun=int(np.count_nonzero(jobs.runtime_ms > jobs.limit_ms)),
            unknown_starts=unknown,
            median_run_s=run_s,
            span_days=span_ms(jobs, finish) / 86_400_000 if table.n_jobs else 0.0,
            recorded_peak=peak_use(assumed, finish, jobs.gpus),
            warnings=(*self.reading.warnings, *warnings),
        )
