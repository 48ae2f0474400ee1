"""`replay`: a job log as it was recorded and as the simulator runs it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scheduler_core.cli._inputs import parse_changes
from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import FILE, changing, jobs_option, printing
from scheduler_core.cli._output import Cell, check_target, only_one, write_csv, write_jobs, write_json
from scheduler_core.cli._progress import Progress, note
from scheduler_core.cli._report import METRIC_HEADER, metric_rows, run_document, run_text
from scheduler_core.cli._tables import say, table
from scheduler_core.errors import Fault, ScenarioError, TraceError, shorten
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import require_available
from scheduler_core.scenario.document import load
from scheduler_core.scenario.reading import FORMATS, read_file
from scheduler_core.studies import ReplayStudy, Replications, replay_scenario

if TYPE_CHECKING:
    from scheduler_core.traces import ClusterImport, ImportReport, LogSetup

LARGE_BYTES = 100_000_000
"""Reading a larger log takes over a second: say so before it begins."""


@click.command()
@click.argument("log", metavar="LOG", type=FILE)
@click.option("--cluster", "cluster_file", type=FILE, metavar="FILE", help="Scenario, sinfo output or table of nodes.")
@click.option("--gpus", type=int, help="GPUs (or processors) of the cluster, as one pool.")
@click.option("--procs-per-gpu", type=int, default=1, show_default=True, help="Processors that count as one GPU.")
@click.option("--unit", type=click.Choice(["gpu", "processor"]), help="Unit of size; default: GPU if any job has one.")
@click.option("--format", "log_format", metavar="NAME", help="Format of the log; default: recognised.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Setting of the importer; repeatable.")
@changing
@jobs_option
@printing
def replay(  # noqa: PLR0913, PLR0917  (one argument an option)
    log: Path,
    cluster_file: Path | None,
    gpus: int | None,
    procs_per_gpu: int,
    unit: str | None,
    log_format: str | None,
    options: tuple[str, ...],
    settings: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    jobs_file: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Replay a job log: what was read, recorded against simulated waits, and the answer of the run."""
    only_one(json=as_json, csv=as_csv)
    if cluster_file is not None and gpus is not None:
        raise click.UsageError("--cluster and --gpus exclude each other")
    if jobs_file is not None:
        check_target(jobs_file)
    setup = _set_up(log, cluster_file, gpus, procs_per_gpu, {"unit": unit, "format": log_format, "options": options})
    changes = parse_changes(settings, seed=seed, replications=replications)
    if setup.document is None:
        _show_nothing(setup, as_json=as_json, as_csv=as_csv)
        return
    scenario = load(setup.document, overrides=changes)
    require_available(scenario)
    load_kernels()
    study = replay_scenario(scenario, setup.replay, progress=Progress("Simulating"))
    if jobs_file is not None:
        write_jobs(jobs_file, study.simulated)
    if as_json:
        write_json(_document(setup, study))
    elif as_csv:
        write_csv(("source", *METRIC_HEADER), _csv_rows(study))
    else:
        click.echo(_text(setup, study))


def _set_up(
    log: Path, cluster_file: Path | None, gpus: int | None, procs_per_gpu: int, how: Mapping[str, object]
) -> "LogSetup":
    """Read the log and choose its cluster."""
    from scheduler_core.traces import set_up  # noqa: PLC0415  (loads pandas)

    cluster = None if cluster_file is None else read_nodes(cluster_file)
    if log.is_file() and log.stat().st_size > LARGE_BYTES:
        note(f"Reading {log.name} ({log.stat().st_size / 1e6:,.0f} MB)")
    options = dict(_pair(text) for text in how["options"])  # type: ignore[attr-defined]
    return set_up(
        log,
        format=how["format"],  # type: ignore[arg-type]
        options=options,
        unit=how["unit"],  # type: ignore[arg-type]
        procs_per_gpu=procs_per_gpu,
        cluster=cluster,
        gpus=gpus,
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--option {shorten(text)} must be name=value, such as tenant=user")
    return name.strip(), value


def read_nodes(path: Path) -> "ClusterImport":
    """Return the cluster in a file: that of a scenario document, sinfo output, or a table of nodes.

    Parameters
    ----------
    path : Path
        A .yaml, .yml, .toml or .json file with ``cluster`` or ``pools``; anything else is read as a list of nodes.

    Returns
    -------
    ClusterImport
        Its pools.

    Raises
    ------
    TraceError, ScenarioError
        If the file cannot be read as either.
    """
    from scheduler_core.traces import ClusterImport, read_cluster  # noqa: PLC0415  (loads pandas)

    if path.suffix.lower() in FORMATS:
        tree = read_file(path)
        part = tree.get("cluster", tree)
        pools = part.get("pools") if isinstance(part, dict) else None
        if not isinstance(pools, list) or not all(isinstance(pool, dict) for pool in pools) or not pools:
            raise ScenarioError(
                [Fault("", path.name, "", Phrase("{name} has no list of pools under cluster.pools.", name=path.name))]
            )
        return ClusterImport(tuple(pools), ())
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise TraceError(
            path.name, None, Phrase("cannot be read: {foreign}.", foreign=error.strerror or "unreadable")
        ) from error
    except UnicodeDecodeError as error:
        raise TraceError(path.name, None, Phrase("is no text.")) from error
    return read_cluster(text, file=path.name)


def _show_nothing(setup: "LogSetup", *, as_json: bool, as_csv: bool) -> None:
    """Print the report of a log without a job that can be replayed."""
    report = setup.replay.report
    if as_json:
        write_json({"report": report.as_dict(), "comparison": [], "simulated": None, "recorded": None})
    elif as_csv:
        write_csv(("source", *METRIC_HEADER), ())
        note("\n".join(report.lines()))
    else:
        click.echo("\n".join(report.lines()))


def _runs(study: ReplayStudy) -> Replications:
    return Replications(study.scenario, (study.summary,))


def _text(setup: "LogSetup", study: ReplayStudy) -> str:
    parts = ["\n".join(_report_lines(setup.replay.report)), _comparison(study), run_text(study.scenario, _runs(study))]
    return "\n\n".join(parts)


def _report_lines(report: "ImportReport") -> Iterator[str]:
    for line in report.lines():
        yield line.replace("\n", " ")


def _comparison(study: ReplayStudy) -> str:
    if not study.rows:
        return "The log does not say when jobs started, so the simulation cannot be held against it."
    rows = [
        [
            row.size if row.size == "all" else f"size {row.size}",
            f"{row.jobs:,}",
            *(say(value, "ms") for value in row[2:]),
        ]
        for row in study.rows
    ]
    header = ("Waits", "jobs", "recorded median", "recorded p95", "simulated median", "simulated p95")
    return table(header, rows)


def _csv_rows(study: ReplayStudy) -> Iterator[tuple[Cell, ...]]:
    for row in metric_rows(_runs(study)):
        yield ("simulated", *row)
    if study.recorded_summary is not None:
        for row in metric_rows(Replications(study.scenario, (study.recorded_summary,))):
            yield ("recorded", *row)


def _document(setup: "LogSetup", study: ReplayStudy) -> dict[str, object]:
    recorded = study.recorded_summary
    return {
        "report": setup.replay.report.as_dict(),
        "scenario": setup.document,
        "comparison": [row._asdict() for row in study.rows],
        "simulated": run_document(study.scenario, _runs(study)),
        "recorded": None
        if recorded is None
        else run_document(study.scenario, Replications(study.scenario, (recorded,))),
    }
