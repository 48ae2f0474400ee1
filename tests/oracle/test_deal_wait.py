"""The promise of a dedicated cluster: formula and simulation side by side."""

import pytest

from scheduler_core import Assumptions, InfeasibleError
from scheduler_core.economics.dedicated import SEED_CASES
from scheduler_core.economics.opportunity import opportunity
from scheduler_core.studies import deal_wait
from scheduler_core.studies.plan_pools import confirm_isolation


def test_the_formula_lies_in_the_interval_and_equal_requests_wait_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_wait, "JOBS", 30_000.0)
    monkeypatch.setattr(deal_wait, "SEEDS", 3)
    said: list[float] = []

    def note(share: float) -> bool:
        said.append(share)
        return True

    asked = Assumptions().change({**SEED_CASES["hurdle"], "dedicated_gpus": 8, "requests_per_day": 9_000})  # 6.25 of 8
    found = {each.label: each for each in deal_wait.confirm_deal(asked, progress=note)}
    drawn, equal = found["promise"], found["promise_equal"]
    assert drawn.found.mean == pytest.approx(drawn.formula, rel=0.15)
    assert drawn.notes[-1].key == (
        "money.promise.kept" if (drawn.found.mean or 0) <= 11_000 else "money.promise.broken"
    )
    assert equal.found.mean is not None
    assert equal.found.mean < 0.8 * equal.formula
    assert equal.notes[0].key == "plan.gap.even"
    assert said == sorted(said)
    assert 0.5 < said[-1] <= 1.0, "both halves were told"


def test_overload_is_no_wait_but_a_finding() -> None:
    with pytest.raises(InfeasibleError, match="No finite wait"):
        deal_wait.confirm_deal(Assumptions().change({"requests_per_day": 400_000}))


def test_the_simulator_finds_the_same_shadow_price() -> None:
    few = {"dedicated_gpus": 4, "shared_load_gpus": 12, "requests_per_day": 3_000, "confirm_seeds": 8}
    small = Assumptions().change({**SEED_CASES["hurdle"], **few})
    found = {each.label: each for each in confirm_isolation(small)}
    shadow = found["shadow"]
    assert shadow.unit == "usd_per_gpu_h"
    assert shadow.formula == opportunity(small).shadow_usd
    assert shadow.found.mean == pytest.approx(shadow.formula, rel=0.1)
    assert set(found) == {"own", "together", "others", "shadow"}
