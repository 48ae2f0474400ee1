"""Times of job logs: lengths such as ``1-02:03:04``, limits such as ``UNLIMITED``, clock times with or without zone."""

import math
import re
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]

NAN = math.nan
MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
LARGEST_S = 1e11
"""Times above 3,000 years are no times; a wrong unit or a damaged number."""

_LENGTH = re.compile(r"(?:(\d{1,9})-)?(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?(\.\d{1,9})?", re.ASCII)

UNKNOWN_WORDS = frozenset({"", "unknown", "none", "n/a", "na", "null", "(null)", "nan", "-1", "invalid"})
"""Words (lower case) by which logs say that a value is not known."""

_FORMATS = (
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S.%f",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
)
_ZONED_FORMATS = ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S.%f%z")


def parse_duration_s(text: str, bare_s: float = NAN) -> float:
    """Return a length of time in seconds.

    Parameters
    ----------
    text : str
        ``[days-]hours:minutes:seconds``, ``minutes:seconds``, ``days-hours[:minutes]``; seconds may have a fraction.
    bare_s : float
        Seconds that one unit of a bare number means; NaN refuses bare numbers.

    Returns
    -------
    float
        NaN where the text is empty or not understood.

    Examples
    --------
    >>> parse_duration_s("1-02:03:04"), parse_duration_s("2-00")
    (93784.0, 172800.0)
    """
    found = _LENGTH.fullmatch(text.strip())
    if not found:
        return NAN
    days, *parts, fraction = found.groups()
    numbers = [float(part) for part in parts if part is not None]
    weights: tuple[float, ...]
    if days is not None:
        weights = (HOUR_S, MINUTE_S, 1.0)
    elif len(numbers) == 1:
        weights = (bare_s,)
    else:
        weights = (HOUR_S, MINUTE_S, 1.0)[-len(numbers) :]
    whole = sum(number * weight for number, weight in zip(numbers, weights, strict=False))
    return float(days or 0) * DAY_S + whole + float(fraction or 0)


def parse_limit_s(text: str) -> float:
    """Return a time limit in seconds; a bare number is minutes.

    Parameters
    ----------
    text : str
        As sacct prints `Timelimit`.

    Returns
    -------
    float
        Infinity for ``UNLIMITED``, NaN where the limit is not known (``Partition_Limit``, ``INVALID``, empty).

    Examples
    --------
    >>> parse_limit_s("90"), parse_limit_s("UNLIMITED")
    (5400.0, inf)
    """
    if text.strip().upper() in {"UNLIMITED", "INFINITE"}:
        return math.inf
    return parse_duration_s(text, bare_s=MINUTE_S)


def is_unknown(values: pd.Series) -> Bool:
    """Return which values say that they are not known, bool, shape (n_rows,)."""
    codes, words = pd.factorize(values)
    unknown = np.array([str(word).strip().lower() in UNKNOWN_WORDS for word in words], bool)
    return unknown[codes] if len(words) else np.zeros(len(values), bool)


def parse_clock_s(values: pd.Series, zone: ZoneInfo | None = None) -> tuple[Float64, bool]:
    """Return clock times in seconds since 1970.

    Parameters
    ----------
    values : pandas.Series of str
        ``YYYY-MM-DDTHH:MM:SS``, with a space, a fraction, an offset (``+08:00``, ``Z``), or seconds since 1970.
    zone : ZoneInfo, optional
        Zone of the times that carry no offset. Without it they are taken as written, one day having 24 hours. An hour
        that the clock shows twice is its first pass, one that it skips is the next valid time.

    Returns
    -------
    seconds : float64, shape (n_rows,)
        NaN where the time is not known or not understood. 1970-01-01T00:00:00 counts as not known.
    has_offset : bool
        Whether any time carries an offset of its own.
    """
    seconds = np.full(len(values), NAN)
    left = np.ones(len(values), bool)
    for pattern in _FORMATS:
        _fill(seconds, left, values, pattern, zone)
        if not left.any():
            return seconds, False
    left &= ~is_unknown(values)
    zoned = left.copy()
    for pattern in _ZONED_FORMATS:
        if left.any():
            _fill(seconds, left, values, pattern, None)
    zoned &= ~left
    if left.any():
        numbers = pd.to_numeric(values[left], errors="coerce").to_numpy(np.float64, na_value=NAN)
        seconds[left] = np.where((numbers > 0) & (numbers < LARGEST_S), numbers, NAN)
    return seconds, bool(zoned.any())


def _fill(seconds: Float64, left: Bool, values: pd.Series, pattern: str, zone: ZoneInfo | None) -> None:
    """Parse the values that are `left` with one pattern; mark those that were understood."""
    picked = values if left.all() else values[left]
    times = pd.to_datetime(picked, format=pattern, errors="coerce", utc=pattern.endswith("%z"))
    if zone is not None and times.dt.tz is None:
        first_pass = np.ones(len(times), bool)
        times = times.dt.tz_localize(zone, ambiguous=first_pass, nonexistent="shift_forward").dt.tz_convert("UTC")
    if times.dt.tz is not None:
        times = times.dt.tz_localize(None)
    found = times.notna().to_numpy()
    ticks = times.to_numpy().astype("datetime64[us]").astype(np.int64)
    rows = np.flatnonzero(left)[found]
    seconds[rows] = np.where(ticks[found] == 0, NAN, ticks[found] / 1e6)
    left[rows] = False
