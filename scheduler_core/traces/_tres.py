"""GPUs in Slurm's resource strings: ``gres/gpu:a100=4,gres/gpu=4``, ``gpu:volta:2``, ``gpu:a100:4(S:0-1)``."""

import re
from typing import NamedTuple

MIXED = "mixed"
"""Type of a job that holds more than one type of GPU."""

_COMMA = re.compile(r",(?![^(]*\))")
_GPU = re.compile(r"(?:gres[/:])?gpu((?:[:=][^:=(]*)*)(?:\(.*\))?", re.IGNORECASE)
_COUNT = re.compile(r"\d{1,9}(?:\.\d{1,6})?", re.ASCII)


class Gpus(NamedTuple):
    """GPUs of one resource string: how many, and their type (empty if not said, ``mixed`` if several)."""

    amount: float
    type: str


def parse_gpus(text: str) -> Gpus | None:
    """Return the GPUs that a resource string names.

    Parameters
    ----------
    text : str
        TRES (``name=value``) or GRES (``name:type:count``) entries, separated by commas.

    Returns
    -------
    Gpus or None
        The untyped total if there is one, else the sum of the typed entries; None where GPUs are not mentioned.

    Examples
    --------
    >>> parse_gpus("gres/gpu:a100=4,gres/gpu=4")
    Gpus(amount=4.0, type='a100')
    """
    untyped: list[float] = []
    typed: dict[str, float] = {}
    for item in _COMMA.split(text):
        found = _GPU.fullmatch(item.strip())
        if not found:
            continue
        words = [word for word in re.split("[:=]", found[1]) if word and word != "no_consume"]
        count = float(words.pop()) if words and _COUNT.fullmatch(words[-1]) else 1.0
        if words:
            typed[words[0].strip()] = typed.get(words[0].strip(), 0.0) + count
        else:
            untyped.append(count)
    if not untyped and not typed:
        return None
    types = [name for name, count in typed.items() if count > 0]
    total = sum(untyped) if untyped else sum(typed.values())
    return Gpus(total, "" if not types else types[0] if len(types) == 1 else MIXED)


def parse_amount(text: str, name: str) -> float:
    """Return one plain number of a TRES string, NaN if it is not there.

    Examples
    --------
    >>> parse_amount("billing=16,cpu=16,node=1", "cpu")
    16.0
    """
    for item in _COMMA.split(text):
        key, _, value = item.strip().partition("=")
        if key == name and _COUNT.fullmatch(value):
            return float(value)
    return float("nan")
