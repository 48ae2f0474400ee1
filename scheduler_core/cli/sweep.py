"""`sweep`: what one or two fields do to the answer, every point on the same jobs."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from scheduler_core.cli._inputs import log_of, parse_changes, read_scenario
from scheduler_core.cli._kernels import load_kernels
from scheduler_core.cli._options import changing, log_option, printing
from scheduler_core.cli._output import only_one, write_csv, write_json
from scheduler_core.cli._progress import Progress
from scheduler_core.cli._sweep_report import HEADER, csv_rows, sweep_document, sweep_text
from scheduler_core.errors import InputError, shorten
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario
from scheduler_core.studies.sweep import Means
from scheduler_core.studies.sweep import sweep as run_sweep
from scheduler_core.studies.sweep_cache import FolderCache
from scheduler_core.studies.sweep_front import total_weight
from scheduler_core.studies.sweep_measures import Measure, default_measures, read_measure
from scheduler_core.studies.sweep_points import find_baseline, make_points, read_axis


def cache_folder() -> Path:
    """Return where runs are kept: HEADROOM_CACHE, else the user's cache folder."""
    own = os.environ.get("HEADROOM_CACHE", "").strip()
    if own:
        return Path(own)
    home = os.environ.get("XDG_CACHE_HOME", "").strip()
    return (Path(home) if home else Path.home() / ".cache") / "headroom"


@click.command()
@click.argument("scenario", metavar="FILE|CASE|LINK")
@click.option("--vary", "vary", multiple=True, required=True, metavar="PATH=V1,V2", help="A field; at most two.")
@click.option("--metrics", "metrics", metavar="A,B@NAME", help="What to look at, and of whom; default: three.")
@click.option("--baseline", "baseline", multiple=True, metavar="PATH=VALUE", help="The point to compare with.")
@click.option("--weight", "weights", multiple=True, metavar="METRIC=W", help="How much it counts; default: alike.")
@click.option("--workers", type=click.IntRange(1), help="Processes; default: as many as the work is worth.")
@click.option("--no-cache", is_flag=True, help="Run everything again.")
@changing
@log_option
@printing
def sweep(  # noqa: PLR0913, PLR0917  (one argument an option)
    scenario: str,
    vary: tuple[str, ...],
    metrics: str | None,
    baseline: tuple[str, ...],
    weights: tuple[str, ...],
    workers: int | None,
    no_cache: bool,
    settings: tuple[str, ...],
    seed: int | None,
    replications: int | None,
    log_file: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Vary one or two fields: paired differences, the front, its knee, and what to choose.

    Values are what a document may say, separated by commas: --vary policy.discipline=strict,easy,{easy: {depth: 5}}
    """
    only_one(json=as_json, csv=as_csv)
    base = read_scenario(scenario, parse_changes(settings, seed=seed, replications=replications))
    axes = [read_axis(text) for text in vary]
    measures = _measures(metrics, base)
    counts = _weights(weights, measures, base)
    wanted = {path: f"{value}".strip() for path, value in _pairs(baseline, "--baseline").items()}
    find_baseline(base, make_points(base, axes), wanted)  # refused before the log is read and the kernels loaded
    log = log_of(base, log_file)
    load_kernels()
    means = Means(None if log is None else log.table, workers, None if no_cache else FolderCache(cache_folder()))
    found = run_sweep(
        base, axes, replications, measures=measures, baseline=wanted, means=means, progress=Progress("Sweeping")
    )
    if as_json:
        write_json(sweep_document(found, counts))
    elif as_csv:
        write_csv(HEADER, csv_rows(found))
    else:
        click.echo(sweep_text(found, counts))


def _measures(text: str | None, base: Scenario) -> Sequence[Measure]:
    if text is None:
        return default_measures(base)
    return tuple(dict.fromkeys(read_measure(part, base) for part in text.split(",")))


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"{option} {shorten(text)} must be name=value")
        found[name.strip()] = value
    return found


def _weights(texts: Sequence[str], measures: Sequence[Measure], base: Scenario) -> dict[str, float] | None:
    """Return the weights by the name of the measure; None where nobody gave any."""
    if not texts:
        return None
    wanted = [each.name for each in measures if each.objective is not None]
    found = {}
    for name, text in _pairs(texts, "--weight").items():
        measure = read_measure(name, base)
        if measure.name not in wanted:
            raise InputError("--weight", name, Phrase("for one of {wanted}", wanted=", ".join(wanted)))
        try:
            found[measure.name] = float(text)
        except ValueError as error:
            raise InputError(
                Phrase("the weight of {name}", name=name), text, Phrase("a number of at least 0")
            ) from error
    total_weight(found)  # refused before anything runs
    return found
