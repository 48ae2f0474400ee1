"""Three dials over the policy: fairness, efficiency and isolation, each with stops that set a few fields together.

One table. A stop whose mechanism is not available yet is left out by itself, and appears when the mechanism does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.availability import unavailable
from scheduler_core.scenario.document import DEFAULT_CASE, Scenario, apply, dump_document, load_case
from scheduler_core.scenario.fences import pools_of
from scheduler_core.scenario.paths import join_path, split_path

_NOTHING: Final = "null"
_WITH_QUOTAS: Final = frozenset({"borrow", "reclaim", "cells", "partition"})


@dataclass(frozen=True, eq=False)
class Stop:
    """One position of a dial.

    Attributes
    ----------
    slug : str
        The word by which commands and links call it.
    settings : mapping
        Path -> text, as ``--set`` would write it.
    name : mapping
        What a person calls it, by language.
    text : mapping
        When it helps and whom it hurts, by language.
    """

    slug: str
    settings: Mapping[str, str]
    name: Mapping[str, str]
    text: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Dial:
    """A dial: its stops from the least to the most.

    Attributes
    ----------
    slug : str
        ``fairness``, ``efficiency`` or ``isolation``.
    stops : tuple of Stop
        In order, those that come later among them.
    """

    slug: str
    stops: tuple[Stop, ...]


_AGED: Final = "{priority: {aging_per_h: 0.05}}"

DIALS: Final = (
    Dial(
        "fairness",
        (
            Stop(
                "fifo",
                {"policy.order": "fifo"},
                {"en": "first come, first served", "zh": "先到先服务"},
                {
                    "en": "Nobody overtakes, and everybody understands it. "
                    "Urgent and small jobs wait behind large ones.",
                    "zh": "无人插队，人人都能理解。紧急作业和小作业会排在大作业之后。",
                },
            ),
            Stop(
                "aging",
                {"policy.order": _AGED},
                {"en": "priority with aging", "zh": "带老化的优先级"},
                {
                    "en": "Urgent jobs start first, and waiting slowly makes every job urgent. "
                    "Low priorities pay until they have aged.",
                    "zh": "紧急作业先启动，等待会逐渐提高任何作业的优先级。低优先级在老化之前承担代价。",
                },
            ),
            Stop(
                "hybrid",
                {"policy.order": _AGED, "policy.reserve": "[{for: {priority_below: 0.4}, share: 0.2}]"},
                {"en": "and 20 % kept for low priority", "zh": "再为低优先级预留 20 %"},
                {
                    "en": "Low priorities keep a fifth of the GPUs, so they move even in a rush. "
                    "Urgent jobs have four fifths while low ones wait.",
                    "zh": "低优先级保有五分之一的 GPU，高峰时也能推进。有低优先级等待时，紧急作业只能用其余五分之四。",
                },
            ),
            Stop(
                "fair_share",
                {"policy.order": "fair_share"},
                {"en": "weighted fair share", "zh": "加权公平份额"},
                {
                    "en": "Whoever used little comes first, by weight. Heavy users wait, urgent or not.",
                    "zh": "按权重，用得少者优先。用量大者需要等待，无论是否紧急。",
                },
            ),
            Stop(
                "drf",
                {"policy.order": "drf"},
                {"en": "dominant resource fairness", "zh": "主导资源公平"},
                {
                    "en": "The tenant that holds least of what it needs most comes next. "
                    "A tenant with one large gang waits behind many small ones.",
                    "zh": "在其最需要的资源上占有最少的租户优先。只有一个大作业的租户会排在许多小作业之后。",
                },
            ),
        ),
    ),
    Dial(
        "efficiency",
        (
            Stop(
                "strict",
                {"policy.discipline": "strict"},
                {"en": "nobody overtakes", "zh": "不许越过"},
                {
                    "en": "A large job gets its turn for certain. GPUs stand idle while it waits for the last of them.",
                    "zh": "大作业一定能轮到。在它等齐 GPU 期间，其余 GPU 闲置。",
                },
            ),
            Stop(
                "best_effort",
                {"policy.discipline": "best_effort"},
                {"en": "whatever fits starts", "zh": "放得下就启动"},
                {
                    "en": "Idle GPUs are filled at once. Large jobs can wait without end behind small ones.",
                    "zh": "空闲 GPU 立即被填满。大作业可能被小作业不断越过。",
                },
            ),
            Stop(
                "easy",
                {"policy.discipline": "easy"},
                {"en": "backfill (EASY)", "zh": "回填（EASY）"},
                {
                    "en": "Short jobs fill gaps without delaying the first in line. It needs honest time limits.",
                    "zh": "短作业填补空隙而不推迟队首作业。前提是时限如实填写。",
                },
            ),
            Stop(
                "easy_reclaim",
                {
                    "policy.discipline": "easy",
                    "policy.isolation": "reclaim",
                    "policy.preemption": "{scope: [borrowers], grace: 5min}",
                },
                {"en": "backfill, reclaim and grace", "zh": "回填、收回与宽限"},
                {
                    "en": "Idle quota is lent and taken back with notice. Borrowers lose work when owners return.",
                    "zh": "空闲配额可借出，并在通知后收回。所有者回来时，借用者会损失工作。",
                },
            ),
            Stop(
                "packed",
                {
                    "policy.discipline": "easy",
                    "policy.isolation": "reclaim",
                    "policy.preemption": "{scope: [borrowers], grace: 5min}",
                    "policy.placement": "fragmentation_gradient",
                },
                {"en": "and placement against fragments", "zh": "再加防碎片放置"},
                {
                    "en": "Large jobs find whole nodes sooner. Small jobs get fewer choices of where to run.",
                    "zh": "大作业更快找到整机。小作业可选的位置更少。",
                },
            ),
        ),
    ),
    Dial(
        "isolation",
        (
            Stop(
                "none",
                {"policy.isolation": "none"},
                {"en": "no quotas", "zh": "无配额"},
                {
                    "en": "Everybody may use everything, so no GPU idles for a reason of ownership. "
                    "One tenant can fill the cluster.",
                    "zh": "人人可用全部 GPU，不会因归属而闲置。一个租户就能占满集群。",
                },
            ),
            Stop(
                "borrow",
                {"policy.isolation": "borrow"},
                {"en": "idle quota is lent", "zh": "空闲配额可借出"},
                {
                    "en": "Idle quota works for others. Its owner waits until borrowers have finished.",
                    "zh": "空闲配额可供他人使用。所有者要等借用者结束。",
                },
            ),
            Stop(
                "reclaim",
                {"policy.isolation": "reclaim"},
                {"en": "lent, and taken back", "zh": "可借出，且可收回"},
                {
                    "en": "Owners get their quota back at once. Borrowers are evicted and lose work.",
                    "zh": "所有者可立即收回配额。借用者会被驱逐并损失工作。",
                },
            ),
            Stop(
                "cells",
                {"policy.isolation": "cells"},
                {"en": "cells", "zh": "单元"},
                {
                    "en": "Small parts of the cluster fail and fill alone. A job larger than its cell never starts.",
                    "zh": "集群分成小单元，各自承担故障与负载。大于单元的作业无法启动。",
                },
            ),
            Stop(
                "partition",
                {"policy.isolation": "partition"},
                {"en": "fixed parts", "zh": "固定划分"},
                {
                    "en": "No tenant feels another. Idle GPUs of one do not help the next, so waits are longest.",
                    "zh": "租户之间互不影响。一方的空闲 GPU 帮不了另一方，因此等待最长。",
                },
            ),
        ),
    ),
)
"""The dials."""


def find_dial(slug: str) -> Dial:
    """Return a dial by its word.

    Raises
    ------
    InputError
        If there is none.
    """
    found = {dial.slug: dial for dial in DIALS}.get(slug)
    if found is None:
        raise InputError(Phrase("a dial"), slug, Phrase("one of {names}", names=", ".join(dial.slug for dial in DIALS)))
    return found


@cache
def dial_stops(dial: Dial) -> tuple[Stop, ...]:
    """Return the stops whose mechanisms are available."""
    base = load_case(DEFAULT_CASE)
    return tuple(stop for stop in dial.stops if not unavailable(apply(base, _with_quotas(base, stop.settings))))


def _with_quotas(scenario: Scenario, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings, and nominals where they need quotas and nobody has one."""
    needs = settings.get("policy.isolation") in _WITH_QUOTAS
    return {**settings, **(_nominals(scenario) if needs else {})}


def find_stop(dial: str, slug: str) -> Stop:
    """Return a stop that is available.

    Raises
    ------
    InputError
        If there is no such dial or stop.
    """
    known = {stop.slug: stop for stop in dial_stops(find_dial(dial))}
    if slug not in known:
        raise InputError(Phrase("the dial {dial}", dial=dial), slug, Phrase("one of {names}", names=", ".join(known)))
    return known[slug]


def dial_changes(scenario: Scenario, dial: str, slug: str) -> dict[str, str]:
    """Return what a stop sets in a scenario.

    Parameters
    ----------
    scenario : Scenario
        Where the dial stands now.
    dial, slug : str
        The dial, and its new stop.

    Returns
    -------
    dict of str to str
        Path -> text for `apply`, only what differs: the fields of the stop; null for what the stop before it set
        and the new one does not; and where quotas are tested and nobody has one, nominals in proportion to weight.

    Raises
    ------
    InputError
        If there is no such dial or stop.
    """
    stop, now = find_stop(dial, slug), dial_position(scenario, dial)
    wanted = _with_quotas(scenario, stop.settings)
    if now is not None:
        wanted |= {path: _NOTHING for path in now.settings if path not in wanted and not _is_choice(path)}
    document = dump_document(scenario)
    return {path: text for path, text in wanted.items() if _is_news(scenario, document, path, text)}


def _is_choice(path: str) -> bool:
    """Return whether a field always holds a word, so that null means nothing to it."""
    return path in {"policy.order", "policy.discipline", "policy.isolation", "policy.placement"}


def _is_news(scenario: Scenario, document: dict[str, Any], path: str, text: str) -> bool:
    return _at(document, path) != _said(scenario, path, text)


def _said(scenario: Scenario, path: str, text: str) -> object:
    """Return a setting as the document would spell it in full; the text itself where it cannot stand alone."""
    try:
        return _at(dump_document(apply(scenario, {path: text})), path)
    except (InputError, ScenarioError):
        return text


def _at(document: Any, path: str) -> object:  # noqa: ANN401  a document is any tree
    part = document
    for key in split_path(path):
        if isinstance(part, list):
            part = next((item for item in part if item.get("name") == key), None)
        else:
            part = part.get(key) if isinstance(part, dict) else None
    return part


def _nominals(scenario: Scenario) -> dict[str, str]:
    """Return nominals in proportion to weight among those who share pools; nothing where anybody has one."""
    if any(tenant.nominal_gpus is not None for tenant in scenario.tenants):
        return {}
    parents = {tenant.parent for tenant in scenario.tenants}
    leaves = [tenant for tenant in scenario.tenants if tenant.name not in parents]
    gpus = {tenant.name: sum(pool.gpus for pool in pools_of(scenario, tenant.name)) for tenant in leaves}
    pools = {tenant.name: tuple(pool.name for pool in pools_of(scenario, tenant.name)) for tenant in leaves}
    weights: dict[tuple[str, ...], float] = {}
    for tenant in leaves:
        weights[pools[tenant.name]] = weights.get(pools[tenant.name], 0.0) + tenant.weight
    return {
        join_path(("tenants", tenant.name, "nominal_gpus")): str(
            int(gpus[tenant.name] * tenant.weight / weights[pools[tenant.name]])
        )
        for tenant in leaves
    }


def dial_position(scenario: Scenario, dial: str) -> Stop | None:
    """Return the stop at which a dial stands: the one with most settings that all hold; None between stops.

    Raises
    ------
    InputError
        If there is no such dial.
    """
    document = dump_document(scenario)
    held = [
        stop
        for stop in dial_stops(find_dial(dial))
        if not any(_is_news(scenario, document, path, text) for path, text in stop.settings.items())
    ]
    return max(held, key=lambda stop: len(stop.settings), default=None)


def dial_by_hand(scenario: Scenario, origin: Scenario, dial: str, slug: str) -> dict[str, object]:
    """Return the fields a stop would overwrite although somebody set them: neither the case nor a stop says so.

    Parameters
    ----------
    scenario, origin : Scenario
        The scenario, and the case or file it started from.
    dial, slug : str
        The dial, and the stop that is asked for.

    Returns
    -------
    dict of str to object
        Path -> what the document says now; empty where nothing has to be asked.

    Raises
    ------
    InputError
        If there is no such dial or stop.
    """
    now, before = dump_document(scenario), dump_document(origin)
    stops = dial_stops(find_dial(dial))
    found = {}
    for path in dial_changes(scenario, dial, slug):
        told = [_said(scenario, path, stop.settings[path]) for stop in stops if path in stop.settings]
        if _at(now, path) not in (*told, _at(before, path), None):
            found[path] = _at(now, path)
    return found
