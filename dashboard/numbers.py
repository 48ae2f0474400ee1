"""Numbers and times as people say them, in the language of the session.

At most three significant digits; shares become percent here and nowhere else.
"""

from typing import Final

from dashboard.i18n import Text, language, plain

_SECOND_MS: Final = 1_000
_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 86_400_000
_NARROW: Final = "\u202f"


def digits(value: float, significant: int = 3) -> str:
    """Return `value` with at most `significant` digits and thousands separated."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 10 ** (significant - 1):
        return f"{value:,.0f}"
    text = f"{value:.{significant}g}"
    if "e" in text:
        text = f"{value:.{significant + 3}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def duration(value_ms: float, significant: int = 2) -> Text:
    """Return a time in ms as 40 s, 35 min, 4.2 h or 2.5 d."""
    size = abs(value_ms)
    if size == 0:
        return Text(plain("unit.s", n="0"))
    if size < _SECOND_MS:
        return Text(plain("unit.ms", n=digits(value_ms, significant)))
    if size < 100 * _SECOND_MS:
        return Text(plain("unit.s", n=digits(value_ms / _SECOND_MS, significant)))
    if size < 100 * _MINUTE_MS:
        return Text(plain("unit.min", n=digits(value_ms / _MINUTE_MS, significant)))
    if size < 48 * _HOUR_MS:
        return Text(plain("unit.h", n=digits(value_ms / _HOUR_MS, significant)))
    return Text(plain("unit.d", n=digits(value_ms / _DAY_MS, significant)))


def share(value: float, significant: int = 2) -> Text:
    """Return a share (0 to 1) in percent."""
    return Text(plain("unit.percent", n=digits(100 * value, significant)))


def count(value: float) -> Text:
    """Return a whole number with thousands separated."""
    return Text(f"{value:,.0f}")


def gpus(value: float) -> Text:
    """Return a number of GPUs, at most three digits kept: 1,780 and not 1,783.4."""
    size = abs(value)
    if size >= 1000:
        return Text(f"{round(value, -1):,.0f}")
    return Text(digits(value))


def at_least(text: Text, is_bound: bool) -> Text:
    """Return `text` with a leading "at least" sign when the number is a lower bound."""
    return Text(f"\u2265{_NARROW}{text}") if is_bound else text


def interval(mean_ms: float, low_ms: float, high_ms: float) -> Text:
    """Return an interval of times in brackets, in the unit in which `duration` writes the mean; safe as Markdown."""
    unit_ms = next((size for size in (_DAY_MS, _HOUR_MS, _MINUTE_MS) if _is_unit(abs(mean_ms), size)), _SECOND_MS)
    return Text(f"\\[{digits(low_ms / unit_ms, 2)}, {digits(high_ms / unit_ms, 2)}\\]")


def _is_unit(size_ms: float, unit_ms: int) -> bool:
    most = {_DAY_MS: float("inf"), _HOUR_MS: 48 * _HOUR_MS, _MINUTE_MS: 100 * _MINUTE_MS}[unit_ms]
    least = {_DAY_MS: 48 * _HOUR_MS, _HOUR_MS: 100 * _MINUTE_MS, _MINUTE_MS: 100 * _SECOND_MS}[unit_ms]
    return least <= size_ms < most


def points(value: float) -> Text:
    """Return a difference of shares (0 to 1) in points."""
    return Text(plain("unit.points", n=digits(100 * value, 2)))


def signed(text: Text, value: float) -> Text:
    """Return `text` with a plus sign when `value` is above zero (a minus stands in the text)."""
    return Text(f"+{text}") if value > 0 else text


def usd(value: float) -> Text:
    """Return an amount in US dollars: 0.035, 2,800, 5.66 million; in Chinese counted in ten thousands."""
    size, sign = abs(value), "-" if value < 0 else ""
    size = float(f"{size:.3g}") if size >= 1_000 else size
    scales = (("usd_yi", 1e8), ("usd_wan", 1e4)) if language() == "zh" else (("usd_billion", 1e9), ("usd_million", 1e6))
    for key, unit in scales:
        if size >= unit:
            return Text(plain(f"unit.{key}", n=sign + digits(size / unit)))
    return Text(plain("unit.usd", n=sign + digits(size)))


def ratio(value: float) -> Text:
    """Return a ratio or a return on investment with at most three digits."""
    return Text(digits(value))


def years(value: float | None) -> Text:
    """Return a time in years, or "never"."""
    return Text(plain("unit.never") if value is None else plain("unit.years", n=digits(value)))
