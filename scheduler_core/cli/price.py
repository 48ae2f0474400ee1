"""`price`: what it costs, what it brings, and how sure that is."""

from datetime import UTC, date, datetime
from pathlib import Path

import click

from scheduler_core.cli._assumed import assuming, check_topics, page_link, read_inputs, run_scenario
from scheduler_core.cli._confirm import Confirmed, confirmation_document, confirmation_text, confirmed
from scheduler_core.cli._output import only_one, write_csv, write_json
from scheduler_core.cli._price_report import INPUT_HEADER, TOPICS, input_rows, price_document, price_text
from scheduler_core.cli._run_report import money_document, money_text
from scheduler_core.economics.dedicated import SEED_CASES
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


@click.command()
@click.argument("topics", metavar="[TOPIC]...", nargs=-1)
@click.option("--case", "case", type=click.Choice(list(SEED_CASES)), help="The interview case in one of its readings.")
@assuming
@click.option("--confirm", "is_confirmed", is_flag=True, help="Simulate or draw beside the formulas.")
@click.option("--today", "today", metavar="YYYY-MM-DD", help="The day for the age of prices; default: today.")
@click.option("--inputs", "is_inputs", is_flag=True, help="List every input with unit, range, date and source.")
@click.option("--csv", "as_csv", is_flag=True, help="With --inputs: print the table as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def price(  # noqa: PLR0913, PLR0917  (one argument an option)
    topics: tuple[str, ...],
    case: str | None,
    settings: tuple[str, ...],
    link: str | None,
    scenario: str | None,
    log_file: Path | None,
    base: str,
    is_confirmed: bool,
    today: str | None,
    is_inputs: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Price a decision: deal, rent, change, claim, delay, bill; all of them by default.

    deal: a dedicated cluster for one customer. rent: own, reserve, rent or spot. change: a better utilisation or MFU,
    and less money for more demand. claim: what would have to be true. delay: which work first. bill: who pays. With
    --run, use and lost work are those of the runs of a scenario.
    """
    only_one(json=as_json, csv=as_csv)
    check_topics(topics, TOPICS)
    _check(is_inputs=is_inputs, as_csv=as_csv, is_confirmed=is_confirmed)
    day = _day(today)
    before = asked = read_inputs(settings, link, SEED_CASES[case] if case else None)
    ran = run_scenario(scenario, log_file)
    if ran is not None:
        asked = read_inputs((*asked.change(ran.runs.changes()).texts(), *settings), None)
    wanted = topics or TOPICS
    if is_inputs and as_csv:
        write_csv(INPUT_HEADER, input_rows(asked))
        return
    found = confirmed("economics", asked, wanted) if is_confirmed else Confirmed()
    address = page_link(base, "economics", wanted[0], asked, ran)
    if as_json:
        document = price_document(asked, wanted, day, is_inputs=is_inputs)
        measured = {} if ran is None else {"measured": money_document(ran.runs, before)}
        write_json(document | measured | confirmation_document(found) | {"link": address})
        return
    if ran is not None and not is_inputs:
        click.echo(f"{money_text(ran.runs, before)}\n")
    parts = (price_text(asked, wanted, day, is_inputs=is_inputs), confirmation_text(found), address)
    click.echo("\n\n".join(part for part in parts if part))


def _check(*, is_inputs: bool, as_csv: bool, is_confirmed: bool) -> None:
    """Refuse options that do not go together."""
    if as_csv and not is_inputs:
        raise click.UsageError("--csv goes with --inputs")
    if is_confirmed and is_inputs:
        raise click.UsageError("--confirm and --inputs exclude each other")


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError("--today", text, Phrase("a day such as 2026-12-02")) from None
