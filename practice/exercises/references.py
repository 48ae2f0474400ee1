"""Names inside an exercise that must lead somewhere: measures, options, stress, placeholders."""

from collections.abc import Iterable, Iterator, Mapping

from practice.exercises.model import Difference, Exercise, Setting, Text
from practice.exercises.placeholders import FACTS, problem_of, texts_of
from practice.exercises.sources import SOURCES
from scheduler_core import Phrase, assumption_rows


def reference_faults(exercise: Exercise) -> Iterator[Phrase]:
    """Yield one sentence for each name that leads nowhere, with its key."""
    if not exercise.slug.startswith(f"{exercise.id.lower()}-"):
        yield Phrase(
            "id is {id!r}; the file's name must begin with {lower}-.", id=exercise.id, lower=exercise.id.lower()
        )
    yield from _twice(exercise)
    for key, name in _measures_named(exercise):
        if name not in exercise.measures:
            yield Phrase(
                "{key} is {name!r}; it must be one of {measures}.",
                key=key,
                name=name,
                measures=", ".join(exercise.measures),
            )
    yield from _measure_faults(exercise)
    yield from _decisions_named(exercise)
    yield from _regret_fault(exercise)
    for key, setting in settings_of(exercise):
        yield from _setting_faults(exercise, key, setting)
    for key, text in texts_of(exercise):
        yield from _text_faults(exercise, key, text)


def _decisions_named(exercise: Exercise) -> Iterator[Phrase]:
    shown = exercise.evidence.decision
    options = (one for each in exercise.decisions if each.id == shown for one in each.options)
    for option in options:
        if not option.marks:
            yield Phrase(
                "decisions.{shown}.options.{id}.marks is missing: how does an answer name it?",
                shown=shown,
                id=option.id,
            )
    for key, decision in (("predict.decision", exercise.predict.decision),
                          ("evidence.decision", exercise.evidence.decision)):  # fmt: skip
        if decision not in {one.id for one in exercise.decisions}:
            yield Phrase(
                "{key} is {decision!r}; it must be one of {what}.",
                key=key,
                decision=decision,
                what=", ".join(one.id for one in exercise.decisions),
            )


def _regret_fault(exercise: Exercise) -> Iterator[Phrase]:
    worlds = [one.id for one in exercise.stress if one.set or one.scale]
    if exercise.evidence.regret not in (None, *worlds):
        yield Phrase(
            "evidence.regret is {regret!r}; it must be one of {worlds}.",
            regret=exercise.evidence.regret,
            worlds=", ".join(worlds),
        )


def _twice(exercise: Exercise) -> Iterator[Phrase]:
    groups: dict[str, Iterable[str]] = {
        "decisions": [one.id for one in exercise.decisions],
        "stress": [one.id for one in exercise.stress],
        "levers": [one.id for one in exercise.levers],
        **{f"decisions.{one.id}.options": [each.id for each in one.options] for one in exercise.decisions},
    }
    for key, names in groups.items():
        seen = list(names)
        for name in sorted({one for one in seen if seen.count(one) > 1}):
            yield Phrase("{key} has the id {name!r} twice.", key=key, name=name)


def _measures_named(exercise: Exercise) -> Iterator[tuple[str, str]]:
    shown = exercise.evidence
    yield "evidence.headline", shown.headline
    yield "evidence.money", shown.money
    groups: Mapping[str, Iterable[str]] = {
        "evidence.measures": shown.measures,
        "evidence.guards": shown.guards,
        "predict.measures": exercise.predict.measures,
        "task.target.measure": [exercise.task.target.measure],
        "task.red_lines": [one.measure for one in exercise.task.red_lines],
        "articles": [one.measure for one in exercise.articles.values() if one.measure],
        **{f"directions.{at}.expect": one.expect for at, one in enumerate(exercise.directions)},
        **{f"decisions.{one.id}.{each.id}.reveals": each.reveals for one in exercise.decisions for each in one.options},
    }
    for key, names in groups.items():
        for name in names:
            yield key, name


def _measure_faults(exercise: Exercise) -> Iterator[Phrase]:
    for name in sorted(set(exercise.measures) & {*FACTS, *exercise.world.inputs, *assumption_rows()}):
        yield Phrase(
            "measures.{name} has the name of a fact or an input, so a formula could not tell them apart.", name=name
        )
    for name, measure in exercise.measures.items():
        source = SOURCES.get(measure.source)
        if source is None:
            yield Phrase(
                "measures.{name}.source is {source!r}; it must be one of {sources}.",
                name=name,
                source=measure.source,
                sources=", ".join(SOURCES),
            )
        elif problem := source.problem(measure):
            yield Phrase("measures.{name}.{problem}", name=name, problem=problem)


def settings_of(exercise: Exercise) -> Iterator[tuple[str, Setting]]:
    """Yield every setting that an exercise names, with its key."""
    yield "weak.choices", Setting(choices=exercise.weak.choices)
    yield "strong.choices", Setting(choices=exercise.strong.choices)
    for at, one in enumerate(exercise.directions):
        yield f"directions.{at}.before", one.before
        yield f"directions.{at}.after", one.after
    for name, article in exercise.articles.items():
        yield f"articles.{name}.setting", article.setting
        if article.against is not None:
            yield f"articles.{name}.against", article.against


def differences_named(exercise: Exercise) -> Iterator[tuple[str, Difference]]:
    """Yield every difference that an option or a stress states, with its key."""
    for decision in exercise.decisions:
        for option in decision.options:
            yield f"decisions.{decision.id}.{option.id}", option
    for stress in exercise.stress:
        yield f"stress.{stress.id}", stress


def _setting_faults(exercise: Exercise, key: str, setting: Setting) -> Iterator[Phrase]:
    decisions = {one.id: [option.id for option in one.options] for one in exercise.decisions}
    for decision, option in setting.choices.items():
        if decision not in decisions:
            yield Phrase(
                "{key} names the decision {decision!r}; it must be one of {decisions}.",
                key=key,
                decision=decision,
                decisions=", ".join(decisions),
            )
        elif option not in decisions[decision]:
            yield Phrase(
                "{key}.{decision} is {option!r}; it must be one of {decisions}.",
                key=key,
                decision=decision,
                option=option,
                decisions=", ".join(decisions[decision]),
            )
    known = [one.id for one in exercise.stress]
    for name in setting.stress:
        if name not in known:
            yield Phrase(
                "{key}.stress is {name!r}; it must be one of {known}.", key=key, name=name, known=", ".join(known)
            )


def _text_faults(exercise: Exercise, key: str, text: Text) -> Iterator[Phrase]:
    for language in ("en", "zh"):
        for problem in problem_of(exercise, text.of(language)):
            yield Phrase("{key}.{language}: {problem}", key=key, language=language, problem=problem)
