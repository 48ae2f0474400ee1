"""The threshold study: what a larger lead in priority does to evictions."""

from itertools import pairwise

from scheduler_core.scenario import apply, load_case
from scheduler_core.studies.sweep import Means, sweep
from scheduler_core.studies.sweep_measures import read_measure
from scheduler_core.studies.sweep_points import make_axis


def test_more_gap_gives_fewer_preemptions_on_the_same_jobs() -> None:
    # Priorities 0.9, 0.4 to 0.6 and 0.1: from 0.2 on normal jobs evict bulk work, from 0.6 on only urgent ones do.
    policy = {"policy.order": "priority", "policy.discipline": "best_effort"}
    base = apply(load_case("priority-clash@1"), {**policy, "run.days": 1.5, "run.warmup_days": 0})
    measures = [read_measure(name, base) for name in ("preempted_share", "lost_evicted_gpu_h", "goodput")]
    axis = make_axis("policy.preemption.min_gap", ["0.2", "0.4", "0.6", "0.9"])
    found = sweep(base, [axis], 3, measures=measures, means=Means(n_workers=1))
    assert found.is_paired
    shares = [mean for at in range(4) if (mean := found.estimate(at, measures[0]).mean) is not None]
    assert len(shares) == 4
    assert all(before > after for before, after in pairwise(shares)), shares
    assert shares[-1] == 0.0  # 0.9 - 0.1 is 0.8: nobody has that lead
    assert found.front(measures[:1]) == (3,)
