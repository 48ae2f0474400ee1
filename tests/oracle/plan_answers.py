"""The reference answers about queues and capacity: E01-E11, E20-E22, E25, E26, and the worked planning questions."""

from scheduler_core.economics import (
    approximations,
    chains,
    checkpoints,
    pooling,
    priorities,
    queueing,
    sizing,
    spares,
    zones,
)
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.plan_fleet import plan_growth
from scheduler_core.economics.plan_size import plan_size
from tests.oracle.answers import Answer, Figures

SAVE_S, RESTART_S, MTBF_S = 60.0, 300.0, 54 * 24 / 419 * 3600


def service() -> Figures:
    """Return the figures of M/M/60 with 200 arrivals a second of 0.25 s."""
    load = queueing.offered_load(200, 0.25)
    return (
        load / 60,
        queueing.erlang_c(60, load),
        queueing.mean_wait(60, load, 0.25),
        queueing.mean_line(60, load),
        queueing.share_above(60, load, 0.25, 0.1),
        queueing.wait_quantile(60, load, 0.25, 0.99),
        queueing.wait_quantile(60, load, 0.25, 0.95),
    )


def fewest() -> Figures:
    """Return servers for a p99, for a share above a limit, and for a mean."""
    return (
        sizing.servers_for_limit(50, 0.25, 0.1, 0.01),
        sizing.servers_for_limit(600, 120, 60, 0.001),
        sizing.servers_for_mean_wait(100, 2, 0.05),
    )


def five_percent(load: float) -> int:
    """Return servers with which at most 5 % wait."""
    return sizing.servers_for_wait_share(load, 0.05)


def pools() -> Figures:
    """Return separate and pooled servers for two sets of loads."""
    two, ten = pooling.pool((20, 80), five_percent), pooling.pool((10,) * 10, five_percent)
    return (*two.separate, two.pooled, sum(ten.separate), ten.pooled)


def mixed() -> Figures:
    """Return the exact M/H2/4 and what Allen-Cunneen says."""
    found = chains.mixed_service(4, 3.2, 1, 4)
    return found.mean_wait, found.waiting_share, approximations.allen_cunneen(4, 3.2, 1, 1, 4)


def saves() -> Figures:
    """Return the intervals in hours, the runtime factor and the first-order waste."""
    best, young = checkpoints.best_interval(SAVE_S, MTBF_S), checkpoints.young(SAVE_S, MTBF_S)
    return (
        young / 3600,
        checkpoints.daly(SAVE_S, MTBF_S) / 3600,
        best / 3600,
        checkpoints.runtime_factor(best, SAVE_S, RESTART_S, MTBF_S),
        checkpoints.first_order_waste(young, SAVE_S, RESTART_S, MTBF_S),
    )


def ordered() -> Figures:
    """Return when it is full, the order date, capacity at delivery, and six months late."""
    found = plan_growth(Assumptions())
    return found.full_months, found.order_months, found.needed_gpus, found.late_gpu_months


def zone_loss() -> Figures:
    """Return the GPUs of three zones and their steady use."""
    total = zones.total_for_zone_loss(900, 0.8, 3)
    return total, 900 / total


ORACLES = (
    Answer("E01", "k = 10, a = 8", "Erlang B; Erlang C", (0.121661, 0.409180),
           lambda: (queueing.erlang_b(10, 8), queueing.erlang_c(10, 8))),
    Answer("E02", "k = 3,200, a = 3,100", "Erlang B; Erlang C", (0.00148324, 0.0453771),
           lambda: (queueing.erlang_b(3200, 3100), queueing.erlang_c(3200, 3100))),
    Answer("E03", "M/M/60, 200/s, 0.25 s", "load; C; mean wait s; mean line; P(wait > 0.1 s); p99 s; p95 s",
           (0.833333, 0.117302, 0.00293255, 0.586510, 0.00214846, 0.0615542, 0.0213182), service),
    Answer("E04", "200/s x 0.25 s, p99 0.1 s; 5/s x 120 s, P(wait > 60 s) 0.001; 50/s x 2 s, mean 0.05 s",
           "p99; share; mean", (58, 613, 110), fewest),
    Answer("E05", "large pools: beta 1; 5 %; 1 %", "P(wait); beta; beta", (0.223361, 1.73984, 2.37489),
           lambda: (approximations.halfin_whitt(1), *(approximations.staffing_beta(p) for p in (0.05, 0.01)))),
    Answer("E06", "at most 5 % wait: 20 + 80; ten of 10", "20; 80; pooled; ten apart; pooled",
           (29, 97, 119, 170, 119), pools),
    Answer("E07", "M/G/1 0.8, Cs2 4; M/D/1 0.9; Kingman 1.8/s x 0.5 s, Ca2 1.5, Cs2 0.25", "M/G/1; M/D/1; Kingman",
           (10.0, 4.5, 3.93750),
           lambda: (approximations.one_server_wait(0.8, 1, 4), approximations.one_server_wait(0.9, 1, 0),
                    approximations.kingman(0.9, 0.5, 1.5, 0.25))),
    Answer("E08", "M/H2/4, a = 3.2, Cs2 4", "mean wait; P(wait); Allen-Cunneen", (1.71762, 0.610180, 1.86385), mixed),
    Answer("E09", "M/D/4, a = 3.2", "mean wait", (0.386095,), lambda: (chains.constant_service(4, 3.2, 1),)),
    Answer("E10", "k = 10, s = 1, 3 urgent and 6 patient an hour", "urgent; patient; first come first served",
           (0.0955331, 0.955331, 0.668732),
           lambda: (*priorities.priority_waits(10, (3, 6), 1), queueing.mean_wait(10, 9, 1))),
    Answer("E11", "s = 12 h, a = 47.9406, mean wait 0.75 h", "slots; wait h", (54, 0.588195),
           lambda: (sizing.servers_for_mean_wait(47.9406, 12, 0.75), queueing.mean_wait(54, 47.9406, 12))),
    Answer("E20", "save 60 s, 419 failures in 54 d, restart 5 min", "Young h; Daly h; exact h; factor; waste",
           (0.321096, 0.310081, 0.310082, 1.14177, 0.130753), saves),
    Answer("E21", "2,048 nodes, 0.0065 failures a node and day", "hours between failures", (1.80288,),
           lambda: (spares.job_mtbf_h(2048, 6.5e-3),)),
    Answer("E22", "400 nodes, 0.00379, repair 2 d", "in repair; 99 %; 99.9 %", (3.032, 8, 10),
           lambda: (spares.mean_in_repair(400, 3.79e-3, 2), *(spares.spares_for(3.032, p) for p in (0.99, 0.999)))),
    Answer("E25", "1,984 of 3,200, 80 % busy, 5 % a month, 36 weeks", "full; order; needed; six months late",
           (5.22425, -3.08344, 3719.51, 3105.85), ordered),
    Answer("E26", "3 zones, 900 busy at 80 %", "GPUs; steady use", (1689, 0.532860), zone_loss),
)  # fmt: skip
"""The table of docs/economics.md about planning."""

WORKED = (
    Answer("Q1", "50 slots, 12 h, mean wait 4 h; 45 min", "load for 4 h; slots for 45 min; with one less h",
           (0.958812, 54, 0.881),
           lambda: (sizing.most_load(50, 12, 4) / 50, plan_size(Assumptions()).slots,
                    queueing.mean_wait(53, 47.9406, 12)), 1e-3),
    Answer("Q1b", "the same with Cs2 4", "slots", (55,),
           lambda: (plan_size(Assumptions().change({"run_time_scv": 4})).slots,)),
    Answer("Q2", "3,200 GPUs at 38 %", "P(wait)", (0,), lambda: (round(queueing.erlang_c(3200, 1216), 15),)),
    Answer("Q6", "five loads, at most 5 % wait", "4; 20; 100; 400; 1,600", (9, 29, 119, 436, 1671),
           lambda: [five_percent(load) for load in (4, 20, 100, 400, 1600)]),
    Answer("Q7", "six months late at 3.99", "USD million", (9.05,),
           lambda: (plan_growth(Assumptions()).late_usd / 1e6,), 1e-3),
    Answer("Q9", "120 Erlangs, 1 % wait, 3 zones", "one pool; pooled; separate", (148, 222, 240),
           lambda: tuple(vars(zones.zone_servers(120, 0.01, 3)).values())),
    Answer("Q13", "Allen-Cunneen against exact: M/H2/8 0.7; M/H2/4 0.8; M/D/4 0.8", "over; over; under",
           (0.263, 0.0851, -0.0345),
           lambda: (approximations.allen_cunneen(8, 5.6, 1, 1, 4) / chains.mixed_service(8, 5.6, 1, 4).mean_wait - 1,
                    approximations.allen_cunneen(4, 3.2, 1, 1, 4) / chains.mixed_service(4, 3.2, 1, 4).mean_wait - 1,
                    approximations.allen_cunneen(4, 3.2, 1, 1, 0) / chains.constant_service(4, 3.2, 1) - 1), 2e-3),
    Answer("Q15", "peak 59.26 and 55.56 Erlangs, 64 and 63 servers", "late 63; late 64; p99 64 s; late 63; p99 64 s",
           (0.0126, 0.00383, 6.382, 0.0158, 10.516),
           lambda: (*[queueing.share_above(k, 320_000 * 8 * 2 / 86400, 8, 8) for k in (63, 64)],
                    queueing.wait_quantile(64, 320_000 * 8 * 2 / 86400, 8, 0.99),
                    queueing.share_above(63, 80_000 * 30 * 2 / 86400, 30, 11),
                    queueing.wait_quantile(64, 80_000 * 30 * 2 / 86400, 30, 0.99)), 4e-3),
)  # fmt: skip
"""Numbers worked out for the questions that planners ask."""
