"""What calculators like these get wrong, and where each mistake is caught here: the table of docs/economics.md."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One mistake.

    Attributes
    ----------
    wrong : str
        What others do.
    here : str
        What happens here.
    where : str
        Module below scheduler_core/economics that catches it.
    test : str
        Test in tests/unit/economics/test_mistakes.py.
    sentences : tuple of str
        Keys of what is said, in texts/; a refusal has none, its sentence is made from field, value and what is right.
    """

    wrong: str
    here: str
    where: str
    test: str
    sentences: tuple[str, ...] = ()


MISTAKES = (
    Mistake("Capital counted twice", "payback uses cash only, and the wrong one stands beside it", "cautions",
            "test_1_capital_is_counted_once_so_payback_uses_cash_only", ("money.cash_only", "money.cash_never")),
    Mistake("A verdict from undiscounted savings",
            "the verdict is the present value, \"marginal\" within 2 % of the investment", "cautions",
            "test_2_the_verdict_is_the_present_value_and_near_zero_there_is_none",
            ("money.marginal", "money.undiscounted")),
    Mistake("Options compared at different use", "one utilisation serves them all, and is named", "cautions",
            "test_3_one_utilisation_serves_every_option", ("money.one_use",)),
    Mistake("Price of a node taken for that of a GPU", "warned, for servers and for every price of an hour", "cautions",
            "test_4_the_price_of_a_node_is_not_taken_for_that_of_a_gpu", ("money.node_price", "money.server_price")),
    Mistake("Colocation a year taken for a month", "warned below 80 and above 400 USD a kW and month", "cautions",
            "test_5_colocation_has_its_unit_in_its_name_and_warns_when_it_is_that_of_a_year", ("money.colo_unit",)),
    Mistake("Old prices", "every price has date and source; warned after 90 days", "assumptions",
            "test_6_old_prices_warn", ("prices.stale",)),
    Mistake("Utilisation applied twice, or \"active\" taken for MFU", "the kind of utilisation is an input", "cautions",
            "test_7_one_utilisation_not_three_and_active_is_not_mfu", ("money.active", "money.effective")),
    Mistake("Points taken for percent", "both are shown", "cautions",
            "test_8_points_and_percent_stand_side_by_side", ("money.points",)),
    Mistake("Idle cost lost or negative",
            "the parts sum to the cost on every call; where a rule gives nobody a weight, a simpler one takes over",
            "cautions", "test_9_idle_cost_never_vanishes_and_nothing_is_negative", ("money.bill_rule",)),
    Mistake("Discounting: a shifted first flow, one rate of several, a twelfth for a month, real for nominal",
            "the first flow is today's, months compound, every rate of return is listed", "cautions",
            "test_10_todays_flow_is_not_discounted_all_rates_are_told_and_a_month_is_no_twelfth",
            ("money.irr", "money.nominal")),
    Mistake("A long life or no residual value unquestioned", "warned; lives of 3, 4, 5 and 6 years side by side",
            "cautions", "test_11_lives_stand_side_by_side_and_a_long_one_warns", ("money.life",)),
    Mistake("Rated for drawn power, PUE left out or on a price that includes power, no fabric or staff",
            "warned, or left out of the sum", "cautions",
            "test_12_power_is_drawn_not_rated_and_what_a_cluster_needs_is_counted",
            ("money.rated_power", "money.power_share", "money.pue_one", "money.colo_included", "money.left_out")),
    Mistake("A reservation without its demand", "warned above the median demand, and where demand never varies",
            "cautions", "test_13_a_reservation_above_the_median_demand_warns_and_needs_a_discount",
            ("money.commitment", "money.demand_flat")),
    Mistake("Sizing for the mean load", "overload has no finite wait and is called so; no peak, fragile loads warn",
            "cautions", "test_14_overload_has_no_wait_and_sizing_for_the_mean_warns",
            ("money.overload", "money.no_peak", "money.fragile", "money.too_small", "money.above_cap",
             "plan.overload", "plan.no_peak", "plan.fragile")),
    Mistake("Dedicated and shared at equal use, the queue taken as free, moved revenue as new",
            "both arms at one promise; shared capacity at the larger of next-best and shadow price; counterfactuals",
            "cautions", "test_15_moved_revenue_is_not_new_and_the_shared_pool_costs_something",
            ("money.new_revenue", "money.equal_use", "money.queue_free", "money.undervalued")),
    Mistake("A return without denominator, or that no volume reaches", "named, with the price that would reach it",
            "cautions", "test_16_a_return_that_no_volume_reaches_is_called_so_and_names_the_lever",
            ("money.unreachable",)),
    Mistake("Failures of a GPU for those of a node, spares sold, lost work billed as useful",
            "warned; spares are left out of what can be sold; the lost share is an input, taken from runs", "cautions",
            "test_17_work_that_was_lost_is_not_useful_and_failures_are_those_of_nodes",
            ("money.nothing_lost", "plan.per_gpu", "plan.spares")),
    Mistake("Mixed currencies; egress and taxes left out", "refused; an input of their own, with a remark at zero",
            "table", "test_18_currencies_are_not_mixed_and_what_is_left_out_is_said", ("money.egress",)),
    Mistake("Impossible values, unusual values", "refused with field, value and what is right; unusual ones warn",
            "table", "test_19_impossible_values_are_refused_and_unusual_ones_warn",
            ("input.above", "input.below", "input.range", "money.payback", "money.claim_price")),
)  # fmt: skip
"""In the order of the list they were collected in."""


def mistakes_table(mistakes: Iterable[Mistake] = MISTAKES) -> str:
    """Return the table of the page."""
    head = "| No. | Mistake | Here | Sentences | Module | Test |\n|---:|---|---|---|---|---|"
    rows = [
        f"| {at} | {each.wrong} | {each.here} | {'<br>'.join(f'`{key}`' for key in each.sentences)} | `{each.where}` "
        f"| `{each.test}` |"
        for at, each in enumerate(mistakes, 1)
    ]
    return "\n".join([head, *rows])
