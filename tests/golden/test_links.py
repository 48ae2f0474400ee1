"""Links that were sent once keep their meaning.

A line of links.jsonl is a link and the hash of the question it asked on the day it was made. Lines are added, never
changed; a change needs a Rationale line in CHANGELOG.md.
"""

import json
from pathlib import Path

import pytest

from scheduler_core.links import decode, encode
from scheduler_core.scenario import scenario_hash

LINKS = [json.loads(line) for line in Path(__file__).with_name("links.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("link", "question"), LINKS)
def test_an_old_link_asks_what_it_asked(link: str, question: str) -> None:
    assert scenario_hash(decode(link).scenario) == question


@pytest.mark.parametrize(("link", "question"), LINKS)
def test_an_old_link_that_is_sent_on_asks_the_same(link: str, question: str) -> None:
    again = encode(decode(link).scenario, engine_version="9.9.9")
    assert scenario_hash(decode(again).scenario) == question


def test_the_kinds_of_links_are_all_kept() -> None:
    links = [link for link, _ in LINKS]
    assert any("&set=" in link for link in links)
    assert any("&z=" in link for link in links)
    assert any("set=" not in link and "z=" not in link for link in links)
