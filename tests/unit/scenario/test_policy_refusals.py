"""What is refused of quotas, reservations, preemption, gangs and changes, as a person reads it."""

import copy
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import load, policy_rules
from scheduler_core.scenario.availability import unavailable
from scheduler_core.scenario.paths import set_value
from tests.unit.scenario.documents import SMALL

REFUSALS = Path(__file__).with_name("refusals_policy.jsonl")
"""One refusal a line: changes of the small document, and the one sentence that a person reads."""


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    tree = copy.deepcopy(SMALL)
    for path, value in changes.items():
        assert set_value(tree, path, value) is None
    return tree


def said(changes: dict[str, Any]) -> list[str]:
    with pytest.raises(ScenarioError) as refused:
        load(changed(changes))
    return [fault.sentence for fault in refused.value.faults]


@pytest.mark.parametrize(("changes", "sentence"), [json.loads(line) for line in REFUSALS.read_text().splitlines()])
def test_every_fault_is_one_sentence_with_path_value_and_what_is_allowed(
    changes: dict[str, Any], sentence: str
) -> None:
    assert said(changes) == [sentence]


def always(_params: object) -> bool:
    """Say that ranks change."""
    return True


@pytest.mark.parametrize(
    ("discipline", "order", "words"),
    [
        ("easy", {"preemptive": True}, "easy plans by the end of running jobs, and the order fifo evicts them before"),
        ("conservative", {"preemptive": True}, "conservative plans by the end of running jobs"),
        ("conservative", {"changes": always}, "conservative gives slots by rank, and the ranks of fifo change"),
    ],
)
def test_orders_that_evict_or_change_do_not_go_with_planning(
    monkeypatch: pytest.MonkeyPatch, discipline: str, order: dict[str, Any], words: str
) -> None:
    monkeypatch.setattr(policy_rules, "_order", lambda _: SimpleNamespace(**order))
    (sentence,) = said({"policy.discipline": discipline})
    assert sentence.startswith(f"policy.discipline: {words}")
    load(changed({"policy.discipline": "best_effort"}))
    load(changed({"policy.discipline": "strict"}))


def test_suspending_in_the_own_queue_is_allowed() -> None:
    preemption = load(changed({"policy.preemption": {"suspend": True, "min_gap": 0.6}})).policy.preemption
    assert preemption is not None
    assert preemption.suspend


def test_shares_that_fill_what_guarantees_leave_are_allowed_and_count_behind_their_fence() -> None:
    # own: 24 GPUs, 8 guaranteed, so a share of 0.666 fits (15.98 <= 16); that of web lies behind the other fence
    shares = [{"for": {"class": "train"}, "share": 0.666}, {"for": {"tenant": "web"}, "share": 1.0}]
    quotas = {"tenants.lab.nominal_gpus": 8, "tenants.lab.guarantee_gpus": 8}
    changes = {"policy.reserve": shares, "policy.isolation": "borrow", **quotas}
    assert len(load(changed(changes)).policy.reserve or ()) == 2
    shares[0]["share"] = 0.667  # 16.008 > 16
    assert len(said(changes)) == 1
    changes["policy.isolation"] = "none"  # guarantees are not kept, so nothing is taken from the shares
    load(changed(changes))


def test_a_tree_of_twenty_levels_is_allowed_and_one_more_is_not() -> None:
    levels = {f"tenants.t{level}.name": f"t{level}" for level in range(20)}
    chain = {f"tenants.t{level}.parent": f"t{level + 1}" for level in range(19)}
    load(changed(levels | chain))
    assert said(levels | chain | {"tenants.top.name": "top", "tenants.t19.parent": "top"}) == [
        "tenants.t0.parent: more than 20 tenants above one another; that is the limit."
    ]


def test_a_fault_that_a_change_inherits_is_told_once() -> None:
    changes = {"policy.reserve": [{"for": {"tenant": "lap"}, "share": 0.2}]}
    assert len(said(changes | {"policy.change": [{"at": "1d", "policy": {"order": "priority"}}]})) == 1


@pytest.mark.parametrize(
    ("order", "more", "words"),
    [
        (
            {"changes": always},
            {},
            "easy with ranks that change while jobs wait, as those of fifo do,",
        ),
        ({}, {"policy.isolation": "reclaim"}, "easy with preemption"),
    ],
)
def test_what_does_not_go_with_planning_yet_is_read_and_named(
    monkeypatch: pytest.MonkeyPatch, order: dict[str, Any], more: dict[str, Any], words: str
) -> None:
    monkeypatch.setattr(policy_rules, "_order", lambda _: SimpleNamespace(**order))
    (fault,) = unavailable(load(changed({"policy.discipline": "easy"} | more)))
    assert fault.sentence == f"policy.discipline: {words} is not available yet; take strict or best_effort."


@pytest.mark.parametrize("slug", ["easy", "conservative"])
def test_planning_after_preemption_is_read_and_named(slug: str) -> None:
    changes = [
        {"at": "12h", "policy": {"preemption": None}},
        {"at": "1d", "policy": {"discipline": slug}},
    ]
    scenario = load(changed({"policy.preemption": {"min_gap": 0.5}, "policy.change": changes}))
    (fault,) = unavailable(scenario)
    assert fault.sentence == (
        f"policy.change.1.policy.discipline: {slug} after a policy with preemption is not available yet; "
        "take strict or best_effort."
    )
    assert unavailable(load(changed({"policy.change": changes}))) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"placement": "counted"},
            "placement is 'counted'; it must be a placement that looks at nodes, as at the start",
        ),
        ({"gang": "hold_and_wait"}, "gang is 'hold_and_wait (timeout: 60000)'; it must be atomic, as at the start"),
    ],
)
def test_a_run_keeps_its_gangs_and_whether_nodes_count(change: dict[str, Any], words: str) -> None:
    changes = {"policy.placement": "best_fit", "policy.change": [{"at": "1d", "policy": change}]}
    said_before_run = [fault.sentence for fault in unavailable(load(changed(changes)))]
    assert any(sentence.startswith(f"policy.change.0.policy.{words}") for sentence in said_before_run)
