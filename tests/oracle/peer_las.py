"""The queues of Tiresias, written from its rules, with a switch for each rule that is not ours (docs/model.md, 12).

With both switches on it gives the peer's record; with both off it gives what our `las` gives in rounds of a second. So
the switches are all the difference there is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

LIMITS = (3_250, 7_200)


@dataclass(frozen=True)
class Rules:
    """How the peer was run.

    `is_by_gpus`: service is counted in GPU-seconds (2dlas), not in seconds. `is_running_first`: in each queue whoever
    runs stands before whoever waits, in the order in which they entered it; else submit decides. `is_early`: the next
    look at a running job comes after (limit - seconds) // GPUs, not when it reaches the limit.
    """

    is_by_gpus: bool
    is_running_first: bool = True
    is_early: bool = True


@dataclass
class Cluster:
    """Jobs as rows of the input, and where they stand; times in s."""

    rows: Sequence[dict[str, int]]
    gpus: int
    rules: Rules
    seconds: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    finish: list[int] = field(default_factory=list)
    queues: tuple[list[int], ...] = field(default_factory=lambda: ([], [], []))
    running: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin with nobody in the queues."""
        self.seconds, self.first, self.finish = ([0] * len(self.rows), [-1] * len(self.rows), [-1] * len(self.rows))

    def service(self, row: int) -> int:
        """Return what counts against the limits."""
        return self.seconds[row] * (self.rows[row]["num_gpu"] if self.rules.is_by_gpus else 1)

    def queue_of(self, row: int) -> int:
        """Return the queue in which a job stands."""
        return next(number for number, queue in enumerate(self.queues) if row in queue)

    def next_look(self, row: int, limit: int) -> int:
        """Return the seconds until the peer looks whether a running job has reached its limit; 0 for never."""
        width = self.rows[row]["num_gpu"] if self.rules.is_by_gpus else 1
        if self.rules.is_early:
            return max((limit - self.seconds[row]) // width, 0)
        return max(-((self.service(row) - limit) // width), 0)

    def next_time(self, now: int, n_submitted: int) -> int:
        """Return the time of the next event."""
        times = [self.rows[n_submitted]["submit_time"]] if n_submitted < len(self.rows) else []
        for row in self.running:
            times.append(now + self.rows[row]["duration"] - self.seconds[row])
            queue = self.queue_of(row)
            look = self.next_look(row, LIMITS[queue]) if queue < len(LIMITS) else 0
            times += [now + look] if look > 0 else []
        return min(times)

    def let_pass(self, elapsed: int, now: int) -> None:
        """Add what was worked, and end who is through."""
        for row in sorted(self.running):
            self.seconds[row] += elapsed
            queue = self.queue_of(row)
            if self.seconds[row] >= self.rows[row]["duration"]:
                self.queues[queue].remove(row)
                self.running.remove(row)
                self.finish[row] = now

    def demote(self) -> None:
        """Move running jobs to the end of the queue that goes with their service."""
        for row in sorted(self.running):
            queue, due = self.queue_of(row), sum(self.service(row) >= limit for limit in LIMITS)
            if due > queue:
                self.queues[queue].remove(row)
                self.queues[due].append(row)

    def share_out(self, now: int) -> None:
        """Give GPUs, queue by queue, to each job that fits into what is left."""
        left, chosen = self.gpus, set()
        for queue in self.queues:
            if not self.rules.is_running_first:
                queue.sort()
            for row in queue:
                if self.rows[row]["num_gpu"] <= left:
                    left -= self.rows[row]["num_gpu"]
                    chosen.add(row)
        self.running = chosen
        for row in chosen:
            self.first[row] = now if self.first[row] < 0 else self.first[row]
        for queue in self.queues:
            queue.sort(key=lambda row: row not in chosen)


def play(rows: Sequence[dict[str, int]], gpus: int, rules: Rules) -> list[tuple[int, int]]:
    """Return first start and finish of every job in s, in the order of the rows."""
    cluster, now, n_submitted = Cluster(rows, gpus, rules), 0, 0
    while -1 in cluster.finish:
        time = cluster.next_time(now, n_submitted)
        cluster.let_pass(time - now, time)
        now = time
        while n_submitted < len(rows) and rows[n_submitted]["submit_time"] == now:
            cluster.queues[0].append(n_submitted)
            n_submitted += 1
        cluster.demote()
        cluster.share_out(now)
    return list(zip(cluster.first, cluster.finish, strict=True))
