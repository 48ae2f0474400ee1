"""Run the examples of docs/cli.md and write what they print: ``python -m tests.unit.cli.write_page``."""

import io
import os
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from scheduler_core import cli

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "cli.md"
BLOCK = re.compile(r"```console\n\$ python -m scheduler_core (?P<words>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)
MOST_LINES = 60
FEW_LINES = 20
CUT = "[...]"


def read_page() -> str:
    return PAGE.read_text(encoding="utf-8")


def output_of(words: str) -> str:
    """What a terminal shows, without progress; long outputs are cut, and of a document a few lines are enough."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.run(shlex.split(words))
    lines = (out.getvalue() + (err.getvalue() if status else "")).splitlines()
    is_document = words.startswith("scenario s") or "--csv" in words or "--json" in words
    most = FEW_LINES if is_document else MOST_LINES
    return "\n".join(lines if len(lines) <= most else [*lines[: most - 1], CUT]) + "\n"


def written(page: str) -> str:
    """The page with the output of every example as it is now."""
    return BLOCK.sub(
        lambda match: f"```console\n$ python -m scheduler_core {match['words']}\n{output_of(match['words'])}```", page
    )


if __name__ == "__main__":
    os.chdir(ROOT)
    PAGE.write_text(written(read_page()), encoding="utf-8")
