"""The stated limits of a scenario: one table, used by the refusals and printed into docs/scenario.md.

They keep a run on one machine within minutes and gigabytes, and a hostile document harmless. Raising one is a
change here and nowhere else.
"""

from typing import NamedTuple

from scheduler_core.phrases import Phrase


class Limit(NamedTuple):
    """One stated limit: its value, what is counted, and why it is there."""

    value: int
    what: Phrase
    reason: str


LIMITS = {
    "document_bytes": Limit(2_000_000, Phrase("bytes in a document"), "reading stays under a few seconds"),
    "yaml_bytes": Limit(200_000, Phrase("bytes in a YAML document"), "YAML is read slowly; JSON and TOML are not"),
    "document_values": Limit(
        500_000, Phrase("values in a document, aliases written out"), "no document expands in memory"
    ),
    "document_depth": Limit(20, Phrase("levels of nesting"), "nothing real is nested deeper"),
    "pools": Limit(100, Phrase("pools"), "each is drawn as one row"),
    "zones": Limit(100, Phrase("zones of a pool"), "each is drawn as one row"),
    "nodes": Limit(200_000, Phrase("nodes in all pools"), "the node tables stay under 100 MB"),
    "gpus_per_node": Limit(1_000_000, Phrase("GPUs on one node"), "a log's whole machine can be one node"),
    "gpus": Limit(10_000_000, Phrase("GPUs in all pools"), "GPU sums stay far inside 64 bits"),
    "tenants": Limit(10_000, Phrase("tenants"), "a log's users can all be tenants"),
    "tenant_levels": Limit(20, Phrase("levels of the quota tree"), "every start walks up to the root"),
    "classes": Limit(1_000, Phrase("job classes"), "the page stays readable"),
    "sizes": Limit(100, Phrase("job sizes of a class"), "the page stays readable"),
    "jobs": Limit(20_000_000, Phrase("jobs expected in a run"), "about 250 bytes each in memory"),
    "listed_jobs": Limit(50_000, Phrase("jobs listed in the document"), "longer lists belong into a log"),
    "days": Limit(3_660, Phrase("days"), "ten years"),
    "replications": Limit(1_000, Phrase("replications"), "an interval gains nothing beyond"),
    "targets": Limit(100, Phrase("targets"), "the page stays readable"),
    "name_characters": Limit(
        64, Phrase("characters in the name of a pool, zone, tenant or class"), "it must fit a chart"
    ),
    "title_characters": Limit(200, Phrase("characters in the name of the scenario"), "it is shown in the frame"),
    "notes_characters": Limit(20_000, Phrase("characters of notes"), "notes are not a report"),
}
"""Slug -> limit."""


def limit(slug: str) -> int:
    """Return the value of one limit.

    Parameters
    ----------
    slug : str
        A key of `LIMITS`.

    Returns
    -------
    int
        The largest value that is accepted.

    Examples
    --------
    >>> limit("days")
    3660
    """
    return LIMITS[slug].value
