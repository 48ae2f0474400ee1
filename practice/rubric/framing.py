"""The rules of Situation and Task."""

from collections.abc import Callable, Iterator

from practice.rubric.lexicon import LEXICON
from practice.rubric.model import NOTHING, Found, View
from practice.rubric.text import Span

_DAY_S = 86_400
_BUSY, _SLOW = {"idle", "utilisation", "throughput"}, {"wait", "latency", "cost", "failure", "backlog"}


def scale(view: View) -> Found:
    """S1: a number of GPUs, nodes or machines, or of jobs and requests."""
    spans = [
        number.span
        for sentence in view.sentences("S")
        for number in view.numbers(sentence)
        if number.kind in {"gpu", "scale", "rate"}
    ]
    spans += [hit for sentence in view.sentences("S") for hit in view.hits("scale_unit", sentence)]
    return Found(1.0, tuple(sorted(spans)[:3])) if spans else NOTHING


def contradiction(view: View) -> Found:
    """S2: two facts that should not both be true: contrast, two metrics or parties, a quantity."""
    best = NOTHING
    for sentence, pair in view.with_next(view.sentences("S")):
        names = view.metric_names(pair)
        numbers = view.numbers(pair)
        contrast = view.first("contrast", sentence)
        if contrast and numbers and _sides(view, pair, names) >= 2 and names:
            return Found(1.0, (contrast, sentence))
        if names & _BUSY and names & _SLOW and len(numbers) >= 2:
            best = Found(1.0, (pair,))
        elif contrast and names and not best.value:
            best = Found(0.5, (contrast,))
    return best


def _sides(view: View, span: Span, names: set[str]) -> int:
    parties = {view.text[one.start : one.end].rstrip("s") for one in view.hits("party", span)}
    return max(len(names), len(parties))


def difficulty(view: View) -> Found:
    """S3: a word of difficulty or resistance."""
    return view.first_of("S", "hard")


def personal_task(view: View) -> Found:
    """T1: the candidate's own assignment, with a quantity in Task."""
    said = view.first_of("T", "assigned")
    if not said.value:
        return NOTHING
    has_number = any(view.numbers(one) for one in view.sentences("T"))
    return said if has_number else Found(0.5, said.spans)


def deadline(view: View) -> Found:
    """T2: a date or a time to be ready."""
    return view.first_of("T", "deadline")


def target(view: View) -> Found:
    """T3: verb of aiming, metric and quantity in one sentence."""
    for sentence in view.sentences("T"):
        verb = view.first("target_verb", sentence)
        deadlines = view.hits("deadline", sentence)
        numbers = [one for one in view.numbers(sentence) if not one.span.begins_in(deadlines)]
        if verb and numbers and (view.metrics(sentence) or numbers[0].kind in {"gpu", "scale", "count", "money"}):
            return Found(1.0, (verb, numbers[0].span))
    return NOTHING


def red_line_clause(view: View) -> tuple[Span, Span] | None:
    """Return the clause of Task that says what must not get worse, and its word of constraint."""
    for clause in task_clauses(view):
        word = view.first("constraint", clause)
        if word and _names_guard(view, clause):
            return clause, word
    return None


def task_clauses(view: View) -> Iterator[Span]:
    """Yield the clauses of Task; one that begins with its verb is joined to what stands before it."""
    for sentence in view.sentences("T"):
        for clause in view.doc.clauses(sentence):
            start = view.first("verb_first", clause)
            is_headless = start is not None and not view.text[clause.start : start.start].strip()
            yield Span(sentence.start, clause.end) if is_headless else clause


def _names_guard(view: View, clause: Span) -> bool:
    is_measured = any(
        one.kind in {"percent", "money"} or (one.kind == "duration" and one.value < _DAY_S)
        for one in view.numbers(clause)
    )
    return bool(view.metrics(clause)) or is_measured


def red_line(view: View) -> Found:
    """T4: word of constraint and guard metric (or a percentage) in one clause of Task."""
    found = red_line_clause(view)
    return Found(1.0, (found[1], found[0])) if found else NOTHING


def watcher(view: View) -> Found:
    """T5: who looks at the number."""
    return view.first_of("T", "watcher") if view.doc.is_sectioned else NOTHING


RULES: dict[str, Callable[[View], Found]] = {
    "S1": scale, "S2": contradiction, "S3": difficulty,
    "T1": personal_task, "T2": deadline, "T3": target, "T4": red_line, "T5": watcher,
}  # fmt: skip


def task_guards(view: View) -> set[str]:
    """Return the metrics that the red line of Task names."""
    names: set[str] = set()
    for clause in task_clauses(view):
        if view.first("constraint", clause):
            names |= view.metric_names(clause)
    return names


def guard_names() -> set[str]:
    """Return the metrics that one usually promises not to hurt."""
    return {metric.name for metric in LEXICON.metrics if metric.is_guard}
