"""What a pool saves over separate clusters: headroom grows with the square root of the load only.

Source: Whitt, "Understanding the efficiency of multi-server service systems", Management Science 38 (1992).
Limits: the loads peak together and one server serves anybody. Where peaks do not coincide a pool saves more; where
data, network or contracts tie work to a place it saves less.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scheduler_core.economics.checks import not_negative
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


@dataclass(frozen=True)
class Pooled:
    """Servers for several loads, each on its own and all together, with the same target.

    Attributes
    ----------
    separate : tuple of int
        Servers for each load alone.
    pooled : int
        Servers for all of them in one pool.
    """

    separate: tuple[int, ...]
    pooled: int

    @property
    def extra(self) -> int:
        """Servers that separation costs."""
        return sum(self.separate) - self.pooled


def pool(loads: Sequence[float], servers_for: Callable[[float], int]) -> Pooled:
    """Return what pooling saves for any target.

    Parameters
    ----------
    loads : sequence of float
        Erlangs of each part.
    servers_for : callable
        Returns the fewest servers for a load; the same target for all.

    Examples
    --------
    >>> from scheduler_core.economics.sizing import servers_for_wait_share
    >>> pool((20, 80), lambda load: servers_for_wait_share(load, 0.05))
    Pooled(separate=(29, 97), pooled=119)
    """
    if not loads:
        raise InputError("loads", loads, Phrase("at least one load"))
    for load in loads:
        not_negative("load", load)
    return Pooled(tuple(servers_for(load) for load in loads), servers_for(sum(loads)))
