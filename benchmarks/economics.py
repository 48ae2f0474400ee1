"""`python -m benchmarks.economics`: how long the formulas of money and capacity take, against what was promised.

Each line is called once to warm up, then `RUNS` times; the median of processor time counts.
"""

import time
from collections.abc import Callable

import click
import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chance import draw_heavy_roi, draw_own_npv
from scheduler_core.economics.plan_fleet import plan_growth
from scheduler_core.economics.plan_size import plan_size
from scheduler_core.economics.price import deal_chance, owning_chance, price_deal
from scheduler_core.economics.queueing import erlang_c
from scheduler_core.economics.sizing import servers_for_wait_share

RUNS = 5
MILLION = 1_000_000
MANY = Assumptions().change({"draws": 100_000})

Line = tuple[str, Callable[[], object], float]


def _rng() -> np.random.Generator:
    return np.random.default_rng(7)


def lines(today: np.datetime64) -> list[Line]:
    """Return name, what is called, and the limit in s."""
    day = today.astype("datetime64[D]").item()
    plain = Assumptions()
    return [
        ("Erlang C, 1,000,000 servers, 999,000 Erlangs", lambda: erlang_c(MILLION, MILLION - 1_000.0), 1.0),
        ("servers for 5 % waiting at 1,000,000 Erlangs", lambda: servers_for_wait_share(float(MILLION), 0.05), 1.0),
        ("100,000 draws: value of owning", lambda: draw_own_npv(MANY, _rng()), 1.0),
        ("100,000 draws: return of the deal", lambda: draw_heavy_roi(MANY, _rng()), 1.0),
        ("a redraw of Economics, deal: all its figures", lambda: (price_deal(plain, day), deal_chance(plain)), 0.3),
        ("a redraw of Economics, own or rent: its draws", lambda: owning_chance(plain), 0.3),
        ("a redraw of Plan, size for a wait", lambda: plan_size(plain), 0.3),
        ("a redraw of Plan, growth", lambda: plan_growth(plain), 0.3),
    ]


def measure(call: Callable[[], object]) -> float:
    """Return the median processor time of a call in s."""
    call()
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return float(np.median(times))


@click.command()
def main() -> None:
    """Time the formulas."""
    click.echo("| line | ms (median) | limit, ms |")
    click.echo("|---|---:|---:|")
    missed = []
    for name, call, limit in lines(np.datetime64("2026-12-02")):
        seen = measure(call)
        click.echo(f"| {name} | {1_000 * seen:,.1f} | {1_000 * limit:,.0f} |")
        if seen > limit:
            missed.append(name)
    if missed:
        raise click.ClickException(f"slower than promised: {', '.join(missed)}")


if __name__ == "__main__":
    main()
