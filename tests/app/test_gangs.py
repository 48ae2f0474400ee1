"""Gangs that hold GPUs and wait: chosen on Set up, and shown on Results as the trap they are."""

import pytest

from tests.app.conftest import OpenApp, everything

HOLD = ["policy.gang:{hold_and_wait: {timeout: 5min}}", "policy.discipline:best_effort", "run.days:3"]
CASE = "fenced-research@1"


def test_how_long_a_gang_holds_is_typed_as_a_time(open_app: OpenApp) -> None:
    app = open_app("setup", case=CASE, set=HOLD)
    app.session_state["group_policy"] = True
    app.run()
    assert "A trap, as without gang scheduling" in everything(app)
    timeout = app.text_input(key="w.all.policy.gang.hold_and_wait.timeout")
    assert (timeout.label, timeout.value) == ("Gives up after", "5min")
    timeout.set_value("2min").run()
    assert app.session_state["scenario"].policy.gang.params == {"timeout": 120_000}
    app.text_input(key="w.all.policy.gang.hold_and_wait.timeout").set_value("soon").run()
    assert app.session_state["scenario"].policy.gang.params == {"timeout": 120_000}
    assert len(app.error) == 1


@pytest.mark.parametrize(("lang", "said"), [("en", "gangs took GPUs before"), ("zh", "个作业组在凑齐之前就占用")])
def test_results_say_what_stood_idle_in_the_hands_of_gangs(open_app: OpenApp, lang: str, said: str) -> None:
    app = open_app("results", lang=lang, case=CASE, set=HOLD)
    assert not app.exception
    assert said in everything(app)
    assert {"en": "Use above the offered load is no gain", "zh": "占用高于提交负载并非收益"}[lang] in everything(app)


def test_results_say_nothing_about_gangs_that_start_all_at_once(open_app: OpenApp) -> None:
    assert "gangs took GPUs" not in everything(open_app("results"))
