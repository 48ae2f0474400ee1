"""An exam that was taken from brief to score, as it is kept and exported."""

import time

from practice.exercises import Exercise, fill_answer
from practice.export import Page
from practice.history import Attempt, Prediction, Section, Store, graded
from practice.player import Session, choose, encode, grade, predict, share, start, write
from tests.practice.history.builders import START


def decided(exercise: Exercise, mode: str, **fields: object) -> Session:
    """Return a session with the strong answer's choices, begun now."""
    session = start(exercise, mode, now_s=time.time())
    for decision, option in exercise.strong.choices.items():
        session = choose(session, decision, option)
    return session.model_copy(update=fields)


def keep_at_the_answer(store: Store, book: str, exercise: Exercise, mode: str, **fields: object) -> str:
    """Keep an attempt whose decisions are taken, as another visit left it, and return its id; `fields` change it."""
    session = decided(exercise, mode, **{"step": "answer", **fields})
    return store.start(
        book, exercise.id, mode=session.mode, persona=session.persona, choices=dict(session.choices),
        progress={"session": session.model_dump(mode="json")},
    ).id  # fmt: skip


def exam_page(exercise: Exercise, language: str, *, times: int = 1) -> Page:
    """Return the page of an exam with the strong answer; `times` makes every box longer."""
    session = decided(exercise, "exam")
    for option in exercise.decision(exercise.predict.decision).options:
        for measure in exercise.predict.measures:
            session = predict(session, option.id, measure, "up")
    for box, text in fill_answer(exercise, exercise.strong, language).items():
        session = write(session, box, text * times)
    found = grade(exercise, session)
    kept = Attempt(
        id="attempt-exam", subject=exercise.id, mode="exam", persona=session.persona, choices=dict(session.choices),
        sections={box: Section(text=text, saved_at=START) for box, text in session.answer.items()},
        predictions=tuple(
            Prediction(option=option, measure=measure, said="up", came="down")
            for option, measure in (key.split(".") for key in session.predictions)
        ),
        progress={"session": session.model_copy(update={"answer": {}}).model_dump(mode="json")}, run_hash="ab" * 32,
        grade=graded(found.score, total=found.total, evidence_share=found.evidence.share),
        created_at=START, updated_at=START, finished_at=START,
    )  # fmt: skip
    link = f"http://127.0.0.1:8501/practice?shared={encode(share(exercise, session))}&lang={language}"
    return Page(kept, exercise.title.of(language), language, has_answer=True, link=link)
