"""What an interviewer asks next: chosen without chance, from what failed, what matters in the run, and stress.

The key of a question says where it comes from: ``rule.A2``, ``lever.demand``, ``stress.half``, ``technical.0``.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from practice.exercises import KINDS, Exercise, Stress, Text, measure_title, play, say
from practice.exercises import Story as Filler
from practice.player.errors import PlayerError
from practice.player.levers import Slope, lever_text, slopes
from practice.player.modes import DATA
from practice.player.session import Session, setting_of
from practice.rubric import RULES, facts_without_effect, score_answer

MOST = 5
_LONGEST_FACT = 160


@dataclass(frozen=True)
class Question:
    """A question, what to listen for in the reply, and its kind: technical, logic or data."""

    key: str
    kind: str
    ask: str
    listen: str


def choose_questions(exercise: Exercise, session: Session) -> tuple[str, ...]:
    """Return the keys of the questions to an answer: the same answer is always asked the same.

    The heaviest failed rule, the lever with the largest elasticity, a technical fact without its effect, one stress,
    and questions of the exercise until there are five and all three kinds have been asked. What is free to choose
    follows from a hash of exercise and answer.
    """
    seed = _seed(exercise, session)
    found = (_failed_rule(session), _steepest(exercise, session), _fact(session))
    keys = [one for one in found if one]
    keys.append(f"stress.{exercise.stress[seed % len(exercise.stress)].id}")
    asked = [_kind(key) for key in keys]
    turn = sorted(KINDS, key=lambda kind: (asked.count(kind), (KINDS.index(kind) + seed) % len(KINDS)))
    for at in range(MOST - len(keys)):
        kind = turn[at % len(turn)]
        bank = getattr(exercise.probes, kind)
        keys.append(f"{kind}.{(seed // len(KINDS) + at // len(turn)) % len(bank)}")
    return tuple(keys)


def _seed(exercise: Exercise, session: Session) -> int:
    told = "\x1f".join([exercise.id, *(f"{box}{session.answer[box]}" for box in sorted(session.answer))])
    return int.from_bytes(hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=6).digest(), "big")


def _failed_rule(session: Session) -> str | None:
    score = score_answer(dict(session.answer), session.persona)
    lost = [(one.points - one.weight, one.rule) for one in score.outcomes if one.value < 1]
    return f"rule.{min(lost)[1]}" if lost else None


def _steepest(exercise: Exercise, session: Session) -> str | None:
    found = slopes(exercise, setting_of(session))
    return f"lever.{found[0].lever.id}" if found else None


def _fact(session: Session) -> str | None:
    return "so_what.0" if facts_without_effect(dict(session.answer)) else None


def _kind(key: str) -> str:
    root, _, rest = key.partition(".")
    if root == "rule":
        dimension = next(rule.dimension for rule in RULES if rule.id == rest)
        return str(DATA["kind"][dimension])
    return {"lever": "data", "stress": "logic", "so_what": str(DATA["so_what"]["kind"])}.get(root, root)


def question_of(exercise: Exercise, session: Session, key: str, language: str) -> Question:
    """Return a question in a language, with what a good reply holds; its numbers are those of the session's runs.

    Raises
    ------
    PlayerError
        If the key leads nowhere.
    """
    root, _, rest = key.partition(".")
    try:
        ask, listen = _ASKERS[root](exercise, session, rest, language)
    except (KeyError, StopIteration, IndexError, ValueError) as error:
        raise PlayerError("question", key, "a question of this exercise") from error
    return Question(key, _kind(key), ask, listen)


def _of_rule(_exercise: Exercise, _session: Session, rule: str, language: str) -> tuple[str, str]:
    hint = next(one.hint for one in RULES if one.id == rule)
    return DATA["question"][rule][language], hint[language]


def _headline(exercise: Exercise, session: Session, language: str) -> tuple[str, str]:
    headline = exercise.evidence.headline
    unit = play(exercise, setting_of(session)).rows[headline].unit
    return measure_title(exercise, headline, language), unit


def _of_lever(exercise: Exercise, session: Session, lever: str, language: str) -> tuple[str, str]:
    slope: Slope = next(one for one in slopes(exercise, setting_of(session)) if one.lever.id == lever)
    name, unit = _headline(exercise, session, language)
    values: Mapping[str, str] = {
        "lever": slope.lever.name.of(language), "measure": name,
        "low": lever_text(slope.low, slope.lever, language), "high": lever_text(slope.high, slope.lever, language),
        "first": say(slope.first, unit, language), "last": say(slope.last, unit, language),
        "elasticity": say(slope.elasticity, "number", language),
    }  # fmt: skip
    words = DATA["lever"]
    return words["ask"][language].format(**values), words["listen"][language].format(**values)


def _of_fact(exercise: Exercise, session: Session, at: str, language: str) -> tuple[str, str]:
    fact = facts_without_effect(dict(session.answer))[int(at)]
    row = play(exercise, setting_of(session)).rows[exercise.evidence.money]
    before, after = (say(one.median, row.unit, language) for one in (row.before, row.after))
    words, measure = DATA["so_what"], measure_title(exercise, exercise.evidence.money, language)
    told = fact if len(fact) <= _LONGEST_FACT else f"{fact[: _LONGEST_FACT - 1]}\u2026"
    listen = words["listen"][language].format(measure=measure, before=before, after=after)
    return words["ask"][language].replace("{fact}", told), listen


def _of_stress(exercise: Exercise, session: Session, name: str, language: str) -> tuple[str, str]:
    stress: Stress = next(one for one in exercise.stress if one.id == name)
    words = DATA["stress"]
    if not (stress.set or stress.scale):
        return stress.ask.of(language), words["listen_only"][language]
    measure, unit = _headline(exercise, session, language)
    headline = exercise.evidence.headline
    calm = setting_of(session)
    first, last = (play(exercise, one).rows[headline].after.median
                   for one in (calm, calm.model_copy(update={"stress": (*calm.stress, name)})))  # fmt: skip
    told = words["listen"][language].format(
        measure=measure, first=say(first, unit, language), last=say(last, unit, language)
    )
    return stress.ask.of(language), told


def _of_exercise(kind: str) -> "Asker":
    def ask(exercise: Exercise, session: Session, at: str, language: str) -> tuple[str, str]:
        probe = getattr(exercise.probes, kind)[int(at)]
        story = Filler(exercise, setting_of(session))
        texts: Iterator[Text] = iter((probe.ask, probe.listen))
        return story.fill(next(texts), language), story.fill(next(texts), language)

    return ask


Asker = Callable[[Exercise, Session, str, str], tuple[str, str]]
_ASKERS: Mapping[str, Asker] = {
    "rule": _of_rule, "lever": _of_lever, "stress": _of_stress, "so_what": _of_fact,
    **{kind: _of_exercise(kind) for kind in KINDS},
}  # fmt: skip
