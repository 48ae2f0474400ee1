"""Numbers and times as people say them, in the language of the session.

At most three significant digits; shares become percent here and nowhere else.
"""

from typing import Final

from dashboard.i18n import Text, language, plain
from practice import wording
from scheduler_core import MS_PER_UNIT

_NARROW: Final = "\u202f"
digits: Final = wording.digits
"""Return a number with at most three digits after its whole part, thousands separated."""


def duration(value_ms: float, significant: int = 2) -> Text:
    """Return a time in ms as 40 s, 35 min, 4.2 h or 2.5 d."""
    unit, unit_ms = wording.time_unit(value_ms)
    return Text(plain(f"unit.{unit}", n=digits(value_ms / unit_ms, significant)))


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
    unit_ms = max(wording.time_unit(mean_ms)[1], MS_PER_UNIT["s"])
    return Text(f"\\[{digits(low_ms / unit_ms, 2)}, {digits(high_ms / unit_ms, 2)}\\]")


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
