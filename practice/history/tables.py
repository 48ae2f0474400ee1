"""The tables. Portable types only, so that PostgreSQL is a matter of the address."""

from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class UtcTime(sa.TypeDecorator[datetime]):
    """A time with its zone: SQLite forgets the zone, so it is written and read as UTC."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Write in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:  # noqa: ARG002
        """Read as UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of kept work."""

    type_annotation_map = {  # noqa: RUF012  SQLAlchemy reads it from the class
        datetime: UtcTime,
        dict[str, Any]: sa.JSON,
        list[Any]: sa.JSON,
    }


class NotebookRow(Base):
    """One candidate's work, known by an id that nobody can guess."""

    __tablename__ = "notebooks"

    id: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    interview_on: Mapped[date | None]
    created_at: Mapped[datetime]


class RecordRow(Base):
    """What attempts and stories have in common: an id, a notebook, and sections of text."""

    __tablename__ = "records"

    id: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    notebook_id: Mapped[str] = mapped_column(sa.ForeignKey("notebooks.id", ondelete="CASCADE"), index=True)
    type: Mapped[str] = mapped_column(sa.String(10))
    persona: Mapped[str] = mapped_column(sa.String(80))
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    sections: Mapped[list["SectionRow"]] = relationship(
        cascade="all, delete-orphan", passive_deletes=True, lazy="selectin", order_by="SectionRow.name"
    )

    __mapper_args__ = {"polymorphic_on": "type", "polymorphic_identity": "record"}  # noqa: RUF012


class AttemptRow(RecordRow):
    """One attempt at an exercise, or one scoring of a story."""

    __tablename__ = "attempts"

    id: Mapped[str] = mapped_column(sa.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(sa.String(10))
    subject: Mapped[str] = mapped_column(sa.String(80), index=True)
    mode: Mapped[str] = mapped_column(sa.String(80))
    seed: Mapped[int]
    choices: Mapped[dict[str, Any]]
    predictions: Mapped[list[Any]]
    progress: Mapped[dict[str, Any]]
    run_hash: Mapped[str | None] = mapped_column(sa.String(80))
    grade: Mapped[dict[str, Any] | None] = mapped_column(sa.JSON(none_as_null=True))
    finished_at: Mapped[datetime | None]
    reading_id: Mapped[str | None] = mapped_column(sa.String(40), unique=True)

    __mapper_args__ = {"polymorphic_identity": "attempt"}  # noqa: RUF012


class StoryRow(RecordRow):
    """A project of the candidate's own."""

    __tablename__ = "stories"

    id: Mapped[str] = mapped_column(sa.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True)
    title: Mapped[str] = mapped_column(sa.String(200))
    ledger: Mapped[list[Any]]

    __mapper_args__ = {"polymorphic_identity": "story"}  # noqa: RUF012


class SectionRow(Base):
    """One box of text, and what another tab had written there."""

    __tablename__ = "sections"

    record_id: Mapped[str] = mapped_column(sa.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(sa.String(80), primary_key=True)
    text: Mapped[str] = mapped_column(sa.Text)
    version: Mapped[int]
    saved_at: Mapped[datetime]
    set_aside: Mapped[list[Any]]
