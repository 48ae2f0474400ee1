"""Job tables that were drawn are used again: most questions ask what another policy does with the same jobs.

Drawing the jobs takes as long as a third of a run.
"""

import json

from scheduler_core.kept import Kept
from scheduler_core.kernels.tables import JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.workload.build import build


class JobTables:
    """The last job tables that were drawn.

    Parameters
    ----------
    most : int
        Tables kept; 320,000 jobs take 14 MB.
    """

    def __init__(self, most: int) -> None:
        self._tables: Kept[JobTable] = Kept(most)

    def get(self, scenario: Scenario, replication: int = 0, log: JobTable | None = None) -> JobTable:
        """Return what `workload.build` returns; never change it, others have the same table."""
        if scenario.workload.arrivals.process is None:
            return build(scenario, replication, log)
        return self._tables.get(jobs_key(scenario, replication), lambda: build(scenario, replication))


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
