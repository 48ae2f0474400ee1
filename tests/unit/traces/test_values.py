"""Values of logs, one by one: the exact cases of public issue trackers."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import InputError
from scheduler_core.traces._arrays import parse_array
from scheduler_core.traces._hosts import expand_nodes
from scheduler_core.traces._memory import parse_memory, total_gb
from scheduler_core.traces._states import STATES, parse_slurm_state, parse_swf_state
from scheduler_core.traces._times import parse_clock_s, parse_duration_s, parse_limit_s
from scheduler_core.traces._tres import parse_amount, parse_gpus


def same(found: float, expected: float) -> bool:
    return found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1-02:03:04", 93_784),  # 86400 + 2*3600 + 3*60 + 4
        ("02:03:04", 7_384),
        ("03:04.250", 184.25),
        ("2-00", 172_800),
        ("1-12:30", 131_400),  # 86400 + 12*3600 + 30*60
        ("", math.nan),
        ("90", math.nan),  # an elapsed time without colons has no unit
        ("1:2:3:4", math.nan),
        ("-5", math.nan),
        ("soon", math.nan),
    ],
)
def test_elapsed_times_with_days_and_fractions(text: str, seconds: float) -> None:  # T01
    assert same(parse_duration_s(text), seconds)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Partition_Limit", math.nan),
        ("UNLIMITED", math.inf),
        ("INVALID", math.nan),
        ("90", 5_400),  # minutes
        ("1-12", 129_600),  # 86400 + 12*3600
        ("01:00:00", 3_600),
        ("", math.nan),
    ],
)
def test_time_limits_may_be_words_or_minutes(text: str, seconds: float) -> None:  # T03
    assert same(parse_limit_s(text), seconds)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("CANCELLED by 1002", "CANCELLED"),
        ("CANCELLED+", "CANCELLED"),
        ("OUT_OF_MEMORY", "OOM"),
        ("CD", "COMPLETED"),
        ("SUSPENDED", "RUNNING"),
        ("FOO", "UNKNOWN"),
        ("", "UNKNOWN"),
    ],
)
def test_states_lose_their_suffix(text: str, state: str) -> None:  # T02
    assert parse_slurm_state(text) == state
    assert state in STATES


def test_swf_states_are_one_zero_and_five() -> None:
    assert [parse_swf_state(code) for code in (1, 0, 5, -1, 7)] == [
        "COMPLETED",
        "FAILED",
        "CANCELLED",
        "UNKNOWN",
        "UNKNOWN",
    ]


@pytest.mark.parametrize(
    ("text", "gpus", "kind"),
    [
        ("gres/gpu:a100=4,gres/gpu=4", 4, "a100"),
        ("gres/gpu:rtx_2080_ti=1", 1, "rtx_2080_ti"),
        ("gres/gpu:a40=1,gres/gpu:a100=2", 3, "mixed"),
        ("gres/gpu=0", 0, ""),
        ("billing=8,cpu=8,gres/gpu=2,mem=1G", 2, ""),
        ("gpu:volta:2", 2, "volta"),
        ("gpu:a100:4(S:0-1)", 4, "a100"),
        ("gpu:a100:4(S:0,2),gpu:a30:2(S:1)", 6, "mixed"),
        ("gres:gpu:8", 8, ""),
        ("gpu:no_consume:4", 4, ""),
        ("gpu", 1, ""),
        ("gres/gpu:1g.10gb=7", 7, "1g.10gb"),
    ],
)
def test_gpus_typed_and_untyped(text: str, gpus: float, kind: str) -> None:  # T05
    assert parse_gpus(text) == (gpus, kind)


@pytest.mark.parametrize("text", ["gres/gpumem=8G,gres/gpuutil=50", "cpu=8,node=1", "", "gres/mps:gpu=1"])
def test_what_is_not_a_gpu_is_not_counted(text: str) -> None:  # T05
    assert parse_gpus(text) is None


def test_a_plain_resource_is_found_by_its_whole_name() -> None:
    assert parse_amount("billing=16,cpu=8", "cpu") == 8
    assert math.isnan(parse_amount("gres/cpu=9", "cpu"))


@pytest.mark.parametrize(
    ("text", "gb"),
    [
        ("8Gn", 16),  # 2 nodes
        ("8Gc", 32),  # 4 CPUs
        ("0n", math.nan),
        ("0c", math.nan),
        ("2147486648Mn", 4 * 3000 / 1024),  # 2^31 + 3000: 3000 MB for each CPU
        ("2147486648M", 4 * 3000 / 1024),
        ("62.50G", 62.5),
        ("32000M", 31.25),
        ("1T", 1024),
        ("1?", math.nan),
        ("", math.nan),
    ],
)
def test_requested_memory_by_suffix(text: str, gb: float) -> None:  # T07
    assert same(total_gb(text, cpus=4, nodes=2), gb)


def test_a_leaked_flag_means_megabytes_for_each_cpu() -> None:  # T07
    assert parse_memory("2147486648Mn") == (3000 / 1024, "cpu")


@pytest.mark.parametrize(
    ("job_id", "tasks"),
    [
        ("500_[9201-10000%500]", 800),  # 10000 - 9201 + 1
        ("123_[1-3]", 3),
        ("123_[9-11,20]", 4),
        ("123_[1-10%4]", 10),
        ("123_[0-20:5]", 5),  # 0 5 10 15 20
        ("123_[7]", 1),
        ("123_[1,3,...]", 2),
    ],
)
def test_waiting_arrays_stand_for_their_tasks(job_id: str, tasks: int) -> None:  # T08
    found = parse_array(job_id)
    assert found is not None
    assert found.count == tasks == len(list(found.ids()))
    assert job_id.split("_", maxsplit=1)[0] not in set(found.ids())
    assert found.is_cut == ("..." in job_id)


@pytest.mark.parametrize("job_id", ["500_[]", "500_[x]", "500_[0x1F]", "500_[9-1]", "500"])
def test_array_ids_without_tasks_are_not_understood(job_id: str) -> None:
    assert parse_array(job_id) is None


def test_clock_times_in_every_form_are_the_same_instant() -> None:
    forms = [
        "2026-03-02T09:00:00",
        "2026-03-02 09:00:00",
        "2026-03-02T09:00:00.0000000",
        "2026-03-02T09:00",
        "2026-03-02T17:00:00+08:00",
        "2026-03-02T09:00:00Z",
        "1772442000",
    ]
    seconds, has_offset = parse_clock_s(pd.Series(forms))
    assert has_offset
    assert seconds.tolist() == [1_772_442_000.0] * len(forms)


def test_unknown_clock_times_are_nan_and_the_rest_is_kept() -> None:
    seconds, has_offset = parse_clock_s(
        pd.Series(["Unknown", "None", "", "1970-01-01T00:00:00", "x", "2001-09-09T01:46:40"])
    )
    assert not has_offset
    assert [math.isnan(value) for value in seconds] == [True] * 5 + [False]
    assert seconds[5] == 1e9


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu[01-04,07]", ["gpu01", "gpu02", "gpu03", "gpu04", "gpu07"]),
        ("a,b[9-10],c", ["a", "b9", "b10", "c"]),
        ("r[1-2]n[1-2]-ib", ["r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib"]),
        ("login1", ["login1"]),
        ("", []),
    ],
)
def test_node_ranges_become_names(text: str, names: list[str]) -> None:
    assert expand_nodes(text) == names


@pytest.mark.parametrize("text", ["gpu[01-", "gpu[a-b]", "gpu]", "gpu[1-999999999]", "n[1-999][1-999]"])
def test_node_ranges_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="node list"):
        expand_nodes(text)


@given(st.text(max_size=40))
def test_no_text_breaks_a_parser(text: str) -> None:
    duration = parse_duration_s(text)
    assert math.isnan(duration) or duration >= 0
    found = parse_gpus(text)
    assert found is None or found.amount >= 0
    assert parse_slurm_state(text) in STATES
    assert not total_gb(text, 4, 2) < 0
