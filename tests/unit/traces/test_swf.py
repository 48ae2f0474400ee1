"""Standard Workload Format: unknowns, extras, and the check sums of archived logs."""

import math

import pytest

from scheduler_core.errors import TraceError
from scheduler_core.traces import infer_capacity, read
from tests.unit.traces.helpers import counted, shared

UNKNOWN = "7 10 -1 -1 8 -1 -1 -1 -1 -1 -1 3 1 -1 0 -1 -1 -1"
EXTRA = "8 1356996147 0 60 64 1 1024 64 86400 1 1 62 1 1 -1 1 1 1 {1,2} q_2d 1:ppn=64"


def row(job: int, submit: float, wait: float, run: float, procs: int) -> str:
    return f"{job} {submit} {wait} {run} {procs} -1 -1 {procs} 600 -1 1 1 1 1 1 1 -1 -1"


def test_unknowns_are_left_out_and_extras_are_ignored() -> None:  # T12
    imported = read(f"{UNKNOWN}\n{EXTRA}\n; a comment after data\n".encode())
    assert counted(imported, "left_out") == {"no_run_time": 1}
    table = imported.table().table
    assert table.ids == ("8",)
    assert table.jobs.submit_ms.tolist() == [0]  # counted from the first kept submit
    assert table.jobs.runtime_ms.tolist() == [60_000]
    assert table.jobs.gpus.tolist() == [64]
    assert table.jobs.limit_ms.tolist() == [86_400_000]
    assert table.tenants == ("user-62",)


def test_float_seconds_and_a_stable_sort() -> None:  # T12
    log = "\n".join([row(1, 20.5, 0.25, 1.125, 1), row(2, 10.5, 0, 2, 1), row(3, 10.5, 0, 3, 1)])
    made = read(log.encode()).table()
    assert made.table.ids == ("2", "3", "1")
    assert made.table.jobs.submit_ms.tolist() == [0, 0, 10_000]
    assert made.table.jobs.runtime_ms.tolist() == [2_000, 3_000, 1_125]
    assert made.recorded_start_ms.tolist() == [0, 0, 10_250]


def test_a_wait_that_is_not_recorded_stays_unknown() -> None:
    imported = read(row(1, 0, -1, 60, 4).encode())
    made = imported.table()
    assert made.recorded_start_ms.tolist() == [-1]
    assert made.recorded_finish_ms.tolist() == [-1]
    assert imported.report.unknown_starts == 1


def test_allocated_processors_count_unless_requested_ones_are_chosen() -> None:
    log = b"1 0 0 60 30 -1 -1 29 600 -1 1 1 1 1 1 1 -1 -1\n2 0 0 60 -1 -1 -1 5 600 -1 1 1 1 1 1 1 -1 -1\n"
    assert read(log).table().table.jobs.gpus.tolist() == [30, 5]
    assert read(log, options={"procs": "requested"}).table().table.jobs.gpus.tolist() == [29, 5]


def test_processors_are_divided_and_rounded_up() -> None:
    log = "; MaxProcs: 100\n" + "\n".join(row(at, at, 0, 60, procs) for at, procs in enumerate([1, 8, 9, 100]))
    replay = read(log.encode()).replay(procs_per_gpu=8)
    assert replay.table.jobs.gpus.tolist() == [1, 1, 2, 13]
    assert infer_capacity(replay) == (13, "max_procs")  # 100 / 8 rounded up, so that the largest job fits
    assert replay.report.is_in_gpus


def test_short_partial_and_broken_lines_are_refused_by_line() -> None:
    broken = row(3, 0, 0, 60, 4).replace(" 60 ", " x ", 1)
    partial = row(4, 0, 0, 60, 4).replace("-1 1 1 1 1 1 1", "-1 3 1 1 1 1 1")
    log = "\n".join([row(1, 0, 0, 60, 4), "2 3 4", broken, partial, row(5, 1e300, 0, 60, 4)])
    imported = read(log.encode(), format="swf")
    assert counted(imported, "refused") == {"swf_fields": 1, "swf_numbers": 2, "swf_partial": 1}
    assert [tally.lines for tally in imported.report.refused] == [(2,), (3, 5), (4,)]
    assert imported.report.rows_read == 5


def test_a_header_without_jobs_is_a_readable_log() -> None:
    imported = read(b"; Version: 2.2\n; MaxProcs: 240\n")
    assert imported.report.kept == 0
    assert [warning.key for warning in imported.report.warnings] == ["replay.nothing"]


def test_the_calendar_comes_from_the_header() -> None:
    imported = read(f"; UnixStartTime: 1000000000\n; TimeZoneString: Europe/Paris\n{row(1, 60, 0, 1, 1)}\n".encode())
    assert imported.report.starts_at == "2001-09-09T01:47:40"  # 01:46:40 + 60 s
    assert imported.report.time_zone == "UTC (site: Europe/Paris)"


def test_a_file_of_words_is_not_swf() -> None:
    with pytest.raises(TraceError, match="no line starts with 18 numbers"):
        read(b"hello world\n", format="swf")


@pytest.mark.parametrize(
    ("name", "jobs", "core_h"),
    [
        ("hpc2n_excerpt_alea.swf", 3_170, 139_904.2),
        ("metacentrum_wagap2013_extended.swf", 2_500, 588_087.4),
        ("nasa_ipsc_1993_clean_excerpt.swf", 8_968, 71_843.1),
        ("cqsim_kth_toy.swf", 9, 288.9),
        ("evalys_float_seconds.swf", 800, 71.2),
    ],
)
def test_check_sums_of_the_archived_logs(name: str, jobs: int, core_h: float) -> None:
    report = read(shared("swf", name)).report
    assert report.jobs == jobs
    assert round(report.processor_h, 1) == core_h


def test_quirks_of_the_archived_logs_are_reported() -> None:
    hpc2n = read(shared("swf", "hpc2n_excerpt_alea.swf"))
    assert counted(hpc2n, "left_out") == {"no_run_time": 25}
    assert hpc2n.report.limits_overrun == 320
    assert infer_capacity(hpc2n.replay()) == (240, "max_procs")
    nasa = read(shared("swf", "nasa_ipsc_1993_clean_excerpt.swf"))
    assert nasa.report.unknown_starts == nasa.report.no_limit == 8_968
    assert int((nasa.table().table.jobs.runtime_ms == 0).sum()) == 71
    metacentrum = read(shared("swf", "metacentrum_wagap2013_extended.swf"))
    assert math.isnan(metacentrum.facts.max_procs)
    assert metacentrum.report.starts_at == "2012-12-31T23:22:27"  # 1356996147
