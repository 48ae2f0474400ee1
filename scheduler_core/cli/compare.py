"""`compare`: two scenarios side by side on the same jobs."""

from collections.abc import Iterator
from pathlib import Path

import click

from scheduler_core.cli._inputs import log_of, parse_changes, read_scenario
from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import changing, log_option, printing
from scheduler_core.cli._output import Cell, only_one, write_csv, write_json
from scheduler_core.cli._progress import Progress
from scheduler_core.cli._report import name_of, setting, title
from scheduler_core.cli._tables import say, say_change, say_change_interval, say_estimate, table
from scheduler_core.metrics import all_metrics
from scheduler_core.scenario import differences, require_available
from scheduler_core.studies import Comparison, Difference
from scheduler_core.studies import compare as compare_scenarios

HEADER = (
    "scope",
    "metric",
    "unit",
    "before",
    "after",
    "difference",
    "low",
    "high",
    "relative",
    "change",
    "is_lower_bound",
)
MOST_LOSERS = 10
MOST_CHANGES = 20


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="[B]", required=False)
@changing
@log_option
@printing
def compare(  # noqa: PLR0913, PLR0917  (one argument an option)
    before: str,
    after: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    log_file: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Compare two scenarios on the same jobs: paired differences, and who lost.

    A and B are files, cases or links. --set changes B only; without B it is A with those changes.
    """
    only_one(json=as_json, csv=as_csv)
    if after is None and not settings:
        raise click.UsageError("give a second scenario, or --set PATH=VALUE for a changed copy of the first")
    for_both = parse_changes((), seed=seed, replications=replications)
    first = read_scenario(before, for_both)
    second = read_scenario(after or before, parse_changes(settings, seed=None, replications=None) | for_both)
    for scenario in (first, second):
        require_available(scenario)
    logs = tuple(log_of(scenario, log_file) if scenario.workload.arrivals.log else None for scenario in (first, second))
    tables = (None if logs[0] is None else logs[0].table, None if logs[1] is None else logs[1].table)
    load_kernels()
    found = compare_scenarios(first, second, logs=tables, progress=Progress("Comparing"))
    if as_json:
        write_json(comparison_document(found))
    elif as_csv:
        write_csv(HEADER, (_csv_row(row) for row in found.differences))
    else:
        click.echo(comparison_text(found))


def _csv_row(row: Difference) -> tuple[Cell, ...]:
    found = row.difference
    numbers = (row.before.mean, row.after.mean, found.mean, found.low, found.high, row.relative)
    return (row.scope, row.slug, row.unit, *numbers, row.change, found.is_lower_bound)


def comparison_text(found: Comparison) -> str:
    """Return a comparison for a terminal."""
    first, second = found.before, found.after
    sides = (("A", first), ("B", second))
    parts = [
        "\n".join(f"{side}  {title(runs.scenario)}\n   {setting(runs.scenario, runs)}" for side, runs in sides),
        "\n".join(_change_lines(found)),
        _table(found),
        "\n".join(_loser_lines(found)),
        _jobs_line(found),
    ]
    return "\n\n".join(part for part in parts if part)


def _change_lines(found: Comparison) -> Iterator[str]:
    changes = differences(found.after.scenario, found.before.scenario)
    if not changes:
        yield "B asks the same as A."
        return
    yield "B differs from A:"
    for path, value in list(changes.items())[:MOST_CHANGES]:
        yield f"  {path}: {_short(value)}"
    if len(changes) > MOST_CHANGES:
        yield f"  and {len(changes) - MOST_CHANGES} more"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _table(found: Comparison) -> str:
    metrics = all_metrics()
    rows = []
    for row in found.differences:
        kind = row.scope.split(":")[0]
        is_wait = row.slug == "wait_mean" and kind in {"tenant", "class"}
        if (kind == "all" and metrics[row.slug].is_headline) or is_wait:
            name = metrics[row.slug].text["en"].name
            rows.append(
                [
                    name if kind == "all" else f"{name}, {name_of(row.scope)}",
                    say_estimate(row.before, row.unit),
                    say_estimate(row.after, row.unit),
                    say_change(row.difference, row.unit),
                    say_change_interval(row.difference, row.unit),
                    row.change,
                ]
            )
    return table(("Metric", "A", "B", "B - A", "95 % interval", "B is"), rows)


def _loser_lines(found: Comparison) -> Iterator[str]:
    if not found.losers:
        yield "Who waits longer in B: nobody, as far as these runs can tell."
        return
    yield "Who waits longer in B:"
    for loser in found.losers[:MOST_LOSERS]:
        wait = loser.wait
        yield (
            f"  {name_of(loser.scope)} ({loser.n_jobs:,} jobs): {say_estimate(wait.before, 'ms')} -> "
            f"{say_estimate(wait.after, 'ms')}"
        )
    if len(found.losers) > MOST_LOSERS:
        yield f"  and {len(found.losers) - MOST_LOSERS} more"


def _jobs_line(found: Comparison) -> str:
    jobs = found.jobs
    if jobs is None:
        return "The two do not have the same jobs, so luck is part of the differences."
    if not jobs.n_jobs:
        return ""
    ratio = "" if jobs.jct_ratio_median is None else f"; the median completion time is x {jobs.jct_ratio_median:.3g}"
    sooner, later = say(jobs.sooner_share, "share"), say(jobs.later_share, "share")
    head = f"Job by job (replication 0, {jobs.n_jobs:,} finished in both)"
    return f"{head}: {sooner} finish sooner in B, {later} later{ratio}."


def comparison_document(found: Comparison) -> dict[str, object]:
    """Return a comparison for machines; times in ms."""
    return {
        "before": {"name": found.before.scenario.name, "provenance": vars(found.before.summaries[0].provenance)},
        "after": {"name": found.after.scenario.name, "provenance": vars(found.after.summaries[0].provenance)},
        "changes": differences(found.after.scenario, found.before.scenario),
        "replications": found.after.n,
        "is_paired": found.is_paired,
        "differences": [{**vars(row), "relative": row.relative} for row in found.differences],
        "losers": found.losers,
        "jobs": found.jobs,
    }
