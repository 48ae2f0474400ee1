"""What an order of the waiting line is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.state import FIXED
from scheduler_core.registry import Param, ParamValue

MINUTE_MS = 60_000
Column = NDArray[np.integer] | NDArray[np.float64]


@dataclass(frozen=True)
class Received:
    """What the key of a running or returned job says about the work it has received.

    Attributes
    ----------
    kind : int
        FIXED, TIME_LEFT, SERVICE_LEFT, TIME_HAD or SERVICE_HAD (kernels/state.py).
    thresholds : tuple of int
        For the last two: work done after which a job ranks one queue lower, rising, in ms or GPU-ms.
    promote_milli : int
        Thousandths of its work that a job waits until that work is forgotten; 0 for never.
    """

    kind: int = FIXED
    thresholds: tuple[int, ...] = ()
    promote_milli: int = 0


@dataclass(frozen=True)
class Policy:
    """An order: it ranks waiting jobs and nothing else; the event loop exists once.

    Attributes
    ----------
    slug : str
        Name in the scenario document; equal to the module's name.
    source : str
        Where the order comes from.
    rank : kernel, optional
        `(jobs, params, row) -> float`; the smallest key starts first, ties fall to submit time, then
        row. None: submit time alone decides.
    within_group : str
        `submit` if the key is the same for all jobs of one shape, `static` if it never changes, else
        `dynamic`; then `rank` orders jobs of one shape and priority, and `key` or `share` all others.
    preemptive : bool
        Whether it evicts running jobs.
    params : tuple of Param
        Settings written `order: {slug: {name: value}}`, in the order of the kernel's `params`.
    name, text : mapping
        Short name, and two sentences per language: when it helps and whom it hurts.
    key : kernel, optional
        `(params, priority, wait_h, gpus, limit_h, weight) -> float`, evaluated at every pass; the smallest first.
        Beside `rank` jobs of one shape and priority stand in the order of `rank`; beside `column` they pass each other.
    share : kernel, optional
        `(m, numbers, line) -> int` sets TENANT_KEY of the tenants of a line; the smallest first, and within a
        tenant by submit.
    is_changing : callable, optional
        Whether ranks change with given settings, where that depends on them.
    column : callable, optional
        `(facts, settings) -> key of every job`, in place of `rank`: all jobs at once, from the columns in `reads`.
    reads : tuple of str
        Facts about jobs that `column` reads (engine/ordering.py).
    encode : callable, optional
        The settings as numbers for `key`, where they are not numbers and words.
    live : Received or callable
        What the key of a running or returned job says about work received, or what gives it for given settings;
        `rank` is the key before the first start.
    slope : callable, optional
        What a ms of later submit adds to the key, for given settings; 0 where the key knows no submit time.
    step : str, optional
        The setting, in minutes, after which the order changes by itself.
    """

    slug: str
    source: str
    rank: Any
    within_group: str
    preemptive: bool
    params: tuple[Param, ...]
    name: Mapping[str, str]
    text: Mapping[str, str]
    key: Any = None
    share: Any = None
    is_changing: Callable[[Mapping[str, ParamValue]], bool] | None = None
    column: Callable[[Mapping[str, Column], Mapping[str, ParamValue]], Column] | None = None
    reads: tuple[str, ...] = ()
    encode: Callable[[Mapping[str, ParamValue]], list[float]] | None = None
    live: Received | Callable[[Mapping[str, ParamValue]], Received] = field(default_factory=Received)
    slope: Callable[[Mapping[str, ParamValue]], int] | None = None
    step: str | None = None

    def changes(self, chosen: Mapping[str, ParamValue]) -> bool:
        """Say whether ranks change while jobs wait, with the settings `chosen`."""
        if self.is_changing is not None:
            return self.is_changing(self._complete(chosen))
        return self.within_group == "dynamic"

    def slope_of(self, chosen: Mapping[str, ParamValue]) -> int:
        """Return what a ms of later submit adds to the key, with the settings `chosen`."""
        return 0 if self.slope is None else self.slope(self._complete(chosen))

    def received(self, chosen: Mapping[str, ParamValue]) -> Received:
        """Return what keys say about work received, with the settings `chosen`."""
        return self.live if isinstance(self.live, Received) else self.live(self._complete(chosen))

    def _complete(self, chosen: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
        return {param.slug: chosen.get(param.slug, param.default) for param in self.params}

    def step_ms(self, chosen: Mapping[str, ParamValue]) -> int:
        """Return the time between two changes of the order in ms, 0 if none happens by itself."""
        if self.step is None:
            return 0
        default = next(param.default for param in self.params if param.slug == self.step)
        return round(float(chosen.get(self.step, default) or 0) * MINUTE_MS)

    def numbers(self, chosen: Mapping[str, ParamValue]) -> NDArray[np.float64]:
        """Return the settings as the kernel sees them: a word is its place among its options.

        Parameters
        ----------
        chosen : mapping of str to value
            What the document states; the rest takes its default.

        Returns
        -------
        ndarray of float64, shape (n_params,)
            In the order of `params`.
        """
        if self.encode is not None:
            return np.array(self.encode(self._complete(chosen)), np.float64)
        values = []
        for param in self.params:
            value = param.read(chosen.get(param.slug, param.default), f"policy.order.{self.slug}.{param.slug}")
            values.append(float(param.options.index(str(value)) if param.options else value or 0))
        return np.array(values, np.float64)
