"""Tenants: who shares the cluster, and which fence keeps them apart."""

from typing import Annotated, Any

from scheduler_core.scenario.fields import Part, Spec, name_spec
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
            text={"en": "GPUs the tenant is entitled to.", "zh": "租户应得的 GPU 数。"},
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
            later="quotas",
        ),
    ] = None
    guarantee_gpus: Annotated[
        int | None,
        Spec(
            text={
                "en": "GPUs nobody else may hold while the tenant needs them.",
                "zh": "租户需要时他人不得占用的 GPU 数。",
            },
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
            later="quotas",
        ),
    ] = None
    borrow_gpus: Annotated[
        Any,
        Spec(
            text={
                "en": "GPUs it may use above its nominal, or unlimited.",
                "zh": "可超出额定使用的 GPU 数，或 unlimited。",
            },
            unit="gpu",
            later="quotas",
        ),
    ] = None
    lend_gpus: Annotated[
        int | None,
        Spec(
            text={"en": "GPUs others may borrow from it.", "zh": "可借给其他租户的 GPU 数。"},
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
            later="quotas",
        ),
    ] = None
    cap_gpus: Annotated[
        int | None,
        Spec(
            text={"en": "GPUs it may never exceed.", "zh": "不得超过的 GPU 数。"},
            unit="gpu",
            low=0,
            high=limit("gpus"),
            step=8,
            later="quotas",
        ),
    ] = None
    parent: Annotated[
        str | None,
        Spec(
            text={"en": "Tenant above it in the quota tree.", "zh": "配额树中的上级租户。"},
            unit="name",
            high=limit("name_characters"),
            later="quota trees",
        ),
    ] = None
