"""The answer of Trade-offs: what to choose and for which weights, the picture, and the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard import numbers, panels
from dashboard import tradeoffs_study as studies
from dashboard import verdict as words
from dashboard.i18n import Text, escape, plain, t
from dashboard.tradeoffs_fields import Offer, offer_of
from dashboard.tradeoffs_study import Study
from scheduler_core import ENGINE_VERSION, Measure, Recommendation, Region, Sweep, all_metrics, scenario_hash

if TYPE_CHECKING:
    from dashboard import tradeoffs_charts as pictures


@dataclass(frozen=True)
class Answer:
    """A sweep as the page shows it: the measures on the axes, names of points in the language of the session."""

    found: Sweep
    study: Study
    known: Mapping[str, Offer]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is on the axes."""
        return self.study.measures

    @cached_property
    def best(self) -> Recommendation | None:
        """The recommended point."""
        weights = {each.name: self.study.weights[each.name] for each in self.measures if each.objective is not None}
        return self.found.recommend(self.measures, weights if any(weights.values()) else None)

    @cached_property
    def front(self) -> tuple[int, ...]:
        """The points that no other point beats."""
        return self.found.front(self.measures)

    @cached_property
    def pair(self) -> tuple[Measure, ...]:
        """The two measures of the picture."""
        return self.measures[:2]

    @cached_property
    def knee(self) -> int | None:
        """The knee of the front of the picture."""
        return self.found.knee(self.pair) if len(self.pair) == 2 else None

    def name(self, at: int) -> str:
        """Return what a person calls a point."""
        parts = [offer_of(path, self.known).name(value) for path, value in self.found.points[at].settings]
        return plain("tradeoffs.list").join(parts)

    def value(self, at: int, measure: Measure) -> Text:
        """Return the mean of a measure as a person says it."""
        own = self.found.estimate(at, measure)
        return words.value_text(measure.unit, own.mean, is_bound=own.is_lower_bound)

    def moved(self, at: int, measure: Measure) -> Text:
        """Return the difference from the baseline with its interval."""
        spread = self.found.difference(at, measure).difference
        mean = _moved(measure.unit, spread.mean)
        if spread.mean is None or spread.low is None or spread.high is None:
            return mean
        return Text(f"{mean} {_interval(measure.unit, spread.mean, spread.low, spread.high)}")


def _moved(unit: str, value: float | None) -> Text:
    """Return a difference with its sign; a difference of shares is in points."""
    if value is None:
        return t("value.none")
    return numbers.signed(numbers.points(value) if unit == "share" else words.value_text(unit, value), value)


def _interval(unit: str, mean: float, low: float, high: float) -> Text:
    """Return an interval in brackets, in the unit of its mean; safe as Markdown."""
    if unit == "ms":
        return numbers.interval(mean, low, high)
    ends = [
        Text(numbers.digits(100 * each, 2)) if unit == "share" else words.value_text(unit, each) for each in (low, high)
    ]
    return Text(f"\\[{ends[0]}, {ends[1]}\\]")


def headline(answer: Answer) -> None:
    """Show what to choose and what it changes, then how sure that is and for which weights it holds."""
    best = answer.best
    if best is None:
        panels.heading(t("tradeoffs.no_answer"), level=1)
        return
    panels.heading(_sentence(answer, best), level=1)
    st.caption(_sure(answer, best))


def _sentence(answer: Answer, best: Recommendation) -> Text:
    at, base = best.winner, answer.found.baseline
    shown = [each for each in answer.measures if each.objective is not None]
    has_targets = bool(answer.found.base.targets)
    start = "" if best.keeps_targets or not has_targets else f"{t('tradeoffs.no_target_kept')} "
    if at == base:
        values = plain("list.and").join(
            t("tradeoffs.value", name=_label(each), value=answer.value(at, each)) for each in shown
        )
        return Text(start + t("tradeoffs.stay", point=answer.name(at), values=Text(values)))
    told = [
        t("tradeoffs.change", name=_label(each), value=answer.value(at, each), change=answer.moved(at, each))
        for each in shown
    ]
    return Text(
        start
        + t(
            "tradeoffs.choose",
            point=answer.name(at),
            base=answer.name(base),
            changes=Text(plain("list.and").join(told)),
        )
    )


def _label(measure: Measure) -> Text:
    return Text(escape(studies.measure_label(measure.name)))


def _sure(answer: Answer, best: Recommendation) -> Text:
    found = answer.found
    texts = [t("tradeoffs.paired" if found.is_paired else "tradeoffs.seeded", n=found.n_replications)]
    if found.n_replications < 2:
        texts = [t("sure.one")]
    if len(best.weights) > 1:
        name, (low, high) = next(iter(best.region.ranges.items()))
        measure = next(each for each in answer.measures if each.name == name)
        key = "tradeoffs.wins" if not best.region.step else "tradeoffs.wins_grid"
        texts.append(
            t(
                key,
                share=numbers.share(best.region.share),
                name=_label(measure),
                low=numbers.share(low),
                high=numbers.share(high),
                step=numbers.share(best.region.step),
            )
        )
    if any(found.estimate(at, each).is_lower_bound for at in range(len(found.points)) for each in answer.measures):
        texts.append(t("tradeoffs.bounds"))
    return Text(" ".join(texts))


# ---- picture ----------------------------------------------------------------------------------------------------


def picture(answer: Answer) -> None:
    """Show the points with their intervals, the front, the knee and the targets."""
    from dashboard import tradeoffs_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    if len(answer.pair) < 2:
        st.info(t("tradeoffs.two_metrics"), icon=":material/info:")
        return
    x, y = answer.pair
    rows = answer.found.rows(answer.measures)
    drawn = [at for at, row in enumerate(rows) if row[x.name] is not None and row[y.name] is not None]
    if not drawn:
        st.info(t("tradeoffs.no_numbers"), icon=":material/info:")
        return
    place = {at: number for number, at in enumerate(drawn)}
    shade = answer.measures[2] if len(answer.measures) > 2 else None
    best = answer.best
    marks = pictures.Marks(
        baseline=place.get(answer.found.baseline, -1),
        best=place.get(best.winner) if best is not None else None,
        knee=place.get(answer.knee) if answer.knee is not None else None,
        front=[place[at] for at in answer.found.front(answer.pair) if at in place],
        shade_title=studies.measure_label(shade.name) if shade is not None else "",
    )
    scales = [_scale(answer, measure) for measure in answer.pair]
    dots = [_dot(answer, at, shade) for at in drawn]
    title = _picture_title(answer)
    panels.chart(
        pictures.scatter(dots, scales[0], scales[1], marks),
        key="tradeoffs",
        title=title,
        alt=title,
        source=panels.source_line(scenario_hash(answer.found.base), ENGINE_VERSION, _bars_line(answer)),
        table=partial(numbers_table, answer),
    )


def _bars_line(answer: Answer) -> Text:
    return t("tradeoffs.bars", base=answer.name(answer.found.baseline), n=answer.found.n_replications)


def _picture_title(answer: Answer) -> Text:
    on_front = answer.found.front(answer.pair)
    n_points = len(answer.found.points)
    if len(on_front) == 1:
        return t("tradeoffs.picture_one", point=answer.name(on_front[0]), n=n_points)
    if answer.knee is not None:
        return t("tradeoffs.picture_knee", front=len(on_front), n=n_points, point=answer.name(answer.knee))
    return t("tradeoffs.picture", front=len(on_front), n=n_points)


def _scale(answer: Answer, measure: Measure) -> "pictures.Scale":
    from dashboard import charts  # noqa: PLC0415
    from dashboard import tradeoffs_charts as pictures  # noqa: PLC0415

    name = studies.measure_label(measure.name)
    means = [abs(row[measure.name] or 0.0) for row in answer.found.rows([measure])]
    cuts = tuple(_cuts(answer, measure))
    if measure.unit == "ms":
        unit_ms, unit = charts.time_unit(max(means, default=0.0))
        return pictures.Scale(plain("tradeoffs.axis_unit", name=name, unit=unit), unit_ms, False, cuts)
    return pictures.Scale(name, 1.0, measure.unit == "share", cuts)


def _cuts(answer: Answer, measure: Measure) -> list[tuple[float, str, bool]]:
    """Return the targets on a measure: value, words, and whether the recommended point breaks it."""
    best = answer.best
    reached = None if best is None else answer.found.estimate(best.winner, measure).mean
    cuts = []
    for target in answer.found.base.targets:
        name = target.metric if target.of is None else f"{target.metric}@{target.of}"
        for direction, bound in (("at_most", target.at_most), ("at_least", target.at_least)):
            if name != measure.name or bound is None:
                continue
            is_broken = reached is not None and (reached > bound if direction == "at_most" else reached < bound)
            cuts.append(
                (float(bound), plain(f"target.{direction}", bound=words.value_text(measure.unit, bound)), is_broken)
            )
    return cuts


def _dot(answer: Answer, at: int, shade: Measure | None) -> "pictures.Dot":
    from dashboard import tradeoffs_charts as pictures  # noqa: PLC0415

    x, y = answer.pair
    own = [answer.found.estimate(at, measure) for measure in (x, y)]
    told = [
        plain("tradeoffs.value", name=studies.measure_label(m.name), value=answer.value(at, m)) for m in answer.measures
    ]
    settings = answer.found.points[at].settings
    group = offer_of(settings[1][0], answer.known).name(settings[1][1]) if len(settings) > 1 and shade is None else ""
    name = offer_of(settings[0][0], answer.known).name(settings[0][1]) if group else answer.name(at)
    return pictures.Dot(
        name=name,
        at=(float(own[0].mean or 0.0), float(own[1].mean or 0.0)),
        spread=(_reach(answer, at, x), _reach(answer, at, y)),
        hover=[answer.name(at), *told],
        group=group,
        shade=None if shade is None else answer.found.estimate(at, shade).mean,
    )


def _reach(answer: Answer, at: int, measure: Measure) -> tuple[float, float] | None:
    """Return how far the interval of the difference from the baseline reaches to both sides."""
    spread = answer.found.difference(at, measure).difference
    mean = answer.found.estimate(at, measure).mean
    if at == answer.found.baseline or mean is None or spread.mean is None or spread.low is None or spread.high is None:
        return None
    least, most = all_metrics()[measure.slug].range  # a difference may reach farther than the value can
    above = spread.high - spread.mean
    return min(spread.mean - spread.low, mean - least), above if most is None else min(above, most - mean)


# ---- table ------------------------------------------------------------------------------------------------------


def table(answer: Answer) -> None:
    """Show every point: values, differences with intervals, targets, front, and for which weights it wins."""
    panels.heading(t("tradeoffs.table"))
    st.dataframe(words_table(answer), hide_index=True, key="tradeoffs_table")
    panels.download(numbers_table(answer), name="headroom-tradeoffs", key="tradeoffs_save")


def words_table(answer: Answer) -> pd.DataFrame:
    """Return the points as a person reads them; names from outside cannot be formulas, signs of differences stay."""
    found = answer.found
    keeps, regions = found.keeps(), found.regions(answer.measures)
    rows = []
    for at, point in enumerate(found.points):
        row: dict[str, object] = {}
        for path, value in point.settings:
            offer = offer_of(path, answer.known)
            row[panels.safe_cell(offer.label)] = panels.safe_cell(offer.name(value))
        for measure in answer.measures:
            name = panels.safe_cell(studies.measure_label(measure.name))
            row[name] = str(answer.value(at, measure))
            difference = plain("tradeoffs.difference_of", name=name)
            row[difference] = "" if at == found.baseline else str(answer.moved(at, measure)).replace("\\", "")
        if found.base.targets:
            row[plain("tradeoffs.targets")] = plain("tradeoffs.kept" if keeps[at] else "tradeoffs.missed")
        row[plain("tradeoffs.on_front")] = plain("tradeoffs.yes") if at in answer.front else ""
        row[plain("tradeoffs.wins_for")] = _won(regions[at])
        rows.append(row)
    return pd.DataFrame(rows)


def _won(region: Region | None) -> str:
    return plain("tradeoffs.never") if region is None else str(numbers.share(region.share))


def numbers_table(answer: Answer) -> pd.DataFrame:
    """Return the points as numbers in base units, with every interval."""
    found = answer.found
    keeps, regions = found.keeps(), found.regions(answer.measures)
    rows = []
    for at, point in enumerate(found.points):
        row: dict[str, object] = dict(point.settings)
        for measure in answer.measures:
            own, spread = found.estimate(at, measure), found.difference(at, measure).difference
            head = f"{measure.name} ({measure.unit})"
            row |= {
                head: own.mean,
                f"{head} low": own.low,
                f"{head} high": own.high,
                f"{head} bound": own.is_lower_bound,
            }
            row |= {f"{head} difference": spread.mean, f"{head} difference low": spread.low}
            row |= {f"{head} difference high": spread.high}
        won = regions[at]
        row |= {"front": at in answer.front, "targets kept": keeps[at], "wins for weights": won.share if won else 0.0}
        rows.append(row)
    return pd.DataFrame(rows)
