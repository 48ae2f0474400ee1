"""What a log format is, and the neutral job frame every format is read into.

A format is one file of this package that exports `FORMAT`. It says how sure it is that a file is one of its own, and
turns a `Source` into a `Parsed`: one row a job, with the columns of `COLUMNS`. Everything after that (times counted
from scheduler_core.phrases import Phrase
from the first submit, re-runs, the report, the job table of the engine) is the same for all formats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param, ParamValue, TextParam
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._source import Source
from scheduler_core.traces._texts import Message, texts

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Options = Mapping[str, ParamValue]

NUMBER_COLUMNS = (
    "submit_time_s",
    "eligible_time_s",
    "start_time_s",
    "duration_s",
    "requested_s",
    "gpus",
    "priority",
    "cpus",
    "mem_gb",
    "nodes",
)
TEXT_COLUMNS = ("account", "user", "gpu_type", "qos", "partition", "state")
WHOLE_COLUMNS = ("attempts", "count", "source_row")

COLUMNS = ("job_id", "tenant", *TEXT_COLUMNS, *NUMBER_COLUMNS, *WHOLE_COLUMNS, "is_gang")
"""Columns of the neutral job frame: times in seconds, NaN where the log does not say."""


@dataclass
class Parsed:
    """A log as its format reads it, before anything common to all formats is done.

    Attributes
    ----------
    frame : pandas.DataFrame
        The columns of `COLUMNS` except ``tenant``; times in seconds on the clock of the log, in the order of the file.
    rows_read : int
        Lines that hold data (not blank, no comment, no header).
    steps : int
        Lines that belong to a job on another line.
    time_zone : str
        Zone of the times in words of the log or of the options; empty when it is not known.
    epoch_s : float
        What to add to a time of the frame to get seconds since 1970; NaN when the log does not say.
    max_procs : float
        Processors of the machine as the log states them; NaN when it does not.
    unknown_gpus : int
        Jobs whose GPUs the log does not tell.
    warnings, cannot_say : list of Message
        For the report.
    """

    frame: pd.DataFrame
    rows_read: int
    steps: int = 0
    time_zone: str = ""
    epoch_s: float = 0.0
    max_procs: float = float("nan")
    unknown_gpus: int = 0
    warnings: list[Message] = field(default_factory=list)
    cannot_say: list[Message] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Format:
    """A log format.

    Attributes
    ----------
    slug : str
        The word by which documents and commands call it; the name of its file.
    detect : callable
        From the first 64 KiB of text to how sure it is, 0 (not mine) to 1 (certainly mine).
    parse : callable
        From source, options and ledger to `Parsed`.
    text : mapping
        One line of explanation by language.
    options : tuple of Param
        What a user may say about such a log.
    tenants : tuple of str
        Columns that may stand for the tenant, the most fitting first; the default takes the first that is filled.
    """

    slug: str
    detect: Callable[[str], float]
    parse: Callable[[Source, Options, Ledger], Parsed]
    text: Mapping[str, str]
    options: tuple[Param, ...] = ()
    tenants: tuple[Literal["account", "user", "partition", "qos"], ...] = ("account", "user")

    @property
    def all_options(self) -> tuple[Param, ...]:
        """The options of this format and those every format has."""
        return (*self.options, *common_options(self))

    def read_options(self, given: Mapping[str, object]) -> dict[str, ParamValue]:
        """Return every option with its value.

        Parameters
        ----------
        given : mapping
            Option -> value; numbers may be written as text.

        Returns
        -------
        dict
            All options of the format, defaults included.

        Raises
        ------
        InputError
            If an option is not known or its value is not allowed.
        """
        known = {param.slug: param for param in self.all_options}
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise InputError(
                Phrase("option of {slug}", slug=self.slug), unknown[0], Phrase("one of {names}", names=", ".join(known))
            )
        values = {slug: param.default for slug, param in known.items()}
        for slug, value in given.items():
            param = known[slug]
            is_text_number = isinstance(value, str) and not param.options and not isinstance(param, TextParam)
            values[slug] = param.read(_number(value) if is_text_number else value, slug)
        return values


def _number(value: object) -> object:
    try:
        return int(str(value))
    except ValueError:
        return value


def common_options(log_format: Format) -> tuple[Param, ...]:
    """Return the options that every format has."""
    return (
        Param(
            slug="tenant",
            default="auto",
            options=("auto", "account", "user", "partition", "qos"),
            text=texts("option.tenant", order=", ".join(log_format.tenants)),
        ),
        Param(slug="classes", default="size", options=("size", "partition", "qos"), text=texts("option.classes")),
        Param(slug="types", default="any", options=("any", "recorded"), text=texts("option.types")),
    )
