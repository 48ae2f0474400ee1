"""The policy: in which order, by which discipline and where jobs start."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ValidationInfo, field_validator, model_serializer, model_validator

from scheduler_core import registry, units
from scheduler_core.errors import InputError
from scheduler_core.registry import Param, ParamValue
from scheduler_core.scenario.fields import Part, Spec, fault
from scheduler_core.scenario.later import LATER_SETTINGS, is_later
from scheduler_core.scenario.paths import suggest

_DEPTH = Param(
    slug="depth",
    default=100,
    low=1,
    high=1_000_000,
    step=10,
    is_whole=True,
    unit="jobs",
    none_means="all",
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
    "strict": {"en": "Nobody passes a blocked job.", "zh": "不得越过被阻塞的作业。"},
    "best_effort": {"en": "Everything that fits starts.", "zh": "凡放得下的作业都启动。"},
    "easy": {
        "en": "Others may pass if they do not delay the first blocked job.",
        "zh": "不推迟首个被阻塞作业者可先行。",
    },
    "conservative": {"en": "Others may pass if they delay nobody ahead.", "zh": "不推迟前面任何作业者可先行。"},
}


def discipline_text(slug: str) -> Mapping[str, str]:
    """Return the one-line explanation of a discipline by language."""
    return _TEXT[slug]


class Choice(Part):
    """A word with its parameters; written ``fifo``, or ``{easy: {depth: 50}}``."""

    slug: str
    params: dict[str, ParamValue | Any] = {}  # noqa: RUF012

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if isinstance(value, str):
            return {"slug": value, "params": {}}
        if isinstance(value, Mapping):
            if set(value) == {"slug", "params"} or set(value) == {"slug"}:
                return dict(value)
            if len(value) == 1:
                slug, params = next(iter(value.items()))
                if isinstance(slug, str) and (params is None or isinstance(params, Mapping)):
                    return {"slug": slug, "params": dict(params or {})}
                if isinstance(slug, str):
                    return {"slug": slug, "params": {"": params}}
        raise fault("one word, or one word with its settings such as {easy: {depth: 100}}")

    @model_serializer
    def _write(self) -> object:
        return {self.slug: dict(self.params)} if self.params else self.slug

    def __str__(self) -> str:
        settings = ", ".join(f"{key}: {value}" for key, value in self.params.items())
        return f"{self.slug} ({settings})" if settings else self.slug


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
    if field == "discipline":
        return DISCIPLINES
    if field == "gang":
        return {"atomic": ()}
    found = registry.find({"order": "policies", "placement": "placements"}[field])
    return {slug: tuple(getattr(item, "params", ())) for slug, item in found.items()}


def default_settings(slug: str) -> dict[str, ParamValue]:
    """Return the settings of a word when the document states none."""
    for field in ("order", "discipline", "placement"):
        if slug in known_words(field):
            return {param.slug: param.default for param in known_words(field)[slug]}
    return {}


def complete(choice: Choice, field: str) -> Choice:
    """Return a choice with every setting stated and checked.

    Parameters
    ----------
    choice : Choice
        What the document says.
    field : str
        Which choice of the policy it is.

    Returns
    -------
    Choice
        The same word with all its settings, in their order; a word that is not available yet is left as it is.

    Raises
    ------
    PydanticCustomError
        If the word, a setting or its value is not allowed.
    """
    words, path = known_words(field), f"policy.{field}"
    if choice.slug not in words:
        if is_later(path, choice.slug):
            return choice
        raise fault(
            "",
            problem=f"{{path}} is {choice.slug!r}{suggest(choice.slug, words) or ';'} it must be one of "
            f"{', '.join(words)}.",
        )
    params = {param.slug: param for param in words[choice.slug]}
    later = LATER_SETTINGS.get((path, choice.slug), {})
    for key in choice.params:
        if key not in params and key not in later:
            raise fault(
                "", at=f"{choice.slug}.{key}" if key else choice.slug, problem=_unknown_setting(choice, key, params)
            )
    stated = {slug: _read_setting(choice, param) for slug, param in params.items()}
    return Choice(slug=choice.slug, params=stated | {key: choice.params[key] for key in later if key in choice.params})


def _unknown_setting(choice: Choice, key: str, params: Mapping[str, Param]) -> str:
    if not params:
        return f"{{path}} is not a setting; {choice.slug} has none."
    if not key:
        return f"{{path}} needs its settings by name: {', '.join(params)}."
    return f"{{path}} is not a setting of {choice.slug}{suggest(key, params) or ';'} it has {', '.join(params)}."


def _read_setting(choice: Choice, param: Param) -> ParamValue:
    try:
        return param.read(choice.params.get(param.slug, param.default), param.slug)
    except InputError as error:
        raise fault(error.allowed, at=f"{choice.slug}.{param.slug}", shown=error.value) from error


class Policy(Part):
    """How the scheduler decides."""

    preset: Annotated[
        str | None,
        Spec(
            text={"en": "Named policy applied first.", "zh": "首先应用的命名策略。"},
            unit="name",
            high=64,
            later="policy presets",
        ),
    ] = None
    order: Annotated[
        Choice,
        Spec(text={"en": "Which waiting job comes first.", "zh": "等待作业的先后顺序。"}, is_basic=True),
    ] = Choice(slug="fifo")
    discipline: Annotated[
        Choice,
        Spec(
            text={
                "en": "What a job that cannot start does to those behind it.",
                "zh": "无法启动的作业对其后作业的影响。",
            },
            is_basic=True,
        ),
    ] = Choice(slug="strict")
    isolation: Annotated[
        Literal["none", "borrow", "reclaim", "cells", "partition"],
        Spec(
            text={"en": "How firmly tenants' quotas are kept apart.", "zh": "租户配额之间的隔离程度。"}, later="quotas"
        ),
    ] = "none"
    reserve: Annotated[
        Any,
        Spec(
            text={"en": "Shares or windows kept for some jobs.", "zh": "为部分作业保留的份额或时段。"},
            later="reserved shares",
        ),
    ] = None
    preemption: Annotated[
        Any,
        Spec(text={"en": "Who may evict whom.", "zh": "谁可以抢占谁。"}, later="preemption"),
    ] = None
    placement: Annotated[
        Choice,
        Spec(text={"en": "Which nodes a job gets.", "zh": "作业分配到哪些节点。"}, is_basic=True),
    ] = Choice(slug="best_fit")
    gang: Annotated[
        Choice,
        Spec(text={"en": "Whether a gang starts all at once.", "zh": "成组作业是否一次全部启动。"}),
    ] = Choice(slug="atomic")
    start_latency: Annotated[
        int,
        Spec(
            text={"en": "Time between the decision and the start.", "zh": "从决策到启动的时间。"},
            unit="duration",
            low=0,
            high=units.MS_PER_UNIT["d"],
            step=1_000,
            later="start latency",
        ),
    ] = 0
    requeue: Annotated[
        Literal["keep_submit", "back", "eviction_time"],
        Spec(text={"en": "Place in line of an evicted job.", "zh": "被驱逐作业的排队位置。"}, later="preemption"),
    ] = "keep_submit"
    quota_blocked: Annotated[
        Literal["pass", "hold"],
        Spec(
            text={
                "en": "Whether a job stopped by its own quota holds up its tenant.",
                "zh": "受自身配额限制的作业是否阻塞本租户。",
            },
            later="quotas",
        ),
    ] = "pass"
    kill_at_limit: Annotated[
        bool,
        Spec(text={"en": "Whether a job that exceeds its limit is ended there.", "zh": "超过时限的作业是否被终止。"}),
    ] = False
    rounds: Annotated[
        Any,
        Spec(
            text={"en": "Decide only at multiples of a period.", "zh": "仅在周期整数倍时决策。"},
            later="scheduling rounds",
        ),
    ] = None
    change: Annotated[
        tuple[Any, ...],
        Spec(
            text={"en": "Changes of the policy during the run.", "zh": "运行期间的策略变更。"}, later="policy changes"
        ),
    ] = ()

    @field_validator("order", "discipline", "placement", "gang")
    @classmethod
    def _complete(cls, value: Choice, info: ValidationInfo) -> Choice:
        """State every setting of the word."""
        return complete(value, info.field_name or "")
