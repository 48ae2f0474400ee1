"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

Command = TypeVar("Command", bound=Callable[..., Any])
LOCAL = "http://localhost:8501/"
"""Where `make run` shows the dashboard."""
FILE = click.Path(path_type=Path)


def _address(_: click.Context, __: click.Parameter, text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise InputError("--base", text, Phrase("the address of a dashboard, such as {local}", local=LOCAL))
    return text


base_option = click.option(
    "--base", default=LOCAL, show_default=True, callback=_address, help="Address of the dashboard in the link."
)


def changing(command: Command) -> Command:
    """Add ``--set``, ``--seed`` and ``--replications``."""
    for option in (
        click.option("--replications", type=click.IntRange(1), help="Repetitions with different draws."),
        click.option("--seed", type=click.IntRange(0), help="Seed of the draws."),
        click.option("--set", "settings", multiple=True, metavar="PATH=VALUE", help="Change one setting; repeatable."),
    ):
        command = option(command)
    return command


def printing(command: Command) -> Command:
    """Add ``--json`` and ``--csv``."""
    for option in (
        click.option("--csv", "as_csv", is_flag=True, help="Print every metric of every scope as CSV."),
        click.option("--json", "as_json", is_flag=True, help="Print everything as JSON; times in ms."),
    ):
        command = option(command)
    return command


jobs_option = click.option("--jobs", "jobs_file", type=FILE, metavar="FILE.csv", help="Write one line a job.")
ledger_option = click.option(
    "--ledger", "ledger_file", type=FILE, metavar="FILE.csv", help="Write one line a preemption."
)
log_option = click.option("--log", "log_file", type=FILE, metavar="LOG", help="The job log the scenario names.")
