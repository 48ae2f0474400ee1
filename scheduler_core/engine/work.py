"""What a job does with its GPUs in one stay: restart, work, saves (docs/model.md, 15.11 to 15.13)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEFORE,
    BEGAN,
    CLASS_COST,
    CLASS_EVERY,
    CLASS_RESTART,
    CLASS_SAVE,
    GRACE_MS,
    HAS_PAUSES,
    IDLE_MS,
    JOB_CLASS,
    N_STAYS,
    NOW,
    RUNTIME,
    SHAPE,
    SHAPE_GPUS,
    STOPPED,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def saves(m: Int64, row: int) -> int:
    """Return the work between two saves of job `row` in ms, 0 if it never saves."""
    return m[m[CLASS_EVERY] + m[m[JOB_CLASS] + row]]


@step(INT(INTS, INT), inline=True)
def restart_of(m: Int64, row: int) -> int:
    """Return what job `row` does in ms before it works on in its present stay."""
    is_again = saves(m, row) > 0 and m[m[N_STAYS] + row] > 1
    return m[m[CLASS_RESTART] + m[m[JOB_CLASS] + row]] if is_again else 0


@step(INT(INTS, INT))
def stay_length(m: Int64, row: int) -> int:
    """Return how long job `row` stays if nobody interferes, from its present start, in ms."""
    left, every = m[m[RUNTIME] + row] - m[m[BEFORE] + row], saves(m, row)
    if every == 0 or left <= 0:
        return left + restart_of(m, row)
    return restart_of(m, row) + left + (left - 1) // every * m[m[CLASS_SAVE] + m[m[JOB_CLASS] + row]]


@step(INT(INTS, INT, INT), inline=True)
def since_restart(m: Int64, row: int, moment: int) -> int:
    """Return the time in ms that job `row` has worked and saved in its present stay up to `moment`."""
    idle = 0
    if m[HAS_PAUSES] == 1:
        moment = m[m[STOPPED] + row] if m[m[STOPPED] + row] >= 0 else moment
        idle = m[m[IDLE_MS] + row]
    return max(moment - m[m[BEGAN] + row] - idle - restart_of(m, row), 0)


@step(INT(INTS, INT, INT))
def work_done(m: Int64, row: int, moment: int) -> int:
    """Return the work job `row` has done in its present stay up to `moment`, saved or not, in ms."""
    left, every, spent = m[m[RUNTIME] + row] - m[m[BEFORE] + row], saves(m, row), since_restart(m, row, moment)
    if every == 0:
        return min(spent, left)
    cycle = every + m[m[CLASS_SAVE] + m[m[JOB_CLASS] + row]]
    return min(left, spent // cycle * every + min(spent % cycle, every))


@step(INT(INTS, INT, INT))
def work_saved(m: Int64, row: int, moment: int) -> int:
    """Return the work of its present stay that job `row` has completely saved up to `moment`, in ms."""
    left, every = m[m[RUNTIME] + row] - m[m[BEFORE] + row], saves(m, row)
    if every == 0 or left <= 0:
        return 0
    cycle = every + m[m[CLASS_SAVE] + m[m[JOB_CLASS] + row]]
    return min(since_restart(m, row, moment) // cycle, (left - 1) // every) * every


@step(INT(INTS, INT), inline=True)
def saves_in_grace(m: Int64, row: int) -> int:
    """Return 1 if the grace is long enough for job `row` to save before it leaves, else 0."""
    return 1 if saves(m, row) > 0 and m[m[CLASS_COST] + m[m[JOB_CLASS] + row]] <= m[GRACE_MS] else 0


@step(INT(INTS, INT))
def loss_if_told(m: Int64, row: int) -> int:
    """Return what telling job `row` to leave now would cost, in GPU-ms (15.5)."""
    job_class = m[m[JOB_CLASS] + row]
    lost = work_done(m, row, m[NOW]) - work_saved(m, row, m[NOW])
    if saves(m, row) > 0:
        if saves_in_grace(m, row) == 1:
            lost = m[m[CLASS_COST] + job_class]
        lost += m[m[CLASS_RESTART] + job_class]
    return lost * m[m[SHAPE_GPUS] + m[m[SHAPE] + row]]
