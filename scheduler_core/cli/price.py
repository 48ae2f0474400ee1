"""`price`: what it costs, what it brings, and how sure that is."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import click

from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import log_option
from scheduler_core.cli._output import only_one, write_csv, write_json
from scheduler_core.cli._price_report import INPUT_HEADER, TOPICS, input_rows, price_document, price_text
from scheduler_core.cli._price_run import run_document, run_text
from scheduler_core.economics.assumptions import Assumptions, read_assumptions
from scheduler_core.economics.dedicated import SEED_CASES
from scheduler_core.errors import InputError

if TYPE_CHECKING:
    from scheduler_core.studies.measured import MeasuredRuns

LINK_PARAM = "assume"


@click.command()
@click.argument("topics", metavar="[TOPIC]...", nargs=-1)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one input; repeatable.")
@click.option("--case", "case", type=click.Choice(list(SEED_CASES)), help="The interview case in one of its readings.")
@click.option("--link", "link", metavar="LINK", help="Take the inputs of an address from the dashboard.")
@click.option("--run", "scenario", metavar="FILE|CASE|LINK", help="Take use and lost work from runs of a scenario.")
@log_option
@click.option("--today", "today", metavar="YYYY-MM-DD", help="The day for the age of prices; default: today.")
@click.option("--inputs", "is_inputs", is_flag=True, help="List every input with unit, range, date and source.")
@click.option("--csv", "as_csv", is_flag=True, help="With --inputs: print the table as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def price(  # noqa: PLR0913, PLR0917  (one argument an option)
    topics: tuple[str, ...],
    settings: tuple[str, ...],
    case: str | None,
    link: str | None,
    scenario: str | None,
    log_file: Path | None,
    today: str | None,
    is_inputs: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Price a decision: deal, rent, change, claim, delay, bill; all of them by default.

    deal: a dedicated cluster for one customer. rent: own, reserve, rent or spot. change: a better utilisation or MFU,
    and less money for more demand. claim: what would have to be true. delay: which work first. bill: who pays.
    """
    only_one(json=as_json, csv=as_csv)
    for topic in topics:
        if topic not in TOPICS:
            raise InputError("the topic", topic, f"one of {', '.join(TOPICS)}")
    if as_csv and not is_inputs:
        raise click.UsageError("--csv goes with --inputs")
    day = _day(today)
    asked = _asked(settings, case, link)
    if scenario is None and log_file is not None:
        raise click.UsageError("--log goes with --run")
    before, runs = asked, None
    if scenario is not None:
        asked, runs = _measure(asked, scenario, log_file)
    if is_inputs and as_csv:
        write_csv(INPUT_HEADER, input_rows(asked))
    elif as_json:
        document = price_document(asked, topics or TOPICS, day, is_inputs=is_inputs)
        write_json(document if runs is None else document | {"measured": run_document(runs, before)})
    else:
        if runs is not None and not is_inputs:
            click.echo(f"{run_text(runs, before)}\n")
        click.echo(price_text(asked, topics or TOPICS, day, is_inputs=is_inputs))


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError("--today", text, "a day such as 2026-12-02") from None


def _asked(settings: tuple[str, ...], case: str | None, link: str | None) -> Assumptions:
    """Return the inputs: those of the link, changed by the case, changed one by one."""
    linked = [] if link is None else _linked(link)
    asked = read_assumptions(linked).change(SEED_CASES[case] if case else {})
    return read_assumptions([*asked.texts(), *settings])


def _linked(link: str) -> list[str]:
    query = link.partition("?")[2] or link
    pairs = parse_qsl(query.partition("#")[0], keep_blank_values=True, max_num_fields=1_000)
    found = [value for name, value in pairs if name == LINK_PARAM]
    if not found and "topic=" not in query:
        raise InputError("--link", link, f"an address of the page Economics, with {LINK_PARAM}= for what differs")
    return found


def _measure(asked: Assumptions, scenario: str, log_file: Path | None) -> "tuple[Assumptions, MeasuredRuns]":
    """Return the inputs with what the runs of a scenario say, and what they say."""
    from scheduler_core.cli._inputs import log_of, read_scenario  # noqa: PLC0415  (loads the kernels)
    from scheduler_core.cli._progress import Progress  # noqa: PLC0415
    from scheduler_core.scenario import require_available  # noqa: PLC0415
    from scheduler_core.studies.measured import measure_runs  # noqa: PLC0415

    wanted = read_scenario(scenario, {})
    require_available(wanted)
    log = log_of(wanted, log_file)
    load_kernels()
    found = measure_runs(wanted, log=None if log is None else log.table, progress=Progress("Simulating"))
    return asked.change(found.changes()), found
