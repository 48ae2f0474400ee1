"""The dials on Set up, in both languages."""

import pytest

from dashboard import i18n
from tests.app.conftest import OpenApp, everything


def test_a_dial_moves_its_fields_and_says_which(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.selectbox(key="w.dial.fairness").set_value("hybrid").run()
    assert not app.exception
    policy = app.session_state["scenario"].policy
    assert policy.order.slug == "priority"
    assert policy.reserve[0].share == 0.2
    assert app.selectbox(key="w.dial.fairness").value == "hybrid"
    assert "policy.reserve" in everything(app).replace("\\", "")


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_dials_stand_where_the_scenario_is(open_app: OpenApp, lang: str) -> None:
    app = open_app("setup", lang=lang, set=["policy.order:drf", "policy.discipline:easy", "policy.placement:spread"])
    dials = {str(box.key): box for box in app.selectbox if str(box.key).startswith("w.dial.")}
    stands = {key.rpartition(".")[2]: app.session_state[key] for key in dials}
    assert stands == {"fairness": "drf", "efficiency": "easy", "isolation": "none"}
    assert len(dials["w.dial.isolation"].options) == 4  # cells come later
    assert ("holds least" in everything(app)) == (lang == "en")
    assert ("占有最少" in everything(app)) == (lang == "zh")


def test_a_stop_asks_before_it_replaces_what_was_set_by_hand(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.selectbox(key="w.policy.order").set_value("smallest").run()
    assert app.selectbox(key="w.dial.fairness").value is None
    app.selectbox(key="w.dial.fairness").set_value("drf").run()
    assert app.session_state["scenario"].policy.order.slug == "smallest"
    app.button(key="dial_keep").click().run()
    assert app.session_state["scenario"].policy.order.slug == "smallest"
    app.selectbox(key="w.dial.fairness").set_value("drf").run()
    app.button(key="dial_replace").click().run()
    assert not app.exception
    assert app.session_state["scenario"].policy.order.slug == "drf"
    app.button(key="undo").click().run()
    assert app.session_state["scenario"].policy.order.slug == "smallest"


def test_an_order_that_lowers_those_who_wait_says_so(open_app: OpenApp) -> None:
    app = open_app("setup", set=["policy.order:article"])
    assert any("waiting lowers a job" in warning.value for warning in app.warning)
    app = open_app("setup", set=["policy.order:{article: {form: corrected}}"])
    assert not any("waiting lowers a job" in warning.value for warning in app.warning)


def test_a_setting_with_a_fraction_is_shown_as_it_is(open_app: OpenApp) -> None:
    app = open_app("setup", set=["policy.order:{priority: {aging_per_h: 0.05}}"])
    app.session_state["group_policy"] = True
    app.run()
    aging = app.number_input(key="w.all.policy.order.priority.aging_per_h")
    assert aging.value == 0.05
    assert aging.step == 0.01
    aging.set_value(0.25).run()
    assert app.session_state["scenario"].policy.order.params["aging_per_h"] == 0.25


@pytest.mark.parametrize(("part", "field", "begins"), [("preemption", "grace", 300_000), ("rounds", "every", 300_000)])
def test_a_part_of_the_policy_is_added_changed_and_taken_away(
    open_app: OpenApp, part: str, field: str, begins: int
) -> None:
    app = open_app("setup")
    app.session_state["group_policy"] = True
    app.run()
    app.button(key=f"open_policy_{part}").click().run()
    assert getattr(getattr(app.session_state["scenario"].policy, part), field) == begins
    app.text_input(key=f"w.all.policy.{part}.{field}").set_value("10min").run()
    assert getattr(getattr(app.session_state["scenario"].policy, part), field) == 600_000
    assert not app.exception
    app.button(key=f"open_policy_{part}").click().run()
    assert getattr(app.session_state["scenario"].policy, part) is None


def test_checkpoints_of_a_class_are_three_fields(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.session_state["group_workload"] = True
    app.run()
    app.button(key="open_workload_classes_job_checkpoint").click().run()
    app.text_input(key="w.all.workload.classes.job.checkpoint.every").set_value("1h").run()
    assert not app.exception
    assert app.session_state["scenario"].workload.classes[0].checkpoint.every == 3_600_000


def test_an_empty_field_says_what_it_means(open_app: OpenApp) -> None:
    app = open_app("setup", set=["policy.order:las"])
    app.session_state["group_policy"] = True
    app.run()
    assert app.number_input(key="w.all.policy.order.las.promote").placeholder == "never"


def test_a_shape_takes_the_place_of_the_gpus_of_a_class_and_gives_it_back(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.session_state["group_workload"] = True
    app.run()
    app.button(key="open_workload_classes_job_shape").click().run()
    app.number_input(key="w.all.workload.classes.job.shape.nodes").set_value(3).run()
    assert not app.exception
    found = app.session_state["scenario"].workload.classes[0]
    assert (found.shape.nodes, found.shape.gpus_per_node, found.gpus) == (3, 1, {3: 1.0})
    assert "w.all.workload.classes.job.gpus" not in [entry.key for entry in app.text_input]
    app.button(key="open_workload_classes_job_shape").click().run()
    found = app.session_state["scenario"].workload.classes[0]
    assert (found.shape, found.gpus) == (None, {3: 1.0})
