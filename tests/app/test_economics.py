"""Economics without a browser: the answer of each question, its link, its inputs, and what is refused."""

import re
from functools import partial
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import confirmed, economics_view, i18n
from scheduler_core import BESIDE, TRIALS, Assumptions, Confirmation, Estimate, load_case
from tests.app.conftest import OpenApp, everything


def query(app: AppTest) -> dict[str, list[str]]:
    return parse_qs(app.session_state["_address"])


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("topic", economics_view.TOPICS.slugs)
def test_each_question_has_an_answer_a_sentence_to_say_and_pictures(open_app: OpenApp, topic: str, lang: str) -> None:
    app = open_app("economics", lang=lang, topic=topic)
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert any(sign.isdigit() for sign in app.header[0].value)
    said = [
        text.value for text in app.markdown if ("What I would say" if lang == "en" else "评审时这样说") in text.value
    ]
    assert len(said) == 1
    text = everything(app).replace("中文", "")
    assert any("\u4e00" <= sign <= "\u9fff" for sign in text) is (lang == "zh")
    assert not any(key in text for key in i18n.catalogue() if key.startswith("economics.") and len(key) > 14)


def test_the_interview_case_has_both_readings_and_they_imply_different_lines(open_app: OpenApp) -> None:
    app = open_app("economics")
    assert "breakeven is 80,000 a day, a return of 3 needs 320,000 a day" in app.header[0].value
    app.button(key="economics_case_hurdle").click().run()
    assert "breakeven is 20,000 a day, a return of 3 needs 80,000 a day" in app.header[0].value
    both = next(frame.value for frame in app.dataframe if "reading of the case" in frame.value.columns)
    assert list(both["breakeven"][:4]) == ["80,000 a day", "140,000 a day", "80,000 a day", "80,000 a day"]
    assert len(both) == 7, "heavier requests only where they are heavier"
    app.button(key="economics_case_literal").click().run()
    assert "assume" not in query(app)


def test_the_address_holds_what_differs_and_brings_it_back(open_app: OpenApp) -> None:
    app = open_app("economics", topic="rent", assume=["utilisation_share:0.7", "gpu:a100"])
    said = query(app)
    assert said["assume"] == ["gpu:a100", "utilisation_share:0.7"]
    assert said["topic"] == ["rent"]
    assert len(said["ah"][0]) == 8
    assert app.slider(key="a.utilisation_share").value == 0.7
    app.switch_page("pages/results.py").run()
    assert "assume" not in query(app), "other pages do not carry them along"
    app.switch_page("pages/economics.py").run()
    assert query(app) == said, "but they are there when one comes back"
    app.button(key="economics_reset").click().run()
    assert "assume" not in query(app)


def test_an_input_redraws_the_answer(open_app: OpenApp) -> None:
    app = open_app("economics")
    app.number_input(key="a.requests_per_day").set_value(320_000.0).run()
    assert "At 320,000 a day the return is 3" in app.header[0].value


def test_a_refused_value_stays_in_its_widget_with_a_reason_and_changes_nothing(open_app: OpenApp) -> None:
    app = open_app("economics")
    before = app.header[0].value
    app.number_input(key="a.premium_ratio").set_value(-1.0).run()
    assert app.header[0].value == before
    assert app.number_input(key="a.premium_ratio").value == -1.0
    assert any("above 0" in error.value for error in app.error)
    app.number_input(key="a.premium_ratio").set_value(3.0).run()
    assert [error.value for error in app.error] == []


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"assume": ["pue:0.1", "life_years:4"], "topic": "rent"}, "at least 1"),
        ({"assume": ["<script>:1"]}, "one of the table"),
        ({"assume": ["nothing"]}, "written as name"),
        ({"assume": ["gpu:ascend_910b"], "topic": "rent"}, "older than 90 days"),
    ],
)
def test_a_damaged_link_says_what_was_left_out_and_shows_the_rest(
    open_app: OpenApp, params: dict[str, str | list[str]], told: str
) -> None:
    app = open_app("economics", **params)
    assert not app.exception
    assert app.header
    assert any(told in warning.value for warning in app.warning)


def test_a_link_of_an_older_table_says_that_numbers_may_differ(open_app: OpenApp) -> None:
    app = open_app("economics", assume=["pue:1.4"], ah="00000000")
    assert any("Defaults have changed" in info.value for info in app.info)
    app = open_app("economics", assume=["pue:1.4"])
    assert not app.info


def test_lists_that_contradict_themselves_are_told_and_the_inputs_stay(open_app: OpenApp) -> None:
    app = open_app("economics", topic="bill", assume=["bill_tenants:a, 90000, 1; <b>x, 1, 1"])
    assert any("at most the 68,678.4 GPU hours available" in error.value for error in app.error)
    app.text_input(key="a.bill_tenants").set_value("a, 30000, 40000; <b>x</b>, 1000, 2000").run()
    assert [error.value for error in app.error] == []
    assert "<b>" not in app.header[0].value.replace("\\<", "")


def test_all_seeds_stand_beside_the_formula_and_can_be_taken_over(open_app: OpenApp) -> None:
    app = open_app("economics", topic="rent")
    app.session_state["economics_run"] = True
    app.run()
    app.button(key="plan.run_measured").click().run()
    labels = {metric.label: metric.value for metric in app.metric}
    assert {"allocated", "of that lost", "mean wait, run", "mean wait, formula"} <= set(labels)
    seeds = load_case("one-pool-poisson@1").run.replications
    assert any(f"{seeds} replications; in brackets" in caption.value for caption in app.caption)
    assert sum(caption.value.startswith(chr(92) + "[") for caption in app.caption) == 3, "each figure has its interval"
    assert any(re.search(r"the waiting of a day costs [\d.]+ USD", text.value) for text in app.markdown)
    assert any(re.search(r"[\d.]+ % .* of the jobs wait longer than the 8 s", text.value) for text in app.markdown)
    assert any("agree within a factor of 2" in text.value for text in app.markdown), "Poisson jobs of one size"
    app.button(key="economics_run_take").click().run()
    assert app.slider(key="a.utilisation_share").value == pytest.approx(0.8, abs=0.05)
    assert any(text.startswith("utilisation_share:0.8") for text in query(app)["assume"])


def test_the_promise_can_be_run_and_stands_beside_the_formula(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def quick(assumptions: Assumptions, **_: object) -> tuple[Confirmation, ...]:
        asked.append(assumptions.number("dedicated_gpus"))
        return (Confirmation("promise", "ms", 6_380.0, None, Estimate(6_500.0, 6_000.0, 7_000.0, 6_500.0, 5), ()),)

    monkeypatch.setattr(confirmed, "TRIALS", {**TRIALS, "promise": quick})
    app = open_app("economics", assume=["dedicated_gpus:65"])
    app.button(key="plan.run_promise").click().run()
    (ran,) = [frame.value for frame in app.table if "what is run or drawn" in frame.value.columns]
    assert ran.iloc[0].tolist() == ["99 % wait at the peak, random lengths", "6.4 s", "6.5 s", "[6, 7]"]
    app.run()
    assert asked == [65.0], "kept for the next time"
    app.number_input(key="a.requests_per_day").set_value(90_000.0).run()
    assert "plan.run_promise" in {button.key for button in app.button}, "another deal is another question"


def test_what_the_page_wrote_itself_takes_no_edit_back(open_app: OpenApp) -> None:
    app = open_app("economics", assume=["pue:1.4"])
    app.number_input(key="a.requests_per_day").set_value(90_000.0).run()
    for name in ("assume", "ah", "topic"):
        app.query_params[name] = query(app)[name]  # as the browser sends it with the next click
    app.number_input(key="a.premium_ratio").set_value(3.0).run()
    assert query(app)["assume"] == ["pue:1.4", "premium_ratio:3", "requests_per_day:90000"]
    app.query_params["assume"] = ["pue:1.2"]  # a link of somebody else
    app.run()
    assert query(app)["assume"] == ["pue:1.2"]


ASKED = [(page, topic, kinds) for page, topics in BESIDE.items() for topic, kinds in topics.items() if topic != "pool"]


@pytest.mark.parametrize(("page", "topic", "kinds"), ASKED, ids=[f"{page}-{topic}" for page, topic, _ in ASKED])
def test_every_answer_has_its_button_and_shows_both(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, page: str, topic: str, kinds: tuple[str, ...]
) -> None:
    ran: list[Confirmation] = []

    def kept(kind: str, asked: Assumptions, **_: object) -> tuple[Confirmation, ...]:
        found = TRIALS[kind](asked)
        ran.extend(found)
        return found

    monkeypatch.setattr(confirmed, "TRIALS", {kind: partial(kept, kind) for kind in TRIALS})
    app = open_app(page, topic=topic, assume=["confirm_seeds:2", "shared_load_gpus:40"])
    assert {f"plan.run_{kind}" for kind in kinds} <= {button.key for button in app.button}
    for kind in kinds:
        app.button(key=f"plan.run_{kind}").click().run()
        assert f"plan.run_{kind}" not in {button.key for button in app.button}
    assert not app.exception
    assert [error.value for error in app.error] == []
    text = everything(app) + "".join(frame.value.to_string() for frame in app.table)
    assert text.count("[") >= max(len(ran), len(kinds)), "each simulated number has its interval"


def test_alone_together_and_the_others_are_run_once_that_is_asked(open_app: OpenApp) -> None:
    app = open_app("economics", topic="deal", assume=["confirm_seeds:2", "shared_load_gpus:40"])
    assert not [frame for frame in app.table if "what is run or drawn" in frame.value.columns]
    app.button(key="plan.run_isolation").click().run()
    assert not app.exception
    (ran,) = [frame.value for frame in app.table if "what is run or drawn" in frame.value.columns]
    assert list(ran["what is run or drawn"])[:2] == ["99 % wait, customer alone", "99 % wait, everybody in one pool"]


def test_the_time_of_an_amount_is_chosen_beside_it_and_reads_what_was_typed_anew(open_app: OpenApp) -> None:
    app = open_app("economics", topic="rent")
    app.session_state["economics_more"] = True
    app.run()
    assert app.selectbox(key="period.colo_usd_per_kw_month").value == "month"
    app.selectbox(key="period.colo_usd_per_kw_month").set_value("year").run()
    assert query(app)["assume"] == ["colo_usd_per_kw_month:15"]  # 180 a year
    assert app.number_input(key="a.colo_usd_per_kw_month").value == 180
    assert any("if it is a price a year, it is 1.25 a month" in warning.value for warning in app.warning)
    app.number_input(key="a.colo_usd_per_kw_month").set_value(2_160.0).run()
    assert "assume" not in query(app), "2,160 a year is 180 a month"
    app.number_input(key="a.pue").set_value(1.4).run()
    assert app.number_input(key="a.colo_usd_per_kw_month").value == 2_160, "another edit changes nothing here"


def test_a_price_has_its_kind_beside_it_which_is_part_of_the_link(open_app: OpenApp) -> None:
    app = open_app("economics", topic="rent")
    assert app.selectbox(key="a.on_demand_usd_per_gpu_h_quote").value == "list"
    app.selectbox(key="a.on_demand_usd_per_gpu_h_quote").set_value("contract").run()
    assert query(app)["assume"] == ["on_demand_usd_per_gpu_h_quote:contract"]
    assert any(re.search(r"On demand\W+contract price", text.value) for text in app.caption)


def test_two_edits_in_one_moment_both_count(open_app: OpenApp) -> None:
    app = open_app("economics")
    app.number_input(key="a.premium_ratio").set_value(3.0)
    app.number_input(key="a.requests_per_day").set_value(90_000.0).run()
    assert not app.exception
    assert query(app)["assume"] == ["premium_ratio:3", "requests_per_day:90000"]
    app.number_input(key="a.premium_ratio").set_value(4.0)
    app.button(key="economics_reset").click().run()
    assert not app.exception


def test_a_browser_that_missed_the_value_falls_back_to_it_and_not_to_nothing(open_app: OpenApp) -> None:
    app = open_app("economics", topic="rent", assume=["gpu:a100", "utilisation_share:0.7", "life_years:4"])
    number, word, share = (
        app.number_input(key="a.life_years"),
        app.selectbox(key="a.gpu"),
        app.slider(key="a.utilisation_share"),
    )
    assert number.proto.default == number.value == 4
    assert word.options[word.proto.default] == "A100"
    assert list(share.proto.default) == [share.value] == [0.7]
    app = open_app("plan", topic="size", assume=["wait_limit:30min"])
    assert app.text_input(key="a.wait_limit").proto.default == "30min"


@pytest.mark.parametrize(
    ("page", "topic", "slug", "label"),
    [
        ("economics", "delay", "preempt_save_h", "Time to write a checkpoint (h)"),
        ("economics", "deal", "draws", "Draws"),
        ("plan", "growth", "growth_share", "Growth of the demand (share a month)"),
        ("plan", "zones", "zones", "Zones of equal size"),
    ],
)
def test_the_unit_of_an_input_stands_in_its_label_once(
    open_app: OpenApp, page: str, topic: str, slug: str, label: str
) -> None:
    app = open_app(page, topic=topic)
    app.session_state["economics_more"] = True
    app.run()
    found = [each.label for kind in (app.number_input, app.slider) for each in kind if each.key == f"a.{slug}"]
    assert found == [label]
