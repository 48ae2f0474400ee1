"""Read a log: open it, find its format, read it, report."""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from scheduler_core import registry
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.traces._base import Format
from scheduler_core.traces._finish import calendar, finish
from scheduler_core.traces._imported import Imported
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._replay import LogFacts
from scheduler_core.traces._report import ImportReport
from scheduler_core.traces._source import BOUNDS, Bounds, Source


def formats() -> dict[str, Format]:
    """Return the formats that are read, by slug."""
    return {slug: found for slug, found in registry.find("traces").items() if isinstance(found, Format)}


def detect(source: Source) -> Format:
    """Return the format that is most sure of a log.

    Parameters
    ----------
    source : Source
        The log.

    Returns
    -------
    Format

    Raises
    ------
    TraceError
        If no format recognises it.
    """
    known = formats()
    head = source.head_text
    confidence = {slug: found.detect(head) for slug, found in known.items()}
    best = max(confidence, key=lambda slug: confidence[slug])
    if confidence[best] > 0:
        return known[best]
    hint = Phrase(" JSON is not read yet; for Slurm, run sacct -P.") if head.lstrip()[:1] in {"{", "["} else ""
    raise source.error(
        Phrase("is in none of the formats that are read ({known}).{hint}", known=", ".join(known), hint=hint)
    )


def read(
    log: Path | str | bytes,
    *,
    format: str | None = None,  # noqa: A002
    options: Mapping[str, object] | None = None,
    bounds: Bounds = BOUNDS,
) -> Imported:
    """Read a job log.

    Parameters
    ----------
    log : path or bytes
        The file or its content; plain or gzip.
    format : str, optional
        Slug of its format; found out if not given.
    options : mapping, optional
        Options of the format, see `Format.all_options`.
    bounds : Bounds
        The largest log that is read.

    Returns
    -------
    Imported
        Every job of the log, and what happened to each row.

    Raises
    ------
    TraceError
        If the log cannot be read as the format, or as any.
    InputError
        If the format or an option is not known.
    """
    source = Source(log, bounds)
    known = formats()
    if format is not None and format not in known:
        raise InputError("format", format, Phrase("one of {names}", names=", ".join(known)))
    chosen = detect(source) if format is None else known[format]
    values = chosen.read_options(options or {})
    ledger = Ledger()
    parsed = chosen.parse(source, values, ledger)
    frame, first_s = finish(parsed, chosen, values, ledger)
    duration_h = np.nan_to_num(frame["duration_s"].to_numpy()) / 3600
    n_jobs = int(frame["count"].sum())
    reading = ImportReport(
        file=source.name,
        format=chosen.slug,
        sha256=source.sha256,
        file_bytes=source.size,
        time_zone=parsed.time_zone,
        starts_at=calendar(first_s + parsed.epoch_s) if math.isfinite(first_s) else "",
        rows_read=parsed.rows_read,
        steps=parsed.steps,
        jobs=n_jobs,
        kept=0,
        refused=ledger.tallies("refused"),
        repaired=ledger.tallies("repaired"),
        clipped=ledger.tallies("clipped"),
        left_out=(),
        unit="gpu",
        procs_per_gpu=1,
        gpu_h=float(np.sum(duration_h * frame["gpus"].to_numpy())),
        processor_h=float(np.sum(duration_h * np.nan_to_num(frame["cpus"].to_numpy()))),
        kept_unit_h=0.0,
        unknown_gpu_share=parsed.unknown_gpus / len(frame) if len(frame) else 0.0,
        no_limit=0,
        limits_overrun=0,
        unknown_starts=0,
        median_run_s=0.0,
        span_days=0.0,
        recorded_peak=0,
        warnings=tuple(parsed.warnings),
        cannot_say=tuple(parsed.cannot_say),
    )
    changed = tuple((p.slug, values[p.slug]) for p in chosen.all_options if values[p.slug] != p.default)
    facts = LogFacts(source.sha256, chosen.slug, changed, parsed.max_procs)
    return Imported(frame, chosen, values, reading, facts, ledger)
