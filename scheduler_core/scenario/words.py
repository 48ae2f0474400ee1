"""The words of the policy's choices and their settings: disciplines and gangs here, orders and placements by file."""

from collections.abc import Mapping

from scheduler_core import registry, units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param, ParamValue
from scheduler_core.scenario.later import is_later

_DEPTH = Param(
    slug="depth",
    default=100,
    low=1,
    high=1_000_000,
    step=10,
    is_whole=True,
    unit="jobs",
    none_means=Phrase("all"),
    text={
        "en": "How many jobs behind the first blocked one are looked at.",
        "zh": "查看第一个被阻塞作业之后的多少个作业。",
    },
)
DISCIPLINES: Mapping[str, tuple[Param, ...]] = {
    "strict": (),
    "best_effort": (),
    "easy": (
        _DEPTH,
        Param(
            slug="candidates",
            default="order",
            options=("order", "shortest"),
            text={
                "en": "Order in which jobs behind the first blocked one are tried.",
                "zh": "第一个被阻塞作业之后的作业按何种顺序尝试。",
            },
        ),
    ),
    "conservative": (
        _DEPTH,
        Param(
            slug="slots",
            default="kept",
            options=("kept", "recomputed"),
            text={
                "en": "Whether a job keeps its slot or all slots are planned anew.",
                "zh": "作业保留其时段，还是全部重新规划。",
            },
        ),
    ),
}
"""Slug -> parameters of each queue discipline."""

_TEXT = {
    "strict": {
        "en": (
            "Nobody passes a blocked job. Helps wide jobs, which nobody overtakes. "
            "Hurts small jobs, which wait while GPUs stand idle."
        ),
        "zh": "不得越过被阻塞的作业。大作业受益：没有作业抢在它前面。小作业受害：GPU 空闲时仍要等待。",
    },
    "best_effort": {
        "en": (
            "Everything that fits starts. Helps small jobs, and keeps GPUs busy. "
            "Hurts wide jobs, which may wait for ever while small ones keep coming."
        ),
        "zh": "凡放得下的作业都启动。小作业受益，GPU 也少有空闲。大作业受害：小作业不断到来时可能一直等不到。",
    },
    "easy": {
        "en": (
            "Others may pass if they do not delay the first blocked job. Helps short jobs with honest limits, which "
            "fill gaps. Hurts jobs behind the first, which may be delayed again and again."
        ),
        "zh": "不推迟首个被阻塞作业者可先行。时限如实的短作业受益，可填补空隙。首个之后的作业受害：可能一再被推迟。",
    },
    "conservative": {
        "en": (
            "Others may pass if they delay nobody ahead. Helps whoever needs a promised start: kept slots are not "
            "moved back while limits hold. Hurts short jobs, which find fewer gaps to pass through."
        ),
        "zh": (
            "不推迟前面任何作业者可先行。需要确定启动时间者受益：只要时限可信，保留的时段不会被推后。"
            "短作业受害：可插入的空隙更少。"
        ),
    },
    "atomic": {
        "en": (
            "A gang starts when all its GPUs are free at once, and holds none before. Helps everybody behind it: no "
            "GPU stands idle in its hands. Hurts wide gangs where all that fits starts: small jobs take what is free."
        ),
        "zh": (
            "所需 GPU 全部空闲时作业组才启动，此前一块也不占。排在后面的作业受益：没有 GPU 被空占。"
            "若放得下的先启动，大作业组受害：空出的 GPU 总被小作业拿走。"
        ),
    },
    "hold_and_wait": {
        "en": (
            "A trap, as without gang scheduling: a gang takes GPU by GPU, holds them idle, and gives all back if the "
            "rest does not come in time. Helps a gang that is nearly complete. Hurts everybody else: gangs hold each "
            "other up and nobody runs."
        ),
        "zh": (
            "陷阱，即没有成组调度的情形：作业组逐块占用 GPU，空占着等待其余的，限时内等不齐就全部归还。"
            "快要凑齐的作业组受益。其他作业受害：各组互相占着 GPU，谁也启动不了。"
        ),
    },
}


def word_text(slug: str) -> Mapping[str, str]:
    """Return what a discipline or a way in which gangs start does, when it helps and whom it hurts, by language."""
    return _TEXT[slug]


GANGS: Mapping[str, tuple[Param, ...]] = {
    "atomic": (),
    "hold_and_wait": (
        Param(
            slug="timeout",
            default=60_000,
            low=1,
            high=units.MS_PER_UNIT["d"],
            step=1_000,
            is_whole=True,
            unit="duration",
            text={
                "en": "How long a gang holds GPUs while the rest of it waits.",
                "zh": "成组作业占住 GPU 等待其余成员的最长时间。",
            },
        ),
    ),
}
"""Slug -> settings of each way in which a gang starts."""

_TABLES = {"discipline": DISCIPLINES, "gang": GANGS}
_KINDS = {"order": "policies", "placement": "placements"}


def all_words(field: str) -> Mapping[str, tuple[Param, ...]]:
    """Return the words of a choice whose settings are known, those that are not available yet included."""
    if field in _TABLES:
        return _TABLES[field]
    return {slug: tuple(getattr(item, "params", ())) for slug, item in registry.find(_KINDS[field]).items()}


def known_words(field: str) -> Mapping[str, tuple[Param, ...]]:
    """Return the words that a choice of the policy accepts now, with their settings.

    Parameters
    ----------
    field : str
        ``order``, ``discipline``, ``placement`` or ``gang``.

    Returns
    -------
    mapping of str to tuple of Param
        Word -> settings.
    """
    words = all_words(field)
    if field in _KINDS:
        return words
    return {slug: params for slug, params in words.items() if not is_later(f"policy.{field}", slug)}


def param_of(slug: str, setting: str) -> Param | None:
    """Return the parameter behind a setting of a word, None if there is none."""
    for field in (*_KINDS, *_TABLES):
        for param in all_words(field).get(slug, ()):
            if param.slug == setting:
                return param
    return None


def is_silent(slug: str, setting: str, value: object) -> bool:
    """Return whether a setting came later than its word and has its default, so that no hash mentions it."""
    param = param_of(slug, setting)
    return param is not None and param.is_silent and value == param.default


def default_settings(slug: str) -> dict[str, ParamValue]:
    """Return the settings of a word when the document states none."""
    for field in (*_KINDS, *_TABLES):
        if slug in all_words(field):
            return {param.slug: param.default for param in all_words(field)[slug]}
    return {}


def read_setting(param: Param, value: object, *, is_text: bool) -> ParamValue:
    """Return a setting as the engine needs it, a duration in ms.

    Parameters
    ----------
    param : Param
        What is known about the setting.
    value : object
        What was written.
    is_text : bool
        Whether a duration needs its unit, as in a document; without one it is taken as ms.

    Returns
    -------
    int, float, str or None
        The checked value.

    Raises
    ------
    InputError
        If it is not allowed.
    """
    written = value
    if param.unit == "duration" and (is_text or isinstance(value, str)) and value is not None:
        value = units.parse_duration(value, param.slug)
    try:
        return param.read(value, param.slug)
    except InputError as error:
        if param.unit != "duration":
            raise
        raise InputError(param.slug, written, allowed_setting(param)) from error


def allowed_setting(param: Param) -> Phrase:
    """Return what a setting may be; completes "it must be ..."."""
    if param.unit != "duration":
        return param.allowed
    low, high = (units.write_duration(int(bound)) for bound in (param.low, param.high))
    words = Phrase("a duration with a unit from {low} to {high}, for example 5min", low=low, high=high)
    return Phrase("{words}, or null ({none})", words=words, none=param.none_means) if param.none_means else words


def write_setting(slug: str, setting: str, value: ParamValue) -> ParamValue:
    """Return a setting as a document writes it: a duration with its unit."""
    param = param_of(slug, setting)
    if param is not None and param.unit == "duration" and isinstance(value, int):
        return units.write_duration(value)
    return value
