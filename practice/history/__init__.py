"""What a candidate did before: attempts and stories in a database, and what follows from them.

`open_store(database_address())` gives the store. Every attempt and story has an opaque id, which is what a link
carries; `Store.save_section` saves one box as it is typed, `Store.finish` keeps the score.
"""

from practice.history.bundle import Bundle, Imported, add_bundle, bundle_of, read_bundle, to_json
from practice.history.difference import Difference, difference
from practice.history.disputes import LONGEST_NOTE, Dispute, disputes, with_dispute
from practice.history.due import MOST_A_DAY, MOST_LAPSES, Due, Plan, plan, rating_of
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
from practice.history.model import Attempt, Grade, LedgerLine, Prediction, Record, Saved, Section, SetAside, Story
from practice.history.store import Store, open_store
from practice.history.trends import (
    LEAST_SUBJECTS,
    Calibration,
    HeatMap,
    Readiness,
    Scored,
    Trend,
    calibration,
    heat_map,
    passed_rules,
    readiness,
    scored,
    trend,
)

__all__ = [
    "LEAST_SUBJECTS",
    "LONGEST_NOTE",
    "MOST_A_DAY",
    "MOST_LAPSES",
    "Attempt",
    "Bundle",
    "BundleError",
    "Calibration",
    "DatabaseBusyError",
    "DatabaseDamagedError",
    "DatabaseReadOnlyError",
    "DatabaseUnreachableError",
    "Difference",
    "Dispute",
    "Due",
    "Grade",
    "HeatMap",
    "HistoryError",
    "Imported",
    "LedgerLine",
    "MissingRecordError",
    "Plan",
    "Prediction",
    "Readiness",
    "Record",
    "Saved",
    "Scored",
    "Section",
    "SetAside",
    "Store",
    "Story",
    "Trend",
    "add_bundle",
    "bundle_of",
    "calibration",
    "database_address",
    "difference",
    "disputes",
    "graded",
    "heat_map",
    "open_engine",
    "open_store",
    "passed_rules",
    "plan",
    "rating_of",
    "read_bundle",
    "readiness",
    "refusals_told",
    "scored",
    "to_json",
    "trend",
    "with_dispute",
]
