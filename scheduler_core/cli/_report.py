"""The answer of a run as text, as a table of numbers, and as a document for machines."""

from collections.abc import Iterator, Sequence

from scheduler_core.cli._output import Cell
from scheduler_core.cli._tables import say, say_estimate, say_interval, say_value, table
from scheduler_core.kernels.tables import CAUSES
from scheduler_core.metrics import Summary, TargetOutcome, Value, Verdict, all_metrics, evaluate_targets, verdict
from scheduler_core.scenario.document import Scenario
from scheduler_core.studies import Replications
from scheduler_core.units import format_number

MOST_ROWS = 20
"""Longer tables are cut in text; --json and --csv have everything."""
HOUR_MS = 3_600_000

METRIC_HEADER = ("scope", "metric", "unit", "mean", "low", "high", "median", "replications", "is_lower_bound")


def name_of(scope: str) -> str:
    """Return a scope key as a person reads it: ``class:pretrain`` becomes ``class pretrain``."""
    return "all jobs" if scope == "all" else scope.replace(":", " ", 1)


def say_parts(parts: Sequence[tuple[str, float]], most: int = 3) -> str:
    """Return shares by cause as people say them: ``85 % order, 15 % quota``; tiny ones are left out."""
    told = [(name, share) for name, share in parts[:most] if share >= 0.005]
    return ", ".join(f"{100 * share:.0f} % {name.replace('_', ' ')}" for name, share in told)


def title(scenario: Scenario) -> str:
    """Return name and case of a scenario."""
    return f"{scenario.name} ({scenario.case})" if scenario.case else scenario.name


def unit_of(scenario: Scenario) -> str:
    """Return what a job's size counts: ``GPU``, or ``processor`` for a log without GPUs."""
    log = scenario.workload.arrivals.log
    return "processor" if log is not None and log.unit == "processor" and log.procs_per_gpu == 1 else "GPU"


def setting(scenario: Scenario, runs: Replications) -> str:
    """Return the size of the question in one line."""
    run, policy = scenario.run, scenario.policy
    jobs = sum(summary.jobs["all"] for summary in runs.summaries) / runs.n
    days = "1 day" if run.days == 1 else f"{format_number(run.days)} days"
    warm = f", the first {format_number(run.warmup_days)} of them warm-up" if run.warmup_ms else ""
    times = f"{runs.n} replications" if runs.n > 1 else "1 replication"
    size = f"{scenario.cluster.gpus:,} {unit_of(scenario)}s"
    rules = f"{policy.order.slug}, {policy.discipline.slug}, {policy.placement.slug}"
    measured = f"{jobs:,.0f} jobs measured{' in each' if runs.n > 1 else ''}"
    return f"{size}; {rules}; {days}{warm}; {times} from seed {run.seed}; {measured}"


def sentence(found: Verdict, runs: Replications, unit: str) -> str:
    """Return the headline as a sentence."""
    if not found.n_jobs:
        return "No job was submitted in the window."
    interval = say_interval(runs.estimate("wait_mean", found.scope), "ms")
    text = f"{name_of(found.scope).capitalize()}: the mean wait is {_at_least(found.wait_mean)}"
    text += f" {interval}" if interval else ""
    if found.causes:
        text += f": {say_parts(found.causes)}"
    if found.order_behind and dict(found.causes).get("order", 0) >= 0.005:
        text += f" (the job ahead waited for: {say_parts(found.order_behind)})"
    idle = found.idle_outside_gpus.value
    if idle is not None and idle >= 1:
        text += f", while {idle:,.0f} {unit}s outside stood idle"
    return f"{text}. Utilisation is {say(found.utilisation.value, 'share')}."


def _at_least(value: Value) -> str:
    return f"{'at least ' if value.is_lower_bound else ''}{say(value.value, 'ms')}"


def headline_table(runs: Replications) -> str:
    """Return the headline metrics of all jobs."""
    rows = []
    for slug, metric in all_metrics().items():
        if metric.is_headline and "all" in metric.scopes:
            found = runs.estimate(slug)
            row = [metric.text["en"].name, say_estimate(found, metric.unit)]
            if runs.n > 1:
                row += [say_interval(found, metric.unit), say(found.median, metric.unit)]
            rows.append(row)
    header = ("All jobs", "mean", "95 % interval", "median") if runs.n > 1 else ("All jobs", "value")
    return table(header, rows)


def scope_table(runs: Replications) -> str:
    """Return waits by tenant and class."""
    summary = runs.combined
    scopes = [*summary.scopes("tenant"), *summary.scopes("class")]
    shown = scopes if len(scopes) <= MOST_ROWS else sorted(scopes, key=lambda key: -summary.jobs[key])[:MOST_ROWS]
    rows = [_scope_row(runs, summary, scope) for scope in shown]
    header = ("Waits", "jobs", "mean", "median", "p95", "still waiting", "share of cluster", "causes")
    text = table(header, rows)
    left = len(scopes) - len(shown)
    return text + (f"\nand {left:,} more; --csv and --json have all" if left else "")


def _scope_row(runs: Replications, summary: Summary, scope: str) -> list[str]:
    waits = [say_estimate(runs.estimate(slug, scope), "ms") for slug in ("wait_mean", "wait_p50", "wait_p95")]
    shares = [say(summary.value(slug, scope).value, "share") for slug in ("censored_share", "utilisation")]
    causes = say_parts(tuple(summary.cause_shares(scope).items())) or "-"
    return [name_of(scope), f"{summary.jobs[scope]:,}", *waits, *shares, causes]


def pool_table(scenario: Scenario, runs: Replications) -> str:
    """Return use by pool; empty where there is one."""
    pools = runs.combined.scopes("pool")
    if len(pools) < 2:
        return ""
    units = {"utilisation": "share", "goodput": "share", "idle_outside_gpus": "gpus"}
    gpus = {pool.name: pool.gpus for pool in scenario.cluster.pools}
    rows = []
    for scope in pools:
        name = scope.partition(":")[2]
        size = sum(gpus.get(part, 0) for part in name.split(" + "))
        rows.append(
            [name, f"{size:,}", *(say_estimate(runs.estimate(slug, scope), unit) for slug, unit in units.items())]
        )
    return table(("Pools", "GPUs", "utilisation", "goodput", "idle outside while somebody waits"), rows)


def preemption_line(runs: Replications, unit: str) -> str:
    """Return who was evicted and what it cost, in one sentence or two; empty where nobody was."""
    found = {slug: runs.estimate(slug) for slug in PREEMPTION_METRICS}
    if not found["preempted_share"].mean:
        return ""
    said = {slug: say_estimate(estimate, all_metrics()[slug].unit) for slug, estimate in found.items()}
    hours = said["lost_evicted_gpu_h"].removesuffix(" GPU h")
    text = f"Preemption: {said['preempted_share']} of the started jobs were evicted at least once"
    text += f", {said['preemptions_per_job']} preemptions a job; {hours} {unit}-hours of work were lost to it."
    if found["requeue_wait_p50"].mean is not None:
        again = f"{said['requeue_wait_p50']} (median), {said['requeue_wait_p95']} (p95)"
        text += f" Evicted jobs waited {again} to run again."
    return text


PREEMPTION_METRICS = (
    "preempted_share", "preemptions_per_job", "lost_evicted_gpu_h", "requeue_wait_p50", "requeue_wait_p95",
)  # fmt: skip
"""What `preemption_line` says."""


def target_table(targets: Sequence[TargetOutcome]) -> str:
    """Return the targets with what was reached; empty without targets."""
    if not targets:
        return ""
    rows = [
        [
            f"{target.metric} of {name_of(target.scope)}",
            f"{target.direction.replace('_', ' ')} {say(target.bound, target.unit)}",
            say_value(target.value, target.unit),
            say(target.margin, target.unit),
            target.state,
        ]
        for target in targets
    ]
    return table(("Targets", "wanted", "reached", "margin", "result"), rows)


def books_line(summary: Summary, unit: str) -> str:
    """Return where the hours of the window went."""
    books = summary.books_gpu_ms
    told = ", ".join(
        f"{format_number(spent / HOUR_MS)} {kind.replace('_', ' ')}" for kind, spent in books.items() if spent
    )
    return f"{unit[0].upper()}{unit[1:]}-hours of the window: {told or '0'}."


def provenance_line(summary: Summary) -> str:
    """Return what is needed to get the same numbers again."""
    source = summary.provenance
    return f"scenario {source.scenario_hash}, run {source.run_hash}, engine {source.engine_version}, seed {source.seed}"


def run_text(scenario: Scenario, runs: Replications) -> str:
    """Return the answer of a run for a terminal."""
    summary = runs.combined
    targets = evaluate_targets(scenario.targets, summary)
    parts = [
        f"{title(scenario)}\n{setting(scenario, runs)}",
        sentence(verdict(summary, targets), runs, unit_of(scenario)),
        target_table(targets),
        headline_table(runs),
        scope_table(runs),
        pool_table(scenario, runs),
        preemption_line(runs, unit_of(scenario)),
        _unschedulable(summary) + books_line(summary, unit_of(scenario)) + "\n" + provenance_line(summary),
    ]
    return "\n\n".join(part for part in parts if part)


def _unschedulable(summary: Summary) -> str:
    count = summary.n_unschedulable
    return f"{count:,} jobs fit no pool and were left out (`scenario check` says why).\n" if count else ""


def metric_rows(runs: Replications) -> Iterator[tuple[Cell, ...]]:
    """Yield every metric of every scope, in the order of `METRIC_HEADER`."""
    first = runs.summaries[0]
    for slug, metric in all_metrics().items():
        for scope in first.values.get(slug, {}):
            found = runs.estimate(slug, scope)
            numbers = (found.mean, found.low, found.high, found.median, found.n)
            yield (scope, slug, metric.unit, *numbers, found.is_lower_bound)


def run_document(scenario: Scenario, runs: Replications) -> dict[str, object]:
    """Return the answer of a run for machines; times in ms."""
    summary = runs.combined
    targets = evaluate_targets(scenario.targets, summary)
    begin, end = summary.window_ms
    return {
        "name": scenario.name,
        "case": scenario.case,
        "provenance": {**vars(summary.provenance), "replications": runs.n},
        "run_hashes": [each.provenance.run_hash for each in runs.summaries],
        "window_ms": {"begin": begin, "end": end},
        "healthy_gpus": summary.healthy_gpus,
        "unschedulable_jobs": summary.n_unschedulable,
        "verdict": verdict(summary, targets),
        "targets": targets,
        "jobs": summary.jobs,
        "metrics": _metrics_document(runs),
        "causes": {scope: _all_causes(summary.cause_shares(scope)) for scope in summary.jobs},
        "order_behind": {scope: summary.order_behind_shares(scope) for scope in summary.order_behind_ms},
        "books_gpu_h": {kind: spent / HOUR_MS for kind, spent in summary.books_gpu_ms.items()},
    }


def _all_causes(shares: dict[str, float]) -> dict[str, float]:
    return {cause: shares.get(cause, 0.0) for cause in CAUSES} if shares else {}


def _metrics_document(runs: Replications) -> dict[str, object]:
    found: dict[str, object] = {}
    for slug, metric in all_metrics().items():
        scopes: dict[str, object] = {}
        for scope in runs.summaries[0].values.get(slug, {}):
            estimate = runs.estimate(slug, scope)
            each = [summary.value(slug, scope).value for summary in runs.summaries]
            scopes[scope] = {**vars(estimate), "by_replication": each}
        found[slug] = {"unit": metric.unit, "better": metric.better, "scopes": scopes}
    return found
