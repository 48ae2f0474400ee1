"""Inputs that are lists, as people write them: ``40, 44, 52`` and ``research, 30000, 40000; platform, 4000, 8000``."""

from scheduler_core.economics import checks
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

MOST_PARTS = 200
LONGEST_NAME = 80


def read_numbers(field: str, text: str) -> tuple[float, ...]:
    """Return numbers that are separated by commas.

    Examples
    --------
    >>> read_numbers("demand", "40, 44 , 52")
    (40.0, 44.0, 52.0)
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= MOST_PARTS:
        raise InputError(field, text, Phrase("1 to {most_parts} numbers separated by commas", most_parts=MOST_PARTS))
    return tuple(_number(field, part) for part in parts)


def read_named(field: str, text: str, n_numbers: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return names with their numbers; parts are separated by semicolons, a name and its numbers by commas.

    Parameters
    ----------
    field : str
        Name of the input, for the refusal.
    text : str
        What a person wrote.
    n_numbers : int
        Numbers of each part.

    Examples
    --------
    >>> read_named("tenants", "a, 1, 2; b, 3, 4", 2)
    (('a', (1.0, 2.0)), ('b', (3.0, 4.0)))
    """
    sample = "name" + ", number" * n_numbers
    form = Phrase("parts such as {sample}, separated by semicolons, each name once", sample=sample)
    found: dict[str, tuple[float, ...]] = {}
    for part in [part for part in text.split(";") if part.strip()][: MOST_PARTS + 1]:
        name, *rest = (each.strip() for each in part.split(","))
        if len(rest) != n_numbers or not 0 < len(name) <= LONGEST_NAME or name in found:
            raise InputError(field, part.strip(), form)
        found[name] = tuple(_number(field, each) for each in rest)
    if not 1 <= len(found) <= MOST_PARTS:
        raise InputError(field, text, form)
    return tuple(found.items())


def _number(field: str, text: str) -> float:
    try:
        return checks.not_negative(field, float(text))
    except ValueError:
        raise InputError(field, text, Phrase("a number of 0 or more")) from None
