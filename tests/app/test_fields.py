"""The fields of Set up and of Trade-offs, Compare and the topics when a browser is busy: nothing is lost or made up."""

from contextlib import suppress
from typing import Any

import pytest

from tests.app.conftest import OpenApp

KINDS = ("number_input", "selectbox", "multiselect", "button_group", "text_input", "text_area", "slider", "toggle")
OPEN = ("group_policy", "group_workload", "group_run", "group_targets")


def test_two_edits_in_one_moment_both_count(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.number_input(key="w.run.days").set_value(90.0)
    app.number_input(key="w.run.replications").set_value(3)
    app.selectbox(key="w.policy.order").set_value("smallest").run()
    assert not app.exception
    scenario = app.session_state["scenario"]
    assert (scenario.run.days, scenario.run.replications, scenario.policy.order.slug) == (90.0, 3, "smallest")
    assert app.number_input(key="w.run.days").value == 90.0
    assert app.number_input(key="w.run.replications").value == 3


def test_a_refused_value_and_a_good_one_in_one_moment(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.number_input(key="w.run.warmup_days").set_value(3_000.0)
    app.number_input(key="w.run.replications").set_value(3).run()
    assert not app.exception
    assert app.session_state["scenario"].run.replications == 3
    assert app.number_input(key="w.run.warmup_days").value == 3_000.0, "what was typed stays"
    assert len(app.error) == 1
    app.button(key="undo").click().run()
    assert not app.error
    assert app.number_input(key="w.run.warmup_days").value == app.session_state["scenario"].run.warmup_days


@pytest.mark.parametrize("turned_first", [True, False])
def test_a_dial_or_a_button_in_the_same_moment_does_not_undo_a_field(open_app: OpenApp, turned_first: bool) -> None:
    app = open_app("setup")
    for group in ("group_policy", "group_run"):
        app.session_state[group] = True
    app.run()
    if turned_first:
        app.selectbox(key="w.dial.fairness").set_value("hybrid")
    else:
        app.button(key="open_policy_rounds").click()
    app.number_input(key="w.run.days").set_value(90.0)
    app.number_input(key="w.all.run.warmup_days").set_value(2.0).run()
    assert not app.exception
    scenario = app.session_state["scenario"]
    assert (scenario.run.days, scenario.run.warmup_days) == (90.0, 2.0)
    assert (scenario.policy.order.slug == "priority") if turned_first else scenario.policy.rounds


def test_a_field_that_is_shown_twice_shows_the_same_and_only_the_wrong_one_is_told(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.session_state["group_run"] = True
    app.run()
    app.number_input(key="w.all.run.days").set_value(90.0).run()
    assert app.number_input(key="w.run.days").value == 90.0
    app.number_input(key="w.all.run.warmup_days").set_value(3_000.0).run()
    app.number_input(key="w.run.replications").set_value(3).run()
    assert app.number_input(key="w.all.run.warmup_days").value == 3_000.0
    assert app.number_input(key="w.run.warmup_days").value == app.session_state["scenario"].run.warmup_days
    assert len(app.error) == 1


def test_a_refusal_goes_with_its_field(open_app: OpenApp) -> None:
    app = open_app("economics")
    app.number_input(key="a.premium_ratio").set_value(-1.0).run()
    assert app.error
    app.switch_page("pages/setup.py").run()
    app.switch_page("pages/economics.py").run()
    assert not app.error, "the field shows the value in force, which nobody refused"


@pytest.mark.parametrize(
    ("page", "prefixes", "params"),
    [
        ("setup", ("w.",), {"set": ["policy.order:las", "policy.gang:hold_and_wait", "run.days:90"]}),
        ("tradeoffs", ("tradeoffs.",), {"vary": ["policy.discipline:easy,strict", "run.days:5,9"], "x": "wait_p95"}),
        ("compare", ("compare",), {}),
        ("plan", ("plan", "a."), {"topic": "size"}),
        ("economics", ("economics", "a."), {"topic": "rent"}),
    ],
)
def test_a_browser_that_missed_a_value_falls_back_to_it_and_not_to_nothing(
    open_app: OpenApp, page: str, prefixes: tuple[str, ...], params: dict[str, str | list[str]]
) -> None:
    app = open_app(page, **params)
    for group in OPEN if page == "setup" else ():
        app.session_state[group] = True
    app.run()
    assert not app.exception
    found = [one for kind in KINDS for one in app.get(kind) if str(one.key).startswith(prefixes)]
    assert found
    for widget in found:
        assert fallback(widget.proto) == stands(widget), widget.key


def test_the_scope_of_preemption_is_chosen_among_words_and_reaches_the_document(open_app: OpenApp) -> None:
    app = open_app("setup", set=["policy.preemption:{min_gap: 0.6, grace: 5min}", "policy.order:drf"])
    app.session_state["group_policy"] = True
    app.run()
    scopes = app.multiselect(key="w.all.policy.preemption.scope")
    assert not scopes.value
    assert scopes.options == [
        "lower priorities of the own tenant",
        "tenants above their quota",
        "tenants above their fair share",
        "whoever stands on a reserved share",
    ]
    scopes.set_value(["fair_share", "own_queue"]).run()
    assert not app.exception
    assert not app.error
    assert app.session_state["scenario"].policy.preemption.scope == ("own_queue", "fair_share")
    app.button(key="undo").click().run()
    assert app.session_state["scenario"].policy.preemption.scope is None
    assert not app.multiselect(key="w.all.policy.preemption.scope").value


def test_a_story_whose_fields_a_browser_missed_is_not_emptied(open_app: OpenApp) -> None:
    app = open_app("stories")
    app.button(key="story_new").click().run()
    title = next(one for one in app.text_input if str(one.key).startswith("title-"))
    title.set_value("Four hours to half an hour").run()
    box = next(one for one in app.text_area if str(one.key).startswith("box-"))
    box.set_value("3,200 GPUs").run()
    assert not app.exception
    for widget in [*app.text_input, *app.text_area]:
        if str(widget.key).startswith(("title-", "line-", "box-")):
            assert fallback(widget.proto) == stands(widget), widget.key


def test_more_seeds_than_trade_offs_runs_begin_with_as_many_as_it_does(open_app: OpenApp) -> None:
    app = open_app("tradeoffs", set=["run.replications:500"])
    assert not app.error
    assert app.number_input(key="tradeoffs.seeds").value == 100


def test_as_many_nodes_as_there_may_be_are_shown(open_app: OpenApp) -> None:
    app = open_app("setup", set=["cluster.pools.node.zones:{a: 100_000, b: 100_000}"])
    assert not app.exception
    assert not app.error
    pool = app.session_state["scenario"].cluster.pools[0]
    assert app.number_input(key="w.cluster.pools.node.zones").value == pool.nodes == 200_000


def fallback(proto: Any) -> object:  # noqa: ANN401  each kind of widget has its own message
    """Return what the browser shows of a widget that no order to set its value has reached."""
    if not isinstance(proto.default, str | int | float):
        return list(proto.default)
    with suppress(ValueError):  # of a field that is always there
        if not proto.HasField("default"):
            return None
    return proto.default


def stands(widget: Any) -> object:  # noqa: ANN401
    """Return where the script has the widget, said as its default is."""
    if widget.type in {"multiselect", "button_group"}:
        return widget.indices
    if widget.type == "selectbox":
        return widget.index
    return [widget.value] if widget.type == "slider" else widget.value
