"""What the command line is given: a file, a case, a link, or the standard input; and the log a scenario may need."""

import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scheduler_core.cli._progress import note
from scheduler_core.errors import InputError, TraceError, shorten
from scheduler_core.links import decode
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import apply, cases, load
from scheduler_core.scenario.document import Scenario

if TYPE_CHECKING:
    from scheduler_core.traces import Replay

STDIN = "-"
_OURS = re.compile(r"(?:^|[?&])(?:case|set|z|v)=")


def parse_changes(settings: tuple[str, ...], *, seed: int | None, replications: int | None) -> dict[str, object]:
    """Return the changes asked for by ``--set``, ``--seed`` and ``--replications``.

    Parameters
    ----------
    settings : tuple of str
        ``path=value`` each.
    seed, replications : int, optional
        Short forms of ``run.seed`` and ``run.replications``.

    Returns
    -------
    dict
        Path -> value as text.

    Raises
    ------
    click.UsageError
        If a setting has no ``=``.
    """
    changes: dict[str, object] = {}
    for setting in settings:
        path, equals, value = setting.partition("=")
        if not equals or not path.strip():
            raise click.UsageError(f"--set {shorten(setting)} must be path=value, such as policy.order=priority")
        changes[path.strip()] = value
    if seed is not None:
        changes["run.seed"] = str(seed)
    if replications is not None:
        changes["run.replications"] = str(replications)
    return changes


def is_link(text: str) -> bool:
    """Return whether a text is an address or the query part of one."""
    return text.startswith(("http://", "https://", "?")) or _OURS.search(text) is not None


def newest_case(text: str) -> str | None:
    """Return the case a name means: itself, or the newest version where the version is left out."""
    if text in cases():
        return text
    versions = [name for name in cases() if name.partition("@")[0] == text]
    return max(versions, key=lambda name: int(name.partition("@")[2] or 0), default=None)


def read_scenario(text: str, changes: Mapping[str, object] | None = None) -> Scenario:
    """Return the scenario that a file, a case, a link or the standard input describes.

    Parameters
    ----------
    text : str
        Path of a file, name of a case, address or query, or ``-``.
    changes : mapping, optional
        Path -> value, applied last.

    Returns
    -------
    Scenario
        Valid, though parts of it may not be available yet.

    Raises
    ------
    InputError
        If `text` names nothing.
    """
    if text == STDIN:
        return load(sys.stdin.read() or "\n", overrides=changes)
    if _is_file(text):
        return load(Path(text), overrides=changes)
    case = newest_case(text)
    if case is not None:
        return load(case, overrides=changes)
    if is_link(text):
        return _follow(text, changes)
    near = get_close_matches(text, [*cases(), *(name.partition("@")[0] for name in cases())], 1)
    hint = Phrase(" (did you mean {near}?)", near=near[0]) if near else ""
    raise InputError(
        Phrase("the scenario"), text, Phrase("a file, a case (`scenario list` names them) or a link{hint}", hint=hint)
    )


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or holds a null byte: a link, or nothing
        return False


def _follow(text: str, changes: Mapping[str, object] | None) -> Scenario:
    from scheduler_core.api import ENGINE_VERSION  # noqa: PLC0415  (loads the kernels)

    link = decode(text)
    if link.engine_version and link.engine_version != ENGINE_VERSION:
        note(f"The link was made by engine {link.engine_version}; this is {ENGINE_VERSION}: numbers may differ.")
    return apply(link.scenario, dict(changes)) if changes else link.scenario


def log_of(scenario: Scenario, log: Path | None) -> "Replay | None":
    """Return the jobs of the log a scenario names.

    Parameters
    ----------
    scenario : Scenario
        What is to be run.
    log : Path, optional
        The file given for it.

    Returns
    -------
    Replay, optional
        None if the scenario needs no log.

    Raises
    ------
    InputError
        If the log is missing, or not the one the scenario names.
    TraceError
        If it cannot be read.
    """
    wanted = scenario.workload.arrivals.log
    if wanted is None:
        if log is not None:
            raise InputError("--log", str(log), Phrase("left out: the scenario does not replay a log"))
        return None
    if log is None:
        raise InputError(
            Phrase("the log of the scenario"),
            wanted.sha256[:12],
            Phrase("given with --log FILE; it is not stored here"),
        )
    from scheduler_core.traces import read  # noqa: PLC0415  (loads pandas)

    found = read(log, format=wanted.format, options=wanted.options)
    if found.facts.sha256 != wanted.sha256:
        raise InputError(
            "--log",
            log.name,
            Phrase(
                "the log with sha256 {sha256}..., not {sha256_2}...",
                sha256=wanted.sha256[:12],
                sha256_2=found.facts.sha256[:12],
            ),
        )
    jobs = found.replay(
        unit=wanted.unit,
        procs_per_gpu=wanted.procs_per_gpu,
        tenants=[tenant.name for tenant in scenario.tenants],
        gpu_types=[pool.gpu for pool in scenario.cluster.pools],
    )
    if not jobs.table.n_jobs:
        raise TraceError(log.name, None, Phrase("has no job that can be replayed."))
    return jobs
