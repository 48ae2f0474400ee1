"""Preemption: who may be evicted for whom, in which order, and with how much notice."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import field_validator

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import Part, Spec, fault
from scheduler_core.scenario.paths import suggest
from scheduler_core.units import MS_PER_UNIT

_DAY_MS = MS_PER_UNIT["d"]
PIN_AFTER_GRACE_MS = 10 * MS_PER_UNIT["min"]
"""How long freed GPUs stay pinned after the grace when the document does not say."""

Scope = Literal["own_queue", "borrowers", "fair_share", "reservation"]
SCOPES: tuple[Scope, ...] = ("own_queue", "borrowers", "fair_share", "reservation")
"""From whom GPUs may be taken: lower priorities of the own tenant, tenants above their nominal, tenants above their
fair share, and whoever stands on a reserved share."""


class Preemption(Part):
    """Who may evict whom. Priorities are base priorities, never aged ones."""

    min_gap: Annotated[
        int | None,
        Spec(
            text={
                "en": "Least lead in priority over a victim in the own queue; null = never for priority alone.",
                "zh": "在本队列中抢占所需的最小优先级差；null 表示不因优先级抢占。",
            },
            unit="priority",
            low=0,
            high=1_000,
            step=50,
            source="article-000",
            is_basic=True,
        ),
    ] = None
    protect_at: Annotated[
        int | None,
        Spec(
            text={
                "en": "Jobs of at least this priority are never evicted; null = none is protected.",
                "zh": "优先级不低于此值的作业不会被驱逐；null 表示不保护。",
            },
            unit="priority",
            low=0,
            high=1_000,
            step=50,
        ),
    ] = None
    scope: Annotated[
        tuple[Scope, ...] | None,
        Spec(
            text={
                "en": "From whom GPUs may be taken; null = own_queue with a min_gap, borrowers under reclaim.",
                "zh": "可从谁处收回 GPU；null 表示设有 min_gap 时为 own_queue，reclaim 隔离下为 borrowers。",
            },
            options=SCOPES,
        ),
    ] = None
    victims: Annotated[
        Literal["lowest_priority", "youngest", "least_lost_work", "fewest"],
        Spec(
            text={
                "en": "Who is evicted first; ties fall to the latest start.",
                "zh": "优先驱逐哪些作业；相同则取最晚启动者。",
            },
            is_basic=True,
        ),
    ] = "lowest_priority"
    grace: Annotated[
        int,
        Spec(
            text={"en": "Notice before a victim's GPUs are taken.", "zh": "收回 GPU 前给被驱逐作业的宽限期。"},
            unit="duration",
            low=0,
            high=_DAY_MS,
            step=60_000,
            source="article-000",
            is_basic=True,
        ),
    ] = 0
    min_runtime: Annotated[
        int,
        Spec(
            text={
                "en": "Time since its latest start during which a job is not evicted.",
                "zh": "作业自最近一次启动起，在此时长内不会被驱逐。",
            },
            unit="duration",
            low=0,
            high=30 * _DAY_MS,
            step=60_000,
        ),
    ] = 0
    pin: Annotated[
        bool,
        Spec(
            text={
                "en": "Whether freed GPUs are kept for the job they were freed for.",
                "zh": "腾出的 GPU 是否只留给发起抢占的作业。",
            }
        ),
    ] = True
    pin_timeout: Annotated[
        int | None,
        Spec(
            text={
                "en": "How long freed GPUs are kept at most; null = the grace and 10 min.",
                "zh": "腾出的 GPU 最多保留多久；null 表示宽限期再加 10 分钟。",
            },
            unit="duration",
            low=0,
            high=_DAY_MS,
            step=60_000,
        ),
    ] = None
    suspend: Annotated[
        bool,
        Spec(
            text={
                "en": "Suspend victims instead of ending them: their GPUs stay taken, as in Slurm.",
                "zh": "挂起而不是终止被驱逐作业：其 GPU 仍被占用，与 Slurm 相同。",
            },
            source="slurm-preempt",
        ),
    ] = False

    @field_validator("scope", mode="before")
    @classmethod
    def _read_scope(cls, value: object) -> object:
        """Read a list of words; their order says nothing."""
        if value is None:
            return None
        allowed = Phrase("a list with some of {scopes}, each once", scopes=", ".join(SCOPES))
        if not isinstance(value, (list, tuple)) or not value:
            raise fault(allowed)
        for word in value:
            if word not in SCOPES:
                hint = suggest(word, SCOPES) if isinstance(word, str) else ""
                raise fault(
                    "",
                    problem=Phrase(
                        "{path} lists {word!r}{hint} it must be {allowed}.",
                        word=word,
                        hint=hint or Phrase(";"),
                        allowed=allowed,
                    ),
                )
        if len(set(value)) < len(value):
            raise fault(allowed)
        return tuple(word for word in SCOPES if word in value)

    @property
    def pinned_for(self) -> int:
        """How long freed GPUs stay pinned at most, in ms."""
        return self.grace + PIN_AFTER_GRACE_MS if self.pin_timeout is None else self.pin_timeout


def resolve(preemption: Preemption | None, isolation: str, *, is_preemptive: bool = False) -> Preemption | None:
    """Return the preemption in force, with its scope stated.

    Parameters
    ----------
    preemption : Preemption or None
        What the document says.
    isolation : str
        The policy's isolation.
    is_preemptive : bool
        Whether the order itself evicts (SRTF, LAS); it then needs no gap.

    Returns
    -------
    Preemption or None
        None if nobody is ever evicted.
    """
    found = preemption or Preemption()
    if found.scope is not None:
        return found
    default: Iterable[Scope] = ("own_queue",) if found.min_gap is not None or is_preemptive else ()
    scope: tuple[Scope, ...] = (*default, *(("borrowers",) if isolation == "reclaim" else ()))
    return found.model_copy(update={"scope": scope}) if scope else None
