"""Who gets what, and who pays: GPU-hours and waits by tenant, where there is more than one."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from dashboard import numbers, palette, panels, service
from dashboard import verdict as words
from dashboard.errors import shown
from dashboard.i18n import Text, plain, t
from dashboard.why import show_why
from scheduler_core import ENGINE_VERSION, Alone, Scenario, Summary, Value, scenario_hash

MOST_TENANTS: Final = 12
"""Bars in a picture; the table has all tenants."""

_ALL_SERVED_SHARE: Final = 0.98
_NO_WAIT_MS: Final = 1_000.0
_MUCH_LONGER: Final = 2.0


@dataclass(frozen=True)
class Row:
    """One tenant.

    Attributes
    ----------
    name, colour : str
        Name, and the colour it has everywhere.
    n_jobs : int
        Jobs submitted in the window.
    received, asked, entitled : float
        GPU-hours in the window.
    wait, wait_p95 : Value
        Mean and 95th percentile of the wait in ms.
    pending_share : float
        Share of its jobs that had not started by the end.
    """

    name: str
    colour: str
    n_jobs: int
    received: float
    asked: float
    entitled: float
    wait: Value
    wait_p95: Value
    pending_share: float

    @property
    def due(self) -> float:
        """GPU-hours that were due: the smaller of asked for and entitled to."""
        return min(self.asked, self.entitled)

    @property
    def served_share(self) -> float:
        """Received part of what was due; over 1 where it got more."""
        return self.received / self.due if self.due > 0 else 1.0

    @property
    def wait_ms(self) -> float:
        """Mean wait in ms."""
        return self.wait.value or 0.0


def rows(scenario: Scenario, summary: Summary) -> list[Row]:
    """Return the tenants that have jobs, in the order of the scenario."""
    place = {tenant.name: at for at, tenant in enumerate(scenario.tenants)}
    found = []
    for at, scope in enumerate(summary.scopes("tenant")):
        name = scope.partition(":")[2]

        def number(slug: str, scope: str = scope) -> float:
            return summary.value(slug, scope).value or 0.0

        found.append(
            Row(
                name=name,
                colour=palette.tenant(place.get(name, at)),
                n_jobs=summary.jobs[scope],
                received=number("received_gpu_h"),
                asked=number("demanded_gpu_h"),
                entitled=number("entitled_gpu_h"),
                wait=summary.value("wait_mean", scope),
                wait_p95=summary.value("wait_p95", scope),
                pending_share=number("censored_share"),
            )
        )
    return found


def section(scenario: Scenario, found: words.Answer) -> None:
    """Show who gets what and who pays; nothing where there is one tenant."""
    tenants = rows(scenario, found.summary)
    if len(tenants) < 2:
        return
    left, right = st.columns([3, 2], gap="large")
    source = panels.source_line(scenario_hash(scenario), ENGINE_VERSION, _runs(found))
    with left:
        _got_picture(tenants, source)
        st.caption(_meaning(scenario, found.summary, tenants))
        show_why(scenario, "isolation")
        _alone(scenario)
    with right:
        _wait_picture(tenants, source)


def _runs(found: words.Answer) -> Text:
    return t("fair.runs", n=found.all_seeds.n) if found.all_seeds else t("chart.first_seed")


def _meaning(scenario: Scenario, summary: Summary, tenants: list[Row]) -> Text:
    """Return what the index means, and what tenants are entitled to here."""
    quotas = [tenant for tenant in scenario.tenants if tenant.nominal_gpus is not None]
    basis = t("fair.by_quota" if quotas else "fair.by_weight")
    index = summary.value("fairness").value
    n_due = sum(row.due > 0 for row in tenants)
    if index is None or n_due < 2:
        return basis
    said = t("fair.index", index=numbers.digits(index), least=numbers.digits(1 / n_due))
    return Text(f"{said} {basis}")


# ---- who gets what ----------------------------------------------------------------------------------------------


def got_title(tenants: list[Row]) -> Text:
    """Return who got the smallest and who the largest part of what was due."""
    known = [row for row in tenants if row.due > 0]
    if not known:
        return t("fair.nothing_due")
    least = min(known, key=lambda row: row.served_share)
    most = max(known, key=lambda row: row.served_share)
    if least.served_share >= _ALL_SERVED_SHARE:
        return t("fair.all_served", share=numbers.share(least.served_share))
    return t(
        "fair.least_served",
        who=words.who(f"tenant:{least.name}"),
        share=numbers.share(least.served_share),
        other=least.name if most is least else most.name,
        most=numbers.share(most.served_share),
    )


def largest(tenants: list[Row]) -> list[Row]:
    """Return the tenants that asked for most, as many as a picture holds, in their order."""
    most = sorted(range(len(tenants)), key=lambda at: -tenants[at].asked)[:MOST_TENANTS]
    return [tenants[at] for at in sorted(most)]


def _got_picture(tenants: list[Row], source: Text) -> None:
    from dashboard import fairness_charts  # noqa: PLC0415

    shown = largest(tenants)
    title = got_title(tenants)
    panels.chart(
        fairness_charts.got(
            [row.name for row in shown],
            [row.colour for row in shown],
            fairness_charts.GpuHours(
                [row.received for row in shown], [row.asked for row in shown], [row.entitled for row in shown]
            ),
        ),
        key="fair_got",
        title=title,
        alt=title,
        source=source,
        table=partial(_got_table, tenants),
    )


def _got_table(tenants: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("table.tenant"): [row.name for row in tenants],
            plain("table.received"): [round(row.received, 1) for row in tenants],
            plain("table.asked"): [round(row.asked, 1) for row in tenants],
            plain("table.entitled"): [round(row.entitled, 1) for row in tenants],
            plain("table.served"): [round(100 * row.served_share, 2) for row in tenants],
        }
    )


# ---- who pays ---------------------------------------------------------------------------------------------------


def pays_title(tenants: list[Row]) -> Text:
    """Return who waits longest, against who waits least."""
    most, least = max(tenants, key=lambda row: row.wait_ms), min(tenants, key=lambda row: row.wait_ms)
    if most.wait_ms < _NO_WAIT_MS:
        return t("fair.nobody_pays")
    long, short = _wait_text(most.wait), _wait_text(least.wait)
    if most.wait_ms < _MUCH_LONGER * least.wait_ms:
        return t("fair.all_pay", short=short, long=long)
    return t("fair.pays", who=words.who(f"tenant:{most.name}"), wait=long, other=least.name, short=short)


def _wait_text(wait: Value) -> Text:
    return words.value_text("ms", wait.value, is_bound=wait.is_lower_bound)


def _wait_picture(tenants: list[Row], source: Text) -> None:
    from dashboard import fairness_charts  # noqa: PLC0415

    shown = sorted(tenants, key=lambda row: -row.wait_ms)[:MOST_TENANTS]
    title = pays_title(tenants)
    panels.chart(
        fairness_charts.pays(
            [row.name for row in shown],
            [row.colour for row in shown],
            [row.wait_ms for row in shown],
            [row.wait_p95.value or 0.0 for row in shown],
        ),
        key="fair_pays",
        title=title,
        alt=title,
        source=source,
        table=partial(_wait_table, tenants),
    )
    waiting = [row for row in tenants if row.pending_share > 0]
    if waiting:
        worst = max(waiting, key=lambda row: row.pending_share)
        st.caption(t("fair.pending", share=numbers.share(worst.pending_share), who=worst.name))


def _wait_table(tenants: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("table.tenant"): [row.name for row in tenants],
            plain("table.jobs"): [row.n_jobs for row in tenants],
            plain("table.mean_wait"): [str(_wait_text(row.wait)) for row in tenants],
            plain("table.p95_wait"): [str(_wait_text(row.wait_p95)) for row in tenants],
            plain("table.pending"): [round(100 * row.pending_share, 2) for row in tenants],
        }
    )


# ---- each tenant alone ------------------------------------------------------------------------------------------


def _alone(scenario: Scenario) -> None:
    """Offer one more run for each tenant, alone on its part of the cluster; shown once somebody asks."""
    asked = st.toggle(t("fair.alone.ask"), key="fair_alone", help=t("fair.alone.help"))
    if not asked:
        return
    with shown():
        found = service.alone(scenario)
        st.markdown(alone_sentence(found.everybody, found.tenants))
        panels.show_table(_alone_table(found.tenants), key="frame_fair_alone")
        st.caption(panels.source_line(scenario_hash(scenario), ENGINE_VERSION, t("chart.first_seed")))
        panels.download(_alone_table(found.tenants), name="headroom-alone", key="save_fair_alone")


def alone_sentence(everybody: Alone, tenants: tuple[Alone, ...]) -> Text:
    """Return which part of the jobs waited longer than they would have alone, and whose they are."""
    share = everybody.sharing_anomaly_share
    if share.value is None:
        return t("fair.alone.none")
    if share.value == 0:
        return t("fair.alone.nobody")
    worst = max(tenants, key=lambda each: each.sharing_anomaly_share.value or 0.0)
    return t(
        "fair.alone.said",
        isolation=numbers.share(1 - share.value, 3),
        share=numbers.at_least(numbers.share(share.value, 3), share.is_lower_bound),
        who=worst.tenant,
        worst=numbers.share(worst.sharing_anomaly_share.value or 0.0, 3),
    )


def _alone_table(tenants: tuple[Alone, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("table.tenant"): [each.tenant for each in tenants],
            plain("table.gpus_alone"): [each.gpus for each in tenants],
            plain("table.longer"): [_value_text("share", each.sharing_anomaly_share) for each in tenants],
            plain("table.rho_over"): [_value_text("share", each.finish_time_unfair_share) for each in tenants],
            plain("table.rho_max"): [_value_text("ratio", each.finish_time_fairness_max) for each in tenants],
            plain("table.too_large"): [each.n_too_large for each in tenants],
        }
    )


def _value_text(unit: str, value: Value) -> str:
    return str(words.value_text(unit, value.value, is_bound=value.is_lower_bound))
