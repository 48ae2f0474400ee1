"""Write docs/requirements.md anew: ``python -m tests.write_requirements_page``."""

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "requirements.toml"
PAGE = ROOT / "docs" / "requirements.md"
STATES = ("served", "later", "not")


def requirements() -> dict[str, tuple[str, str, str]]:
    """Return every requirement: its state, what it asks, and where it is met or why not."""
    return {name: tuple(row) for name, row in tomllib.loads(SOURCE.read_text(encoding="utf-8")).items()}


def page() -> str:
    """Return the page as the data make it now."""
    rows = requirements()
    count = Counter(state for state, _, _ in rows.values())
    lines = [
        "# What interview practice was asked for, and where it is",
        "",
        "Generated from [requirements.toml](requirements.toml): `python -m tests.write_requirements_page`.",
        f"Of {len(rows)}, {count['served']} are served, {count['later']} come later, {count['not']} are left out.",
        "",
        "| id | asks | state | where, or why |",
        "|---|---|---|---|",
    ]
    lines += [f"| {name} | {asks} | {state} | {_where(state, where)} |" for name, (state, asks, where) in rows.items()]
    return "\n".join(lines) + "\n"


def _where(state: str, where: str) -> str:
    if state != "served":
        return where
    return ", ".join(f"[{Path(one).name}](../{one})" for one in where.split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
