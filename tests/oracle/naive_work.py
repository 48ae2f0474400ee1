"""What a job does with its GPUs, piece by piece, and the books (sections 9 and 15.8 to 15.13 of docs/model.md)."""

from collections.abc import Iterable
from dataclasses import dataclass

from tests.oracle.naive_input import BOOKS, NaiveJob
from tests.oracle.naive_parts import Piece, Running


@dataclass(frozen=True)
class Attempt:
    """One stay of a job on its GPUs (15.20); `told` is -1 if not evicted, `before` the work saved at its start."""

    row: int
    start: int
    told: int
    end: int
    saved: int
    reason: str
    before: int
    pieces: tuple[Piece, ...]


def plan(job: NaiveJob, saved: int, start: int, *, is_resumed: bool) -> list[Piece]:
    """A restart, then work, with a save after each `every` and none at the end (15.11, 15.12)."""
    every, cost, restart = job.checkpoint or (0, 0, 0)
    pieces, now, left = [], start, job.runtime - saved
    if is_resumed and restart:
        pieces.append(("restart", now, now + restart))
        now += restart
    while left > 0:
        step = min(every, left) if job.checkpoint else left
        pieces.append(("work", now, now + step))
        now, left = now + step, left - step
        if left > 0:
            length = 0 if job.is_wall else cost
            pieces.append(("checkpoint", now, now + length))
            now += length
    return pieces


def end_of(pieces: list[Piece], start: int) -> int:
    """When it ends if nobody interferes."""
    return pieces[-1][2] if pieces else start


def until(pieces: Iterable[Piece], moment: int) -> list[Piece]:
    """What it does up to a moment."""
    return [(kind, begin, min(end, moment)) for kind, begin, end in pieces if begin < moment or end == begin <= moment]


def work_done(pieces: Iterable[Piece], moment: int) -> int:
    """Work done up to a moment, lost or not."""
    return sum(end - begin for kind, begin, end in until(pieces, moment) if kind == "work")


def work_saved(pieces: list[Piece], moment: int) -> int:
    """Work up to the last completed save of this attempt; a save is completed at its end (15.12).

    A save during which the job stood still (15.18) is two pieces, and completed at the end of the second.
    """
    active = [piece for piece in pieces if piece[0] != "idle_held"]
    nexts = [*(kind for kind, _, _ in active[1:]), ""]
    ends = [
        end
        for (kind, _, end), following in zip(active, nexts, strict=False)
        if kind == "checkpoint" and following != "checkpoint" and end <= moment
    ]
    return work_done(pieces, max(ends)) if ends else 0


def pause(pieces: list[Piece], begin: int, end: int) -> list[Piece]:
    """It stops working and keeps its GPUs, then works on (15.18)."""
    late = end - begin
    rest = [(kind, max(b, begin) + late, e + late) for kind, b, e in pieces if e > begin]
    return [*until(pieces, begin), ("idle_held", begin, end), *rest]


def whole(job: Running, moment: int) -> list[Piece]:
    """What a running job did and will do, standing still up to a moment included (15.18)."""
    return job.pieces if job.stopped is None else pause(job.pieces, job.stopped, moment)


def so_far(job: Running, moment: int) -> list[Piece]:
    """What a running job did up to a moment."""
    return until(whole(job, moment), moment)


def book(attempt: Attempt, *, is_killed: bool) -> list[Piece]:
    """Work after the last save of an evicted attempt is lost where it was done, all of it if killed (9.2, 9.3)."""
    kept = 0 if is_killed else attempt.saved - attempt.before
    if attempt.told < 0 and not is_killed:
        kept = work_done(attempt.pieces, attempt.end)
    booked: list[Piece] = []
    for kind, begin, end in until(attempt.pieces, attempt.end):
        if kind != "work":
            booked.append((kind, begin, end))
            continue
        useful = min(kept, end - begin)
        kept -= useful
        booked += [("useful", begin, begin + useful), ("lost", begin + useful, end)]
    return [piece for piece in booked if piece[2] > piece[1]]


def add_up(gpus: int, pieces: Iterable[Piece], books: dict[str, int]) -> None:
    """Add GPU-ms by kind (9.1)."""
    for kind, begin, end in pieces:
        assert kind in BOOKS
        books[kind] += gpus * (end - begin)
