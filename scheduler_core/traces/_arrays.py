"""Job arrays that wait: Slurm prints ``500_[9201-10000%500]`` on one line for 800 tasks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ARRAY = re.compile(r"(.+?)_\[([^\]%]*)(?:%\d+)?\]?", re.ASCII)
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?(?::(\d{1,9}))?", re.ASCII)
_CUT = "..."


@dataclass(frozen=True)
class TaskArray:
    """The tasks that one line stands for.

    Attributes
    ----------
    base : str
        Id of the array.
    ranges : tuple of range
        Task numbers.
    is_cut : bool
        Whether the line was shortened, so that tasks are missing.
    """

    base: str
    ranges: tuple[range, ...]
    is_cut: bool

    @property
    def count(self) -> int:
        """Number of tasks."""
        return sum(len(tasks) for tasks in self.ranges)

    def ids(self) -> Iterator[str]:
        """Yield the id of each task."""
        for tasks in self.ranges:
            for task in tasks:
                yield f"{self.base}_{task}"


def is_array(job_id: str) -> bool:
    """Return whether an id stands for several tasks."""
    return "_[" in job_id


def parse_array(job_id: str) -> TaskArray | None:
    """Return the tasks of an id with brackets.

    Parameters
    ----------
    job_id : str
        Such as ``500_[1,3-9:2%4]``; the part after ``%`` (tasks at a time) says nothing about the number of tasks.

    Returns
    -------
    TaskArray or None
        None where the brackets are not understood.

    Examples
    --------
    >>> parse_array("500_[9201-10000%500]").count
    800
    """
    found = _ARRAY.fullmatch(job_id)
    if not found:
        return None
    ranges, is_cut = [], False
    for item in found[2].split(","):
        match = _RANGE.fullmatch(item.strip())
        if match:
            first = int(match[1])
            ranges.append(range(first, int(match[2] or first) + 1, max(int(match[3] or 1), 1)))
        elif item.strip().endswith(_CUT):
            is_cut = True
        else:
            return None
    tasks = TaskArray(found[1], tuple(ranges), is_cut)
    return tasks if tasks.count else None
