"""The rules of Result and Learning."""

from collections.abc import Callable, Iterator

from practice.rubric.framing import guard_names, guarded_kinds, red_line_clause, task_guards
from practice.rubric.lexicon import Metric
from practice.rubric.model import NOTHING, Found, View
from practice.rubric.numbers import Quantity
from practice.rubric.text import Span

_NEAR = 48
"""Characters between a movement and the metric that moves."""


def before_after(view: View) -> Found:
    """O1: two states of one metric."""
    half = NOTHING
    for sentence, pair in view.with_next(view.sentences("R")):
        change = view.told("pair", sentence)
        if change and view.first("hypothetical", Span(sentence.start, change.end)):
            continue
        if change and (view.metrics(sentence) or _is_understood(view, change)):
            return Found(1.0, (change,))
        late = view.first("pair", pair)
        if late and late.start < sentence.end and len(view.metrics(pair)) >= 1 and _is_two_part(view, pair):
            return Found(1.0, (late,))
        numbers = view.numbers(sentence)
        if numbers and view.metrics(sentence) and not half.value:
            half = Found(0.5, (numbers[0].span,))
    return half


def _is_understood(view: View, change: Span) -> bool:
    """Say whether a change without a metric is in the unit of one that Situation or Task measures."""
    said = {one.kind for one in view.numbers(Span(change.start, min(change.end + 14, len(view.text))))}
    return bool(said & view.measured_kinds("ST"))


def _is_two_part(view: View, span: Span) -> bool:
    return view.first("before_word", span) is not None


def guard_kept(view: View) -> Found:
    """O2: the metric of the red line returns, with a value or as unchanged."""
    if not view.has_section("R"):
        return NOTHING
    wanted, protected = task_guards(view), guarded_kinds(view)
    half = NOTHING
    for sentence in view.sentences("R"):
        kept = view.first("line_kept", sentence)
        if kept and view.numbers(sentence) and red_line_clause(view):
            return Found(1.0, (kept,))
        for clause in _happened(view, sentence):
            names = view.metric_names(clause)
            told = view.first("unchanged", clause)
            numbers = view.numbers(clause) or view.first("bare_value", clause)
            if _is_protected_told(view, clause, sentence.end, protected):
                return Found(1.0, (clause,))
            if not names or not (told or numbers):
                continue
            if names & wanted:
                return Found(1.0, (clause,))
            if names & guard_names() and told and not half.value:
                half = Found(0.5, (clause,))
    return half


def _happened(view: View, sentence: Span) -> Iterator[Span]:
    """Yield the clauses of a sentence up to where it begins to speak of what is only expected."""
    for clause in view.doc.clauses(sentence):
        if view.first("hypothetical", clause):
            return
        yield clause


def _is_protected_told(view: View, clause: Span, end: int, protected: dict[str, set[str]]) -> bool:
    """Say whether those whom the red line protects are named with a value in the right unit, or with no change."""
    text = view.text[clause.start : clause.end]
    said = {one.kind for one in view.numbers(clause)}
    is_bare = not said and view.first("bare_value", clause) is not None
    is_kept = is_bare or view.first("unchanged", Span(clause.start, end)) is not None
    return any(who in text and (is_kept or said & kinds) for who, kinds in protected.items())


def find_regressions(view: View) -> Iterator[Found]:
    """Yield what got worse: value 1 with a quantity nearby, 0.5 without."""
    for sentence, pair in view.with_next(view.sentences("R")):
        span = _bad_event(view, sentence)
        if span:
            has_number = bool(view.numbers(pair)) or view.first("some", pair) is not None
            yield Found(1.0 if has_number else 0.5, (span,))


def _bad_event(view: View, sentence: Span) -> Span | None:
    """Return where a sentence says that something got worse."""
    for hit in view.hits("bad", sentence):
        if not _is_denied(view, sentence, hit) and not _is_improving(view, sentence, hit):
            return hit
    for hit in _movements(view, sentence):
        return hit
    price = view.first("price", sentence)
    if price and view.numbers(sentence) and not _is_denied(view, sentence, price):
        return price
    beyond = view.first("against_plan", sentence)
    return beyond if beyond and any(one.better == "down" for one, _ in view.metrics(sentence)) else None


def _movements(view: View, sentence: Span) -> Iterator[Span]:
    """Yield each movement, told in words or as two numbers, that is bad for the metric it belongs to."""
    turn = view.first("adversative", sentence)
    for family, bad in (("up", "down"), ("down", "up")):
        for hit in view.hits(family, sentence):
            metric = _subject(view, sentence, hit)
            is_turned = turn is not None and turn.start < hit.start
            is_bad = metric is not None and (metric.better == bad or (is_turned and metric.better == "neither"))
            if is_bad and not _is_denied(view, sentence, hit) and not _falls(view, sentence, hit, family):
                yield hit
    for hit in view.hits("pair", sentence):
        metric = _subject(view, sentence, hit)
        rises = _direction(view, hit)
        if metric and rises and metric.better == ("down" if rises > 0 else "up"):
            yield hit
        if not metric and rises > 0 and turn and _is_time(view, hit) and not view.first("adjust", sentence):
            yield hit


def _subject(view: View, sentence: Span, hit: Span) -> Metric | None:
    """Return the metric that moves: the nearest before the movement, or the next after it in its clause."""
    found = view.metrics(sentence)
    before = [one for one in found if one[1].start < hit.end and hit.start - one[1].end < _NEAR]
    if before:
        between = Span(before[-1][1].end, max(hit.start, before[-1][1].end))
        return None if view.mechanisms(between) else before[-1][0]
    clause = next((one for one in view.doc.clauses(sentence) if one.start <= hit.start < one.end), sentence)
    after = [one for one in found if 0 <= one[1].start - hit.end < 20 and one[1].start < clause.end]
    return after[0][0] if after else None


def _direction(view: View, hit: Span) -> int:
    """Return 1 where the two numbers of a change rise, -1 where they fall, 0 where that cannot be told."""
    numbers = _comparable(view.numbers(Span(hit.start, min(hit.end + 14, len(view.text)))))
    if len(numbers) < 2:
        return 0
    first, last = numbers[0], numbers[1]
    rises = (last.value > first.value) - (last.value < first.value)
    return -rises if view.is_told_backwards(first.span, last.span) else rises


def _is_time(view: View, hit: Span) -> bool:
    numbers = view.numbers(Span(hit.start, min(hit.end + 14, len(view.text))))
    return any(one.kind == "duration" for one in numbers)


def _comparable(numbers: tuple[Quantity, ...]) -> list[Quantity]:
    return [one for one in numbers if one.kind != "fraction"]


def _falls(view: View, sentence: Span, hit: Span, family: str) -> bool:
    """Say whether the numbers after a word of movement go the other way ("went from 4 to 2")."""
    near = [one for one in view.numbers(sentence) if 0 <= one.span.start - hit.start < 45]
    if len(near) < 2 or near[0].kind != near[1].kind or not view.first("from_word", Span(hit.start, near[1].span.end)):
        return False
    rises = near[1].value > near[0].value
    return rises if family == "down" else not rises


def _is_denied(view: View, sentence: Span, hit: Span) -> bool:
    """Say whether the few words before take it back ("no team complained")."""
    return view.first("not_so", Span(max(sentence.start, hit.start - 14), hit.start)) is not None


def _is_improving(view: View, sentence: Span, hit: Span) -> bool:
    """Say whether what sounds bad went down ("complaints fell from 80 to 25")."""
    after = Span(hit.end, min(hit.end + 30, sentence.end))
    return view.first("down", after) is not None and view.first("up", after) is None


def regression(view: View) -> Found:
    """O3: what got worse, with a quantity."""
    if not view.has_section("R"):
        return NOTHING
    return max(view.regressions, key=lambda one: one.value, default=NOTHING)


def adjustment(view: View) -> Found:
    """O4: what the candidate changed after that."""
    if view.doc.is_sectioned and not view.has_section("R"):
        return NOTHING
    anchors = [one.spans[0].start for one in view.regressions]
    turn = [hit.start for one in view.sentences("R") if (hit := view.first("adversative", one))]
    for start, value in ((min(anchors, default=-1), 1.0), (min(turn, default=-1), 0.5)):
        if start < 0:
            continue
        for sentence in view.sentences("RL"):
            after = Span(max(sentence.start, start), max(sentence.end, start))
            hit = view.first("adjust", after)
            if hit and not view.first("not_so", Span(hit.start, hit.end)):
                return Found(value, (hit,))
            own = _own_act(view, sentence, after) if value == 1.0 else None
            if own and sentence in view.sentences("R"):
                return Found(value, (own,))
    return NOTHING


def _own_act(view: View, sentence: Span, after: Span) -> Span | None:
    """Return something done about it, in whatever verb, that is more than to notice, to explain or to accept."""
    whole = {one.start for one in view.doc.clauses(sentence)}
    for clause in view.doc.clauses(after):
        idle = view.hits("no_act", clause)
        # An act without its subject ("Patched it by ..."): where the clause begins, not where the regression does.
        begun = view.opening("bare_act", clause) if clause.start in whole else None
        for hit in [*view.hits("own_act", clause), *([begun] if begun else [])]:
            if not view.first("not_so", hit) and not any(one.start < hit.end and hit.start < one.end for one in idle):
                return hit
    return None


def cause(view: View) -> Found:
    """O5: why it moved, with a metric, a mechanism or a quantity."""
    if not view.has_section("R"):
        return NOTHING
    for sentence in view.sentences("R"):
        word = view.first("causal", sentence)
        if word and (view.metrics(sentence) or view.mechanisms(sentence) or view.numbers(sentence)):
            return Found(1.0, (word,))
    return NOTHING


def money(view: View) -> Found:
    """O6: an amount of money in Task, Action or Result."""
    for sentence in view.sentences("TAR"):
        for number in view.numbers(sentence):
            if number.kind == "money":
                return Found(1.0, (number.span,))
        hit = view.first("money_words", sentence)
        if hit:
            return Found(1.0, (hit,))
    return NOTHING


def learning(view: View) -> Found:
    """L1: a lesson with something to do in it."""
    half = NOTHING
    for sentence in view.sentences("L"):
        if view.first("cliche", sentence):
            continue
        word, process = view.first("learned", sentence), view.first("process", sentence)
        topic = view.metrics(sentence) or view.mechanisms(sentence)
        if word and (topic or process or view.numbers(sentence)):
            return Found(1.0, (word, sentence))
        if process and topic and not half.value:
            half = Found(0.5, (process,))
    return half


def limit(view: View) -> Found:
    """L2: where the result would not hold."""
    for sentence in view.sentences("RL"):
        hit = view.told("boundary", sentence)
        if hit:
            return Found(1.0, (hit, sentence))
    return NOTHING


RULES: dict[str, Callable[[View], Found]] = {
    "O1": before_after, "O2": guard_kept, "O3": regression, "O4": adjustment, "O5": cause, "O6": money,
    "L1": learning, "L2": limit,
}  # fmt: skip
