"""What a candidate can do: pure changes of a session, each refused with one sentence where it is not allowed.

The ten steps of an exercise are one table: what has to be there before a step may be left.
"""

from collections.abc import Callable, Mapping

from practice.exercises import Exercise, exercises
from practice.player.errors import PlayerError, known
from practice.player.modes import MODES, STEPS
from practice.player.questions import choose_questions
from practice.player.session import FEELINGS, MOVEMENTS, Session, guess_key
from practice.player.whys import WHYS
from practice.rubric import PERSONAS

BOXES = ("S", "T", "A", "R", "L")


def _no_gap(_session: Session, _exercise: Exercise) -> bool:
    return False


def _lacks_prediction(session: Session, exercise: Exercise) -> bool:
    options = exercise.decision(exercise.predict.decision).options
    return any(guess_key(option.id, measure) not in session.predictions
               for option in options for measure in exercise.predict.measures)  # fmt: skip


def _lacks_choice(session: Session, exercise: Exercise) -> bool:
    return any(decision.id not in session.choices for decision in exercise.decisions)


def _lacks_answer(session: Session, _exercise: Exercise) -> bool:
    return not any(text.strip() for text in session.answer.values())


NEEDS: Mapping[str, Callable[[Session, Exercise], bool]] = {
    **dict.fromkeys(STEPS, _no_gap),
    "predict": _lacks_prediction,
    "decide": _lacks_choice,
    "answer": _lacks_answer,
}
"""Step -> whether something that it asks for is not there."""

OWN_STEP = {"predictions": "predict", "choices": "decide", "answer": "answer", "replies": "probes"}
"""What is said -> the step that asks for it."""


def start(exercise: Exercise, mode: str, persona: str = "committee", *, minutes: int | None = None,
          now_s: float = 0.0) -> Session:  # fmt: skip
    """Return a new session.

    Raises
    ------
    PlayerError
        If the mode, the persona or the minutes are unknown.
    """
    rules = MODES[known("mode", mode, list(MODES))]
    limit = minutes if minutes in rules.minutes else (rules.minutes[0] if rules.minutes else None)
    if minutes is not None and minutes != limit:
        known("minutes", str(minutes), map(str, rules.minutes))
    first = rules.steps[0]
    return _clocked(Session(
        exercise=exercise.id, exercise_version=exercise.version, mode=mode,
        persona=rules.persona or known("persona", persona, list(PERSONAS)),
        minutes=limit, started_s=now_s, step=first, reached=first,
        loop=f"{exercise.id}-{now_s:.3f}" if rules.is_loop else "", round=int(rules.is_loop),
    ), now_s)  # fmt: skip


def _clocked(session: Session, now_s: float) -> Session:
    is_due = session.clock_s is None and session.minutes is not None
    if is_due and session.step == MODES[session.mode].timed_from:
        return session.model_copy(update={"clock_s": now_s})
    return session


def seconds_left(session: Session, now_s: float) -> float | None:
    """Return what the clock shows, negative once time is up; None where no clock runs."""
    if session.minutes is None or session.clock_s is None:
        return None
    return session.minutes * 60 - ((session.ended_s or now_s) - session.clock_s)


def may_change(session: Session, what: str) -> bool:
    """Return whether predictions, choices, answer or replies are still open.

    Predictions close with their step in every mode: afterwards they would be hindsight.
    """
    mode = MODES[session.mode]
    if mode.is_read_only:
        return False
    is_open_long = mode.rewrites and what != "predictions"
    last = "score" if is_open_long else OWN_STEP[what]
    return STEPS.index(session.reached) <= STEPS.index(last)


def missing(session: Session, exercise: Exercise) -> bool:
    """Return whether the step on screen asks for something that is not there."""
    return not MODES[session.mode].is_read_only and NEEDS[session.step](session, exercise)


def move_on(session: Session, *, now_s: float) -> Session:
    """Return the session at its next step; where the answer is handed in, the questions are chosen.

    Raises
    ------
    PlayerError
        If something is missing, or there is no next step.
    """
    exercise = exercise_of(session)
    steps = MODES[session.mode].steps
    at = steps.index(known("step", session.step, list(steps)))
    if at + 1 >= len(steps):
        raise PlayerError("last", session.step, "left towards an earlier step")
    if missing(session, exercise):
        raise PlayerError(f"missing.{session.step}", "nothing", "there before the next step")
    if session.step == "answer" and "probes" in steps and not session.asked:
        session = session.model_copy(update={"asked": choose_questions(exercise, session)})
    step = steps[at + 1]
    reached = max(session.reached, step, key=STEPS.index)
    moved = session.model_copy(update={"step": step, "reached": reached})
    if step == "score" and moved.ended_s is None:
        moved = moved.model_copy(update={"ended_s": now_s})
    return _clocked(moved, now_s)


def back_to(session: Session, step: str) -> Session:
    """Return the session at a step that was seen before.

    Raises
    ------
    PlayerError
        If the mode has no such step, or it lies ahead.
    """
    steps = MODES[session.mode].steps
    known("step", step, list(steps))
    if STEPS.index(step) > STEPS.index(session.reached):
        known("step", step, steps[: steps.index(session.reached) + 1])
    return session.model_copy(update={"step": step})


def finish(session: Session, now_s: float) -> Session:
    """Return the session with its end noted."""
    return session if session.ended_s is not None else session.model_copy(update={"ended_s": now_s})


def exercise_of(session: Session) -> Exercise:
    """Return the exercise of a session.

    Raises
    ------
    PlayerError
        If there is no such exercise.
    """
    found = exercises()
    return found[known("exercise", session.exercise, list(found))]


def _open(session: Session, what: str) -> None:
    if not may_change(session, what):
        raise PlayerError("closed", what, "changed before its step is left")


def predict(session: Session, option: str, measure: str, movement: str) -> Session:
    """Return the session with one prediction."""
    _open(session, "predictions")
    exercise = exercise_of(session)
    known("option", option, [one.id for one in exercise.decision(exercise.predict.decision).options])
    known("measure", measure, exercise.predict.measures)
    return _with(session, "predictions", guess_key(option, measure), known("prediction", movement, MOVEMENTS))


def say_sure(session: Session, percent: int) -> Session:
    """Return the session with how sure the predictions are, 0 to 100."""
    _open(session, "predictions")
    if not 0 <= percent <= 100:
        raise PlayerError("sure", percent, "from 0 to 100", low=0, high=100)
    return session.model_copy(update={"sure_percent": percent})


def choose(session: Session, decision: str, option: str) -> Session:
    """Return the session with an option chosen."""
    _open(session, "choices")
    check_choice(exercise_of(session), decision, option)
    return _with(session, "choices", decision, option)


def check_choice(exercise: Exercise, decision: str, option: str) -> None:
    """Refuse a decision or an option that the exercise does not have."""
    known("decision", decision, [one.id for one in exercise.decisions])
    known("choice", option, [one.id for one in exercise.decision(decision).options])


def stress_with(session: Session, names: tuple[str, ...]) -> Session:
    """Return the session under stress."""
    _open(session, "choices")
    toggles = [one.id for one in exercise_of(session).stress]
    return session.model_copy(update={"stress": tuple(known("stress", one, toggles) for one in names)})


def write(session: Session, box: str, text: str) -> Session:
    """Return the session with the text of one box, S, T, A, R or L."""
    _open(session, "answer")
    return _with(session, "answer", known("box", box, BOXES), text)


def reply(session: Session, question: str, text: str) -> Session:
    """Return the session with the reply to a question."""
    _open(session, "replies")
    return _with(session, "replies", known("question", question, session.asked), text)


def feel(session: Session, question: str, feelings: tuple[str, ...]) -> Session:
    """Return the session with how the candidate felt about a reply; nothing forgets the question. Never closed."""
    known("question", question, session.asked)
    felt = {name: said for name, said in session.felt.items() if name != question}
    said = tuple(known("feeling", one, FEELINGS) for one in feelings)
    return session.model_copy(update={"felt": {**felt, question: said} if said else felt})


def say_why(session: Session, depth: int, text: str) -> Session:
    """Return the session with the reply to a why, from 0; what was said deeper stays."""
    _open(session, "replies")
    if not 0 <= depth <= min(len(session.whys), WHYS - 1):
        last = min(len(session.whys) + 1, WHYS)
        raise PlayerError("why", depth + 1, f"from 1 to {last}", low=1, high=last)
    said = [*session.whys]
    said[depth : depth + 1] = [text]
    return session.model_copy(update={"whys": tuple(said)})


def try_again(session: Session, decision: str, option: str) -> Session:
    """Return the session with a choice of the re-run that adjusts what went wrong."""
    check_choice(exercise_of(session), decision, option)
    return session.model_copy(update={"retried": {**session.choices, **session.retried, decision: option}})


def _with(session: Session, part: str, key: str, value: str) -> Session:
    return session.model_copy(update={part: {**getattr(session, part), key: value}})
