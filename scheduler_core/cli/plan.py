"""`plan`: how many GPUs and by when, for a wait, growth, failures, a lost zone, burst, and half the budget."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scheduler_core.cli._assumed import Ran, assuming, check_topics, page_link, read_inputs, run_scenario
from scheduler_core.cli._confirm import Confirmed, confirmation_document, confirmation_text, confirmed
from scheduler_core.cli._output import write_json
from scheduler_core.cli._plan_report import TOPICS, plan_document, plan_text
from scheduler_core.cli._run_report import load_document, load_text
from scheduler_core.economics.assumptions import Assumptions

if TYPE_CHECKING:
    from scheduler_core.studies.plan_confirm import Confirmation


@click.command()
@click.argument("topics", metavar="[TOPIC]...", nargs=-1)
@assuming
@click.option("--confirm", "is_confirmed", is_flag=True, help="Simulate or draw beside the formulas.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON; times in ms.")
def plan(  # noqa: PLR0913, PLR0917  (one argument an option)
    topics: tuple[str, ...],
    settings: tuple[str, ...],
    link: str | None,
    scenario: str | None,
    log_file: Path | None,
    base: str,
    is_confirmed: bool,
    as_json: bool,
) -> None:
    """Plan capacity: size, pool, classes, growth, spares, zones, burst, squeeze; all of them by default.

    size: slots for a wait or SLO target. classes: the urgent before the patient. growth: the order date. spares: N+k
    and checkpoints. zones: one zone lost. burst: what to own. squeeze: half the budget, twice the demand. Inputs with
    their unit, range and source: price --inputs. With --run the jobs, the cluster and its use are those of a scenario.
    """
    check_topics(topics, TOPICS)
    asked, wanted = read_inputs(settings, link), topics or tuple(TOPICS)
    ran = run_scenario(scenario, log_file)
    today: list[Confirmation] = []
    if ran is not None:
        asked, today = _from_runs(asked, settings, ran)
    found = confirmed("plan", asked, wanted) if is_confirmed else Confirmed()
    address = page_link(base, "plan", wanted[0], asked, ran)
    if as_json:
        measured = {} if ran is None else {"measured": load_document(ran.runs)}
        document = plan_document(asked, wanted)
        write_json(
            document | measured | confirmation_document(replace(found, rows=[*today, *found.rows])) | {"link": address}
        )
        return
    before = "" if ran is None else load_text(ran.runs)
    parts = (before, confirmation_text(Confirmed(today)), plan_text(asked, wanted), confirmation_text(found), address)
    click.echo("\n\n".join(part for part in parts if part))


def _from_runs(asked: Assumptions, settings: tuple[str, ...], ran: Ran) -> tuple[Assumptions, list["Confirmation"]]:
    """Return the inputs with what the runs say, but what was set by hand stays; and the wait of today beside them."""
    from scheduler_core.studies.plan_run import confirm_today, plan_changes  # noqa: PLC0415  (loads the kernels)

    taken = asked.change(plan_changes(ran.scenario, ran.runs))
    today = confirm_today(taken, ran.runs)
    return read_inputs((*taken.texts(), *settings), None), [] if today is None else [today]
