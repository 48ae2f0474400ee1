"""What calculators like these get wrong, and where each mistake is caught here: the table of docs/economics.md."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core.economics.notes import catalogue


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


@dataclass(frozen=True)
class Made:
    """One way to make a mistake, as a user does it: a topic of a page, inputs, and the sentence that answers.

    Attributes
    ----------
    number : int
        Of the mistake, in the order of `MISTAKES`.
    topic : str
        Page and topic, as in ``plan/spares``; the command is `price` for economics.
    assume : tuple of str
        What is typed, ``name:value`` as links have it.
    key : str
        Key of the sentence; empty where the value is refused.
    """

    number: int
    topic: str
    assume: tuple[str, ...] = ()
    key: str = ""

    @property
    def command(self) -> tuple[str, ...]:
        """Return the words of the command line that make it."""
        page, _, topic = self.topic.partition("/")
        sets = [word for text in self.assume for word in ("--set", text.replace(":", "=", 1))]
        return ("price" if page == "economics" else page, topic, *sets)

    def part(self, language: str) -> str:
        """Return the longest part of the sentence that no number interrupts."""
        return max(re.split(r"\{[^}]*\}", catalogue()[self.key][language]), key=len).strip()


_HURDLE = ("request_gpu_s:30", "list_usd_per_request:0.075", "variable_usd_per_request:0.01", "wait_limit_s:11")

WAYS = (
    Made(1, "economics/rent", ("drift_share:0",), "money.cash_only"),
    Made(1, "economics/rent", (), "money.cash_never"),
    Made(2, "economics/rent", ("on_demand_usd_per_gpu_h:4.4",), "money.marginal"),
    Made(2, "economics/rent", (), "money.undiscounted"),
    Made(3, "economics/rent", ("utilisation_share:0.4",), "money.one_use"),
    Made(4, "economics/rent", ("on_demand_usd_per_gpu_h:31.9",), "money.node_price"),
    Made(4, "economics/rent", ("server_price_usd:44000",), "money.server_price"),
    Made(4, "economics/change", ("fleet_usd_per_gpu_h:31.9",), "money.node_price"),
    Made(4, "economics/claim", ("claim_usd_per_gpu_h:31.9",), "money.node_price"),
    Made(5, "economics/rent", ("colo_usd_per_kw_month:450",), "money.colo_unit"),
    Made(5, "economics/rent", ("colo_usd_per_kw_month:450/year",), "money.colo_unit"),
    Made(6, "economics/rent", (), "prices.stale"),
    Made(7, "economics/rent", ("utilisation_kind:active",), "money.active"),
    Made(7, "economics/rent", ("utilisation_kind:effective",), "money.effective"),
    Made(8, "economics/claim", (), "money.points"),
    Made(9, "economics/bill", ("bill_tenants:a, 10, 5; b, 20, 20",), "money.bill_rule"),
    Made(10, "economics/rent", (), "money.nominal"),
    Made(10, "economics/deal", ("buy_capex_usd:800000", "buy_opex_usd_per_year:1500000",
                                "buy_requests_per_day:300000, 0", "buy_residual_usd:0"), "money.irr"),
    Made(11, "economics/rent", ("life_years:6",), "money.life"),
    Made(11, "economics/rent", ("residual_share:0",), "money.life"),
    Made(12, "economics/rent", ("load_kw:10.2",), "money.rated_power"),
    Made(12, "economics/rent", ("energy_usd_per_kwh:1",), "money.power_share"),
    Made(12, "economics/rent", ("network_share:0", "spares_share:0"), "money.left_out"),
    Made(12, "economics/rent", ("colo_power:included",), "money.colo_included"),
    Made(12, "economics/rent", ("pue:1",), "money.pue_one"),
    Made(13, "economics/rent", ("reserved_usd_per_gpu_h:1.2",), "money.commitment"),
    Made(13, "economics/rent", ("demand_sd_gpus:0",), "money.demand_flat"),
    Made(14, "economics/deal", ("requests_per_day:400000",), "money.overload"),
    Made(14, "economics/deal", ("peak_factor:1",), "money.no_peak"),
    Made(14, "economics/deal", ("requests_per_day:330000", "wait_limit_s:1000"), "money.fragile"),
    Made(14, "economics/deal", ("requests_per_day:330000",), "money.too_small"),
    Made(14, "economics/deal", ("requests_per_day:500000",), "money.above_cap"),
    Made(14, "plan/size", ("slots_now:40",), "plan.overload"),
    Made(14, "plan/size", ("peak_ratio:1",), "plan.no_peak"),
    Made(14, "plan/size", ("wait_limit:8h",), "plan.fragile"),
    Made(15, "economics/deal", (), "money.new_revenue"),
    Made(15, "economics/deal", (*_HURDLE, "wait_usd_per_h:0"), "money.queue_free"),
    Made(15, "economics/deal", (*_HURDLE, "wait_usd_per_h:10"), "money.undervalued"),
    Made(15, "economics/deal", (f"shared_utilisation_share:{80_000 * 8 / 86_400 / 64}",), "money.equal_use"),
    Made(16, "economics/deal", ("counterfactual:moved",), "money.unreachable"),
    Made(17, "economics/rent", (), "money.nothing_lost"),
    Made(17, "plan/spares", ("failures_per_node_day:0.00047",), "plan.per_gpu"),
    Made(17, "plan/spares", (), "plan.spares"),
    Made(18, "economics/rent", ("on_demand_usd_per_gpu_h:2.4 CNY",)),
    Made(18, "economics/rent", (), "money.egress"),
    *(
        Made(19, "economics/rent", (text,))
        for text in ("on_demand_usd_per_gpu_h:-1", "utilisation_share:1.2", "utilisation_share:-0.1", "life_years:0",
                     "pue:0.9", "availability_share:1.01", "discount_share:1", "server_price_usd:nan",
                     "server_price_usd:inf", "server_price_usd:cheap", "seed:1.5", "on_demand_usd_per_gpu_h:3,99")
    ),
    Made(19, "plan/growth", ("growth_share:-1",)),
    Made(19, "economics/deal", ("premium_ratio:3.5",), "input.above"),
    Made(19, "economics/rent", ("on_demand_usd_per_gpu_h:1.5",), "money.payback"),
    Made(19, "economics/claim", (), "money.claim_price"),
)  # fmt: skip
"""How a user makes each of them, on the page or with the command."""

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
    head = "| No. | Mistake | Here | Sentences | Try it | Module | Test |\n|---:|---|---|---|---|---|---|"
    rows = [
        f"| {at} | {each.wrong} | {each.here} | {'<br>'.join(f'`{key}`' for key in each.sentences)} "
        f"| {_tried(at)} | `{each.where}` | `{each.test}` |"
        for at, each in enumerate(mistakes, 1)
    ]
    return "\n".join([head, *rows])


def _tried(number: int) -> str:
    """Return the first two commands that make a mistake."""
    made = (" ".join(_quoted(word) for word in way.command) for way in WAYS if way.number == number)
    return "<br>".join(f"`{text}`" for text in list(made)[:2])


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word
