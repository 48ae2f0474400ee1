"""The import report: what was read, kept, repaired, clipped and refused, and what the log cannot say."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Literal

from scheduler_core.traces._ledger import KINDS, Tally
from scheduler_core.traces._texts import Message, Param, render

Unit = Literal["gpu", "processor"]
CapacitySource = Literal["", "max_procs", "recorded_peak", "given", "cluster"]


@dataclass(frozen=True)
class ImportReport:
    """What happened to a log on its way to a job table; every row of the file is accounted for.

    ``rows_read = steps + jobs + sum(refused)`` except that a line which stands for several waiting tasks counts once
    in `rows_read` and once a task in `jobs`; ``jobs = kept + sum(left_out)``.

    Attributes
    ----------
    file, format, sha256 : str
        Name of the file, slug of the format, content hash.
    file_bytes : int
        Size of the file as given.
    time_zone : str
        Zone in which times are read: a name, ``offset`` (the times carry one), or empty (as written, not converted).
    starts_at : str
        First submit as a date on that clock; empty if the log has no calendar.
    rows_read, steps, jobs, kept : int
        Lines with data; those that are steps of a job; jobs; jobs that can be replayed.
    refused, repaired, clipped, left_out : tuple of Tally
        Rows that are no jobs; values that were replaced or are taken as unknown; values that were cut to fit; jobs that
        cannot be replayed.
    unit : str
        What one unit of a job's size is: ``gpu`` or ``processor``.
    procs_per_gpu : int
        Processors that count as one GPU; 1 where they are not divided.
    gpu_h, processor_h : float
        GPU-hours and processor-hours recorded in the log, over all jobs.
    kept_unit_h : float
        Hours of the kept jobs in units of the replay.
    unknown_gpu_share : float
        Share of the jobs (0 to 1) whose GPUs the log does not tell.
    no_limit, limits_overrun : int
        Kept jobs without a time limit; kept jobs that ran longer than theirs.
    unknown_starts : int
        Kept jobs whose recorded start is not known.
    median_run_s, span_days : float
        Median run time of the kept jobs; days from the first submit to the last recorded end.
    recorded_peak : int
        Most units the kept jobs used at one time, as recorded.
    capacity : int
        Units of the cluster they are replayed on; 0 while it is not known.
    capacity_source : str
        ``max_procs`` (stated by the log), ``recorded_peak``, ``given``, ``cluster``; the first two are inferred.
    load : float
        Hours asked for over hours there are in the span; 0 while the capacity is not known.
    too_large : int
        Kept jobs that need more than the cluster.
    too_large_jobs : tuple of str
        The first of them.
    warnings, cannot_say : tuple of Message
        What to look at; what the log does not record.
    """

    file: str
    format: str
    sha256: str
    file_bytes: int
    time_zone: str
    starts_at: str
    rows_read: int
    steps: int
    jobs: int
    kept: int
    refused: tuple[Tally, ...]
    repaired: tuple[Tally, ...]
    clipped: tuple[Tally, ...]
    left_out: tuple[Tally, ...]
    unit: Unit
    procs_per_gpu: int
    gpu_h: float
    processor_h: float
    kept_unit_h: float
    unknown_gpu_share: float
    no_limit: int
    limits_overrun: int
    unknown_starts: int
    median_run_s: float
    span_days: float
    recorded_peak: int
    capacity: int = 0
    capacity_source: CapacitySource = ""
    load: float = 0.0
    too_large: int = 0
    too_large_jobs: tuple[str, ...] = ()
    warnings: tuple[Message, ...] = ()
    cannot_say: tuple[Message, ...] = ()

    @property
    def is_in_gpus(self) -> bool:
        """Whether sizes are GPUs: counted as such, or from processors with a divisor."""
        return self.unit == "gpu" or self.procs_per_gpu > 1

    @property
    def is_capacity_inferred(self) -> bool:
        """Whether the size of the cluster comes from the log."""
        return self.capacity_source in {"max_procs", "recorded_peak"}

    def with_warnings(self, *warnings: Message) -> "ImportReport":
        """Return the report with more warnings."""
        return replace(self, warnings=(*self.warnings, *warnings))

    def as_dict(self) -> dict[str, object]:
        """Return the report in plain types, for JSON; reasons and messages carry both texts."""
        found: dict[str, object] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                value = [item if isinstance(item, str) else item.as_dict() for item in value]
            found[field.name] = value
        return found

    def lines(self, language: str = "en") -> tuple[str, ...]:
        """Return the report as sentences in ``en`` or ``zh``, for a terminal or a page."""
        return tuple(self._lines(language))

    def _lines(self, language: str) -> Iterator[str]:
        def say(key: str, **params: Param) -> str:
            return render(key, params, language)

        unit = say(f"unit.{'gpu' if self.is_in_gpus else 'processor'}")
        yield say("report.file", file=self.file, format=self.format, rows=self.rows_read, jobs=self.jobs)
        if self.steps:
            yield say("report.steps", count=self.steps)
        yield say("report.kept", kept=self.kept, hours=self.kept_unit_h, unit=unit)
        for kind in KINDS:
            for tally in getattr(self, kind):
                lines = ", ".join(str(line) for line in tally.lines)
                yield say(f"report.{kind}", count=tally.count, reason=tally.text(language), lines=lines)
        zone = say("report.zone_as_written") if not self.time_zone else self.time_zone
        yield say("report.times", start=self.starts_at or say("report.no_calendar"), zone=zone, days=self.span_days)
        if self.kept:
            yield from self._kept_lines(say, unit)
        for message in (*self.warnings, *self.cannot_say):
            yield message.text(language)

    def _kept_lines(self, say: Callable[..., str], unit: str) -> Iterator[str]:
        yield say("report.run_time", seconds=self.median_run_s)
        yield say("report.limits", no_limit=self.no_limit, overrun=self.limits_overrun)
        if self.unknown_gpu_share and self.unit == "gpu":
            yield say("report.unknown_gpus", percent=100 * self.unknown_gpu_share)
        if self.capacity:
            yield say(f"capacity.{self.capacity_source}", gpus=self.capacity, unit=unit, percent=100 * self.load)
