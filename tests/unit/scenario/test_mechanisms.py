"""The models of quotas, preemption, reservations, shapes, gangs, rounds and changes, and their hashes."""

import copy
import json
from typing import Any

import pytest

from scheduler_core import registry
from scheduler_core.scenario import (
    Policy,
    Scenario,
    apply,
    canonical,
    check,
    differences,
    dump_document,
    load,
    preemption_of,
    scenario_hash,
    unavailable,
)
from scheduler_core.scenario import later as later_table
from scheduler_core.scenario.later import LATER_WORDS, PENDING, pending
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.scenario.words import GANGS, known_words, param_of
from tests.unit.scenario.documents import SMALL

MINUTE_MS = 60_000


def small(**policy: object) -> Scenario:
    return load({**copy.deepcopy(SMALL), "policy": policy})


def of_class(position: int, **fields: object) -> Scenario:
    document = copy.deepcopy(SMALL)
    document["workload"]["classes"][position] |= fields
    return load({**document})


def told(scenario: Scenario, field: str) -> object:
    return json.loads(canonical(scenario))["policy"][field]


def test_preemption_is_read_with_units_made_integers_and_written_back() -> None:
    words = {"min_gap": 0.6, "protect_at": 0.8, "scope": ["borrowers", "own_queue"], "grace": "5min"}
    scenario = small(preemption=words)
    found = scenario.policy.preemption
    assert found is not None
    assert (found.min_gap, found.protect_at, found.grace, found.min_runtime) == (600, 800, 5 * MINUTE_MS, 0)
    assert found.scope == ("own_queue", "borrowers")  # their order says nothing
    assert (found.pin, found.pin_timeout, found.pinned_for) == (True, None, 15 * MINUTE_MS)
    assert told(scenario, "preemption") == {
        "min_gap": 600, "protect_at": 800, "scope": ["own_queue", "borrowers"], "grace": 300_000,
    }  # fmt: skip
    assert dump_document(scenario, is_full=False)["policy"]["preemption"] == {
        "min_gap": 0.6,
        "protect_at": 0.8,
        "scope": ["own_queue", "borrowers"],
        "grace": "5min",
    }
    assert small(preemption={"pin_timeout": "1min"}).policy.preemption.pinned_for == MINUTE_MS  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("policy", "scope"),
    [
        ({}, None),
        ({"isolation": "borrow"}, None),
        ({"isolation": "reclaim"}, ("borrowers",)),
        ({"preemption": {"min_gap": 0.6}}, ("own_queue",)),
        ({"preemption": {"min_gap": 0.6}, "isolation": "reclaim"}, ("own_queue", "borrowers")),
        ({"preemption": {"grace": "5min"}, "isolation": "reclaim"}, ("borrowers",)),
        ({"preemption": {"grace": "5min"}}, None),
        ({"preemption": {"min_gap": 0.6, "scope": ["own_queue"]}, "isolation": "reclaim"}, ("own_queue",)),
    ],
)
def test_the_scope_follows_from_gap_and_isolation_unless_it_is_stated(
    policy: dict[str, Any], scope: tuple[str, ...] | None
) -> None:
    found = preemption_of(small(**policy).policy)
    assert (None if found is None else found.scope) == scope


def test_an_order_that_evicts_needs_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    class Evicting:
        preemptive = True

    monkeypatch.setattr(registry, "find", lambda _: {"fifo": Evicting()})
    found = preemption_of(Policy())
    assert found is not None
    assert (found.scope, found.min_gap, found.grace) == (("own_queue",), None, 0)


def test_a_reserved_share_counts_gpus_exactly() -> None:
    scenario = small(reserve=[{"for": {"priority_below": 0.4}, "share": 0.29}])
    (entry,) = scenario.policy.reserve or ()
    assert (entry.who.kind, entry.who.priority_below, entry.is_window) == ("priority_below", 400, False)
    assert entry.share_milli == 290
    assert entry.gpus_of(100) == 29  # 0.29 x 100 is 28.999... as a float
    assert entry.gpus_of(24) == 6  # 6.96
    assert dump_document(scenario)["policy"]["reserve"] == [{"for": {"priority_below": 0.4}, "share": 0.29}]


def test_a_window_names_nodes_and_times() -> None:
    window = {"for": {"class": "train"}, "nodes": [4, 3], "from": "1h", "to": "2h"}
    scenario = small(reserve=[window])
    (entry,) = scenario.policy.reserve or ()
    assert (entry.nodes, entry.begin, entry.to, entry.is_window) == ((3, 4), 3_600_000, 7_200_000, True)
    assert (entry.who.kind, entry.who.job_class, entry.gpus_of(8)) == ("job_class", "train", 0)
    assert told(scenario, "reserve") == [
        {"for": {"class": "train"}, "nodes": [3, 4], "from": 3_600_000, "to": 7_200_000}
    ]
    assert load(dump_document(scenario)) == scenario


def test_fields_may_be_built_from_python_too() -> None:
    entry = Reserve.model_validate({"who": {"tenant": "web"}, "share": 0.2})
    assert entry == Reserve.model_validate({"for": {"tenant": "web"}, "share": 0.2})
    with pytest.raises(ValueError, match="refused"):
        Reserve.model_validate({"who": {"tenant": "web"}, "for": {"tenant": "web"}, "share": 0.2})


def test_a_shape_says_the_gpus() -> None:
    scenario = of_class(0, shape={"nodes": 2, "gpus_per_node": 4}, gpus=None)
    train = scenario.workload.classes[0]
    assert train.shape is not None
    assert (train.shape.gpus, train.gpus) == (8, {8: 1.0})
    written = dump_document(scenario)["workload"]["classes"][0]
    assert "gpus" not in written
    assert load(dump_document(scenario)) == scenario
    base = load(SMALL)
    assert apply(base, differences(scenario, base)) == scenario
    assert apply(scenario, differences(base, scenario)) == base
    assert of_class(1, shape={"nodes": 1, "gpus_per_node": 2}).workload.classes[1].gpus == {2: 1.0}


def test_a_shape_can_be_changed_alone() -> None:
    scenario = of_class(0, shape={"nodes": 2, "gpus_per_node": 4}, gpus=None)
    assert apply(scenario, {"workload.classes.train.shape.nodes": "3"}).workload.classes[0].gpus == {12: 1.0}


def test_a_shape_that_no_type_has_nodes_for_is_listed() -> None:
    # own has 3 nodes of 8 GPUs
    (found,) = check(of_class(0, shape={"nodes": 4, "gpus_per_node": 5}, gpus=None)).unschedulable
    assert found.sentence == (
        "train: jobs of 20 GPUs can never start: it needs 4 nodes with 5 GPUs or more, and there are 3 of one type."
    )
    assert check(of_class(0, shape={"nodes": 3, "gpus_per_node": 5}, gpus=None)).unschedulable == ()


def test_a_gang_that_holds_has_a_timeout_with_a_unit() -> None:
    scenario = small(gang={"hold_and_wait": {"timeout": "90s"}})
    assert scenario.policy.gang.params == {"timeout": 90_000}
    assert dump_document(scenario)["policy"]["gang"] == {"hold_and_wait": {"timeout": "90s"}}
    assert told(scenario, "gang") == {"slug": "hold_and_wait", "params": {"timeout": 90_000}}
    assert small(gang="hold_and_wait").policy.gang.params == {"timeout": MINUTE_MS}
    base = load(SMALL)
    assert differences(scenario, base) == {"policy.gang.hold_and_wait.timeout": "90s"}
    assert differences(small(gang="hold_and_wait"), base) == {"policy.gang": "hold_and_wait"}
    assert param_of("hold_and_wait", "timeout") is GANGS["hold_and_wait"][0]


def test_the_only_setting_of_a_word_needs_no_name() -> None:
    assert small(order={"shortest": "true"}) == small(order={"shortest": {"by": "true"}})


def test_rounds_of_no_length_and_empty_lists_say_nothing() -> None:
    off = small(rounds={"every": "0s", "fill": False}, reserve=[], change=None, preemption=None)
    assert canonical(off) == canonical(load(SMALL))
    rounds = small(rounds={"every": "6min"}).policy.rounds
    assert rounds is not None
    assert (rounds.every, rounds.fill) == (6 * MINUTE_MS, True)


def test_changes_build_on_each_other() -> None:
    scenario = small(
        order="priority",
        change=[
            {"at": "12h", "policy": {"isolation": "borrow", "discipline": {"easy": {"depth": 5}}}},
            {"at": "24h", "policy": {"order": "fifo"}},
        ],
    )
    steps = scenario.policy.steps()
    assert [at for at, _ in steps] == [0, 43_200_000, 86_400_000]
    assert [(step.order.slug, step.discipline.slug, step.isolation) for _, step in steps] == [
        ("priority", "strict", "none"),
        ("priority", "easy", "borrow"),
        ("fifo", "easy", "borrow"),
    ]
    assert all(step.change == () for _, step in steps)
    assert steps[1][1].discipline.params["depth"] == 5


def test_a_change_to_a_default_counts() -> None:
    back = small(order="priority", change=[{"at": "24h", "policy": {"order": "fifo"}}])
    other = small(order="priority", change=[{"at": "24h", "policy": {"isolation": "none"}}])
    assert back != other
    assert scenario_hash(back) != scenario_hash(other)
    assert dump_document(back)["policy"]["change"] == [{"at": "24h", "policy": {"order": "fifo"}}]
    assert load(dump_document(back)) == back
    same = small(order="priority", change=[{"at": "1d", "policy": {"order": {"fifo": None}}}])
    assert canonical(same) == canonical(back)


def test_what_a_change_asks_for_later_is_listed_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = small(change=[{"at": "24h", "policy": {"order": "gittins", "start_latency": "15s"}}])
    spec = Policy.model_fields["change"].metadata[0]
    monkeypatch.setitem(spec.__dict__, "later", "policy changes")
    assert [fault.path for fault in unavailable(scenario)] == ["policy.change"]
    monkeypatch.setitem(spec.__dict__, "later", "")
    assert [fault.path for fault in unavailable(scenario)] == [
        "policy.change.0.policy.order",
        "policy.change.0.policy.start_latency",
    ]


def test_a_word_of_a_list_can_be_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(Policy.model_fields["preemption"].metadata[0].__dict__, "later", "")
    monkeypatch.setitem(LATER_WORDS, "policy.preemption.scope", ("fair_share",))
    scenario = small(preemption={"scope": ["own_queue", "fair_share"], "min_gap": 0.6})
    assert [fault.sentence for fault in unavailable(scenario)] == [
        "policy.preemption.scope: fair_share is not available yet."
    ]


def test_a_gate_is_lifted_by_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(later_table, "PENDING", PENDING | {"time travel"})
    assert pending("time travel") == "time travel"
    monkeypatch.setattr(later_table, "PENDING", PENDING)
    assert pending("time travel") == ""
    monkeypatch.setitem(LATER_WORDS, "policy.gang", ("hold_and_wait",))
    assert list(known_words("gang")) == ["atomic"]
    assert [fault.path for fault in unavailable(small(gang="hold_and_wait"))] == ["policy.gang"]
    monkeypatch.setitem(LATER_WORDS, "policy.gang", ())
    assert list(known_words("gang")) == ["atomic", "hold_and_wait"]
    assert unavailable(small(gang="hold_and_wait")) == ()
