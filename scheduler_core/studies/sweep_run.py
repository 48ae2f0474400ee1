"""One run of a sweep: like `api.simulate` and `summarize`, but jobs that were drawn once are used again.

Most points of a sweep ask what another policy does with the same jobs, and drawing them takes as long as half a run.
"""

import json
from collections import OrderedDict

from scheduler_core import workload
from scheduler_core.api import ENGINE_VERSION
from scheduler_core.engine.run import run as run_engine
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import ScopeKind, Summary, summarize
from scheduler_core.result import Provenance, Result
from scheduler_core.scenario import Scenario, run_hash, scenario_hash
from scheduler_core.studies.replicate import Progress, is_drawn

KEPT_TABLES = 2


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
    tenants = [tenant.model_dump(mode="json") for tenant in scenario.tenants]
    run = scenario.run.model_dump(mode="json", exclude={"replications"})
    return json.dumps([scenario.workload.model_dump(mode="json"), tenants, run, replication], sort_keys=True)


class Runner:
    """Runs one replication after the other and keeps the last job tables.

    Parameters
    ----------
    log : JobTable, optional
        Jobs of an imported log.
    """

    def __init__(self, log: JobTable | None = None) -> None:
        self.log = log
        self._tables: OrderedDict[str, JobTable] = OrderedDict()

    def table(self, scenario: Scenario, replication: int) -> JobTable:
        """Return the jobs of one replication; never change them."""
        if not is_drawn(scenario):
            return workload.build(scenario, replication, self.log)
        key = jobs_key(scenario, replication)
        if key not in self._tables:
            self._tables[key] = workload.build(scenario, replication)
            while len(self._tables) > KEPT_TABLES:
                self._tables.popitem(last=False)
        self._tables.move_to_end(key)
        return self._tables[key]

    def summary(
        self,
        scenario: Scenario,
        replication: int,
        kinds: tuple[ScopeKind, ...],
        progress: Progress | None = None,
    ) -> Summary:
        """Return the metrics of one replication, equal to the last bit to those of a run on its own.

        Parameters
        ----------
        scenario : Scenario
            Valid and available.
        replication : int
            Which draw.
        kinds : tuple of str
            Kinds of scope to measure.
        progress : callable, optional
            Called with the share done; returning False cancels.
        """
        table = self.table(scenario, replication)
        outcome = run_engine(scenario, table, progress=progress)
        name, run_name = scenario_hash(scenario), run_hash(scenario, ENGINE_VERSION, replication)
        provenance = Provenance(name, run_name, ENGINE_VERSION, scenario.run.seed, replication)
        return summarize(Result(scenario, table, outcome, provenance), kinds)
