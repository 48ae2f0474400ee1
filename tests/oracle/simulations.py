"""Which run or trial confirms which answer of the pages Economics and Plan: the table of docs/economics.md."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Confirmed:
    """An answer and what stands beside it.

    Attributes
    ----------
    page, topic : str
        Where it is given; the topic is also that of the command.
    answer : str
        What the formula says.
    kind : str
        Key of `TRIALS`; empty where the answer is a run from the start.
    how : str
        Run in the simulator, or drawn; as the formula assumes it.
    gap : str
        What the formula leaves out, and is run or drawn beside it.
    """

    page: str
    topic: str
    answer: str
    kind: str
    how: str
    gap: str


_E, _P = "economics", "plan"
CONFIRMED = (
    Confirmed(_E, "deal", "GPUs for the promised 99 % wait", "promise", "run: Poisson, exponential requests",
              "run: requests of equal length"),
    Confirmed(_E, "deal", "alone, together, the others without these GPUs, pooling premium, shadow price, what a year "
              "apart brings", "isolation", "run: each pool with its GPUs; shadow price from the lines by Little's law",
              "long lines near full load"),
    Confirmed(_E, "deal", "breakeven, volume of the hurdle, return, cost of a request, value of buying", "volume",
              "drawn: days of Poisson requests at each volume", "drawn: days that vary, beyond the cap not served"),
    Confirmed(_E, "rent", "an own hour, breakeven utilisation, present value", "owning",
              "drawn: nodes fail and are repaired, hours are used by chance",
              "drawn: demand by the hour, the rest rented; prices that walk"),
    Confirmed(_E, "rent", "what to reserve", "commitment", "drawn: normal hours", "drawn: a few high hours (gamma)"),
    Confirmed(_E, "rent", "what to own when the rest is rented", "burst", "run: jobs that find no owned GPU free",
              "nothing waits, rented machines start at once"),
    Confirmed(_E, "rent", "waste and price of spot, breakeven interval", "spot",
              "drawn: interruptions at random, beside the exact formula", "drawn: Weibull interruptions"),
    Confirmed(_E, "change", "both readings of a utilisation", "change",
              "run: the same work on the fleet and on the one it would need", "run: what the jobs wait on each"),
    Confirmed(_E, "change", "saving of an MFU, output of better scaling, spending a claim implies", "speed",
              "drawn: jobs around the mean of GPU time; steps that vary", "drawn: the mean of the jobs instead"),
    Confirmed(_E, "change", "staircase of levers, what is left to shed", "squeeze", "drawn: jobs reserved or on spot",
              "drawn: interruptions of spot"),
    Confirmed(_E, "claim", "what the gap explains, the bound of a crash", "claim", "drawn: GPU hours lost one by one",
              "drawn: crashes between two checkpoints, and the restart"),
    Confirmed(_E, "delay", "order by cost of delay, its cost and that of the opposite order", "delay",
              "run: the work of one team, durations around what is said", "all orders (up to 8); true durations known"),
    Confirmed(_E, "delay", "loss of an eviction, threshold", "evictions", "drawn: tasks of many checkpoints",
              "drawn: tasks of a mean run time; share above the breakeven"),
    Confirmed(_E, "bill", "what each pays", "bill", "drawn: the hours of a year", "idle cost shared hour by hour"),
    Confirmed(_E, "bill", "gain of sharing GPUs, breakeven slowdown", "packing", "drawn: all slowed alike",
              "drawn: each by its own neighbours"),
    Confirmed(_E, "bill", "service credit", "credit", "drawn: an outage of many short failures",
              "drawn: outages that vary by month"),
    Confirmed(_P, "size", "slots for a wait or a share", "size", "run: jobs of the asked spread", "run: spread not 1; "
              "long jobs, sizes and fences put back one at a time (*What long jobs, sizes and fences add*)"),
    Confirmed(_P, "size", "separate pools against one", "pool", "run: each pool and the common one", "-"),
    Confirmed(_P, "pool", "separate pools against one", "pool", "run: each pool and the common one", "-"),
    Confirmed(_P, "causes", "where waiting comes from", "", "run: the scenario, its rules put back one by one", "-"),
    Confirmed(_P, "classes", "waits of the urgent and the patient", "classes", "run: two classes by priority",
              "run: a share of the slots reserved for the patient"),
    Confirmed(_P, "growth", "chance to run short, date it is full, order-by date, GPU-months of a late order", "growth",
              "drawn: one growth a path", "drawn: ups and downs from month to month"),
    Confirmed(_P, "spares", "spare nodes", "spares", "drawn: every node fails alone", "drawn: racks fail as a whole"),
    Confirmed(_P, "spares", "interval between saves", "saves", "drawn: exponential failures", "drawn: Weibull, racks"),
    Confirmed(_P, "zones", "GPUs with one zone lost, pooled and apart", "zones", "run: what is left after it", "-"),
    Confirmed(_P, "burst", "what to own when the rest is rented", "burst", "run: jobs that find no owned GPU free",
              "nothing waits, rented machines start at once"),
    Confirmed(_P, "squeeze", "staircase of levers, what is left to shed", "squeeze", "drawn: jobs reserved or on spot",
              "drawn: interruptions of spot"),
)  # fmt: skip
"""In the order of the pages."""


def simulations_table(rows: Iterable[Confirmed] = CONFIRMED) -> str:
    """Return the table of the page."""
    head = "| Page | Topic | Answer | Button | As the formula assumes | What it leaves out |\n|---|---|---|---|---|---|"
    lines = [
        f"| {each.page} | `{each.topic}` | {each.answer} | {f'`{each.kind}`' if each.kind else '-'} | {each.how} "
        f"| {each.gap} |"
        for each in rows
    ]
    return "\n".join([head, *lines])
