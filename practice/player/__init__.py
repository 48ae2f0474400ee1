"""One exercise played from brief to lesson, as data: no screen, no clock of its own.

A `Session` is everything a candidate has said so far; `moves` are pure changes of it, refused with a `PlayerError`. The
other functions read it: what may be shown (`Mode`), what is asked next (`choose_questions`, `next_why`), where another
option wins (`flip_point`), how well the predictions were (`calibrate`), the score (`grade`) and the link (`encode`).
"""

from practice.player.calibration import Calibration, Guess, calibrate
from practice.player.entry import BACKGROUNDS, FEEDBACK, Advice, advise
from practice.player.errors import PlayerError, known
from practice.player.grading import Grade, grade, marks
from practice.player.kept import reply_section, session_of, why_section
from practice.player.levers import Flip, Slope, flip_point, later_texts, lever_text, slopes
from practice.player.links import LONGEST_LINK, Shared, check, decode, encode, share
from practice.player.loop import ROUNDS, Standing, next_exercise, next_round, standing
from practice.player.modes import MODES, STEP_NAMES, STEPS, TONES, Mode
from practice.player.moves import (
    back_to,
    choose,
    exercise_of,
    feel,
    finish,
    may_change,
    missing,
    move_on,
    predict,
    reply,
    say_sure,
    say_why,
    seconds_left,
    start,
    stress_with,
    try_again,
    write,
)
from practice.player.questions import Question, choose_questions, question_of
from practice.player.session import FEELINGS, MOVEMENTS, Session, guess_key, setting_of
from practice.player.whys import WHYS, next_why

__all__ = [
    "BACKGROUNDS",
    "FEEDBACK",
    "FEELINGS",
    "LONGEST_LINK",
    "MODES",
    "MOVEMENTS",
    "ROUNDS",
    "STEPS",
    "STEP_NAMES",
    "TONES",
    "WHYS",
    "Advice",
    "Calibration",
    "Flip",
    "Grade",
    "Guess",
    "Mode",
    "PlayerError",
    "Question",
    "Session",
    "Shared",
    "Slope",
    "Standing",
    "advise",
    "back_to",
    "calibrate",
    "check",
    "choose",
    "choose_questions",
    "decode",
    "encode",
    "exercise_of",
    "feel",
    "finish",
    "flip_point",
    "grade",
    "guess_key",
    "known",
    "later_texts",
    "lever_text",
    "marks",
    "may_change",
    "missing",
    "move_on",
    "next_exercise",
    "next_round",
    "next_why",
    "predict",
    "question_of",
    "reply",
    "reply_section",
    "say_sure",
    "say_why",
    "seconds_left",
    "session_of",
    "setting_of",
    "share",
    "slopes",
    "standing",
    "start",
    "stress_with",
    "try_again",
    "why_section",
    "write",
]
