"""What ``--confirm`` does: formulas beside the simulator or drawn trials, and why they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._progress import Progress
from scheduler_core.cli._tables import say, say_interval, table
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note
from scheduler_core.errors import InfeasibleError

if TYPE_CHECKING:
    from scheduler_core.studies.plan_confirm import Confirmation


def told(notes: Sequence[Note]) -> list[str]:
    """Return the sentences of an answer; warnings are marked."""
    return [f"Warning: {note.text()}" if note.is_warning else note.text() for note in notes]


@dataclass(frozen=True)
class Confirmed:
    """What stands beside formulas.

    Attributes
    ----------
    rows : sequence of Confirmation
        Formulas with what was run or drawn.
    refused : mapping
        Which run or trial has no answer under the inputs -> why.
    """

    rows: Sequence["Confirmation"] = ()
    refused: Mapping[str, str] = field(default_factory=dict)


def confirmed(page: str, asked: Assumptions, topics: Sequence[str]) -> Confirmed:
    """Return what stands beside the formulas of some topics of a page; each run or trial once."""
    from scheduler_core.studies.trials import BESIDE, TRIALS  # noqa: PLC0415  (loads the kernels)

    load_kernels()
    progress, refused = Progress("Simulating"), {}
    rows: list[Confirmation] = []
    for kind in dict.fromkeys(kind for topic in topics for kind in BESIDE[page].get(topic, ())):
        try:
            rows += TRIALS[kind](asked, progress=progress)
        except InfeasibleError as problem:  # a finding about these inputs; the others still have their answer
            refused[kind] = str(problem)
    return Confirmed(rows, refused)


def confirmation_text(found: Confirmed) -> str:
    """Return formulas beside the simulation, and why they differ; empty without any."""
    rows = [
        (
            each.label.replace("_", " "),
            say(each.formula, each.unit),
            "-" if each.better is None else say(each.better, each.unit),
            say(each.found.mean, each.unit),
            say_interval(each.found, each.unit) or "-",
        )
        for each in found.rows
    ]
    lines = [line for each in found.rows for line in told(each.notes)]
    lines += [f"Not confirmed ({kind}): {reason}" for kind, reason in found.refused.items()]
    head = ("confirmed", "formula", "finer formula", "simulated", "95 %")
    return "\n\n".join([*([table(head, rows)] if rows else []), *dict.fromkeys(lines)])


def confirmation_document(found: Confirmed) -> dict[str, object]:
    """Return the same for machines; nothing without any."""
    document: dict[str, object] = {}
    if found.rows:
        document["confirmed"] = {each.label: each for each in found.rows}
    if found.refused:
        document["not_confirmed"] = dict(found.refused)
    return document
