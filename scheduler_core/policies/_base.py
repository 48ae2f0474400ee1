"""What an order of the waiting line is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.registry import Param, ParamValue


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
        `submit` if the key is the same for all jobs of one shape, else `static`.
    preemptive : bool
        Whether it evicts running jobs.
    params : tuple of Param
        Settings written `order: {slug: {name: value}}`, in the order of the kernel's `params`.
    name, text : mapping
        Short name, and two sentences per language: when it helps and whom it hurts.
    """

    slug: str
    source: str
    rank: Any
    within_group: str
    preemptive: bool
    params: tuple[Param, ...]
    name: Mapping[str, str]
    text: Mapping[str, str]

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
        values = []
        for param in self.params:
            value = param.read(chosen.get(param.slug, param.default), f"policy.order.{self.slug}.{param.slug}")
            values.append(float(param.options.index(str(value)) if param.options else value or 0))
        return np.array(values, np.float64)
