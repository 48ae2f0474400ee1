"""What ``--confirm`` does: formulas beside the simulator or drawn trials, and why they differ."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._progress import Progress
from scheduler_core.cli._tables import say, say_interval, table
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note
from scheduler_core.studies.plan_confirm import Confirmation

Trials = Mapping[str, tuple[Callable[..., Any], ...]]
"""Topic -> what gives its confirmations; each takes the inputs and `progress`."""


def told(notes: Sequence[Note]) -> list[str]:
    """Return the sentences of an answer; warnings are marked."""
    return [f"Warning: {note.text()}" if note.is_warning else note.text() for note in notes]


def confirmed(trials: Trials, asked: Assumptions, topics: Sequence[str]) -> list[Confirmation]:
    """Return the confirmations of some topics; a topic without formulas has none."""
    load_kernels()
    progress = Progress("Simulating")
    wanted = [trial for topic in topics for trial in trials.get(topic, ())]
    return [each for trial in wanted for each in trial(asked, progress=progress)]


def confirmation_text(found: Sequence[Confirmation]) -> str:
    """Return formulas beside the simulation, and why they differ; empty without any."""
    if not found:
        return ""
    rows = [
        (
            each.label.replace("_", " "),
            say(each.formula, each.unit),
            "-" if each.better is None else say(each.better, each.unit),
            say(each.found.mean, each.unit),
            say_interval(each.found, each.unit) or "-",
        )
        for each in found
    ]
    lines = [line for each in found for line in told(each.notes)]
    head = ("confirmed", "formula", "for the spread", "simulated", "95 %")
    return "\n\n".join([table(head, rows), *dict.fromkeys(lines)])


def confirmation_document(found: Sequence[Confirmation]) -> dict[str, object]:
    """Return the same for machines; nothing without any."""
    return {"confirmed": {each.label: each for each in found}} if found else {}
