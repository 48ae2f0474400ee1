"""`link`: the address of a scenario, or the scenario behind an address."""

import click

from scheduler_core.cli._inputs import is_link, parse_changes, read_scenario
from scheduler_core.cli._options import base_option, changing
from scheduler_core.cli._output import write_json
from scheduler_core.cli._report import title
from scheduler_core.links import encode
from scheduler_core.scenario import DEFAULT_CASE, Scenario, cases, differences, load_case, scenario_hash


@click.command()
@click.argument("source", metavar="FILE|CASE|URL")
@base_option
@changing
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def link(
    source: str, base: str, settings: tuple[str, ...], seed: int | None, replications: int | None, as_json: bool
) -> None:
    """Print the link of a scenario; for a link, also say what is in it."""
    from scheduler_core.api import ENGINE_VERSION  # noqa: PLC0415  (loads the kernels)

    scenario = read_scenario(source, parse_changes(settings, seed=seed, replications=replications))
    address = f"{base}{'&' if '?' in base else '?'}{encode(scenario, engine_version=ENGINE_VERSION)}"
    start = scenario.case if scenario.case is not None and scenario.case in cases() else DEFAULT_CASE
    changes = differences(scenario, load_case(start))
    if as_json:
        found = {
            "link": address,
            "scenario_hash": scenario_hash(scenario),
            "name": scenario.name,
            "case": scenario.case,
        }
        write_json(found | {"changes": changes})
    elif is_link(source):
        click.echo(_explain(scenario, changes, address))
    else:
        click.echo(address)


def _explain(scenario: Scenario, changes: dict[str, object], address: str) -> str:
    lines = [f"{title(scenario)}, scenario {scenario_hash(scenario)}"]
    lines += [f"  {path}: {value}" for path, value in changes.items()] or ["  as the case says"]
    return "\n".join([*lines, address])
