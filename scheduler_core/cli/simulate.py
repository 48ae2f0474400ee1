"""`simulate`: run a scenario and say what happened."""

from pathlib import Path

import click

from scheduler_core.cli._inputs import log_of, parse_changes, read_scenario
from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import changing, jobs_option, ledger_option, log_option, printing
from scheduler_core.cli._output import check_target, only_one, write_csv, write_jobs, write_json, write_ledger
from scheduler_core.cli._progress import Progress
from scheduler_core.cli._report import METRIC_HEADER, metric_rows, run_document, run_text
from scheduler_core.metrics import Summary
from scheduler_core.result import Result
from scheduler_core.scenario import require_available
from scheduler_core.scenario.document import Scenario
from scheduler_core.studies import Replications, replicate


@click.command()
@click.argument("scenario", metavar="FILE|CASE|LINK")
@changing
@log_option
@jobs_option
@ledger_option
@printing
def simulate(  # noqa: PLR0913, PLR0917  (one argument an option)
    scenario: str,
    settings: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    log_file: Path | None,
    jobs_file: Path | None,
    ledger_file: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Run a scenario: waits, causes, utilisation, targets.

    FILE is a scenario document, CASE a named case, LINK an address from the dashboard, - the standard input.
    """
    only_one(json=as_json, csv=as_csv)
    files = {write: path for write, path in ((write_jobs, jobs_file), (write_ledger, ledger_file)) if path is not None}
    for path in files.values():
        check_target(path)
    asked = read_scenario(scenario, parse_changes(settings, seed=seed, replications=replications))
    require_available(asked)
    log = log_of(asked, log_file)
    load_kernels()
    firsts: list[Result] = []

    def keep_first(result: Result, _: Summary) -> None:
        if files and not firsts:
            firsts.append(result)

    table = None if log is None else log.table
    runs = replicate(asked, log=table, progress=Progress("Simulating"), keep=keep_first)
    for write, path in files.items():
        write(path, firsts[0])
    show_runs(asked, runs, as_json=as_json, as_csv=as_csv)


def show_runs(scenario: Scenario, runs: Replications, *, as_json: bool, as_csv: bool) -> None:
    """Print the answer in the wanted form."""
    if as_json:
        write_json(run_document(scenario, runs))
    elif as_csv:
        write_csv(METRIC_HEADER, metric_rows(runs))
    else:
        click.echo(run_text(scenario, runs))
