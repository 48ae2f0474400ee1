"""What Compare shows: two scenarios on the same jobs, the difference with its interval, and who lost."""

from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import pandas as pd
import streamlit as st

from dashboard import cases, numbers, panels, service, state
from dashboard import verdict as words
from dashboard.errors import shown
from dashboard.held import index_of
from dashboard.i18n import Text, language, plain, t
from scheduler_core import (
    Comparison,
    Difference,
    LinkError,
    Phrase,
    Replications,
    Scenario,
    all_metrics,
    decode,
    join,
    load_case,
    scenario_hash,
    verdict,
)

OTHER_LINK: Final = "link"
_POLL_S: Final = 0.7
_SAME_MS: Final = 1_000
_SAME_SHARE: Final = 0.005
_HEADLINES: Final = ("wait_mean", "wait_p50", "wait_p95", "utilisation", "goodput", "fairness", "censored_share")
_GUARDRAILS: Final = ("wait_max", "starved_share", "slowdown_mean", "killed_share")


def pick() -> Scenario | None:
    """Let the user pick the left side and say what the right side is."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="compare_pick"):
        before = _pick_before()
        st.markdown(t("compare.after", name=state.current().name, changes=state.changes_line()), width="content")
    return before


def _pick_before() -> Scenario | None:
    """Let the user pick what to compare with; None while the pasted link is not readable."""
    options = [*cases.slugs(), OTHER_LINK]
    current = state.current()
    wanted = current.case if current.case in options else options[0]
    if st.session_state.get("compare_before") not in options:
        st.session_state["compare_before"] = wanted
    has_log = current.workload.arrivals.log is not None
    if has_log and state.origin() is not current:
        options = ["origin", *options]
    picked = st.selectbox(
        t("compare.before"), options, index_of(st.session_state["compare_before"], options), key="compare_before",
        format_func=_option_name, width=360, persist_state="session",
    )  # fmt: skip
    if picked == "origin":
        return state.origin()
    if picked != OTHER_LINK:
        return load_case(str(picked))
    text = st.text_input(
        t("compare.link"), key="compare_link", placeholder=plain("compare.link_hint"), persist_state="session"
    )
    if not text.strip():
        st.caption(t("compare.paste"))
        return None
    return from_link(text)


def _option_name(option: str) -> str:
    if option in {OTHER_LINK, "origin"}:
        return plain(f"compare.option.{option}")
    return cases.title(option)


def from_link(text: str) -> Scenario:
    """Return the scenario of a pasted address, or of the part after its question mark.

    Raises
    ------
    LinkError
        When it cannot be read.
    """
    from urllib.parse import parse_qs  # noqa: PLC0415

    from dashboard import storage  # noqa: PLC0415

    query = urlsplit(text.strip()).query or text.strip().lstrip("?")
    short = parse_qs(query).get("id")
    found = storage.open_link(short[0]) if short else decode(query)
    scenario = found.scenario
    if not isinstance(scenario, Scenario):
        raise LinkError(Phrase("This link holds no scenario."))
    return scenario


@dataclass(frozen=True)
class Pair:
    """Two scenarios, their first seeds, and the other seeds as they arrive."""

    before: Scenario
    after: Scenario
    works: tuple[service.Batch, service.Batch]

    @property
    def is_waiting(self) -> bool:
        """Whether seeds are still coming."""
        return not all(work.is_done for work in self.works)

    def comparison(self, *, is_partial: bool) -> Comparison:
        """Return the comparison over all seeds, or over the first when some are missing."""
        seeds = 1 if is_partial else min(len(work.summaries) for work in self.works)
        scenarios = (self.before, self.after)
        before, after = (
            Replications(scenario, tuple(work.ordered()[:seeds]))
            for scenario, work in zip(scenarios, self.works, strict=True)
        )
        return join(before, after, service.paired(self.before, self.after))


def pair(before: Scenario, after: Scenario) -> Pair | None:
    """Return both sides, run; None, with a word to the user, when they are the same."""
    if scenario_hash(before) == scenario_hash(after):
        st.info(t("compare.same"), icon=":material/info:")
        return None
    first, second = (service.first_seed_with_progress(scenario) for scenario in (before, after))
    return Pair(before, after, (service.batch(before, first.summary), service.batch(after, second.summary)))


def headline(both: Pair) -> None:
    """Show the difference in one sentence; more seeds arrive by themselves."""
    is_waiting = both.is_waiting
    st.fragment(_poll, run_every=_POLL_S if is_waiting else None)(both, is_waiting=is_waiting)


def _poll(both: Pair, *, is_waiting: bool) -> None:
    with shown():
        if is_waiting and not both.is_waiting:
            st.rerun()
        _headline(both.comparison(is_partial=is_waiting), is_waiting=is_waiting, works=both.works)


def details(both: Pair) -> None:
    """Show the picture, who lost, and the numbers."""
    found = both.comparison(is_partial=both.is_waiting)
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        _picture(found, both.before, both.after)
    with right, shown():
        _losers(found)
    with shown():
        _table(found)


def _headline(found: Comparison, *, is_waiting: bool, works: tuple[service.Batch, ...]) -> None:
    scope = _scope(found)
    wait = found.difference("wait_mean", scope)
    who = words.who(scope)
    before, after = (each.mean or 0.0 for each in (wait.before, wait.after))
    key = (
        "compare.verdict_same"
        if abs(after - before) < 1_000
        else "compare.verdict_less"
        if after < before
        else "compare.verdict_more"
    )
    shown = {
        "before": _bound(before, found, scope, is_after=False),
        "after": _bound(after, found, scope, is_after=True),
    }
    panels.heading(t(key, who=who, change=numbers.duration(abs(after - before)), use=_use(found), **shown), level=1)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if is_waiting:
            wanted, done = max(work.wanted for work in works), min(len(work.summaries) for work in works)
            st.badge(t("sure.badge", done=1, wanted=wanted), icon=":material/hourglass_top:")
            st.progress(min(1.0, sum(work.share for work in works) / 2), width=140, text=None)
            st.caption(t("compare.coming", done=done, wanted=wanted), width="content")
        else:
            st.caption(_how_sure(found, wait), width="content")


def _bound(value_ms: float, found: Comparison, scope: str, *, is_after: bool) -> Text:
    runs = found.after if is_after else found.before
    return numbers.at_least(numbers.duration(value_ms), runs.estimate("wait_mean", scope).is_lower_bound)


def _use(found: Comparison) -> Text:
    row = found.difference("utilisation")
    before, after = row.before.mean or 0.0, row.after.mean or 0.0
    is_clear = row.change in {"better", "worse"} or row.difference.n < 2
    key = "compare.use_moved" if is_clear and abs(after - before) >= _SAME_SHARE else "compare.use_same"
    return t(key, before=numbers.share(before), after=numbers.share(after))


def _scope(found: Comparison) -> str:
    """Return who waits longest before, if the same scope exists after; else everybody."""
    scope = verdict(found.before.combined).scope
    return scope if scope in found.after.combined.jobs else "all"


def _how_sure(found: Comparison, wait: Difference) -> Text:
    pair = t("compare.paired") if found.is_paired else t("compare.unpaired")
    spread = wait.difference
    if spread.low is None or spread.high is None:
        return Text(f"{t('sure.one')} {pair}")
    low, high = (numbers.signed(numbers.duration(edge), edge) for edge in (spread.low, spread.high))
    return Text(f"{t('compare.interval', low=low, high=high, n=spread.n)} {pair}")


def _picture(found: Comparison, before: Scenario, after: Scenario) -> None:
    from dashboard import charts  # noqa: PLC0415

    scopes = [scope for scope in found.after.summaries[0].scopes("class") if scope in found.before.combined.jobs]
    rows = [found.difference("wait_mean", scope) for scope in scopes]
    rows = sorted(rows, key=lambda row: -max(row.before.mean or 0, row.after.mean or 0))[:10]
    if not rows:
        return
    biggest = max(rows, key=lambda row: abs((row.after.mean or 0) - (row.before.mean or 0)))
    moved_ms = abs((biggest.after.mean or 0) - (biggest.before.mean or 0))
    title = t(
        "compare.picture" if moved_ms >= _SAME_MS else "compare.picture_same",
        who=words.who(biggest.scope),
        before=numbers.duration(biggest.before.mean or 0),
        after=numbers.duration(biggest.after.mean or 0),
    )
    figure = charts.pairs(
        [row.scope.partition(":")[2] for row in rows],
        [row.before.mean or 0 for row in rows],
        [row.after.mean or 0 for row in rows],
        (plain("compare.legend_before"), plain("compare.legend_after")),
    )
    source = t("compare.source", before=scenario_hash(before)[:8], after=scenario_hash(after)[:8], n=found.after.n)
    panels.chart(figure, key="compare", title=title, alt=title, source=source, table=partial(_class_table, rows))


def _class_table(rows: list[Difference]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("table.class"): [row.scope.partition(":")[2] for row in rows],
            plain("compare.legend_before"): [round((row.before.mean or 0) / 60_000, 2) for row in rows],
            plain("compare.legend_after"): [round((row.after.mean or 0) / 60_000, 2) for row in rows],
        }
    )


def _losers(found: Comparison) -> None:
    panels.heading(t("losers.title"))
    with st.container(border=True):
        if not found.losers:
            st.markdown(t("losers.none"))
        for loser in found.losers[:6]:
            kind, _, name = loser.scope.partition(":")
            growth = loser.wait.difference
            st.markdown(
                t(
                    f"losers.{kind}",
                    name=name,
                    growth=numbers.duration(growth.mean or 0),
                    jobs=numbers.count(loser.n_jobs),
                    after=numbers.duration(loser.wait.after.mean or 0),
                )
            )
        if found.jobs is not None and found.jobs.n_jobs:
            st.caption(
                t(
                    "losers.jobs",
                    sooner=numbers.share(found.jobs.sooner_share),
                    later=numbers.share(found.jobs.later_share),
                )
            )


def _table(found: Comparison) -> None:
    panels.heading(t("compare.table"))
    scope = _scope(found)
    keys = [(slug, where) for slug in _HEADLINES for where in dict.fromkeys((scope, "all"))]
    st.dataframe(_rows(found, keys), hide_index=True, key="compare_table")
    with st.container(border=True):
        st.markdown(t("compare.guardrails"))
        rows = _rows(found, [(slug, "all") for slug in _GUARDRAILS])
        st.dataframe(rows, hide_index=True, key="compare_guardrails")


def _rows(found: Comparison, keys: list[tuple[str, str]]) -> pd.DataFrame:
    metrics = all_metrics()
    rows = []
    for slug, scope in keys:
        metric = metrics.get(slug)
        kind = "all" if scope == "all" else scope.partition(":")[0]
        if metric is None or kind not in metric.scopes:
            continue
        row = found.difference(slug, scope)
        rows.append(
            {
                plain("table.metric"): metric.text[language()].name,
                plain("table.of"): panels.safe_cell(scope.partition(":")[2]) or plain("table.all"),
                plain("compare.legend_before"): _cell(row, row.before.mean, is_bound=row.before.is_lower_bound),
                plain("compare.legend_after"): _cell(row, row.after.mean, is_bound=row.after.is_lower_bound),
                plain("compare.difference"): _difference_cell(row),
                plain("compare.change"): plain(f"change.{row.change}"),
            }
        )
    return pd.DataFrame(rows)


def _cell(row: Difference, value: float | None, *, is_bound: bool) -> str:
    return str(words.value_text(row.unit, value, is_bound=is_bound))


def _difference_cell(row: Difference) -> str:
    spread = row.difference
    if spread.mean is None:
        return plain("value.none")
    mean, low, high = (_moved(row.unit, value) for value in (spread.mean, spread.low, spread.high))
    return mean if spread.low is None or spread.high is None else f"{mean} [{low}, {high}]"


def _moved(unit: str, value: float | None) -> str:
    """Return a difference with its sign; a difference of shares is in points."""
    text = numbers.points(value) if unit == "share" and value is not None else words.value_text(unit, value)
    return str(numbers.signed(text, value or 0.0))
