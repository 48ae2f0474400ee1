"""Names of tenants and classes taken from a log, made fit for a scenario document, and priorities made comparable."""

import re

import numpy as np
import pandas as pd

from scheduler_core.kernels.tables import Int32
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._base import Float64

OTHERS = "others"
MIDDLE_PRIORITY = 500
HIGHEST_PRIORITY = 1000

_UNFIT = re.compile(r"[\"\\\x00-\x1f\x7f]")


def fit_name(text: str) -> str:
    """Return a text as the document accepts it for a name: no quotes, backslashes or control characters, 64 long.

    Examples
    --------
    >>> fit_name(' team "a" ')
    'team _a_'
    """
    longest = limit("name_characters")
    return _UNFIT.sub("_", text.strip())[:longest].strip() or "unknown"


def number_names(values: pd.Categorical, most: int) -> tuple[Int32, tuple[str, ...]]:
    """Return the index of each row's name and the names, in natural order.

    Parameters
    ----------
    values : pandas.Categorical, shape (n_rows,)
        Names; those that occur are kept.
    most : int
        Largest number of names; the rarest are put together as ``others``.

    Returns
    -------
    index : int32, shape (n_rows,)
    names : tuple of str
    """
    counts = np.bincount(values.codes, minlength=len(values.categories))
    frequent = np.argsort(-counts, kind="stable")
    kept = frequent[: most - 1] if np.count_nonzero(counts) > most else frequent[counts[frequent] > 0]
    fitted = {int(code): fit_name(str(values.categories[code])) for code in kept}
    names = sorted({*fitted.values(), *([OTHERS] if len(kept) < np.count_nonzero(counts) else [])}, key=natural_key)
    place = {name: at for at, name in enumerate(names)}
    index_of = np.full(len(values.categories), place.get(OTHERS, 0), np.int32)
    for code, name in fitted.items():
        index_of[code] = place[name]
    index = index_of[values.codes] if len(index_of) else np.zeros(len(values), np.int32)
    return index.astype(np.int32), tuple(names)


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key under which ``user-9`` comes before ``user-10``."""
    parts = re.split(r"([0-9]{1,18})", name)
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts if part]


def scale_priority(priority: Float64) -> Int32:
    """Return recorded priorities on 0 to 1000: the smallest of the log is 0, the largest 1000, linear between.

    Parameters
    ----------
    priority : float64, shape (n_rows,)
        As recorded; NaN where unknown.

    Returns
    -------
    int32, shape (n_rows,)
        500 where unknown, or where all are equal.
    """
    known = priority[np.isfinite(priority)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
    if high <= low:
        return np.full(len(priority), MIDDLE_PRIORITY, np.int32)
    scaled = np.rint((priority - low) / (high - low) * HIGHEST_PRIORITY)
    return np.where(np.isfinite(scaled), scaled, MIDDLE_PRIORITY).astype(np.int32)


def size_band(gpus: Int32) -> Int32:
    """Return the band of each size, floor(log2(gpus)), int32, shape (n_rows,)."""
    # frexp is exact for integers; log2 may round 2**k down.
    return (np.frexp(np.maximum(gpus, 1).astype(np.float64))[1] - 1).astype(np.int32)


def band_name(band: int) -> str:
    """Return a band of sizes as text.

    Examples
    --------
    >>> band_name(0), band_name(3)
    ('1', '8-15')
    """
    low, high = 2**band, 2 ** (band + 1) - 1
    return str(low) if low == high else f"{low}-{high}"
