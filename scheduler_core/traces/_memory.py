"""Requested memory as Slurm prints it: ``8Gn`` per node, ``3000Mc`` per CPU, ``62.50G`` for the job."""

import math
import re
from typing import Literal, NamedTuple

_MEMORY = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)([KMGTP]?)B?([nc]?)", re.ASCII)
_GB = {"K": 1 / 1024**2, "M": 1 / 1024, "": 1 / 1024, "G": 1.0, "T": 1024.0, "P": 1024.0**2}
PER_CPU_FLAG_MB = 2**31
"""Slurm's mark for "per CPU", which some versions leak into the number."""


class Memory(NamedTuple):
    """Requested memory: an amount in GB (2^30 bytes), NaN if not known, and what it is counted for."""

    amount_gb: float
    per: Literal["job", "node", "cpu"]


def parse_memory(text: str) -> Memory:
    """Return what a `ReqMem` says.

    Parameters
    ----------
    text : str
        Number, unit (K, M, G, T, P; M if missing) and, before Slurm 21.08, ``n`` per node or ``c`` per CPU.

    Returns
    -------
    Memory
        NaN for 0 (the whole node) and for what is not understood.

    Examples
    --------
    >>> parse_memory("8Gn")
    Memory(amount_gb=8.0, per='node')
    """
    found = _MEMORY.fullmatch(text.strip())
    if not found:
        return Memory(math.nan, "job")
    number, unit, suffix = float(found[1]), found[2], found[3]
    per: Literal["job", "node", "cpu"] = {"n": "node", "c": "cpu"}.get(suffix, "job")  # type: ignore[assignment]
    if unit in {"", "M"} and number >= PER_CPU_FLAG_MB:
        number, per = number - PER_CPU_FLAG_MB, "cpu"
    return Memory(number * _GB[unit] if number else math.nan, per)


def total_gb(text: str, cpus: float, nodes: float) -> float:
    """Return the memory of the whole job in GB.

    Examples
    --------
    >>> total_gb("8Gc", cpus=4, nodes=2)
    32.0
    """
    memory = parse_memory(text)
    return memory.amount_gb * {"job": 1.0, "node": nodes, "cpu": cpus}[memory.per]
