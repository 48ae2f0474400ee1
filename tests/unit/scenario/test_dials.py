"""The three dials: what each stop sets, where a dial stands, and what it must not overwrite without asking."""

import pytest

from scheduler_core.errors import InputError
from scheduler_core.scenario import apply, load_case, unavailable
from scheduler_core.scenario.dials import (
    DIALS,
    Dial,
    dial_by_hand,
    dial_changes,
    dial_position,
    dial_stops,
    find_stop,
)
from scheduler_core.scenario.later import LATER_WORDS

BASE = load_case("fenced-research@1")
EACH = [(dial.slug, stop.slug) for dial in DIALS for stop in dial_stops(dial)]


@pytest.mark.parametrize("dial", DIALS, ids=lambda dial: dial.slug)
def test_a_dial_has_five_stops_and_offers_those_whose_mechanism_is_there(dial: Dial) -> None:
    assert len(dial.stops) == 5
    assert len({stop.slug for stop in dial.stops}) == 5
    offered = [setting for stop in dial_stops(dial) for setting in stop.settings.items()]
    assert not any(text in LATER_WORDS.get(path, ()) for path, text in offered)
    assert all({"en", "zh"} <= set(stop.text) for stop in dial.stops)


@pytest.mark.parametrize(("dial", "slug"), EACH)
def test_after_a_stop_the_dial_stands_there_and_the_scenario_can_run(dial: str, slug: str) -> None:
    found = apply(BASE, dial_changes(BASE, dial, slug))
    stop = dial_position(found, dial)
    assert stop is not None
    assert stop.slug == slug
    assert unavailable(found) == ()
    assert dial_changes(found, dial, slug) == {}


def test_the_next_stop_takes_back_what_the_one_before_it_set() -> None:
    hybrid = apply(BASE, dial_changes(BASE, "fairness", "hybrid"))
    assert hybrid.policy.reserve is not None
    assert dial_by_hand(hybrid, BASE, "fairness", "drf") == {}
    assert dial_changes(hybrid, "fairness", "drf") == {"policy.order": "drf", "policy.reserve": "null"}


def test_quotas_come_with_nominals_where_nobody_has_one() -> None:
    found = dial_changes(BASE, "isolation", "borrow")
    assert found == {  # 150 nodes of 8 behind the fence, 250 outside
        "policy.isolation": "borrow",
        "tenants.research.nominal_gpus": "1200",
        "tenants.platform.nominal_gpus": "2000",
    }
    shared = apply(BASE, {"tenants.research.pool": None, "tenants.research.weight": 3})
    parts = dial_changes(shared, "isolation", "borrow")
    assert parts["tenants.research.nominal_gpus"] == "2400"  # 3 of 4 parts of 3,200
    assert parts["tenants.platform.nominal_gpus"] == "800"
    stated = apply(BASE, {"tenants.research.nominal_gpus": 8})
    assert dial_changes(stated, "isolation", "borrow") == {"policy.isolation": "borrow"}


def test_what_was_set_by_hand_is_named_before_it_is_replaced() -> None:
    by_hand = apply(BASE, {"policy.order": "smallest"})
    assert dial_position(by_hand, "fairness") is None
    assert dial_by_hand(by_hand, BASE, "fairness", "drf") == {"policy.order": "smallest"}
    assert dial_by_hand(by_hand, by_hand, "fairness", "drf") == {}  # the case itself says so
    assert dial_by_hand(by_hand, BASE, "efficiency", "easy") == {}


@pytest.mark.parametrize(("dial", "slug"), [("speed", "easy"), ("isolation", "cells"), ("fairness", "las")])
def test_an_unknown_dial_or_stop_is_refused_with_what_there_is(dial: str, slug: str) -> None:
    with pytest.raises(InputError, match="one of"):
        find_stop(dial, slug)
