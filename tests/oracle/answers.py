"""What a reference answer is: a question, the figures that are right to their digits, and how we compute them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Figures = Sequence[float | None]


@dataclass(frozen=True)
class Answer:
    """One row of the table of reference answers.

    Attributes
    ----------
    slug : str
        Its name, such as E16.
    question : str
        The inputs.
    names : str
        What the figures are, separated by semicolons.
    right : sequence of float
        Worked out elsewhere (by hand, with other tools), to the digits given.
    ours : callable
        Gives ours in the same order.
    relative : float
        Greatest relative difference.
    """

    slug: str
    question: str
    names: str
    right: Figures
    ours: Callable[[], Figures]
    relative: float = 1e-5

    def faults(self) -> list[str]:
        """Return where ours differs."""
        ours, names = list(self.ours()), [name.strip() for name in self.names.split(";")]
        assert len(ours) == len(self.right) == len(names), self.slug
        return [
            f"{self.slug} {name}: ours {mine!r}, right {right!r}"
            for name, mine, right in zip(names, ours, self.right, strict=True)
            if not self._is_same(mine, right)
        ]

    def _is_same(self, mine: float | None, right: float | None) -> bool:
        if mine is None or right is None:
            return mine is right
        if isinstance(right, int):
            return mine == right
        return abs(mine - right) <= self.relative * abs(right)

    def row(self) -> str:
        """Return the row of the page."""
        pairs = zip([name.strip() for name in self.names.split(";")], self.right, self.ours(), strict=True)
        cells = [(name, write(right), write(mine)) for name, right, mine in pairs]
        columns = ("<br>".join(cell[at] for cell in cells) for at in range(3))
        return f"| {self.slug} | {self.question} | {' | '.join(columns)} |"


def write(value: float | None) -> str:
    """Return a figure with six significant digits."""
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


def table(answers: Sequence[Answer]) -> str:
    """Return the table of the page."""
    head = "| Id | Question | Figure | Reference | Ours |\n|---|---|---|---:|---:|"
    return "\n".join([head, *(answer.row() for answer in answers)])
