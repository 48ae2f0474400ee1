"""Whole policies from a balanced design: every pair of settings that go together, equally often, in small scenarios.

A design picks one level of each factor. `balanced(times)` goes on until each legal pair of levels has come `times`
times. `document_of` makes a document of it, with jobs from a seed; times are small whole seconds, so that ties,
zero lengths and overruns are common.
"""

import random
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from tests.builders import Row, conservative, easy, pool
from tests.oracle.asked import MECHANISMS, Document, asked, job_class, tenant

Design = Mapping[str, str]
DAY_S = 86_400
MAX_JOBS = 40

ORDERS: Mapping[str, Any] = {
    "fifo": "fifo",
    "priority": "priority",
    "aging": {"priority": {"aging_per_h": 3.0, "aging": "linear"}},
    "log_aging": {"priority": {"aging_per_h": 3.0, "aging": "log"}},
    "shortest": {"shortest": {"by": "limit"}},
    "true": {"shortest": {"by": "true"}},
    "smallest": "smallest",
    "random": "random",
    "printed": {"article": {"form": "printed"}},
    "corrected": {"article": {"form": "corrected"}},
    "srtf": "srtf",
    "srsf": "srsf",
    "las": {"las": {"thresholds": "10s, 40s", "by": "gpu_time"}},
    "las_promote": {"las": {"thresholds": "10s", "by": "time", "promote": 1.0}},
    "classic": {"fair_share": {"form": "classic", "step_min": 0.125, "half_life_d": 0.0005}},
    "fair_tree": {"fair_share": {"form": "fair_tree", "step_min": 0.1, "half_life_d": 0.0005}},
    "drf": "drf",
    "weighted": "weighted",
}
LEFT = ("srtf", "srsf")
ATTAINED = ("las", "las_promote")
EVICTING = (*LEFT, *ATTAINED)
CHANGING = (*EVICTING, "log_aging", "printed", "corrected", "classic", "fair_tree", "drf", "weighted")
SHARING = ("classic", "fair_tree", "drf", "weighted")
FIRST = ("fifo", "priority", "shortest", "true", "smallest")
"""Orders that never change with time."""

DISCIPLINES: Mapping[str, Any] = {
    "strict": "strict",
    "best_effort": "best_effort",
    "easy": easy(3),
    "easy_shortest": easy(None, "shortest"),
    "conservative": conservative(3),
    "recomputed": conservative(None, "recomputed"),
}
RESERVES: Mapping[str, Any] = {
    "none": None,
    "low": [{"for": {"priority_below": 0.4}, "share": 0.25}],
    "tenant": [{"for": {"tenant": "b"}, "share": 0.2}, {"for": {"class": "saving"}, "share": 0.2}],
    "window": [{"for": {"class": "saving"}, "nodes": [0, 2], "from": "12s", "to": "25s"}],
}
FROM_ALL = ("fewest", "no_pin")
ALL_SCOPES = ["own_queue", "borrowers", "fair_share", "reservation"]
PREEMPTIONS: Mapping[str, Any] = {
    "none": None,
    "now": {"min_gap": 0.3},
    "youngest": {"min_gap": 0.0, "victims": "youngest", "grace": "3s", "min_runtime": "4s"},
    "least_lost": {"min_gap": 0.3, "protect_at": 0.8, "victims": "least_lost_work", "grace": "5s"},
    "fewest": {"min_gap": 0.3, "victims": "fewest", "grace": "4s", "pin_timeout": "5s", "scope": ALL_SCOPES},
    "no_pin": {"min_gap": 0.0, "pin": False, "grace": "2s", "scope": ALL_SCOPES},
    "suspend": {"min_gap": 0.3, "suspend": True, "pin_timeout": "6s", "scope": ["own_queue"]},
}
RUNS: Mapping[str, Any] = {
    "drain": {"days": 1, "drain": True},
    "events": {"days": 1, "drain": True, "ties": "submit_first", "pass_per": "event"},
    "submit_first": {"days": 60 / DAY_S, "warmup_days": 10 / DAY_S, "ties": "submit_first"},
    "horizon": {"days": 50 / DAY_S, "pass_per": "event"},
}
ROUNDS: Mapping[str, Any] = {"none": None, "filled": {"every": "10s"}, "unfilled": {"every": "8s", "fill": False}}
GANGS: Mapping[str, Any] = {"atomic": "atomic", "hold": {"hold_and_wait": {"timeout": "9s"}}}
SHAPES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "none": (),
    "pairs": ((3, 1), (1, 2), (2, 2)),
    "wide": ((4, 1), (3, 2), (2, 4)),
}
"""Nodes and GPUs on each of the classes plain, fixed and saving; a job of another size has no shape."""
ELASTIC: Mapping[str, Any] = {
    "none": None,
    "short": {"wait_p50_below": "4s"},
    "quota": {"quota_free_gpus": 2},
}
"""When work of the class extra comes, offered every 6 s at 3 GPUs' worth."""
CHANGES: Mapping[str, Any] = {
    "none": [],
    "looser": [{"at": "15s", "policy": {"quota_blocked": "pass", "requeue": "back", "kill_at_limit": False}}],
    "order": [{"at": "15s", "policy": {"order": "smallest"}}, {"at": "30s", "policy": {"order": "fifo"}}],
    "open": [
        {"at": "12s", "policy": {"discipline": "best_effort", "isolation": "none", "reserve": None, "preemption": None}}
    ],
    "tiers": [
        {
            "at": "9s",
            "policy": {
                "discipline": "best_effort", "isolation": "borrow", "order": "priority", "kill_at_limit": True,
                "reserve": [{"for": {"priority_below": 0.4}, "share": 0.25}],
                "preemption": {"min_gap": 0.2, "grace": "3s"},
            },
        },
        {"at": "21s", "policy": {"isolation": "reclaim", "preemption": {"min_gap": 0.5}, "requeue": "back"}},
    ],
    "fair": [
        {
            "at": "11s",
            "policy": {
                "discipline": "strict", "preemption": None, "isolation": "borrow",
                "order": {"fair_share": {"form": "classic", "step_min": 0.1, "half_life_d": 0.0005}},
            },
        },
        {"at": "20s", "policy": {"quota_blocked": "hold", "discipline": "best_effort"}},
        {"at": "29s", "policy": {"order": {"fair_share": {"form": "fair_tree", "step_min": 0.05}}}},
    ],
    "planned": [
        {"at": "10s", "policy": {"order": "fifo", "preemption": None, "isolation": "none", "discipline": easy(3)}},
        {"at": "25s", "policy": {"discipline": conservative(3)}},
    ],
}  # fmt: skip
OPENING = ("open", "planned")
"""Changes to a policy that tests no quota."""
COMING = ("tiers", "planned")
"""Changes to a policy in which hold-and-wait gangs have no place."""
FACTORS: Mapping[str, tuple[str, ...]] = {
    "order": tuple(ORDERS),
    "discipline": tuple(DISCIPLINES),
    "placement": ("counted", "first_fit", "best_fit", "consolidate", "spread"),
    "isolation": ("none", "borrow", "reclaim", "partition"),
    "quota_blocked": ("pass", "hold"),
    "reserve": tuple(RESERVES),
    "preemption": tuple(PREEMPTIONS),
    "requeue": ("keep_submit", "back", "eviction_time"),
    "rounds": tuple(ROUNDS),
    "gang": tuple(GANGS),
    "change": tuple(CHANGES),
    "elastic": tuple(ELASTIC),
    "kill": ("no", "yes"),
    "shape": tuple(SHAPES),
    "tenants": ("flat", "tree", "fences"),
    "run": tuple(RUNS),
}

# ---- what goes together (16.14 of docs/model.md) ------------------------------------------------

Clash = Callable[[Design], bool]


def plans(design: Design) -> bool:
    """Easy or conservative."""
    return design["discipline"] not in ("strict", "best_effort")


def evicts(design: Design) -> bool:
    """Somebody may be evicted."""
    return design["preemption"] != "none" or design["isolation"] == "reclaim" or design["order"] in EVICTING


def holds(design: Design) -> bool:
    """Hold-and-wait gangs."""
    return design["gang"] == "hold"


CLASHES: tuple[Clash, ...] = (
    lambda d: d["order"] in EVICTING and plans(d),
    lambda d: d["order"] in CHANGING and d["discipline"] in ("conservative", "recomputed"),
    lambda d: d["preemption"] == "suspend" and (d["order"] in EVICTING or d["isolation"] == "reclaim"),
    lambda d: d["reserve"] == "window" and d["placement"] == "counted",
    lambda d: holds(d) and (plans(d) or d["reserve"] != "none" or d["preemption"] != "none"),
    lambda d: holds(d) and (d["isolation"] == "reclaim" or d["order"] in EVICTING or d["rounds"] != "none"),
    lambda d: holds(d) and d["change"] in COMING,
    lambda d: evicts(d) and d["change"] == "planned",
    lambda d: d["elastic"] == "quota" and (d["isolation"] == "none" or d["change"] in OPENING),
    lambda d: (holds(d) or d["preemption"] == "no_pin") and d["run"] in ("drain", "events"),
    lambda d: d["order"] == "las_promote" and d["run"] in ("drain", "events"),
)
MOST_TRIES = 100_000


def is_legal(design: Design) -> bool:
    """Does it go together?"""
    return not any(clash(design) for clash in CLASHES)


def pairs_of(design: Design) -> list[tuple[str, str, str, str]]:
    """Return every pair of levels in a design."""
    return [(one, design[one], two, design[two]) for one, two in combinations(FACTORS, 2)]


def draw(source: random.Random, fixed: Design) -> Design:
    """Return a legal design with some levels given."""
    for _ in range(MOST_TRIES):
        design = {factor: source.choice(levels) for factor, levels in FACTORS.items()} | dict(fixed)
        if is_legal(design):
            return design
    raise AssertionError(fixed)


def is_pair_legal(one: str, a: str, two: str, b: str) -> bool:
    """Can both be in one design? All clashes are between two factors, so the calmest others decide."""
    calm = {factor: levels[0] for factor, levels in FACTORS.items()} | {"run": "horizon"}
    return is_legal(calm | {one: a, two: b})


def legal_pairs() -> list[tuple[str, str, str, str]]:
    """Return every pair of levels that can go together."""
    return [
        (one, a, two, b)
        for one, two in combinations(FACTORS, 2)
        for a in FACTORS[one]
        for b in FACTORS[two]
        if is_pair_legal(one, a, two, b)
    ]


def balanced(times: int) -> list[Design]:
    """Return designs in which each legal pair of levels comes at least `times` times."""
    source, designs = random.Random(times), list[Design]()
    missing = dict.fromkeys(legal_pairs(), times)
    while missing:
        one, a, two, b = next(iter(missing))
        design = draw(source, {one: a, two: b})
        designs.append(design)
        for pair in pairs_of(design):
            if pair in missing:
                missing[pair] -= 1
                if missing[pair] == 0:
                    del missing[pair]
    return designs


def mechanisms_of(design: Design) -> frozenset[str]:
    """Return the mechanisms that somebody must know to run it, in the words of tests/oracle/asked.py."""
    needs = {
        "orders": design["order"] not in FIRST,
        "planned": plans(design) and (design["order"] in CHANGING or evicts(design)),
        "remaining": design["order"] in LEFT,
        "attained": design["order"] in ATTAINED,
        "quotas": design["isolation"] != "none",
        "reserve": design["reserve"] not in ("none", "window"),
        "windows": design["reserve"] == "window",
        "preemption": evicts(design),
        "suspend": design["preemption"] == "suspend",
        "requeue": design["requeue"] != "keep_submit",
        "fair_eviction": design["preemption"] in FROM_ALL and design["order"] in SHARING,
        "rounds": design["rounds"] != "none",
        "gangs": holds(design),
        "shapes": design["shape"] != "none",
        "change": design["change"] != "none",
        "elastic": design["elastic"] != "none",
    }
    return frozenset(name for name, is_needed in needs.items() if is_needed)


CALMED = (
    "elastic", "shape", "change", "gang", "rounds", "requeue", "preemption", "reserve", "isolation", "order",
)  # fmt: skip


def calmed(design: Design, known: frozenset[str]) -> Design:
    """Return the design with every factor at its first level that needs a mechanism which is not known."""
    calm = dict(design)
    for factor in CALMED:
        if mechanisms_of({**CALM, factor: calm[factor]}) - known:
            calm[factor] = CALM[factor]
    if "planned" in mechanisms_of(calm) - known:
        calm["discipline"] = "best_effort" if evicts(calm) else calm["discipline"]
        calm["order"] = calm["order"] if evicts(calm) else CALM["order"]
    if "fair_eviction" in mechanisms_of(calm) - known:
        calm["order"] = CALM["order"]
    if "quotas" not in known and calm["tenants"] == "tree":
        calm["tenants"] = "flat"
    return calm


CALM: Design = {factor: levels[0] for factor, levels in FACTORS.items()}
"""Nothing that came with quotas, preemption and the rest."""


# ---- documents ----------------------------------------------------------------------------------


def document_of(design: Design, seed: int, known: frozenset[str] = MECHANISMS) -> Document:
    """Return the document of a design, with at most 6 nodes and 40 jobs drawn from a seed; saves only if known."""
    source = random.Random(seed)
    saves = {"every": "5s", "cost": f"{source.choice([0, 1, 4])}s", "restart": "2s"}
    pools = pools_of(source, design["tenants"])

    def wants(cpus: int, mem_gb: int) -> dict[str, Any]:
        return {"cpus_per_gpu": cpus, "mem_gb_per_gpu": mem_gb} if "resources" in known else {}

    return asked(
        [job_of(source) for _ in range(source.randint(1, MAX_JOBS))],
        *pools,
        tenants=tenants_of(source, design["tenants"]),
        classes=[
            job_class("plain", "a", **shape_of(design, 0), **wants(2, 1)),
            job_class("fixed", "a", preemptible=False, **shape_of(design, 1), **wants(1, 4)),
            job_class("saving", "a", checkpoint=saves if "preemption" in known else None, **shape_of(design, 2)),
            *([EXTRA] if design["elastic"] != "none" else []),
        ],
        run=run_of(design),
        elastic=elastic_of(design),
        order=ORDERS[design["order"]],
        discipline=DISCIPLINES[design["discipline"]],
        placement=design["placement"],
        isolation=design["isolation"],
        quota_blocked=design["quota_blocked"],
        reserve=RESERVES[design["reserve"]],
        preemption=PREEMPTIONS[design["preemption"]],
        requeue=design["requeue"],
        rounds=ROUNDS[design["rounds"]],
        gang=GANGS[design["gang"]],
        change=CHANGES[design["change"]],
        kill_at_limit=design["kill"] == "yes",
    )


EXTRA = job_class("extra", "b", gpus={1: 0.5, 2: 0.3, 4: 0.2}, duration={"lognormal": {"median": "5s", "mean": "8s"}})


def elastic_of(design: Design) -> dict[str, Any] | None:
    """Return the elastic demand of a design."""
    when = ELASTIC[design["elastic"]]
    if when is None:
        return None
    return {"class": "extra", "appears_when": when, "up_to_gpu_h_per_day": 72, "every": "6s", "window": "15s"}


def run_of(design: Design) -> dict[str, Any]:
    """Return the run; offers end after a minute, whether it drains or not."""
    run = dict(RUNS[design["run"]])
    return run if design["elastic"] == "none" else run | {"days": min(run["days"], 60 / DAY_S)}


def shape_of(design: Design, place: int) -> dict[str, Any]:
    """Return the shape of the jobs of a class."""
    shapes = SHAPES[design["shape"]]
    return {"shape": {"nodes": shapes[place][0], "gpus_per_node": shapes[place][1]}, "gpus": None} if shapes else {}


def pools_of(source: random.Random, kind: str) -> list[Row]:
    """Return one to three pools, 3 to 6 nodes; CPUs and memory stated."""
    room = {"cpus_per_node": 16, "mem_gb_per_node": 24}
    gpus = source.choice([2, 4, 8])
    if kind == "fences":
        return [pool(2, gpus, name=name) | room for name in ("main", "own", "rest")]
    other = source.choice(["A100", "H100"])
    return [pool(source.randint(2, 3), gpus) | room, pool(source.randint(1, 3), 4, gpu=other, name="other") | room]


def tenants_of(source: random.Random, kind: str) -> list[Row]:
    """Return three leaves; in a tree two of them below one tenant, behind fences one with a pool of its own."""
    fields: dict[str, dict[str, Any]] = {name: {"weight": source.choice([1, 2])} for name in "abc"}
    if kind == "tree":
        fields["a"]["parent"] = fields["b"]["parent"] = "org"
    if kind == "fences":
        fields["b"]["pool"] = "own"
    rows = [tenant("org")] if kind == "tree" else []
    for name, more in fields.items():
        nominal = source.choice([2, 4, 8])
        # a guarantee and a share of 25 % each fit the smallest cluster: 3 nodes, 2 GPUs on each
        limits = {"cap": source.choice([nominal, nominal + 4])} if source.random() < 0.3 else {}
        rows.append(tenant(name, nominal, guarantee=source.choice([0, 1]) if nominal > 2 else 0, **limits, **more))
    return rows


def job_of(source: random.Random) -> Row:
    """Return one job with many ties in submit, run time, limit, priority and size."""
    duration = source.choice([0, 1, 5, 10, 20, 30])
    row: Row = {
        "submit": f"{source.randint(0, 40)}s",
        "duration": f"{duration}s",
        "gpus": source.choice([1, 1, 2, 2, 3, 4, 6, 8]),
        "tenant": source.choice("abc"),
        "priority": source.choice([0.2, 0.5, 0.9]),
        "class": source.choice(["plain", "fixed", "saving", "saving"]),
    }
    limit = source.choice([None, duration, duration + 10, 12])
    if limit is not None:
        row["limit"] = f"{limit}s"
    if source.random() < 0.2:
        row["gpu_types"] = ["A100"]
    return row
