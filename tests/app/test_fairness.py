"""Who gets what and who pays: shown where there is more than one tenant, with sentences made from the numbers."""

import re

import pytest
import streamlit as st

from dashboard import fairness_charts, fairness_view, i18n
from dashboard.fairness_view import Row, got_title, pays_title, rows
from scheduler_core import Alone, Value, load_case, simulate, summarize
from tests.app.conftest import SMALL, OpenApp, everything

HOUR_MS = 3_600_000.0


def row(name: str, *, received: float, asked: float = 10, entitled: float = 10, wait_ms: float = 0) -> Row:
    return Row(name, "#0072B2", 5, received, asked, entitled, Value(wait_ms), Value(2 * wait_ms), 0.0)


@pytest.fixture
def language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {"lang": "en"})


def test_due_is_the_smaller_of_asked_for_and_entitled() -> None:
    assert row("a", received=4, asked=8, entitled=20).served_share == 0.5
    assert row("a", received=4, asked=20, entitled=4).served_share == 1.0
    assert row("a", received=4, asked=20, entitled=0).served_share == 1.0  # nothing was due


@pytest.mark.usefixtures("language")
def test_title_names_who_got_least_and_who_got_most() -> None:
    tenants = [row("a", received=5), row("b", received=14, asked=20), row("c", received=9)]
    assert got_title(tenants) == "Who gets what: A got 50 % of its due, b 140 %"
    assert "everybody got at least 99 %" in got_title([row("a", received=9.9), row("b", received=10)])
    assert "nothing was due" in got_title([row("a", received=1, entitled=0)])


@pytest.mark.usefixtures("language")
def test_title_names_who_waits_longest_against_who_waits_least() -> None:
    tenants = [row("a", received=1, wait_ms=60_000), row("b", received=1, wait_ms=3 * HOUR_MS)]
    assert pays_title(tenants) == "Who pays: B waits 3 h on average, a 60 s"
    assert pays_title([row("a", received=1), row("b", received=1)]).startswith("Who pays: nobody")
    alike = [row("a", received=1, wait_ms=2 * HOUR_MS), row("b", received=1, wait_ms=3 * HOUR_MS)]
    assert pays_title(alike) == "Who pays: all alike, 2 h to 3 h on average"


@pytest.mark.usefixtures("language")
def test_a_lower_bound_reads_at_least() -> None:
    bound = Row("a", "#0072B2", 5, 1, 1, 1, Value(HOUR_MS, is_lower_bound=True), Value(HOUR_MS), 0.5)
    assert "\u2265" in pays_title([bound, row("b", received=1)])


@pytest.mark.usefixtures("language")
def test_rows_are_those_of_the_summary() -> None:
    scenario = load_case("priority-clash@1")
    summary = summarize(simulate(scenario))
    found = rows(scenario, summary)
    assert [each.name for each in found] == [tenant.name for tenant in scenario.tenants]
    total = sum(each.received for each in found)
    hours = (scenario.run.days - scenario.run.warmup_days) * 24
    use = summary.value("utilisation").value
    assert use is not None
    assert total == pytest.approx(use * summary.healthy_gpus * hours)
    assert all(each.received <= each.asked for each in found)


@pytest.mark.usefixtures("language")
def test_picture_has_a_bar_for_each_tenant_and_a_name_that_is_no_markup() -> None:
    figure = fairness_charts.got(["a", "<b>"], ["#0072B2", "#E69F00"], fairness_charts.GpuHours([1, 2], [3, 4], [5, 6]))
    drawn = [trace for trace in figure.data if trace.x[0] is not None]
    assert [list(trace.x) for trace in drawn] == [[3, 4], [1, 2], [5, 6]]
    assert list(drawn[0].y) == ["a", "&lt;b&gt;"]
    assert figure.layout.yaxis.type == "category"
    names = {name for trace in figure.data for name in trace.y}
    assert names == {"a", "&lt;b&gt;"}, "an entry of the legend adds no place to the axis"


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_results_show_who_gets_what_with_more_than_one_tenant(open_app: OpenApp, lang: str) -> None:
    text = everything(open_app("results", lang=lang, case="priority-clash@1"))
    assert {"en": "Who gets what", "zh": "谁得到多少"}[lang] in text
    assert {"en": "Who pays", "zh": "谁付出代价"}[lang] in text
    assert "Jain" in text


def test_results_of_one_tenant_do_not(open_app: OpenApp) -> None:
    assert "Who gets what" not in everything(open_app("results", case=SMALL))


def test_the_identity_of_utilisation_is_explained_with_the_numbers_of_the_run(open_app: OpenApp) -> None:
    text = everything(open_app("results", case=SMALL))
    assert "utilisation equals the offered load, whatever the policy" in text
    assert re.search(r"Here [\d.]+ % was offered, [\d.]+ % of the jobs finished and [\d.]+ % was in use", text)


def test_where_work_stays_undone_the_identity_says_so(open_app: OpenApp) -> None:
    text = everything(open_app("results", case="backfill-demo@1"))
    assert "Here not all of it finishes" in text


def test_a_picture_has_the_largest_tenants_in_the_order_of_the_scenario() -> None:
    many = [row(f"t{at}", received=1, asked=(7 * at) % 20, entitled=30) for at in range(20)]
    drawn = fairness_view.largest(many)
    assert sorted(each.asked for each in drawn) == list(range(8, 20))  # 0 to 19 in some order; the largest 12
    assert [each.name for each in drawn] == [each.name for each in many if each.asked >= 8]


def alone(tenant: str, share: float | None, *, is_bound: bool = False) -> Alone:
    anomaly = Value(share, is_bound)
    return Alone(tenant, 8, 100, 0, anomaly, Value(None if share is None else 1 - share), Value(2.0), Value(0.1))


@pytest.mark.usefixtures("language")
def test_what_sharing_cost_names_who_waited_longer_than_alone() -> None:
    tenants = (alone("a", 0.1), alone("b", 0.4, is_bound=True))
    said = fairness_view.alone_sentence(alone("", 0.25, is_bound=True), tenants).replace("\u202f", "")
    assert said.startswith("Isolation 75 %: \u226525 % of the jobs waited")
    assert said.endswith("most of all those of b, 40 %.")
    assert "nobody waited" in fairness_view.alone_sentence(alone("", 0.0), tenants)
    assert fairness_view.alone_sentence(alone("", None), ()) == "No jobs to compare."


def test_each_tenant_is_run_alone_when_somebody_asks(open_app: OpenApp) -> None:
    app = open_app("results", case="priority-clash@1")
    assert "than alone" not in everything(app)
    app.toggle(key="fair_alone").set_value(True).run()
    assert not app.exception
    assert "of the jobs waited over a minute longer than alone" in everything(app)
