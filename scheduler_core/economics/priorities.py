"""Two or more classes in one line: who waits how long when the urgent go first and nobody is interrupted.

Source: Cobham, "Priority assignment in waiting line problems", Operations Research 2 (1954); Kella and Yechiali,
"Waits in the M/G/c queue with priorities" (1985), for several servers with equal service.
Limits: one mean service time for all classes, one server a job, no preemption. Reserving servers for the low class has
no such formula: simulate it.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from scheduler_core.economics.checks import not_negative, positive
from scheduler_core.economics.queueing import erlang_c
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


def priority_waits(servers: int, loads: Sequence[float], service_time: float) -> tuple[float, ...]:
    """Return the mean wait of each class, W_i = (C s / k) / ((1 - sigma_{i-1}) (1 - sigma_i)).

    Parameters
    ----------
    servers : int
        Number of servers.
    loads : sequence of float
        Erlangs of each class, the most urgent first; together below the servers.
    service_time : float
        Mean service time of every class, any unit.

    Returns
    -------
    tuple of float
        In the unit of the service time, one a class.

    Raises
    ------
    InfeasibleError
        If the loads together are not below the servers: the last class never gets its turn.

    Notes
    -----
    The waits weighted by load sum to what first come first served would give: somebody's gain is another's loss.

    Examples
    --------
    >>> [round(wait, 6) for wait in priority_waits(10, (3.0, 6.0), 1.0)]
    [0.095533, 0.955331]
    """
    if not loads:
        raise InputError("loads", loads, Phrase("at least one class"))
    positive("service_time", service_time)
    for load in loads:
        not_negative("load", load)
    first = erlang_c(servers, sum(loads)) * service_time / servers
    room = [1.0, *(1 - used / servers for used in accumulate(loads))]
    return tuple(first / (before * after) for before, after in pairwise(room))
