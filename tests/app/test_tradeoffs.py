"""Trade-offs without a browser: the study, its link, cancel, the answer in both languages, and what is refused."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import i18n, tradeoffs_charts, tradeoffs_fields, tradeoffs_runs, tradeoffs_study
from scheduler_core import Axis, Measure, Scenario, ScenarioError, all_metrics, apply, load_case, unavailable
from tests.app.conftest import SMALL, OpenApp, everything

CLASH = "priority-clash@1"
VARY = ["policy.order:fifo,smallest,shortest"]
SHORT = ["run.days:1", "run.warmup_days:0", "run.replications:2"]


@pytest.fixture(autouse=True)
def no_works() -> Iterator[None]:
    """Start without works of other tests, and leave none running."""
    tradeoffs_runs._WORKS.clear()
    yield
    for work in list(tradeoffs_runs._WORKS.values()):
        work.is_cancelled = True
    for thread in threading.enumerate():
        if thread.name == "sweep":
            thread.join(60)


def finish(app: AppTest) -> AppTest:
    """Wait until the work of the page is done and show what came of it."""
    wait()
    return app.run()


def wait() -> None:
    """Wait until no sweep is on its way."""
    until = time.monotonic() + 100
    while time.monotonic() < until:
        if all(work.is_done for work in tradeoffs_runs._WORKS.values()):
            return
        time.sleep(0.05)
    raise AssertionError("the sweep did not end")


def open_page(open_app: OpenApp, **params: str | list[str]) -> AppTest:
    given: dict[str, str | list[str]] = {"case": CLASH, "set": SHORT, "vary": VARY, "seeds": "2"}
    return finish(open_app("tradeoffs", **{**given, **params}))


def query(app: AppTest) -> dict[str, list[str]]:
    return parse_qs(app.session_state["_address"])


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_it_says_what_to_choose_with_numbers_and_for_which_weights(open_app: OpenApp, lang: str) -> None:
    asked = {"case": CLASH, "set": SHORT, "vary": VARY, "seeds": "2", "x": "wait_mean@bulk", "y": "wait_mean@urgent"}
    open_app("tradeoffs", lang=lang, **asked)
    wait()
    app = open_app("tradeoffs", lang=lang, **asked)
    assert not app.exception
    assert [error.value for error in app.error] == []
    sentence = app.header[0].value
    assert ("is the best choice" if lang == "en" else "最佳选择是") in sentence
    assert "\\[" in sentence, "the difference has its interval"
    assert any(("of all weights" if lang == "en" else "全部权重的") in caption.value for caption in app.caption)
    assert len(app.dataframe[0].value) == 3
    has_chinese = any("\u4e00" <= sign <= "\u9fff" for sign in everything(app).replace("中文", ""))
    assert has_chinese is (lang == "zh")


def test_the_table_holds_the_numbers_of_the_command_line(open_app: OpenApp) -> None:
    from dashboard.tradeoffs_answer import Answer, numbers_table
    from scheduler_core import compare

    app = open_page(open_app, x="wait_mean", y="goodput")
    work = next(iter(tradeoffs_runs._WORKS.values()))
    assert work.found is not None
    study = tradeoffs_study.Study(work.found.axes, 2, (Measure("wait_mean"), Measure("goodput")), {})
    table = numbers_table(Answer(work.found, study, {}))
    scenario: Scenario = app.session_state["scenario"]
    pair = compare(scenario, apply(scenario, {"policy.order": "shortest"}), 2)
    row = pair.difference("wait_mean")
    assert table["wait_mean (ms)"][2] == row.after.mean
    assert table["wait_mean (ms) difference"][2] == row.difference.mean
    assert table["wait_mean (ms) difference low"][2] == row.difference.low
    assert list(table["policy.order"]) == ["fifo", "smallest", "shortest"]


def test_the_address_says_the_study_and_brings_it_back(open_app: OpenApp) -> None:
    both = ["policy.order:fifo,smallest", "policy.discipline:strict,{easy: {depth: 5}}"]
    app = open_page(open_app, vary=both, x="wait_mean@bulk", y="fairness", by="goodput", w="20,30,50", seeds="3")
    said = query(app)
    assert said["vary"] == both
    assert (said["seeds"], said["x"], said["y"], said["by"], said["w"]) == (
        ["3"], ["wait_mean@bulk"], ["fairness"], ["goodput"], ["20,30,50"],
    )  # fmt: skip
    assert app.multiselect(key="tradeoffs.values2").value == ["strict", "{easy: {depth: 5}}"]
    assert app.slider(key="tradeoffs.w3").value == 50
    app.switch_page("pages/results.py").run()
    assert "vary" not in query(app), "other pages do not carry the study along"
    app.switch_page("pages/tradeoffs.py").run()
    assert query(app) == said, "but it is there when one comes back"


def test_changing_the_field_brings_its_values_and_the_second_multiplies(open_app: OpenApp) -> None:
    app = open_page(open_app)
    app.selectbox(key="tradeoffs.path1").set_value("workload.classes.bulk.per_day").run()
    assert app.multiselect(key="tradeoffs.values1").value == [
        "120",
        "180",
        "240",
        "300",
        "360",
    ]  # 240 a day, x 0.5 to 1.5
    app.selectbox(key="tradeoffs.path2").set_value("policy.kill_at_limit").run()
    finish(app)
    assert len(app.dataframe[0].value) == 10
    assert [error.value for error in app.error] == []


def test_a_value_that_is_refused_is_told_and_kept(open_app: OpenApp) -> None:
    app = open_page(open_app, vary=["policy.order:fifo,lifo"])
    assert any("did you mean fifo" in error.value for error in app.error)
    assert app.multiselect(key="tradeoffs.values1").value == ["fifo", "lifo"]
    assert not app.exception
    assert not app.dataframe


@pytest.mark.parametrize(
    "params",
    [
        {"vary": ["nowhere:1,2"]},
        {"vary": [":"]},
        {"vary": ["policy.order:"]},
        {"vary": ["policy.order:fifo", "policy.order:smallest"]},
        {"vary": ["<script>:<b>"]},
        {"vary": [f"run.days:{','.join(str(day) for day in range(1, 2_000))}"]},
        {"vary": ["cluster.pools.main.speed:1,2"]},
        {"x": "no_such_metric", "y": "wait_mean@nobody"},
        {"x": "wait_mean", "y": "wait_mean"},
        {"seeds": "0", "w": "0,0"},
        {"seeds": "9999999999", "w": "x", "vary": ["policy.order:fifo"]},
    ],
)
def test_a_hostile_or_mistaken_link_shows_a_sentence_or_an_answer(
    open_app: OpenApp, params: dict[str, str | list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tradeoffs_runs, "AT_ONCE_JOBS", 30_000)
    app = open_page(open_app, **params)
    assert not app.exception
    assert app.header
    assert not any("wrong on our side" in error.value for error in app.error)


def test_a_large_study_waits_for_the_button_and_can_be_cancelled(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tradeoffs_runs, "AT_ONCE_JOBS", 100)
    app = open_page(open_app)
    assert not app.dataframe
    assert any("3 points" in text.value and "2 seeds" in text.value for text in app.markdown)
    assert tradeoffs_runs._WORKS == {}
    monkeypatch.setattr(tradeoffs_runs, "sweep", never_ending)
    app.button(key="tradeoffs.run").click().run()
    app.button(key="tradeoffs.cancel").click().run()
    (work,) = tradeoffs_runs._WORKS.values()
    assert work.is_cancelled
    app.run()
    assert "tradeoffs.run" in {button.key for button in app.button}
    monkeypatch.undo()
    app.button(key="tradeoffs.run").click().run()
    assert len(finish(app).dataframe[0].value) == 3


def never_ending(*_: object, progress: object, **__: object) -> None:
    while progress(0.5):  # type: ignore[operator]
        time.sleep(0.02)


def test_a_study_that_nobody_looks_at_any_more_is_ended(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tradeoffs_runs, "sweep", never_ending)
    app = open_app("tradeoffs", case=CLASH, set=SHORT, vary=VARY, seeds="2")
    app.number_input(key="tradeoffs.seeds").set_value(3).run()
    first, second = tradeoffs_runs._WORKS.values()
    assert first.is_cancelled
    assert not second.is_cancelled


def test_a_fault_of_ours_is_told_without_a_traceback(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(tradeoffs_runs, "sweep", broken)
    app = open_page(open_app)
    assert any("wrong on our side" in error.value for error in app.error)
    assert not app.exception


def test_the_recommended_setting_can_be_used_and_undone(open_app: OpenApp) -> None:
    app = open_page(open_app, x="wait_mean@bulk", y="wait_mean")
    app.button(key="tradeoffs.use").click().run()
    assert app.session_state["scenario"].policy.order.slug != "fifo"
    finish(app)
    assert "Stay with" in app.header[0].value, "it is the scenario now"
    app.button(key="undo").click().run()
    assert app.session_state["scenario"].policy.order.slug == "fifo"


def test_weights_change_the_choice_at_once(open_app: OpenApp) -> None:
    app = open_page(open_app, set=["run.days:2", *SHORT[1:]], x="wait_mean@normal", y="wait_mean@bulk", w="100,0")
    assert "Shortest first" in app.header[0].value  # serves normal jobs best; smallest first the small ones
    app.slider(key="tradeoffs.w1").set_value(0).run()
    app.slider(key="tradeoffs.w2").set_value(100).run()
    assert "Smallest first" in app.header[0].value
    assert len(tradeoffs_runs._WORKS) == 1, "nothing was run again"


def test_targets_cut_and_decide(open_app: OpenApp) -> None:
    target = "targets:[{metric: wait_mean, at_most: 1s}]"
    app = open_page(open_app, set=[*SHORT, target])
    assert app.header[0].value.startswith("No point keeps every target.")
    assert "missed" in set(app.dataframe[0].value["targets"])


def test_studies_one_click_away_are_there_exactly_where_the_simulator_can_run_them(open_app: OpenApp) -> None:
    app = open_page(open_app)
    scenario: Scenario = app.session_state["scenario"]
    keys = {button.key for button in app.button}
    for study in tradeoffs_fields.ONE_CLICKS:
        asked = apply(scenario, {**study.base, study.path: study.values[-1]})
        can_run = not unavailable(asked)
        assert (f"tradeoffs.click_{study.key}" in keys) is can_run
        if can_run:
            app.button(key=f"tradeoffs.click_{study.key}").click().run()
            finish(app)
            assert [error.value for error in app.error] == []
            assert len(app.dataframe[0].value) == len(study.values)


def test_a_study_is_offered_once_its_mechanism_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load_case(CLASH)
    monkeypatch.setattr(tradeoffs_fields, "unavailable", lambda _scenario: ())
    assert [study.key for study in tradeoffs_fields.one_clicks(scenario)] == ["threshold", "reservation"]
    reserve = tradeoffs_fields.ONE_CLICKS[1]
    assert reserve.changes(scenario) == {"policy.reserve": "[{for: {priority_below: 0.4}, share: 0.2}]"}
    own = apply(scenario, {"policy.reserve": "[{for: {priority_below: 0.3}, share: 0.1}]"})
    assert reserve.changes(own) == {}, "a reservation of one's own is kept"
    monkeypatch.setattr(tradeoffs_fields, "unavailable", lambda _scenario: ("something",))
    assert tradeoffs_fields.one_clicks(scenario) == []


def test_every_offered_field_begins_with_values_the_model_takes(open_app: OpenApp) -> None:
    app = open_app("tradeoffs", case=SMALL, seeds="1")
    scenario: Scenario = app.session_state["scenario"]
    paths = app.selectbox(key="tradeoffs.path1").options
    assert len(paths) > 20
    offers = _offers(app)
    assert "run.seed" not in offers
    for offer in offers.values():
        for value in offer.start:
            try:
                apply(scenario, {offer.path: value})
            except ScenarioError as error:  # 10 days of warm-up need a run of more days
                assert "must be below" in str(error), (offer, value)  # noqa: PT017


def _offers(app: AppTest) -> dict[str, tradeoffs_fields.Offer]:
    """Return the offers of a page as the page makes them, inside a run of the script."""
    found: dict[str, tradeoffs_fields.Offer] = {}
    offers = tradeoffs_fields.offers

    def catch(scenario: Scenario) -> dict[str, tradeoffs_fields.Offer]:
        found.update(offers(scenario))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tradeoffs_fields, "offers", catch)
        app.run()
    return found


@pytest.mark.parametrize(
    ("text", "bounds", "is_whole", "near"),
    [
        ("8", (1, 1_000), True, ("4", "6", "8", "10", "12")),
        ("0.6", (0, 1), False, ("0.3", "0.45", "0.6", "0.75", "0.9")),
        ("0.9", (0, 1), False, ("0.45", "0.675", "0.9")),
        ("30min", (0, 1), True, ("15min", "22.5min", "30min", "37.5min", "45min")),
        ("1", (1, 9), True, ("1", "2")),
        ("0", (0, 9), True, ("0",)),
        ("null", (0, 9), True, ("null",)),
        ("{a: 3}", (0, 9), False, ("{a: 3}",)),
    ],
)
def test_values_to_begin_with_lie_around_the_one_in_force(
    text: str, bounds: tuple[float, float], is_whole: bool, near: tuple[str, ...]
) -> None:
    assert tradeoffs_fields._near(text, *bounds, is_whole=is_whole) == near


def test_measures_on_offer_have_a_direction_and_waits_come_by_tenant_and_class() -> None:
    found = tradeoffs_study.measure_options(load_case(CLASH))
    assert {"wait_mean", "goodput", "wait_p95@research", "wait_mean@urgent"} <= set(found)
    assert all(all_metrics()[text.partition("@")[0]].better != "none" for text in found)


def test_the_name_of_the_work_leaves_out_what_changes_no_run() -> None:
    scenario = load_case(CLASH)
    axes = (Axis("policy.order", ("fifo", "smallest")),)
    one = tradeoffs_study.Study(axes, 2, (Measure("wait_mean"), Measure("goodput")), {"wait_mean": 1.0})
    two = tradeoffs_study.Study(axes, 2, (Measure("fairness"), Measure("wait_p95")), {})
    assert one.name_of_work(scenario) == two.name_of_work(scenario)
    others = [
        tradeoffs_study.Study(axes, 3, one.measures, {}).name_of_work(scenario),
        tradeoffs_study.Study(axes, 2, (Measure("wait_mean", "class:bulk"),), {}).name_of_work(scenario),
        one.name_of_work(apply(scenario, {"run.days": 3})),
    ]
    assert len({one.name_of_work(scenario), *others}) == 4


def test_finished_runs_are_kept_on_disk_for_the_next_server(open_app: OpenApp, tmp_path: Path) -> None:
    open_page(open_app)
    assert len(list((tmp_path / "data" / "runs").rglob("*.json"))) == 6
    tradeoffs_runs._WORKS.clear()
    open_page(open_app)
    (work,) = tradeoffs_runs._WORKS.values()
    assert work.found is not None
    assert work.found.n_kept == 6


def test_the_picture_has_every_point_once_its_front_and_its_cuts(open_app: OpenApp) -> None:
    app = open_app("start")  # texts need a session
    assert not app.exception
    dots = [
        tradeoffs_charts.Dot(f"p{at}", (at, 10 - at), (None, (1.0, 2.0)), [f"<b>{at}", "more"], group=f"g{at % 2}")
        for at in range(8)
    ]
    scale = tradeoffs_charts.Scale("wait", 2.0, False, [(4.0, "at most 4", True)])
    marks = tradeoffs_charts.Marks(baseline=3, best=5, knee=2, front=[0, 5, 7])
    figure = tradeoffs_charts.scatter(dots, scale, scale, marks)
    points = [trace for trace in figure.data if "markers" in trace.mode and trace.customdata is not None]
    assert sorted(x for trace in points for x in trace.x) == [at / 2 for at in range(8)]
    assert {trace.customdata[0] for trace in points if trace.name == "g0"} == {"&lt;b&gt;0<br>more"}
    front = next(trace for trace in figure.data if trace.mode == "lines")
    assert list(front.x) == [0, 2.5, 3.5]
    named = {text for trace in points for text in trace.text if text}
    assert named == {"p0", "p2", "p3", "p5", "p7"}, "of many points only those that stand out are named"
    assert len(figure.layout.shapes) == 2
    assert list(points[0].error_y.array) == [1.0] * len(points[0].x)  # 2.0 above, in units of 2
