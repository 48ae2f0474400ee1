"""Texts: both languages, numbers as people say them, and foreign names that never become markup."""

import re
from typing import Literal, get_args, get_origin

import pytest
import streamlit as st

from dashboard import i18n, numbers, widgets
from dashboard.cases import name_of
from dashboard.i18n import Text, clip, escape, plain, t
from scheduler_core import DISCIPLINES, apply, cases, known_words, load_case, word_text
from tests.app.conftest import OpenApp, everything

HOSTILE = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "**bold** _it_ `code` ~~gone~~",
    ":red[danger] :material/delete: :tada:",
    "$x^2$ and $$y$$",
    "# heading",
    "1. list",
    "- list",
    "http://evil.example and www.evil.example and a@evil.example",
    "a\nb\r\n# c\x00\u202e",
]


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(st, "session_state", {"lang": request.param})
    return str(request.param)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_sign_of_markdown_is_left_without_a_backslash(text: str) -> None:
    shown = escape(text)
    assert not re.search(r"(?<!\\)[`*_{}\[\]#!|<>~$&:@]", re.sub(r"\\\\", "", shown))
    assert "\n" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_codes_addresses_and_directives_are_broken_up_even_after_unescaping(text: str) -> None:
    shown = escape(text).replace("\\", "")
    assert not re.search(r":material/|://|:tada:|www\.|@evil", shown)


@pytest.mark.parametrize("text", ["1. list", "1) list", "- list", "+ list", "> quote"])
def test_a_name_at_the_start_of_a_line_makes_no_list_and_no_quote(text: str) -> None:
    assert re.match(r"\d*\\", escape(text))


def test_a_version_number_keeps_its_digits() -> None:
    assert escape("0.1.0").replace("\\", "") == "0.1.0"
    assert not re.search(r"\\\d", escape("0.1.0"))


def test_a_long_name_is_cut() -> None:
    assert len(clip("x" * 500)) == i18n.LONGEST_NAME


def test_safe_text_is_not_escaped_twice() -> None:
    assert escape(Text("**a**")) == "**a**"


def test_values_in_sentences_are_escaped_and_plain_ones_are_not(language: str) -> None:  # noqa: ARG001
    assert "\\*x\\*" in t("story.unknown", job="*x*")
    assert "*x*" in plain("story.unknown", job="*x*")


def test_every_text_can_be_formed_with_its_placeholders(language: str) -> None:
    for key, texts in i18n.catalogue().items():
        names = set(re.findall(r"(?<!\{)\{(\w+)\}(?!\})", texts[language]))
        assert t(key, **dict.fromkeys(names, "x")), key


@pytest.mark.parametrize(
    ("value_ms", "en", "zh"),
    [
        (0, "0 s", "0 秒"),
        (250, "250 ms", "250 毫秒"),
        (40_000, "40 s", "40 秒"),
        (35 * 60_000, "35 min", "35 分钟"),
        (15_120_000, "4.2 h", "4.2 小时"),  # 4.2 h = 4.2 x 3,600,000 ms
        (216_000_000, "2.5 d", "2.5 天"),
    ],
)
def test_times_are_written_as_people_say_them(value_ms: int, en: str, zh: str, language: str) -> None:
    assert numbers.duration(value_ms) == {"en": en, "zh": zh}[language]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (0.5, "0.5"), (12.345, "12.3"), (1234.5, "1,234"), (0.00012, "0.00012"), (100, "100")]
)
def test_numbers_have_at_most_three_significant_digits(value: float, text: str) -> None:
    assert numbers.digits(value) == text


def test_an_interval_is_in_the_unit_of_its_mean() -> None:
    hour_ms = 3_600_000
    assert numbers.interval(3.4 * hour_ms, 2.7 * hour_ms, 4.3 * hour_ms) == "\\[2.7, 4.3\\]"


def test_every_word_of_the_policy_says_whom_it_helps_and_whom_it_hurts() -> None:
    policy = apply(load_case("tiers@1"), {"policy.preemption": "{min_gap: 0.6}"}).policy
    assert policy.preemption is not None
    parts = (("policy", policy), ("policy.preemption", policy.preemption))
    fields = [item for at, part in parts for item in widgets.fields(part, at, at)]
    words = {item.kind: get_args(item.annotation) for item in fields if get_origin(item.annotation) is Literal}
    assert set(words) >= {"policy.isolation", "policy.requeue", "policy.quota_blocked", "policy.preemption.victims"}
    texts = {f"{kind}.{word}": why_text(kind, word) for kind, known in words.items() for word in known}
    del texts["policy.isolation.cells"]  # not available yet
    texts |= {slug: dict(word_text(slug)) for slug in (*DISCIPLINES, *known_words("gang"))}
    for key, text in texts.items():
        assert "elps " in text["en"], key
        assert "urts " in text["en"], key
        assert "受益" in text["zh"], key
        assert "受害" in text["zh"], key


def why_text(kind: str, word: str) -> dict[str, str]:
    """Return what is said about a word in both languages, nothing if it is not said."""
    return i18n.catalogue().get(f"why.{kind}.{word}", {"en": "", "zh": ""})


def test_every_case_has_its_name_in_both_languages_and_the_english_one_is_its_own() -> None:
    texts = i18n.catalogue()
    for slug in cases():
        name = texts[f"case_name.{slug.partition('@')[0]}"]
        assert name["en"] == load_case(slug).name
        assert any("\u4e00" <= sign <= "\u9fff" for sign in name["zh"])


def test_a_case_is_called_as_the_reader_speaks_and_a_scenario_as_its_owner_named_it(open_app: OpenApp) -> None:
    assert f"**{i18n.catalogue()['case_name.tiers']['zh']}**" in everything(
        open_app("start", lang="zh", case="tiers@1")
    )
    assert name_of(apply(load_case("tiers@1"), {"name": "Ours"})) == "Ours"
