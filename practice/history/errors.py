"""What can go wrong with kept work, each with its sentence."""

from typing import ClassVar

from scheduler_core import CoreError, Phrase


class HistoryError(CoreError):
    """Kept work cannot be read or written as asked."""

    code = "history"


class MissingRecordError(HistoryError):
    """No notebook, attempt or story has this id."""

    code = "missing_record"

    def __init__(self, record_id: str) -> None:
        super().__init__(
            Phrase(
                "Nothing is kept here under the id {id}...: it was deleted, or made on another server.",
                id=record_id[:12],
            )
        )


class BundleError(HistoryError):
    """A file to be imported is not an export of ours."""

    code = "bundle"


class DatabaseError(HistoryError):
    """A database refuses; `said` is why, with a place for the name of the file or the address of the server."""

    code = "database"
    said: ClassVar = Phrase("The database {name} cannot do what was asked. What you typed stays on the page.")

    def __init__(self, name: str) -> None:
        super().__init__(self.said.filled(name=name))


class DatabaseBusyError(DatabaseError):
    """Somebody else holds the database locked."""

    code = "database_busy"
    said = Phrase(
        "The database {name} is locked by another program. What you typed stays on the page; try again in a moment."
    )


class DatabaseReadOnlyError(DatabaseError):
    """The database, its folder or its disk accepts no writing."""

    code = "database_readonly"
    said = Phrase(
        "Nothing can be written to {name}: it is read-only or its disk is full. What you typed stays on the page; "
        "make it writable and type on."
    )


class DatabaseDamagedError(DatabaseError):
    """The file is no database, or a damaged one; it is left as it is."""

    code = "database_damaged"
    said = Phrase(
        "The file {name} is damaged or no database. It was left as it is; move it away or restore a copy, and a new "
        "one will be made."
    )


class DatabaseUnreachableError(DatabaseError):
    """There is no database at the address that was given."""

    code = "database_unreachable"
    said = Phrase("There is no database at {name}; check DATABASE_URL or HEADROOM_DATA.")
