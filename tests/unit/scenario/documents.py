"""Documents the scenario tests start from, and random changes of them."""

from typing import Any

from hypothesis import strategies as st

SMALL: dict[str, Any] = {
    "headroom": 1,
    "name": "Small",
    "cluster": {
        "pools": [
            {"name": "own", "gpu": "A100", "zones": {"a": 2, "b": 1}, "gpus_per_node": 8},
            {"name": "rest", "gpu": "A100", "zones": {"a": 4}, "gpus_per_node": 4},
            {"name": "old", "gpu": "V100", "zones": {"a": 1}, "gpus_per_node": 4},
        ]
    },
    "tenants": [{"name": "lab", "pool": "own"}, {"name": "web"}],
    "workload": {
        "arrivals": {"process": "poisson"},
        "classes": [
            {
                "name": "train",
                "tenant": "lab",
                "per_day": 24,
                "gpus": {"8": 0.5, "16": 0.5},
                "duration": {"fixed": "1h"},
            },
            {
                "name": "serve",
                "tenant": "web",
                "per_day": 10,
                "gpus": 2,
                "duration": {"exponential": {"mean": "30min"}},
            },
        ],
    },
    "run": {"days": 2},
}
"""Three pools, two tenants, two classes; one line of a test can break any of it."""

names = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12).filter(
    lambda name: '"' not in name and "\\" not in name
)
printable = st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S", "Zs"))
durations = st.builds("{}{}".format, st.integers(1, 900), st.sampled_from(["ms", "s", "min", "h"]))
shares = st.integers(1, 999).map(lambda milli: milli / 1000)
priorities = st.integers(0, 1000).map(lambda milli: milli / 1000)


def _split(share: float, low: int, step: int) -> dict[str, float]:
    return {f"{low}": share, f"{low + step}": round(1 - share, 3)}


sizes = st.one_of(st.integers(1, 8), st.builds(_split, shares, st.integers(1, 4), st.integers(1, 4)))


def _lognormal(median_s: int, factor: int, cut: int | None) -> dict[str, Any]:
    inner: dict[str, Any] = {"median": f"{median_s}s", "mean": f"{median_s * factor}s"}
    return {"lognormal": inner | ({"max": f"{median_s * factor * cut}s"} if cut else {})}


single_durations = st.one_of(
    st.builds(lambda d: {"fixed": d}, durations),
    st.builds(lambda d: {"exponential": {"mean": d}}, durations),
    st.builds(lambda d: {"uniform": {"min": "0s", "max": d}}, durations),
    st.builds(
        lambda d, s: {"lognormal": {"median": d, "sigma": s}}, durations, st.integers(0, 40).map(lambda n: n / 8)
    ),
    st.builds(_lognormal, st.integers(1, 5000), st.integers(1, 9), st.one_of(st.none(), st.integers(1, 9))),
)
any_durations = single_durations | st.builds(
    lambda inner, size, other: {"by_gpus": {"default": inner, f"{size}": other}},
    single_durations,
    st.integers(1, 64),
    single_durations,
)
limits = st.one_of(
    st.none(),
    st.just("exact"),
    st.builds(lambda d: {"fixed": d}, durations),
    st.builds(lambda f: {"factor": f / 4}, st.integers(1, 40)),
    st.builds(lambda fs: {"factors": fs}, st.lists(st.sampled_from([1, 1.5, 2, 8]), min_size=1, max_size=4)),
    st.just({"over_ask": "realistic"}),
)
any_priorities = st.one_of(
    priorities,
    st.builds(lambda a, b: {"uniform": sorted((a, b))}, priorities, priorities),
    st.just({"choice": {"0.2": 0.5, "0.8": 0.5}}),
)
short = st.builds("{}{}".format, st.integers(1, 90), st.sampled_from(["s", "min", "h"]))
checkpoints = st.none() | st.fixed_dictionaries({}, optional={"every": short, "cost": st.just("90s")})
classes = st.fixed_dictionaries(
    {
        "tenant": st.sampled_from(["lab", "web"]),
        "per_day": st.floats(0, 1000, allow_nan=False).map(lambda x: round(x, 3)),
        "gpus": sizes,
        "duration": any_durations,
    },
    optional={
        "limit": limits,
        "priority": any_priorities,
        "gpu_types": st.sampled_from([None, ["A100"], ["A100", "V100"]]),
        "preemptible": st.booleans(),
        "checkpoint": checkpoints,
        "cpus_per_gpu": st.sampled_from([None, 8, 7.5]),
    },
)
zones = st.dictionaries(st.sampled_from(list("abcd")), st.integers(1, 9), min_size=1, max_size=4)
orders = st.sampled_from(["fifo", "priority", "smallest", "shortest", {"shortest": {"by": "true"}}])
depths = st.one_of(st.none(), st.integers(1, 500))
disciplines = st.one_of(
    st.sampled_from(["strict", "best_effort", "easy", "conservative"]),
    st.builds(lambda d, c: {"easy": {"depth": d, "candidates": c}}, depths, st.sampled_from(["order", "shortest"])),
    st.builds(lambda d, s: {"conservative": {"depth": d, "slots": s}}, depths, st.sampled_from(["kept", "recomputed"])),
)


def _quota(nominal: int, guarantee: int, borrow: object, lend: int | None, above: int | None) -> dict[str, Any]:
    cap = None if above is None else nominal + above
    return {
        "nominal_gpus": nominal, "guarantee_gpus": guarantee, "borrow_gpus": borrow, "lend_gpus": lend, "cap_gpus": cap,
    }  # fmt: skip


few = st.one_of(st.none(), st.integers(0, 9))
no_quota: dict[str, Any] = {}
quotas = st.just(no_quota) | st.builds(
    _quota, st.integers(2, 40), st.integers(0, 2), few | st.just("unlimited"), few, few
)
trees = st.sampled_from([[], [{"name": "org", "weight": 2}]])
shapes = st.builds(lambda n, g: {"nodes": n, "gpus_per_node": g}, st.integers(1, 2), st.integers(1, 4))
preemptions = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "min_gap": st.none() | priorities,
        "protect_at": priorities,
        "scope": st.lists(st.sampled_from(["own_queue", "borrowers", "fair_share"]), min_size=1, unique=True),
        "victims": st.sampled_from(["youngest", "fewest"]),
        "grace": st.sampled_from(["0s", "5min", "90s"]),
        "pin": st.booleans(),
    },
)
bands = st.sampled_from([{"priority_below": 0.4}, {"tenant": "web"}, {"tenant": "lab"}])
reserves = st.none() | st.lists(
    st.builds(lambda band: {"for": band, "share": 0.125}, bands)
    | st.builds(lambda band: {"for": band, "nodes": [2, 0], "from": "90min", "to": "1d"}, bands),
    max_size=3,
)
some_policy = st.fixed_dictionaries(
    {},
    optional={
        "isolation": st.sampled_from(["none", "borrow", "reclaim"]),
        "preemption": preemptions,
        "reserve": reserves,
        "requeue": st.sampled_from(["keep_submit", "back"]),
        "quota_blocked": st.sampled_from(["pass", "hold"]),
        "rounds": st.none() | st.builds(lambda d, f: {"every": d, "fill": f}, short, st.booleans()),
    },
)
changes = st.builds(
    lambda steps: [{"at": f"{6 * (row + 1)}h", "policy": step} for row, step in enumerate(steps)],
    st.lists(some_policy.filter(bool), max_size=2),
)
targets = st.lists(
    st.sampled_from(
        [
            {"metric": "wait_mean", "at_most": "45min"},
            {"metric": "wait_p95", "of": "web", "at_most": "2h"},
            {"metric": "utilisation", "at_least": 0.5},
        ]
    ),
    max_size=3,
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Return a complete, valid document that may differ from `SMALL` in anything."""
    named = draw(st.dictionaries(names, classes, min_size=1, max_size=4))
    tree = draw(trees)
    lab = {"name": "lab", "pool": draw(st.sampled_from([None, "own"])), **draw(quotas)}
    lab |= {"parent": "org"} if tree else {}
    tenants = draw(st.permutations([lab, {"name": "web", **draw(quotas)}, *tree]))
    for job_class in named.values():
        if draw(st.booleans()):
            del job_class["gpus"]
            job_class["shape"] = draw(shapes)
    pools = [{**pool, "zones": draw(zones)} for pool in SMALL["cluster"]["pools"]]
    return {
        "headroom": 1,
        "name": draw(st.text(printable, max_size=30)),
        "notes": draw(st.text(printable | st.just("\n"), max_size=60)),
        "cluster": {"pools": draw(st.permutations(pools))},
        "tenants": list(tenants),
        "workload": {
            "arrivals": {
                "process": draw(st.sampled_from(["poisson", "bursty"])),
                "day": draw(st.sampled_from(["flat", "office"])),
            },
            "classes": [{"name": name, **found} for name, found in named.items()],
        },
        "policy": {"order": draw(orders), "discipline": draw(disciplines), "placement": "spread"}
        | draw(some_policy)
        | {"change": draw(changes)},
        "run": {
            "days": draw(st.integers(2, 30)),
            "warmup_days": draw(st.sampled_from([0, 0.5, 1])),
            "seed": draw(st.integers(0, 2**53 - 1)),
        },
        "targets": draw(targets),
    }
