"""Links that are damaged, hostile or from the future: a sentence, a valid scenario, no markup, no traceback."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenApp, everything

BAD = [
    {"case": "no-such-case@9"},
    {"set": ["policy.order:no_such_order"]},
    {"set": ["policy.no_such_field:1"]},
    {"set": ["run.days:-5"]},
    {"set": ["run.days:5", "run.days:6"]},
    {"set": ["nonsense"]},
    {"z": "%%%not-base64"},
    {"z": "eJx" + "A" * 3_000},
    {"v": "99"},
    {"id": "abcdefabcdef"},
    {"set": ["policy.placement:pack"]},
]


@pytest.mark.parametrize("params", BAD, ids=[str(index) for index in range(len(BAD))])
def test_a_bad_link_says_what_is_wrong_and_shows_a_valid_scenario(
    open_app: OpenApp, params: dict[str, str | list[str]]
) -> None:
    app = open_app("start", **params)
    assert not app.exception
    assert app.warning or app.error, "somebody must be told"
    assert "Traceback" not in everything(app)
    assert app.session_state["scenario"].cluster.pools


ENGLISH = re.compile(r"[A-Za-z]{2,}(?: [A-Za-z]{2,})+")
"""Two English words in a row; names, paths and values of a sentence are single words."""
ASSUMED = ["ppue=0.2", "pue=many", "price_usd_per_gpu_h=-1"]


def told(app: AppTest) -> list[str]:
    return [re.sub("[\\\\\u2060]", "", element.value) for element in (*app.warning, *app.error)]


@pytest.mark.parametrize("params", BAD, ids=[str(index) for index in range(len(BAD))])
def test_a_bad_link_is_told_wholly_in_chinese(open_app: OpenApp, params: dict[str, str | list[str]]) -> None:
    sentences = told(open_app("start", lang="zh", **params))
    assert sentences
    assert [sentence for sentence in sentences if ENGLISH.search(sentence)] == []
    assert all(re.search("[\u4e00-\u9fff]", sentence) for sentence in sentences)


def test_several_bad_inputs_at_once_are_told_wholly_in_chinese(open_app: OpenApp) -> None:
    changes = ["run.days:-5", "policy.order:fifoo", "tenants.nobody.weight:2", "cluster.pools.a.nodez:3"]
    sentences = told(open_app("economics", lang="zh", set=changes, assume=ASSUMED))
    assert len(sentences) > 1
    assert [sentence for sentence in sentences if ENGLISH.search(sentence)] == []


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", ":red[x]", "**x**", "=HYPERLINK(1)"]
)
def test_a_hostile_name_in_a_link_is_shown_as_text(open_app: OpenApp, name: str) -> None:
    app = open_app("results", set=[f"name:{name!r}"])
    assert not app.exception
    assert name not in everything(app) or name.startswith("=")


def test_a_hostile_class_name_never_becomes_markup(open_app: OpenApp) -> None:
    scenario_text = (
        "[{name: 'a <b>x</b> [y](http://evil.example)', tenant: everyone, per_day: 5, gpus: 1, duration: {fixed: 1h}}]"
    )
    app = open_app("results", set=[f"workload.classes:{scenario_text}"])
    assert not app.exception
    assert "](http" not in everything(app)
