"""Plan without a browser: every question in both languages, its link, the simulator on demand, and what is refused."""

from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import i18n, plan_view
from tests.app.conftest import OpenApp, everything

QUICK = ["confirm_seeds:2"]


def errors_of(app: AppTest) -> list[str]:
    return [error.value for error in app.error]


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_every_question_has_an_answer_in_the_language_of_the_reader(open_app: OpenApp, lang: str) -> None:
    for topic in plan_view.TOPICS.slugs:
        app = open_app("plan", lang=lang, topic=topic)
        assert not app.exception, topic
        assert errors_of(app) == [], topic
        assert app.header[0].value.strip(), topic
        to_say = "What I would say" if lang == "en" else "评审时这样说"
        assert len([text for text in app.markdown if to_say in text.value]) == 1, topic
        has_chinese = any("\u4e00" <= sign <= "\u9fff" for sign in everything(app).replace("中文", ""))
        assert has_chinese is (lang == "zh"), topic


def test_the_address_holds_the_question_and_what_was_changed(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size", assume=["wait_limit:4h", "slots_now:60"])
    assert app.header[0].value.startswith(r"It takes 50 slots \(400 GPUs\) to keep the mean wait at 4 h")
    said = parse_qs(app.session_state["_address"])
    assert (said["topic"], sorted(said["assume"])) == (["size"], ["slots_now:60", "wait_limit:4h"])
    app.text_input(key="a.wait_limit").set_value("45min").run()
    assert app.header[0].value.startswith(r"It takes 54 slots \(432 GPUs\)"), "45 min is the default"
    assert parse_qs(app.session_state["_address"])["assume"] == ["slots_now:60"]


def test_an_input_redraws_the_answer(open_app: OpenApp) -> None:
    app = open_app("plan", topic="growth")
    before = app.header[0].value
    app.slider(key="a.growth_share").set_value(0.08).run()
    assert app.header[0].value != before
    assert not app.exception


def test_the_simulator_confirms_a_size_once_it_is_asked(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size", assume=QUICK)
    assert not app.metric
    app.button(key="plan.run_size").click().run()
    assert errors_of(app) == []
    assert [metric.label for metric in app.metric] == ["Erlang's formula", "Simulated"]
    app.number_input(key="a.slots_now").set_value(49).run()
    assert not app.metric, "another question has not been asked yet"


def test_the_simulator_confirms_every_pool_once_it_is_asked(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size", assume=QUICK)
    app.button(key="plan.run_pool").click().run()
    assert errors_of(app) == []
    pools = [text.value for text in app.markdown if "slots: share of jobs that wait" in text.value]
    assert len(app.metric) == 2 * len(pools) > 2
    assert all("%" in metric.value for metric in app.metric)


def test_the_causes_of_waiting_are_found_in_the_scenario(open_app: OpenApp) -> None:
    busy = ["workload.classes.job.gpus:{1: 0.9, 8: 0.1}", "workload.classes.job.per_day:70"]
    app = open_app("plan", topic="causes", set=["run.days:5", "run.warmup_days:1", *busy])
    app.button(key="plan.run_causes").click().run()
    assert errors_of(app) == []
    assert "of the GPUs are asked for, and jobs wait" in app.header[0].value


def test_overload_is_said_and_never_a_number(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size", assume=["slots_now:40"])
    assert "no wait is finite" in app.header[0].value
    assert any("grows for ever" in warning.value for warning in app.warning)
    app = open_app("plan", topic="classes", assume=["class_slots:9"])
    assert any("No finite wait" in sentence for sentence in errors_of(app))
    assert not app.exception


@pytest.mark.parametrize("text", ["wait_limit:soon", "zones:1", "jobs_per_day:-1", "nonsense", "<b>:1"])
def test_a_wrong_part_of_a_link_is_told_and_left_out(open_app: OpenApp, text: str) -> None:
    app = open_app("plan", topic="zones", assume=[text])
    assert not app.exception
    assert any("left out" in warning.value for warning in app.warning)
    assert app.header


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_spares_and_growth_are_drawn_beside_the_formula(open_app: OpenApp, lang: str) -> None:
    for topic, kinds in {"spares": ("spares", "saves"), "growth": ("growth",)}.items():
        app = open_app("plan", lang=lang, topic=topic, assume=QUICK)
        for kind in kinds:
            app.button(key=f"plan.run_{kind}").click().run()
        assert not app.exception
        assert errors_of(app) == []
        assert [len(frame.value) for frame in app.table] == ([2, 5] if topic == "spares" else [5])


def test_the_size_goes_into_the_scenario_and_comes_back(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size")
    app.button(key="plan_take").click().run()
    assert errors_of(app) == []
    assert parse_qs(app.session_state["_address"])["set"] == ["cluster.pools.node.zones.a:54"]  # 432 GPUs, 8 a node
    assert [text.value for text in app.success] == ["The scenario has 432 GPUs now."]
    app.button(key="plan_take_back").click().run()
    assert "set" not in parse_qs(app.session_state["_address"])
    assert not app.success


def test_a_size_the_jobs_do_not_fit_into_is_refused_and_changes_nothing(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size", case="three-zone-a100@1", assume=["jobs_per_day:1", "job_gpus:1"])
    app.button(key="plan_take").click().run()
    assert any("pretrain" in sentence for sentence in errors_of(app))
    assert "set" not in parse_qs(app.session_state["_address"])


def test_the_seeds_of_the_scenario_feed_the_plan(open_app: OpenApp) -> None:
    app = open_app("plan", topic="size")
    app.session_state["economics_run"] = True
    app.run()
    app.button(key="plan.run_measured").click().run()
    assert errors_of(app) == []
    app.button(key="economics_run_take").click().run()
    said = parse_qs(app.session_state["_address"])["assume"]
    assert "slots_now:8" in said
    assert "with today's 8 it is" in app.header[0].value


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("growth", ["0", "-0.05"])
def test_a_demand_that_does_not_grow_has_an_answer(open_app: OpenApp, growth: str, lang: str) -> None:
    app = open_app("plan", lang=lang, topic="growth", assume=[f"growth_share:{growth}", *QUICK])
    app.button(key="plan.run_growth").click().run()
    assert not app.exception
    assert errors_of(app) == []
    assert ("never full" if lang == "en" else "不会用满") in app.header[0].value
