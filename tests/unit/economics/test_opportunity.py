"""What GPUs are worth elsewhere: never free while others wait, and no number where their wait has none."""

from datetime import date

import pytest

from scheduler_core import InputError
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SEED_CASES
from scheduler_core.economics.opportunity import line, opportunity, shadow_price
from scheduler_core.economics.price import price_deal

HURDLE = Assumptions().change(SEED_CASES["hurdle"])
TODAY = date(2026, 12, 3)


def warned(asked: Assumptions) -> set[str]:
    return {note.key for note in price_deal(asked, TODAY).notes}


def test_the_larger_of_both_prices_counts() -> None:
    cheap, dear = (opportunity(HURDLE.change({"next_best_usd_per_gpu_h": usd})) for usd in (0.5, 5.0))
    assert cheap.usd_per_gpu_h == cheap.shadow_usd
    assert cheap.note.key == "money.opportunity.queue"
    assert (dear.usd_per_gpu_h, dear.note.key) == (5.0, "money.opportunity.next_best")
    assert (dear.breakeven_per_day or 0) == pytest.approx((64 * 5.0 * 24 + 112) / 0.14)


def test_it_is_never_zero_while_anybody_waits_and_grows_with_what_is_taken() -> None:
    prices = [shadow_price(20, taken, 15.0, 1.0) or 0.0 for taken in (1, 2, 3, 4)]
    assert prices == sorted(prices)
    assert prices[0] > 0
    assert shadow_price(20, 3, 15.0, 2.0) == pytest.approx(2 * prices[2]), "in proportion to the cost of waiting"
    assert shadow_price(20, 3, 0.0, 1.0) == 0.0


def test_gpus_without_which_the_others_never_stop_waiting_have_no_price() -> None:
    found = opportunity(Assumptions())  # 64 of 225, and 200 Erlangs of the others
    assert (found.usd_per_gpu_h, found.shadow_usd, found.breakeven_per_day, found.after) == (None, None, None, None)
    assert found.note.key == "money.opportunity.none"
    assert "no finite wait" in found.note.text()
    assert found.marginal_usd is not None
    assert line(200, 200.0) is None
    all_of_it = opportunity(HURDLE.change({"shared_load_gpus": 0, "requests_per_day": 0}))
    assert all_of_it.usd_per_gpu_h is None, "there is no pool to take 64 GPUs from"


def test_a_free_queue_and_a_cost_below_what_they_are_worth_warn() -> None:
    assert "money.queue_free" in warned(HURDLE.change({"wait_usd_per_h": 0}))
    assert "money.undervalued" in warned(HURDLE.change({"wait_usd_per_h": 10}))
    assert not {"money.queue_free", "money.undervalued"} & warned(HURDLE)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="whole number of at least 1"):
        shadow_price(10, 0, 5.0, 1.0)
    with pytest.raises(InputError, match="0 or more"):
        shadow_price(10, 1, 5.0, -1.0)
