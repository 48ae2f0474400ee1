"""How many spare nodes keep the promised ones running, and how often a job of many nodes is hit.

Failures are independent and Poisson; a failed node is out for its repair time. The number of nodes in repair is then
Poisson with mean nodes x rate x repair time, whatever the distribution of the repair time (Palm's theorem; Gross et
al., "Fundamentals of Queueing Theory", 4th ed. (2008), section 2.6). Limits: a rack or a switch that fails takes many
nodes at once, which needs spares on top. Spares are no capacity to sell: they are in use while another node is in
repair.
"""

from scipy.special import pdtr

from scheduler_core.economics.checks import not_negative, positive, share, whole
from scheduler_core.economics.sizing import least_count
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

HOURS_PER_DAY = 24


def mean_in_repair(nodes: int, failures_per_node_day: float, repair_days: float) -> float:
    """Return the mean number of nodes in repair.

    Parameters
    ----------
    nodes : int
        Nodes that have to run.
    failures_per_node_day : float
        Failures of one node a day, not of one GPU.
    repair_days : float
        Mean time out of service, in days.

    Examples
    --------
    >>> round(mean_in_repair(400, 3.79e-3, 2), 3)
    3.032
    """
    whole("nodes", nodes)
    return (
        nodes * not_negative("failures_per_node_day", failures_per_node_day) * not_negative("repair_days", repair_days)
    )


def covered_share(spares: int, in_repair: float) -> float:
    """Return the share of time during which the spares are enough.

    Parameters
    ----------
    spares : int
        Spare nodes.
    in_repair : float
        Mean number of nodes in repair.

    Examples
    --------
    >>> round(covered_share(8, 3.032), 5)
    0.99593
    """
    return float(pdtr(whole("spares", spares), not_negative("in_repair", in_repair)))


def spares_for(in_repair: float, covered: float) -> int:
    """Return the fewest spares that are enough for a share of the time.

    Parameters
    ----------
    in_repair : float
        Mean number of nodes in repair.
    covered : float
        Share of time, below 1.

    Examples
    --------
    >>> spares_for(3.032, 0.99), spares_for(3.032, 0.999)
    (8, 10)
    """
    if share("covered", covered) == 1:
        raise InputError("covered", covered, Phrase("below 1: no number of spares is enough for ever"))
    return least_count(0, lambda spares: covered_share(spares, in_repair) >= covered)


def job_mtbf_h(nodes: int, failures_per_node_day: float) -> float:
    """Return the mean time between failures that hit a job: that of one node, divided by its nodes.

    Parameters
    ----------
    nodes : int
        Nodes of the job, at least 1.
    failures_per_node_day : float
        Failures of one node a day, above 0.

    Returns
    -------
    float
        Hours.

    Examples
    --------
    >>> round(job_mtbf_h(2048, 6.5e-3), 5)
    1.80288
    """
    whole("nodes", nodes, least=1)
    return HOURS_PER_DAY / (nodes * positive("failures_per_node_day", failures_per_node_day))


def sellable_gpus(nodes: int, spares: int, gpus_per_node: int) -> int:
    """Return the GPUs that can be promised: those of the nodes that are no spares.

    Parameters
    ----------
    nodes : int
        All nodes, spares included.
    spares : int
        Spare nodes among them.
    gpus_per_node : int
        GPUs of one node.

    Examples
    --------
    >>> sellable_gpus(408, 8, 8)
    3200
    """
    if not 0 <= whole("spares", spares) <= whole("nodes", nodes):
        raise InputError("spares", spares, Phrase("from 0 to the {nodes} nodes they are among", nodes=nodes))
    return (nodes - spares) * whole("gpus_per_node", gpus_per_node, least=1)
