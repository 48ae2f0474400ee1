"""The import rules. The order inside the core is read from pyproject.toml, so it is written down once."""

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache

from tests.architecture.sources import ROOT, imports_of

CORE = "scheduler_core"
MAY_IMPORT = {
    "app": {"dashboard", "practice", CORE},
    "pages": {"dashboard", "practice", CORE},
    "dashboard": {"dashboard", "practice", CORE},
    "practice": {"practice", CORE},
    CORE: {CORE},
}
"""Which of our own packages each of our packages may import; pages do not import each other."""

ONLY_IN = {
    "numba": ("scheduler_core.kernels.jit",),
    "llvmlite": ("scheduler_core.kernels.jit",),
    "pandas": ("dashboard", "scheduler_core.traces"),
    "streamlit": ("app", "pages", "dashboard"),
    "plotly": ("dashboard",),
    "sqlalchemy": ("dashboard.storage", "practice.history"),
}
"""Libraries that only these modules, or what lies below them, may import."""

MAY_READ_THE_CLOCK = ("scheduler_core.cli", "scheduler_core.kernels.warm")
"""Progress of a command says how long it took; no result depends on the clock."""

NOT_IN_CORE = {"random", "secrets", "uuid", "socket", "ssl", "http", "urllib.request", "requests", "asyncio"}
"""The core has no network and no randomness but the generator it is given."""


@cache
def core_layers() -> tuple[tuple[str, ...], ...]:
    """Return the layers of the core from top to bottom, neighbours together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return tuple(tuple(re.findall(r"\w+", layer)) for layer in layers)


def level_of(module: str) -> int | None:
    """Return how deep a module of the core lies (0 on top); None for the package itself or an unknown part."""
    parts = module.split(".")
    if len(parts) < 2 or parts[0] != CORE:
        return None
    return next((level for level, names in enumerate(core_layers()) if parts[1] in names), None)


def layer_faults(module: str, source: str) -> Iterator[str]:
    """Yield the imports of a module that do not go down: inside the core, and between our packages."""
    own, package = level_of(module), module.split(".")[0]
    if package == CORE and module != CORE and own is None:
        yield f"{module}: is in no layer; add it to the layers in pyproject.toml"
    for found in imports_of(source):
        if found.module.startswith("."):
            yield f"{module}:{found.line}: relative import of {found.dotted}"
            continue
        target = found.module.split(".")[0]
        if package in MAY_IMPORT and target in MAY_IMPORT and target not in MAY_IMPORT[package]:
            yield f"{module}:{found.line}: {package} must not import {found.dotted}"
        elif package == target == CORE and own is not None:
            yield from _inner_faults(module, own, found.line, found.dotted)


def _inner_faults(module: str, own: int, line: int, target: str) -> Iterator[str]:
    level = level_of(target)
    if level is None:
        yield f"{module}:{line}: the core must not import from its own front, {target}"
    elif level < own:
        yield f"{module}:{line}: {target} lies above"
    elif level == own and target.split(".")[1] != module.split(".")[1]:
        yield f"{module}:{line}: {target} is a neighbour on the same level"


def library_faults(module: str, source: str) -> Iterator[str]:
    """Yield imports of libraries that this module may not use."""
    package = module.split(".")[0]
    for found in imports_of(source):
        root = found.module.split(".")[0]
        allowed = ONLY_IN.get(root)
        if allowed is not None and not any(module == home or module.startswith(f"{home}.") for home in allowed):
            yield f"{module}:{found.line}: only {', '.join(allowed)} may import {root}"
        if package == CORE and not {root, found.module, found.dotted}.isdisjoint(NOT_IN_CORE):
            yield f"{module}:{found.line}: the core must not import {found.dotted}"


def clock_faults(module: str, source: str) -> Iterator[str]:
    """Yield uses of the wall clock in the core, where only progress may look at it."""
    if module.split(".")[0] != CORE or module.startswith(MAY_READ_THE_CLOCK):
        return
    for found in imports_of(source):
        if found.module == "time":
            yield f"{module}:{found.line}: the core must not read the clock"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value).split(".")[-1]
            if owner in {"datetime", "date"} and node.func.attr in {"now", "utcnow", "today"}:
                yield f"{module}:{node.lineno}: the core must not read the clock"


def front_faults(module: str, source: str, exported: Collection[str]) -> Iterator[str]:
    """Yield imports that reach past the front of the core.

    Parameters
    ----------
    module : str
        Dotted name of a module outside the core.
    source : str
        Its text.
    exported : collection of str
        The names in `scheduler_core.__all__`.
    """
    for found in imports_of(source):
        if found.module.startswith(f"{CORE}."):
            yield f"{module}:{found.line}: import from {CORE} itself, not from {found.module}"
        elif found.module == CORE and found.name and found.name not in exported:
            yield f"{module}:{found.line}: {CORE} does not export {found.name}"


def exported_names(source: str) -> set[str]:
    """Return the names that a module's `__all__` lists."""
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            value = getattr(node, "value", None)
            return set(ast.literal_eval(value)) if value is not None else set()
    return set()
