"""From a log to a job table: units, sizes, names, priorities, capacity, the document, and waits as recorded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import InputError, TraceError
from scheduler_core.kernels.tables import NO_LIMIT_MS
from scheduler_core.scenario import Scenario, load
from scheduler_core.traces import (
    infer_capacity,
    peak_use,
    read,
    recorded_table,
    reopen,
    scenario_document,
    set_up,
)
from scheduler_core.traces._names import band_name, fit_name, natural_key, scale_priority, size_band
from tests.unit.traces.helpers import counted, gpu_job, read_sacct

HEADER = "JobID|State|Submit|Start|Elapsed|Account|User|Partition|QOS|Priority|NCPUS|AllocTRES"


def job(job_id: int, *, who: str = "team|ann", where: str = "gpu|normal", priority: str = "", gpus: int = 1) -> str:
    tres = f"cpu=4,gres/gpu={gpus}" if gpus else "cpu=4"
    return f"{job_id}|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:30|00:01:00|{who}|{where}|{priority}|4|{tres}"


def test_the_unit_is_gpus_as_soon_as_one_job_has_one() -> None:
    imported = read_sacct(job(1, gpus=0), job(2, gpus=2), header=HEADER)
    assert imported.report.unit == "gpu"
    assert imported.table().table.ids == ("2",)
    assert counted(imported, "left_out") == {"no_gpu": 1}


def test_the_unit_is_processors_without_any_gpu_and_the_report_says_so() -> None:
    imported = read_sacct(job(1, gpus=0), header=HEADER)
    assert imported.report.unit == "processor"
    assert imported.report.warnings[0].key == "unit.chosen_processor"
    assert imported.table().table.jobs.gpus.tolist() == [4]
    assert imported.table(procs_per_gpu=3).table.jobs.gpus.tolist() == [2]  # 4 / 3 rounded up


def test_a_unit_may_be_asked_for() -> None:
    imported = read_sacct(job(1, gpus=0), job(2, gpus=2), header=HEADER)
    replay = imported.replay(unit="processor", procs_per_gpu=4)
    assert replay.table.jobs.gpus.tolist() == [1, 1]
    assert replay.report.warnings[0].key == "unit.asked_processor"
    ignored = imported.replay(procs_per_gpu=4)
    assert ignored.report.procs_per_gpu == 1
    assert "unit.procs_ignored" in [warning.key for warning in ignored.report.warnings]


@pytest.mark.parametrize("divisor", [0, -1, 100_001, True])
def test_an_impossible_divisor_is_refused(divisor: int) -> None:
    with pytest.raises(InputError, match="procs_per_gpu"):
        read_sacct(job(1), header=HEADER).replay(procs_per_gpu=divisor)


@pytest.mark.parametrize(
    ("choice", "tenants"),
    [
        ("auto", ("bob", "team", "unknown")),
        ("user", ("ann", "bob", "unknown")),
        ("partition", ("cpu", "gpu")),
        ("qos", ("normal",)),
    ],
)
def test_tenants_are_accounts_then_users_unless_chosen(choice: str, tenants: tuple[str, ...]) -> None:
    rows = [job(1), job(2, who="|bob"), job(3, who="None|", where="cpu|normal")]
    table = read_sacct(*rows, header=HEADER, tenant=choice).table().table
    assert table.tenants == tenants


def test_tenants_can_be_put_in_the_order_of_a_scenario() -> None:
    imported = read_sacct(job(1, who="a|x"), job(2, who="b|x"), job(3, who="c|x"), header=HEADER)
    replay = imported.replay(tenants=("c", "z", "a"))
    assert replay.table.tenants == ("c", "z", "a")
    assert replay.table.jobs.tenant.tolist() == [2, 0]
    assert [(tally.key, tally.count) for tally in replay.report.left_out] == [("left_out.tenant", 1)]


def test_classes_are_bands_of_size_or_partitions() -> None:
    rows = [job(1, gpus=8), job(2, gpus=1), job(3, gpus=3, where="|normal"), job(4, gpus=15)]
    by_size = read_sacct(*rows, header=HEADER).table().table
    assert by_size.classes == ("1", "2-3", "8-15")
    assert by_size.jobs.job_class.tolist() == [2, 0, 1, 2]
    by_partition = read_sacct(*rows, header=HEADER, classes="partition").table().table
    assert by_partition.classes == ("gpu", "unknown")


def test_priorities_are_scaled_between_smallest_and_largest() -> None:
    assert scale_priority(np.array([10.0, 20.0, 15.0, math.nan])).tolist() == [0, 1000, 500, 500]
    assert scale_priority(np.array([7.0, 7.0])).tolist() == [500, 500]
    table = read_sacct(job(1, priority="100"), job(2, priority="300"), job(3), header=HEADER).table().table
    assert table.jobs.priority.tolist() == [0, 1000, 500]


def test_names_are_made_fit_for_the_document() -> None:
    assert fit_name(' "a"\\b\tc ') == "_a__b_c"
    assert fit_name("x" * 100) == "x" * 64
    assert fit_name("  ") == "unknown"
    assert sorted(["user-10", "user-9", "b"], key=natural_key) == ["b", "user-9", "user-10"]


def test_bands_are_exact_at_powers_of_two() -> None:
    powers = np.array([1, 2, 3, 4, 7, 8, 2**30], np.int32)
    assert size_band(powers).tolist() == [0, 1, 1, 2, 2, 3, 30]
    assert [band_name(band) for band in (0, 1, 3)] == ["1", "2-3", "8-15"]


def test_types_bind_only_if_asked_and_only_to_types_of_the_cluster() -> None:
    rows = [
        gpu_job("1", "00:00:00", "00:01:00", 1).replace("gpu=", "gpu:a100="),
        gpu_job("2", "00:00:00", "00:01:00", 1),
    ]
    free = read_sacct(*rows).replay(gpu_types=("A100",))
    assert free.table.type_sets == (None,)
    assert free.gpu_types == ("a100",)
    bound = read_sacct(*rows, types="recorded").replay(gpu_types=("A100", "H100")).table
    assert bound.type_sets == (None, ("A100",))
    assert bound.jobs.type_set.tolist() == [1, 0]


def test_jobs_without_a_limit_are_counted_and_planned_as_a_year() -> None:
    imported = read_sacct(job(1), job(2), header=HEADER)
    assert imported.report.no_limit == 2
    assert imported.table().table.jobs.limit_ms.tolist() == [NO_LIMIT_MS] * 2


def test_the_peak_frees_before_it_takes_and_counts_instant_jobs() -> None:
    def peak(*jobs: tuple[int, int, int]) -> int:
        start, finish, gpus = (np.array(column) for column in zip(*jobs, strict=True))
        return peak_use(start, finish, gpus.astype(np.int32))

    assert peak((0, 10, 4), (10, 20, 3)) == 4  # at 10, four are freed first
    assert peak((0, 11, 4), (10, 20, 3)) == 7
    assert peak((5, 5, 9), (0, 10, 4)) == 9
    assert peak_use(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)) == 0


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9), st.integers(1, 5)), min_size=1, max_size=12))
def test_the_peak_equals_the_count_at_every_instant(jobs: list[tuple[int, int, int]]) -> None:
    start, length, gpus = (np.array(column) for column in zip(*jobs, strict=True))
    at_instant = [sum(g for s, d, g in jobs if s <= now < s + d) for now in range(30)]
    assert peak_use(start, start + length, gpus.astype(np.int32)) == max(at_instant)


def test_capacity_is_the_recorded_peak_of_gpus() -> None:
    rows = [
        gpu_job("1", "00:00:00", "00:10:00", 4),
        gpu_job("2", "00:05:00", "00:10:00", 2),
        gpu_job("3", "00:10:00", "00:10:00", 4),
    ]
    assert infer_capacity(read_sacct(*rows).replay()) == (6, "recorded_peak")  # 4 + 2, then 2 + 4


def test_a_cluster_that_is_too_small_is_pointed_out() -> None:
    rows = [gpu_job("1", "00:00:00", "00:10:00", 4), gpu_job("2", "00:00:00", "00:10:00", 16)]
    report = set_up(read_sacct(*rows), gpus=8).replay.report
    assert (report.capacity, report.capacity_source, report.too_large, report.too_large_jobs) == (8, "given", 1, ("2",))
    assert {"replay.too_large", "replay.peak"} <= {warning.key for warning in report.warnings}
    assert not report.is_capacity_inferred
    # 4 GPUs x 600 s of the job that fits, over 8 GPUs x 604.8 s (ten minutes rounded up to 0.007 d)
    assert report.load == pytest.approx(4 * 600 / (8 * 604.8))


def test_demand_above_the_cluster_is_pointed_out() -> None:
    report = set_up(read_sacct(*[gpu_job(str(at), "00:00:00", "00:10:00", 4) for at in range(9)]), gpus=8).replay.report
    assert "replay.load" in [warning.key for warning in report.warnings]
    assert report.load == pytest.approx(9 * 4 * 600 / (8 * 604.8))


@pytest.mark.parametrize("gpus", [0, -3, 10_000_001])
def test_an_impossible_cluster_is_refused(gpus: int) -> None:
    with pytest.raises(InputError, match="gpus"):
        set_up(read_sacct(gpu_job("1", "00:00:00", "00:10:00", 4)), gpus=gpus)


def test_the_document_names_the_log_and_drains() -> None:
    made = set_up(read_sacct(gpu_job("1", "00:00:00", "00:10:00", 4), classes="partition"))
    assert made.document == {
        "headroom": 1,
        "name": "Replay of the log",
        "cluster": {"pools": [{"name": "cluster", "gpu": "GPU", "zones": {"a": 1}, "gpus_per_node": 4}]},
        "tenants": [{"name": "unknown"}],
        "workload": {
            "arrivals": {
                "log": {
                    "sha256": made.imported.report.sha256,
                    "format": "sacct",
                    "options": {"classes": "partition"},
                    "unit": "gpu",
                    "procs_per_gpu": 1,
                }
            }
        },
        "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"},
        "run": {"days": 0.007, "replications": 1, "drain": True},  # 600 s = 0.00694 d
    }


def scenario_of(log: bytes, **changes: object) -> Scenario:
    made = set_up(log, options={"types": "recorded", "tenant": "user"})
    assert made.document is not None
    return load(made.document | changes)


def test_a_scenario_brings_its_log_back() -> None:
    rows = [job(1, who="t|bob", gpus=2).replace("gpu=", "gpu:a100="), job(2, who="t|ann", gpus=1)]
    log = "\n".join([HEADER, *rows]).encode()
    tenants = [{"name": "spare"}, {"name": "bob"}, {"name": "ann"}]
    replay = reopen(log, scenario_of(log, tenants=tenants))
    assert replay.table.tenants == ("spare", "bob", "ann")
    assert replay.table.jobs.tenant.tolist() == [1, 2]
    assert replay.table.type_sets == (None, ("a100",))
    assert (replay.report.capacity, replay.report.capacity_source) == (3, "cluster")


def test_another_log_than_the_scenario_names_is_refused() -> None:
    log = "\n".join([HEADER, job(1)]).encode()
    scenario = scenario_of(log)
    with pytest.raises(TraceError, match="is not the log of this scenario: its SHA-256 is"):
        reopen(log + b"\n", scenario)
    generated = scenario.model_copy(update={"workload": scenario.workload.model_copy(update={"arrivals": None})})
    with pytest.raises(InputError, match=r"workload\.arrivals"):
        reopen(log, generated)


def test_a_log_without_a_job_has_a_report_and_no_document() -> None:
    made = set_up(read_sacct("1|PENDING", header="JobID|State"))
    assert made.document is None
    assert made.replay.report.warnings[-1].key == "replay.nothing"
    with pytest.raises(TraceError, match="no job that can be replayed"):
        scenario_document(made.replay)


def test_every_row_is_accounted_for_and_said_in_both_languages() -> None:
    rows = [gpu_job("1", "00:00:00", "00:10:00", 4), "1.batch|COMPLETED||||||||x", "2|PENDING||||||||y", "3|FAILED"]
    report = set_up(read_sacct(*rows)).replay.report
    assert report.rows_read == 4
    assert report.rows_read == report.steps + report.jobs + sum(tally.count for tally in report.refused)
    assert report.jobs == report.kept + sum(tally.count for tally in report.left_out)
    english, chinese = report.lines("en"), report.lines("zh")
    assert len(english) == len(chinese)
    assert "Refused (1): lines have fewer columns than the header; first lines 5." in english
    assert all(line.isascii() for line in english)
    assert not any(line.isascii() for line in chinese)


def test_recorded_waits_stand_beside_simulated_ones_by_size() -> None:
    # Submitted at 0, started after 10, 20, 30 and 600 s; the simulation starts all but the third 5 s earlier.
    rows = [
        gpu_job(str(at), f"00:{at // 60:02}:{at % 60:02}", "00:01:00", 1 if at < 600 else 8) for at in (10, 20, 30, 600)
    ]
    replay = read_sacct(*rows).replay()
    simulated = replay.recorded_start_ms - 5_000
    simulated[2] = -1
    everything, ones, eights = recorded_table(replay, simulated)
    assert tuple(everything)[:3] == ("all", 3, 20_000)
    assert everything.recorded_p95_ms == pytest.approx(20_000 + 0.9 * 580_000)  # place 1.9 of 0..2
    assert everything.simulated_median_ms == 15_000
    assert tuple(ones)[:3] == ("1", 2, 15_000)
    assert tuple(eights) == ("8-15", 1, 600_000, 600_000, 595_000, 595_000)
    assert tuple(recorded_table(replay)[0])[:2] == ("all", 4)
    assert math.isnan(recorded_table(replay)[0].simulated_median_ms)
    assert recorded_table(read_sacct("1|PENDING", header="JobID|State").replay()) == ()


def test_the_same_log_gives_the_same_table() -> None:
    log = "\n".join([HEADER, *[job(at, who=f"t{at % 3}|u", gpus=1 + at % 4) for at in range(50)]]).encode()
    one, other = read(log).table(), read(log).table()
    assert one.table.tenants == other.table.tenants
    columns, others = one.table.jobs._asdict(), other.table.jobs._asdict()
    assert all(np.array_equal(columns[name], others[name]) for name in columns)
