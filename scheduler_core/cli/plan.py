"""`plan`: how many GPUs and by when, for a wait, growth, failures, a lost zone, burst, and half the budget."""

import click

from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._output import write_json
from scheduler_core.cli._plan_report import TOPICS, confirmation_text, plan_document, plan_text
from scheduler_core.cli._progress import Progress
from scheduler_core.economics.assumptions import Assumptions, read_assumptions
from scheduler_core.errors import InputError
from scheduler_core.studies.plan_confirm import Confirmation, confirm_size, confirm_zones, study_classes
from scheduler_core.studies.plan_overflow import confirm_burst
from scheduler_core.studies.plan_pools import confirm_pool
from scheduler_core.studies.trial_demand import trial_growth
from scheduler_core.studies.trial_failures import trial_saves, trial_spares

_TRIALS = {"pool": (confirm_pool,), "growth": (trial_growth,), "spares": (trial_spares, trial_saves)}


@click.command()
@click.argument("topics", metavar="[TOPIC]...", nargs=-1)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one input; repeatable.")
@click.option("--confirm", "is_confirmed", is_flag=True, help="Simulate or draw beside every formula but squeeze.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON; times in ms.")
def plan(topics: tuple[str, ...], settings: tuple[str, ...], is_confirmed: bool, as_json: bool) -> None:
    """Plan capacity: size, pool, classes, growth, spares, zones, burst, squeeze; all of them by default.

    size: slots for a wait or SLO target. classes: the urgent before the patient. growth: the order date. spares: N+k
    and checkpoints. zones: one zone lost. burst: what to own. squeeze: half the budget, twice the demand. Inputs with
    their unit, range and source: price --inputs.
    """
    for topic in topics:
        if topic not in TOPICS:
            raise InputError("the topic", topic, f"one of {', '.join(TOPICS)}")
    asked, wanted = read_assumptions(settings), topics or tuple(TOPICS)
    if as_json:
        document = plan_document(asked, wanted)
        if is_confirmed:
            document["confirmed"] = {each.label: each for each in _confirm(asked, wanted)}
        write_json(document)
        return
    click.echo(plan_text(asked, wanted))
    found = _confirm(asked, wanted) if is_confirmed else []
    if found:
        click.echo(f"\n{confirmation_text(found)}")


def _confirm(asked: Assumptions, topics: tuple[str, ...]) -> list[Confirmation]:
    load_kernels()
    progress, found = Progress("Simulating"), []
    if "size" in topics:
        found.append(confirm_size(asked, progress=progress))
    if "classes" in topics:
        found += study_classes(asked, progress=progress).confirmations
    for topic, trials in _TRIALS.items():
        if topic in topics:
            found += [each for trial in trials for each in trial(asked, progress=progress)]
    if "zones" in topics:
        found += confirm_zones(asked, progress=progress)
    if "burst" in topics:
        found.append(confirm_burst(asked, progress=progress))
    return found
