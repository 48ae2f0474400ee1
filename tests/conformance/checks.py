"""What the suites over policies and placements ask of every one of them."""

import re
import tomllib
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from scheduler_core import DISCIPLINES, Param, Result, Scenario
from scheduler_core.kernels.tables import NO_LIMIT_MS, STATES, Jobs, JobTable
from scheduler_core.registry import TextParam
from tests.builders import pool, scenario

ROOT = Path(__file__).parents[2]
SOURCES = tomllib.loads((ROOT / "scenarios" / "sources.toml").read_text(encoding="utf-8"))


# ---- texts --------------------------------------------------------------------------------------


def text_faults(name: Mapping[str, str], text: Mapping[str, str]) -> list[str]:
    """Return what is wrong with a name and the two sentences of an explanation, in two languages."""
    faults = []
    for what, words in (("name", name), ("text", text)):
        if set(words) != {"en", "zh"}:
            return [f"{what} is in {sorted(words)}; it must be in en and zh"]
        if not words["en"].isascii() or words["zh"].isascii():
            faults.append(f"{what}: en must be ASCII, zh must be Chinese")
    if not 3 < len(name["en"]) <= 30 or name["en"].endswith("."):
        faults.append("name must be a few words")
    for language, end in (("en", r"\.(?= |$)"), ("zh", "\u3002")):
        if len(re.findall(end, text[language])) < 2 or not re.search(rf"{end}$", text[language]):
            faults.append(f"text in {language} must be at least two whole sentences: whom it helps, whom it hurts")
    return faults


# ---- settings -----------------------------------------------------------------------------------


def values_of(param: Param) -> list[Any]:
    """Return the values worth trying: every word, or the ends, the default, and null where allowed."""
    if param.options:
        return list(param.options)
    if isinstance(param, TextParam):
        return [param.default]
    values = {float(value) for value in (param.low, param.default, param.high) if isinstance(value, int | float)}
    numbers = [param.read(value, param.slug) for value in sorted(values) if abs(value) < 1e9]
    return [*numbers, None] if param.none_means else numbers


def settings_of(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    """Return every combination of values worth trying."""
    names = [param.slug for param in params]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*map(values_of, params))]


def written(slug: str, settings: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as a document may write it
    """Return a choice as the document writes it."""
    return {slug: dict(settings)} if settings else slug


DISCIPLINE_CHOICES = {
    " ".join([slug, *(str(value) for name, value in settings.items() if name != "depth")]): written(slug, settings)
    for slug, params in DISCIPLINES.items()
    for settings in settings_of(params)
    if settings.get("depth", 100) == 100
}
"""Every discipline with every word it knows, by a name for the test report."""


# ---- tables -------------------------------------------------------------------------------------


def random_table(seed: int, n_jobs: int = 40, largest: int = 12) -> JobTable:
    """Return jobs of two tenants with many ties in everything; they come in 60 s and run up to 30 s."""
    random = np.random.default_rng(seed)
    runtime = random.integers(1, 31, n_jobs) * 1_000
    limit = np.where(random.random(n_jobs) < 0.5, runtime, random.integers(1, 41, n_jobs) * 1_000)
    jobs = Jobs(
        submit_ms=np.sort(random.integers(0, 61, n_jobs)) * 1_000,
        runtime_ms=runtime,
        limit_ms=np.where(random.random(n_jobs) < 0.2, NO_LIMIT_MS, limit),
        gpus=random.choice([1, 1, 2, 4, largest], n_jobs).astype(np.int32),
        priority=random.choice([0, 500, 1_000], n_jobs).astype(np.int32),
        tenant=random.integers(0, 2, n_jobs).astype(np.int32),
        job_class=random.integers(0, 2, n_jobs).astype(np.int32),
        type_set=random.integers(0, 2, n_jobs).astype(np.int32),
    )
    return JobTable(jobs, ("s", "t"), ("x", "y"), (None, ("A",)))


def asked(**policy: Any) -> Scenario:  # noqa: ANN401 - as a document may write it
    """Return two nodes of 4 of type A and one of B that are shared, and one of 8 behind a fence, for a day."""
    pools = (pool(2, 4, gpu="A", name="a"), pool(1, 4, gpu="B", name="b"), pool(1, 8, gpu="A", name="own"))
    return scenario([], *pools, fences={"s": None, "t": "own"}, run={"days": 1}, **policy)


NODE_GPUS = (4, 4, 4, 8)
"""GPUs of the nodes of `asked`, by number."""
DOMAIN_GPUS = {0: 8, 2: 4, 3: 8}
"""GPUs of its domains, by the number of their first node, under which counted placements are recorded."""


# ---- a run --------------------------------------------------------------------------------------


def broken_promises(result: Result, available: Mapping[int, int]) -> list[str]:
    """Return what a recorded run breaks of what every run promises.

    Parameters
    ----------
    result : Result
        A run until every job has ended.
    available : mapping of int to int
        GPUs of each node.
    """
    out, jobs, placements = result.outcome, result.table.jobs, result.outcome.placements
    assert placements is not None
    broken = []
    is_lost = out.state == STATES.index("unschedulable")
    if not np.isin(out.state, [STATES.index(word) for word in ("finished", "killed", "unschedulable")]).all():
        broken.append("a job has not ended")
    waited = np.where(is_lost, 0, out.start_ms - jobs.submit_ms)
    if (waited < 0).any() or not np.array_equal(out.cause_ms.sum(axis=1), waited + result.requeue_wait_ms):
        broken.append("causes do not sum to waits")
    taken = np.bincount(placements.row, weights=placements.gpus, minlength=len(waited))
    if not np.array_equal(taken, np.where(is_lost, 0, jobs.gpus)):
        broken.append("a gang has not started whole")
    began = out.start_ms.copy()
    if out.attempts is not None:  # what is recorded of a job that started several times is its last stay
        np.maximum.at(began, out.attempts.row, out.attempts.start_ms)
        for time in np.unique(out.attempts.start_ms):
            is_here = (out.attempts.start_ms <= time) & (time < out.attempts.end_ms)
            if jobs.gpus[out.attempts.row[is_here]].sum() > sum(available.values()):
                broken.append(f"at {time} ms more GPUs are used than there are")
    begins, ends = began[placements.row], out.finish_ms[placements.row]
    for node in np.unique(placements.node):
        here = placements.node == node
        most = max(
            int(placements.gpus[here & (begins <= time) & (time < ends)].sum()) for time in np.unique(begins[here])
        )
        if most > available.get(int(node), 0):
            broken.append(f"node {node} is used twice")
    return broken
