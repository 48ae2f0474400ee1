"""The candidate's own projects: what they lack, their score, and what happens when something is taken away."""

from practice.stories.checking import (
    BOXES,
    FEWEST_STORIES,
    MOST_STORIES,
    SLOTS,
    Lack,
    lacks,
    numbers_in,
    score_story,
)
from practice.stories.stress import STRESSES, Probe, contradictions, probes, section_of, stress_label

__all__ = [
    "BOXES",
    "FEWEST_STORIES",
    "MOST_STORIES",
    "SLOTS",
    "STRESSES",
    "Lack",
    "Probe",
    "contradictions",
    "lacks",
    "numbers_in",
    "probes",
    "score_story",
    "section_of",
    "stress_label",
]
