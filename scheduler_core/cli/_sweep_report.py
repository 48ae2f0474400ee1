"""The answer of a sweep as text, as a table of numbers, and as a document for machines."""

from collections.abc import Iterator, Mapping

from scheduler_core.cli._output import Cell
from scheduler_core.cli._report import setting, title
from scheduler_core.cli._tables import say_change, say_change_interval, say_estimate, table
from scheduler_core.metrics import all_metrics
from scheduler_core.scenario import scenario_hash
from scheduler_core.studies.sweep import Sweep
from scheduler_core.studies.sweep_front import Recommendation, Region
from scheduler_core.studies.sweep_measures import Measure
from scheduler_core.units import format_number

HEADER = ("point", "metric", "unit", "mean", "low", "high", "replications", "difference", "difference_low",
          "difference_high", "change", "is_lower_bound")  # fmt: skip


def measure_words(measure: Measure) -> str:
    """Return a measure as the head of a column: ``Mean wait of research``."""
    name = all_metrics()[measure.slug].text["en"].name
    return name if measure.scope == "all" else f"{name} of {measure.scope.partition(':')[2]}"


def sweep_text(found: Sweep, weights: Mapping[str, float] | None) -> str:
    """Return a sweep for a terminal."""
    best = found.recommend(weights=weights)
    parts = [
        f"{title(found.base)}\n{setting(found.points[found.baseline].scenario, found.runs[found.baseline])}",
        _what(found),
        _table(found),
        "\n".join(_front_lines(found)),
        "" if best is None else recommendation_text(found, best),
        _bound_line(found),
    ]
    return "\n\n".join(part for part in parts if part)


def _what(found: Sweep) -> str:
    paths = " and ".join(axis.path for axis in found.axes)
    luck = "the same jobs in all" if found.is_paired else "the same seeds in all"
    kept = f"; {found.n_kept:,} of the runs were kept from before" if found.n_kept else ""
    times = f"{found.n_replications} replication{'' if found.n_replications == 1 else 's'} each"
    compared = f"compared with {found.points[found.baseline].label}"
    return f"{len(found.points)} points of {paths}, {times}, {luck}; {compared}{kept}."


def _table(found: Sweep) -> str:
    on_front, keeps, regions = found.front(), found.keeps(), found.regions()
    has_targets, has_front = bool(found.base.targets), len(found.objectives()) > 1
    header = [axis.path for axis in found.axes]
    for measure in found.measures:
        header += [measure_words(measure), "difference [95 %]"]
    header += ["targets"] if has_targets else []
    header += ["front", "wins for weights"] if has_front else []
    rows = []
    for at, point in enumerate(found.points):
        row = [value for _, value in point.settings]
        for measure in found.measures:
            row += [say_estimate(found.estimate(at, measure), measure.unit), _change(found, at, measure)]
        row += ["kept" if keeps[at] else "missed"] if has_targets else []
        row += ["yes" if at in on_front else "", _share(regions[at])] if has_front else []
        rows.append(row)
    return table(header, rows, n_left=len(found.axes))


def _change(found: Sweep, at: int, measure: Measure) -> str:
    if at == found.baseline:
        return "-"
    row = found.difference(at, measure)
    text = say_change(row.difference, row.unit)
    interval = say_change_interval(row.difference, row.unit)
    return f"{text} {interval}" if interval else text


def _share(won: Region | None) -> str:
    return "none" if won is None else f"{100 * won.share:.0f} %"


def _front_lines(found: Sweep) -> Iterator[str]:
    objectives = found.objectives()
    if len(objectives) < 2:
        return
    on_front = found.front()
    names = "; ".join(found.points[at].label for at in on_front[:12])
    more = f" and {len(on_front) - 12} more" if len(on_front) > 12 else ""
    wanted = ", ".join(f"{each.name} {each.better}" for each in objectives)
    yield f"On the front ({wanted}): {names}{more}."
    bend = found.knee()
    if bend is not None:
        yield f"The knee is at {found.points[bend].label}."


def recommendation_text(found: Sweep, best: Recommendation) -> str:
    """Return what to choose, what it changes, and for which weights that holds."""
    shown = {each.name: each for each in found.measures}
    weights = ", ".join(f"{name} {format_number(weight)}" for name, weight in best.weights.items())
    if found.base.targets and not best.keeps_targets:
        head = f"No point keeps every target. With the weights {weights} the best of all is "
    else:
        among = " among those that keep every target" if found.base.targets else ""
        head = f"With the weights {weights}, the best{among} is "
    changes = [_told(found, best.winner, shown[name]) for name in best.weights]
    against = f", against {found.points[found.baseline].label}" if best.winner != found.baseline else ""
    return f"{head}{found.points[best.winner].label}: {', '.join(changes)}{against}.\n{_region_text(best)}"


def _bound_line(found: Sweep) -> str:
    is_bound = any(
        found.estimate(at, each).is_lower_bound for at in range(len(found.points)) for each in found.measures
    )
    return "A number with >= counts as it stands; in truth it can only be larger." if is_bound else ""


def _told(found: Sweep, at: int, measure: Measure) -> str:
    value = f"{measure_words(measure)} {say_estimate(found.estimate(at, measure), measure.unit)}"
    return value if at == found.baseline else f"{value} ({_change(found, at, measure)})"


def _region_text(best: Recommendation) -> str:
    won = best.region
    if len(best.weights) == 1:
        return "There is only this one thing to weigh."
    parts = ", ".join(
        f"{name} {format_number(low)} to {format_number(high)}" for name, (low, high) in won.ranges.items()
    )
    how = "exactly" if not won.step else f"on a grid with steps of {format_number(won.step)}"
    return f"It stays the best for {100 * won.share:.0f} % of all weights ({how}): {parts}."


def csv_rows(found: Sweep) -> Iterator[tuple[Cell, ...]]:
    """Yield every measure of every point, in the order of `HEADER`."""
    for at, point in enumerate(found.points):
        for measure in found.measures:
            own, row = found.estimate(at, measure), found.difference(at, measure)
            change = row.difference
            numbers = (own.mean, own.low, own.high, own.n, change.mean, change.low, change.high)
            yield (point.label, measure.name, measure.unit, *numbers, row.change, own.is_lower_bound)


def sweep_document(found: Sweep, weights: Mapping[str, float] | None) -> dict[str, object]:
    """Return a sweep for machines; times in ms."""
    return {
        "name": found.base.name,
        "case": found.base.case,
        "axes": found.axes,
        "replications": found.n_replications,
        "is_paired": found.is_paired,
        "kept_runs": found.n_kept,
        "baseline": found.baseline,
        "measures": {
            each.name: {**vars(each), "unit": each.unit, "objective": each.objective} for each in found.measures
        },
        "points": [_point_document(found, at) for at in range(len(found.points))],
        "front": found.front(),
        "knee": found.knee(),
        "regions": found.regions(),
        "recommendation": found.recommend(weights=weights),
    }


def _point_document(found: Sweep, at: int) -> dict[str, object]:
    point, runs = found.points[at], found.runs[at]
    return {
        "settings": dict(point.settings),
        "scenario_hash": scenario_hash(point.scenario),
        "run_hashes": [each.provenance.run_hash for each in runs.summaries],
        "keeps_targets": found.keeps()[at],
        "measures": {
            each.name: {
                **vars(found.estimate(at, each)),
                "by_replication": [summary.value(each.slug, each.scope).value for summary in runs.summaries],
                "difference": found.difference(at, each).difference,
                "change": found.difference(at, each).change,
            }
            for each in found.measures
        },
    }
