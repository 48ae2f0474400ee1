"""docs/cli.md shows what the commands really print."""

import re

import pytest

from tests.conftest import kernel_mode
from tests.unit.cli.conftest import Command
from tests.unit.cli.write_page import BLOCK, ROOT, output_of, read_page

HEAVY = ("simulate", "compare", "sweep")
HEAVY_OPTIONS = ("--run", "--confirm")
"""Uncompiled, these take minutes on the cases of the page."""


def examples() -> list[str]:
    found = [match["words"] for match in BLOCK.finditer(read_page())]
    if kernel_mode() == "compiled":
        return found
    return [words for words in found if not words.startswith(HEAVY) and not set(HEAVY_OPTIONS) & set(words.split())]


@pytest.mark.parametrize("words", examples())
def test_example_prints_what_the_page_shows(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    block = next(match for match in BLOCK.finditer(read_page()) if match["words"] == words)
    assert block["output"] == output_of(words), "run python -m tests.unit.cli.write_page"


def test_page_shows_every_command() -> None:
    commands = {match["words"].split()[0] for match in BLOCK.finditer(read_page())}
    assert commands == {"simulate", "replay", "compare", "sweep", "plan", "price", "scenario", "link"}


def test_page_names_every_option(command: Command) -> None:
    page = read_page()
    for words in (
        ["simulate"],
        ["replay"],
        ["compare"],
        ["sweep"],
        ["plan"],
        ["price"],
        ["link"],
        ["scenario", "show"],
        ["scenario", "check"],
    ):
        for option in re.findall(r"--[a-z][a-z-]*", command(*words, "--help").out):
            assert option in page, option
