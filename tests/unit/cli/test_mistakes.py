"""Each mistake of docs/economics.md, made on the command line: one sentence answers it."""

import pytest

from tests.oracle.mistakes import MISTAKES, WAYS, Made
from tests.unit.cli.conftest import Command


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.number}-{way.key or way.assume[0]}")
def test_a_mistake_on_the_command_line_is_answered(command: Command, way: Made) -> None:
    day = ("--today", "2026-12-02") if way.command[0] == "price" else ()
    said = command(*way.command, *day)
    if not way.key:
        assert way.assume[0].partition(":")[0] in said.refusal
        return
    assert said.status == 0, said.err
    assert way.part("en") in said.out


def test_every_mistake_and_each_of_its_sentences_can_be_made() -> None:
    assert {way.number for way in WAYS} == set(range(1, 20))
    told = {way.key for way in WAYS} | TOLD_ELSEWHERE
    assert {key for mistake in MISTAKES for key in mistake.sentences} <= told


TOLD_ELSEWHERE = {"input.below", "input.range"}
"""How `input.above` is said below a range, or where only one end is known."""
