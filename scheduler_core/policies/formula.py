"""A formula typed by the user: the job with the highest value starts first.

Source: the article's request for a priority of one's own; what a formula may hold is in _expression.py
(docs/model.md, 16.6). Known flaw: nobody has tested it but its author.
"""

from collections.abc import Mapping

import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.jit import FLOAT, FLOATS, INT, kernel, step
from scheduler_core.kernels.state import KEY_SIGNATURE
from scheduler_core.kernels.tables import Floats
from scheduler_core.phrases import Phrase
from scheduler_core.policies._base import Column, Policy
from scheduler_core.policies._expression import ALLOWED, NAMES, STEPS, fault_of, steps_of
from scheduler_core.registry import ParamValue, TextParam

FIRST_OF_ONE, FIRST_OF_TWO = STEPS.index("negate"), STEPS.index("+")
LARGEST = 1e9
"""Values reach up to here; beyond it they could not be told apart to 1e-9."""
LONGEST_EXPONENT = 700.0
WAITS_H = (0.0, 1 / 3_600, 1.0, 24.0, 8_760.0)
"""Hours waited at which a formula is tried before a run."""


@step(FLOAT(INT, FLOAT), inline=True)
def apply_to_one(code: int, x: float) -> float:
    """Return negate, abs, sqrt, log or exp of `x`, nan where there is none."""
    which = code - FIRST_OF_ONE
    if which == 0:
        return -x
    if which == 1:
        return abs(x)
    if which == 2:
        return np.sqrt(x) if x >= 0.0 else np.nan
    if which == 3:
        return np.log(x) if x > 0.0 else np.nan
    return np.exp(x) if x < LONGEST_EXPONENT else np.inf


@step(FLOAT(FLOAT, FLOAT), inline=True)
def power(x: float, y: float) -> float:
    """Return x ** y, nan where it is no real number, infinity where it is too large."""
    if x < 0.0 and y != np.floor(y):
        return np.nan
    if x == 0.0:
        return 1.0 if y == 0.0 else (0.0 if y > 0.0 else np.nan)
    return np.power(x, y) if y * np.log(abs(x)) < LONGEST_EXPONENT else np.inf


@step(FLOAT(INT, FLOAT, FLOAT), inline=True)
def apply_to_two(code: int, x: float, y: float) -> float:
    """Return + - * / ** min or max of two numbers, nan where there is none."""
    which = code - FIRST_OF_TWO
    if which <= 2:
        return x + y if which == 0 else (x - y if which == 1 else x * y)
    if which == 3:
        return x / y if y != 0.0 else np.nan
    if which == 4:
        return power(x, y)
    return min(x, y) if which == 5 else max(x, y)


@step(FLOAT(FLOATS, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT))
def value_of(program: Floats, priority: float, wait_h: float, gpus: float, limit_h: float, weight: float) -> float:
    """Follow the steps of a formula: their number, then code and value of each, then room for a stack."""
    last = 1 + 2 * int(program[0])
    top = last - 1
    for at in range(1, last, 2):
        code = int(program[at])
        if code >= FIRST_OF_TWO:
            top -= 1
            program[top] = apply_to_two(code, program[top], program[top + 1])
        elif code >= FIRST_OF_ONE:
            program[top] = apply_to_one(code, program[top])
        else:
            top += 1
            program[top] = program[at + 1]
            for name, value in enumerate((priority, wait_h, gpus, limit_h, weight)):
                if code == name + 1:
                    program[top] = value
    return float(program[last])


@kernel(KEY_SIGNATURE)
def key(numbers: Floats, priority: float, wait_h: float, gpus: float, limit_h: float, weight: float) -> float:
    """Return the sort key of a job that has waited `wait_h`: the highest value is first, a value that is none last."""
    value = value_of(numbers, priority, wait_h, gpus, limit_h, weight)
    return -value if abs(value) < LARGEST else LARGEST


@kernel(INT(FLOATS, FLOAT, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS))
def value_all(
    program: Floats, wait_h: float, priority: Floats, gpus: Floats, limit_h: Floats, weight: Floats, values: Floats
) -> int:
    """Write the value of every job to `values`; return how many jobs there are."""
    for row in range(values.shape[0]):
        values[row] = value_of(program, priority[row], wait_h, gpus[row], limit_h[row], weight[row])
    return len(values)


def encode(chosen: Mapping[str, ParamValue]) -> list[float]:
    """Return a formula as `value_of` follows it."""
    found = steps_of(str(chosen["expression"]))
    program = [number for name, value in found for number in (float(STEPS.index(name)), value)]
    return [float(len(found)), *program, *[0.0] * (len(found) + 1)]


def is_changing(chosen: Mapping[str, ParamValue]) -> bool:
    """Say whether ranks change while jobs wait: the formula reads how long they have."""
    return any(name == "wait_h" for name, _ in steps_of(str(chosen["expression"])))


def column(facts: Mapping[str, Column], chosen: Mapping[str, ParamValue]) -> Column:
    """Return the sort key of every job before it has waited, in units of 1e-9, as whole numbers.

    Raises
    ------
    InputError
        If the formula has no finite value for a job, now or after some wait.
    """
    program = np.array(encode(chosen), np.float64)
    columns = [np.asarray(facts[name], np.float64) for name in NAMES if name != "wait_h"]
    values = np.zeros(len(columns[0]), np.float64)
    for wait_h in reversed(WAITS_H if is_changing(chosen) else WAITS_H[:1]):
        priority, gpus, limit_h, weight = columns
        value_all(program, wait_h, priority, gpus, limit_h, weight, values)
        wrong = np.flatnonzero(~(np.abs(values) < LARGEST))
        if len(wrong):
            job = dict(zip((name for name in NAMES if name != "wait_h"), (c[wrong[0]] for c in columns), strict=True))
            of = ", ".join(f"{name} {value:.6g}" for name, value in {**job, "wait_h": wait_h}.items())
            allowed = Phrase(
                "an expression whose value is below 1e9 for every job; with {of} it is {values:.6g}",
                of=of,
                values=values[wrong[0]],
            )
            raise InputError("policy.order.formula", chosen["expression"], allowed)
    keys: Column = np.rint(-values * 1e9).astype(np.int64)
    return keys


POLICY = Policy(
    slug="formula",
    source="article-000",
    rank=None,
    within_group="static",
    preemptive=False,
    params=(
        TextParam(
            slug="expression",
            default="priority + 0.1 / gpus + 0.01 / limit_h",
            says=ALLOWED,
            fault_of=fault_of,
            text={
                "en": (
                    "Value of a job, the highest first, from priority (0 to 1), wait_h (hours waited), gpus, limit_h "
                    "(hours) and weight (of its tenant), with + - * / ** and abs, sqrt, log, exp, min, max."
                ),
                "zh": (
                    "作业的优先值，最高者先启动；可用 priority（0 到 1）、wait_h（已等小时数）、gpus、"
                    "limit_h（时限小时数）、weight（租户权重），以及 + - * / ** 与 abs、sqrt、log、exp、min、max。"
                ),
            },
        ),
    ),
    name={"en": "Your own formula", "zh": "自定义公式"},
    text={
        "en": (
            "Helps whoever you say, and shows at once what a rule you have in mind would do. "
            "Hurts whoever the formula forgets: without wait_h in it a job may wait for ever."
        ),
        "zh": (
            "由您决定谁受益，并能立即看到设想的规则会带来什么。"
            "公式没有顾及的作业受害：不含 wait_h 时，有的作业可能永远等下去。"
        ),
    },
    key=key,
    is_changing=is_changing,
    column=column,
    reads=tuple(name for name in NAMES if name != "wait_h"),
    encode=encode,
)
