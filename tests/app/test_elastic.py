"""Elastic demand on Results and Set up."""

import base64
import json

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenApp, everything

DEMAND = "{class: pretrain, appears_when: {wait_p50_below: 30min}, up_to_gpu_h_per_day: 15000}"


@pytest.mark.parametrize(("lang", "words"), [("en", "is elastic demand"), ("zh", "是弹性需求")])
def test_results_says_what_part_of_the_use_it_is_and_why_it_came(open_app: OpenApp, lang: str, words: str) -> None:
    changes = [f"workload.elastic:{DEMAND}", "run.days:1.5", "run.replications:1"]
    app = open_app("results", lang=lang, case="three-zone-a100@1", set=changes)
    assert not app.exception
    assert words in everything(app)
    assert "pretrain" in everything(app)


@pytest.mark.parametrize(("lang", "band"), [("en", "added by elastic demand"), ("zh", "弹性需求带来的工作")])
def test_the_chart_shows_what_it_added_as_a_band_of_its_own(open_app: OpenApp, lang: str, band: str) -> None:
    changes = ["run.days:1.5", "run.replications:1"]
    app = open_app("results", lang=lang, case="three-zone-a100@1", set=[f"workload.elastic:{DEMAND}", *changes])
    assert not app.exception
    bands = stacked(app)
    assert list(bands)[:3] == ["research", "platform", band]
    assert bands[band].max() > 100
    # Pretraining is work of research, but what elastic demand added of it is in its own band only.
    assert np.allclose(sum(bands.values()), 3_200)
    without = stacked(open_app("results", lang=lang, case="three-zone-a100@1", set=changes))
    assert band not in without
    assert without["research"].sum() > 0.5 * bands["research"].sum()


def stacked(app: AppTest) -> dict[str, NDArray[np.float64]]:
    """Return the bands of the picture of GPUs over time, by name, lowest first."""
    drawn = [trace for each in app.get("plotly_chart") for trace in json.loads(each.proto.spec)["data"]]
    return {
        trace["name"]: np.frombuffer(base64.b64decode(trace["y"]["bdata"]), trace["y"]["dtype"]).astype(np.float64)
        for trace in drawn
        if trace.get("stackgroup")
    }


def test_set_up_shows_its_fields(open_app: OpenApp) -> None:
    app = open_app("setup", case="three-zone-a100@1", set=[f"workload.elastic:{DEMAND}"])
    assert not app.exception
    app.session_state["group_workload"] = True
    app.session_state["group_policy"] = True
    app.run()
    assert not app.exception
    assert {"Comes while", "Jobs like those of"} <= {box.label for box in app.selectbox}
