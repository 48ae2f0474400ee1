"""Elastic demand on Results and Set up."""

import pytest

from tests.app.conftest import OpenApp, everything

DEMAND = "{class: pretrain, appears_when: {wait_p50_below: 30min}, up_to_gpu_h_per_day: 15000}"


@pytest.mark.parametrize(("lang", "words"), [("en", "is elastic demand"), ("zh", "是弹性需求")])
def test_results_says_what_part_of_the_use_it_is_and_why_it_came(open_app: OpenApp, lang: str, words: str) -> None:
    changes = [f"workload.elastic:{DEMAND}", "run.days:1.5", "run.replications:1"]
    app = open_app("results", lang=lang, case="three-zone-a100@1", set=changes)
    assert not app.exception
    assert words in everything(app)
    assert "pretrain" in everything(app)


def test_set_up_shows_its_fields(open_app: OpenApp) -> None:
    app = open_app("setup", case="three-zone-a100@1", set=[f"workload.elastic:{DEMAND}"])
    assert not app.exception
    app.session_state["group_workload"] = True
    app.session_state["group_policy"] = True
    app.run()
    assert not app.exception
    assert {"Comes while", "Jobs like those of"} <= {box.label for box in app.selectbox}
