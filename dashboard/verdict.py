"""The first line of an answer: a sentence with numbers, and how sure it is."""

import re
from dataclasses import dataclass
from functools import cached_property

from dashboard import numbers
from dashboard.digest import Digest, Group
from dashboard.i18n import Text, escape, has, plain, t
from scheduler_core import Estimate, Replications, Scenario, Summary, Verdict, verdict

_SMALL_SHARE = 0.04
_NO_WAIT_MS = 1_000.0
_SIZE_BAND = re.compile(r"\d+(-\d+)?")


@dataclass(frozen=True)
class Answer:
    """What is known so far: the first seed, and the others once all are there.

    Attributes
    ----------
    first : Digest
        The run of the first seed.
    done, wanted : int
        Seeds that are there, and that will be.
    all_seeds : Replications, optional
        Every seed; None while some are missing or when there is only one.
    """

    first: Digest
    done: int
    wanted: int
    all_seeds: Replications | None = None

    @cached_property
    def summary(self) -> Summary:
        """The metrics: means over all seeds, or those of the first."""
        return self.all_seeds.combined if self.all_seeds else self.first.summary

    @cached_property
    def verdict(self) -> Verdict:
        """The headline as data."""
        return verdict(self.summary)

    def estimate(self, slug: str, scope: str = "all") -> Estimate | None:
        """Return mean and interval of a metric over all seeds; None while there is one seed."""
        return self.all_seeds.estimate(slug, scope) if self.all_seeds else None


def group_of(found: Digest, scope: str) -> Group | None:
    """Return the waiting of the tenant or class a scope key names."""
    kind, _, name = scope.partition(":")
    groups = found.tenants if kind == "tenant" else found.classes
    return next((group for group in groups if group.name == name), None)


def sentence(answer: Answer) -> Text:
    """Return who waits how long and why, and what stood idle meanwhile."""
    said = answer.verdict
    group = group_of(answer.first, said.scope)
    if answer.first.n_jobs == 0:
        return t("verdict.no_jobs")
    mean_ms = said.wait_mean.value or 0.0
    if mean_ms < _NO_WAIT_MS or not said.causes:
        return t("verdict.nobody", use=_use(said))
    wait = numbers.duration(mean_ms)
    if said.wait_mean.is_lower_bound:
        wait = t("verdict.at_least", wait=wait)
    found = answer.estimate("wait_mean", said.scope)
    if found and found.low is not None and found.high is not None:
        wait = Text(f"{wait} {numbers.interval(mean_ms, max(found.low, 0.0), found.high)}")
    idle = said.idle_outside_gpus.value
    key = "verdict.wait" if not idle or idle < 1 else "verdict.wait_idle"
    return t(key, who=who(said.scope), wait=wait, reasons=_reasons(said, group), idle=numbers.gpus(idle or 0))


def who(scope: str) -> Text:
    """Return the tenant or class of a scope key as the first word of a sentence."""
    _, _, name = scope.partition(":")
    if _SIZE_BAND.fullmatch(name):
        return t("verdict.size", size=name)
    return escape(name[:1].upper() + name[1:]) if name else t("verdict.everybody")


def _use(said: Verdict) -> Text:
    return numbers.share(said.utilisation.value or 0.0)


def _reasons(said: Verdict, group: Group | None) -> Text:
    """Return the parts of the waiting, largest first; small ones are left out."""
    parts: list[tuple[float, Text]] = []
    shares = dict(said.causes)
    for cause, share in shares.items():
        if cause != "order" and share >= _SMALL_SHARE:
            parts.append((share, t("verdict.part", share=numbers.share(share), why=t(f"because.{cause}"))))
    in_line = shares.get("order", 0.0)
    if in_line >= _SMALL_SHARE:
        behind = group.main_behind if group and sum(group.behind_ms.values()) > 0 else ""
        alone = [cause for cause in shares if cause != "order" and shares[cause] >= _SMALL_SHARE]
        key = "behind_same" if alone[:1] == [behind] and has(f"behind_same.{behind}") else "behind_who"
        why = t(f"{key}.{behind}") if behind and has(f"{key}.{behind}") else t("behind_who.order")
        parts.append((in_line, t("verdict.part", share=numbers.share(in_line), why=why)))
    texts = [text for _, text in parts][:3]
    return Text(plain("list.and").join(texts)) if len(texts) <= 2 else Text(plain("list.comma").join(texts))


def picture_title(answer: Answer, scenario: Scenario) -> Text:
    """Return what the picture of GPUs over time shows."""
    found, said = answer.first, verdict(answer.first.summary)
    use = _use(said)
    fence = found.summary.fence_of.get(said.scope, "")
    in_fence = found.summary.value("utilisation", fence).value if fence else None
    pool = fence.partition(":")[2]
    fenced = {tenant.pool for tenant in scenario.tenants if tenant.pool}
    if in_fence is not None and pool in fenced and len(found.summary.scopes("pool")) > 1:
        return t("title.use_fence", use=use, pool=escape(pool), in_fence=numbers.share(in_fence))
    if (said.all_wait_mean.value or 0.0) < _NO_WAIT_MS:
        return t("title.use_free", use=use)
    return t("title.use", use=use)


def cause_title(found: Digest) -> Text:
    """Return where most of the waiting comes from, weighted by jobs and waits."""
    total: dict[str, float] = {}
    for group in found.classes:
        for kind, table in (("cause", group.direct_ms), ("behind", group.behind_ms)):
            for cause, mean_ms in table.items():
                total[f"{kind}.{cause}"] = total.get(f"{kind}.{cause}", 0.0) + mean_ms * group.n_jobs
    whole = sum(total.values())
    if whole <= 0:
        return t("title.causes_none")
    main = max(total, key=lambda name: total[name])
    kind, _, cause = main.partition(".")
    key = f"because.{cause}" if kind == "cause" else f"behind_who.{cause}"
    return t("title.causes", share=numbers.share(total[main] / whole), why=t(key if has(key) else "behind_who.order"))


def wait_title(found: Digest) -> Text:
    """Return what the curves of waits show, for the class that waits longest."""
    groups = [group for group in found.classes if group.n_jobs]
    if not groups:
        return t("verdict.no_jobs")
    worst = max(groups, key=lambda group: group.wait_ms)
    from dashboard.digest import curve_shares  # noqa: PLC0415

    shares = curve_shares()
    median = float(worst.curve_ms[int(abs(shares - 0.5).argmin())])
    tenth = float(worst.curve_ms[int(abs(shares - 0.9).argmin())])
    return t("title.waits", who=_jobs_of(worst.name), median=numbers.duration(median), tenth=numbers.duration(tenth))


def _jobs_of(name: str) -> Text:
    """Return a class as the jobs it holds; classes of a log are bands of sizes."""
    return t("verdict.sizes", size=name) if _SIZE_BAND.fullmatch(name) else escape(name)


def how_sure(answer: Answer) -> Text:
    """Return the second line: how many seeds stand behind the first, and what the end of the run cut off."""
    said = answer.verdict
    found = answer.estimate("wait_mean", said.scope)
    if answer.done < answer.wanted:
        text = t("sure.partial", done=answer.done, wanted=answer.wanted)
    elif found and found.low is not None:
        median = numbers.duration(found.median or 0.0)
        text = t("sure.interval", n=found.n, median=median, use=numbers.share(said.utilisation.value or 0.0, 3))
    else:
        text = t("sure.one")
    if said.wait_mean.is_lower_bound:
        text = Text(f"{text} {t('sure.bound', share=numbers.share(said.censored_share))}")
    return text


def value_text(unit: str, value: float | None, *, is_bound: bool = False) -> Text:
    """Return a metric's value with its unit, as people say it."""
    if value is None:
        return t("value.none")
    if unit == "ms":
        text = numbers.duration(value)
    elif unit == "share":
        text = numbers.share(value, 3)
    elif unit == "gpus":
        text = numbers.gpus(value)
    else:
        text = Text(numbers.digits(value))
        if has(f"unit.metric.{unit}"):
            text = Text(plain(f"unit.metric.{unit}", n=text))
    return numbers.at_least(text, is_bound)


def room_text(unit: str, margin: float | None) -> Text:
    """Return how far a value is from its target; shares differ by points."""
    if margin is None:
        return t("value.none")
    return numbers.points(abs(margin)) if unit == "share" else value_text(unit, abs(margin))
