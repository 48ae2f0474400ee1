"""What a sweep looks at: a metric, of everybody or of one class, tenant, pool or size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from scheduler_core.errors import InputError
from scheduler_core.metrics import SCOPE_KINDS, ScopeKind, Summary, all_metrics, evaluate_targets
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario
from scheduler_core.studies.sweep_front import Objective

DEFAULT_METRICS = ("wait_mean", "goodput", "fairness")


@dataclass(frozen=True)
class Measure:
    """A metric of a scope.

    Attributes
    ----------
    slug, scope : str
        Which, and of whom: ``wait_mean``, ``tenant:research``.
    """

    slug: str
    scope: str = "all"

    @property
    def name(self) -> str:
        """As a person writes it: ``wait_mean``, ``wait_mean@research``."""
        return self.slug if self.scope == "all" else f"{self.slug}@{self.scope.partition(':')[2]}"

    @property
    def unit(self) -> str:
        """Unit of the metric."""
        return all_metrics()[self.slug].unit

    @property
    def objective(self) -> Objective | None:
        """What is wanted of it; None for a metric without a better direction."""
        better = all_metrics()[self.slug].better
        return None if better == "none" else Objective(self.name, better)


def read_measure(text: str, scenario: Scenario) -> Measure:
    """Return the measure that ``METRIC`` or ``METRIC@NAME`` means.

    Parameters
    ----------
    text : str
        A metric, and after an at sign a class, tenant or pool of the scenario (or ``class:NAME``).
    scenario : Scenario
        Whose names count.

    Returns
    -------
    Measure
        One the run has a number for, unless its scope stays without jobs.

    Raises
    ------
    InputError
        If there is no such metric or name, or the metric does not exist for one of these.
    """
    slug, _, name = text.strip().partition("@")
    metrics = all_metrics()
    if slug not in metrics:
        raise InputError(
            Phrase("a metric"),
            slug,
            Phrase("one of those in docs/metrics.md, such as {closest}", closest=_closest(slug, metrics)),
        )
    scope = scope_key(name.strip(), scenario) if name.strip() else "all"
    kind = kind_of(scope)
    if kind not in metrics[slug].scopes:
        raise InputError(
            Phrase("a metric"),
            text,
            Phrase(
                "of {scopes}: {slug} has no number by {kind}",
                scopes=" or ".join(metrics[slug].scopes),
                slug=slug,
                kind=kind,
            ),
        )
    return Measure(slug, scope)


def scope_key(name: str, scenario: Scenario) -> str:
    """Return the key of a class, else a tenant, else a pool; a key of its own stays as it is.

    Raises
    ------
    InputError
        If nothing has the name.
    """
    if name == "all":
        return name
    if name.partition(":")[0] in SCOPE_KINDS and ":" in name:
        return name
    known: dict[str, Iterable[str]] = {
        "class": (each.name for each in scenario.workload.classes),
        "tenant": (each.name for each in scenario.tenants),
        "pool": (each.name for each in scenario.cluster.pools),
    }
    names = {kind: tuple(each) for kind, each in known.items()}
    found = next((kind for kind, each in names.items() if name in each), None)
    if found is None:
        everybody = [each for some in names.values() for each in some]
        raise InputError(
            Phrase("the part behind @"),
            name,
            Phrase("a class, tenant or pool, such as {closest}", closest=_closest(name, everybody)),
        )
    return f"{found}:{name}"


def _closest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    return next(iter(get_close_matches(word, names, 1)), names[0])


def kind_of(scope: str) -> ScopeKind:
    """Return the kind of a scope key."""
    return next((kind for kind in SCOPE_KINDS if kind == scope.partition(":")[0]), "all")


def default_measures(scenario: Scenario) -> tuple[Measure, ...]:
    """Return what is shown when nobody says: mean wait, goodput, fairness, and what has a target."""
    metrics = all_metrics()
    found: list[Measure | None] = [Measure(slug) for slug in DEFAULT_METRICS if slug in metrics]
    for target in scenario.targets:
        if target.metric in metrics:
            text = target.metric if target.of is None else f"{target.metric}@{target.of}"
            found.append(_quietly(text, scenario))
    return tuple(dict.fromkeys(measure for measure in found if measure is not None))


def _quietly(text: str, scenario: Scenario) -> Measure | None:
    """Return a measure, or None where the name is that of a band of sizes or of nothing."""
    try:
        return read_measure(text, scenario)
    except InputError:
        return None


def kinds_for(measures: Sequence[Measure], scenario: Scenario) -> tuple[ScopeKind, ...]:
    """Return the kinds of scope a run has to measure: those of the measures and of the targets."""
    wanted = {kind_of(measure.scope) for measure in measures} | {"all"}
    if any(target.of is not None for target in scenario.targets):
        wanted |= {"class", "tenant", "pool", "size"}
    return tuple(kind for kind in SCOPE_KINDS if kind in wanted)


def keeps_targets(scenario: Scenario, summary: Summary) -> bool:
    """Return whether every target of a scenario holds for certain."""
    return all(found.state == "pass" for found in evaluate_targets(scenario.targets, summary))
