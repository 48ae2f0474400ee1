"""`scenario list | show | check | schema`: the documents."""

import json

import click

from scheduler_core.cli._inputs import parse_changes, read_scenario
from scheduler_core.cli._options import changing
from scheduler_core.cli._output import write_json
from scheduler_core.cli._tables import table
from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.scenario import cases, load_case, scenario_hash, unavailable
from scheduler_core.scenario.show import to_yaml


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
        from scheduler_core.scenario import dump_document  # noqa: PLC0415

        write_json(dump_document(found))
        return
    click.echo(to_yaml(found, is_commented=not plain), nl=False)
