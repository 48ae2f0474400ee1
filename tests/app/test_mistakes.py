"""Each mistake of docs/economics.md, made on the page by a link: one sentence answers it, in both languages."""

import re
from functools import cache

import pytest

from tests.app.conftest import OpenApp, everything
from tests.oracle.mistakes import WAYS, Made

PLACES = sorted({(way.topic, way.assume) for way in WAYS})


@cache
def ways(topic: str, assume: tuple[str, ...]) -> tuple[Made, ...]:
    return tuple(way for way in WAYS if (way.topic, way.assume) == (topic, assume))


@pytest.mark.parametrize(("topic", "assume"), PLACES, ids=[f"{topic}-{'-'.join(said)}" for topic, said in PLACES])
def test_a_mistake_on_the_page_is_answered_in_both_languages(
    open_app: OpenApp, topic: str, assume: tuple[str, ...]
) -> None:
    page, _, name = topic.partition("/")
    for lang in ("en", "zh"):
        app = open_app(page, lang=lang, topic=name, assume=list(assume))
        assert not app.exception
        text = re.sub(r"[\\\u2060]", "", everything(app))
        for way in ways(topic, assume):
            said = way.part(lang) if way.key else way.assume[0].partition(":")[0]
            assert said in text, (way, lang)
            if not way.key:
                assert app.warning, "left out and told"
