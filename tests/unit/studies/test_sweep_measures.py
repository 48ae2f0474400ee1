"""Measures: a metric and of whom."""

import pytest

from scheduler_core.errors import InputError
from scheduler_core.metrics import all_metrics
from scheduler_core.scenario import load, load_case
from scheduler_core.studies import Measure, default_measures, read_measure
from scheduler_core.studies.sweep_measures import kinds_for

BASE = load_case("fenced-research@1")


@pytest.mark.parametrize(
    ("text", "measure", "name"),
    [
        ("wait_mean", Measure("wait_mean"), "wait_mean"),
        (" wait_mean@research ", Measure("wait_mean", "tenant:research"), "wait_mean@research"),
        ("wait_p95@pretrain", Measure("wait_p95", "class:pretrain"), "wait_p95@pretrain"),
        ("utilisation@shared", Measure("utilisation", "pool:shared"), "utilisation@shared"),
        ("wait_mean@pool:research", Measure("wait_mean", "pool:research"), "wait_mean@research"),
        ("wait_mean@size:8-15", Measure("wait_mean", "size:8-15"), "wait_mean@8-15"),
        ("wait_mean@all", Measure("wait_mean"), "wait_mean"),
    ],
)
def test_a_name_behind_an_at_sign_is_a_class_else_a_tenant_else_a_pool(text: str, measure: Measure, name: str) -> None:
    assert read_measure(text, BASE) == measure
    assert measure.name == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("wait_men", "such as wait_mean"),
        ("", "docs/metrics.md"),
        ("wait_mean@reserch", "such as research"),
        ("fairness@research", "has no number by tenant"),
    ],
)
def test_a_wrong_measure_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match="must be") as refusal:
        read_measure(text, BASE)
    assert sentence in str(refusal.value)


def test_direction_comes_from_the_metric() -> None:
    wait = Measure("wait_mean").objective
    assert wait is not None
    assert (wait.name, wait.better) == ("wait_mean", "lower")
    plain = next(slug for slug, metric in all_metrics().items() if metric.better == "none")
    assert Measure(plain).objective is None


def test_defaults_are_three_metrics_and_what_has_a_target() -> None:
    assert [each.name for each in default_measures(BASE)] == ["wait_mean", "goodput", "fairness"]
    targets = [{"metric": "wait_p95", "of": "research", "at_most": "1h"}, {"metric": "wait_mean", "at_most": "1h"},
               {"metric": "wait_mean", "of": "8-15", "at_most": "1h"}]  # fmt: skip
    asked = load({"case": "fenced-research@1", "targets": targets})
    assert [each.name for each in default_measures(asked)] == ["wait_mean", "goodput", "fairness", "wait_p95@research"]
    assert kinds_for(default_measures(asked), asked) == ("all", "class", "tenant", "size", "pool")
    assert kinds_for([Measure("wait_mean", "pool:shared")], BASE) == ("all", "pool")
