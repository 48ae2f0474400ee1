"""What is the same for every format once its rows are read: the clock, running jobs, re-runs, the tenant."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from scheduler_core.traces._base import COLUMNS, Format, Options, Parsed
from scheduler_core.traces._ledger import Ledger

UNKNOWN_NAME = "unknown"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIMES = ("submit_time_s", "eligible_time_s", "start_time_s")


def first_filled(frame: pd.DataFrame, columns: tuple[str, ...]) -> pd.Categorical:
    """Return for each row the first of these text columns that is not empty, else ``unknown``.

    Parameters
    ----------
    frame : pandas.DataFrame
        With categorical columns.
    columns : tuple of str
        The most fitting first.

    Returns
    -------
    pandas.Categorical
        Shape (n_rows,).
    """
    index: dict[str, int] = {UNKNOWN_NAME: 0}
    codes = np.zeros(len(frame), np.int32)
    for name in reversed(columns):
        values = frame[name]
        numbers = [0 if not word else index.setdefault(word, len(index)) for word in values.cat.categories]
        if numbers:
            found = np.array(numbers, np.int32)[values.cat.codes.to_numpy()]
            codes = np.where(found > 0, found, codes)
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(index), dtype="str"))


def finish(parsed: Parsed, log_format: Format, options: Options, ledger: Ledger) -> tuple[pd.DataFrame, float]:
    """Return the neutral job frame.

    Parameters
    ----------
    parsed : Parsed
        Rows on the clock of the log.
    log_format : Format
        Where they come from.
    options : mapping
        Values of all options.
    ledger : Ledger
        Gets what is repaired and clipped.

    Returns
    -------
    frame : pandas.DataFrame
        Columns `COLUMNS`, times counted from the first submit.
    first_s : float
        The first submit on the clock of the log, in s; NaN when there is no time at all.
    """
    frame = parsed.frame
    _settle_durations(frame, ledger)
    _settle_starts(frame, ledger)
    _name_reruns(frame, ledger)
    choice = str(options["tenant"])
    frame["tenant"] = first_filled(frame, log_format.tenants if choice == "auto" else (choice,))
    times = np.concatenate([frame[name].to_numpy() for name in ("submit_time_s", "start_time_s")])
    submits = frame["submit_time_s"].dropna().to_numpy()
    known = submits if len(submits) else times[np.isfinite(times)]
    first_s = float(known.min()) if len(known) else float("nan")
    if len(known):
        for name in TIMES:
            frame[name] -= first_s
    return frame[list(COLUMNS)], first_s


def _settle_durations(frame: pd.DataFrame, ledger: Ledger) -> None:
    """Cut running jobs at the last time the log shows; drop negative run times."""
    start, duration = frame["start_time_s"].to_numpy(), frame["duration_s"].to_numpy(copy=True)
    lines = frame["source_row"].to_numpy()
    negative = duration < 0
    ledger.add("repaired", "repaired.negative_run", lines[negative])
    duration[negative] = np.nan
    running = (frame["state"] == "RUNNING").to_numpy()
    open_end = running & np.isnan(duration) & ~np.isnan(start)
    if open_end.any():
        last = np.nanmax(np.concatenate([frame["submit_time_s"].to_numpy(), start, start + duration]))
        duration[open_end] = last - start[open_end]
    ledger.add("clipped", "clipped.running", lines[running & ~np.isnan(duration)])
    frame["duration_s"] = duration


def _settle_starts(frame: pd.DataFrame, ledger: Ledger) -> None:
    """Let no job start before it was submitted (clocks were set back), in place."""
    submit, start = frame["submit_time_s"].to_numpy(), frame["start_time_s"].to_numpy(copy=True)
    early = start < submit
    ledger.add("clipped", "clipped.start", frame["source_row"].to_numpy()[early])
    start[early] = submit[early]
    frame["start_time_s"] = start


def _name_reruns(frame: pd.DataFrame, ledger: Ledger) -> None:
    """Give the second and later rows of one id a suffix: ``#2``, ``#3``."""
    ids = frame["job_id"]
    repeated = ids.duplicated(keep=False)
    if not repeated.any():
        return
    names = ids[repeated]
    again = names.groupby(names).cumcount()
    later = again.index[again > 0]
    frame.loc[later, "job_id"] = names[later] + "#" + (again[later] + 1).astype("str")
    ledger.add("repaired", "repaired.rerun", frame.loc[later, "source_row"].to_numpy())


def calendar(seconds: float) -> str:
    """Return a time in seconds since 1970 as text, empty if there is none.

    Examples
    --------
    >>> calendar(1e9)
    '2001-09-09T01:46:40'
    """
    if not np.isfinite(seconds) or abs(seconds) > 2e11:
        return ""
    try:
        return (EPOCH + timedelta(seconds=round(seconds))).replace(tzinfo=None).isoformat()
    except OverflowError:
        return ""
