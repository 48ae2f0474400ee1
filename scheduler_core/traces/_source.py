"""Open a log: plain or gzip, from a path or from memory, bounded in size and expansion, read in blocks of lines."""

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scheduler_core.errors import TraceError
from scheduler_core.phrases import Phrase

MIB = 1 << 20
BLOCK_BYTES = 4 * MIB
HEAD_BYTES = 1 << 16

GZIP = b"\x1f\x8b"
UTF8_MARK = b"\xef\xbb\xbf"
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
PACKED = {
    b"PK\x03\x04": Phrase("a zip archive or a spreadsheet"),
    b"BZh": Phrase("compressed with bzip2"),
    b"\xfd7zXZ": Phrase("compressed with xz"),
    b"\x28\xb5\x2f\xfd": Phrase("compressed with zstd"),
    b"7z\xbc\xaf": Phrase("a 7z archive"),
    b"PAR1": Phrase("a Parquet file"),
    b"SQLite format 3": Phrase("an SQLite database"),
    b"%PDF": Phrase("a PDF"),
}
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HTML = re.compile(rb"\s*<(?:!doctype|html|\?xml|head|body)", re.IGNORECASE)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True)
class Bounds:
    """The largest log that is read.

    Attributes
    ----------
    file_bytes : int
        Size of the file.
    text_bytes : int
        Size of its text, after expansion.
    expansion : int
        How many times larger the text may be than a gzip file, above `free_bytes` of text.
    free_bytes : int
        Text that may come out of any gzip file.
    line_bytes : int
        Length of a line.
    """

    file_bytes: int = 4096 * MIB
    text_bytes: int = 8192 * MIB
    expansion: int = 100
    free_bytes: int = 32 * MIB
    line_bytes: int = 4 * MIB


BOUNDS = Bounds()


@dataclass(frozen=True)
class Block:
    """Some lines of a log.

    Attributes
    ----------
    first_line : int
        Number of the first line, counted from 1.
    lines : list of bytes
        Without line ends.
    """

    first_line: int
    lines: list[bytes]


class Source:
    """A log that has been opened and looked at, but not read.

    Parameters
    ----------
    log : path or bytes
        The log.
    bounds : Bounds
        The largest log that is read.

    Raises
    ------
    TraceError
        If the file cannot be opened, is too large, or is clearly no text.
    """

    def __init__(self, log: Path | str | bytes, bounds: Bounds = BOUNDS) -> None:
        self._log = log if isinstance(log, bytes) else Path(log)
        self.name = "the log" if isinstance(log, bytes) else Path(log).name
        self.bounds = bounds
        try:
            self.size = len(log) if isinstance(log, bytes) else Path(log).stat().st_size
            if self.size > bounds.file_bytes:
                raise self.error(
                    Phrase(
                        "has {size:,} bytes; at most {file_bytes:,} are read.",
                        size=self.size,
                        file_bytes=bounds.file_bytes,
                    )
                )
            with self._raw() as file:
                self.is_gzip = file.read(2) == GZIP
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self.error(Phrase("cannot be opened: {foreign}.", foreign=reason)) from error
        self._refuse_other_kinds(self.head)

    def error(self, problem: Phrase, line: int | None = None) -> TraceError:
        """Return the refusal of this log, for the caller to raise."""
        return TraceError(self.name, line, problem)

    def _raw(self) -> io.BytesIO | io.BufferedReader:
        return io.BytesIO(self._log) if isinstance(self._log, bytes) else self._log.open("rb")

    @cached_property
    def sha256(self) -> str:
        """Content hash of the file as it was given (before any expansion)."""
        with self._raw() as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB of text."""
        return next(self._blocks(HEAD_BYTES), b"").removeprefix(UTF8_MARK)

    @property
    def head_text(self) -> str:
        """The first 64 KiB as text, without an incomplete last line."""
        text = self.head.decode("utf-8", errors="replace").replace("\r\n", "\n")
        return text.rpartition("\n")[0] if len(self.head) == HEAD_BYTES and "\n" in text else text

    def _refuse_other_kinds(self, head: bytes) -> None:
        if not head.strip():
            raise self.error(Phrase("is empty."))
        if head.startswith(LFS_POINTER):
            raise self.error(Phrase("this is a Git LFS pointer, download the real file."))
        if _HTML.match(head):
            raise self.error(Phrase("is a web page (HTML or XML), not a job log; download the raw file."))
        if head.startswith(UTF16_MARKS):
            raise self.error(Phrase("is UTF-16 text; save it as UTF-8."))
        for mark, what in PACKED.items():
            if head.startswith(mark):
                raise self.error(Phrase("is {what}; give the plain text or a .gz of it.", what=what))
        if _CONTROL.search(head):
            raise self.error(Phrase("is a binary file, not a job log."))

    def _blocks(self, size: int) -> Iterator[bytes]:
        """Yield the text in pieces of at most `size` bytes, within the bounds."""
        total = 0
        try:
            with self._raw() as raw:
                file = gzip.GzipFile(fileobj=raw) if self.is_gzip else raw
                while piece := file.read(size):
                    total += len(piece)
                    self._check_expansion(total)
                    yield piece
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self.error(Phrase("is a damaged gzip file.")) from error
        except OSError as error:
            raise self.error(Phrase("cannot be read: {foreign}.", foreign=error.strerror or error)) from error

    def _check_expansion(self, total: int) -> None:
        if total > self.bounds.text_bytes:
            raise self.error(
                Phrase(
                    "holds more than {text_bytes:,} bytes of text; at most that are read.",
                    text_bytes=self.bounds.text_bytes,
                )
            )
        if self.is_gzip and total > max(self.bounds.free_bytes, self.bounds.expansion * self.size):
            raise self.error(
                Phrase(
                    "expands to more than {expansion} times its size; unpack it first.", expansion=self.bounds.expansion
                )
            )

    def blocks(self, size: int = BLOCK_BYTES) -> Iterator[Block]:
        """Yield all lines in blocks of about `size` bytes.

        Parameters
        ----------
        size : int
            Bytes of a block.

        Yields
        ------
        Block
            Complete lines, in the order of the file.

        Raises
        ------
        TraceError
            If the log is damaged, or a bound is exceeded.
        """
        first_line, rest = 1, b""
        for piece in self._blocks(size):
            lines = (rest + piece).replace(b"\r\n", b"\n").split(b"\n")
            rest = lines.pop()
            if len(rest) > self.bounds.line_bytes:
                raise self.error(
                    Phrase(
                        "is longer than {line_bytes:,} bytes; this is no job log.", line_bytes=self.bounds.line_bytes
                    ),
                    first_line,
                )
            if first_line == 1 and lines:
                lines[0] = lines[0].removeprefix(UTF8_MARK)
            if lines:
                yield Block(first_line, lines)
            first_line += len(lines)
        if rest:
            rest = rest.removesuffix(b"\r")
            yield Block(first_line, [rest.removeprefix(UTF8_MARK) if first_line == 1 else rest])
