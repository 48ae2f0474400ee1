"""The policy: in which order, by which discipline and where jobs start."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import model_serializer, model_validator

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.registry import Param, ParamValue
from scheduler_core.scenario.fields import Part, Spec, fault

_DEPTH = Param(
    slug="depth", default=100, low=1, high=1_000_000, step=10, is_whole=True, unit="jobs", none_means="all",
    text={"en": "How many jobs behind the first blocked one are looked at.", "zh": "查看第一个被阻塞作业之后的多少个作业。"},
)
DISCIPLINES: Mapping[str, tuple[Param, ...]] = {
    "strict": (),
    "best_effort": (),
    "easy": (
        _DEPTH,
        Param(
            slug="candidates", default="order", options=("order", "shortest"),
            text={"en": "Order in which jobs behind the first blocked one are tried.", "zh": "第一个被阻塞作业之后的作业按何种顺序尝试。"},
        ),
    ),
    "conservative": (
        _DEPTH,
        Param(
            slug="slots", default="kept", options=("kept", "recomputed"),
            text={"en": "Whether a job keeps its slot or all slots are planned anew.", "zh": "作业保留其时段,还是全部重新规划。"},
        ),
    ),
}
"""Slug -> parameters of each queue discipline."""

_TEXT = {
    "strict": {"en": "Nobody passes a blocked job.", "zh": "不得越过被阻塞的作业。"},
    "best_effort": {"en": "Everything that fits starts.", "zh": "凡放得下的作业都启动。"},
    "easy": {"en": "Others may pass if they do not delay the first blocked job.", "zh": "不推迟首个被阻塞作业者可先行。"},
    "conservative": {"en": "Others may pass if they delay nobody ahead.", "zh": "不推迟前面任何作业者可先行。"},
}


def discipline_text(slug: str) -> Mapping[str, str]:
    """Return the one-line explanation of a discipline by language."""
    return _TEXT[slug]


class Choice(Part):
    """A word with its parameters; written ``fifo``, or ``{easy: {depth: 50}}``."""

    slug: str
    params: dict[str, ParamValue | Any] = {}

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


def complete(choice: Choice, params: tuple[Param, ...], path: str) -> Choice:
    """Return `choice` with every parameter stated and checked.

    Parameters
    ----------
    choice : Choice
        What the document says.
    params : tuple of Param
        What the word accepts.
    path : str
        Where the choice stands.

    Returns
    -------
    Choice
        The same word with all its parameters, in the order of `params`.

    Raises
    ------
    InputError
        If a parameter is unknown or not allowed.
    """
    known = {param.slug: param for param in params}
    for key, value in choice.params.items():
        if key not in known:
            where = ".".join(word for word in (path, choice.slug, key) if word)
            words = f"one of {', '.join(known)}" if known else f"absent ({choice.slug} has no settings)"
            raise InputError(where, value if key == "" or not known else key, words)
    stated = {
        slug: param.read(choice.params.get(slug, param.default), f"{path}.{choice.slug}.{slug}")
        for slug, param in known.items()
    }
    return Choice(slug=choice.slug, params=stated)


class Policy(Part):
    """How the scheduler decides."""

    preset: Annotated[
        str | None,
        Spec(text={"en": "Named policy applied first.", "zh": "首先应用的命名策略。"}, unit="name", high=64,
             later="policy presets"),
    ] = None
    order: Annotated[
        Choice,
        Spec(text={"en": "Which waiting job comes first.", "zh": "等待作业的先后顺序。"}, is_basic=True),
    ] = Choice(slug="fifo")
    discipline: Annotated[
        Choice,
        Spec(text={"en": "What a job that cannot start does to those behind it.", "zh": "无法启动的作业对其后作业的影响。"},
             is_basic=True),
    ] = Choice(slug="strict")
    isolation: Annotated[
        Literal["none", "borrow", "reclaim", "cells", "partition"],
        Spec(text={"en": "How firmly tenants' quotas are kept apart.", "zh": "租户配额之间的隔离程度。"}, later="quotas"),
    ] = "none"
    reserve: Annotated[
        Any,
        Spec(text={"en": "Shares or windows kept for some jobs.", "zh": "为部分作业保留的份额或时段。"}, later="reserved shares"),
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
        Spec(text={"en": "Time between the decision and the start.", "zh": "从决策到启动的时间。"}, unit="duration", low=0,
             high=units.MS_PER_UNIT["d"], step=1_000, later="start latency"),
    ] = 0
    requeue: Annotated[
        Literal["keep_submit", "back", "eviction_time"],
        Spec(text={"en": "Place in line of an evicted job.", "zh": "被驱逐作业的排队位置。"}, later="preemption"),
    ] = "keep_submit"
    quota_blocked: Annotated[
        Literal["pass", "hold"],
        Spec(text={"en": "Whether a job stopped by its own quota holds up its tenant.", "zh": "受自身配额限制的作业是否阻塞本租户。"},
             later="quotas"),
    ] = "pass"
    kill_at_limit: Annotated[
        bool,
        Spec(text={"en": "Whether a job that exceeds its limit is ended there.", "zh": "超过时限的作业是否被终止。"}),
    ] = False
    rounds: Annotated[
        Any,
        Spec(text={"en": "Decide only at multiples of a period.", "zh": "仅在周期整数倍时决策。"}, later="scheduling rounds"),
    ] = None
    change: Annotated[
        Any,
        Spec(text={"en": "Changes of the policy during the run.", "zh": "运行期间的策略变更。"}, later="policy changes"),
    ] = ()
