"""Read a cluster from what people have: pasted ``sinfo`` output, or a table of nodes (CSV)."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from scheduler_core.errors import InputError, TraceError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._hosts import expand_nodes
from scheduler_core.traces._names import fit_name
from scheduler_core.traces._pools import DEFAULT_ZONE, ClusterImport, Node, build_pools
from scheduler_core.traces._tres import parse_gpus

UNKNOWN_TYPE = "GPU"
MOST_CHARACTERS = 20_000_000

_DOWN = re.compile(r"(down|drain|drng|fail|maint|unk|no_respond|boot|power|inval|futr|future|perfctrs)", re.IGNORECASE)
_GRES = re.compile(r"(gres[/:])?gpu[:=(]\S*", re.IGNORECASE)
_NODES = re.compile(r"[A-Za-z][\w.-]*(\[[\d,-]+\][\w.-]*)*(,[A-Za-z][\w.-]*(\[[\d,-]+\][\w.-]*)*)*", re.ASCII)

SYNONYMS = {
    "name": ("name", "nodelist", "hostnames", "hostname", "hostlist", "nodehost", "node", "host", "sn", "nodename"),
    "gres": ("gres", "gresused"),
    "gpus": ("gpus", "gpu", "gpu_count", "gpucount", "gpu_num", "num_gpus", "gpus_per_node", "ngpus"),
    "type": ("gpu_type", "gputype", "model", "gpu_model", "type"),
    "zone": ("zone", "az", "datacenter", "site", "room"),
    "rack": ("rack", "rack_id", "asw"),
    "cpus": ("cpus", "cpu", "cores", "ncpus"),
    "cpu_milli": ("cpu_milli",),
    "memory_mb": ("memory", "memory_mb", "realmemory", "memory_mib"),
    "mem_gb": ("mem_gb", "memory_gb", "ram_gb"),
    "count": ("nodes", "count", "nnodes"),
    "state": ("state", "statelong", "statecompact", "statecomplete"),
}
"""Meaning -> headings (lower case) that have it."""


def read_cluster(text: str, *, file: str = "the cluster", gpus_per_node: int | None = None) -> ClusterImport:
    """Return the cluster that a text describes.

    Parameters
    ----------
    text : str
        Output of sinfo (any -o or -O format with a heading that names nodes or their number, and GRES; also
        ``sinfo -h -o "%N %G"`` without heading), or a table separated by commas, semicolons, tabs or pipes with a
        heading: name, gpus, gpu_type, zone, rack, cpus, mem_gb, nodes, state.
    file : str
        What to call the text in a refusal.
    gpus_per_node : int, optional
        GPUs of each node where the text does not say.

    Returns
    -------
    ClusterImport
        One pool for each kind of node: type, GPUs, CPUs, memory.

    Raises
    ------
    TraceError
        If the text is not understood, or no node has a GPU.
    """
    lines = [(at, line.rstrip()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise TraceError(file, None, Phrase("is empty."))
    if len(text) > MOST_CHARACTERS or "\x00" in text:
        raise TraceError(file, None, Phrase("is no list of nodes."))
    rows = list(_rows(lines, file))
    nodes = [node for at, row in rows for node in _nodes(row, at, file, gpus_per_node)]
    return build_pools(nodes, file)


def _rows(lines: list[tuple[int, str]], file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and values by meaning."""
    heading = lines[0][1]
    separator = next((mark for mark in "|\t;," if mark in _without_lists(heading)), None)
    columns = _meanings(_cells(heading, separator))
    if "name" not in columns and "count" not in columns:
        yield from _headless(lines, file)
        return
    if not {"gres", "gpus"} & set(columns) and "type" not in columns and "state" not in columns:
        raise TraceError(
            file, lines[0][0], Phrase("has no column with GPUs; run sinfo -N -o '%N %G', or add a column gpus.")
        )
    for at, line in lines[1:]:
        cells = _cells(line, separator)
        if len(cells) < len(columns) and not (separator and len(cells) >= 1):
            raise TraceError(
                file,
                at,
                Phrase("has {n_cells} values under {n_columns} headings.", n_cells=len(cells), n_columns=len(columns)),
            )
        yield at, {name: cells[place] for name, place in columns.items() if place < len(cells)}


def _without_lists(line: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", line)


def _cells(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _meanings(headings: list[str]) -> dict[str, int]:
    """Return the place of each meaning among the headings."""
    found: dict[str, int] = {}
    words = [heading.strip().strip("%").lower().replace(" ", "_") for heading in headings]
    for meaning, synonyms in SYNONYMS.items():
        place = next((words.index(word) for word in synonyms if word in words), None)
        if place is not None:
            found[meaning] = place
    if "name" in found and found.get("count") == found["name"]:
        del found["count"]
    return found


def _headless(lines: list[tuple[int, str]], file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield rows of output without heading: in each, one word is GRES and the first like a node list is one."""
    for at, line in lines:
        words = line.replace("|", " ").split()
        gres = next((word for word in words if _GRES.fullmatch(word)), "")
        names = next((word for word in words if not _GRES.fullmatch(word) and _NODES.fullmatch(word)), "")
        is_listed = bool(names) and (bool(gres) or "(null)" in words)
        if not is_listed:
            raise TraceError(
                file,
                at,
                Phrase("is neither sinfo output with node names and GRES nor a table with the headings name and gpus."),
            )
        yield at, {"name": names, "gres": gres}


def _whole(text: str, meaning: str, at: int, file: str) -> int:
    number = text.strip().rstrip("+")
    if not number:
        return 0
    try:
        value = float(number)
    except ValueError as error:
        raise TraceError(
            file, at, Phrase("{meaning} is {text!r}; it must be a number.", meaning=meaning, text=text)
        ) from error
    if not 0 <= value <= 1e12:
        raise TraceError(
            file, at, Phrase("{meaning} is {text!r}; it must be a number from 0.", meaning=meaning, text=text)
        )
    return int(value)


def _nodes(row: Mapping[str, str], at: int, file: str, gpus_per_node: int | None) -> Iterator[Node]:
    """Yield the nodes of one row."""
    gres = parse_gpus(row.get("gres", ""))
    kind = row.get("type", "") or (gres.type if gres else "")
    if gres is None and "gpus" in row:
        gpus = _whole(row["gpus"], "gpus", at, file)
    elif gres is None and not {"gres", "gpus"} & set(row):
        if gpus_per_node is None:
            raise TraceError(file, at, Phrase("does not say how many GPUs a node has; run sinfo -N -o '%N %G'."))
        gpus = gpus_per_node
    else:
        gpus = int(gres.amount) if gres else 0
    if gpus > limit("gpus_per_node"):
        raise TraceError(
            file,
            at,
            Phrase(
                "a node has {gpus:,} GPUs; at most {gpus_per_node:,} are possible.",
                gpus=gpus,
                gpus_per_node=limit("gpus_per_node"),
            ),
        )
    memory_gb = _whole(row.get("mem_gb", ""), "mem_gb", at, file)
    memory_mb = _whole(row.get("memory_mb", ""), "memory", at, file)
    cpus = (
        _whole(row.get("cpus", ""), "cpus", at, file) or _whole(row.get("cpu_milli", ""), "cpu_milli", at, file) // 1000
    )
    node = Node(
        name="",
        gpus=gpus,
        type=fit_name(kind) if kind else UNKNOWN_TYPE,
        zone=fit_name(row["zone"]) if row.get("zone") else DEFAULT_ZONE,
        rack=row.get("rack", ""),
        cpus=cpus,
        mem_gb=memory_gb or memory_mb // 1024,
        is_down=bool(_DOWN.search(row.get("state", ""))),
    )
    if row.get("name"):
        try:
            names = expand_nodes(row["name"])
        except InputError as error:
            raise TraceError(file, at, error.phrases[0]) from error
        yield from (replace(node, name=name) for name in names)
    else:
        yield replace(node, count=_whole(row.get("count", "1"), "nodes", at, file))
