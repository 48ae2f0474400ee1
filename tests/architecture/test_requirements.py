"""The page of requirements is current, complete, and points to what exists."""

from pathlib import Path

from tests.write_requirements_page import PAGE, ROOT, STATES, page, requirements


def missing(rows: dict[str, tuple[str, str, str]], root: Path = ROOT) -> list[str]:
    return [
        f"{name}: {one}"
        for name, (state, _, where) in rows.items()
        if state == "served"
        for one in (where.split() or ["nowhere"])
        if not (root / one).is_file()
    ]


def test_the_page_of_requirements_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_requirement_is_there_once_with_a_state_and_a_reason() -> None:
    rows = requirements()
    assert list(rows) == [f"R{number}" for number in range(1, 134)]
    assert {state for state, _, _ in rows.values()} == set(STATES)
    assert all(asks.strip() and where.strip() for _, asks, where in rows.values())


def test_what_is_served_points_to_what_exists() -> None:
    assert missing(requirements()) == []
    assert missing({"R1": ("served", "x", "no/such.md"), "R2": ("served", "x", " ")}) == [
        "R1: no/such.md",
        "R2: nowhere",
    ]


def test_an_exercise_that_exists_is_not_promised_for_later() -> None:
    there = {path.name.partition("-")[0].upper() for path in (ROOT / "scenarios" / "exercises").glob("sc*.toml")}
    late = [where for state, _, where in requirements().values() if state == "later"]
    assert [one for one in late if not there.isdisjoint(one.replace(",", " ").split())] == []
