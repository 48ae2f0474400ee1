"""The only door to numba: how kernels are compiled, cached and switched off.

The environment variable `HEADROOM_KERNELS` picks one of three modes:

- `compiled` (default): machine code, cached on disk;
- `checked`: the same with a check of every index (a read outside an array is otherwise silent);
- `python`: the same bodies uncompiled, for coverage and debugging.

Compiled code is kept in a folder named after the mode, the processor and a hash of all kernel
sources, because a cached caller does not notice an edit to what it calls. `HEADROOM_KERNEL_CACHE`
moves that folder.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

MODES = ("compiled", "checked", "python")
PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_FOLDERS = ("kernels", "engine", "policies", "placements")

F = TypeVar("F", bound=Callable[..., Any])


def read_mode() -> str:
    """Return the mode named by `HEADROOM_KERNELS`, `compiled` when unset.

    Raises
    ------
    ValueError
        If the variable names no mode.
    """
    mode = os.environ.get("HEADROOM_KERNELS") or "compiled"
    if mode not in MODES:
        raise ValueError(f"HEADROOM_KERNELS is {mode!r}; it must be one of {', '.join(MODES)}.")
    return mode


def source_hash() -> str:
    """Return a hash of every source file that can hold a kernel, 12 hexadecimal characters."""
    digest = hashlib.blake2b(digest_size=6)
    for folder in KERNEL_FOLDERS:
        for path in sorted((PACKAGE / folder).glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder(mode: str) -> Path:
    """Return the folder for compiled kernels of this mode, processor and source, created if need be."""
    from llvmlite.binding import get_host_cpu_name  # noqa: PLC0415 - not needed in python mode

    name = f"{mode}-{get_host_cpu_name()}-{source_hash()}"
    wanted = Path(os.environ.get("HEADROOM_KERNEL_CACHE") or PACKAGE.parent / ".kernel_cache") / name
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=wanted):
            pass
    except OSError:
        # An installed package may be read-only: the user's temporary folder still saves recompiling.
        wanted = Path(tempfile.gettempdir()) / "headroom-kernels" / name
        wanted.mkdir(parents=True, exist_ok=True)
    return wanted


MODE = read_mode()
if MODE != "python":
    FOLDER = cache_folder(MODE)
    os.environ["NUMBA_CACHE_DIR"] = str(FOLDER)

import numba  # noqa: E402 - the cache folder must be set first
from filelock import FileLock  # noqa: E402
from numba import types  # noqa: E402
from numba.core import codegen  # noqa: E402
from numba.extending import lower_builtin  # noqa: E402
from numba.np import arrayobj  # noqa: E402

_config: Any = numba.config
_config.CACHE_DIR = os.environ.get("NUMBA_CACHE_DIR", "")  # another package may have imported numba before
if MODE == "checked":
    _config.OPT = type(_config.OPT)(1)  # compiled to find faults, not to be fast
_njit: Any = numba.njit  # its type stubs do not know all options
_tuple_of: Any = types.BaseTuple.from_types


def _as_is(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp) if kind.signed else index


# Kernels never count from the end of an array. Leaving out the question whether an index is negative
# makes the event loop 1.6 times faster; in checked mode a negative index is then an error.
_arrays: Any = arrayobj
_arrays.fix_integer_index = _as_is

_is_compiling_steps = False


def _leave_out_for_steps(owner: Any, name: str) -> None:
    usual = getattr(owner, name)

    def only_for_kernels(*arguments: Any) -> Any:
        return None if _is_compiling_steps else usual(*arguments)

    setattr(owner, name, only_for_kernels)


def _optimize_once(library: Any) -> None:
    """Optimise the code of a kernel once: numba does it twice for the sake of reference counts, and there are none."""
    manager, builder = library._codegen._module_pass_manager()  # noqa: SLF001 - numba offers no setting for it
    manager.run(library._final_module, builder)  # noqa: SLF001 - likewise


_libraries: Any = codegen.JITCodeLibrary
_libraries._optimize_final_module = _optimize_once  # noqa: SLF001 - likewise
# Numba optimises and assembles every function with all that it calls, again at each level of calls. Steps are optimised
# once, inside the kernels that use them: compiling takes a third of the time, and the event loop is a quarter faster.
_leave_out_for_steps(codegen.JITCodeLibrary, "_optimize_final_module")
_leave_out_for_steps(codegen.JITCodeLibrary, "_finalize_specific")
_leave_out_for_steps(codegen.JITCPUCodegen, "_add_module")
_leave_out_for_steps(codegen.JITCPUCodegen, "set_env")

_first_constant = sys.maxsize


def _load_head(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    memory, cell = arguments
    if cell < _first_constant:
        raise NotImplementedError  # numba then loads it like any other element
    array = context.make_array(signature.args[0])(context, builder, memory)
    load = builder.load(builder.gep(array.data, [context.get_constant(types.intp, cell)], inbounds=True))
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


def keep_from(first_constant: int) -> None:
    """Promise that no kernel writes the cells of `m` named by constants from `first_constant` on.

    Without the promise a compiler must read where a column begins again after every write, because
    both lie in one array; with it best-effort runs 1.3 times faster.
    """
    global _first_constant  # noqa: PLW0603 - a promise made once, where the cells are named
    _first_constant = first_constant


if MODE == "compiled":
    _lower: Any = lower_builtin
    _lower("static_getitem", types.Array(types.int64, 1, "C"), types.IntegerLiteral)(_load_head)

KERNELS: list[Any] = []
"""Every compiled kernel in order of definition, so that a test can ask each whether it came from the cache."""
_waiting_steps: list[tuple[Any, Any]] = []
_listeners: list[Callable[[str], None]] = []

INT = types.int64
FLOAT = types.float64
_COLUMNS = {
    "int64": types.int64[::1],
    "int32": types.int32[::1],
    "int8": types.int8[::1],
    "float64": types.float64[::1],
}
INTS, INTS32, INTS8, FLOATS = _COLUMNS.values()


def table_type(table: type) -> Any:
    """Return the numba type of a NamedTuple of numpy columns or of further such tables.

    Parameters
    ----------
    table : type
        A NamedTuple class; each field is annotated `NDArray[np.<type>]` (one dimension) or a table.

    Returns
    -------
    numba.types.BaseTuple
        The type that a kernel signature names.
    """
    fields = []
    for hint in get_type_hints(table).values():
        if isinstance(hint, type) and issubclass(hint, tuple):
            fields.append(table_type(hint))
        else:
            element = get_args(get_args(hint)[1])[0]
            fields.append(_COLUMNS[element.__name__])
    return _tuple_of(fields, table)  # equal columns make another numba type


def function_type(result: Any, *arguments: Any) -> Any:
    """Return the type of a kernel passed as an argument."""
    return types.FunctionType(result(*arguments))


def kernel(signature: Any) -> Callable[[F], F]:
    """Compile a function with one fixed signature and cache it, or leave it alone in python mode.

    Parameters
    ----------
    signature : numba signature
        `result(arguments)`; a fixed signature makes the cache work across processes.

    Returns
    -------
    callable
        Decorator.
    """

    def compile_body(body: F) -> F:
        if MODE == "python":
            return body
        # The mark says that machine code lies in the cache, so that the steps inside need no compiling.
        mark = FOLDER / f"{body.__module__}.{body.__qualname__}.ready"
        # One process compiles; others that start meanwhile wait for it and read the cache.
        with nullcontext() if mark.exists() else FileLock(FOLDER / "compiling.lock"):
            if not mark.exists():
                compile_steps()
            compiled = _njit(signature, cache=True, nogil=True, _nrt=False, boundscheck=MODE == "checked")(body)
            mark.touch()
        KERNELS.append(compiled)
        report(body.__name__)
        return compiled

    return compile_body


def step(signature: Any, *, inline: bool = False) -> Callable[[F], F]:
    """Mark a function that only kernels call; it is compiled with the first kernel that is not in the cache.

    No kernel makes or keeps an array, so reference counts are left out (`_nrt`; they took a quarter of
    the time). A step gets no entry for Python and is not cached on its own: its code lies inside the kernels that
    use it, so a process that finds those in the cache loads nothing else.

    Parameters
    ----------
    signature : numba signature
        `result(arguments)`.
    inline : bool
        Force the body into its callers: a call costs 3-5 ns, and a job takes dozens of steps.

    Returns
    -------
    callable
        Decorator.
    """

    def keep(body: F) -> F:
        if MODE == "python":
            return body
        compiled = _njit(
            nogil=True,
            _nrt=False,
            boundscheck=MODE == "checked",
            forceinline=inline,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
        )(body)
        _waiting_steps.append((compiled, signature))
        return compiled

    return keep


def compile_steps() -> int:
    """Compile every step that is not compiled yet, in order of definition; return how many."""
    global _is_compiling_steps  # noqa: PLW0603 - what is left out asks it
    n_steps = len(_waiting_steps)
    _is_compiling_steps = True
    try:
        for compiled, signature in _waiting_steps:
            compiled.compile(signature)
            compiled.disable_compile()
            report(compiled.__name__)
    finally:
        _is_compiling_steps = False
    _waiting_steps.clear()
    return n_steps


def report(name: str) -> None:
    """Tell every listener that a kernel is ready."""
    for listener in _listeners:
        listener(name)


def listen(listener: Callable[[str], None]) -> None:
    """Call `listener(name)` after each kernel that is made ready from now on."""
    _listeners.append(listener)


def is_warm() -> bool:
    """Say whether the event loop for these sources lies compiled in the cache (always so in python mode)."""
    return MODE == "python" or any(FOLDER.glob("*advance.ready"))
