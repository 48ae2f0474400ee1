"""What formulas demand of their arguments; each refusal says the field, the value and what would be right."""

import math

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


def finite(field: str, value: float) -> float:
    """Return a number that is finite."""
    if isinstance(value, bool) or not math.isfinite(value):
        raise InputError(field, value, Phrase("a finite number"))
    return float(value)


def positive(field: str, value: float) -> float:
    """Return a number above zero."""
    if not finite(field, value) > 0:
        raise InputError(field, value, Phrase("above 0"))
    return float(value)


def not_negative(field: str, value: float) -> float:
    """Return a number of zero or more."""
    if not finite(field, value) >= 0:
        raise InputError(field, value, Phrase("0 or more"))
    return float(value)


def share(field: str, value: float) -> float:
    """Return a number from 0 to 1."""
    if not 0 <= finite(field, value) <= 1:
        raise InputError(field, value, Phrase("from 0 to 1"))
    return float(value)


def positive_share(field: str, value: float) -> float:
    """Return a number above 0 and at most 1."""
    if not 0 < finite(field, value) <= 1:
        raise InputError(field, value, Phrase("above 0 and at most 1"))
    return float(value)


def whole(field: str, value: float, least: int = 0) -> int:
    """Return a whole number of at least `least`."""
    if finite(field, value) != int(value) or value < least:
        raise InputError(field, value, Phrase("a whole number of at least {least}", least=least))
    return int(value)


def rate(field: str, value: float) -> float:
    """Return a yearly rate above -1 and below 1."""
    if not -1 < finite(field, value) < 1:
        raise InputError(field, value, Phrase("above -1 and below 1"))
    return float(value)
