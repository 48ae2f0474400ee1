"""Doors for Python to the steps of the kernels, in whatever mode the suite runs.

A compiled step has no entry for Python, so each is wrapped here in a small kernel of the tests. These lie in the
cache folder of the sources, like the real ones, but do not make the engine compile.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from scheduler_core.kernels import bits, heap, jit, levels
from scheduler_core.kernels.jit import INT, INTS
from scheduler_core.kernels.state import PICK
from scheduler_core.kernels.tables import Int64

F = TypeVar("F", bound=Callable[..., Any])


def entry(signature: object) -> Callable[[F], F]:
    """Compile a test's own kernel with one signature, or leave it alone in python mode."""

    def make(body: F) -> F:
        if jit.MODE == "python":
            return body
        compiled: F = jit._njit(signature, cache=True, nogil=True, _nrt=False, boundscheck=jit.MODE == "checked")(body)
        return compiled

    return make


@entry(INT(INT))
def lowest_bit(word: int) -> int:
    return bits.lowest_bit(word)


@entry(INT(INTS, INT, INT, INT))
def insert(m: Int64, tiers: int, base: int, member: int) -> int:
    return bits.insert(m, tiers, base, member)


@entry(INT(INTS, INT, INT))
def remove(m: Int64, base: int, member: int) -> int:
    return bits.remove(m, base, member)


@entry(INT(INTS, INT, INT, INT))
def next_member(m: Int64, tiers: int, base: int, member: int) -> int:
    return bits.next_member(m, tiers, base, member)


@entry(INT(INTS, INT, INT, INT, INT))
def push(m: Int64, size: int, time: int, sequence: int, row: int) -> int:
    return heap.push(m, size, time, sequence, row)


@entry(INT(INTS, INT))
def pop(m: Int64, size: int) -> int:
    return heap.pop(m, size)


@entry(INT(INTS, INT, INT, INT))
def change(m: Int64, which: int, node: int, gpus: int) -> int:
    return levels.change(m, which, node, gpus)


@entry(INT(INTS, INT, INT, INT))
def count_idle_and_partly_free(m: Int64, which: int, block: int, scope: int) -> int:
    """Return idle nodes, most free on a partly used node, and free GPUs of the scope, as three digits base 1000."""
    idle = levels.idle_nodes(m, which, block)
    most = levels.most_partly_free(m, which, block)
    return (idle * 1_000 + most) * 1_000 + levels.free_in(m, which, scope)


@entry(INT(INTS, INT, PICK, PICK, INT, INT))
def choose(m: Int64, which: int, pick_node: object, pick_rest: object, scope: int, gpus: int) -> int:
    return levels.choose(m, which, pick_node, pick_rest, scope, gpus)
