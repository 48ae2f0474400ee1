"""Reservations: a share of the GPUs, or nodes during a window, kept for some jobs."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import field_validator, model_validator

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import KEYS, OneOf, Part, Spec, fault, name_spec
from scheduler_core.scenario.limits import limit
from scheduler_core.units import LONGEST_MS, MILLI

_HOUR_MS = units.MS_PER_UNIT["h"]


def read_keys(value: object) -> object:
    """Return a mapping with the document's keys `for`, `class` and `from` turned into fields."""
    if not isinstance(value, Mapping):
        return value
    for key, name in KEYS.items():
        if key in value and name in value:
            raise fault("", at=key, problem=Phrase("{path} stands twice, as {key} and as {name}.", key=key, name=name))
    return {KEYS.get(key, key): item for key, item in value.items()}


class ReserveFor(OneOf):
    """Whom something is kept for; write exactly one of the keys."""

    priority_below: Annotated[
        int | None,
        Spec(
            text={"en": "Jobs below this priority.", "zh": "优先级低于此值的作业。"},
            unit="priority",
            low=0,
            is_above=True,
            high=1_000,
            step=50,
            source="article-000",
        ),
    ] = None
    tenant: Annotated[
        str | None, name_spec(text={"en": "Jobs of this tenant and of those below it.", "zh": "该租户及其下级的作业。"})
    ] = None
    job_class: Annotated[str | None, name_spec(text={"en": "Jobs of this class.", "zh": "该类作业。"})] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if not isinstance(value, (cls, Mapping)):
            raise fault(Phrase("one of priority_below, tenant, class as a key, such as {{priority_below: 0.4}}"))
        return cls.check_one_key(read_keys(value))


class Reserve(Part):
    """One reservation: a share of the GPUs at all times, or named nodes during a window."""

    who: Annotated[ReserveFor, Spec(text={"en": "Whom it is kept for.", "zh": "为谁保留。"}, is_basic=True)]
    share: Annotated[
        float | None,
        Spec(
            text={
                "en": "Share of the GPUs they may use; others use it while none of them waits.",
                "zh": "其可用 GPU 中保留的比例；无此类作业等待时他人可用。",
            },
            unit="share",
            low=0,
            high=1,
            step=0.05,
            source="article-000",
            is_basic=True,
        ),
    ] = None
    nodes: Annotated[
        tuple[int, ...] | None,
        Spec(
            text={
                "en": "Nodes of a window, numbered from 0 through all pools.",
                "zh": "时段所含节点，按资源池顺序从 0 编号。",
            },
        ),
    ] = None
    begin: Annotated[
        int | None,
        Spec(
            text={
                "en": "Start of the window; jobs whose limit crosses it do not start there.",
                "zh": "时段开始；时限跨越此刻的作业不会在这些节点启动。",
            },
            unit="duration",
            low=0,
            high=LONGEST_MS,
            step=_HOUR_MS,
        ),
    ] = None
    to: Annotated[
        int | None,
        Spec(
            text={"en": "End of the window.", "zh": "时段结束。"},
            unit="duration",
            low=0,
            high=LONGEST_MS,
            step=_HOUR_MS,
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        return read_keys(value)

    @field_validator("share")
    @classmethod
    def _check_share(cls, value: float | None) -> float | None:
        try:
            units.to_milli(value or 0.0)
        except InputError as error:
            raise fault(Phrase("a share from 0 to 1 with at most three decimals")) from error
        return value

    @field_validator("nodes", mode="before")
    @classmethod
    def _read_nodes(cls, value: object) -> object:
        """Read a list of node numbers; they come out ascending."""
        if value is None:
            return None
        allowed = Phrase("a list of different node numbers from 0 on, such as [3, 4]")
        if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= limit("nodes"):
            raise fault(allowed)
        if any(isinstance(node, bool) or not isinstance(node, int) or node < 0 for node in value):
            raise fault(allowed)
        if len(set(value)) < len(value):
            raise fault(allowed)
        return tuple(sorted(value))

    @model_validator(mode="after")
    def _check(self) -> "Reserve":
        window = (self.nodes, self.begin, self.to)
        is_whole = all(part is not None for part in window)
        if (self.share is None) != is_whole or (self.share is not None and any(part is not None for part in window)):
            raise fault("", problem=Phrase("{path} needs either share, or all of nodes, from and to."))
        if self.begin is not None and self.to is not None and self.begin >= self.to:
            raise fault(Phrase("before to ({to})", to=units.write_duration(self.to)), at="begin")
        return self

    @property
    def is_window(self) -> bool:
        """Whether it names nodes and a window, not a share."""
        return self.share is None

    @property
    def share_milli(self) -> int:
        """The share in thousandths; 0 for a window."""
        return units.to_milli(self.share or 0.0)

    def gpus_of(self, gpus: int) -> int:
        """Return how many of `gpus` GPUs are kept: the share of them, rounded down exactly."""
        return self.share_milli * gpus // MILLI
