"""What a candidate did before: attempts and stories in a database, and what follows from them.

`open_store(database_address())` gives the store. Every attempt and story has an opaque id, which is what a link
carries; `Store.save_section` saves one box as it is typed, `Store.finish` keeps the score.
"""

from practice.history.engine import database_address, open_engine, refusals_told
from practice.history.errors import (
    BundleError,
    DatabaseBusyError,
    DatabaseDamagedError,
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
    HistoryError,
    MissingRecordError,
)
from practice.history.grading import graded
from practice.history.model import Attempt, Grade, LedgerLine, Prediction, Saved, Section, SetAside, Story
from practice.history.store import Store, open_store

__all__ = [
    "Attempt",
    "BundleError",
    "DatabaseBusyError",
    "DatabaseDamagedError",
    "DatabaseReadOnlyError",
    "DatabaseUnreachableError",
    "Grade",
    "HistoryError",
    "LedgerLine",
    "MissingRecordError",
    "Prediction",
    "Saved",
    "Section",
    "SetAside",
    "Store",
    "Story",
    "database_address",
    "graded",
    "open_engine",
    "open_store",
    "refusals_told",
]
