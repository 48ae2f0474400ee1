"""Quantities as people write them and as the library keeps them.

Durations are integer milliseconds, priorities integers 0 to 1000, GPUs in the canonical form thousandths. Reading is
exact (decimal arithmetic), and what is read can be written back without loss.
"""

import re
from decimal import Decimal

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

MS_PER_UNIT = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
"""Milliseconds in each unit a duration may carry."""

UNIT_NAMES = ", ".join(MS_PER_UNIT)
MILLI = 1_000
LONGEST_MS = 100_000 * MS_PER_UNIT["d"]
"""No duration is longer than this (274 years); far inside 64 bits, so that sums cannot overflow."""

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)")
_DURATION = re.compile(rf"\s*(?:{_PART.pattern}\s*)+", re.ASCII)
_NUMBER = re.compile(r"\s*[+-]?\d+(?:\.\d+)?\s*", re.ASCII)
_LIKELY = {"m": "min", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "mins": "min", "minute": "min"}
_LIKELY |= {"minutes": "min", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d"}
_LIKELY |= {"week": "w", "weeks": "w", "msec": "ms"}
_MAX_TEXT = 40
_WHOLE_FLOATS = 2**53  # above, not every whole number is a float


def parse_duration(text: object, field: str = "duration") -> int:
    """Read a duration with its unit.

    Parameters
    ----------
    text : object
        Such as ``"5min"``, ``"1.5h"`` or ``"1h30min"``; units ms, s, min, h, d, w. The number 0 needs no unit.
    field : str
        Name used in the refusal.

    Returns
    -------
    int
        Milliseconds.

    Raises
    ------
    InputError
        If the unit is missing or unknown, the value is negative or longer than 100,000 days, or it is not a whole
        number of milliseconds.

    Examples
    --------
    >>> parse_duration("1.5h")
    5400000
    """
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        if text == 0:
            return 0
        raise InputError(
            field, text, Phrase("a duration with a unit ({text} has no unit; write for example {text}min)", text=text)
        )
    if not isinstance(text, str) or len(text) > _MAX_TEXT:
        raise InputError(
            field, text, Phrase("a duration with a unit ({unit_names}), for example 5min", unit_names=UNIT_NAMES)
        )
    if _NUMBER.fullmatch(text):
        if float(text) == 0:
            return 0
        number = text.strip()
        raise InputError(
            field,
            text,
            Phrase("a duration with a unit ({number} has no unit; write for example {number}min)", number=number),
        )
    if not _DURATION.fullmatch(text):
        raise InputError(
            field, text, Phrase("a duration with a unit ({unit_names}), for example 5min", unit_names=UNIT_NAMES)
        )
    total = sum((_part_ms(number, unit, text, field) for number, unit in _PART.findall(text)), Decimal(0))
    if total != int(total):
        raise InputError(field, text, Phrase("a whole number of milliseconds"))
    if total > LONGEST_MS:
        raise InputError(field, text, Phrase("at most 100000d"))
    return int(total)


def _part_ms(number: str, unit: str, text: str, field: str) -> Decimal:
    if unit not in MS_PER_UNIT:
        meant = _LIKELY.get(unit, unit.lower())
        hint = Phrase("; did you mean {number}{meant}?", number=number, meant=meant) if meant in MS_PER_UNIT else ""
        raise InputError(
            field,
            text,
            Phrase(
                "a duration in {unit_names} ({unit} is not a unit{hint})", unit_names=UNIT_NAMES, unit=unit, hint=hint
            ),
        )
    return Decimal(number) * MS_PER_UNIT[unit]


def write_duration(duration_ms: int) -> str:
    """Write a duration exactly, in the largest unit that divides it (24h rather than 1d).

    Parameters
    ----------
    duration_ms : int
        Milliseconds, not negative.

    Returns
    -------
    str
        Text that `parse_duration` reads back to the same number.

    Examples
    --------
    >>> write_duration(5_400_000)
    '90min'
    """
    for unit, least in (("d", 2), ("h", 1), ("min", 1), ("s", 1)):  # 24h is what people write, not 1d
        if duration_ms >= least * MS_PER_UNIT[unit] and duration_ms % MS_PER_UNIT[unit] == 0:
            return f"{duration_ms // MS_PER_UNIT[unit]}{unit}"
    return f"{duration_ms}ms" if duration_ms else "0s"


def to_milli(value: float, field: str = "value") -> int:
    """Return thousandths of `value`, exactly.

    Parameters
    ----------
    value : float
        A share, priority or number of GPUs with at most three decimals.
    field : str
        Name used in the refusal.

    Returns
    -------
    int
        Thousandths.

    Raises
    ------
    InputError
        If there are more than three decimals.

    Examples
    --------
    >>> to_milli(0.6)
    600
    """
    exact = Decimal(repr(value)) * MILLI
    if exact != int(exact):
        raise InputError(field, value, Phrase("a number with at most three decimals"))
    return int(exact)


def from_milli(milli: int) -> float | int:
    """Return the number of which `milli` are the thousandths; whole numbers as int.

    Examples
    --------
    >>> from_milli(600)
    0.6
    """
    return milli // MILLI if milli % MILLI == 0 else milli / MILLI


def shortest(value: float) -> float | int:
    """Return the number that is written shortest and reads back equal: 1.0 becomes 1.

    Examples
    --------
    >>> shortest(2.0), shortest(0.5)
    (2, 0.5)
    """
    return int(value) if abs(value) < _WHOLE_FLOATS and value == int(value) else value


def format_number(value: float, digits: int = 3) -> str:
    """Write a number for people: at most `digits` significant digits, thousands separated.

    Examples
    --------
    >>> format_number(1234.5), format_number(0.03456)
    ('1,234', '0.0346')
    """
    if value == 0:
        return "0"
    magnitude = len(str(int(abs(value)))) if abs(value) >= 1 else 1 - _leading_zeros(abs(value)) - 1
    decimals = max(0, digits - magnitude)
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _leading_zeros(value: float) -> int:
    return -int(f"{value:e}".split("e")[1]) - 1


_LEAST_SHOWN_MS = 1e-3
"""Shorter waits, as formulas give them for empty clusters, are none."""


_UNITS_ZH = {"ms": "\u6beb\u79d2", "s": "\u79d2", "min": "\u5206\u949f", "h": "\u5c0f\u65f6", "d": "\u5929"}


def format_duration(duration_ms: float, language: str = "en") -> str:
    """Write a duration for people: 250 ms, 45 s, 35 min, 4.2 h, 3.1 d.

    Parameters
    ----------
    duration_ms : float
        Milliseconds, not negative.
    language : str
        ``en`` or ``zh``.

    Returns
    -------
    str
        Three significant digits at most; not exact.

    Examples
    --------
    >>> format_duration(15_120_000), format_duration(3e-75), format_duration(-250)
    ('4.2 h', '0 ms', '-250 ms')
    """
    if abs(duration_ms) < _LEAST_SHOWN_MS:
        duration_ms = 0.0
    bounds = (("ms", 1_000), ("s", 90_000), ("min", 90 * 60_000), ("h", 48 * 3_600_000))
    unit = next((unit for unit, bound in bounds if duration_ms < bound), "d")
    name = _UNITS_ZH[unit] if language == "zh" else unit
    return f"{format_number(duration_ms / MS_PER_UNIT[unit])} {name}"


def format_gpus(gpus: float) -> Phrase:
    """Write a number of GPUs for people.

    Examples
    --------
    >>> format_gpus(3200)
    '3,200 GPUs'
    """
    return Phrase("{gpus:,.0f} GPUs", gpus=gpus) if gpus != 1 else Phrase("1 GPU")


def format_share(share: float, decimals: int = 1, language: str = "en") -> str:
    """Write a share of one in percent; in Chinese (``zh``) without a space.

    Examples
    --------
    >>> format_share(0.3864), format_share(0.3864, 0, "zh")
    ('38.6 %', '39%')
    """
    return f"{share * 100:.{decimals}f}{'' if language == 'zh' else ' '}%"


class Counted(str):
    """A number in a sentence, whose noun follows it: ``{n:price is|prices are}`` gives "1 price is", "3 prices are".

    Examples
    --------
    >>> "{n:price is|prices are} old; {n} in all".format(n=Counted("1"))
    '1 price is old; 1 in all'
    >>> "{n:slot|slots}".format(n=Counted("0.5"))
    '0.5 slots'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        one, found, many = spec.partition("|")
        return f"{self!s} {one if str(self) == '1' else many}" if found else super().__format__(spec)
