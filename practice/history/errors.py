"""What can go wrong with kept work: each refusal has a code, and the code has a sentence in both languages."""

from scheduler_core import CoreError


class HistoryError(CoreError):
    """Kept work cannot be read or written as asked."""

    code = "history"


class MissingRecordError(HistoryError):
    """No notebook, attempt or story has this id."""

    code = "missing_record"


class BundleError(HistoryError):
    """A file to be imported is not an export of ours."""

    code = "bundle"


class DatabaseBusyError(HistoryError):
    """Somebody else holds the database locked."""

    code = "database_busy"


class DatabaseReadOnlyError(HistoryError):
    """The database, its folder or its disk accepts no writing."""

    code = "database_readonly"


class DatabaseDamagedError(HistoryError):
    """The file is no database, or a damaged one; it is left as it is."""

    code = "database_damaged"


class DatabaseUnreachableError(HistoryError):
    """There is no database at the address that was given."""

    code = "database_unreachable"
