"""Read a typed formula, and turn it into a list of steps for a stack, which a kernel can follow.

The parser is the one of the standard library; what it finds is taken only if it stands in the tables below, and nothing
is ever evaluated as code. (Libraries for safe expressions evaluate in Python, one value at a time; the event loop is
compiled and asks for keys in the middle of it.)
"""

import ast
from collections.abc import Iterator

from scheduler_core.phrases import Phrase, Wording

NAMES = ("priority", "wait_h", "gpus", "limit_h", "weight")
"""What a formula may read of a job: priority 0 to 1, hours waited, GPUs, limit in hours, weight of its tenant."""
FUNCTIONS = {"abs": 1, "sqrt": 1, "log": 1, "exp": 1, "min": 2, "max": 2}
"""Function -> how many values it takes."""
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
STEPS = (
    "number",
    *NAMES,
    "negate",
    *(name for name, n in FUNCTIONS.items() if n == 1),
    *OPERATORS.values(),
    "min",
    "max",
)
"""Steps by their codes: what is pushed, then what takes one value, then what takes two."""
LONGEST = 200
MOST_STEPS = 64
ALLOWED = Phrase(
    "an expression of {names} and numbers with + - * / ** ( ) and {functions}, at most {longest} characters long",
    names=", ".join(NAMES),
    functions=", ".join(FUNCTIONS),
    longest=LONGEST,
)
Step = tuple[str, float]


class NotAllowedError(Exception):
    """A formula holds what no formula may hold; `problem` says what."""

    def __init__(self, problem: Phrase) -> None:
        self.problem = problem
        super().__init__(problem)


def _number(node: ast.expr) -> float | None:
    is_number = isinstance(node, ast.Constant) and type(node.value) in {int, float}
    return float(node.value) if is_number else None  # type: ignore[attr-defined]


def _steps(node: ast.expr) -> Iterator[Step]:
    """Yield the steps of an expression: its values first, then what is done with them."""
    number = _number(node)
    if number is not None:
        yield "number", number
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield node.id, 0.0
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        yield from _steps(node.operand)
        yield from [("negate", 0.0)] if isinstance(node.op, ast.USub) else []
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield from _steps(node.left)
        yield from _steps(node.right)
        yield OPERATORS[type(node.op)], 0.0
    elif isinstance(node, ast.Call):
        yield from _call(node)
    else:
        raise NotAllowedError(Phrase("it may not hold {what}", what=ast.unparse(node)))


def _call(node: ast.Call) -> Iterator[Step]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in FUNCTIONS or node.keywords:
        raise NotAllowedError(Phrase("it may not hold {what}", what=ast.unparse(node)))
    n_values = FUNCTIONS[name]
    if len(node.args) != n_values:
        raise NotAllowedError(
            Phrase("{name} takes {n} values" if n_values > 1 else "{name} takes {n} value", name=name, n=n_values)
        )
    for value in node.args:
        yield from _steps(value)
    yield name, 0.0


def steps_of(text: str) -> list[Step]:
    """Return the steps of a formula.

    Parameters
    ----------
    text : str
        As `ALLOWED` says.

    Returns
    -------
    list of (str, float)
        A name of `STEPS`, and the value of a number.

    Raises
    ------
    NotAllowedError
        With what is wrong.
    """
    if len(text) > LONGEST:
        raise NotAllowedError(Phrase("it has {n_text} characters", n_text=len(text)))
    try:
        found = list(_steps(ast.parse(text.strip(), mode="eval").body))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAllowedError(Phrase("this cannot be read")) from error
    if len(found) > MOST_STEPS:
        raise NotAllowedError(
            Phrase("it has {n_found} steps, more than {most_steps}", n_found=len(found), most_steps=MOST_STEPS)
        )
    return found


def fault_of(text: str) -> Wording:
    """Return what is wrong with a formula, nothing if it may be used."""
    try:
        steps_of(text)
    except NotAllowedError as error:
        return error.problem
    return ""
