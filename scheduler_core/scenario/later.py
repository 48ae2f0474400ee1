"""What the document has a place for and the engine cannot do yet: one table.

A part that is set to something later is refused by name, never ignored, and documents written today keep their
meaning, because every field's default says what happens now.

When a mechanism arrives, one line goes: its name in `PENDING` (fields), its word in `LATER_WORDS` (choices, words and
lists of words), its setting in `LATER_SETTINGS`, or its metric in `LATER_METRICS`. Nothing else is needed: the fields
are typed and checked already, and widgets, schema, comments and the tables of docs/scenario.md follow
(`python -c "from scheduler_core.scenario.reference import update; update()"`). Orders and placements need not even
that line, because a word whose file is there is available.
"""

from scheduler_core.phrases import Phrase, word

PENDING = frozenset(
    {
        "CPU cores of jobs",  # workload.classes.NAME.cpus_per_gpu
        "memory of jobs",  # workload.classes.NAME.mem_gb_per_gpu
    }
)
"""Mechanisms whose fields are checked and kept, and refused before a run."""


def pending(mechanism: str) -> str:
    """Return the name of a mechanism while it is in `PENDING`, else nothing; for `Spec.later`.

    Examples
    --------
    >>> pending("first in first out")
    ''
    """
    return mechanism if mechanism in PENDING else ""


LATER_WORDS = {
    "policy.order": (
        "gittins", "hybrid",
    ),
    "policy.placement": ("pack", "topology", "fragmentation_gradient"),
    "policy.isolation": ("cells",),
}  # fmt: skip
"""Path of a choice -> words it will accept."""

LATER_SETTINGS: dict[tuple[str, str], dict[str, str]] = {}
"""(Path, word) -> settings the word will accept, with the name of the mechanism."""


def sentence(mechanism: str, default: str) -> Phrase:
    """Return what is said about a field whose mechanism is not available yet."""
    return Phrase(
        "{path} is {value}, which is not available yet ({mechanism}); leave it at {default}.",
        mechanism=word(mechanism),
        default=default,
    )


def is_later(path: str, slug: str) -> bool:
    """Return whether a choice accepts this word later."""
    return slug in LATER_WORDS.get(path, ())


LATER_METRICS = (
    "slo_attainment", "sharing_anomaly_share", "finish_time_fairness_max", "fragmentation_share", "isolation",
    "cost_usd_per_useful_gpu_h",
)  # fmt: skip
"""Metrics that targets will accept."""
