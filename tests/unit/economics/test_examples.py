"""The examples in the docstrings of the formulas run."""

import doctest
import importlib
import pkgutil

import pytest

from scheduler_core import economics

MODULES = [module.name for module in pkgutil.iter_modules(economics.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_say_what_it_computes(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"scheduler_core.economics.{name}"))
    assert found.failed == 0
