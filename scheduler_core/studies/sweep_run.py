"""One run of a sweep: a simulation of which only the metrics are kept."""

from scheduler_core.api import simulate
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import ScopeKind, Summary, summarize
from scheduler_core.scenario import Scenario
from scheduler_core.studies.replicate import Progress
from scheduler_core.workload import JobTables

KEPT_TABLES = 2


class Runner:
    """Runs one replication after the other and keeps the last job tables.

    Parameters
    ----------
    log : JobTable, optional
        Jobs of an imported log.
    """

    def __init__(self, log: JobTable | None = None) -> None:
        self.log = log
        self.tables = JobTables(KEPT_TABLES)

    def summary(
        self,
        scenario: Scenario,
        replication: int,
        kinds: tuple[ScopeKind, ...],
        progress: Progress | None = None,
    ) -> Summary:
        """Return the metrics of one replication.

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
        run = simulate(scenario, replication=replication, log=self.log, tables=self.tables, progress=progress)
        return summarize(run, kinds)
