"""The page docs/metrics.md, written from the metrics themselves."""

from collections.abc import Iterator

from scheduler_core.metrics._base import CENSORED_LIMIT_SHARE, SCOPE_KINDS, Metric
from scheduler_core.registry import modules

HEAD = f"""# Metrics

Written by `python -m tests.unit.metrics.write_page`; do not edit. The rules behind the numbers
are in [model.md](model.md), sections 8 and 9.

- **Scopes.** A metric is measured for all jobs, and where it makes sense for each class, tenant, band of sizes
  (1, 2-3, 4-7, ...) and pool (the pools behind one fence count as one). Written `all`, `class:NAME`, `tenant:NAME`,
  `size:8-15`, `pool:NAME`.
- **Window.** Job metrics cover jobs submitted in [warm-up, days); integrals over time cover the same window.
- **At least.** A job that has not started by the end enters with its wait so far. A mean with more than
  {CENSORED_LIMIT_SHARE:.0%} of such jobs, and a percentile that lies among them, is a lower bound: `>=` in text,
  `is_lower_bound` in JSON and CSV. A target on a lower bound is `unknown` where the truth may lie on its other side.
- **Units.** ms: milliseconds (35 min in text). share: 0 to 1 (percent in text). gpu_h: GPU-hours. index and ratio have
  no unit.
- **Percentiles** interpolate linearly between the two nearest jobs, as numpy does.
- **Replications.** mean, and its 95 % interval from Student's t with n - 1 degrees of freedom, cut to the range of the
  metric; differences are taken within each replication (common random numbers).
"""


def metrics_page() -> str:
    """Return docs/metrics.md.

    Returns
    -------
    str
        Markdown; changes only when a metric does.
    """
    return "\n".join([HEAD, *_topics()])


def _topics() -> Iterator[str]:
    for module in modules("metrics"):
        text = (module.__doc__ or "").strip()
        first, _, rest = text.partition("\n\n")
        topic = module.__name__.rpartition(".")[2].capitalize()
        yield f"## {topic}\n\n{first}\n" + (f"\n{rest.strip()}\n" if rest.strip() else "")
        yield "| metric | meaning | unit | better | range | scopes | source |\n|---|---|---|---|---|---|---|"
        yield "\n".join(_row(metric) for metric in module.METRICS) + "\n"


def _row(metric: Metric) -> str:
    name, meaning = metric.text["en"]
    low, high = metric.range
    span = f"{low:g} to {high:g}" if high is not None else f"from {low:g}"
    scopes = "every" if len(metric.scopes) == len(SCOPE_KINDS) else ", ".join(metric.scopes)
    cells = (f"`{metric.slug}`", f"**{name}.** {meaning}", metric.unit, metric.better, span, scopes, metric.source)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
