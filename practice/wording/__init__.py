"""Numbers as people say them, in English and Chinese: 35 min, 4.2 h, 12%, $3.4 million a year."""

import math
import re
from collections.abc import Callable, Mapping

from scheduler_core import MS_PER_UNIT

TEXT: Mapping[str, tuple[str, str]] = {
    "ms": ("{n} ms", "{n} 毫秒"),
    "s": ("{n} s", "{n} 秒"),
    "min": ("{n} min", "{n} 分钟"),
    "h": ("{n} h", "{n} 小时"),
    "d": ("{n} days", "{n} 天"),
    "percent": ("{n}%", "{n}%"),
    "points": ("{n} points", "{n} 个百分点"),
    "number": ("{n}", "{n}"),
    "gpus": ("{n} GPUs", "{n} 张卡"),
    "nodes": ("{n} nodes", "{n} 台节点"),
    "gpu_h": ("{n} GPU-hours", "{n} GPU 小时"),
    "jobs": ("{n} jobs", "{n} 个任务"),
    "jobs_per_h": ("{n} jobs an hour", "每小时 {n} 个任务"),
    "jobs_per_day": ("{n} jobs a day", "每天 {n} 个任务"),
    "per_day": ("{n} requests a day", "每天 {n} 次请求"),
    "runs": ("{n} runs", "{n} 次"),
    "days": ("{n} days", "{n} 天"),
    "weeks": ("{n} weeks", "{n} 周"),
    "usd": ("${n}", "{n}美元"),
    "usd_per_day": ("${n} a day", "{n}美元/天"),
    "usd_per_year": ("${n} a year", "{n}美元/年"),
    "usd_per_request": ("${n}", "{n}美元"),
    "usd_per_gpu_h": ("${n}", "{n}美元"),
    "billion": ("{n} billion", "{n}亿"),
    "million": ("{n} million", "{n} million"),
    "wan": ("{n}万", "{n}万"),
    "at_least": ("at least {n}", "至少 {n}"),
    "none": ("no figure", "无数据"),
}
"""Unit -> English, Chinese."""

WORDS: Mapping[str, tuple[str, str]] = {
    "goes_up": ("{name} rises: {before} to {after}", "{name}上升：{before} 到 {after}"),
    "goes_down": ("{name} falls: {before} to {after}", "{name}下降：{before} 到 {after}"),
    "goes_same": ("{name} stays: {before} to {after}", "{name}基本不变：{before} 到 {after}"),
    "rose": ("rose from {before} to {after}", "从 {before} 升到 {after}"),
    "fell": ("fell from {before} to {after}", "从 {before} 降到 {after}"),
    "range": ("{low} to {high}", "{low} 到 {high}"),
    "stayed": ("stayed at {after}", "保持在 {after}"),
}
"""What numbers do, with gaps for them."""

_GAP = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_SCALES = {"en": ((1e9, "billion"), (1e6, "million")), "zh": ((1e8, "billion"), (1e4, "wan"))}


def say(value: float | None, unit: str, language: str, *, is_lower_bound: bool = False, is_bare: bool = False) -> str:
    """Return a number with its unit.

    Parameters
    ----------
    value : float, optional
        In the unit as it is kept: times in ms, shares 0 to 1, money in USD.
    unit : str
        Such as ``ms``, ``share``, ``gpus``, ``usd_per_year``.
    language : str
        ``en`` or ``zh``.
    is_lower_bound : bool
        Say "at least".
    is_bare : bool
        Leave the unit out.

    Examples
    --------
    >>> say(2_100_000, "ms", "en"), say(0.124, "share", "en"), say(3_420_000, "usd_per_year", "en")
    ('35 min', '12.4%', '$3.42 million a year')
    """
    if value is None:
        return _worded("none", "", language)
    key, number = _WRITERS.get(unit, _plain(unit))(value, language)
    text = number if is_bare else _worded(key, number, language).replace("$-", "-$")
    return _worded("at_least", text, language) if is_lower_bound else text


def sentence(key: str, language: str, **values: str) -> str:
    """Return one of `WORDS` with its gaps filled."""
    return close_up(WORDS[key][language == "zh"].format(**values))


def close_up(text: str) -> str:
    """Return a text without the spaces that a number and its unit leave between two Chinese characters."""
    return _GAP.sub("", text)


def _worded(key: str, number: str, language: str) -> str:
    return TEXT[key][language == "zh"].replace("{n}", number)


def digits(value: float, significant: int = 3) -> str:
    """Return a number with at most `significant` digits after its whole part, thousands separated."""
    if abs(value) >= 10 ** (significant - 1):
        return f"{value:,.0f}"
    text = f"{value:.{significant}g}"
    text = f"{value:.{significant + 3}f}" if "e" in text else text
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def rounded(value: float, significant: int = 3) -> float:
    """Return a number of ten thousand and more with `significant` digits that are not 0; a smaller one as it is."""
    return float(f"{value:.{significant}g}") if abs(value) >= 1e4 else value


_TIMES = ((MS_PER_UNIT["s"], "ms"), (100 * MS_PER_UNIT["s"], "s"), (100 * MS_PER_UNIT["min"], "min"),
          (48 * MS_PER_UNIT["h"], "h"), (math.inf, "d"))  # fmt: skip
"""Below which size in ms people take which unit."""


def time_unit(value_ms: float) -> tuple[str, int]:
    """Return the unit in which people say a time, and its length in ms; no time at all is said in seconds."""
    unit = next(name for most, name in _TIMES if abs(value_ms) < most) if value_ms else "s"
    return unit, MS_PER_UNIT[unit]


Writer = Callable[[float, str], tuple[str, str]]


def _plain(unit: str) -> Writer:
    return lambda value, _: (unit if unit in TEXT else "number", digits(rounded(value)))


def _time(value: float, _: str) -> tuple[str, str]:
    told = value if abs(value) >= 0.5 else 0.0
    unit, unit_ms = time_unit(told)
    return unit, digits(told / unit_ms, 2)


def _share(value: float, _: str) -> tuple[str, str]:
    is_near_one = 0.985 < value < 1
    return "percent", digits(100 * value, 4 if is_near_one else 3)


def _money(unit: str) -> Writer:
    def write(value: float, language: str) -> tuple[str, str]:
        for size, word in _SCALES[language]:
            if abs(value) >= size:
                return unit, _worded(word, digits(rounded(value / size)), language)
        return unit, digits(rounded(value))

    return write


_WRITERS: Mapping[str, Writer] = {
    "ms": _time,
    "share": _share,
    "points": lambda value, _: ("points", digits(100 * value, 2)),
    **{unit: _money(unit) for unit in TEXT if unit.startswith("usd")},
}
