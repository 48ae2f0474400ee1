"""What `price` and `plan` share: their inputs from options, addresses and runs, and the address of their page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import base_option, log_option
from scheduler_core.economics.assumptions import ASSUME_PARAM, Assumptions, read_address, read_assumptions
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario
    from scheduler_core.studies.measured import MeasuredRuns

Command = TypeVar("Command", bound=Callable[..., Any])


def assuming(command: Command) -> Command:
    """Add ``--set``, ``--link``, ``--run``, ``--log`` and ``--base``."""
    for option in (
        base_option,
        log_option,
        click.option("--run", "scenario", metavar="FILE|CASE|LINK", help="Take figures from the runs of a scenario."),
        click.option("--link", "link", metavar="LINK", help="Take the inputs of an address from the dashboard."),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change one input; repeatable."),
    ):
        command = option(command)
    return command


def check_topics(topics: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a topic that is not known."""
    for topic in topics:
        if topic not in known:
            raise InputError(Phrase("the topic"), topic, Phrase("one of {names}", names=", ".join(known)))


def read_inputs(settings: tuple[str, ...], link: str | None, case: Mapping[str, object] | None = None) -> Assumptions:
    """Return the inputs: those of the link, changed by the case, changed one by one."""
    asked = read_assumptions([] if link is None else _linked(link)).change(case or {})
    return read_assumptions([*asked.texts(), *settings])


def _linked(link: str) -> list[str]:
    found = read_address(link)
    if found is None:
        allowed = Phrase(
            "an address of the page Economics or Plan, with {assume_param}= for what differs", assume_param=ASSUME_PARAM
        )
        raise InputError("--link", link, allowed)
    return found


@dataclass(frozen=True)
class Ran:
    """The runs of a scenario that give figures."""

    scenario: "Scenario"
    runs: "MeasuredRuns"


def run_scenario(text: str | None, log_file: Path | None) -> Ran | None:
    """Return all replications of the scenario that ``--run`` names; None without one.

    Raises
    ------
    click.UsageError
        If there is a log but nothing to run.
    InputError
        If the scenario or its log cannot be read.
    """
    if text is None:
        if log_file is not None:
            raise click.UsageError("--log goes with --run")
        return None
    from scheduler_core.cli._inputs import log_of, read_scenario  # noqa: PLC0415  (loads the kernels)
    from scheduler_core.cli._progress import Progress  # noqa: PLC0415
    from scheduler_core.scenario import require_available  # noqa: PLC0415
    from scheduler_core.studies.measured import measure_runs  # noqa: PLC0415

    wanted = read_scenario(text, {})
    require_available(wanted)
    log = log_of(wanted, log_file)
    load_kernels()
    return Ran(wanted, measure_runs(wanted, log=None if log is None else log.table, progress=Progress("Simulating")))


def page_link(base: str, page: str, topic: str, asked: Assumptions, ran: Ran | None) -> str:
    """Return the address at which a page shows the same inputs, and the scenario they came from."""
    parts = [f"topic={topic}", asked.query()]
    if ran is not None:
        from scheduler_core.api import ENGINE_VERSION  # noqa: PLC0415  (loads the kernels)
        from scheduler_core.links import encode  # noqa: PLC0415

        parts.insert(0, encode(ran.scenario, engine_version=ENGINE_VERSION))
    return f"{base.rstrip('/')}/{page}?{'&'.join(part for part in parts if part)}"
