"""The workload: how jobs arrive, and what each class of jobs is like."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import field_validator, model_validator

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.checkpoint import Checkpoint, JobShape, read_shape
from scheduler_core.scenario.durations import Duration, LimitRule, Priority
from scheduler_core.scenario.elastic import Elastic
from scheduler_core.scenario.fields import Part, Spec, fault, name_spec
from scheduler_core.scenario.later import pending
from scheduler_core.scenario.limits import limit
from scheduler_core.units import LONGEST_MS

_SUM_TOLERANCE = 1e-6


def check_shares(shares: Mapping[Any, object]) -> None:
    """Raise a fault unless the shares are numbers from 0 to 1 whose sum is 1."""
    for key, share in shares.items():
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
            raise fault(Phrase("a share from 0 to 1"), at=f"{key}")
    total = sum(float(share) for share in shares.values() if isinstance(share, (int, float)))
    if abs(total - 1) > _SUM_TOLERANCE:
        raise fault("", problem=Phrase("the shares of {path} sum to {total:.6g}; they must sum to 1.", total=total))


class LogRef(Part):
    """A job log, named by its content."""

    sha256: Annotated[str, Spec(text={"en": "SHA-256 of the file.", "zh": "文件的 SHA-256。"}, high=64)]
    format: Annotated[
        str, Spec(text={"en": "Format of the log, such as sacct.", "zh": "日志格式，例如 sacct。"}, high=64)
    ]
    options: Annotated[dict[str, Any], Spec(text={"en": "Settings of the importer.", "zh": "导入器设置。"})] = {}  # noqa: RUF012
    unit: Annotated[
        Literal["gpu", "processor"],
        Spec(text={"en": "What one unit of the cluster is.", "zh": "集群的一个单位代表什么。"}),
    ] = "gpu"
    procs_per_gpu: Annotated[
        int,
        Spec(
            text={"en": "Processors that count as one GPU.", "zh": "折算为一个 GPU 的处理器数。"},
            low=1,
            high=100_000,
            step=1,
        ),
    ] = 1

    @field_validator("sha256")
    @classmethod
    def _check_hash(cls, value: str) -> str:
        if len(value) != 64 or set(value) - set("0123456789abcdef"):
            raise fault(Phrase("64 hexadecimal digits"))
        return value


class JobRow(Part):
    """One job, listed by hand."""

    id: Annotated[str, Spec(text={"en": "Name of the job.", "zh": "作业名称。"}, unit="name", high=128)]
    tenant: Annotated[str, name_spec(text={"en": "Who submits it.", "zh": "提交者。"})]
    submit: Annotated[
        int,
        Spec(
            text={"en": "When it is submitted, from the start of the run.", "zh": "提交时刻，从运行开始计。"},
            unit="duration",
            low=0,
            high=LONGEST_MS,
            step=60_000,
        ),
    ]
    duration: Annotated[
        int,
        Spec(
            text={"en": "True run time.", "zh": "真实运行时长。"}, unit="duration", low=0, high=LONGEST_MS, step=60_000
        ),
    ]
    gpus: Annotated[
        int,
        Spec(
            text={"en": "GPUs of the gang.", "zh": "成组作业的 GPU 数。"}, unit="gpu", low=1, high=limit("gpus"), step=1
        ),
    ]
    limit: Annotated[
        int | None,
        Spec(
            text={"en": "The user's limit; null = none.", "zh": "用户时限；null 表示无。"},
            unit="duration",
            low=0,
            high=LONGEST_MS,
            step=3_600_000,
        ),
    ] = None
    priority: Annotated[
        int, Spec(text={"en": "Priority.", "zh": "优先级。"}, unit="priority", low=0, high=1_000, step=50)
    ] = 500
    gpu_types: Annotated[
        tuple[str, ...] | None,
        Spec(text={"en": "GPU types it accepts; null = any.", "zh": "接受的 GPU 型号；null 表示任意。"}),
    ] = None
    job_class: Annotated[
        str | None,
        Spec(text={"en": "Class it is counted in; null = its own.", "zh": "计入的作业类。"}, unit="name", high=64),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        """Accept the document's key `class`, which Python cannot name."""
        if isinstance(value, Mapping) and "class" in value:
            if "job_class" in value:
                raise fault(Phrase("a job with one class"))
            return {"job_class" if key == "class" else key: item for key, item in value.items()}
        return value


class Arrivals(Part):
    """Where jobs come from: a process, a job log, or a list."""

    process: Annotated[
        Literal["poisson", "bursty"] | None,
        Spec(
            text={
                "en": "Generated: Poisson, or bursty (15 % of arrivals are batches of mean size 10).",
                "zh": "生成方式：泊松，或突发（15% 的到达为平均 10 个作业的批次）。",
            },
            source="philly-2019",
            is_basic=True,
        ),
    ] = None
    day: Annotated[
        Literal["flat", "office"],
        Spec(
            text={
                "en": "Rate over the day: flat, or mostly 08:00 to 18:00.",
                "zh": "一天内的到达率：均匀，或集中在 08:00 至 18:00。",
            },
            source="philly-2019",
            is_basic=True,
        ),
    ] = "flat"
    week: Annotated[
        bool,
        Spec(
            text={"en": "Whether the rate follows the days of the week.", "zh": "到达率是否随星期变化。"},
            source="philly-2019",
        ),
    ] = False
    log: Annotated[LogRef | None, Spec(text={"en": "A job log to replay.", "zh": "要回放的作业日志。"})] = None
    jobs: Annotated[tuple[JobRow, ...] | None, Spec(text={"en": "Jobs listed here.", "zh": "此处列出的作业。"})] = None
    jobs_csv: Annotated[
        str | None,
        Spec(
            text={"en": "Jobs as CSV text with the columns of a listed job.", "zh": "CSV 文本形式的作业列表。"},
            high=limit("document_bytes"),
        ),
    ] = None

    @property
    def kind(self) -> str:
        """Where jobs come from: process, log, jobs or jobs_csv."""
        return next(name for name in ("process", "log", "jobs", "jobs_csv") if getattr(self, name) is not None)

    @model_validator(mode="after")
    def _check(self) -> "Arrivals":
        given = [name for name in ("process", "log", "jobs", "jobs_csv") if getattr(self, name) is not None]
        if len(given) != 1:
            raise fault("", problem=Phrase("{path} needs exactly one of process, log, jobs and jobs_csv."))
        if given != ["process"] and (self.day != "flat" or self.week):
            raise fault(
                "",
                problem=Phrase(
                    "{path} takes its times from {given}; day and week belong to a process.", given=given[0]
                ),
            )
        if self.jobs is not None and len(self.jobs) > limit("listed_jobs"):
            raise fault(Phrase("a list of at most {listed_jobs:,} jobs", listed_jobs=limit("listed_jobs")), at="jobs")
        return self


class JobClass(Part):
    """Jobs of one kind, from one tenant."""

    name: Annotated[str, name_spec(text={"en": "Name of the class.", "zh": "作业类名称。"})]
    tenant: Annotated[str, name_spec(text={"en": "Who submits these jobs.", "zh": "提交这些作业的租户。"})]
    per_day: Annotated[
        float,
        Spec(
            text={"en": "Mean number of jobs a day.", "zh": "平均每天作业数。"},
            unit="jobs per day",
            low=0,
            high=limit("jobs"),
            step=1,
            is_basic=True,
        ),
    ] = 0.0
    gpus: Annotated[
        dict[int, float],
        Spec(
            text={
                "en": "GPUs of a job, as size: share of jobs; or one number.",
                "zh": "作业 GPU 数，写作 规模：占比；或一个数。",
            },
            unit="gpu",
            low=1,
            high=limit("gpus"),
            step=1,
            is_basic=True,
        ),
    ] = {1: 1.0}  # noqa: RUF012
    gpu_types: Annotated[
        tuple[str, ...] | None,
        Spec(text={"en": "GPU types these jobs accept; null = any.", "zh": "接受的 GPU 型号；null 表示任意。"}),
    ] = None
    duration: Annotated[Duration, Spec(text={"en": "How long jobs run.", "zh": "作业运行多久。"}, is_basic=True)] = (
        Duration(fixed=3_600_000)
    )
    limit: Annotated[
        LimitRule | None,
        Spec(text={"en": "The limit users state; null = none.", "zh": "用户声明的时限；null 表示无。"}),
    ] = None
    priority: Annotated[Priority, Spec(text={"en": "Priority of these jobs.", "zh": "作业优先级。"}, is_basic=True)] = (
        Priority(fixed=500)
    )
    preemptible: Annotated[
        bool, Spec(text={"en": "Whether these jobs may be evicted.", "zh": "作业是否可被驱逐。"})
    ] = True
    shape: Annotated[
        JobShape | None,
        Spec(
            text={
                "en": "Nodes and GPUs on each, instead of gpus; null = as placement finds them.",
                "zh": "节点数与每节点 GPU 数，代替 gpus；null 表示由放置规则决定。",
            },
        ),
    ] = None
    fraction: Annotated[
        float | None,
        Spec(
            text={"en": "Part of one GPU a job uses.", "zh": "作业使用的 GPU 份额。"},
            low=0,
            is_above=True,
            high=1,
            later="fractions of a GPU",
        ),
    ] = None
    cpus_per_gpu: Annotated[
        float | None,
        Spec(
            text={
                "en": "CPU cores for each GPU; counted in dominant shares, not placed.",
                "zh": "每 GPU 的 CPU 核数；计入主导份额，不参与放置。",
            },
            unit="cores",
            low=0,
            high=10_000,
            later=pending("CPU cores of jobs"),
        ),
    ] = None
    mem_gb_per_gpu: Annotated[
        float | None,
        Spec(
            text={
                "en": "Memory for each GPU; counted in dominant shares, not placed.",
                "zh": "每 GPU 的内存；计入主导份额，不参与放置。",
            },
            unit="GB",
            low=0,
            high=1_000_000,
            later=pending("memory of jobs"),
        ),
    ] = None
    checkpoint: Annotated[
        Checkpoint | None,
        Spec(
            text={
                "en": "How these jobs save their work; null = they do not, and lose all of it.",
                "zh": "作业如何保存进度；null 表示不保存，被驱逐即全部丢失。",
            },
        ),
    ] = None
    locality: Annotated[
        Any, Spec(text={"en": "How near together the GPUs must be.", "zh": "GPU 之间需要多近。"}, later="locality")
    ] = None
    outcome: Annotated[
        Any,
        Spec(
            text={"en": "Shares that complete, fail or are cancelled.", "zh": "完成、失败、取消的比例。"},
            later="outcomes",
        ),
    ] = None
    service: Annotated[
        Any,
        Spec(text={"en": "Replicas of a service by time of day.", "zh": "服务副本数随时间的变化。"}, later="services"),
    ] = None
    asked_over_used: Annotated[
        float,
        Spec(
            text={"en": "GPUs asked for over GPUs used.", "zh": "申请与实际使用 GPU 之比。"},
            low=1,
            high=1_000,
            later="over-asking",
        ),
    ] = 1.0

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        """Read `gpus: {fraction: x}`, and refuse a class that leaves out what jobs are like."""
        if not isinstance(value, Mapping):
            return value
        read = dict(value)
        gpus = read.get("gpus")
        if isinstance(gpus, Mapping) and set(gpus) == {"fraction"}:
            del read["gpus"]
            read["fraction"] = gpus["fraction"]
        read_shape(read)
        needed = [] if read.get("service") else ["per_day", "duration"]
        needed += [] if read.get("service") or read.get("shape") or read.get("fraction") else ["gpus"]
        for name in needed:
            if name not in read:
                raise fault("", at=name, problem=Phrase("{path} is missing; {missing}.", missing=MISSING[name]))
        return read

    @field_validator("gpus", mode="before")
    @classmethod
    def _read_gpus(cls, value: object) -> object:
        """Read a number, or sizes with their shares; sizes come out ascending."""
        allowed = Phrase(
            "a whole number of GPUs from 1 to {gpus:,}, or sizes with shares such as {{1: 0.9, 8: 0.1}}",
            gpus=limit("gpus"),
        )
        if isinstance(value, int) and not isinstance(value, bool):
            value = {value: 1.0}
        if not isinstance(value, Mapping) or not value or len(value) > limit("sizes"):
            raise fault(allowed)
        sizes: dict[int, object] = {}
        for key, share in value.items():
            size = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 10 else key
            if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= limit("gpus"):
                raise fault(
                    "",
                    problem=Phrase("{path} has a size {key!r}; a size is a whole number of GPUs from 1 on.", key=key),
                )
            sizes[size] = share
        check_shares(sizes)
        return dict(sorted(sizes.items()))


MISSING = {
    "per_day": Phrase("state how many jobs come a day, for example per_day: 40"),
    "duration": Phrase("state how long jobs run, for example duration: {{lognormal: {{median: 1h, mean: 2h}}}}"),
    "gpus": Phrase("state the GPUs of a job, for example gpus: 8 or gpus: {{1: 0.9, 8: 0.1}}"),
}


class Workload(Part):
    """Everything that asks for GPUs."""

    arrivals: Annotated[Arrivals, Spec(text={"en": "How jobs arrive.", "zh": "作业如何到达。"}, is_basic=True)]
    classes: Annotated[
        tuple[JobClass, ...], Spec(text={"en": "Classes of jobs.", "zh": "作业类。"}, is_basic=True)
    ] = ()
    backlog_gpu_h: Annotated[
        float,
        Spec(
            text={
                "en": "Work waiting at the start, drawn from the classes; it keeps GPUs busy and is in no job metric.",
                "zh": "开始时的积压，按作业类抽取；占用 GPU，但不计入作业指标。",
            },
            unit="GPU hours",
            low=0,
            high=1e9,
            step=1_000,
        ),
    ] = 0.0
    elastic: Annotated[
        Elastic | None,
        Spec(
            text={
                "en": "Work that appears only while waits are short or quota is free.",
                "zh": "仅在等待较短或配额有空闲时出现的工作。",
            }
        ),
    ] = None
