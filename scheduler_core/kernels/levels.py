"""Free GPUs on nodes: what fits, which node to take, taking and giving back.

Every placement rule can place the same gangs; rules differ only in which node they pick. A gang of n
GPUs in a scope whose largest node has g: if n <= g, one node with n free. Else idle nodes whole,
largest size first, lowest numbers first, while what remains is at least that size; what then remains
goes to one other node with as many free. One block with I idle nodes of size g and at most M free
on a partly used node therefore holds exactly the gangs up to I * g + M.
"""

from scheduler_core.kernels.bits import insert, next_member, remove
from scheduler_core.kernels.jit import INT, INTS32, kernel, step
from scheduler_core.kernels.state import CHOSEN, LEVELS, PICK, PLACES, Chosen, Levels, Places
from scheduler_core.kernels.tables import Int32


@step(INT(LEVELS, PLACES, INT, INT))
def change(levels: Levels, places: Places, node: int, gpus: int) -> int:
    """Add `gpus` (negative: take away) to the free GPUs of `node`; return what is free then."""
    blocks = places.blocks
    block = places.block_of[node]
    before = levels.free[node]
    after = before + gpus
    levels.free[node] = after
    levels.total[block] += gpus
    if blocks.nodes[block] > 1:
        sets = blocks.base[block]
        stride = blocks.stride[0]
        local = node - blocks.first[block]
        remove(levels.bits, blocks.tiers, (sets + before) * stride, local)
        insert(levels.bits, blocks.tiers, (sets + after) * stride, local)
        levels.count[sets + before] -= 1
        levels.count[sets + after] += 1
    return after


@step(INT(LEVELS, PLACES, INT))
def idle_nodes(levels: Levels, places: Places, block: int) -> int:
    """Return the number of idle nodes of a block."""
    size = places.blocks.size[block]
    if places.blocks.nodes[block] == 1:
        return 1 if levels.free[places.blocks.first[block]] == size else 0
    return levels.count[places.blocks.base[block] + size]  # type: ignore[no-any-return]


@step(INT(LEVELS, PLACES, INT))
def most_partly_free(levels: Levels, places: Places, block: int) -> int:
    """Return the most free GPUs on a node of a block that is not idle."""
    size = places.blocks.size[block]
    if places.blocks.nodes[block] == 1:
        free = levels.free[places.blocks.first[block]]
        return free if free < size else 0
    for free in range(size - 1, 0, -1):
        if levels.count[places.blocks.base[block] + free] > 0:
            return free
    return 0


@step(INT(LEVELS, PLACES, INT))
def free_in(levels: Levels, places: Places, scope: int) -> int:
    """Return the free GPUs of a scope, however they lie."""
    free = 0
    for entry in range(places.scope_first[scope], places.scope_first[scope + 1]):
        free += levels.total[places.scope_block[entry]]
    return free


@kernel(INT(LEVELS, PLACES, INT, INT))
def fits(levels: Levels, places: Places, scope: int, gpus: int) -> int:
    """Return 1 if a gang of `gpus` can be placed in `scope` now, else 0."""
    first, last = places.scope_first[scope], places.scope_first[scope + 1]
    largest = places.blocks.size[places.scope_block[first]]
    rest = gpus
    if gpus > largest:
        for entry in range(first, last):
            block = places.scope_block[entry]
            size = places.blocks.size[block]
            whole = min(idle_nodes(levels, places, block), rest // size)
            rest -= whole * size
            if rest == 0:
                return 1
            if rest < size and whole < idle_nodes(levels, places, block):
                return 1
    else:
        for entry in range(first, last):
            block = places.scope_block[entry]
            if places.blocks.size[block] >= gpus and idle_nodes(levels, places, block) > 0:
                return 1
    for entry in range(first, last):
        if most_partly_free(levels, places, places.scope_block[entry]) >= rest:
            return 1
    return 0


@step(INT(LEVELS, PLACES, INT, INT, INT, INTS32))
def first_at(levels: Levels, places: Places, block: int, free: int, size: int, skip: Int32) -> int:
    """Return the lowest node of `block` with exactly `free` GPUs free, past the idle ones skipped, or -1."""
    blocks = places.blocks
    start = skip[block] if free == size else 0
    if blocks.nodes[block] == 1:
        node = blocks.first[block]
        return node if start == 0 and levels.free[node] == free else -1
    sets = blocks.base[block] + free
    if levels.count[sets] == 0:
        return -1
    local = next_member(levels.bits, blocks.tiers, sets * blocks.stride[0], start)
    return blocks.first[block] + local if local >= 0 else -1


@kernel(INT(LEVELS, PLACES, INT, INT, INTS32))
def lowest_node(levels: Levels, places: Places, scope: int, need: int, skip: Int32) -> int:
    """Return the node with the lowest number that has `need` GPUs free, or -1."""
    best = -1
    for entry in range(places.scope_first[scope], places.scope_first[scope + 1]):
        block = places.scope_block[entry]
        size = places.blocks.size[block]
        for free in range(need, size + 1):
            node = first_at(levels, places, block, free, size, skip)
            if node >= 0 and (best < 0 or places.number[node] < places.number[best]):
                best = node
    return best


@kernel(INT(LEVELS, PLACES, INT, INT, INTS32))
def tightest_node(levels: Levels, places: Places, scope: int, need: int, skip: Int32) -> int:
    """Return the node with the fewest free GPUs that has `need` (ties: lowest number), or -1."""
    best, best_free = -1, 0
    for entry in range(places.scope_first[scope], places.scope_first[scope + 1]):
        block = places.scope_block[entry]
        size = places.blocks.size[block]
        for free in range(need, size + 1):
            node = first_at(levels, places, block, free, size, skip)
            if node >= 0:
                is_better = best < 0 or free < best_free
                if is_better or (free == best_free and places.number[node] < places.number[best]):
                    best, best_free = node, free
                break
    return best


@kernel(INT(LEVELS, PLACES, INT, INT, INTS32))
def emptiest_node(levels: Levels, places: Places, scope: int, need: int, skip: Int32) -> int:
    """Return the node with the most free GPUs if it has `need` (ties: lowest number), or -1."""
    best, best_free = -1, 0
    for entry in range(places.scope_first[scope], places.scope_first[scope + 1]):
        block = places.scope_block[entry]
        size = places.blocks.size[block]
        for free in range(size, need - 1, -1):
            node = first_at(levels, places, block, free, size, skip)
            if node >= 0:
                is_better = best < 0 or free > best_free
                if is_better or (free == best_free and places.number[node] < places.number[best]):
                    best, best_free = node, free
                break
    return best


@step(INT(LEVELS, PLACES, CHOSEN, PICK, PICK, INT, INT))
def choose(
    levels: Levels,
    places: Places,
    chosen: Chosen,
    pick_node: object,
    pick_rest: object,
    scope: int,
    gpus: int,
) -> int:
    """Choose nodes for a gang by the rule (`pick_node`, `pick_rest`) without taking them.

    Returns
    -------
    int
        Number of nodes written to `chosen`, 0 if the gang cannot be placed.
    """
    blocks = places.blocks
    first, last = places.scope_first[scope], places.scope_first[scope + 1]
    block = places.scope_block[first]
    skip = chosen.skip
    if gpus <= blocks.size[block]:
        if last - first == 1 and blocks.nodes[block] == 1:
            node = blocks.first[block]
            if levels.free[node] < gpus:
                return 0
        else:
            node = pick_node(levels, places, scope, gpus, skip)  # type: ignore[operator]
            if node < 0:
                return 0
        chosen.node[0] = node
        chosen.gpus[0] = gpus
        return 1
    if fits(levels, places, scope, gpus) == 0:
        return 0
    rest = gpus
    taken = 0
    for entry in range(first, last):
        block = places.scope_block[entry]
        size = blocks.size[block]
        while rest >= size:
            node = first_at(levels, places, block, size, size, skip)
            if node < 0:
                break
            chosen.node[taken] = node
            chosen.gpus[taken] = size
            taken += 1
            rest -= size
            skip[block] = node - blocks.first[block] + 1
    if rest > 0:
        chosen.node[taken] = pick_rest(levels, places, scope, rest, skip)  # type: ignore[operator]
        chosen.gpus[taken] = rest
        taken += 1
    for entry in range(first, last):
        skip[places.scope_block[entry]] = 0
    return taken
