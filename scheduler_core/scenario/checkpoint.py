"""What jobs are like beyond size and time: how they save their work, and on which nodes they stand."""

from typing import Annotated, Any

from pydantic import ValidationError

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import DOCUMENT, Part, Spec, fault
from scheduler_core.scenario.limits import limit
from scheduler_core.units import MS_PER_UNIT

_MINUTE_MS = MS_PER_UNIT["min"]
_DAY_MS = MS_PER_UNIT["d"]


class Checkpoint(Part):
    """How a job saves its work, and what that costs."""

    every: Annotated[
        int,
        Spec(
            text={"en": "Useful work between two saves.", "zh": "两次保存之间的有效工作时长。"},
            unit="duration",
            low=1_000,
            high=30 * _DAY_MS,
            step=5 * _MINUTE_MS,
            is_basic=True,
        ),
    ] = 30 * _MINUTE_MS
    cost: Annotated[
        int,
        Spec(
            text={"en": "Time a save takes; work stops meanwhile.", "zh": "一次保存的耗时，期间工作暂停。"},
            unit="duration",
            low=0,
            high=_DAY_MS,
            step=_MINUTE_MS,
            is_basic=True,
        ),
    ] = 2 * _MINUTE_MS
    restart: Annotated[
        int,
        Spec(
            text={"en": "Time before an evicted job works again.", "zh": "被驱逐作业重启后恢复工作前的耗时。"},
            unit="duration",
            low=0,
            high=_DAY_MS,
            step=_MINUTE_MS,
            is_basic=True,
        ),
    ] = 8 * _MINUTE_MS


class JobShape(Part):
    """A gang as nodes of equal parts: each part on a node of its own."""

    nodes: Annotated[
        int,
        Spec(
            text={"en": "Nodes of the gang.", "zh": "成组作业的节点数。"},
            unit="nodes",
            low=1,
            high=limit("nodes"),
            step=1,
            is_basic=True,
        ),
    ]
    gpus_per_node: Annotated[
        int,
        Spec(
            text={"en": "GPUs on each of them.", "zh": "每个节点上的 GPU 数。"},
            unit="gpu",
            low=1,
            high=limit("gpus_per_node"),
            step=1,
            is_basic=True,
        ),
    ]

    @property
    def gpus(self) -> int:
        """GPUs of the whole gang."""
        return self.nodes * self.gpus_per_node


def read_shape(read: dict[str, Any]) -> None:
    """State the GPUs of a class that has a shape; refuse others than its shape gives."""
    shape = read.get("shape")
    if shape is None:
        return
    try:
        gpus = JobShape.model_validate(shape, context=DOCUMENT).gpus
    except ValidationError:
        gpus = 1  # the shape's own fault is told; this one stands in
    stated = read.get("gpus")
    if stated not in (None, gpus) and stated not in ({gpus: 1}, {f"{gpus}": 1}) and gpus > 1:
        raise fault(Phrase("left out, or {gpus:,}: the GPUs of the shape", gpus=gpus), at="gpus")
    read["gpus"] = min(gpus, limit("gpus"))
