"""Jobs that the document lists, as rows or as CSV text."""

import csv
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from pydantic import ValidationError

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import NO_LIMIT_MS, Jobs, JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.workload import JobRow
from scheduler_core.workload.names import TypeSets

OWN_CLASS = "jobs"
"""Class of listed jobs that name none."""

CSV_FIELD = "workload.arrivals.jobs_csv"
REQUIRED = ("id", "tenant", "submit", "duration", "gpus")
OPTIONAL = ("limit", "priority", "gpu_types", "class")
TYPE_SEPARATOR = "|"


def table_of(rows: Sequence[JobRow], tenants: Sequence[str], classes: Sequence[str], places: Sequence[str]) -> JobTable:
    """Return the table of listed jobs.

    Parameters
    ----------
    rows : sequence of JobRow
        Any order; jobs of one instant keep theirs.
    tenants, classes : sequence of str
        Names the scenario knows; a class only jobs name is added behind them.
    places : sequence of str
        Where each row stands, for refusals.

    Returns
    -------
    JobTable

    Raises
    ------
    InputError
        If a job's tenant is unknown or two jobs have one id.
    """
    _check_ids(rows, places)
    tenant_index = {name: index for index, name in enumerate(tenants)}
    class_index = {name: index for index, name in enumerate(classes)}
    types = TypeSets()
    for row, place in zip(rows, places, strict=True):
        if row.tenant not in tenant_index:
            raise InputError(
                Phrase("{place}: tenant", place=place),
                row.tenant,
                Phrase("one of {names}", names=", ".join(tenants)),
            )
        class_index.setdefault(row.job_class or OWN_CLASS, len(class_index))
    order = np.argsort(np.array([row.submit for row in rows], np.int64), kind="stable")
    ordered = [rows[index] for index in order]
    jobs = Jobs(
        submit_ms=np.array([row.submit for row in ordered], np.int64),
        runtime_ms=np.array([row.duration for row in ordered], np.int64),
        limit_ms=np.array([NO_LIMIT_MS if row.limit is None else row.limit for row in ordered], np.int64),
        gpus=np.array([row.gpus for row in ordered], np.int32),
        priority=np.array([row.priority for row in ordered], np.int32),
        tenant=np.array([tenant_index[row.tenant] for row in ordered], np.int32),
        job_class=np.array([class_index[row.job_class or OWN_CLASS] for row in ordered], np.int32),
        type_set=np.array([types.index(row.gpu_types) for row in ordered], np.int32),
    )
    return JobTable(jobs, tuple(tenants), tuple(class_index), types.all, tuple(row.id for row in ordered))


def read_csv(text: str) -> tuple[list[JobRow], list[str]]:
    """Read listed jobs from CSV text.

    The first line names the columns: id, tenant, submit, duration, gpus, and where wanted limit, priority, gpu_types
    (separated by |), class. Durations carry their unit; an empty cell is a key left out. Empty lines are passed over.

    Parameters
    ----------
    text : str
        The CSV text.

    Returns
    -------
    rows : list of JobRow
        The jobs in order of the lines.
    places : list of str
        Where each stands, for refusals.

    Raises
    ------
    InputError
        With the line, if a column is missing, unknown or twice, or a cell is wrong.
    """
    lines = csv.reader(text.removeprefix("\ufeff").splitlines(), strict=True)
    rows: list[JobRow] = []
    places: list[str] = []
    header: list[str] = []
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            place = f"{CSV_FIELD} line {lines.line_num}"
            if not header:
                header = _header(cells, place)
                continue
            rows.append(_row(header, cells, place))
            places.append(place)
    except csv.Error as error:
        raise InputError(
            Phrase("{csv_field} line {line_num}", csv_field=CSV_FIELD, line_num=lines.line_num),
            str(error),
            Phrase("well-formed CSV"),
        ) from error
    if not rows:
        raise InputError(
            CSV_FIELD,
            text,
            Phrase("a line with the columns {required} and one line a job", required=", ".join(REQUIRED)),
        )
    return rows, places


def _header(cells: Sequence[str], place: str) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    unknown = [name for name in header if name not in (*REQUIRED, *OPTIONAL)]
    missing = [name for name in REQUIRED if name not in header]
    if unknown:
        raise InputError(
            Phrase("{place}: column", place=place),
            unknown[0],
            Phrase("one of {names}", names=", ".join((*REQUIRED, *OPTIONAL))),
        )
    if missing:
        raise InputError(
            Phrase("{place}: header", place=place),
            ",".join(header),
            Phrase("complete ({missing} missing)", missing=", ".join(missing)),
        )
    if len(set(header)) < len(header):
        raise InputError(
            Phrase("{place}: header", place=place), ",".join(header), Phrase("a list of different columns")
        )
    return header


def _row(header: Sequence[str], cells: Sequence[str], place: str) -> JobRow:
    if len(cells) != len(header):
        raise InputError(
            Phrase("{place}: number of cells", place=place),
            len(cells),
            Phrase("{n_header}, as in the header", n_header=len(header)),
        )
    given = {name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()}
    for name in REQUIRED:
        if name not in given:
            raise InputError(Phrase("{place}: {name}", place=place, name=name), "", Phrase("filled in"))
    try:
        return JobRow.model_validate(_typed(given), context={"document": True})
    except ValidationError as error:
        raise _refusal(error, given, place) from error


def _typed(given: Mapping[str, str]) -> dict[str, object]:
    """Turn text cells into what a document would hold; what is not a number stays text and is refused as such."""
    typed: dict[str, object] = dict(given)
    for name, kind in (("gpus", int), ("priority", float)):
        if name in given:
            try:
                typed[name] = kind(given[name])
            except ValueError:
                continue
    if "gpu_types" in given:
        typed["gpu_types"] = tuple(part.strip() for part in given["gpu_types"].split(TYPE_SEPARATOR))
    return typed


def _refusal(error: ValidationError, given: Mapping[str, str], place: str) -> InputError:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else "row"
    name = "class" if name == "job_class" else name
    allowed = first.get("ctx", {}).get("allowed")
    return InputError(
        Phrase("{place}: {name}", place=place, name=name),
        given.get(name, ""),
        allowed if isinstance(allowed, Phrase) else Phrase("a value of its kind"),
    )


def _check_ids(rows: Iterable[JobRow], places: Sequence[str]) -> None:
    seen: set[str] = set()
    for row, place in zip(rows, places, strict=True):
        if row.id in seen:
            raise InputError(Phrase("{place}: id", place=place), row.id, Phrase("used once only"))
        seen.add(row.id)
