import pytest

from scheduler_core import registry
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param

DEPTH = Param("depth", 100, low=1, high=1000, is_whole=True, none_means=Phrase("all"))
BY = Param("by", "limit", options=("limit", "true"))


def test_a_parameter_reads_what_it_allows() -> None:
    assert DEPTH.read(5, "p") == 5
    assert DEPTH.read(None, "p") is None
    assert BY.read("limit", "p") == "limit"
    assert BY.read(True, "p") == "true"  # YAML reads the word true as a boolean


@pytest.mark.parametrize("value", [0, 1001, 2.5, "5", True, float("nan"), float("inf"), 10**400])
def test_a_parameter_refuses_what_is_outside(value: object) -> None:
    with pytest.raises(InputError, match=r"p is .*; it must be a whole number from 1 to 1,000, or null \(all\)"):
        DEPTH.read(value, "p")


def test_a_word_outside_the_options_is_refused() -> None:
    with pytest.raises(InputError, match="one of limit, true"):
        BY.read("guess", "p")


def test_policies_and_placements_are_found_by_their_slug() -> None:
    assert {"fifo", "priority", "shortest", "smallest"} <= set(registry.find("policies"))
    assert {"counted", "first_fit", "best_fit", "consolidate", "spread"} <= set(registry.find("placements"))
    assert all(slug == item.slug for slug, item in registry.find("metrics").items())


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="policies"):
        registry.find("polices")


def test_a_package_that_is_not_there_offers_nothing() -> None:
    assert list(registry.modules("no_such_package")) == []
