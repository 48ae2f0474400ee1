"""The memory of one run: everything the event loop reads and writes, in one int64 array.

A kernel gets the whole state as one array `m`. Its head holds scalars, such as the time `m[NOW]`, and
where each column begins, so that `m[m[START] + row]` is the start of job `row`. (Passing eighty columns
from kernel to kernel instead made every call cost a hundred nanoseconds and compiling take minutes:
docs/decisions/0006-one-array.md.) Python never touches `m` by hand: `Memory` (kernels/memory.py) lays
it out and gives columns back as views.

Index words: `row` a job, `node` an internal node number, `block` equal nodes of one domain, `domain`
the pools of one GPU type inside one fence, `scope` a list of blocks (a domain, or all pools of a type),
`line` the jobs of one fence, `shape` jobs that no placement can tell apart, `group` jobs kept in one order.
"""

from scheduler_core.kernels import jit
from scheduler_core.kernels.tables import Jobs

_HEAD = iter(range(1_000))

# ---- scalars that change ----------------------------------------------------------------------------
NOW = next(_HEAD)
NEXT_ROW = next(_HEAD)  # the first job that is not submitted yet
HEAP_SIZE = next(_HEAD)
SEQUENCE = next(_HEAD)  # jobs started so far
FREE_SLICE = next(_HEAD)  # first of the chain of unused slices
FREE_PIECE = next(_HEAD)  # first of the chain of unused pieces of slots
EVENTS = next(_HEAD)
LAST_STEP = next(_HEAD)  # the last change of the order in ms
STEPS_TO = next(_HEAD)  # steps of the order up to this time in ms have come
N_WAITING, N_LISTED = next(_HEAD), next(_HEAD)  # jobs in line; shapes with waiting jobs
PINNED_FIRST, PINNED_LAST = next(_HEAD), next(_HEAD)  # the jobs with pins, in the order of their decisions
BACK_FIRST = next(_HEAD)  # jobs that came back to their lines in this instant
N_EVICTIONS = next(_HEAD)
COLLECT_FIRST, COLLECT_LAST = next(_HEAD), next(_HEAD)  # gangs that collect, in the order of their first members
AWAY_SIZE = next(_HEAD)  # jobs that gave up and are to return
N_IDLE = next(_HEAD)  # stretches of time in which gangs held GPUs and did not run
N_GONE, N_SORTED = next(_HEAD), next(_HEAD)  # jobs that a decision under way counts as gone; candidates left
IS_BLOCKED = next(_HEAD)  # somebody was blocked in this pass
IS_FULL = next(_HEAD)  # there was no room left to write down an eviction
IS_DONE = next(_HEAD)
IS_RESUMED = next(_HEAD)  # the policy has just changed: there is a pass now, whatever else happens
MARK = next(_HEAD)  # counts windows looked at, so that scratch need not be cleared
N_CHOSEN = next(_HEAD)
N_TRIES = next(_HEAD)  # groups that may still have a job that starts in this pass
IS_CHANGED = next(_HEAD)  # something a cause of waiting depends on, other than free GPUs, since causes were last given
IS_ROOM_CHANGED = next(_HEAD)  # GPUs were taken or given back since then
ROOM_LOW, ROOM_HIGH = next(_HEAD), next(_HEAD)  # as long as so many GPUs are free, the same waiting gangs fit
NEWCOMER = next(_HEAD)  # a job that is tried before it stands in line, -1 for none
IS_DECISION = next(_HEAD)  # ranks and evictions are decided now; between rounds they are not
HAS_NEWS = next(_HEAD)  # something ran or came since the last round, so that the next may change something
PROMOTE_AT = next(_HEAD)  # no waiting job is promoted before this time in ms
IS_OPEN = next(_HEAD)  # elastic jobs offered now come
N_CAME, N_BEGUN = next(_HEAD), next(_HEAD)  # jobs of their tenant that came, and that started
N_PASSED, N_SHORT = next(_HEAD), next(_HEAD)  # starts that lie too far back; of the others, those after a short wait

# ---- scalars that do not ----------------------------------------------------------------------------
END_MS = next(_HEAD)
jit.keep_from(END_MS)
IS_SUBMIT_FIRST = next(_HEAD)
IS_PASS_PER_EVENT = next(_HEAD)
DISCIPLINE, DEPTH, IS_SHORTEST_FIRST = next(_HEAD), next(_HEAD), next(_HEAD)
IS_RECOMPUTED, IS_COUNTED, IS_RECORDING = next(_HEAD), next(_HEAD), next(_HEAD)
WINDOW_FIRST, WINDOW_LAST = next(_HEAD), next(_HEAD)  # jobs submitted in the window are a run of rows
N_JOBS = next(_HEAD)
N_KEPT = next(_HEAD)  # causes that the mechanisms of this run can give
N_LINES, N_DOMAINS, N_TYPES = next(_HEAD), next(_HEAD), next(_HEAD)
SET_WORDS = next(_HEAD)  # words of one set of nodes
N_LEAVES = next(_HEAD)  # tenants that jobs belong to, 0 where no quota is tested
N_SHARES, N_WINDOWS = next(_HEAD), next(_HEAD)  # reserved shares; windows on nodes
IS_BY_SHAPE = next(_HEAD)  # groups are shapes, many: those with waiting jobs are listed
ORDER_KIND = next(_HEAD)  # BY_RANK, BY_KEY, BY_SHARE, BY_MEMBER
STEP_MS = next(_HEAD)  # the order changes at its multiples, 0 for never
IS_HOLD = next(_HEAD)  # a job stopped by its quota holds up its tenant
IS_EACH_DUE = next(_HEAD)  # any submission may let somebody start, or hold up others
IS_TURN_BASED = next(_HEAD)  # an answer may change within a pass: jobs are asked in rank order, never before
DIRECT = next(_HEAD)  # when a job that comes alone may be tried first: NOT_DIRECT, TO_NOBODY, PAST_REFUSED
IS_ONE_ROOM = next(_HEAD)  # all GPUs are one counted domain, and nothing but them and the order decides who starts
HEAP_ROOM = next(_HEAD)  # entries the heap has room for
HAS_STAYS = next(_HEAD)  # jobs may leave and come back, or save their work
SCOPES = next(_HEAD)  # whom a job may evict, a bit each in the order of REASONS
MIN_GAP = next(_HEAD)
VICTIMS = next(_HEAD)  # who goes first: BY_LEVEL, BY_BUCKET, BY_LOSS
GRACE_MS, MIN_RUN_MS, IS_PINNING, PIN_MS = next(_HEAD), next(_HEAD), next(_HEAD), next(_HEAD)
IS_SUSPENDING = next(_HEAD)  # victims stand still and keep their GPUs
HAS_PAUSES = next(_HEAD)  # they did, do or will under some policy of the run
IS_KILLING = next(_HEAD)  # jobs are ended at their limits
IS_QUOTA = next(_HEAD)  # quotas are tested
N_SHAPES = next(_HEAD)
N_LEVELS = next(_HEAD)  # priorities that occur
N_BUCKETS = next(_HEAD)
N_LISTS = next(_HEAD)  # lists of running jobs a line and bucket: one a tenant where quotas are tested, else one
MOST_EVICTIONS, MOST_IDLE = next(_HEAD), next(_HEAD)  # room for them
COLLECT_MS = next(_HEAD)  # how long a gang holds its first members while it waits for the others, 0 if it never does
REQUEUE = next(_HEAD)  # which submit time a job ranks by that comes back: KEEP_SUBMIT, BY_TOLD, BY_LEFT
IS_MOVING = next(_HEAD)  # a job that comes back may rank elsewhere than before
KEY_SLOPE = next(_HEAD)  # what a ms of later submit adds to JOB_KEY
LIVE_KEY = next(_HEAD)  # what a key says about work received: FIXED, TIME_LEFT, SERVICE_LEFT, TIME_HAD, SERVICE_HAD
N_THRESHOLDS = next(_HEAD)  # of work received, at each of which a job ranks one queue lower
PROMOTE_MILLI = next(_HEAD)  # thousandths of its work that a job waits until that work is forgotten, 0 for never
IS_BY_MEMBER = next(_HEAD)  # jobs of one group pass each other: its list is sorted when a pass begins
EVERY_MS = next(_HEAD)  # time between two rounds, 0 if every pass decides
IS_FILLING = next(_HEAD)  # passes go on between rounds
IS_KEEPING = next(_HEAD)  # keys change, and between rounds a job keeps the one it had at the last
HAS_PARTS = next(_HEAD)  # some gangs ask for equal parts, each on a node of its own
OFFER_MS = next(_HEAD)  # time between offers of elastic jobs, 0 where there are none
WATCH_MS = next(_HEAD)  # how far back starts count for them
SHORT_MS = next(_HEAD)  # a wait below this is short
LEAST_FREE_GPUS = next(_HEAD)  # quota that must be free for them, 0 where waits decide
OFFER_LEAF = next(_HEAD)  # their tenant

# ---- columns: where each begins ----------------------------------------------------------------------
FIRST_COLUMN = next(_HEAD)
# Jobs: what was asked, what happens, one entry a row, N_KEPT in WAIT.
SUBMIT = FIRST_COLUMN
RUNTIME = next(_HEAD)
LIMIT = next(_HEAD)  # planned length, at least 1 ms
JOB_CLASS = next(_HEAD)
JOB_PRIORITY = next(_HEAD)
JOB_WEIGHT = next(_HEAD)  # of its tenant, in units of 1e-9
SHAPE = next(_HEAD)
RANK = next(_HEAD)  # place in the order of the whole table
SLOT = next(_HEAD)  # place in the order of its group; groups are runs of slots
LENGTH = next(_HEAD)  # what it will hold its GPUs for
START = next(_HEAD)
FINISH = next(_HEAD)
JOB_STATE = next(_HEAD)
JOB_SLICE = next(_HEAD)  # first of the slices it holds, -1 for none
WAIT = next(_HEAD)
CLASS_BEHIND = next(_HEAD)  # 12 per class
KEPT = next(_HEAD)  # which causes have a column in WAIT
ELASTIC_ROLE = next(_HEAD)  # 0, OWN_ROLE for a job of the tenant of elastic jobs, OFFERED_ROLE for one of these
BEGUN_ROW = next(_HEAD)  # jobs of that tenant in the order of their first starts
# The waiting line: one bit set over slots (kernels/bits.py); the heads of groups; what each line owns.
ROW_AT = next(_HEAD)  # job of each slot
LINE_BITS = next(_HEAD)
LINE_TIERS = next(_HEAD)
GROUP_FIRST = next(_HEAD)
GROUP_LAST = next(_HEAD)
HEAD = next(_HEAD)  # first waiting slot of a group, -1 when it is empty; not in LINE_BITS
HEAD_ROW = next(_HEAD)  # its job
IN_GROUP = next(_HEAD)  # waiting jobs of a group
# Jobs that came back and rank elsewhere (engine/returned.py): a list a group, in rank order; the next in a pass of
# both kinds. The other jobs of a group are in its bit set.
JOB_KEY = next(_HEAD)  # what a job ranks by, the smallest first; ties fall to QUEUED_AT, then to the row
QUEUED_AT = next(_HEAD)  # submit time for rank and aging in ms
THRESHOLD = next(_HEAD)  # in ms or GPU-ms, as LIVE_KEY says
IS_RETURNED = next(_HEAD)
RETURNED_FIRST, RETURNED_LAST = next(_HEAD), next(_HEAD)
RETURNED_NEXT, RETURNED_BEFORE = next(_HEAD), next(_HEAD)
TRY_FRESH, TRY_RETURNED = next(_HEAD), next(_HEAD)
# Groups by shape: per line, from LINE_GROUPS on, the groups with waiting jobs, those of them that got their
# first job since the last pass, and those that may still fit in this pass.
BUSY_GROUP = next(_HEAD)
BUSY_AT = next(_HEAD)  # place of a group among the busy ones
N_BUSY = next(_HEAD)
NEW_GROUP = next(_HEAD)
N_NEW = next(_HEAD)
TRIED_GROUP = next(_HEAD)
TRY_ROW = next(_HEAD)  # the job of a group that is asked next in this pass
PARKED = next(_HEAD)  # why it is not asked again in this pass, unless its answer changes
REFUSED_IN = next(_HEAD)  # domains (bits) open when a reserved share kept its first job waiting in the last pass
GROUP_KEY = next(_HEAD)  # of its first job, where the order changes with time; the smallest first
LINE_GROUPS = next(_HEAD)  # where the groups of each line begin
LINE_DOMAINS = next(_HEAD)
IS_DUE = next(_HEAD)  # what touched the line since its last pass: 0 nothing, JOINED, FREED
WAKE = next(_HEAD)  # the first start among the slots of a line
# The same jobs by (limit, submit, row), for `candidates: shortest`.
LIMIT_SLOT, LIMIT_ROW_AT, LIMIT_BITS = next(_HEAD), next(_HEAD), next(_HEAD)
# Shapes: what they ask, what they may use, and their clocks of waiting (12 each).
SHAPE_GPUS = next(_HEAD)
SHAPE_ASK = next(_HEAD)  # what a placement rule is asked for: its GPUs, or parts << PART_BITS | GPUs of each
SHAPE_GROUP = next(_HEAD)
SHAPE_LINE = next(_HEAD)
SHAPE_DOMAINS = next(_HEAD)  # where the domains of each shape begin in SHAPE_DOMAIN
SHAPE_DOMAIN = next(_HEAD)
SHAPE_TYPES = next(_HEAD)  # where the scopes of the types it accepts, fences aside, begin in SHAPE_TYPE
SHAPE_TYPE = next(_HEAD)
SHAPE_OTHERS = next(_HEAD)  # where the scopes of the types it does not accept begin in SHAPE_OTHER
SHAPE_OTHER = next(_HEAD)
WAITING = next(_HEAD)  # jobs
CLOCKS = next(_HEAD)
BEHIND = next(_HEAD)
CAUSE = next(_HEAD)  # the present one, -1 for none yet
AHEAD = next(_HEAD)  # for cause `order`: the cause of the job that closed the line
FITS_IN = next(_HEAD)
FRESH = next(_HEAD)
SINCE = next(_HEAD)
LISTED = next(_HEAD)
LISTED_AT = next(_HEAD)
SHAPE_LEAF = next(_HEAD)  # tenant whose quota is tested, -1 for none
SHAPE_SHARES = next(_HEAD)  # reserved shares it belongs to, one bit each
# Tenants that jobs belong to, then those above them, then the root (engine/quotas.py), in GPUs.
TENANT_ABOVE = next(_HEAD)
TENANT_NOMINAL = next(_HEAD)
TENANT_KEEP = next(_HEAD)
TENANT_BORROW = next(_HEAD)
TENANT_CAP = next(_HEAD)
TENANT_USE = next(_HEAD)
TENANT_WANT = next(_HEAD)
TENANT_HELD = next(_HEAD)  # the job that holds up the others, -1 for none
TENANT_LINE = next(_HEAD)
TENANT_KEY = next(_HEAD)  # orders by tenant: the smallest first
TENANT_DUE = next(_HEAD)  # by which its use is divided where shares are compared, the bits of a float64
TENANT_QUEUED = next(_HEAD)  # GPUs that its waiting jobs ask for
TENANT_METER = next(_HEAD)  # GPU-ms held up to ...
TENANT_SINCE = next(_HEAD)  # ... this time in ms
TENANT_READ = next(_HEAD)  # the meter at the last step
TENANT_GUARANTEE = next(_HEAD)
TENANT_DEPTH = next(_HEAD)  # tenants above it, the root not counted
TENANT_GPUS = next(_HEAD)  # of its fence
# Reserved shares, one entry a share and line.
SHARE_GPUS, SHARE_USE, SHARE_WAITING = next(_HEAD), next(_HEAD), next(_HEAD)
WINDOW_OPENS, WINDOW_CLOSES, WINDOW_NODES, WINDOW_NODE = (next(_HEAD) for _ in range(4))  # nodes kept for a band
IN_BANDS, NODE_BARRED, SHAPE_ROW = (next(_HEAD) for _ in range(3))  # bits, one a window; GPUs hidden, or -1; a job
# Nodes, blocks of equal nodes, scopes over blocks.
NUMBER = next(_HEAD)  # in the document
BLOCK = next(_HEAD)
DOMAIN = next(_HEAD)
BLOCK_FIRST = next(_HEAD)
BLOCK_NODES = next(_HEAD)
BLOCK_SIZE = next(_HEAD)
BLOCK_SETS = next(_HEAD)  # its first set of nodes; one set per number of free GPUs
NODE_TIERS = next(_HEAD)
SCOPE_BLOCKS = next(_HEAD)
SCOPE_BLOCK = next(_HEAD)
TYPE_SCOPE = next(_HEAD)
# Free GPUs, four times: for whom nothing is kept now, at a later time, as offered to a job that ends late, and all.
FREE = next(_HEAD)
FREE_LATER, FREE_OFFERED, FREE_ACTUAL = next(_HEAD), next(_HEAD), next(_HEAD)
SETS = next(_HEAD)  # nodes with exactly f free, one bit set per block and f
SETS_LATER, SETS_OFFERED, SETS_ACTUAL = next(_HEAD), next(_HEAD), next(_HEAD)
COUNT = next(_HEAD)  # members of each set
COUNT_LATER, COUNT_OFFERED, COUNT_ACTUAL = next(_HEAD), next(_HEAD), next(_HEAD)
TOTAL = next(_HEAD)  # free GPUs per block
TOTAL_LATER, TOTAL_OFFERED, TOTAL_ACTUAL = next(_HEAD), next(_HEAD), next(_HEAD)
# The gang being placed.
CHOSEN_NODE = next(_HEAD)
CHOSEN_GPUS = next(_HEAD)
SKIP = next(_HEAD)  # per block, idle nodes already spoken for
# Coming finishes; GPUs held per job and node; running jobs of a line by planned end; placements.
HEAP_TIME = next(_HEAD)
HEAP_TICKET = next(_HEAD)
SLICE_NODE = next(_HEAD)
SLICE_GPUS = next(_HEAD)
SLICE_NEXT = next(_HEAD)
PLAN_FIRST = next(_HEAD)
PLAN_COUNT = next(_HEAD)
PLAN_END = next(_HEAD)
PLAN_ROW = next(_HEAD)
LOG_FIRST = next(_HEAD)  # where the nodes of a job are written down; a later start overwrites them
LOG_COUNT = next(_HEAD)
LOG_SEQUENCE = next(_HEAD)
LOG_NODE = next(_HEAD)
LOG_GPUS = next(_HEAD)
# Strict: the job that closed a domain. EASY: the job that holds its reservation, and the reservation.
HOLDER = next(_HEAD)
SHADOW = next(_HEAD)  # its start in ms, -1 while nobody has asked for it
IS_KEPT = next(_HEAD)  # nodes on which GPUs are set aside ...
SPARE = next(_HEAD)  # ... and how many a job that ends later may use there
# Conservative: slots of jobs, their pieces per node, and the changes they bring to each domain.
SLOT_START = next(_HEAD)
SLOT_PIECE = next(_HEAD)
PIECE_NODE = next(_HEAD)
PIECE_GPUS = next(_HEAD)
PIECE_NEXT = next(_HEAD)
CHANGE_FIRST = next(_HEAD)
CHANGE_COUNT = next(_HEAD)
CHANGE_TIME = next(_HEAD)
CHANGE_NODE = next(_HEAD)
CHANGE_DELTA = next(_HEAD)
HELD = next(_HEAD)  # slots of a line
IS_EARLY = next(_HEAD)  # a job of the line finished before its planned end since the last pass
VALUE = next(_HEAD)
NODE_MARK = next(_HEAD)
# Stays of jobs on their GPUs (docs/model.md, 15): of this one, and what is kept from those before.
BEGAN = next(_HEAD)  # latest start in ms
N_STAYS = next(_HEAD)
BEFORE = next(_HEAD)  # work saved when it began, in ms
KEEPS = next(_HEAD)  # work saved when it ends
WORKED = next(_HEAD)  # work done in those before, lost work included, since it was last promoted, in ms
IS_CUT = next(_HEAD)  # it will be ended at its limit
SEQUENCE_OF = next(_HEAD)  # which entry of the heap is its own; others are out of date
TOLD = next(_HEAD)  # when it was told to leave, -1 for never
LEAVES = next(_HEAD)
EVICTOR = next(_HEAD)
EVICTION = next(_HEAD)  # where that is written down
LEFT = next(_HEAD)  # when it last left its GPUs
REQUEUE_WAIT = next(_HEAD)
DECIDED = next(_HEAD)  # when it last decided to evict somebody
IS_COUNTING = next(_HEAD)  # its waiting clocks run
BACK_NEXT = next(_HEAD)
IS_BACK = next(_HEAD)
CLASS_EVERY = next(_HEAD)  # work between two saves in ms, 0 for no saves
CLASS_COST = next(_HEAD)
CLASS_SAVE = next(_HEAD)  # what a periodic save takes: the cost, but 0 where run times are wall times
CLASS_RESTART = next(_HEAD)
# Running jobs that may be evicted: a list a line, tenant and bucket, in the order of victims, latest start first.
RUN_FIRST = next(_HEAD)
RUN_NEXT, RUN_BEFORE = next(_HEAD), next(_HEAD)
BUCKET = next(_HEAD)  # its list, -1 while it is in none
BUCKET_OF = next(_HEAD)  # the bucket of a job
LEVEL_OF = next(_HEAD)  # the level of a job's priority
LEVEL_PRIORITY = next(_HEAD)
LEVEL_GPUS = next(_HEAD)  # GPUs of these jobs, per line, tenant and level
LIST_GPUS = next(_HEAD)  # GPUs of these jobs, per line and tenant
# Where keys change while jobs run: none of a list ranks after this key and queueing time, until then in ms.
LAST_KEY, LAST_QUEUED, LAST_UNTIL = next(_HEAD), next(_HEAD), next(_HEAD)
CURSOR, CURSOR_LAST = next(_HEAD), next(_HEAD)  # a decision under way: the next victim of each tenant, its last bucket
BIGGEST = next(_HEAD)  # GPUs of the biggest job of each tenant
IS_SAFE = next(_HEAD)  # a job that nobody may evict
# Jobs in grace, a list a line; GPUs they hold, per line, block, node, tenant.
LEAVE_FIRST = next(_HEAD)
LEAVE_NEXT, LEAVE_BEFORE = next(_HEAD), next(_HEAD)
LINE_LEAVING = next(_HEAD)
BLOCK_LEAVING = next(_HEAD)
NODE_LEAVING = next(_HEAD)
TENANT_LEAVING = next(_HEAD)
TENANT_TAKEN = next(_HEAD)  # what a decision under way takes from it, without jobs in grace
TENANT_PINNED = next(_HEAD)  # in its use, but held by nobody
# Jobs that stand still, a list a line; how long each did in this stay, and since when it does, -1 if it works.
STOP_FIRST, STOP_NEXT, STOP_BEFORE = next(_HEAD), next(_HEAD), next(_HEAD)
IDLE_MS, STOPPED = next(_HEAD), next(_HEAD)
KILLED_AT = next(_HEAD)  # when its limit ends it, NEVER where limits end nobody
IS_SPENT = next(_HEAD)  # it had others suspended, and asks no more
# Pins: GPUs kept per node and block, those of each job in pieces.
NODE_PINNED = next(_HEAD)
BLOCK_PINNED = next(_HEAD)
PIN_PIECE, PIN_UNTIL = next(_HEAD), next(_HEAD)
PIN_NEXT, PIN_BEFORE = next(_HEAD), next(_HEAD)
# A decision under way: who counts as gone, why, and what that frees per node.
GONE_ROW = next(_HEAD)
GONE_WHY = next(_HEAD)
NODE_FREED = next(_HEAD)
NODE_LEFT = next(_HEAD)
SORTED_ROW, SORTED_KEY = next(_HEAD), next(_HEAD)
# Evictions, in the order of their decisions.
EVICTED_ROW = next(_HEAD)
EVICTED_FOR = next(_HEAD)
EVICTED_WHY = next(_HEAD)
EVICTED_TOLD = next(_HEAD)
EVICTED_BEGAN = next(_HEAD)
EVICTED_BEFORE = next(_HEAD)
EVICTED_KEEPS = next(_HEAD)
EVICTED_LOST = next(_HEAD)  # GPU-ms
EVICTED_LEFT = next(_HEAD)  # -1 while in grace
# Gangs that collect (engine/members_held.py): a list; what they hold per slice and block; those that gave up.
COLLECT_NEXT, COLLECT_BEFORE = next(_HEAD), next(_HEAD)
COLLECT_UNTIL = next(_HEAD)  # when it gives up, in ms
COLLECT_DOMAIN = next(_HEAD)
N_MEMBERS = next(_HEAD)  # how many it has, 0 while it has none
GROUP_COLLECTING = next(_HEAD)  # of a group, how many collect
SLICE_SINCE = next(_HEAD)  # since when, in ms
BLOCK_HELD = next(_HEAD)
AWAY_TIME, AWAY_TICKET = next(_HEAD), next(_HEAD)  # a heap of returns, the row as ticket
AWAY_SINCE = next(_HEAD)  # -1 for a job that stands in line
AWAY_MS = next(_HEAD)  # time away so far
N_AWAY = next(_HEAD)  # how often it gave up
BACKOFF = next(_HEAD)  # N_BACKOFFS a job, in ms
# What gangs held while they did not run, in the order in which that ended.
IDLE_ROW, IDLE_SINCE, IDLE_UNTIL, IDLE_GPUS = next(_HEAD), next(_HEAD), next(_HEAD), next(_HEAD)
HEAD_SIZE = next(_HEAD)

LIVE, LATER, OFFERED, ACTUAL = range(4)
"""Which of the free-GPU tables; added to FREE, SETS, COUNT and TOTAL. ACTUAL differs from LIVE by what pins keep."""

NOT_DIRECT, TO_NOBODY, PAST_REFUSED = range(3)
"""A job that comes alone is tried before it stands in line: never, if nobody waits, if nobody who waits can start."""
BY_RANK, BY_KEY, BY_SHARE, BY_MEMBER = range(4)
"""What decides who is first: a fixed rank, a key of the job that changes with time, a key of its tenant, or a key that
changes and by which jobs of one group pass each other."""
STRICT, BEST_EFFORT, EASY, CONSERVATIVE = range(4)
OWN_QUEUE, BORROWERS, FAIR_SHARE, FROM_RESERVE, BY_ORDER = (1 << at for at in range(5))
"""Bits of SCOPES."""
BY_LEVEL, BY_BUCKET, BY_LOSS, BY_KEY_LAST = range(4)
"""Victims in the order of their lists, which may be one a priority, by what is lost, or the last in the order first."""
FIXED, TIME_LEFT, SERVICE_LEFT, TIME_HAD, SERVICE_HAD = range(5)
"""Keys that running does not change; work left, in ms or in GPU-ms; thresholds reached by work done, likewise."""
KEEP_SUBMIT, BY_TOLD, BY_LEFT = range(3)
"""What a job that comes back ranks by: its submit time, when it was told to leave, or when it left."""
JOINED, FREED = 1, 2  # a line with new jobs at the head of a group; one whose jobs gave back GPUs
OWN_ROLE, OFFERED_ROLE = 1, 2
PART_BITS = 32
N_BACKOFFS = 8
"""Back-offs drawn for each job; it uses them in turn."""
ALL = 1 << 60  # a depth without bound
NEVER = 1 << 62  # a time that does not come
UNSET = NEVER  # the key of a job that came since the last round and was not looked at yet

MORE, DONE, FULL, NOT_PLAIN = range(4)
"""What the loop returns: stopped at the event budget, at the end, or for want of room for evictions."""

INTS = jit.INTS
JOBS = jit.table_type(Jobs)
PICK = jit.function_type(jit.INT, INTS, jit.INT, jit.INT, jit.INT)
RANK_SIGNATURE = jit.FLOAT(JOBS, jit.FLOATS, jit.INT)
RANK_FUNCTION = jit.function_type(jit.FLOAT, JOBS, jit.FLOATS, jit.INT)
KEY_SIGNATURE = jit.FLOAT(jit.FLOATS, jit.FLOAT, jit.FLOAT, jit.FLOAT, jit.FLOAT, jit.FLOAT)
KEY = jit.function_type(jit.FLOAT, jit.FLOATS, jit.FLOAT, jit.FLOAT, jit.FLOAT, jit.FLOAT, jit.FLOAT)
SHARE_SIGNATURE = jit.INT(INTS, jit.FLOATS, jit.INT)
SHARE = jit.function_type(jit.INT, INTS, jit.FLOATS, jit.INT)
