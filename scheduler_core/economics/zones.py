"""How much to hold so that losing one zone hurts nobody.

Source: arithmetic; queues by Erlang C (`queueing`). Two readings: work may move freely between the zones that are left
(pooled), or each zone has a line of its own (separate), which needs more. Limits: one zone at a time, equal zones, and
what moves must find its data there.
"""

import math
from dataclasses import dataclass

from scheduler_core.economics.checks import not_negative, positive_share, share, whole
from scheduler_core.economics.sizing import servers_for_wait_share


def most_use(zones: int) -> float:
    """Return the share of all GPUs that may be needed if one zone can go: (z - 1) / z.

    Parameters
    ----------
    zones : int
        Equal zones, at least 2.

    Examples
    --------
    >>> most_use(4)
    0.75
    """
    return (whole("zones", zones, least=2) - 1) / zones


def total_for_zone_loss(need_gpus: float, busy_share: float, zones: int) -> int:
    """Return the GPUs in all zones with which the rest carries the need when one zone is lost.

    Parameters
    ----------
    need_gpus : float
        GPUs that have to be busy.
    busy_share : float
        Share of the GPUs that may be busy, above 0 and at most 1.
    zones : int
        Equal zones, at least 2.

    Returns
    -------
    int
        GPUs, the same number in every zone.

    Examples
    --------
    >>> total_for_zone_loss(900, 0.8, 3)
    1689
    """
    left = whole("zones", zones, least=2) - 1
    held = not_negative("need_gpus", need_gpus) / positive_share("busy_share", busy_share)
    return zones * math.ceil(round(held / left, 9))  # 562.5000000001 of rounding is no GPU more


@dataclass(frozen=True)
class ZoneServers:
    """Servers with which at most a share of arrivals waits, with all zones and with one lost.

    Attributes
    ----------
    one_pool : int
        Servers if no zone could be lost.
    pooled : int
        All zones together, where work moves freely.
    separate : int
        All zones together, where each zone has its own line.
    """

    one_pool: int
    pooled: int
    separate: int


def zone_servers(load: float, most: float, zones: int) -> ZoneServers:
    """Return the servers for losing one zone, pooled and separate.

    Parameters
    ----------
    load : float
        Erlangs over all zones.
    most : float
        Share of arrivals that may wait, 0 to 1.
    zones : int
        Equal zones, at least 2.

    Examples
    --------
    >>> zone_servers(120, 0.01, 3)
    ZoneServers(one_pool=148, pooled=222, separate=240)
    """
    left = whole("zones", zones, least=2) - 1
    share("most", most)
    one_pool = servers_for_wait_share(load, most)
    each = servers_for_wait_share(load / left, most)
    return ZoneServers(one_pool, zones * math.ceil(one_pool / left), zones * each)
