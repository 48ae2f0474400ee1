"""Docstrings against signatures: everything public has one, and it names real parameters."""

import ast
import inspect
import re
from collections.abc import Iterator

_UNDERLINE = re.compile(r"-{3,}\s*")
_ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef


def section(docstring: str, title: str) -> list[str]:
    """Return the lines of one numpy section of a docstring, without its title and underline."""
    lines = inspect.cleandoc(docstring).splitlines()
    for index in range(len(lines) - 1):
        if lines[index] == title and _UNDERLINE.fullmatch(lines[index + 1]):
            body = lines[index + 2 :]
            ends = (at for at in range(len(body) - 1) if _UNDERLINE.fullmatch(body[at + 1]) and body[at].strip())
            return body[: next(ends, len(body))]
    return []


def documented_parameters(docstring: str) -> list[str]:
    """Return the names that the Parameters section describes, without stars."""
    names: list[str] = []
    for line in section(docstring, "Parameters"):
        entry = _ENTRY.fullmatch(line)
        if entry and not line[0].isspace():
            names += [name.strip().lstrip("*") for name in entry["names"].split(",")]
    return names


def real_parameters(function: Function) -> list[str]:
    """Return the names of a function's parameters, without stars."""
    given = function.args
    plain = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [one.arg for one in (*plain, given.vararg, given.kwarg) if one is not None]


def public_nodes(tree: ast.Module, path: str) -> Iterator[tuple[str, Documented]]:
    """Yield the module, its public classes and functions, and the public methods, with a name to report."""
    yield path, tree
    stack: list[tuple[str, ast.Module | ast.ClassDef]] = [(path, tree)]
    while stack:
        prefix, parent = stack.pop()
        for node in parent.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                yield f"{prefix}:{node.lineno} {node.name}", node
                if isinstance(node, ast.ClassDef):
                    stack.append((path, node))


def _is_told_elsewhere(node: Documented) -> bool:
    """Say whether a decorator means that the text belongs to another function (overload, setter, override)."""
    decorators = [] if isinstance(node, ast.Module) else node.decorator_list
    names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in decorators}
    return bool(names & {"overload", "setter", "override"})


def docstring_faults(path: str, source: str) -> Iterator[str]:
    """Yield missing docstrings, and parameters in docstrings that the signature lacks or that are left out."""
    for name, node in public_nodes(ast.parse(source), path):
        docstring = ast.get_docstring(node)
        if not docstring:
            if not _is_told_elsewhere(node):
                yield f"{name}: no docstring"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _parameter_faults(name, docstring, node)
        elif isinstance(node, ast.ClassDef):
            yield from _constructor_faults(name, docstring, node)


def _parameter_faults(name: str, docstring: str, function: Function) -> Iterator[str]:
    told = documented_parameters(docstring)
    real = [one for one in real_parameters(function) if one not in {"self", "cls"}]
    for extra in [one for one in told if one not in real]:
        yield f"{name}: the docstring describes {extra}, which is no parameter"
    for missing in [one for one in real if told and one not in told]:
        yield f"{name}: the Parameters section leaves out {missing}"


def _constructor_faults(name: str, docstring: str, node: ast.ClassDef) -> Iterator[str]:
    inits = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if inits:
        yield from _parameter_faults(name, docstring, inits[0])
