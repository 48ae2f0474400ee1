"""The section on preemption: who was evicted for whom, what was lost, every eviction; only where a run can evict."""

import json
import re

import numpy as np
import pytest
import streamlit as st

from dashboard import i18n, jobs_view, preemption_charts, preemption_view, service
from scheduler_core import Kept, Result, Scenario, summarize
from tests.app.conftest import SMALL, OpenApp, everything
from tests.unit.metrics.hand import Job, hand_result
from tests.unit.metrics.hand_evictions import Eviction, Stay, interrupted, with_evictions

HOUR_S = 3_600


@pytest.fixture
def language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {"lang": "en"})


def evicted() -> Result:
    """Three jobs of `lab`, each evicted once for a job of `ops` or another of `lab`; the third waits to the end."""
    jobs = [Job(0, 0, 5 * HOUR_S, gpus=2, tenant="lab") for _ in range(2)]
    jobs += [
        Job(0, 0, None, gpus=2, tenant="lab", runtime=9 * HOUR_S),
        Job(10, HOUR_S, 3 * HOUR_S, tenant="ops", job_class="x"),
    ]
    stays = [Stay(row, 0, HOUR_S, "evicted", HOUR_S) for row in range(3)]
    stays += [Stay(3, HOUR_S, 3 * HOUR_S), Stay(0, 2 * HOUR_S, 5 * HOUR_S), Stay(1, 2 * HOUR_S, 5 * HOUR_S)]
    evictions = [Eviction(HOUR_S, row, 3, "borrowers", 2 * HOUR_S) for row in range(2)]
    return with_evictions(hand_result(jobs), stays, [*evictions, Eviction(HOUR_S, 2, 0, "own_queue", 2 * HOUR_S)])


@pytest.mark.usefixtures("language")
def test_evictions_are_counted_by_whose_jobs_they_were() -> None:
    pairs = preemption_view.pairs_of(evicted())
    assert pairs.names == ("lab", "ops")
    assert pairs.count.tolist() == [[1, 2], [0, 0]]
    assert pairs.lost_gpu_h.tolist() == [[2.0, 4.0], [0.0, 0.0]]
    assert preemption_view.pairs_title(pairs) == "Who was evicted for whom: 3 evictions, 67 % of them of lab for ops"
    assert preemption_view.pairs_title(pairs, "suspend") == (
        "Who was suspended for whom: 3 suspensions, 67 % of them of lab for ops"
    )
    assert pairs.largest(1).names == ("lab",)
    assert pairs.largest(1).count.tolist() == [[1]]


@pytest.mark.usefixtures("language")
def test_lost_work_is_told_with_its_share_and_its_main_cause() -> None:
    summary = summarize(evicted())
    assert preemption_view.lost_by_cause(summary) == {"own_queue": 2.0, "borrowers": 4.0}
    # 3 x 2 GPU-h of 3 x 2 + 2 x 6 + 2 in use
    assert (
        preemption_view.lost_title(summary) == "Lost work: 6 GPU-h, 30 % of what was in use, mostly to quota taken back"
    )
    assert "none" in preemption_view.lost_title(summarize(hand_result([Job(0, 0, 9)])))
    said = preemption_view.meaning(summary)
    assert said.startswith("75 % of the jobs that started were evicted at least once; that is 0.75 evictions")
    assert "19 times in 20" in said


@pytest.mark.usefixtures("language")
def test_ledger_and_jobs_are_tables_for_people() -> None:
    result = evicted()
    frame = preemption_view.ledger_frame(result, preemption_view.counted_rows(result))
    assert frame.iloc[0].tolist() == [1.0, "train-0", "x-0", "quota taken back", 2.0]
    jobs = jobs_view.frame(result, np.arange(4))
    assert jobs["preemptions"].tolist() == [1, 1, 1, 0]
    assert jobs["requeue_min"].tolist() == [60.0, 60.0, 23 * 60.0, 0.0]
    assert "preemptions" not in jobs_view.frame(hand_result([Job(0, 0, 9)]), np.arange(1))


@pytest.mark.usefixtures("language")
def test_the_story_of_a_job_says_for_whom_it_left_and_how_long_it_waited_again() -> None:
    result = evicted()
    first = re.sub(r"\\|\u2060", "", jobs_view.tell(result, 0))
    assert "It was evicted once, for x-0, and waited 60 min to run again." in first
    last = re.sub(r"\\|\u2060", "", jobs_view.tell(result, 2))
    assert "started, and was waiting again at the end. It was evicted once, for train-0" in last
    assert "evicted" not in jobs_view.tell(result, 3)


@pytest.mark.usefixtures("language")
def test_pictures_escape_names_and_show_no_zeros() -> None:
    figure = preemption_charts.pairs(["<b>", "c"], np.array([[0, 3], [1, 0]]), np.zeros((2, 2)))
    (drawn,) = figure.data
    assert list(drawn.y) == ["&lt;b&gt;", "c"]
    assert [list(line) for line in drawn.text] == [["", "3"], ["1", ""]]
    (bars,) = preemption_charts.lost(["<i>"], [2.5]).data
    assert (list(bars.y), list(bars.x)) == (["&lt;i&gt;"], [2.5])


# ---- the page ---------------------------------------------------------------------------------------------------


@pytest.fixture
def evicting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run of the pages have evictions, and forget the runs afterwards."""
    simulate = service._simulate

    def run(scenario: Scenario, replication: int, _progress: object) -> Result:
        return interrupted(simulate(scenario, replication, None), 50 + replication)

    monkeypatch.setattr(service, "_simulate", run)
    monkeypatch.setattr(service, "_RESULTS", Kept(5))
    monkeypatch.setattr(service, "_DIGESTS", Kept(5))
    monkeypatch.setattr(service, "_BATCHES", type(service._BATCHES)())


@pytest.mark.usefixtures("evicting")
@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("case", [SMALL, "priority-clash@1"])
def test_results_show_preemption_where_somebody_was_evicted(open_app: OpenApp, lang: str, case: str) -> None:
    app = open_app("results", lang=lang, case=case)
    assert not app.exception
    text = everything(app)
    for said in {"en": ("Who was evicted for whom", "Lost work"), "zh": ("谁为谁让位", "作废的工作")}[lang]:
        assert said in text
    labels = [expander.label for expander in app.expander]
    assert any({"en": "Every eviction", "zh": "全部驱逐记录"}[lang] in label for label in labels)


def test_results_of_a_run_that_cannot_evict_do_not(open_app: OpenApp) -> None:
    text = everything(open_app("results", case=SMALL))
    assert "evicted" not in text
    assert "Lost work" not in text


@pytest.mark.parametrize(
    ("lang", "said", "not_said"),
    [
        ("en", ("not one GPU came free", "suspended", "suspended job", "suspended at, h"), "evict"),
        ("zh", ("只是被挂起", "被挂起者", "被挂起作业", "挂起时刻（小时）"), "驱逐"),
    ],
)
def test_suspension_is_shown_as_the_trap_it_is_and_called_so(
    open_app: OpenApp, lang: str, said: tuple[str, str, str, str], not_said: str
) -> None:
    changes = ["policy.order:priority", "policy.preemption:{min_gap: 0.3, suspend: true}", "run.days:3"]
    app = open_app("results", lang=lang, case="priority-clash@1", set=changes)
    assert not app.exception
    assert said[0] in everything(app)
    axes = [json.loads(each.proto.spec)["layout"].get("yaxis", {}) for each in app.get("plotly_chart")]
    assert said[1] in [axis.get("title", {}).get("text") for axis in axes]
    columns = [list(each.value.columns) for each in app.dataframe]
    ledger = next(names for names in columns if said[2] in names)
    assert said[3] in ledger
    # Nowhere in the section are they called evicted: neither in a table nor at an axis.
    assert not [name for names in columns for name in names if not_said in name]
    assert not [axis for axis in axes if not_said in json.dumps(axis, ensure_ascii=False)]
