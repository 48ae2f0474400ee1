"""What Results shows: verdict, targets, three pictures, and why each class waits."""

from functools import partial
from typing import Final, Literal

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import cases, numbers, palette, panels, service, state, widgets
from dashboard import verdict as words
from dashboard.digest import Digest, Group, curve_shares
from dashboard.errors import safe, shown
from dashboard.i18n import Text, language, plain, t
from scheduler_core import (
    ENGINE_VERSION,
    STATES,
    Result,
    Scenario,
    TargetOutcome,
    all_metrics,
    evaluate_targets,
    scenario_hash,
)

_POLL_S = 0.7
_HOUR_MS: Final = 3_600_000
_PENDING: Final = STATES.index("pending")
_ALL_FINISHED_SHARE: Final = 0.95
"""From here on what is unfinished is what still ran at the end, not work that stays undone."""


def headline(scenario: Scenario, first: Digest, *, with_numbers: bool = True) -> None:
    """Show verdict, how sure it is, and the numbers with their targets; more seeds arrive by themselves."""
    found = service.answer(scenario, first)
    is_waiting = found.done < found.wanted and not service.batch(scenario, first.summary).is_done
    st.fragment(_headline, run_every=_POLL_S if is_waiting else None)(
        scenario, first, is_waiting=is_waiting, with_numbers=with_numbers
    )


def _headline(scenario: Scenario, first: Digest, *, is_waiting: bool, with_numbers: bool) -> None:
    with shown():
        found = service.answer(scenario, first)
        work = service.batch(scenario, first.summary)
        if is_waiting and work.is_done:
            st.rerun()
        panels.heading(words.sentence(found), level=1)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sure"):
            if found.done < found.wanted:
                st.badge(t("sure.badge", done=found.done, wanted=found.wanted), icon=":material/hourglass_top:")
            st.caption(words.how_sure(found), width="content")
            if is_waiting:
                st.progress(work.share, width=140)
                st.button(t("progress.cancel"), key="cancel_seeds", type="tertiary", on_click=partial(_cancel, work))
        link = state.opened_link()
        if link is not None:
            _compare_with_link(found, link.engine_version, link.headline)
        if with_numbers:
            _numbers(scenario, found)


def _cancel(work: service.Batch) -> None:
    work.is_cancelled = True


def _compare_with_link(found: words.Answer, engine_version: str | None, promised: object) -> None:
    """Say so when the numbers in the link are not the numbers of today."""
    now = service.headline(found.first)
    then = {name: value for name, value in dict(promised or {}).items() if name in now}  # type: ignore[call-overload]
    differs = [name for name, value in then.items() if abs(value - now[name]) > 0.005 * max(abs(value), abs(now[name]))]
    if not differs:
        return
    parts = [
        t(
            "link.differs",
            name=t(f"share.{name}"),
            then=words.value_text(service.HEADLINE_UNITS[name], then[name]),
            now=words.value_text(service.HEADLINE_UNITS[name], now[name]),
        )
        for name in differs
    ]
    why = "link.why_engine" if engine_version != ENGINE_VERSION else "link.why_other"
    reason = t(why, then=str(engine_version), now=ENGINE_VERSION)
    st.info(Text(" ".join([*parts, reason])), icon=":material/history:")


def _numbers(scenario: Scenario, found: words.Answer) -> None:
    """Show the main numbers; a target stands under its number, with the room left."""
    targets = list(evaluate_targets(scenario.targets, found.summary))
    shown_metrics = [
        ("wait_mean", found.verdict.scope),
        ("wait_p95", found.verdict.scope),
        ("utilisation", "all"),
        ("fairness", "all"),
    ]
    shown_metrics += [(target.metric, target.scope) for target in targets]
    metrics = all_metrics()
    with st.container(horizontal=True, gap="xsmall", key="numbers"):
        for slug, scope in dict.fromkeys(shown_metrics):
            if slug not in metrics:
                continue
            metric = metrics[slug]
            value = found.summary.value(slug, scope)
            name = metric.text[language()].name
            who = scope.partition(":")[2]
            with st.container(border=True, width=172, gap=None):
                st.metric(
                    Text(name)
                    if not who or scope == found.verdict.scope
                    else t("numbers.of", who=who, name=Text(name)),
                    words.value_text(metric.unit, value.value, is_bound=value.is_lower_bound),
                    help=metric.text[language()].help,
                )
                for target in targets:
                    if (target.metric, target.scope) == (slug, scope):
                        _target_badge(target)


_BADGES: Final[dict[str, tuple[Literal["green", "red", "gray"], str]]] = {
    "pass": ("green", ":material/check:"),
    "fail": ("red", ":material/close:"),
    "unknown": ("gray", ":material/question_mark:"),
}


def _target_badge(target: TargetOutcome) -> None:
    """Show a target: kept or missed, and by how much."""
    bound = t(f"target.{target.direction}", bound=words.value_text(target.unit, target.bound))
    room = words.room_text(target.unit, target.margin)
    colour, icon = _BADGES[target.state]
    st.badge(bound, color=colour, icon=icon)
    st.caption(t(f"target.{target.state}", room=room))


# ---- pictures ---------------------------------------------------------------------------------------------------


def source_of(scenario: Scenario) -> Text:
    """Return the source line of pictures of the first seed."""
    return panels.source_line(scenario_hash(scenario), ENGINE_VERSION, t("chart.first_seed"))


def use_picture(scenario: Scenario, found: words.Answer, *, key: str = "use", height: int = 320) -> None:
    """Show GPUs over time with the queue above."""
    from dashboard import charts  # noqa: PLC0415

    use = found.first.use
    title = words.picture_title(found, scenario)
    panels.chart(
        charts.gpus_over_time(
            charts.Use(use.edges_ms, use.tenants, use.allocated, use.useful, use.queued, use.elastic, use.capacity),
            height=height,
        ),
        key=key,
        title=title,
        alt=title,
        source=source_of(scenario),
        table=partial(_use_table, found.first),
    )


def gangs(result: Result) -> None:
    """Say what gangs held idle while they waited for their other members; nothing where they start all at once."""
    holds = result.outcome.holds
    if holds is None:
        return
    held = result.collected_gpu_ms_in(*result.window_ms)
    in_use = sum(result.books.values())
    st.caption(
        t(
            "gangs.held",
            gangs=numbers.count(int(np.count_nonzero(held))),
            idle=words.value_text("gpu_h", int(held.sum()) / _HOUR_MS),
            share=numbers.share(int(held.sum()) / max(in_use, 1)),
            pending=numbers.count(int(np.count_nonzero(result.outcome.state == _PENDING))),
        )
    )
    st.caption(Text(widgets.choice_help("gang", result.scenario.policy.gang.slug)))


def _use_table(found: Digest) -> pd.DataFrame:
    use = found.use
    columns: dict[str, object] = {plain("table.day"): np.round(use.edges_ms[:-1] / 86_400_000, 4)}
    columns |= {name: np.round(use.allocated[at], 1) for at, name in enumerate(use.tenants)}
    if use.elastic is not None:
        columns[plain("table.elastic")] = np.round(use.elastic.sum(axis=0), 1)
    columns |= {
        plain("chart.useful"): np.round(use.useful, 1),
        plain("chart.idle"): np.round(use.capacity - use.allocated.sum(axis=0), 1),
        plain("chart.queued"): np.round(use.queued, 1),
    }
    return pd.DataFrame(columns)


def cause_picture(scenario: Scenario, found: Digest) -> None:
    """Show where the waiting comes from, by class."""
    from dashboard import charts  # noqa: PLC0415

    groups = _worst(found.classes)
    causes = list(groups[0].behind_ms) if groups else []
    direct = {cause: [group.direct_ms.get(cause, 0.0) for group in groups] for cause in causes}
    behind = {cause: [group.behind_ms.get(cause, 0.0) for group in groups] for cause in causes}
    title = words.cause_title(found)
    panels.chart(
        charts.causes([group.name for group in groups], direct, behind),
        key="causes",
        title=title,
        alt=title,
        source=source_of(scenario),
        table=partial(_cause_table, groups),
    )


def _worst(groups: tuple[Group, ...], most: int = 8) -> list[Group]:
    return sorted(groups, key=lambda group: -group.wait_ms)[:most]


def _cause_table(groups: list[Group]) -> pd.DataFrame:
    rows = []
    for group in groups:
        row: dict[str, object] = {
            plain("table.class"): group.name,
            plain("table.jobs"): group.n_jobs,
            plain("table.mean_wait_min"): round(group.wait_ms / 60_000, 2),
        }
        for kind, table in (("cause", group.direct_ms), ("behind", group.behind_ms)):
            row |= {plain(f"{kind}.{cause}"): round(ms / 60_000, 2) for cause, ms in table.items() if ms > 0}
        rows.append(row)
    return pd.DataFrame(rows).fillna(0)


def wait_picture(scenario: Scenario, found: Digest) -> None:
    """Show how long each class waits, with the targets on waits as lines."""
    from dashboard import charts  # noqa: PLC0415

    groups = _worst(found.classes)
    tenant_at = {tenant.name: at for at, tenant in enumerate(scenario.tenants)}
    tenant_of = {job_class.name: job_class.tenant for job_class in scenario.workload.classes}
    curves: list[charts.Curve] = []
    used = dict.fromkeys(tenant_at, 0)
    for group in groups:
        tenant = tenant_of.get(group.name, "")
        colour = palette.tenant(tenant_at.get(tenant, len(curves)))
        dash = ("solid", "dash", "dot", "dashdot")[used.get(tenant, 0) % 4]
        used[tenant] = used.get(tenant, 0) + 1
        curves.append(charts.Curve(group.name, group.curve_ms, curve_shares(), colour, dash if tenant else "solid"))
    targets = [
        (
            plain("target.line", of=target.scope.partition(":")[2], bound=numbers.duration(target.bound)),
            target.bound,
            target.state == "fail",
        )
        for target in evaluate_targets(scenario.targets, found.summary)
        if target.unit == "ms" and target.metric.startswith("wait")
    ]
    title = words.wait_title(found)
    panels.chart(
        charts.waits(curves, targets),
        key="waits",
        title=title,
        alt=title,
        source=source_of(scenario),
        table=partial(_wait_table, groups),
    )


def _wait_table(groups: list[Group]) -> pd.DataFrame:
    shares = curve_shares()
    wanted = [0.5, 0.75, 0.9, 0.95, 0.99, 1.0]
    rows = []
    for group in groups:
        waits = [float(np.interp(share, shares, group.curve_ms)) for share in wanted]
        row: dict[str, object] = {plain("table.class"): group.name, plain("table.jobs"): group.n_jobs}
        row |= {
            plain("table.percentile", p=f"{100 * share:g}"): round(ms / 60_000, 2)
            for share, ms in zip(wanted, waits, strict=True)
        }
        rows.append(row)
    return pd.DataFrame(rows)


def identity(scenario: Scenario, found: words.Answer) -> None:
    """Explain why utilisation is what was asked for, whatever the policy."""
    with shown():
        offered = service.offered_share(scenario)
        use, finished = found.summary.value("utilisation").value, found.summary.value("finished_share").value
        if offered is None or use is None or finished is None:
            return
        key = "identity.text" if finished >= _ALL_FINISHED_SHARE else "identity.unfinished"
        if any(policy.gang.slug == "hold_and_wait" for _, policy in scenario.policy.steps()):
            key = "identity.holding"
        st.caption(t(key, offered=numbers.share(offered, 3), finished=_part(finished), use=numbers.share(use, 3)))
        backlog = found.summary.value("backlog_share").value
        if backlog is not None:
            asked = numbers.count(scenario.workload.backlog_gpu_h)
            st.caption(t("identity.backlog", asked=asked, part=numbers.share(backlog, 3)))
        _elastic(scenario, found)


def _elastic(scenario: Scenario, found: words.Answer) -> None:
    """Say where the work of elastic demand came from, and what part of the utilisation it is."""
    elastic = scenario.workload.elastic
    part, taken = (found.summary.value(slug).value for slug in ("elastic_share", "elastic_taken_share"))
    if elastic is None or part is None or taken is None:
        return
    when = elastic.appears_when
    tenant = next(each.tenant for each in scenario.workload.classes if each.name == elastic.job_class)
    reason = t(
        f"identity.elastic.{when.kind}",
        tenant=tenant,
        bound=numbers.duration(when.wait_p50_below or 0),
        window=numbers.duration(elastic.window),
        gpus=numbers.count(when.quota_free_gpus or 0),
    )
    st.caption(
        t(
            "identity.elastic",
            part=numbers.share(part, 3),
            offered=numbers.count(elastic.up_to_gpu_h_per_day),
            taken=numbers.share(taken, 3),
            reason=reason,
            name=elastic.job_class,
        )
    )


def _part(share: float) -> Text:
    """Return a share of which 99.97 % does not read as all."""
    return numbers.share(share if share == 1 else min(share, 0.999), 3)


def tries(scenario: Scenario) -> None:
    """Offer questions that are one change away; the change shows up in the frame and can be undone."""
    found = cases.tries(scenario)
    if not found:
        return
    st.caption(t("start.try"))
    with st.container(horizontal=True, gap="xsmall", key="tries"):
        for each in found:
            st.button(
                t(each.key), key=each.key, on_click=safe(partial(state.edit_all, dict(each.changes))), type="secondary"
            )
