"""What outlives a session: uploaded logs by the hash of their content, and links too long to send.

SQLite in `HEADROOM_DATA` (or ./data) by default; `DATABASE_URL` names a PostgreSQL server instead.
"""

import hashlib
import zlib
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Final

from scheduler_core import CoreError, Link, LinkError, Phrase, Scenario, load, load_case, to_yaml

if TYPE_CHECKING:
    from sqlalchemy import Engine, Table

LARGEST_LOG_BYTES: Final = 64 * 1024 * 1024
_ID_LENGTH: Final = 12


class StorageError(CoreError):
    """What was asked for is not stored here, or cannot be stored."""

    code = "storage"


class MissingLogError(StorageError):
    """A scenario replays a log that nobody has uploaded here."""

    code = "missing_log"

    def __init__(self, sha256: str) -> None:
        super().__init__(
            Phrase(
                "The job log of this scenario ({sha256}...) is not stored on this server. Upload it on the start page, "
                "and this link will work.",
                sha256=sha256[:12],
            )
        )


@cache
def _open(address: str) -> "tuple[Engine, Table, Table]":
    import sqlalchemy as sa  # noqa: PLC0415  0.2 s, not needed before the first upload or short link

    from practice.history import open_engine, refusals_told  # noqa: PLC0415  as above

    engine = open_engine(address)
    metadata = sa.MetaData()
    logs = sa.Table(
        "logs",
        metadata,
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
    )
    links = sa.Table(
        "links",
        metadata,
        sa.Column("id", sa.String(_ID_LENGTH), primary_key=True),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("engine_version", sa.String(40), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
    )
    with refusals_told(engine):
        metadata.create_all(engine)
    return engine, logs, links


def _tables() -> "tuple[Engine, Table, Table]":
    from practice.history import database_address  # noqa: PLC0415  as above

    return _open(database_address())


def _insert(table: "Table", engine: "Engine", **values: object) -> None:
    """Insert one row; a row with the same key holds the same content, so it stays."""
    from sqlalchemy.exc import IntegrityError  # noqa: PLC0415

    try:
        with engine.begin() as connection:
            connection.execute(table.insert().values(**values))
    except IntegrityError:
        return


def save_log(content: bytes, name: str) -> str:
    """Store an uploaded log and return the hash of its content.

    Raises
    ------
    StorageError
        When the log is larger than `LARGEST_LOG_BYTES`.
    """
    if len(content) > LARGEST_LOG_BYTES:
        raise StorageError(
            Phrase(
                "The file has {n_content:,} bytes; at most {largest_log_bytes:,} are accepted.",
                n_content=len(content),
                largest_log_bytes=LARGEST_LOG_BYTES,
            )
        )
    sha256 = hashlib.sha256(content).hexdigest()
    engine, logs, _ = _tables()
    _insert(
        logs,
        engine,
        sha256=sha256,
        name=name[:200],
        bytes=len(content),
        content=zlib.compress(content, 6),
        stored_at=datetime.now(UTC),
    )
    return sha256


def load_log(sha256: str) -> bytes:
    """Return the log with this hash.

    Raises
    ------
    MissingLogError
        When nobody has uploaded it here.
    """
    import sqlalchemy as sa  # noqa: PLC0415

    engine, logs, _ = _tables()
    with engine.connect() as connection:
        row = connection.execute(sa.select(logs.c.content, logs.c.bytes).where(logs.c.sha256 == sha256)).first()
    if row is None:
        raise MissingLogError(sha256)
    content = zlib.decompress(row[0])
    if hashlib.sha256(content).hexdigest() != sha256:
        raise StorageError(Phrase("The stored log {sha256} is damaged.", sha256=sha256[:12]))
    return content


def save_link(scenario: Scenario, engine_version: str) -> str:
    """Store a scenario that is too long for an address and return its short id."""
    text = to_yaml(scenario)
    link_id = hashlib.sha256(text.encode()).hexdigest()[:_ID_LENGTH]
    engine, _, links = _tables()
    _insert(links, engine, id=link_id, scenario=text, engine_version=engine_version, stored_at=datetime.now(UTC))
    return link_id


def open_link(link_id: str) -> Link:
    """Return the scenario stored under a short id.

    Raises
    ------
    LinkError
        When this server does not hold it.
    """
    import sqlalchemy as sa  # noqa: PLC0415

    engine, _, links = _tables()
    with engine.connect() as connection:
        row = connection.execute(
            sa.select(links.c.scenario, links.c.engine_version).where(links.c.id == link_id[:_ID_LENGTH])
        ).first()
    if row is None:
        raise LinkError(
            Phrase("The short link {link_id!r} is not stored on this server.", link_id=link_id[:_ID_LENGTH]),
            load_case(),
        )
    return Link(load(row[0]), row[1], {})
