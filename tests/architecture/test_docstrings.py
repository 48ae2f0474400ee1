"""Everything public has a docstring, and docstrings name the parameters there are."""

import pytest

from tests.architecture.docstrings import docstring_faults, documented_parameters, section
from tests.architecture.sources import PRODUCT, assert_none, python_files, read

GOOD = '''"""A module."""


def area(width_m: float, *sizes: int, height_m: float = 1.0, **rest: str) -> float:
    """Return an area.

    Parameters
    ----------
    width_m, height_m : float
        Sides in m.
    *sizes : int
        More sides.
    **rest : str
        Notes, for example
        width_m : not a new entry.

    Returns
    -------
    float
        In square metres.
    """


def _hidden(a): ...
'''


def test_docstrings_are_there_and_name_real_parameters() -> None:
    files = [name for name in python_files(*PRODUCT) if not name.startswith("pages/") and name != "app.py"]
    assert files
    assert_none(fault for name in files for fault in docstring_faults(name, read(name)))


def test_pages_say_what_they_answer() -> None:
    """Pages are scripts: the module's docstring is enough."""
    for name in python_files("app.py", "pages"):
        assert read(name).lstrip().startswith(('"""', 'r"""')), f"{name}: no docstring"


def test_a_good_docstring_is_not_reported() -> None:
    assert list(docstring_faults("good.py", GOOD)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"""A module."""', "", "no docstring"),
        ("def _hidden(a): ...", "def shown(a): ...", "shown: no docstring"),
        ("def _hidden(a): ...", "class Shown: ...", "Shown: no docstring"),
        ("width_m, height_m : float", "width, height_m : float", "describes width, which is no parameter"),
        ("width_m, height_m : float", "height_m : float", "leaves out width_m"),
        ("    *sizes : int\n        More sides.\n", "", "leaves out sizes"),
        ("def _hidden(a): ...", 'class C:\n    """C."""\n\n    def m(self): ...', "m: no docstring"),
        (
            "def _hidden(a): ...",
            'class C:\n    """C.\n\n    Parameters\n    ----------\n    b\n    """\n\n    def __init__(self, a): ...',
            "describes b",
        ),
    ],
)
def test_a_planted_docstring_fault_is_found(old: str, new: str, expected: str) -> None:
    assert old in GOOD
    assert expected in "\n".join(docstring_faults("bad.py", GOOD.replace(old, new)))


def test_a_section_ends_where_the_next_begins() -> None:
    text = "Do.\n\nParameters\n----------\na : int\n    Text.\nb\n\nRaises\n------\nValueError\n    Never.\n"
    assert documented_parameters(text) == ["a", "b"]
    assert [line for line in section(text, "Raises") if line] == ["ValueError", "    Never."]
    assert section(text, "Notes") == []
