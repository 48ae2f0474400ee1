"""Tenants: who shares the cluster, and which fence keeps them apart."""

from typing import Annotated, Literal

from pydantic import field_validator

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import Part, Spec, fault, name_spec
from scheduler_core.scenario.limits import limit


class Tenant(Part):
    """Somebody who submits jobs: a team, an account or a user."""

    name: Annotated[str, name_spec(text={"en": "Name of the tenant.", "zh": "租户名称。"})]
    pool: Annotated[
        str | None,
        Spec(
            text={
                "en": "Fence: its jobs stay in this pool and nobody else enters; null = all pools nobody names.",
                "zh": "围栏：作业只在该资源池运行，且其他租户不得进入；null 表示所有无人指定的资源池。",
            },
            unit="name",
            high=limit("name_characters"),
            is_basic=True,
        ),
    ] = None
    weight: Annotated[
        float,
        Spec(
            text={
                "en": "Weight against other tenants where an order or a metric shares by weight.",
                "zh": "按权重分配的排序或指标中的权重。",
            },
            low=0,
            is_above=True,
            high=1_000_000,
            step=0.5,
        ),
    ] = 1.0
    nominal_gpus: Annotated[
        int | None,
        Spec(
            text={
                "en": "GPUs the tenant is entitled to; null = those of the tenants below it, else 0.",
                "zh": "租户应得的 GPU 数；null 表示其下级之和，无下级则为 0。",
            },
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
        ),
    ] = None
    guarantee_gpus: Annotated[
        int | None,
        Spec(
            text={
                "en": "Part of its nominal that is never lent; null = as isolation says.",
                "zh": "额定中绝不外借的部分；null 表示由隔离级别决定。",
            },
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
        ),
    ] = None
    borrow_gpus: Annotated[
        int | Literal["unlimited"] | None,
        Spec(
            text={
                "en": "GPUs it may use above its nominal, or unlimited; null = as isolation says.",
                "zh": "可超出额定使用的 GPU 数，或 unlimited；null 表示由隔离级别决定。",
            },
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
        ),
    ] = None
    lend_gpus: Annotated[
        int | None,
        Spec(
            text={
                "en": "GPUs others may borrow from it at most; null = nominal less guarantee.",
                "zh": "最多可借给其他租户的 GPU 数；null 表示额定减保证。",
            },
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
        ),
    ] = None
    cap_gpus: Annotated[
        int | None,
        Spec(
            text={"en": "GPUs it may never exceed; null = no cap.", "zh": "不得超过的 GPU 数；null 表示无上限。"},
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
        ),
    ] = None
    parent: Annotated[
        str | None,
        Spec(
            text={
                "en": "Tenant above it in the quota tree; jobs belong to tenants that have nobody below.",
                "zh": "配额树中的上级租户；作业只属于没有下级的租户。",
            },
            unit="name",
            high=limit("name_characters"),
        ),
    ] = None

    @field_validator("borrow_gpus", mode="before")
    @classmethod
    def _read_borrow(cls, value: object) -> object:
        """Read a number, or the word unlimited."""
        if value is None or value == "unlimited":
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= limit("gpus"):
            raise fault(Phrase("unlimited, or a whole number from 0 to {gpus:,} (gpu)", gpus=limit("gpus")))
        if value != int(value):
            raise fault(Phrase("unlimited, or a whole number from 0 to {gpus:,} (gpu)", gpus=limit("gpus")))
        return int(value)
