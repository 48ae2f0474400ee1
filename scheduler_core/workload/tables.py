"""Job tables that were drawn are used again: most questions ask what another policy does with the same jobs.

Drawing the jobs takes as long as a third of a run.
"""

import json
import threading
from collections import OrderedDict

from scheduler_core.kernels.tables import JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.workload.build import build


class JobTables:
    """The last job tables that were drawn; several threads may ask.

    Parameters
    ----------
    most : int
        Tables kept; 320,000 jobs take 14 MB.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._tables: OrderedDict[str, JobTable] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, scenario: Scenario, replication: int = 0, log: JobTable | None = None) -> JobTable:
        """Return what `workload.build` returns; never change it, others have the same table."""
        if scenario.workload.arrivals.process is None:
            return build(scenario, replication, log)
        key = jobs_key(scenario, replication)
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
                return self._tables[key]
        table = build(scenario, replication)
        with self._lock:
            self._tables[key] = table
            while len(self._tables) > self.most:
                self._tables.popitem(last=False)
        return table


def jobs_key(scenario: Scenario, replication: int) -> str:
    """Return what the job table of a generated workload depends on, as text; the policy and the cluster do not count.

    Parameters
    ----------
    scenario : Scenario
        With a generated workload.
    replication : int
        Which draw.

    Returns
    -------
    str
        Equal for two scenarios only if they have the same jobs.
    """
    tenants = [tenant.name for tenant in scenario.tenants]
    run = scenario.run.model_dump(mode="json", exclude={"replications"})
    return json.dumps([scenario.workload.model_dump(mode="json"), tenants, run, replication], sort_keys=True)
