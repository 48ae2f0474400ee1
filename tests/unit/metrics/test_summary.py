"""Causes, targets and the headline."""

from typing import Any, Literal

import pytest

from scheduler_core.metrics import (
    VERDICT_METRICS,
    Value,
    all_metrics,
    evaluate_targets,
    judge,
    summarize,
    verdict,
    worst_scope,
)
from scheduler_core.scenario.targets import Target
from tests.unit.metrics.hand import Job, S, hand_result

FENCED: dict[str, Any] = {
    "pools": [{"name": "own", "nodes": 1}, {"name": "rest", "nodes": 2}],
    "tenants": [{"name": "lab", "pool": "own"}, {"name": "ops"}],
}


def fenced_jobs() -> list[Job]:
    return [
        Job(0, 0, 200, gpus=8, tenant="lab"),
        Job(0, 200, 300, gpus=8, tenant="lab", causes={"quota": 50, "order": 150}),
        Job(0, 0, 300, gpus=4, tenant="ops", job_class="serve"),
    ]


def test_cause_shares_of_a_scope_sum_to_one_largest_first() -> None:
    result = hand_result(fenced_jobs(), **FENCED, behind={"train": {"quota": 120, "capacity": 30}})
    summary = summarize(result)
    assert summary.cause_shares("tenant:lab") == {"order": 0.75, "quota": 0.25}
    assert list(summary.cause_shares("all")) == ["order", "quota"]
    assert summary.cause_shares("tenant:ops") == {}
    assert summary.value("cause_quota_share", "class:train") == Value(0.25)
    assert summary.value("cause_quota_share", "class:serve") == Value(None)
    assert summary.order_behind_shares("class:train") == {"quota": 0.8, "capacity": 0.2}
    assert summary.order_behind_shares("tenant:lab") == {"quota": 0.8, "capacity": 0.2}


def test_class_of_two_tenants_says_nothing_about_either() -> None:
    jobs = [Job(0, 5, 6, tenant="a", job_class="mix"), Job(0, 5, 6, tenant="b", job_class="mix")]
    summary = summarize(hand_result(jobs, behind={"mix": {"capacity": 4}}))
    assert summary.order_behind_shares("class:mix") == {"capacity": 1.0}
    assert summary.order_behind_shares("tenant:a") == {}


def test_verdict_names_the_tenant_that_waits_longest_and_why() -> None:
    found = verdict(summarize(hand_result(fenced_jobs(), **FENCED, behind={"train": {"quota": 150}})))
    assert found.scope == "tenant:lab"
    assert found.wait_mean == Value(100.0 * S)  # (0 + 200) / 2
    assert found.causes == (("order", 0.75), ("quota", 0.25))
    assert found.order_behind == (("quota", 1.0),)
    assert found.idle_outside_gpus == Value(12.0)  # 16 outside, 4 of them busy


def test_a_verdict_is_the_same_from_its_own_metrics_alone() -> None:
    result = hand_result(fenced_jobs(), **FENCED, behind={"train": {"quota": 150}})
    whole, part = summarize(result), summarize(result, slugs=VERDICT_METRICS)
    assert verdict(part) == verdict(whole)
    assert set(part.values) == set(VERDICT_METRICS)
    assert all(part.values[slug] == whole.values[slug] for slug in VERDICT_METRICS)


def test_worst_scope_passes_over_scopes_with_few_jobs() -> None:
    many = [Job(0, 10, 20, tenant="many", job_class="many") for _ in range(30)]
    few = [Job(0, 500, 600, tenant="few", job_class="few")]
    fast = [Job(0, 1, 2, tenant="fast", job_class="fast") for _ in range(30)]
    assert worst_scope(summarize(hand_result([*many, *few, *fast]))) == "tenant:many"
    assert worst_scope(summarize(hand_result([*many[:4], *few]))) == "tenant:few"  # 1 of 5 jobs is enough
    assert worst_scope(summarize(hand_result([*many[:5], *few]))) == "tenant:many"  # 1 of 6 is not
    assert worst_scope(summarize(hand_result(many))) == "all"


@pytest.mark.parametrize(
    ("value", "bound", "direction", "expected"),
    [
        (Value(2.0), 3.0, "at_most", ("pass", 1.0)),
        (Value(3.0), 3.0, "at_most", ("pass", 0.0)),
        (Value(4.0), 3.0, "at_most", ("fail", -1.0)),
        (Value(4.0, is_lower_bound=True), 3.0, "at_most", ("fail", -1.0)),  # at least 4 is over 3
        (Value(2.0, is_lower_bound=True), 3.0, "at_most", ("unknown", 1.0)),  # at least 2 may be over 3
        (Value(4.0, is_lower_bound=True), 3.0, "at_least", ("pass", 1.0)),
        (Value(2.0, is_lower_bound=True), 3.0, "at_least", ("unknown", -1.0)),
        (Value(None), 3.0, "at_most", ("unknown", None)),
    ],
)
def test_target_is_unknown_where_the_truth_may_lie_on_the_other_side(
    value: Value, bound: float, direction: Literal["at_most", "at_least"], expected: tuple[str, float | None]
) -> None:
    assert judge(value, bound, direction) == expected


def test_targets_find_their_scope_and_carry_margin_and_unit() -> None:
    summary = summarize(hand_result(fenced_jobs(), **FENCED))
    targets = [
        Target(metric="wait_mean", of="lab", at_most=60_000),
        Target(metric="wait_mean", of="serve", at_most=60_000),
        Target(metric="utilisation", at_least=0.5),
        Target(metric="wait_mean", of="nobody", at_most=1),
    ]
    found = evaluate_targets(targets, summary)
    assert [(t.scope, t.state) for t in found] == [
        ("tenant:lab", "fail"),
        ("class:serve", "pass"),
        ("all", "fail"),
        ("class:nobody", "unknown"),
    ]
    assert found[0].margin == -40_000  # 60 s allowed, 100 s waited
    assert found[0].unit == "ms"


def test_every_metric_has_words_in_both_languages_and_a_range() -> None:
    metrics = all_metrics()
    assert len(metrics) >= 35
    for slug, metric in metrics.items():
        assert slug == metric.slug
        for language in ("en", "zh"):
            assert metric.text[language].name
            assert metric.text[language].help
        assert any(ord(char) > 0x2E80 for char in metric.text["zh"].name)
        assert metric.source


def test_every_value_lies_in_the_range_of_its_metric() -> None:
    jobs = [*fenced_jobs(), Job(5, None, None, tenant="lab"), Job(5, 5, None, tenant="ops", job_class="serve")]
    summary = summarize(hand_result(jobs, **FENCED))
    seen = 0
    for slug, by_scope in summary.values.items():
        low, high = all_metrics()[slug].range
        for value in by_scope.values():
            if value.value is not None:
                seen += 1
                assert value.value >= low
                assert high is None or value.value <= high + 1e-12
    assert seen > 100
