"""What an export of an attempt tells, whatever form it takes: words instead of ids, and the runs it was held to."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from practice.exercises import (
    SECTIONS,
    Consequence,
    Exercise,
    Setting,
    Story,
    choice_titles,
    exercises,
    measure_title,
    movement_title,
    option_title,
    play,
    say,
    swap,
)
from practice.history import Attempt
from practice.player import PlayerError, Session, next_why, question_of, reply_section, session_of, why_section
from practice.rubric import ASKS, DIMENSIONS, LEVELS, PERSONAS, hints_for, level_of
from scheduler_core import ENGINE_VERSION, CoreError

_WORDS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
MOST_CHARTS: Final = 5
DOT: Final = " \u00b7 "
STAR: Final = "\u2605"
_FIRST_WIDE: Final = 0x2E80
_PASSED, _HALF, _MISSED = "passed", "half", "missed"


def half_widths(sign: str) -> int:
    """Return how wide a character is printed: 2 for a Chinese one, else 1."""
    return 2 if ord(sign) > _FIRST_WIDE else 1


@dataclass(frozen=True)
class Compared:
    """One measure with every option side by side; the first of a page decides."""

    title: str
    unit: str
    names: tuple[str, ...]
    figures: tuple[tuple[float, float, float], ...]
    """Low, median and high, of the world before and of each option."""
    chosen: int


@dataclass(frozen=True)
class Page:
    """What an export needs: the attempt, its name, the language, whether the answer goes along, and a link."""

    attempt: Attempt
    subject: str
    language: str
    has_answer: bool = False
    link: str = ""

    def word(self, key: str, **params: object) -> str:
        """Return a word in the language of the page."""
        return _WORDS[key][self.language].format(**params)

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return self.word("title", subject=self.subject)

    @cached_property
    def exercise(self) -> Exercise | None:
        """The exercise, where the attempt is at one that is still there."""
        return exercises().get(self.attempt.subject)

    @cached_property
    def session(self) -> Session | None:
        """The session, where the attempt keeps one."""
        try:
            return session_of(self.attempt)
        except PlayerError:
            return None

    @cached_property
    def played(self) -> dict[str, Consequence]:
        """The runs of every option of the decision that the evidence is about; none where nothing was chosen."""
        if self.exercise is None or self.exercise.evidence.decision not in self.attempt.choices:
            return {}
        stress = self.session.stress if self.session else ()
        setting = Setting(choices=self.attempt.choices, stress=stress)
        options = self.exercise.decision(self.exercise.evidence.decision).options
        try:
            return {one.id: play(self.exercise, swap(self.exercise, setting, one.id)) for one in options}
        except CoreError:  # an option of an older version of the exercise
            return {}

    @property
    def chosen(self) -> str:
        """Return the option that was chosen, empty without an exercise."""
        return self.attempt.choices[self.exercise.evidence.decision] if self.exercise and self.played else ""


def made(page: Page) -> Iterator[str]:
    """Yield when and how the attempt was made, and which run it was held to."""
    attempt, grade, word = page.attempt, page.attempt.grade, page.word
    at = (attempt.finished_at or attempt.created_at).strftime("%Y-%m-%d %H:%M UTC")
    if grade is None:
        yield word("unscored", at=at, seed=attempt.seed)
    else:
        persona = PERSONAS.get(grade.persona, {}).get(page.language, grade.persona)
        yield word("made", at=at, version=grade.rubric_version, persona=persona, seed=attempt.seed)
    if attempt.run_hash:
        yield word("run", hash=attempt.run_hash[:12])
    if page.played and page.exercise:
        anew = page.played[page.chosen].key != attempt.run_hash and attempt.run_hash
        yield word("anew" if anew else "engine", engine=ENGINE_VERSION, n=page.exercise.world.seeds)


def total(page: Page) -> str:
    """Return the total, and how far the numbers of the answer agree with the run; empty where nothing was scored."""
    grade = page.attempt.grade
    if grade is None:
        return ""
    said = page.word("total", total=f"{grade.total:g}")
    share = grade.evidence_share
    return said if share is None else f"{said} \u00b7 {page.word('evidence', share=f'{100 * share:.0f}')}"


def dimensions(page: Page) -> Iterator[tuple[str, str]]:
    """Yield each dimension with its points and level."""
    for name, points in (page.attempt.grade.dimensions if page.attempt.grade else {}).items():
        level = "" if points is None else LEVELS[level_of(points)][page.language]
        shown = page.word("not_seen") if points is None else f"{points:g} \u00b7 {level}"
        yield DIMENSIONS.get(name, {}).get(page.language, name), shown


def choices(page: Page) -> Iterator[tuple[str, str]]:
    """Yield each question with what was chosen, then the stress."""
    if page.exercise is None:
        yield from page.attempt.choices.items()
        return
    yield from choice_titles(page.exercise, page.attempt.choices, page.language)
    names = {one.id: one.label.of(page.language) for one in page.exercise.stress}
    for stress in page.session.stress if page.session else ():
        yield page.word("stress"), names.get(stress, stress)


def predictions(page: Page) -> Iterator[tuple[str, ...]]:
    """Yield option, measure, what was said and what came."""
    for one in page.attempt.predictions:
        option, measure = one.option, one.measure
        if page.exercise is not None:
            option = option_title(page.exercise, page.exercise.predict.decision, option, page.language)
            measure = measure_title(page.exercise, measure, page.language)
        yield option, measure, page.word(one.said), page.word(one.came or "open")


def predicted(page: Page) -> str:
    """Return how many predictions were right, empty where none was made."""
    known = [one for one in page.attempt.predictions if one.came]
    right = sum(one.said == one.came for one in known)
    return page.word("predicted", right=right, n=len(known)) if known else ""


def compared(page: Page) -> Iterator[Compared]:
    """Yield at most five measures, the decisive one first; each title is a conclusion with a verb and numbers."""
    exercise = page.exercise
    if exercise is None or not page.played:
        return
    shown, mine = exercise.evidence, page.played[page.chosen]
    label = option_title(exercise, shown.decision, page.chosen, page.language)
    money = mine.rows[shown.money]
    cost = f"{measure_title(exercise, shown.money, page.language)} {say(money.after.median, money.unit, page.language)}"
    for place, name in enumerate(list(dict.fromkeys((shown.headline, *shown.measures)))[:MOST_CHARTS]):
        rows = [one.rows[name] for one in page.played.values()]
        figures = [rows[0].before, *(one.after for one in rows)]
        if any(one.median is None for one in figures):
            continue
        title = movement_title(exercise, mine.rows[name], page.language)
        yield Compared(
            title if place else page.word("decisive", option=label, title=title, cost=cost), rows[0].unit,
            (page.word("today"), *(option_title(exercise, shown.decision, one, page.language) for one in page.played)),
            tuple((one.low or 0.0, one.median or 0.0, one.high or 0.0) for one in figures),
            1 + list(page.played).index(page.chosen),
        )  # fmt: skip


def lines(page: Page) -> Iterator[str]:
    """Yield the target and the red lines with what came of them."""
    if page.exercise is None or not page.played:
        return
    for one in page.played[page.chosen].lines:
        row = page.played[page.chosen].rows[one.measure]
        limit, value = (say(size, row.unit, page.language) for size in (one.limit, row.after.median))
        name = measure_title(page.exercise, one.measure, page.language)
        key = "at_most" if one.is_ceiling else "at_least"
        kind = page.word("red_line" if one.is_red_line else "target")
        state = page.word("not_met" if one.state == "missed" else one.state)
        yield f"{kind}: {page.word(key, name=name, limit=limit, value=value)} \u00b7 {state}"


def outcomes(page: Page) -> dict[str, list[str]]:
    """Return the rules that passed, passed half, and were missed."""
    found: dict[str, list[str]] = {_PASSED: [], _HALF: [], _MISSED: []}
    for one in page.attempt.grade.outcomes if page.attempt.grade else ():
        found[_PASSED if one.value >= 1 else _HALF if one.value else _MISSED].append(one.rule)
    return found


def rules(page: Page) -> Iterator[tuple[str, str, str]]:
    """Yield every rule and every penalty with its value and what it asks for."""
    grade = page.attempt.grade
    for one in grade.outcomes if grade else ():
        yield one.rule, f"{one.value:g}", _ask(page, one.rule)
    for charge in grade.charges if grade else ():
        yield charge.penalty, f"-{charge.points:g}", _ask(page, charge.penalty)


def _ask(page: Page, rule: str) -> str:
    return ASKS[rule][page.language] if rule in ASKS else ""


def hints(page: Page) -> Iterator[str]:
    """Yield what to improve first."""
    for one in hints_for(page.attempt.grade) if page.attempt.grade else ():
        yield f"{one.rule} {one.text[page.language]}"


def answer(page: Page) -> dict[str, str]:
    """Return the boxes that were filled, by name."""
    texts = page.attempt.texts()
    return {page.word(name): texts[name] for name in SECTIONS if texts.get(name, "").strip()}


def replies(page: Page) -> Iterator[tuple[str, str]]:
    """Yield each question that was asked with what was replied, then the whys."""
    session, exercise = page.session, page.exercise
    if session is None or exercise is None:
        return
    texts = page.attempt.texts()
    for key in session.asked:
        said = texts.get(reply_section(key), "")
        if said.strip():
            yield question_of(exercise, session, key, page.language).ask, said
    for depth, said in enumerate(session.whys):
        asked = next_why(session.answer, session.whys[:depth], page.language)
        if asked and texts.get(why_section(depth), "").strip():
            yield asked, said


def assumptions(page: Page) -> Iterator[str]:
    """Yield what the model takes for granted, and what it leaves out."""
    if page.exercise is None:
        return
    story = Story(page.exercise)
    taken = [page.exercise.decision(name).option(option).assumes for name, option in page.attempt.choices.items()
             if page.played]  # fmt: skip
    texts = (page.exercise.card.assumes, *(one for one in taken if one), page.exercise.card.leaves_out)
    for one, key in zip(texts, [*["assumed"] * (len(texts) - 1), "left_out"], strict=True):
        yield f"{page.word(key)} {story.fill(one, page.language)}"
