"""What the documents name exists: files they link to, make targets, environment variables."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest

from tests.architecture.sources import ROOT, assert_none, committed_files, python_files, read

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
TARGET = re.compile(r"`make ([a-z][a-z0-9-]*)|^make ([a-z][a-z0-9-]*)", re.MULTILINE)
VARIABLE = re.compile(r"\bHEADROOM_[A-Z_]+")
DOCUMENTS = tuple(name for name in committed_files() if name.endswith(".md") and not name.startswith("tests/"))


def broken_links(name: str, text: str) -> Iterator[str]:
    """Yield relative links of a document that lead nowhere."""
    for target in LINK.findall(text):
        path = target.split("#")[0]
        is_local = path and "://" not in path and not path.startswith("mailto:")
        if is_local and not (ROOT / PurePosixPath(name).parent / path).exists():
            yield f"{name}: {path}"


def unknown_targets(name: str, text: str, makefile: str) -> Iterator[str]:
    """Yield `make X` in a document for which the Makefile has no X."""
    known = set(re.findall(r"^([a-z][a-z0-9-]*):", makefile, re.MULTILINE))
    for groups in TARGET.findall(text):
        target = groups[0] or groups[1]
        if target not in known:
            yield f"{name}: make {target}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_make_targets_of_documents_exist(name: str) -> None:
    assert_none(broken_links(name, read(name)))
    assert_none(unknown_targets(name, read(name), read("Makefile")))


def test_every_make_target_explains_itself_in_help() -> None:
    makefile = read("Makefile")
    phony = re.findall(r"^\.PHONY: ([a-z0-9-]+)$", makefile, re.MULTILINE)
    assert {"run", "test", "check", "e2e", "bench", "soak"} <= set(phony)
    assert [name for name in phony if not re.search(rf"^{name}:.*  ## \w", makefile, re.MULTILINE)] == []


def test_every_environment_variable_is_documented() -> None:
    files = [name for name in python_files() if name != "tests/architecture/test_documents.py"]
    used = {variable for name in files for variable in VARIABLE.findall(read(name))}
    assert "HEADROOM_KERNELS" in used
    assert sorted(used - set(VARIABLE.findall(read("CONTRIBUTING.md")))) == []


def test_a_planted_broken_link_and_target_are_found() -> None:
    planted = "see [here](no-such.md#part) and [there](../README.md)"
    assert list(broken_links("docs/x.md", planted)) == ["docs/x.md: no-such.md"]
    assert list(broken_links("x.md", "[web](https://example.org/a) [part](#a)")) == []
    assert list(unknown_targets("x.md", "`make fly` and `make run`\nmake jump\nplease make sure", "run: a\n")) == [
        "x.md: make fly",
        "x.md: make jump",
    ]
