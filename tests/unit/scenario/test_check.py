"""Offered load against numbers worked by hand, and jobs that can never start."""

import copy
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.scenario import Duration, check, load, mean_duration_ms
from scheduler_core.scenario.fields import DOCUMENT
from tests.unit.scenario.documents import SMALL

HOUR_MS = 3_600_000


def with_class(position: int, **fields: object) -> dict[str, Any]:
    document = copy.deepcopy(SMALL)
    document["workload"]["classes"][position] |= fields
    return document


def duration(**choice: object) -> Duration:
    return Duration.model_validate(choice, context=DOCUMENT)


def test_load_of_fences_and_tenants_is_mean_gpus_times_mean_time() -> None:
    report = check(load(SMALL))
    own, rest = report.pools
    # train: 24 a day x 12 GPUs on average x 1 h = 288 GPU-h a day = 12 GPUs busy, of 24
    assert (own.name, own.gpus, own.asked_gpus, own.jobs_per_day) == ("own", 24, 12.0, 24.0)
    assert own.load == 0.5
    # serve: 10 a day x 2 GPUs x 0.5 h = 10 GPU-h a day, of 20 GPUs in two pools
    assert (rest.name, rest.gpus) == ("rest + old", 20)
    assert rest.asked_gpus == pytest.approx(10 / 24)
    assert [(load_.name, load_.gpus) for load_ in report.tenants] == [("lab", 24), ("web", 20)]
    assert report.warnings == ()
    assert report.unschedulable == ()


def test_a_load_above_95_percent_is_warned_of() -> None:
    assert check(load(with_class(0, per_day=45.5))).warnings == ()  # 45.5 x 12 / 24 / 24 = 0.948
    (warning,) = check(load(with_class(0, per_day=48))).warnings
    assert warning == "own: jobs ask for 100.0 % of 24 GPUs; above 95 % the line grows for as long as the run lasts."


def test_jobs_that_insist_on_a_type_can_overload_it_alone() -> None:
    report = check(load(with_class(1, per_day=200, gpus=1, gpu_types=["V100"])))
    # 200 a day x 1 GPU x 0.5 h = 100 GPU-h a day on 4 V100 (96 GPU-h); 20 GPUs behind the fence
    (only,) = report.types
    assert only.name == "rest + old, only V100"
    assert only.load == pytest.approx(100 / 96)
    assert report.pools[1].load < 0.95
    assert len(report.warnings) == 1


@pytest.mark.parametrize(
    ("choice", "mean_ms"),
    [
        ({"fixed": "5min"}, 300_000),
        ({"exponential": {"mean": "1h"}}, HOUR_MS),
        ({"uniform": {"min": "1h", "max": "3h"}}, 2 * HOUR_MS),
        ({"lognormal": {"median": "1h", "mean": "2h"}}, 2 * HOUR_MS),
        ({"lognormal": {"median": "1h", "sigma": 0}}, HOUR_MS),
        ({"lognormal": {"median": "3h", "sigma": 0, "max": "1h"}}, HOUR_MS),
    ],
)
def test_mean_run_times(choice: dict[str, Any], mean_ms: float) -> None:
    assert mean_duration_ms(duration(**choice)) == pytest.approx(mean_ms)


def test_the_mean_of_a_cut_lognormal_is_that_of_its_quantiles() -> None:
    cut = duration(lognormal={"median": "1h", "mean": "2h", "min": "20min", "max": "5h"})
    assert cut.lognormal is not None
    shares = (np.arange(200_000) + 0.5) / 200_000
    run_ms = np.clip(cut.lognormal.median * np.exp(cut.lognormal.spread * ndtri(shares)), HOUR_MS / 3, 5 * HOUR_MS)
    assert mean_duration_ms(cut) == pytest.approx(run_ms.mean(), rel=1e-5)


def test_limits_shorten_jobs_only_where_they_are_ended() -> None:
    document = with_class(0, limit={"fixed": "30min"})
    assert check(load(document)).pools[0].load == 0.5
    document["policy"] = {"kill_at_limit": True}
    assert check(load(document)).pools[0].load == 0.25
    document["workload"]["classes"][0] |= {"limit": {"factors": [0.5, 2]}}
    assert check(load(document)).pools[0].load == 0.375  # half the jobs run half their time


def test_an_exponential_and_a_uniform_are_cut_at_a_fixed_limit() -> None:
    document = with_class(0, limit={"fixed": "1h"}, duration={"exponential": {"mean": "1h"}}, gpus=24, per_day=24)
    document["policy"] = {"kill_at_limit": True}
    assert check(load(document)).pools[0].load == pytest.approx(1 - np.exp(-1))
    document["workload"]["classes"][0]["duration"] = {"uniform": {"min": "0s", "max": "2h"}}
    assert check(load(document)).pools[0].load == pytest.approx(0.75)  # half at 1 h, half below with mean 30 min


def test_sizes_that_do_not_fit_their_domains_are_found_before_the_run() -> None:
    # 20 GPUs behind the fence of web, 16 of them A100 on nodes of 4, 4 of them V100
    report = check(load(with_class(1, gpus={"16": 0.5, "17": 0.5})))
    (found,) = report.unschedulable
    assert found.sentence == (
        "serve: jobs of 17 GPUs can never start: a gang stays on one GPU type, and web may use at most 16 of one."
    )


def test_a_type_that_lies_behind_another_fence_is_named() -> None:
    (found,) = check(load(with_class(0, gpu_types=["V100"], gpus=1))).unschedulable
    assert found.reason == "no pool lab may use has V100"


def test_a_remainder_that_no_node_holds_is_found_unless_gpus_are_only_counted() -> None:
    document = with_class(0, gpus=14)
    document["cluster"]["pools"][0] |= {"zones": {"a": 1}, "gpus_per_node": 8}
    document["cluster"]["pools"].append({"name": "more", "gpu": "A100", "zones": {"a": 2}, "gpus_per_node": 3})
    document["tenants"] = [{"name": "lab"}, {"name": "web", "pool": "old"}]
    document["cluster"]["pools"][1] |= {"zones": {"a": 1}, "gpus_per_node": 3}
    # 8 + 3 + 3 + 3 = 17 GPUs: one node of 8, one of 3, one of 3 is 14
    assert check(load(document)).unschedulable == ()
    document["workload"]["classes"][0]["gpus"] = 9
    assert check(load(document)).unschedulable == ()
    document["cluster"]["pools"] = [
        {"name": "big", "gpu": "A100", "zones": {"a": 2}, "gpus_per_node": 8},
        {"name": "small", "gpu": "A100", "zones": {"a": 4}, "gpus_per_node": 2},
        {"name": "old", "gpu": "V100", "zones": {"a": 1}, "gpus_per_node": 4},
    ]
    # 21 = 8 + 8 + 2 + 2 + 1: whole nodes first, and the last node holds the rest
    document["workload"]["classes"][0]["gpus"] = 21
    assert check(load(document)).unschedulable == ()
    document["cluster"]["pools"][1] |= {"zones": {"a": 1}}
    document["workload"]["classes"][0]["gpus"] = 15  # 8, then 7 on the other node of 8
    assert check(load(document)).unschedulable == ()


def test_listed_jobs_are_counted_and_reported_one_by_one() -> None:
    document = copy.deepcopy(SMALL)
    document["workload"] = {
        "arrivals": {
            "jobs": [
                {"id": "a", "tenant": "lab", "submit": "0s", "duration": "24h", "gpus": 24},
                {"id": "b", "tenant": "lab", "submit": "0s", "duration": "1h", "gpus": 25},
            ]
        }
    }
    report = check(load(document))
    assert report.is_from_jobs
    assert report.pools[0].asked_gpus == pytest.approx((24 * 24 + 25) / 48)
    assert [found.label for found in report.unschedulable] == ["b"]


def test_a_job_table_is_counted_instead_of_formulas() -> None:
    columns = {name: np.zeros(3, np.int32) for name in ("priority", "tenant", "job_class", "type_set")}
    jobs = Jobs(
        submit_ms=np.zeros(3, np.int64),
        runtime_ms=np.array([24, 24, 1], np.int64) * HOUR_MS,
        limit_ms=np.full(3, 12 * HOUR_MS),
        gpus=np.array([8, 8, 30], np.int32),
        **columns,
    )
    table = JobTable(jobs, ("lab",), ("train",), (None,))
    report = check(load(SMALL), table)
    assert report.pools[0].asked_gpus == pytest.approx((8 * 24 * 2 + 30) / 48)
    assert [(found.gpus, found.jobs) for found in report.unschedulable] == [(30, 1.0)]
    killed = copy.deepcopy(SMALL) | {"policy": {"kill_at_limit": True}}
    assert check(load(killed), table).pools[0].asked_gpus == pytest.approx((8 * 12 * 2 + 30) / 48)
