"""The labelled answers, as the tests and the page of the rubric read them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from practice.rubric import Score, score_answer

DATA = Path(__file__).parent / "data"
BANDS = {"weak": (0.0, 39.9), "medium": (40.0, 69.9), "strong": (70.0, 100.0)}


def data(name: str) -> dict[str, Any]:
    """Return the content of a data file of these tests."""
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


def rounds() -> list[dict[str, Any]]:
    """Return what each round of answers scored the first time a rule saw it, in order."""
    return list(data("unseen/first_runs.toml")["round"])


def of_round(number: int) -> list["Labelled"]:
    """Return the answers of a round, scored by the rules of today."""
    return labelled(f"unseen/round-{number}.toml")


@dataclass(frozen=True)
class Labelled:
    """One labelled answer, its score, and the outcomes that differ from the label."""

    id: str
    language: str
    level: str
    band: tuple[float, float]
    text: str
    score: Score
    labels: int
    differing: tuple[str, ...]

    @property
    def is_in_band(self) -> bool:
        """Say whether the score lies where the label puts it."""
        return self.band[0] <= self.score.total <= self.band[1]


def labelled(name: str) -> list[Labelled]:
    """Return the labelled answers of a file, scored."""
    return [_labelled(row) for row in data(name)["answer"]]


def _labelled(row: dict[str, Any]) -> Labelled:
    score = score_answer(row["text"])
    charged = {one.penalty for one in score.charges}
    differing = [rule for rule in row["pass"] if score.value(rule) < 0.5]
    differing += [rule for rule in row["fail"] if score.value(rule) > 0.5]
    differing += [rule for rule in row.get("partly", ()) if score.value(rule) != 0.5]
    differing += [name for name in row["penalties"] if name not in charged]
    low, high = row.get("band", BANDS[row["level"]])
    labels = sum(len(row.get(name, ())) for name in ("pass", "partly", "fail", "penalties"))
    return Labelled(
        row["id"], row["language"], row["level"], (low, high), row["text"], score, labels, tuple(differing)
    )  # fmt: skip
