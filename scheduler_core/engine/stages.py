"""A policy that changes at a stated time: one run a policy, each taking over from the last (docs/model.md, 18)."""

from dataclasses import dataclass

import numpy as np

from scheduler_core.engine.collected import go_on_collecting
from scheduler_core.engine.resume import resume
from scheduler_core.engine.setup import Prepared, prepare
from scheduler_core.engine.suspending import let_all_work_on
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import EVICTIONS, IDLENESS, Log, Memory
from scheduler_core.kernels.tables import CAUSES, STATES, Int64, JobTable
from scheduler_core.scenario.document import Scenario

COUNTERS = (
    st.NEXT_ROW, st.HEAP_SIZE, st.SEQUENCE, st.EVENTS, st.N_EVICTIONS, st.N_IDLE,
    st.N_CAME, st.N_BEGUN, st.N_PASSED, st.N_SHORT,
)  # fmt: skip
FATES = (st.START, st.FINISH, st.JOB_STATE, st.HEAP_TIME, st.HEAP_TICKET)
STAYS = (
    st.BEGAN, st.TOLD, st.LEAVES, st.EVICTOR, st.N_STAYS, st.BEFORE, st.KEEPS, st.WORKED, st.IS_CUT, st.SEQUENCE_OF,
    st.EVICTION, st.LEFT, st.REQUEUE_WAIT,
)  # fmt: skip
PAUSES = (st.IDLE_MS, st.STOPPED, st.KILLED_AT, st.IS_SPENT)
LOGS = (st.LOG_COUNT, st.LOG_SEQUENCE, st.LOG_NODE, st.LOG_GPUS)
GANG_HOLD = CAUSES.index("gang_hold")
PENDING, RUNNING = STATES.index("pending"), STATES.index("running")


@dataclass(frozen=True)
class Stage:
    """The time of one policy.

    Attributes
    ----------
    scenario : Scenario
        With the policy that is in force.
    begin_ms, end_ms : int
        From when and up to when, in ms; the last ends with the run.
    """

    scenario: Scenario
    begin_ms: int
    end_ms: int


def stages_of(scenario: Scenario) -> list[Stage]:
    """Return the stages of a run; one if the policy does not change."""
    policies = scenario.policy.stages()
    ends = [at for at, _ in policies[1:]]
    ends.append(st.NEVER if scenario.run.drain else scenario.run.days_ms)
    return [
        Stage(scenario.model_copy(update={"policy": policy}), at, end)
        for (at, policy), end in zip(policies, ends, strict=True)
    ]


def is_over(memory: Memory) -> bool:
    """Return whether every job has ended, so that no change comes any more."""
    state = memory.column(st.JOB_STATE)
    return bool(memory.m[st.NEXT_ROW] == memory.m[st.N_JOBS] and not np.isin(state, (PENDING, RUNNING)).any())


def last_event(memory: Memory, table: JobTable) -> int:
    """Return when the last job ended or was submitted, in ms."""
    return int(max(memory.column(st.FINISH).max(initial=0), table.jobs.submit_ms.max(initial=0)))


def begin(stage: Stage, table: JobTable, *, record_placements: bool) -> Prepared:
    """Lay out the memory of a stage."""
    prepared = prepare(stage.scenario, table, record_placements=record_placements)
    prepared.memory.m[st.END_MS] = stage.end_ms
    return prepared


def take_over(after: Prepared, stage: Stage, before: Prepared, last: Stage) -> None:
    """Let a stage begin where the one before it stopped.

    Parameters
    ----------
    after : Prepared
        What `begin` returned for it.
    stage : Stage
        The stage that begins.
    before : Prepared
        The one before, run to its end.
    last : Stage
        Its stage.
    """
    memory, old = after.memory, before.memory
    if old.m[st.HAS_PAUSES]:
        old.m[st.NOW] = stage.begin_ms
        let_all_work_on(old.m)
    _copy(memory, old)
    m, now = memory.m, stage.begin_ms
    m[st.NOW], m[st.IS_RESUMED] = now, 1
    if m[st.STEP_MS] > 0:
        is_same = stage.scenario.policy.order == last.scenario.policy.order
        _keep_usage(after, before, now) if is_same else _begin_usage(after, now)
    rows = _rows(memory)
    if m[st.HAS_STAYS]:
        waiting = rows[(memory.column(st.JOB_STATE)[rows] == PENDING) & (memory.column(st.START)[rows] >= 0)]
        # The loop booked it as at the end of a run; whoever starts again books it once.
        memory.column(st.REQUEUE_WAIT)[waiting] -= now - memory.column(st.LEFT)[waiting]
    if m[st.IS_MOVING]:
        _rank_returned(memory)
    if m[st.COLLECT_MS]:
        go_on_collecting(memory, old)
    resume(m, old.m, rows)


def _copy(memory: Memory, old: Memory) -> None:
    """Copy what happened to the jobs so far."""
    m = memory.m
    cells = [*FATES, *(STAYS if m[st.HAS_STAYS] else ()), *(LOGS if m[st.IS_RECORDING] else ())]
    cells += [st.BEGUN_ROW] if m[st.OFFER_MS] else []
    if m[st.HAS_STAYS] and m[st.IS_MOVING]:
        cells.append(st.QUEUED_AT)
    if m[st.HAS_PAUSES]:
        cells += PAUSES
    for cell in cells:
        memory.column(cell)[:] = old.column(cell)
    if m[st.LENGTH] != m[st.RUNTIME]:  # how long a job may run was settled when it started
        has_started = memory.column(st.START) >= 0
        memory.column(st.LENGTH)[has_started] = old.column(st.LENGTH)[has_started]
    for cell in COUNTERS:
        m[cell] = old.m[cell]
    for log in (EVICTIONS, IDLENESS):
        _copy_log(memory, old, log)


def _copy_log(memory: Memory, old: Memory, log: Log) -> None:
    """Copy what was written down so far, with the room for it."""
    n_rows = int(memory.m[log.rows])
    if n_rows:
        while memory.make_room(log) < old.m[log.most]:
            pass
        for cell in log.cells:
            memory.column(cell)[:n_rows] = old.column(cell)[:n_rows]


def _rows(memory: Memory) -> Int64:
    """Return the jobs that run, in the order of their latest start, and then those that wait."""
    state = memory.column(st.JOB_STATE)[: int(memory.m[st.NEXT_ROW])]
    running = np.flatnonzero(state == RUNNING)
    running = running[np.argsort(memory.column(st.BEGAN)[running], kind="stable")]
    return np.concatenate([running, np.flatnonzero(state == PENDING)]).astype(np.int64)


def _rank_returned(memory: Memory) -> None:
    """Give jobs that started before the rank that goes with the time they count from (15.10)."""
    m = memory.m
    queued = memory.column(st.QUEUED_AT)
    moved = queued != memory.column(st.SUBMIT)
    if m[st.LIVE_KEY] == st.FIXED:
        memory.column(st.JOB_KEY)[moved] += m[st.KEY_SLOPE] * (queued - memory.column(st.SUBMIT))[moved]
    else:
        moved = memory.column(st.START) >= 0
    memory.column(st.IS_RETURNED)[moved] = 1


def _keep_usage(after: Prepared, before: Prepared, now: int) -> None:
    """Let usage under fair share go on: bring it up to now, and copy it."""
    m, old = after.memory, before.memory
    old.m[st.STEPS_TO] = now - 1
    before.share(old.m, before.numbers, 0)
    use = old.column(st.TENANT_USE) - old.column(st.TENANT_PINNED)
    after.numbers[:] = before.numbers
    m.column(st.TENANT_METER)[:] = old.column(st.TENANT_METER) + use * (now - old.column(st.TENANT_SINCE))
    for cell in (st.TENANT_READ, st.TENANT_KEY):
        m.column(cell)[:] = old.column(cell)
    m.column(st.TENANT_SINCE)[:] = now
    m.m[st.LAST_STEP] = old.m[st.LAST_STEP]


def _begin_usage(after: Prepared, now: int) -> None:
    """Let usage under fair share begin with 0 now, and rank the tenants by it."""
    m = after.memory
    step = int(m.m[st.STEP_MS])
    m.m[st.STEPS_TO] = (now - 1) // step * step
    m.m[st.LAST_STEP] = m.m[st.STEPS_TO] - step
    after.share(m.m, after.numbers, 0)
    m.column(st.TENANT_SINCE)[:] = now


class Waits:
    """Waits by cause, and what the lines waited for, added up over the stages: each books those of its own time.

    Parameters
    ----------
    n_jobs : int
        Jobs of the table.

    Attributes
    ----------
    cause_ms : int64, shape (n_causes, n_jobs)
        In ms.
    behind_ms : int64, shape (n_classes, n_causes)
        In ms.
    is_evicting : bool
        Whether anybody could evict anybody in one of them.
    """

    def __init__(self, n_jobs: int) -> None:
        self.cause_ms: Int64 = np.zeros((len(CAUSES), n_jobs), np.int64)  # columns that stay 0 cost no memory
        self.behind_ms: Int64 = np.zeros((1, len(CAUSES)), np.int64)
        self.is_evicting = False

    def add(self, memory: Memory) -> None:
        """Add those of one stage, which has come to its end."""
        kept = memory.column(st.KEPT)
        self.cause_ms[kept] += memory.column(st.WAIT).reshape(self.cause_ms.shape[1], len(kept)).T
        if memory.m[st.COLLECT_MS]:
            self.cause_ms[GANG_HOLD] += memory.column(st.AWAY_MS)
        self.behind_ms = self.behind_ms + memory.column(st.CLASS_BEHIND).reshape(-1, len(CAUSES))
        self.is_evicting |= bool(memory.m[st.SCOPES])
