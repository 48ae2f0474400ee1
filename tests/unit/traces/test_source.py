"""What is no log is refused in one sentence; what is one is read whatever its wrapping."""

import gzip
import hashlib
import json
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scheduler_core.errors import TraceError
from scheduler_core.traces import Bounds, ImportReport, read, set_up
from scheduler_core.traces._source import Source
from tests.unit.traces.helpers import SHARED, gpu_job, sacct, shared

LOG = sacct(gpu_job("1", "00:00:10", "00:01:00", 2))
POINTER = "this is a Git LFS pointer, download the real file"
NOISE = random.Random(5).randbytes(4_000)


def is_one_sentence(error: TraceError) -> bool:
    return "\n" not in str(error) and str(error).endswith(".") and "Traceback" not in str(error)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n", POINTER),
        (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
        (b'  <?xml version="1.0"?>', "web page"),
        (b"PK\x03\x04" + NOISE, "zip archive"),
        (b"\x28\xb5\x2f\xfd" + NOISE, "zstd"),
        (b"SQLite format 3\x00", "SQLite"),
        ("JobID|State\n".encode("utf-16"), "UTF-16"),
        (NOISE, "binary"),
        (b'{"jobs": []}', "JSON is not read yet; for Slurm, run sacct -P"),
        (b"a,b,c\n1,2,3\n", "none of the formats that are read (sacct, swf)"),
        (gzip.compress(LOG)[:-9], "damaged gzip"),
        (gzip.compress(NOISE), "binary"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused_in_one_sentence(content: bytes, words: str) -> None:  # T11 among them
    with pytest.raises(TraceError) as caught:
        read(content)
    assert words in str(caught.value)
    assert is_one_sentence(caught.value)


def test_a_pointer_sample_is_refused() -> None:  # T11
    with pytest.raises(TraceError, match=POINTER):
        read(shared("burstgpt", "lfs_pointer_as_csv.csv"))


def test_gzip_reads_the_same_and_hashes_the_file_as_given(tmp_path: Path) -> None:
    packed = tmp_path / "log.psv.gz"
    packed.write_bytes(gzip.compress(LOG))
    imported = read(packed)
    assert imported.frame.equals(read(LOG).frame)
    assert imported.report.sha256 == hashlib.sha256(packed.read_bytes()).hexdigest()
    assert imported.report.file == "log.psv.gz"


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.psv", tmp_path, "a\0b"):
        with pytest.raises(TraceError, match="cannot be opened"):
            read(path)


def test_a_file_that_expands_too_much_is_stopped_early() -> None:
    bomb = gzip.compress(LOG + b"1|" * 40_000_000)
    assert len(bomb) < 1_000_000
    with pytest.raises(TraceError, match="expands to more than 100 times its size"):
        read(bomb, bounds=Bounds(line_bytes=1 << 40))


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(file_bytes=100), "at most 100 are read"),
        (Bounds(text_bytes=100), "more than 100 bytes of text"),
        (Bounds(line_bytes=1_000), "longer than 1,000 bytes"),
    ],
)
def test_bounds_are_stated_in_the_refusal(bounds: Bounds, words: str) -> None:
    with pytest.raises(TraceError, match=words):
        read(LOG + b"x" * (9 << 20), bounds=bounds)


def test_blocks_hold_whole_lines_with_their_numbers() -> None:
    lines = [f"line {at}".encode() for at in range(100)]
    blocks = list(Source(b"\n".join(lines)).blocks(size=37))
    assert len(blocks) > 10
    assert [line for block in blocks for line in block.lines] == lines
    assert all(block.lines[0] == lines[block.first_line - 1] for block in blocks)


@pytest.mark.parametrize("folder", ["slurm_sacct", "swf"])
def test_every_sample_is_read_or_refused_by_one_sentence(folder: str) -> None:
    shared(folder)
    logs = [path for path in sorted((SHARED / folder).iterdir()) if path.suffix in {".psv", ".swf"}]
    assert len(logs) >= 5
    for path in logs:
        made = set_up(path)
        report = made.replay.report
        assert report.kept == made.replay.table.n_jobs > 0
        assert report.rows_read - report.steps - sum(t.count for t in report.refused) <= report.jobs
        assert report.kept + sum(tally.count for tally in report.left_out) == report.jobs
        assert made.document is not None
        json.dumps([report.as_dict(), made.document])


def read_or_refusal(path: Path) -> tuple[ImportReport | None, TraceError | None]:
    try:
        return read(path).report, None
    except TraceError as error:
        return None, error


def test_no_other_sample_gives_anything_but_a_report_or_one_sentence() -> None:
    shared("swf")
    for path in sorted(SHARED.glob("*/*")):
        report, refusal = read_or_refusal(path)
        assert report is None or report.format in {"sacct", "swf"}, path
        assert refusal is None or is_one_sentence(refusal), path


TEXT = """JobID State Submit Start Elapsed ElapsedRaw End AllocTRES ReqMem Timelimit NNodes -1 1e308 nan inf gres/gpu=3
RUNNING COMPLETED PENDING 7_[1-3] 12.batch 00:01:00 99999999999 UNLIMITED 8Gn
2026-03-02T00:00:00 9999-12-31T23:59:59 0001-01-01T00:00:00"""
WORDS = [*TEXT.split(), "|", "\n", "\r", " ", ";", "\x0b", "\u00e9", '"', "#", "MaxProcs: 5"]
NUMBERS = ["-1", "0", "1", "7.5", "1e9", "1e308", "nan", "x", "-3"]
FEW = settings(max_examples=max(settings().max_examples // 4, 15))
"""Each of these examples reads a whole file."""
SWF_ROW = " ".join(["1"] * 18)


def read_or_refuse(content: bytes, **options: str) -> None:
    made, refusal = None, None
    try:
        made = set_up(content, **options)  # type: ignore[arg-type]
    except TraceError as error:
        refusal = error
    if made is None:
        assert refusal is not None
        assert is_one_sentence(refusal)
        return
    report = made.replay.report
    assert report.kept == made.replay.table.n_jobs
    assert report.kept + sum(tally.count for tally in report.left_out) == report.jobs
    jobs = made.replay.table.jobs
    assert (jobs.submit_ms >= 0).all()
    assert (jobs.runtime_ms >= 0).all()
    assert (jobs.limit_ms > 0).all()
    assert (jobs.gpus > 0).all()
    assert (made.replay.recorded_start_ms >= -1).all()
    assert all(report.lines(language) for language in ("en", "zh"))
    json.dumps(report.as_dict(), allow_nan=False)


@FEW
@given(st.binary(max_size=300))
def test_random_bytes_give_a_report_or_one_sentence(content: bytes) -> None:
    for log_format in (None, "sacct", "swf"):
        read_or_refuse(content, **({"format": log_format} if log_format else {}))


@FEW
@given(st.lists(st.sampled_from(WORDS), max_size=80))
@example(["99999999999", "|"])
def test_random_words_after_a_header_give_a_report_or_one_sentence(words: list[str]) -> None:
    header = "JobID|State|Submit|Start|Elapsed|AllocTRES|ReqMem|Timelimit|NNodes|JobName\n"
    read_or_refuse((header + "".join(words)).encode())


@FEW
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=10, max_size=10), max_size=6))
def test_random_values_under_a_header_give_a_report(rows: list[list[str]]) -> None:
    header = "JobID|State|Submit|Start|Elapsed|AllocTRES|ReqMem|Timelimit|NNodes|JobName\n"
    read_or_refuse((header + "\n".join("|".join(row) for row in rows)).encode())


@FEW
@given(st.lists(st.lists(st.sampled_from(NUMBERS), min_size=16, max_size=20), max_size=6))
def test_random_numbers_give_a_report_or_one_sentence(rows: list[list[str]]) -> None:
    read_or_refuse("\n".join([SWF_ROW, *(" ".join(row) for row in rows)]).encode(), format="swf")
