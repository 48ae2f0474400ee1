"""Which files the project consists of, and what each imports."""

import ast
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCT = ("app.py", "pages", "dashboard", "practice", "scheduler_core")
_NEVER = {".git", ".venv", "__pycache__", ".kernel_cache", ".hypothesis", "data", "build", "test-results"}


@cache
def committed_files() -> tuple[str, ...]:
    """Return the project's files as git sees them (tracked, or new and not ignored), relative to its folder."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=False, text=True,
    )  # fmt: skip
    if listing.returncode == 0:
        names = [name for name in listing.stdout.split("\0") if name]
    else:  # an archive without git
        found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        names = [path.as_posix() for path in found if not _NEVER & set(path.parts)]
    return tuple(sorted(name for name in names if (ROOT / name).is_file()))


def python_files(*folders: str) -> tuple[str, ...]:
    """Return the Python files among `committed_files` in these folders (or the files themselves); all without any."""
    return tuple(
        name
        for name in committed_files()
        if name.endswith(".py") and (not folders or name in folders or name.split("/")[0] in folders)
    )


def read(name: str) -> str:
    """Return the text of a file given relative to the project's folder."""
    return (ROOT / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Import:
    """One imported name: `from module import name`, or `import module` with an empty name."""

    line: int
    module: str
    name: str = ""

    @property
    def dotted(self) -> str:
        """Return module and name joined, the way an absolute import would reach it."""
        return f"{self.module}.{self.name}" if self.name else self.module


def imports_of(source: str) -> Iterator[Import]:
    """Yield every import of a source text, also those inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield Import(node.lineno, "." * node.level + (node.module or ""), alias.name)


def module_of(name: str) -> str:
    """Return the dotted module of a file name: `a/b/__init__.py` is `a.b`."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def assert_none(faults: Iterable[str]) -> None:
    """Fail with every fault on a line of its own."""
    found = list(faults)
    assert not found, "\n".join(["", *found])
