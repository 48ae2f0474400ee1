"""Why jobs wait: which part of the waiting time each of the twelve causes has.

Every waiting millisecond of every job has exactly one cause (docs/model.md 7), so the shares of a scope sum to 1.
"""

from collections.abc import Callable

from scheduler_core.kernels.tables import CAUSES
from scheduler_core.metrics._base import NOTHING, Metric, Value, words
from scheduler_core.metrics._view import View

WORDS = {
    "scheduler": ("the scheduler had not looked yet", "调度器尚未处理", "调度"),
    "reservation": ("GPUs were kept for somebody else", "GPU 为他人预留", "预留"),
    "order": ("it would start if it were first in line", "若排在队首即可启动", "排队顺序"),
    "quota": ("its tenant's fence, cap or borrowing limit stood in the way", "所属租户的围栏、上限或借用限制", "配额"),
    "topology": ("no free GPUs were close enough together", "没有足够靠近的空闲 GPU", "拓扑"),
    "type": ("free GPUs were of a type it does not accept", "空闲 GPU 类型不符", "型号"),
    "fragmentation": ("enough GPUs were free, in the wrong shape", "空闲 GPU 足够但形状不合", "碎片"),
    "gang_hold": ("others held GPUs for incomplete gangs", "其他未凑齐的作业组占着 GPU", "成组占用"),
    "grace": ("GPUs were still held by jobs told to leave", "等待被抢占作业退出", "宽限期"),
    "provisioning": ("new nodes were on their way", "新节点正在创建", "扩容"),
    "failure": ("nodes were down", "节点故障", "故障"),
    "capacity": ("too few GPUs were free", "空闲 GPU 不足", "容量"),
}
"""Cause -> what it says of the job, in English and Chinese, and its short Chinese name."""


def cause_share(at: int) -> Callable[[View], Value]:
    """Return the function that gives the share of the waiting time with one cause."""

    def share(view: View) -> Value:
        total = sum(view.cause_ms)
        return Value(view.cause_ms[at] / total) if total else NOTHING

    return share


def _metric(at: int, cause: str) -> Metric:
    english, chinese, short = WORDS[cause]
    name = cause.replace("_", " ")
    return Metric(
        slug=f"cause_{cause}_share",
        unit="share",
        better="none",
        range=(0, 1),
        source="docs/model.md 7",
        text=words(
            f"Waiting due to {name}",
            f"Share of the waiting time in which {english}.",
            f"等待原因：{short}",
            f"等待时间中由此造成的比例：{chinese}。",
        ),
        function=cause_share(at),
    )


METRICS = tuple(_metric(at, cause) for at, cause in enumerate(CAUSES))
