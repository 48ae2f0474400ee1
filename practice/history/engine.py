"""Open a database by its address, and turn what it refuses into the errors of this package.

SQLite and PostgreSQL differ only here: nothing else in the product knows which one it talks to.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from practice.history.errors import (
    DatabaseBusyError,
    DatabaseDamagedError,
    DatabaseError,
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
)

ADDRESS_VARIABLE: Final = "DATABASE_URL"
_FOLDER_VARIABLE: Final = "HEADROOM_DATA"
_FILE: Final = "headroom.db"
_BUSY_MS: Final = 5_000

_BY_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: DatabaseBusyError,
    sqlite3.SQLITE_LOCKED: DatabaseBusyError,
    sqlite3.SQLITE_READONLY: DatabaseReadOnlyError,
    sqlite3.SQLITE_PERM: DatabaseReadOnlyError,
    sqlite3.SQLITE_FULL: DatabaseReadOnlyError,
    sqlite3.SQLITE_IOERR: DatabaseDamagedError,
    sqlite3.SQLITE_CORRUPT: DatabaseDamagedError,
    sqlite3.SQLITE_NOTADB: DatabaseDamagedError,
    sqlite3.SQLITE_CANTOPEN: DatabaseUnreachableError,
}
_BY_STATE: Final = {
    "55P03": DatabaseBusyError,  # lock not available
    "57014": DatabaseBusyError,  # cancelled by a time limit
    "40P01": DatabaseBusyError,  # deadlock
    "25006": DatabaseReadOnlyError,
    "42501": DatabaseReadOnlyError,  # no right to write
    "53100": DatabaseReadOnlyError,  # disk full
    "XX001": DatabaseDamagedError,
}


def database_address() -> str:
    """Return the address that is configured: `DATABASE_URL`, else a SQLite file in `HEADROOM_DATA` (or ./data).

    Raises
    ------
    DatabaseReadOnlyError
        When the folder for the file cannot be made.
    """
    given = os.environ.get(ADDRESS_VARIABLE, "").strip()
    if given:
        scheme, sign, rest = given.partition("://")
        is_plain = scheme in {"postgres", "postgresql"}
        return f"postgresql+psycopg{sign}{rest}" if is_plain else given
    folder = Path(os.environ.get(_FOLDER_VARIABLE, "data"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseReadOnlyError(str(folder)) from error
    return f"sqlite:///{(folder / _FILE).as_posix()}"


def open_engine(address: str) -> sa.Engine:
    """Return an engine for the database at `address`; nothing is asked of the database yet.

    Raises
    ------
    DatabaseUnreachableError
        When the address cannot be read, or no driver for it is installed.
    """
    try:
        engine = sa.create_engine(address, pool_pre_ping=not address.startswith("sqlite"))
    except (ArgumentError, ModuleNotFoundError, ValueError) as error:
        raise DatabaseUnreachableError(_shown(address)) from error
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _prepare)
    return engine


def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401  whatever the driver gives
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    cursor.execute("PRAGMA foreign_keys=ON")
    try:
        cursor.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError:  # read-only or locked: it can still be read in the mode it has
        connection.rollback()
    cursor.close()


def _shown(address: str) -> str:
    """Return the address without its password."""
    try:
        return sa.make_url(address).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return address.rsplit("@", 1)[-1]


@contextmanager
def refusals_told(engine: sa.Engine) -> Iterator[None]:
    """Turn what the database refuses inside into an error with a sentence; it names the file or the server."""
    try:
        yield
    except DBAPIError as error:
        kind = _kind_of(error)
        raise kind(engine.url.database or "" if kind is not DatabaseUnreachableError else _named(engine)) from error


def _named(engine: sa.Engine) -> str:
    return engine.url.render_as_string(hide_password=True)


def _kind_of(error: DBAPIError) -> type[DatabaseError]:
    origin = error.orig
    if isinstance(origin, sqlite3.Error):
        code = getattr(origin, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return _BY_SQLITE.get(code & 0xFF, DatabaseError)
    state = getattr(origin, "sqlstate", None)
    return _BY_STATE.get(state, DatabaseError) if state else DatabaseUnreachableError
