"""Node lists as Slurm writes them: ``gpu[01-04,07],login1`` for six names."""

import re
from collections.abc import Iterator

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit

_PART = re.compile(r"\[([^\[\]]*)\]")
_OUTSIDE_COMMA = re.compile(r",(?![^\[]*\])")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


def expand_nodes(text: str) -> list[str]:
    """Return the node names of a list with ranges.

    Parameters
    ----------
    text : str
        Names separated by commas; brackets hold numbers and ranges, leading zeros are kept.

    Returns
    -------
    list of str
        In the order written.

    Raises
    ------
    InputError
        If brackets are not closed, hold no numbers, or stand for more nodes than a cluster may have.

    Examples
    --------
    >>> expand_nodes("gpu[01-03,07],login1")
    ['gpu01', 'gpu02', 'gpu03', 'gpu07', 'login1']
    """
    names: list[str] = []
    for item in _OUTSIDE_COMMA.split(text.strip()):
        for name in _expand(item.strip(), text):
            names.append(name)
            if len(names) > limit("nodes"):
                raise InputError(Phrase("node list"), text, Phrase("at most {nodes:,} nodes", nodes=limit("nodes")))
    return [name for name in names if name]


def _expand(item: str, text: str) -> Iterator[str]:
    found = _PART.search(item)
    if not found:
        if "[" in item or "]" in item:
            raise InputError(Phrase("node list"), text, Phrase("names with closed brackets, such as gpu[01-04,07]"))
        yield item
        return
    head, tail = item[: found.start()], item[found.end() :]
    for part in found[1].split(","):
        match = _RANGE.fullmatch(part.strip())
        if not match:
            raise InputError(Phrase("node list"), text, Phrase("numbers and ranges in brackets, such as gpu[01-04,07]"))
        first, last = match[1], match[2] or match[1]
        for number in range(int(first), int(last) + 1):
            for rest in _expand(tail, text):
                yield f"{head}{number:0{len(first)}d}{rest}"
