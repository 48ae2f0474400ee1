"""The policy: in which order, by which discipline and where jobs start."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import PrivateAttr, ValidationInfo, field_validator, model_serializer, model_validator

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param, ParamValue
from scheduler_core.scenario.fields import Part, Spec, fault, is_document
from scheduler_core.scenario.later import LATER_SETTINGS, is_later, pending
from scheduler_core.scenario.paths import suggest
from scheduler_core.scenario.preemption import Preemption
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.scenario.words import all_words, known_words, read_setting


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
        raise fault(Phrase("one word, or one word with its settings such as {{easy: {{depth: 100}}}}"))

    @model_serializer
    def _write(self) -> object:
        return {self.slug: dict(self.params)} if self.params else self.slug

    def __str__(self) -> str:
        settings = ", ".join(f"{key}: {value}" for key, value in self.params.items())
        return f"{self.slug} ({settings})" if settings else self.slug


def complete(choice: Choice, field: str, *, is_text: bool = False) -> Choice:
    """Return a choice with every setting stated and checked.

    Parameters
    ----------
    choice : Choice
        What the document says.
    field : str
        Which choice of the policy it is.
    is_text : bool
        Whether durations among the settings need their unit, as in a document.

    Returns
    -------
    Choice
        The same word with all its settings, in their order; a word that is not available yet is left as it is.

    Raises
    ------
    PydanticCustomError
        If the word, a setting or its value is not allowed.
    """
    words, path = all_words(field), f"policy.{field}"
    if choice.slug not in words:
        if is_later(path, choice.slug):
            return choice
        known = known_words(field)
        raise fault(
            "",
            problem=Phrase(
                "{path} is {slug!r}{hint} it must be one of {known}.",
                slug=choice.slug,
                hint=suggest(choice.slug, known) or Phrase(";"),
                known=", ".join(known),
            ),
        )
    params = {param.slug: param for param in words[choice.slug]}
    if set(choice.params) == {""} and len(params) == 1:  # {formula: "..."}: the only setting needs no name
        choice = Choice(slug=choice.slug, params={next(iter(params)): choice.params[""]})
    later = LATER_SETTINGS.get((path, choice.slug), {})
    for key in choice.params:
        if key not in params and key not in later:
            raise fault(
                "", at=f"{choice.slug}.{key}" if key else choice.slug, problem=_unknown_setting(choice, key, params)
            )
    stated = {slug: _read_setting(choice, param, is_text=is_text) for slug, param in params.items()}
    return Choice(slug=choice.slug, params=stated | {key: choice.params[key] for key in later if key in choice.params})


def _unknown_setting(choice: Choice, key: str, params: Mapping[str, Param]) -> Phrase:
    if not params:
        return Phrase("{path} is not a setting; {slug} has none.", slug=choice.slug)
    if not key:
        return Phrase("{path} needs its settings by name: {names}.", names=", ".join(params))
    return Phrase(
        "{path} is not a setting of {slug}{hint} it has {names}.",
        slug=choice.slug,
        hint=suggest(key, params) or Phrase(";"),
        names=", ".join(params),
    )


def _read_setting(choice: Choice, param: Param, *, is_text: bool) -> ParamValue:
    if param.slug not in choice.params:
        return param.default
    try:
        return read_setting(param, choice.params[param.slug], is_text=is_text)
    except InputError as error:
        raise fault(error.allowed, at=f"{choice.slug}.{param.slug}", shown=error.value) from error


_MOST_ITEMS = 100
_MOST_RESERVATIONS = 60  # each is one bit of a job, in 64
_FIXED = ("preset", "change")


class Rounds(Part):
    """Decisions at multiples of a period, counted from time 0."""

    every: Annotated[
        int,
        Spec(
            text={
                "en": "Time between two rounds; 0 = decide at every event.",
                "zh": "两轮间隔；0 表示每个事件都决策。",
            },
            unit="duration",
            low=0,
            high=30 * units.MS_PER_UNIT["d"],
            step=60_000,
            source="gu-2019-tiresias",
        ),
    ] = 0
    fill: Annotated[
        bool,
        Spec(
            text={
                "en": "Whether free GPUs are filled between rounds, in the last order and without evicting.",
                "zh": "两轮之间是否按上一轮顺序填充空闲 GPU（不驱逐）。",
            }
        ),
    ] = True


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
            text={
                "en": "How firmly tenants' quotas are kept apart; none = no quota is tested.",
                "zh": "租户配额之间的隔离程度；none 表示不检查配额。",
            },
            is_basic=True,
        ),
    ] = "none"
    reserve: Annotated[
        tuple[Reserve, ...] | None,
        Spec(
            text={"en": "Shares or windows kept for some jobs.", "zh": "为部分作业保留的份额或时段。"},
        ),
    ] = None
    preemption: Annotated[
        Preemption | None,
        Spec(
            text={
                "en": "Who may evict whom; null = nobody, save what isolation: reclaim implies.",
                "zh": "谁可以抢占谁；null 表示无抢占，isolation: reclaim 所隐含者除外。",
            },
        ),
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
        Spec(
            text={
                "en": "Place in line of an evicted job: by submit time, at the back, or as if submitted then.",
                "zh": "被驱逐作业的排队位置：按原提交时间、排到队尾，或视为被驱逐时才提交。",
            },
        ),
    ] = "keep_submit"
    quota_blocked: Annotated[
        Literal["pass", "hold"],
        Spec(
            text={
                "en": "Whether a job stopped by its own quota holds up its tenant.",
                "zh": "受自身配额限制的作业是否阻塞本租户。",
            },
        ),
    ] = "pass"
    kill_at_limit: Annotated[
        bool,
        Spec(text={"en": "Whether a job that exceeds its limit is ended there.", "zh": "超过时限的作业是否被终止。"}),
    ] = False
    rounds: Annotated[
        Rounds | None,
        Spec(
            text={
                "en": "Rank and evict only at multiples of a period; null = at every event.",
                "zh": "仅在周期整数倍时排序与驱逐；null 表示每个事件都决策。",
            },
        ),
    ] = None
    change: Annotated[
        "tuple[Change, ...]",
        Spec(
            text={
                "en": "Changes of the policy during the run, such as [{at: 7d, policy: {order: fifo}}].",
                "zh": "运行期间的策略变更，例如 [{at: 7d, policy: {order: fifo}}]。",
            },
            later=pending("policy changes"),
        ),
    ] = ()

    @field_validator("order", "discipline", "placement", "gang")
    @classmethod
    def _complete(cls, value: Choice, info: ValidationInfo) -> Choice:
        """State every setting of the word."""
        return complete(value, info.field_name or "", is_text=is_document(info))

    @field_validator("reserve", mode="before")
    @classmethod
    def _read_reserve(cls, value: object) -> object:
        """Take an empty list as null."""
        if value is None or value in ([], ()):
            return None
        if not isinstance(value, (list, tuple)) or len(value) > _MOST_RESERVATIONS:
            raise fault(
                Phrase(
                    "a list of at most {most_items} reservations, such as [{{for: {{tenant: x}}, share: 0.2}}]",
                    most_items=_MOST_RESERVATIONS,
                )
            )
        return value

    @field_validator("rounds")
    @classmethod
    def _check_rounds(cls, value: Rounds | None) -> Rounds | None:
        """Take rounds of no length as null: both decide at every event."""
        return value if value is not None and value.every > 0 else None

    @field_validator("change", mode="before")
    @classmethod
    def _read_change(cls, value: object) -> object:
        """Take null as an empty list."""
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)) or len(value) > _MOST_ITEMS:
            raise fault(
                Phrase(
                    "a list of at most {most_items} changes, such as [{{at: 7d, policy: {{order: fifo}}}}]",
                    most_items=_MOST_ITEMS,
                )
            )
        return value

    def steps(self) -> "tuple[tuple[int, Policy], ...]":
        """Return the policies in force one after the other, each whole, with the time in ms at which it begins."""
        found = [(0, self.model_copy(update={"change": ()}))]
        for change in self.change:
            stated = {name: getattr(change.policy, name) for name in change.stated}
            found.append((change.at, found[-1][1].model_copy(update=stated)))
        return tuple(found)

    def stages(self) -> "tuple[tuple[int, Policy], ...]":
        """Return the same policies, each with all others of the run as its changes: what one needs, all make room for.

        The steps of a stage are itself and then every policy of the run; times say nothing there.
        """
        steps = self.steps()
        if len(steps) == 1:
            return steps
        others = tuple(Change.model_construct(at=at, policy=policy) for at, policy in steps)
        return tuple((at, policy.model_copy(update={"change": others})) for at, policy in steps)


class Change(Part):
    """A change of the policy at a stated time; what it does not state stays as it was."""

    at: Annotated[
        int,
        Spec(
            text={"en": "When, from the start of the run.", "zh": "变更时刻，从运行开始计。"},
            unit="duration",
            low=0,
            high=units.LONGEST_MS,
            step=units.MS_PER_UNIT["h"],
        ),
    ]
    policy: Annotated[
        Policy,
        Spec(text={"en": "The settings that change; each is replaced whole.", "zh": "变更的设置，各自整体替换。"}),
    ]
    _stated: tuple[str, ...] = PrivateAttr(())

    @property
    def stated(self) -> tuple[str, ...]:
        """Names of the policy's fields that change; all of them where none was stated (`Policy.stages`)."""
        return self._stated or tuple(name for name in Policy.model_fields if name not in _FIXED)

    @model_validator(mode="after")
    def _check(self) -> "Change":
        self._stated = tuple(name for name in Policy.model_fields if name in self.policy.model_fields_set)
        for name in _FIXED:
            if name in self._stated:
                raise fault("", at=f"policy.{name}", problem=Phrase("{path} cannot be changed during a run."))
        if not self._stated:
            raise fault("", at="policy", problem=Phrase("{path} states nothing that changes, such as {{order: fifo}}."))
        return self


Policy.model_rebuild()
