"""Small logs for tests, and where the reference samples are."""

from pathlib import Path

import pytest

from scheduler_core.traces import Imported, read

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "traces"
OWN = ROOT / "tests" / "data" / "traces"


def shared(*parts: str) -> Path:
    """Return a reference sample; skip the test where they are not there."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip("the reference samples are not on this machine")
    return path


def sacct(
    *rows: str, header: str = "JobID|State|Submit|Start|End|Elapsed|AllocTRES|ReqTRES|Timelimit|JobName"
) -> bytes:
    """Return a sacct log."""
    return "\n".join([header, *rows, ""]).encode()


def gpu_job(job_id: str, start: str, elapsed: str, gpus: int, submit: str = "00:00:00") -> str:
    """Return a row of `sacct` for a finished job of one day."""
    day = "2026-03-02T"
    return f"{job_id}|COMPLETED|{day}{submit}|{day}{start}||{elapsed}|cpu=8,gres/gpu={gpus}||01:00:00|job"


def read_sacct(*rows: str, header: str | None = None, **options: object) -> Imported:
    """Read rows as a sacct log."""
    log = sacct(*rows) if header is None else sacct(*rows, header=header)
    return read(log, format="sacct", options=options)


def counted(imported: Imported, kind: str) -> dict[str, int]:
    """Return the reasons of one kind in the report with their counts."""
    return {tally.key.split(".")[1]: tally.count for tally in getattr(imported.report, kind)}
