"""Uploads: a log becomes the scenario on screen; what cannot be read is refused with one sentence."""

from urllib.parse import parse_qs

import pytest

from tests.app.conftest import OpenApp, everything

HEAD = "JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|State|NNodes|NCPUS|AllocTRES|Timelimit"


def row(job: int, submit: str, start: str, end: str, seconds: int, gpus: int, user: str = "ada") -> str:
    day = "2026-05-04T"
    tres = f"cpu=8,gres/gpu={gpus},node=1"
    return f"{job}|{user}|lab|gpu|{day}{submit}|{day}{start}|{day}{end}|{seconds}|COMPLETED|1|8|{tres}|02:00:00"


LOG = "\n".join(
    [
        HEAD,
        row(1, "09:00:00", "09:00:00", "10:00:00", 3600, 8),
        row(2, "09:05:00", "10:00:00", "10:30:00", 1800, 4),
        row(3, "09:06:00", "10:00:00", "10:20:00", 1200, 4),
        row(4, "09:30:00", "10:30:00", "11:00:00", 1800, 8),
        "5|bob|lab|gpu|not-a-date|None|None|0|COMPLETED|1|8|gres/gpu=1|01:00:00",
        "",
    ]
)


def test_a_dropped_log_is_replayed_and_reported(open_app: OpenApp) -> None:
    app = open_app("start")
    app.file_uploader(key="log_file").upload("my log.psv", LOG.encode()).run()
    assert not app.exception
    assert [error.value for error in app.error] == []
    scenario = app.session_state["scenario"]
    assert scenario.workload.arrivals.log is not None
    kept = {metric.label: metric.value for metric in app.metric}
    assert kept["Jobs kept"] == "4"
    assert any("Recorded" in text.value for text in app.markdown)


def test_the_link_of_a_log_opens_again_where_it_is_stored(open_app: OpenApp) -> None:
    app = open_app("start")
    app.file_uploader(key="log_file").upload("log.psv", LOG.encode()).run()
    query = app.session_state["_address"]
    params = {name: values for name, values in parse_qs(query).items() if name != "lang"}
    assert len(query) < 7_000
    again = open_app("results", **params)
    assert [error.value for error in again.error] == []
    assert again.session_state["scenario"] == app.session_state["scenario"]


def test_a_link_whose_log_is_missing_says_so(open_app: OpenApp) -> None:
    log = "{log: {sha256: '" + "0" * 64 + "', format: sacct}}"
    app = open_app("results", set=[f"workload.arrivals:{log}"])
    assert not app.exception
    assert any("not stored on this server" in error.value for error in app.error)


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\x01\x02\xff" * 50, b"{}", b"<html></html>", b"JobID|User\n", HEAD.encode(), b"\x1f\x8b broken"],
)
def test_a_file_that_is_no_log_is_refused_in_one_sentence(open_app: OpenApp, content: bytes) -> None:
    app = open_app("start")
    before = app.session_state["scenario"]
    app.file_uploader(key="log_file").upload("x.psv", content).run()
    assert not app.exception
    assert app.session_state["scenario"] == before
    assert app.error or app.warning
    assert "Traceback" not in everything(app)


def test_hostile_text_in_a_log_is_never_markup(open_app: OpenApp) -> None:
    hostile = row(6, "09:40:00", "11:00:00", "11:10:00", 600, 2).replace("|lab|", "|<b>x</b>[y](http://evil.example)|")
    app = open_app("start")
    app.file_uploader(key="log_file").upload("[a](http://evil.example).psv", f"{LOG}{hostile}\n".encode()).run()
    app.switch_page("pages/results.py").run()
    assert not app.exception
    assert "](http" not in everything(app)
    assert "<b>x" not in everything(app)


def test_a_pasted_log_is_replayed_too(open_app: OpenApp) -> None:
    app = open_app("start")
    app.text_area(key="log_text").set_value(LOG)
    app.button(key="log_paste").click().run()
    assert app.session_state["scenario"].workload.arrivals.log is not None


def test_a_given_number_of_gpus_is_the_cluster(open_app: OpenApp) -> None:
    app = open_app("start")
    app.number_input(key="log_gpus").set_value(64).run()
    app.file_uploader(key="log_file").upload("log.psv", LOG.encode()).run()
    assert sum(pool.gpus for pool in app.session_state["scenario"].cluster.pools) == 64


@pytest.mark.parametrize("text", ["not: [valid", "headroom: 99\n", "a" * 10, "/etc/hostname.yaml", "cluster: 5\n"])
def test_a_bad_scenario_file_is_refused_and_nothing_is_lost(open_app: OpenApp, text: str) -> None:
    app = open_app("setup")
    before = app.session_state["scenario"]
    app.file_uploader(key="scenario_file").upload("x.yaml", text.encode()).run()
    assert not app.exception
    assert app.session_state["scenario"] == before
    assert app.error
