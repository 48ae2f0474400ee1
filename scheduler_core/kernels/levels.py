"""Free GPUs on nodes: what fits, which node to take, taking and giving back.

Every placement rule can place the same gangs; rules differ only in which node they pick. A gang of n
GPUs in a scope whose largest node has g: if n <= g, one node with n free. Else idle nodes whole,
largest size first, lowest numbers first, while what remains is at least that size; what then remains
goes to one other node with as many free. One block with I idle nodes of size g and at most M free
on a partly used node therefore holds exactly the gangs up to I * g + M. A gang of n parts takes the
same number of GPUs on each of n nodes; what is asked for says so above `PART_BITS`.
"""

from scheduler_core.kernels.bits import insert, next_member, remove
from scheduler_core.kernels.jit import INT, INTS, kernel, step
from scheduler_core.kernels.state import (
    BLOCK,
    BLOCK_FIRST,
    BLOCK_NODES,
    BLOCK_SETS,
    BLOCK_SIZE,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    COUNT,
    FREE,
    HAS_PARTS,
    NODE_TIERS,
    NUMBER,
    PART_BITS,
    PICK,
    SCOPE_BLOCK,
    SCOPE_BLOCKS,
    SET_WORDS,
    SETS,
    SKIP,
    TOTAL,
)
from scheduler_core.kernels.tables import Int64

PART_MASK = (1 << PART_BITS) - 1


@step(INT(INTS, INT, INT, INT), inline=True)
def change(m: Int64, which: int, node: int, gpus: int) -> int:
    """Add `gpus` (negative: take away) to the free GPUs of `node`; return what is free then."""
    block = m[m[BLOCK] + node]
    free = m[FREE + which] + node
    before = m[free]
    after = before + gpus
    m[free] = after
    m[m[TOTAL + which] + block] += gpus
    if m[m[BLOCK_NODES] + block] > 1:
        sets = m[m[BLOCK_SETS] + block]
        local = node - m[m[BLOCK_FIRST] + block]
        remove(m, m[SETS + which] + (sets + before) * m[SET_WORDS], local)
        insert(m, m[NODE_TIERS], m[SETS + which] + (sets + after) * m[SET_WORDS], local)
        m[m[COUNT + which] + sets + before] -= 1
        m[m[COUNT + which] + sets + after] += 1
    return after


@step(INT(INTS, INT, INT), inline=True)
def idle_nodes(m: Int64, which: int, block: int) -> int:
    """Return the number of idle nodes of a block."""
    size = m[m[BLOCK_SIZE] + block]
    if m[m[BLOCK_NODES] + block] == 1:
        return 1 if m[m[FREE + which] + m[m[BLOCK_FIRST] + block]] == size else 0
    return m[m[COUNT + which] + m[m[BLOCK_SETS] + block] + size]


@step(INT(INTS, INT, INT), inline=True)
def most_partly_free(m: Int64, which: int, block: int) -> int:
    """Return the most free GPUs on a node of a block that is not idle."""
    size = m[m[BLOCK_SIZE] + block]
    if m[m[BLOCK_NODES] + block] == 1:
        free = m[m[FREE + which] + m[m[BLOCK_FIRST] + block]]
        return free if free < size else 0
    for free in range(size - 1, 0, -1):
        if m[m[COUNT + which] + m[m[BLOCK_SETS] + block] + free] > 0:
            return free
    return 0


@step(INT(INTS, INT, INT), inline=True)
def free_in(m: Int64, which: int, scope: int) -> int:
    """Return the free GPUs of a scope, however they lie."""
    free = 0
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        free += m[m[TOTAL + which] + m[m[SCOPE_BLOCK] + entry]]
    return free


@step(INT(INTS, INT, INT, INT))
def left_for_one(m: Int64, which: int, scope: int, gpus: int) -> int:
    """Return what idle nodes taken whole leave of a gang of `gpus` larger than any node; 0 if it is sure to fit."""
    rest = gpus
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        idle = idle_nodes(m, which, block)
        whole = min(idle, rest // size)
        rest -= whole * size
        if rest < size and whole < idle:
            return 0
    return rest


@step(INT(INTS, INT, INT, INT))
def fits_in_parts(m: Int64, which: int, scope: int, ask: int) -> int:
    """Return 1 if as many nodes of `scope` as `ask` has parts have enough GPUs free each, else 0."""
    missing, gpus = ask >> PART_BITS, ask & PART_MASK
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        if m[m[BLOCK_NODES] + block] == 1:
            missing -= 1 if m[m[FREE + which] + m[m[BLOCK_FIRST] + block]] >= gpus else 0
        else:
            sets = m[COUNT + which] + m[m[BLOCK_SETS] + block]
            for free in range(gpus, m[m[BLOCK_SIZE] + block] + 1):
                missing -= m[sets + free]
        if missing <= 0:
            return 1
    return 0


@step(INT(INTS, INT, INT, INT), inline=True)
def fits(m: Int64, which: int, scope: int, gpus: int) -> int:
    """Return 1 if a gang of `gpus`, or of the parts that it says, can be placed in `scope` now, else 0."""
    if m[HAS_PARTS] == 1 and gpus >> PART_BITS > 0:
        return fits_in_parts(m, which, scope, gpus)
    first, last = m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]
    block = m[m[SCOPE_BLOCK] + first]
    if last - first == 1 and m[m[BLOCK_NODES] + block] == 1:
        return 1 if m[m[FREE + which] + m[m[BLOCK_FIRST] + block]] >= gpus else 0
    rest = gpus
    if gpus > m[m[BLOCK_SIZE] + block]:
        rest = left_for_one(m, which, scope, gpus)
    for entry in range(first, last):
        block = m[m[SCOPE_BLOCK] + entry]
        if rest == gpus and m[m[BLOCK_SIZE] + block] >= gpus and idle_nodes(m, which, block) > 0:
            return 1
        if most_partly_free(m, which, block) >= rest:
            return 1
    return 0


@kernel(INT(INTS, INT, INT, INT))
def can_place(m: Int64, which: int, scope: int, gpus: int) -> int:
    """Return what `fits` returns; the entry for Python."""
    return fits(m, which, scope, gpus)


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def first_at(m: Int64, which: int, block: int, free: int, size: int) -> int:
    """Return the lowest node of `block` with exactly `free` GPUs free, past the idle ones skipped, or -1."""
    start = m[m[SKIP] + block] if free == size else 0
    if m[m[BLOCK_NODES] + block] == 1:
        node = m[m[BLOCK_FIRST] + block]
        return node if start == 0 and m[m[FREE + which] + node] == free else -1
    sets = m[m[BLOCK_SETS] + block] + free
    if m[m[COUNT + which] + sets] == 0:
        return -1
    local = next_member(m, m[NODE_TIERS], m[SETS + which] + sets * m[SET_WORDS], start)
    return m[m[BLOCK_FIRST] + block] + local if local >= 0 else -1


@step(INT(INTS, INT, INT, INT))
def lowest_in(m: Int64, which: int, scope: int, need: int) -> int:
    """Return the node with the lowest number that has `need` GPUs free, or -1."""
    best = -1
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        for free in range(need, size + 1):
            node = first_at(m, which, block, free, size)
            if node >= 0 and (best < 0 or m[m[NUMBER] + node] < m[m[NUMBER] + best]):
                best = node
    return best


@kernel(INT(INTS, INT, INT, INT))
def lowest_node(m: Int64, which: int, scope: int, need: int) -> int:
    """Return what `lowest_in` returns; a placement rule."""
    return lowest_in(m, which, scope, need)


@kernel(INT(INTS, INT, INT, INT))
def tightest_node(m: Int64, which: int, scope: int, need: int) -> int:
    """Return the node with the fewest free GPUs that has `need` (ties: lowest number), or -1."""
    best, best_free = -1, 0
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        for free in range(need, size + 1):
            node = first_at(m, which, block, free, size)
            if node >= 0:
                is_better = best < 0 or free < best_free
                if is_better or (free == best_free and m[m[NUMBER] + node] < m[m[NUMBER] + best]):
                    best, best_free = node, free
                break
    return best


@kernel(INT(INTS, INT, INT, INT))
def emptiest_node(m: Int64, which: int, scope: int, need: int) -> int:
    """Return the node with the most free GPUs if it has `need` (ties: lowest number), or -1."""
    best, best_free = -1, 0
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        for free in range(size, need - 1, -1):
            node = first_at(m, which, block, free, size)
            if node >= 0:
                is_better = best < 0 or free > best_free
                if is_better or (free == best_free and m[m[NUMBER] + node] < m[m[NUMBER] + best]):
                    best, best_free = node, free
                break
    return best


@step(INT(INTS, INT, PICK, INT, INT))
def choose_several(m: Int64, which: int, pick_rest: object, scope: int, gpus: int) -> int:
    """Choose whole idle nodes, and one node for the rest, for a gang larger than any node."""
    if fits(m, which, scope, gpus) == 0:
        return 0
    first, last = m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]
    rest = gpus
    taken = 0
    for entry in range(first, last):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        while rest >= size:
            node = first_at(m, which, block, size, size)
            if node < 0:
                break
            m[m[CHOSEN_NODE] + taken] = node
            m[m[CHOSEN_GPUS] + taken] = size
            taken += 1
            rest -= size
            m[m[SKIP] + block] = node - m[m[BLOCK_FIRST] + block] + 1
    if rest > 0:
        m[m[CHOSEN_NODE] + taken] = pick_rest(m, which, scope, rest)  # type: ignore[operator]
        m[m[CHOSEN_GPUS] + taken] = rest
        taken += 1
    for entry in range(first, last):
        m[m[SKIP] + m[m[SCOPE_BLOCK] + entry]] = 0
    return taken


@step(INT(INTS, INT, PICK, INT, INT))
def choose_in_parts(m: Int64, which: int, pick_node: object, scope: int, ask: int) -> int:
    """Choose one node after the other, in the order of the rule, for the parts of a gang; return how many.

    A chosen node offers nothing until all are chosen; then everything is as it was.
    """
    if fits_in_parts(m, which, scope, ask) == 0:
        return 0
    n_parts, gpus = ask >> PART_BITS, ask & PART_MASK
    for at in range(n_parts):
        node = pick_node(m, which, scope, gpus)  # type: ignore[operator]
        m[m[CHOSEN_NODE] + at] = node
        m[m[CHOSEN_GPUS] + at] = m[m[FREE + which] + node]
        change(m, which, node, -m[m[CHOSEN_GPUS] + at])
    for at in range(n_parts):
        change(m, which, m[m[CHOSEN_NODE] + at], m[m[CHOSEN_GPUS] + at])
        m[m[CHOSEN_GPUS] + at] = gpus
    return n_parts


@step(INT(INTS, INT, PICK, PICK, INT, INT), inline=True)
def choose(m: Int64, which: int, pick_node: object, pick_rest: object, scope: int, gpus: int) -> int:
    """Choose nodes for a gang of `gpus`, or of the parts that it says, by the rule, without taking them.

    Returns
    -------
    int
        Number of nodes written to CHOSEN_NODE and CHOSEN_GPUS, 0 if the gang cannot be placed.
    """
    if m[HAS_PARTS] == 1 and gpus >> PART_BITS > 0:
        return choose_in_parts(m, which, pick_node, scope, gpus)
    first, last = m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]
    block = m[m[SCOPE_BLOCK] + first]
    if gpus > m[m[BLOCK_SIZE] + block]:
        return choose_several(m, which, pick_rest, scope, gpus)
    if last - first == 1 and m[m[BLOCK_NODES] + block] == 1:
        node = m[m[BLOCK_FIRST] + block]
        if m[m[FREE + which] + node] < gpus:
            return 0
    else:
        node = pick_node(m, which, scope, gpus)  # type: ignore[operator]
        if node < 0:
            return 0
    m[m[CHOSEN_NODE]] = node
    m[m[CHOSEN_GPUS]] = gpus
    return 1


@step(INT(INTS, INT, INT, INT))
def copy_domain(m: Int64, source: int, target: int, domain: int) -> int:
    """Copy the free GPUs of one domain; return the blocks copied."""
    for entry in range(m[m[SCOPE_BLOCKS] + domain], m[m[SCOPE_BLOCKS] + domain + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        first = m[m[BLOCK_FIRST] + block]
        for node in range(first, first + m[m[BLOCK_NODES] + block]):
            m[m[FREE + target] + node] = m[m[FREE + source] + node]
        m[m[TOTAL + target] + block] = m[m[TOTAL + source] + block]
        if m[m[BLOCK_NODES] + block] > 1:
            sets = m[m[BLOCK_SETS] + block]
            last = sets + m[m[BLOCK_SIZE] + block] + 1
            for at in range(sets, last):
                m[m[COUNT + target] + at] = m[m[COUNT + source] + at]
            for at in range(sets * m[SET_WORDS], last * m[SET_WORDS]):
                m[m[SETS + target] + at] = m[m[SETS + source] + at]
    return m[m[SCOPE_BLOCKS] + domain + 1] - m[m[SCOPE_BLOCKS] + domain]
