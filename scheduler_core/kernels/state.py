"""The working tables of one run: everything the event loop reads and writes.

All state lives here, so the loop can stop after any instant and go on later. Index words:
`row` a job, `node` an internal node number, `block` equal nodes of one domain, `domain` the pools of
one GPU type inside one fence, `scope` a list of blocks (a domain, or all pools of a type), `line` the
jobs of one fence, `shape` jobs that no placement can tell apart, `group` jobs kept in one order.
"""

from typing import NamedTuple

from scheduler_core.kernels import jit
from scheduler_core.kernels.tables import Int8, Int32, Int64, Jobs

# Cells of `Clock.cells`: the scalars that change.
NOW, NEXT_ROW, HEAP_SIZE, SEQUENCE, FREE_SLICE, EVENTS, LOG_SIZE, N_LISTED, IS_DONE, FREE_PIECE, MARK = range(11)
N_CELLS = 11

# Cells of `Clock.settings`: the scalars that do not.
(
    END_MS,
    IS_SUBMIT_FIRST,
    IS_PASS_PER_EVENT,
    DISCIPLINE,
    DEPTH,
    IS_SHORTEST_FIRST,
    IS_RECOMPUTED,
    IS_COUNTED,
    IS_RECORDING,
    WINDOW_FIRST,
    WINDOW_LAST,
    N_JOBS,
) = range(12)
N_SETTINGS = 12

STRICT, BEST_EFFORT, EASY, CONSERVATIVE = range(4)
ALL = 1 << 60
"""A depth without bound."""
NEVER = 1 << 62
"""A time that does not come."""

MORE, DONE, LOG_FULL = range(3)
"""What the loop returns: stopped at the event budget, at the end, or for want of room in the log."""


class Clock(NamedTuple):
    """Scalars, by the cell names above."""

    cells: Int64
    settings: Int64


class Blocks(NamedTuple):
    """Equal nodes of one domain, numbered one after the other; one row a block.

    `first` is the block's first node, `size` its GPUs per node, `base` the first bit set (one set per
    number of free GPUs, in `Levels.bits`), `stride` words per set, `tiers` as in kernels/bits.py.
    """

    first: Int32
    nodes: Int32
    size: Int32
    base: Int64
    stride: Int64
    tiers: Int64


class Levels(NamedTuple):
    """Free GPUs: per node, and per block the nodes with exactly f free as a bit set.

    `bits` and `count` are laid out by block, then f; a block of one node keeps no sets. `total` is
    the free GPUs per block.
    """

    free: Int32
    bits: Int64
    count: Int32
    total: Int64


class Places(NamedTuple):
    """What does not change about nodes: blocks, scopes over blocks, and who may use what.

    `scope_first[s]:scope_first[s+1]` are the entries of scope s in `scope_block`, largest node first.
    Scopes are the domains, then one scope per GPU type over all fences. `number` is a node's
    number in the document, `block_of` its block.
    """

    blocks: Blocks
    number: Int32
    block_of: Int32
    domain_of: Int32
    scope_first: Int32
    scope_block: Int32
    type_scopes: Int32


class Chosen(NamedTuple):
    """Scratch: the nodes and GPUs picked for one gang, how many, and idle nodes taken per block."""

    node: Int32
    gpus: Int32
    count: Int32
    skip: Int32


class Heap(NamedTuple):
    """Coming finishes, a binary heap by (time, sequence); at most one entry per GPU."""

    time: Int64
    sequence: Int64
    row: Int32


class Line(NamedTuple):
    """Waiting jobs in rank order, kept as one bit set over slots; a group is a run of slots.

    `rank[row]` is the place in the order of the whole table, `slot[row]` the place in its group,
    `row_at` the inverse. `head` is the first waiting slot of a group, -1 when it is empty. `group_line`
    and `group_shape` say whose group it is (-1: several shapes). Lines own runs of groups and of domains.
    """

    bits: Int64
    tiers: Int64
    rank: Int32
    slot: Int32
    row_at: Int32
    first: Int64
    last: Int64
    head: Int64
    line_group: Int32
    line_domain: Int32
    is_due: Int64
    wake: Int64


class ByLimit(NamedTuple):
    """Waiting jobs of a line by (limit, submit, row), for `candidates: shortest`; empty otherwise."""

    bits: Int64
    tiers: Int64
    slot: Int32
    row_at: Int32


class Shapes(NamedTuple):
    """Jobs alike in fence, accepted types and size; causes of waiting are kept per shape.

    `domain_first:domain` lists the domains it may use, `type_first:type_scope` the scopes of the types it
    accepts over all fences. `clock` and `behind` hold 12 cumulative clocks per shape; `cause` is the
    present one (-1 none yet) since `since`; `ahead` the cause of the job that closed the line, for
    cause `order`. `listed` holds the shapes with waiting jobs, `place` where each stands in it.
    """

    of_row: Int32
    gpus: Int32
    group: Int32
    line: Int32
    domain_first: Int32
    domain: Int32
    type_first: Int32
    type_scope: Int32
    waiting: Int64
    clock: Int64
    behind: Int64
    cause: Int64
    ahead: Int64
    fits_in: Int64
    fresh: Int64
    since: Int64
    listed: Int32
    place: Int32


class Runs(NamedTuple):
    """What happens to each job; `cause` holds 12 columns one after the other."""

    length: Int64
    start: Int64
    finish: Int64
    state: Int8
    slice: Int32
    cause: Int64
    class_behind: Int64


class Slices(NamedTuple):
    """GPUs held on one node by one job, chained per job; unused ones form the free chain."""

    node: Int32
    gpus: Int32
    next: Int32


class Plan(NamedTuple):
    """Running jobs of each line by planned end (start + limit); kept only for backfill."""

    first: Int64
    count: Int64
    end: Int64
    row: Int32


class Log(NamedTuple):
    """Recorded placements."""

    row: Int32
    node: Int32
    gpus: Int32


class Domains(NamedTuple):
    """Per domain: the job that closed it (strict) or holds its reservation (EASY), -1 for none.

    `shadow` is the start of the reserved job in ms, -1 while nobody has asked for it. `is_kept` marks
    nodes on which GPUs are set aside, `spare` how many a job may use there that ends later.
    """

    holder: Int64
    shadow: Int64
    is_kept: Int8
    spare: Int32


class Slots(NamedTuple):
    """Slots of waiting jobs under conservative backfill; empty for other disciplines.

    `start` is the slot's start per job (-1: none), `piece` the first of its chained pieces (`node`, `gpus`,
    `next`). `time`, `where` and `delta` are the changes that slots bring to each domain's free GPUs, in
    order of time. `held` counts the slots of a line; `is_early` says that a job of the line finished
    before its planned end since the last pass. `value` and `mark` are scratch per node.
    """

    start: Int64
    piece: Int32
    node: Int32
    gpus: Int32
    next: Int32
    first: Int64
    count: Int64
    time: Int64
    where: Int32
    delta: Int32
    held: Int64
    is_early: Int64
    value: Int32
    mark: Int64


class State(NamedTuple):
    """All tables of a run."""

    clock: Clock
    jobs: Jobs
    places: Places
    levels: Levels
    later: Levels
    offered: Levels
    chosen: Chosen
    heap: Heap
    line: Line
    by_limit: ByLimit
    shapes: Shapes
    runs: Runs
    slices: Slices
    plan: Plan
    log: Log
    domains: Domains
    slots: Slots


CLOCK = jit.table_type(Clock)
LEVELS = jit.table_type(Levels)
PLACES = jit.table_type(Places)
CHOSEN = jit.table_type(Chosen)
HEAP = jit.table_type(Heap)
LINE = jit.table_type(Line)
BY_LIMIT = jit.table_type(ByLimit)
SHAPES = jit.table_type(Shapes)
STATE = jit.table_type(State)
JOBS = jit.table_type(Jobs)

PICK = jit.function_type(jit.INT, LEVELS, PLACES, jit.INT, jit.INT, jit.INTS32)
RANK = jit.FLOAT(JOBS, jit.FLOATS, jit.INT)
RANK_FUNCTION = jit.function_type(jit.FLOAT, JOBS, jit.FLOATS, jit.INT)
