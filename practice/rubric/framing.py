"""The rules of Situation and Task."""

from collections.abc import Callable, Iterator

from practice.rubric.lexicon import LEXICON
from practice.rubric.model import NOTHING, Found, View
from practice.rubric.text import Span

_DAY_S = 86_400
_NO_REACH = 36
"""Characters from a no to what must not happen."""
_OWN_METRIC = {"gpu", "scale", "count", "money"}
_SPREAD = 10.0
"""Times one wait is longer than another where that alone is a contradiction."""
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
        if (names & _BUSY and names & _SLOW and len(numbers) >= 2) or _is_spread(view, sentence):
            best = Found(1.0, (pair,))
        elif contrast and names and not best.value:
            best = Found(0.5, (contrast,))
    return best


def _is_spread(view: View, sentence: Span) -> bool:
    """Say whether a wait is told with two times far apart ("small jobs start in 2 min, large sit for 19 h")."""
    if not view.metric_names(sentence) & _SLOW:
        return False
    times = [one.value for one in view.numbers(sentence) if one.kind == "duration" and one.value]
    return len(times) >= 2 and max(times) >= _SPREAD * min(times)


def _sides(view: View, span: Span, names: set[str]) -> int:
    parties = {view.text[one.start : one.end].rstrip("s") for one in view.hits("party", span)}
    return max(len(names), len(parties))


def difficulty(view: View) -> Found:
    """S3: a word of difficulty or resistance."""
    return view.first_of("S", "hard")


def personal_task(view: View) -> Found:
    """T1: the candidate's own assignment, with a quantity in Task."""
    said = view.first_of("T", "assigned")
    said = said if said.value else _mine(view)
    if not said.value:
        return NOTHING
    has_number = any(view.numbers(one) for one in view.sentences("T"))
    return said if has_number else Found(0.5, said.spans)


def _mine(view: View) -> Found:
    """Take any other mention of oneself in Task as an assignment, unless it is an opinion, help, or one's team."""
    for sentence in view.sentences("T"):
        others = view.hits("not_mine", sentence)
        own = [one for one in view.hits("mine", sentence) if not one.begins_in(others)]
        if own:
            return Found(1.0, (own[0],))
    return NOTHING


def deadline(view: View) -> Found:
    """T2: a date or a time to be ready."""
    return view.first_of("T", "deadline")


def target(view: View) -> Found:
    """T3: verb of aiming, metric and quantity in one sentence."""
    for sentence in view.sentences("T"):
        verb = view.first("target_verb", sentence)
        elsewhere = [*view.hits("deadline", sentence), *_forbidden(view, sentence)]
        numbers = [one for one in view.numbers(sentence) if not one.span.begins_in(elsewhere)]
        is_measured = bool(view.metrics(sentence)) or any(one.kind in _OWN_METRIC for one in numbers)
        if verb and numbers and (is_measured or {one.kind for one in numbers} & view.measured_kinds("S")):
            return Found(1.0, (verb, numbers[0].span))
    return NOTHING


def _forbidden(view: View, sentence: Span) -> list[Span]:
    """Return the stretches that only say what must not get worse; their numbers are no target."""
    found: list[Span] = []
    for clause in view.doc.clauses(sentence):
        worse = _no_worse(view, clause) if view.first("hurt", clause) else None
        limit = worse or view.first("proviso", clause)
        if limit:
            found.append(Span(limit.start, clause.end))
    return found


def red_line_clause(view: View) -> tuple[Span, Span] | None:
    """Return the clause of Task that says what must not get worse, and its word of constraint."""
    for clause in task_clauses(view):
        word = _constraint(view, clause)
        if word and _names_guard(view, clause) and not view.first("claimed", clause):
            return clause, word
    return None


def _constraint(view: View, clause: Span) -> Span | None:
    """Return the word that makes a clause a red line: a constraint, or a no with something getting worse after it."""
    word = view.first("constraint", clause) or (view.first("class", clause) and view.first("as_before", clause))
    if word:
        return word
    return _no_worse(view, clause) or _ceiling(view, clause)


def _no_worse(view: View, clause: Span) -> Span | None:
    for no in view.hits("no", clause):
        worse = view.first("worsen", Span(no.end, min(no.end + _NO_REACH, clause.end)))
        if worse:
            return Span(no.start, worse.end)
    return None


def _ceiling(view: View, clause: Span) -> Span | None:
    """Return a ceiling or something to hold, where another clause before it already has the target."""
    guarded = view.first("at_most", clause)
    if guarded and any(metric.is_guard for metric, _ in view.metrics(clause)):
        return guarded
    word = view.first("ceiling", clause)
    sentences = view.sentences("T")
    if not word or not any(view.numbers(clause)):
        return None
    earlier = [Span(one.start, min(one.end, clause.start)) for one in sentences if one.start < clause.start]
    deadlines = [hit for one in sentences for hit in view.hits("deadline", one)]
    aims = [one for span in earlier for one in view.numbers(span) if not one.span.begins_in(deadlines)]
    return word if aims and not view.hits("deadline", clause) else None


def task_clauses(view: View) -> Iterator[Span]:
    """Yield the clauses of Task; one that begins with its verb is joined to what stands before it."""
    for sentence in view.sentences("T"):
        topic = sentence.start
        for clause in view.doc.clauses(sentence):
            is_headless = view.opening("verb_first", clause) is not None
            yield Span(topic, clause.end) if is_headless and not view.metrics(clause) else clause
            topic = clause.start if view.metrics(clause) else topic


def _names_guard(view: View, clause: Span) -> bool:
    is_measured = any(
        one.kind in {"percent", "money"} or (one.kind == "duration" and one.value < _DAY_S)
        for one in view.numbers(clause)
    )
    is_told = view.first("class", clause) and (view.first("hurt", clause) or view.first("as_before", clause))
    return bool(view.metrics(clause) or is_measured or is_told)


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
    return {name for clause in _guard_clauses(view) for name in view.metric_names(clause)}


def guarded_kinds(view: View) -> dict[str, set[str]]:
    """Return whom the red line of Task protects (nightly training, the platform team), and in which kinds of number."""
    kinds: dict[str, set[str]] = {}
    for clause in _guard_clauses(view):
        for hit in _named(view, clause):
            said = {one.kind for one in view.numbers(clause) if one.kind in {"percent", "duration", "money", "ratio"}}
            kinds.setdefault(view.text[hit.start : hit.end], set()).update(said)
    return kinds


def _named(view: View, clause: Span) -> list[Span]:
    """Return who is named in a clause, or just before one that says only a number ("small ones, 15 min at most")."""
    for span in (clause, Span(max(0, clause.start - _NO_REACH), clause.end)):
        found = [*view.hits("class", span), *view.hits("party", span)]
        if found or view.metrics(clause):
            return found
    return []


def _guard_clauses(view: View) -> list[Span]:
    limits = [clause for clause in task_clauses(view) if _constraint(view, clause)]
    return [clause for clause in limits if not view.first("claimed", clause)]


def guard_names() -> set[str]:
    """Return the metrics that one usually promises not to hurt."""
    return {metric.name for metric in LEXICON.metrics if metric.is_guard}
