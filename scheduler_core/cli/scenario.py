"""`scenario list | show | check | schema`: the documents."""

from collections.abc import Sequence
from pathlib import Path

import click

from scheduler_core.cli._inputs import log_of, parse_changes, read_scenario
from scheduler_core.cli._options import changing, log_option
from scheduler_core.cli._output import write_json
from scheduler_core.cli._report import MOST_ROWS, title
from scheduler_core.cli._tables import printable, say, table
from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import (
    Load,
    Report,
    Scenario,
    cases,
    dump_document,
    json_schema,
    load_case,
    scenario_hash,
    to_yaml,
)
from scheduler_core.scenario import check as check_scenario
from scheduler_core.units import format_number


@click.group()
def scenario() -> None:
    """Name, show and check scenario documents."""


@scenario.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_cases(as_json: bool) -> None:
    """Name the cases that are shipped."""
    found = {name: load_case(name) for name in cases()}
    if as_json:
        rows = {
            name: {"name": case.name, "gpus": case.cluster.gpus, "hash": scenario_hash(case)}
            for name, case in found.items()
        }
        write_json(rows)
        return
    rows_text = [[name, case.name, f"{case.cluster.gpus:,}", f"{len(case.tenants)}"] for name, case in found.items()]
    click.echo(table(("Case", "name", "GPUs", "tenants"), rows_text, n_left=2))


@scenario.command()
@click.argument("source", metavar="CASE|FILE|LINK")
@changing
@click.option("--plain", is_flag=True, help="Without the comments.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(
    source: str, settings: tuple[str, ...], seed: int | None, replications: int | None, plain: bool, as_json: bool
) -> None:
    """Print a whole scenario, commented, for a person to edit."""
    found = read_scenario(source, parse_changes(settings, seed=seed, replications=replications))
    if as_json:
        write_json(dump_document(found))
        return
    click.echo(to_yaml(found, is_commented=not plain), nl=False)


@scenario.command()
def schema() -> None:
    """Print the JSON schema of a document: unit, range, default and source of every field."""
    write_json(json_schema())


@scenario.command()
@click.argument("source", metavar="FILE|CASE|LINK")
@changing
@log_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def check(
    source: str,
    settings: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    log_file: Path | None,
    as_json: bool,
) -> None:
    """Check a document: every fault, the offered load, jobs that fit nowhere, parts not available yet."""
    try:
        found = read_scenario(source, parse_changes(settings, seed=seed, replications=replications))
    except ScenarioError as error:
        _show_faults(error, as_json=as_json)
        raise click.ClickException(f"{source} has {_count(len(error.faults), 'fault')}") from error
    needs_log = found.workload.arrivals.log is not None and log_file is not None
    log = log_of(found, log_file) if needs_log else None
    report = check_scenario(found, None if log is None else log.table)
    if as_json:
        write_json(_document(found, report))
    else:
        click.echo(_text(found, report))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _show_faults(error: ScenarioError, *, as_json: bool) -> None:
    if as_json:
        write_json({"faults": [{**vars(fault), "sentence": fault.sentence} for fault in error.faults]})
    else:
        click.echo("\n".join(printable(fault.sentence) for fault in error.faults))


def _text(found: Scenario, report: Report) -> str:
    parts = [
        f"{title(found)}, scenario {scenario_hash(found)}",
        _loads("Pools", report.pools),
        _loads("Tenants", report.tenants),
        _loads("GPU types", report.types) if len(report.types) > 1 else "",
        _section("Warnings:", report.warnings),
        _section("Jobs that can never start:", [each.sentence for each in report.unschedulable]),
        _section("Not available yet:", [fault.sentence for fault in report.unavailable]),
    ]
    if not (report.warnings or report.unschedulable or report.unavailable):
        parts.append("Nothing stands in the way of a run.")
    return "\n\n".join(part for part in parts if part)


def _section(head: str, sentences: Sequence[str]) -> str:
    return "\n".join([head, *(f"  {printable(sentence)}" for sentence in sentences)]) if sentences else ""


def _loads(head: str, loads: Sequence[Load]) -> str:
    rows = [
        [load.name, f"{load.gpus:,}", format_number(load.jobs_per_day), format_number(load.asked_gpus), _load(load)]
        for load in loads[:MOST_ROWS]
    ]
    left = len(loads) - len(rows)
    return table((head, "GPUs", "jobs a day", "GPUs asked", "load"), rows) + (f"\nand {left:,} more" if left else "")


def _load(load: Load) -> str:
    return say(load.load, "share") if load.gpus else ("-" if not load.asked_gpus else "no GPU")


def _document(found: Scenario, report: Report) -> dict[str, object]:
    def loads(parts: Sequence[Load]) -> list[dict[str, object]]:
        return [{**vars(part), "load": part.load} for part in parts]

    return {
        "name": found.name,
        "scenario_hash": scenario_hash(found),
        "faults": [],
        "pools": loads(report.pools),
        "tenants": loads(report.tenants),
        "types": loads(report.types),
        "warnings": report.warnings,
        "unschedulable": [{**vars(each), "sentence": each.sentence} for each in report.unschedulable],
        "unavailable": [{**vars(fault), "sentence": fault.sentence} for fault in report.unavailable],
    }
