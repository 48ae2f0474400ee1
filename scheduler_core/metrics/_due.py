"""GPU-time by tenant: what each received, what it asked for, and what it is entitled to in the window."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import Float64
from scheduler_core.metrics._view import Shared
from scheduler_core.result import UNSCHEDULABLE, Bool, Result
from scheduler_core.scenario.quotas import ROOT, bottom_up, nominals, parents_of

if TYPE_CHECKING:
    from scheduler_core.scenario.tenants import Tenant


def received_gpu_ms(shared: Shared) -> Int64:
    """Return GPU-ms allocated to each tenant in the window, int64, shape (n_tenants,)."""
    return shared.once("received", _received)


def _received(result: Result, shared: Shared) -> Int64:
    return _by_tenant(result, shared.allocated_gpu_ms)


def demanded_gpu_ms(shared: Shared) -> Int64:
    """Return GPU-ms each tenant could have used in the window, int64, shape (n_tenants,).

    For each job: its GPUs times the part of the window that its run would fill if it had never waited, or what it was
    given in the window where that is more.
    """
    return shared.once("demanded", _demanded)


def _demanded(result: Result, shared: Shared) -> Int64:
    jobs = result.table.jobs
    begin, end = result.window_ms
    at_once = np.clip(jobs.submit_ms + result.run_ms, begin, end) - np.clip(jobs.submit_ms, begin, end)
    at_once[result.outcome.state >= UNSCHEDULABLE] = 0  # nor withheld
    return _by_tenant(result, np.maximum(at_once * jobs.gpus, shared.allocated_gpu_ms))


def _by_tenant(result: Result, gpu_ms: Int64) -> Int64:
    total = np.zeros(len(result.tenants), np.int64)
    np.add.at(total, result.table.jobs.tenant, gpu_ms)
    return total


def entitled_gpu_ms(shared: Shared) -> Float64:
    """Return GPU-ms each tenant is entitled to in the window, shape (n_tenants,): `entitled_gpus` times its length."""
    return shared.once("entitled", _entitled)


def _entitled(result: Result, shared: Shared) -> Float64:
    begin, end = result.window_ms
    return entitled_gpus(result, demanded_gpu_ms(shared) > 0) * float(end - begin)


def entitled_gpus(result: Result, takes_part: Bool) -> Float64:
    """Return the GPUs each tenant is entitled to, shape (n_tenants,).

    Parameters
    ----------
    result : Result
        The run.
    takes_part : bool array, shape (n_tenants,)
        Tenants that asked for something; only they divide by weight.

    Returns
    -------
    float64 array
        Its nominal where it states one; else its part by weight of what the tenant above it has left; else its part by
        weight of what no nominal takes of the GPUs of its fence, which is nothing where quotas are tested
        (docs/model.md 13.2). Where a change of policy begins or ends to test them, the mean over the window.
    """
    untested = _untested_share(result)
    mean: Float64 = np.zeros(len(result.tenants))
    for is_tested, share in ((True, 1.0 - untested), (False, untested)):
        mean = mean + (share * _entitled_while(result, takes_part, is_tested=is_tested) if share else 0.0)
    return mean


def _untested_share(result: Result) -> float:
    """Return the share of the window in which no quota is tested."""
    begin, end = result.window_ms
    steps = result.scenario.policy.steps()
    times = np.clip([at for at, _ in steps] + [end], begin, end)
    lengths = zip(np.diff(times).tolist(), (policy for _, policy in steps), strict=True)
    return float(sum(length for length, policy in lengths if policy.isolation == "none")) / (end - begin)


def _entitled_while(result: Result, takes_part: Bool, *, is_tested: bool) -> Float64:
    """Return the GPUs each tenant is entitled to while quotas are tested, or not, shape (n_tenants,)."""
    scenario, fences = result.scenario, result.fences
    tree = _tree(scenario.tenants, result.tenants)
    due = [float(nominal or 0) for nominal in tree.nominal]
    asking = [row for row, asks in zip(tree.row_of_tenant, takes_part.tolist(), strict=True) if asks]
    for head, nominal in enumerate(tree.nominal):
        below = sum(due[row] for row, parent in enumerate(tree.parent) if parent == head)
        tree.divide(head, max((nominal or 0) - below, 0.0), tree.branches(asking), due)
    of_leaf = [0.0 if row in tree.parent else due[row] for row in tree.row_of_tenant]
    taken = np.bincount(fences.of_tenant, of_leaf, minlength=len(fences.names))
    for fence, gpus in enumerate([] if is_tested else fences.gpus.tolist()):
        rows = [row for row, at in zip(tree.row_of_tenant, fences.of_tenant.tolist(), strict=True) if at == fence]
        tree.divide(ROOT, max(gpus - float(taken[fence]), 0.0), tree.branches(set(rows) & set(asking)), due)
    return np.array([due[row] for row in tree.row_of_tenant], np.float64)


class _Tree(NamedTuple):
    """Tenants as a tree: parent, weight and nominal of each row; None where nothing at or below it states one."""

    parent: list[int]
    weight: list[float]
    nominal: list[int | None]
    row_of_tenant: list[int]

    def branches(self, leaves: Iterable[int]) -> set[int]:
        """Return the leaves and all rows above them."""
        found = set()
        for leaf in leaves:
            row = leaf
            while row != ROOT:
                found.add(row)
                row = self.parent[row]
        return found

    def divide(self, head: int, gpus: float, branches: set[int], due: list[float]) -> None:
        """Divide GPUs of `head` by weight among the branches directly below it that have no nominal, and so on down."""
        rows = [row for row in sorted(branches) if self.parent[row] == head and self.nominal[row] is None]
        total = sum(self.weight[row] for row in rows)
        for row in rows:
            due[row] = gpus * (self.weight[row] / total)
            self.divide(row, due[row], branches, due)


def _tree(tenants: "Sequence[Tenant]", names: Sequence[str]) -> _Tree:
    """Return the tree of the document's tenants; a tenant of a log that it does not list stands under the root."""
    parent = list(parents_of(tenants))
    stated = [tenant.nominal_gpus is not None for tenant in tenants]
    for row in bottom_up(parent):
        if stated[row] and parent[row] != ROOT:
            stated[parent[row]] = True
    nominal = [gpus if is_stated else None for gpus, is_stated in zip(nominals(tenants), stated, strict=True)]
    weight = [float(tenant.weight) for tenant in tenants]
    row_of = {tenant.name: row for row, tenant in enumerate(tenants)}
    for name in names:
        if name not in row_of:
            row_of[name] = len(parent)
            parent, weight, nominal = [*parent, ROOT], [*weight, 1.0], [*nominal, None]
    return _Tree(parent, weight, nominal, [row_of[name] for name in names])


def jain(shares: NDArray[np.float64]) -> float | None:
    """Return (sum x)^2 / (n sum x^2), from 1/n (one has everything) to 1 (all alike); None where all are 0.

    Examples
    --------
    >>> jain(np.array([1.0, 1.0])), jain(np.array([1.0, 0.0]))
    (1.0, 0.5)
    """
    square = float((shares**2).sum())
    return float(shares.sum()) ** 2 / (shares.shape[0] * square) if square > 0 else None


def tenants_due(result: Result) -> dict[str, float]:
    """Return the GPUs to which each tenant that asked for something is entitled, by name; see `entitled_gpus`."""
    asks = demanded_gpu_ms(Shared(result)) > 0
    due = entitled_gpus(result, asks)
    return {name: float(gpus) for name, gpus, is_asking in zip(result.tenants, due, asks, strict=True) if is_asking}
