"""Write the tables of docs/economics.md anew: ``python -m tests.oracle.write_economics_page``."""

from collections.abc import Callable
from pathlib import Path

from tests.oracle import plan_answers
from tests.oracle.answers import table
from tests.oracle.mistakes import mistakes_table
from tests.oracle.money_answers import DRAWN, ORACLES, WORKED
from tests.oracle.readings import readings_table
from tests.oracle.simulations import simulations_table

PAGE = Path(__file__).parents[2] / "docs" / "economics.md"
TABLES: dict[str, Callable[[], str]] = {
    "readings": readings_table,
    "simulations": simulations_table,
    "mistakes": mistakes_table,
    "answers": lambda: table((*ORACLES, DRAWN)),
    "worked": lambda: table(WORKED),
    "plan answers": lambda: table(plan_answers.ORACLES),
    "plan worked": lambda: table(plan_answers.WORKED),
}
"""Mark in the page -> what makes its table."""


def written(page: str) -> str:
    """Return the page with its tables as they are now."""
    for mark, make in TABLES.items():
        before, start, rest = page.partition(f"<!-- {mark} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        page = f"{before}{start}{make()}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
