"""Slurm logs: the cases of public issue trackers, and what becomes of each row."""

import math

import pytest

from scheduler_core.errors import InputError, TraceError
from scheduler_core.traces import read
from scheduler_core.traces._rows import Layout
from scheduler_core.traces.sacct import find_layout
from tests.unit.traces.helpers import counted, gpu_job, read_sacct, sacct, shared


def test_one_bad_elapsed_does_not_stop_the_file() -> None:  # T01
    imported = read_sacct(
        "1|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00||1-02:03:04|gres/gpu=1|||a",
        "2|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|2026-03-02T00:01:00|rubbish|gres/gpu=1|||b",
        "3|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00||rubbish|gres/gpu=1|||c",
    )
    assert imported.frame["duration_s"].tolist()[:2] == [93_784, 60]  # the second by End - Start
    assert math.isnan(imported.frame["duration_s"][2])
    assert counted(imported, "repaired") == {"unreadable": 2}
    assert imported.report.repaired[0].lines == (3, 4)
    assert counted(imported, "left_out") == {"no_run_time": 1}


def test_a_job_cancelled_before_its_start_is_no_demand() -> None:  # T02
    imported = read_sacct(
        "1|CANCELLED by 1002|2026-03-02T00:00:00|None|2026-03-02T01:00:00|00:00:00||gres/gpu=32|1-00:00:00|big",
        gpu_job("2", "00:00:00", "00:01:00", 1),
    )
    job = imported.frame.iloc[0]
    assert job["state"] == "CANCELLED"
    assert math.isnan(job["duration_s"])
    assert job["gpus"] == 32  # requested GPUs stay
    assert counted(imported, "left_out") == {"never_started": 1}
    assert imported.table().table.ids == ("2",)


def test_limits_reach_the_job_table() -> None:  # T03
    limits = ["Partition_Limit", "UNLIMITED", "INVALID", "90", "1-12", "400-00:00:00"]
    rows = [
        gpu_job(str(at), "00:00:00", "00:01:00", 1).replace("01:00:00|job", f"{text}|job")
        for at, text in enumerate(limits)
    ]
    imported = read_sacct(*rows)
    requested = imported.frame["requested_s"].tolist()
    assert [math.isnan(value) for value in requested] == [True, False, True, False, False, False]
    assert requested[1] == math.inf
    assert requested[3:5] == [5_400, 129_600]
    year_ms = 365 * 86_400_000
    assert imported.table().table.jobs.limit_ms.tolist() == [year_ms] * 3 + [5_400_000, 129_600_000, year_ms]
    assert imported.report.no_limit == 3
    assert counted(imported, "clipped") == {"limit": 1}


def test_a_pipe_in_the_last_name_is_kept() -> None:  # T04
    imported = read_sacct("11|COMPLETED|00:01:00|grep a|b", header="JobID|State|Elapsed|JobName")
    assert imported.frame["job_id"].tolist() == ["11"]
    assert imported.frame["duration_s"].tolist() == [60]
    layout = find_layout("JobID|State|Elapsed|JobName\n")
    assert layout is not None
    assert layout.split("11|COMPLETED|00:01:00|grep a|b")["jobname"] == "grep a|b"
    assert counted(imported, "left_out") == {"no_submit": 1}  # a readable log without a replayable job
    assert not imported.table().table.n_jobs


def test_a_pipe_elsewhere_is_reported_by_line_and_shifts_nothing() -> None:  # T04
    imported = read_sacct("1|a|b|COMPLETED|00:01:00", "2|c|FAILED|00:02:00", header="JobID|JobName|State|Elapsed")
    assert imported.frame["job_id"].tolist() == ["2"]
    assert imported.frame["state"].tolist() == ["FAILED"]
    assert counted(imported, "refused") == {"extra_columns": 1}
    assert imported.report.refused[0].lines == (2,)


def test_a_trailing_pipe_is_no_column() -> None:
    log = b"JobID|State|Elapsed|JobName|\n11|COMPLETED|00:01:00|grep a|b|\n12|FAILED|00:02:00|x|\n13|FAILED|00:02:00|\n"
    imported = read(log)
    assert imported.frame["job_id"].tolist() == ["11", "12"]
    assert counted(imported, "refused") == {"missing_columns": 1}
    layout = Layout(("jobid", "jobname"), has_end_pipe=True)
    assert layout.split("1|a|b|") == {"jobid": "1", "jobname": "a|b"}


def test_gpus_are_allocated_then_requested() -> None:  # T05
    header = "JobID|State|NNodes|TresPerNode|ReqTRES|AllocTRES"
    imported = read_sacct(
        "1|COMPLETED|2||cpu=1,gres/gpu=8|cpu=1,gres/gpu:a100=4,gres/gpu=4",
        "2|COMPLETED|2||cpu=1,gres/gpu=8|cpu=1",
        "3|COMPLETED|2|gres:gpu:v100:4|cpu=1|",
        "4|COMPLETED|2||cpu=1,gres/gpu=8|cpu=1,gres/gpu=0",
        "5|COMPLETED|2||cpu=1|cpu=1,gres/gpumem=8G",
        header=header,
    )
    assert imported.frame["gpus"].tolist() == [4, 8, 8, 0, 0]  # the third is 4 on each of 2 nodes
    assert imported.frame["gpu_type"].tolist() == ["a100", "", "v100", "", ""]
    assert [warning.key for warning in imported.reading.warnings] == ["sacct.gpus_requested"]


def test_steps_belong_to_their_job() -> None:  # T06
    imported = read_sacct("9|COMPLETED", "9.batch|COMPLETED", "9.0|CANCELLED", header="JobID|State")
    assert imported.frame["job_id"].tolist() == ["9"]
    assert imported.frame["state"].tolist() == ["COMPLETED"]
    assert imported.report.steps == 2
    assert imported.report.rows_read == 3


def test_memory_needs_cpus_and_nodes() -> None:  # T07
    imported = read_sacct("1|4|2|8Gn", "2|4|2|8Gc", "3|4|2|0n", "4|4|2|62.50G", header="JobID|NCPUS|NNodes|ReqMem")
    assert imported.frame["mem_gb"].tolist()[:2] == [16, 32]
    assert math.isnan(imported.frame["mem_gb"][2])
    assert imported.frame["mem_gb"][3] == 62.5


@pytest.mark.parametrize(
    ("choice", "n_rows", "first"), [("tasks", 800, "500_9201"), ("row", 1, "500_[9201-10000%500]")]
)
def test_a_waiting_array_is_its_tasks(choice: str, n_rows: int, first: str) -> None:  # T08
    imported = read_sacct("500_[9201-10000%500]|PENDING", header="JobID|State", pending_arrays=choice)
    assert len(imported.frame) == n_rows
    assert imported.frame["count"].sum() == 800
    assert imported.frame["job_id"][0] == first
    assert imported.report.jobs == 800
    assert counted(imported, "left_out") == {"never_started": 800}


def test_an_array_that_is_not_understood_is_refused() -> None:
    imported = read_sacct("500_[x]|PENDING", "501|PENDING", header="JobID|State")
    assert imported.frame["job_id"].tolist() == ["501"]
    assert counted(imported, "refused") == {"array": 1}


def test_columns_may_come_in_any_order_and_case() -> None:
    one = read(b"JobID|State|Elapsed\n1|FAILED|00:01:00\n").frame
    other = read(b"elapsed|STATE|jobid\n00:01:00|FAILED|1\n").frame
    assert one.equals(other)


def test_messages_of_the_shell_and_repeated_headers_do_no_harm() -> None:
    log = b"module loaded\n\nJobID|State\n1|FAILED\nJobID|State\n\n2|FAILED\n"
    imported = read(log)
    assert imported.frame["job_id"].tolist() == ["1", "2"]
    assert imported.frame["source_row"].tolist() == [4, 7]
    assert counted(imported, "refused") == {"missing_columns": 1}


def test_reruns_get_a_suffix() -> None:
    imported = read_sacct("5|NODE_FAIL", "6|FAILED", "5|FAILED", "5|COMPLETED", header="JobID|State")
    assert imported.frame["job_id"].tolist() == ["5", "6", "5#2", "5#3"]
    assert counted(imported, "repaired") == {"rerun": 2}


def test_a_running_job_is_cut_at_the_last_time_of_the_log() -> None:
    imported = read_sacct(
        "1|RUNNING|2026-03-02T00:00:00|2026-03-02T00:10:00|Unknown|00:00:00|gres/gpu=1|||a",
        gpu_job("2", "01:00:00", "01:00:00", 1),
    )
    assert imported.frame["duration_s"][0] == 6_600  # 02:00:00, the end of job 2, less 00:10:00
    assert counted(imported, "clipped") == {"running": 1}


def test_a_start_before_the_submit_is_clipped() -> None:
    imported = read_sacct(gpu_job("1", "02:30:00", "00:10:00", 1, submit="03:00:00"))
    assert imported.table().recorded_start_ms.tolist() == [0]
    assert counted(imported, "clipped") == {"start": 1}


def test_nodes_none_assigned_means_never_started() -> None:
    header = "JobID|State|Submit|Start|Elapsed|NodeList"
    imported = read_sacct(
        "1|CANCELLED by 1|2026-03-02T00:00:00|2026-03-02T00:10:00|00:00:00|None assigned", header=header
    )
    assert counted(imported, "left_out") == {"never_started": 1}


def test_gpu_partitions_without_gpus_are_pointed_out_and_can_be_filled() -> None:
    header = "JobID|State|Submit|Start|Elapsed|Partition|NNodes|AllocTRES"
    rows = [f"{at}|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:00:00|00:10:00|gpu|3|cpu=8" for at in range(4)]
    plain = read_sacct(*rows, header=header)
    assert plain.report.unknown_gpu_share == 1
    assert "sacct.gpus_missing" in [warning.key for warning in plain.report.warnings]
    filled = read_sacct(*rows, header=header, gpus_per_node="8")
    assert filled.table().table.jobs.gpus.tolist() == [24] * 4  # 8 on each of 3 nodes
    assert counted(filled, "repaired") == {"gpus_per_node": 4}


def test_waiting_may_start_when_a_job_becomes_eligible() -> None:
    header = "JobID|State|Submit|Eligible|Start|Elapsed|AllocTRES"
    row = "1|COMPLETED|2026-03-02T00:00:00|2026-03-02T00:30:00|2026-03-02T00:40:00|00:10:00|gres/gpu=1"
    by_submit, by_eligible = read_sacct(row, header=header), read_sacct(row, header=header, submit="eligible")
    assert by_submit.table().recorded_start_ms.tolist() == [40 * 60_000]
    assert by_eligible.table().recorded_start_ms.tolist() == [10 * 60_000]
    assert "sacct.held" in [warning.key for warning in by_submit.report.warnings]


def test_times_are_as_written_unless_a_zone_is_given() -> None:
    # Clocks in Berlin went from 02:00 to 03:00 on 2026-03-29: 01:30 to 03:30 is one hour.
    row = "1|COMPLETED|2026-03-29T01:30:00|2026-03-29T03:30:00||00:10:00|gres/gpu=1|||a"
    as_written, local = read_sacct(row), read_sacct(row, time_zone="Europe/Berlin")
    assert as_written.table().recorded_start_ms.tolist() == [2 * 3_600_000]
    assert local.table().recorded_start_ms.tolist() == [3_600_000]
    assert (as_written.report.time_zone, local.report.time_zone) == ("", "Europe/Berlin")
    assert as_written.report.starts_at == "2026-03-29T01:30:00"
    assert local.report.starts_at == "2026-03-29T00:30:00"


def test_an_unknown_zone_and_an_unknown_option_are_refused() -> None:
    with pytest.raises(InputError, match=r"time_zone is 'Mars/Base'; it must be a zone such as Europe/Paris"):
        read_sacct("1|FAILED", header="JobID|State", time_zone="Mars/Base")
    with pytest.raises(InputError, match="option of sacct is 'colour'"):
        read_sacct("1|FAILED", header="JobID|State", colour="red")


def test_sacct_without_minus_p_is_told_what_to_do() -> None:
    log = b"JobID           JobName  Partition\n------------ ---------- ----------\n1                  a        gpu\n"
    with pytest.raises(TraceError, match="run sacct -P"):
        read(log)


def test_lines_end_as_windows_ends_them_and_a_mark_comes_first() -> None:
    unix = sacct(gpu_job("1", "00:00:00", "00:01:00", 1))
    windows = b"\xef\xbb\xbf" + unix.replace(b"\n", b"\r\n")
    assert read(unix).frame.equals(read(windows).frame)


@pytest.mark.parametrize(
    ("name", "states", "cpu_h"),
    [
        ("xdmod_phillips_noheader.psv", {"COMPLETED": 2324, "FAILED": 1717, "CANCELLED": 243, "TIMEOUT": 1}, 11_768.0),
        (
            "xdmod_pozidriv_header.psv",
            {"COMPLETED": 2412, "PREEMPTED": 86, "CANCELLED": 61, "TIMEOUT": 9, "FAILED": 1},
            42_190.2,
        ),
    ],
)
def test_check_sums_of_the_real_samples(name: str, states: dict[str, int], cpu_h: float) -> None:
    imported = read(shared("slurm_sacct", name))
    assert imported.frame["state"].value_counts().to_dict() == states
    assert round(imported.reading.processor_h, 1) == cpu_h


def test_leaked_memory_flags_of_the_real_sample_are_per_cpu() -> None:
    frame = read(shared("slurm_sacct", "xdmod_phillips_noheader.psv")).frame
    job = frame[frame["job_id"] == "167758"].iloc[0]
    assert job["mem_gb"] == 8 * 3000 / 1024  # 8 CPUs; its AllocTRES says mem=24000M


def test_the_constructed_sample_is_read_as_meant() -> None:
    imported = read(shared("slurm_sacct", "constructed_gpu_shapes.psv"))
    jobs = {job["job_id"]: job for job in imported.frame.to_dict("records")}

    def values(job_id: str, *columns: str) -> list[object]:
        return [jobs[job_id][column] for column in columns]

    assert values("7001", "gpus", "gpu_type", "duration_s", "requested_s") == [8, "a100", 93_784, 172_800]
    assert values("7002", "gpus") == [32]
    assert values("7008", "gpus", "gpu_type", "state") == [2, "mixed", "RUNNING"]
    assert values("7010", "state", "mem_gb", "requested_s") == ["OOM", 8 * 3000 / 1024, 5_400]
    assert values("7009", "requested_s") == [129_600]
    assert sum(name.startswith("7003_") for name in jobs) == 37  # task 4, and 5 to 40 waiting
    assert "7003" not in jobs
    assert imported.table().table.ids == ("7001", "7003_4", "7008", "7010")


@pytest.mark.parametrize(("name", "jobs"), [("xdmod_unit_accounting_logs_with_job_arrays.psv", 1 + 3 + 2 + 4 + 4 + 9)])
def test_arrays_of_the_sample_count_all_tasks(name: str, jobs: int) -> None:
    assert read(shared("slurm_sacct", name)).report.jobs == jobs
