"""What `price --run` prints before the topics: the figures that the runs give, and the money they become."""

from typing import TYPE_CHECKING

from scheduler_core.cli._tables import say_estimate, say_interval, table
from scheduler_core.economics.assumptions import Assumptions

if TYPE_CHECKING:
    from scheduler_core.studies.measured import MeasuredRuns

_FIGURES = {"utilisation_share": "GPU time allocated", "lost_share": "of that lost"}
_MONEY = {
    "own_usd_per_kept_gpu_h": "an owned GPU hour whose work is kept, USD",
    "lost_usd_per_kept_gpu_h": "of that for lost work, USD",
}


def run_text(found: "MeasuredRuns", asked: Assumptions) -> str:
    """Return mean and 95 % interval of each figure and of the money it becomes, for people."""
    figures, money = found.figures, found.money(asked)
    shown = [(name, figures[slug], "share") for slug, name in _FIGURES.items()]
    shown += [(name, money[slug], "") for slug, name in _MONEY.items()]
    rows = [(name, say_estimate(each, unit), say_interval(each, unit) or "-") for name, each, unit in shown]
    n_runs = len(found.runs)
    return table((f"from {n_runs} {'run' if n_runs == 1 else 'runs'}", "mean", "95 %"), rows)


def run_document(found: "MeasuredRuns", asked: Assumptions) -> dict[str, object]:
    """Return the same for machines, with the mean wait in s."""
    return {"runs": len(found.runs), **found.figures, **found.money(asked)}
