"""The one array of a run: where columns lie, and that moving one changes nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kernels import jit, state
from scheduler_core.kernels.memory import Column, Memory, Same, Unknown
from scheduler_core.kernels.tables import Int64
from tests.conftest import examples

CELLS = list(range(state.FIRST_COLUMN, state.HEAD_SIZE))


@st.composite
def columns(draw: st.DrawFn) -> dict[int, Column]:
    """Return up to 12 columns: first values, only a length, unknown, or the same as an earlier one; empty ones too."""
    cells = draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=12, unique=True))
    chosen: dict[int, Column] = {}
    own: list[int] = []
    for cell in cells:
        kind = draw(st.sampled_from(("values", "length", "unknown", "same")))
        if kind == "same" and own:
            chosen[cell] = Same(draw(st.sampled_from(own)))
            continue
        own.append(cell)
        length = draw(st.integers(0, 5))
        values = np.arange(length, dtype=np.int32) + 100 * cell
        kinds: dict[str, Column] = {"length": length, "unknown": Unknown(length)}
        chosen[cell] = kinds.get(kind, values)
    return chosen


def first_values(column: Column) -> list[int]:
    """Return what a column that is not the same as another one begins with."""
    assert not isinstance(column, Same)
    if isinstance(column, Unknown):
        return [-1] * column.length
    return [0] * column if isinstance(column, int) else column.tolist()


def copies(memory: Memory, cells: list[int]) -> dict[int, Int64]:
    return {cell: memory.column(cell).copy() for cell in cells}


@given(columns())
@settings(max_examples=examples(150, 50))
def test_columns_begin_with_their_values_and_do_not_overlap(chosen: dict[int, Column]) -> None:
    memory = Memory({state.NOW: 7, state.HEAP_SIZE: 3}, chosen)
    assert (memory.m[state.NOW], memory.m[state.HEAP_SIZE]) == (7, 3)
    owned: set[int] = set(range(state.HEAD_SIZE))
    for cell, column in chosen.items():
        if isinstance(column, Same):
            assert np.shares_memory(memory.column(cell), memory.column(column.cell)) or not len(memory.column(cell))
            assert memory.m[cell] == memory.m[column.cell]
            continue
        assert memory.column(cell).tolist() == first_values(column)
        begin = int(memory.m[cell])
        places = set(range(begin, begin + len(memory.column(cell))))
        assert owned.isdisjoint(places)
        owned |= places
    assert owned == set(range(len(memory.m)))  # nothing is wasted either


@given(columns(), st.data())
@settings(max_examples=examples(150, 50))
def test_writing_one_column_changes_no_other(chosen: dict[int, Column], data: st.DataObject) -> None:
    memory = Memory({}, chosen)
    before = copies(memory, list(chosen))
    written = data.draw(st.sampled_from([cell for cell, column in chosen.items() if not isinstance(column, Same)]))
    memory.column(written)[:] = -5
    for cell, column in chosen.items():
        is_it = cell == written or (isinstance(column, Same) and column.cell == written)
        assert memory.column(cell).tolist() == ([-5] * len(before[cell]) if is_it else before[cell].tolist())


def test_a_view_is_not_a_copy() -> None:
    memory = Memory({}, {state.START: np.array([1, 2, 3])})
    memory.m[memory.m[state.START] + 1] = 9
    assert memory.column(state.START).tolist() == [1, 9, 3]


HEAD_CELLS = {
    name: value
    for name, value in vars(state).items()
    if name.isupper() and isinstance(value, int) and not name.startswith("_")
}
NOT_CELLS = {
    "JOINED",
    "FREED",
    "BY_RANK",
    "BY_KEY",
    "BY_SHARE",
    "LIVE",
    "LATER",
    "OFFERED",
    "STRICT",
    "BEST_EFFORT",
    "EASY",
    "CONSERVATIVE",
    "ALL",
    "NEVER",
    "MORE",
    "DONE",
    "FULL",
    "ACTUAL",
    "OWN_QUEUE",
    "BORROWERS",
    "FAIR_SHARE",
    "FROM_RESERVE",
    "BY_ORDER",
    "BY_LEVEL",
    "BY_BUCKET",
    "BY_LOSS",
    "NOT_DIRECT",
    "TO_NOBODY",
    "PAST_REFUSED",
    "BY_KEY_LAST",
    "OFFERED_ROLE",
    "OWN_ROLE",
    "FIXED",
    "TIME_LEFT",
    "SERVICE_LEFT",
    "BY_MEMBER",
    "KEEP_SUBMIT",
    "BY_TOLD",
    "BY_LEFT",
}
NOT_CELLS |= {"FIRST_COLUMN", "HEAD_SIZE", "TIME_HAD", "SERVICE_HAD", "UNSET", "NOT_PLAIN", "PART_BITS", "N_BACKOFFS"}


def test_every_head_cell_has_a_place_of_its_own() -> None:
    cells = {name: value for name, value in HEAD_CELLS.items() if name not in NOT_CELLS}
    assert len(cells) > 80
    assert len(set(cells.values())) == len(cells)
    assert max(cells.values()) < state.HEAD_SIZE
    assert state.FIRST_COLUMN == state.SUBMIT


def constant_subscripts(path: Path) -> Iterator[tuple[str, ast.expr_context, int, int]]:
    """Yield what is subscripted by a named cell or a whole number in functions of `m`: name, use, number, line."""
    for kernel in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(kernel, ast.FunctionDef) and "m" in {argument.arg for argument in kernel.args.args}:
            for node in ast.walk(kernel):
                if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                    index = node.slice
                    number = HEAD_CELLS.get(index.id) if isinstance(index, ast.Name) else getattr(index, "value", None)
                    if isinstance(number, int):
                        yield node.value.id, node.ctx, number, node.lineno


@pytest.mark.parametrize("folder", jit.KERNEL_FOLDERS)
def test_kernels_keep_the_promise_not_to_write_constant_cells(folder: str) -> None:
    # jit.keep_from lets the compiler read them once; a kernel that wrote one would go on with the old value.
    n_seen = 0
    for path in sorted((jit.PACKAGE / folder).glob("*.py")):
        for name, use, cell, line in constant_subscripts(path):
            if cell >= state.END_MS:
                n_seen += 1
                # `before` is the memory of the policy in force until now (engine/resume.py); its head is as constant.
                assert name in {"m", "before"}, f"{path.name}:{line}: only the head of a memory is constant"
                assert isinstance(use, ast.Load), f"{path.name}:{line}: no kernel writes this cell"
    assert n_seen > 50 or folder in {"policies", "placements"}


@pytest.mark.parametrize("table", ["FREE", "SETS", "COUNT", "TOTAL"])
def test_the_three_free_gpu_tables_stand_side_by_side(table: str) -> None:
    first = HEAD_CELLS[table]
    assert (HEAD_CELLS[f"{table}_LATER"], HEAD_CELLS[f"{table}_OFFERED"]) == (
        first + state.LATER,
        first + state.OFFERED,
    )


def test_disciplines_with_plans_come_last() -> None:
    # running.start keeps planned ends for every discipline from EASY on.
    assert state.STRICT < state.BEST_EFFORT < state.EASY < state.CONSERVATIVE
