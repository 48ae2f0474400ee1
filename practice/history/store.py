"""Keep attempts and stories, each under an opaque id; every section is saved by itself.

A write begins with the record's own row, which locks it: two tabs never write half of each other's text. Whoever
saves last wins, and the text that another tab had written meanwhile is set aside, not lost.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from practice.history.engine import open_engine, refusals_told
from practice.history.errors import HistoryError, MissingRecordError
from practice.history.model import LONGEST_TEXT, Attempt, Grade, LedgerLine, Saved, Section, SetAside, Story
from practice.history.tables import AttemptRow, Base, NotebookRow, RecordRow, SectionRow, StoryRow
from scheduler_core import Phrase

_ID_BYTES: Final = 18
"""144 bits: nobody finds an attempt by guessing."""

Row = TypeVar("Row", bound=RecordRow)


def new_id() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_hex(_ID_BYTES)  # it may be the subject of a record, which begins with a letter or digit


@dataclass(frozen=True)
class Store:
    """What is kept, in one database. Make one with `open_store`."""

    engine: sa.Engine

    # ---- notebooks ----------------------------------------------------------------------------------------------

    def new_notebook(self) -> str:
        """Begin an empty notebook and return its id."""
        notebook = NotebookRow(id=new_id(), interview_on=None, created_at=_now())
        with self._writing() as session:
            session.add(notebook)
            return notebook.id

    def has_notebook(self, notebook: str) -> bool:
        """Say whether there is a notebook with this id."""
        with self._reading() as session:
            return session.get(NotebookRow, notebook) is not None

    def interview_on(self, notebook: str) -> date | None:
        """Return the day of the interview, where one was given."""
        with self._reading() as session:
            return _notebook(session, notebook).interview_on

    def set_interview(self, notebook: str, day: date | None) -> None:
        """Keep the day of the interview."""
        with self._writing() as session:
            _notebook(session, notebook).interview_on = day

    def delete_all(self, notebook: str) -> None:
        """Delete every attempt and story of a notebook; its id and its interview day stay."""
        with self._writing() as session:
            session.execute(sa.delete(NotebookRow).where(NotebookRow.id == notebook))
            session.add(NotebookRow(id=notebook, interview_on=None, created_at=_now()))

    # ---- attempts -----------------------------------------------------------------------------------------------

    def start(self, notebook: str, subject: str, **fields: Any) -> Attempt:  # noqa: ANN401  checked by the model
        """Begin an attempt at an exercise and return it.

        Parameters
        ----------
        notebook : str
            Whose attempt it is.
        subject : str
            Id of the exercise, or of the story.
        **fields : object
            Further fields of `Attempt`: kind, mode, persona, seed, choices, ...
        """
        now = _now()
        attempt = Attempt(**{"id": new_id(), "subject": subject, "created_at": now, "updated_at": now, **fields})
        self.add(notebook, [attempt], [])
        return attempt

    def attempt(self, attempt_id: str) -> Attempt:
        """Return an attempt.

        Raises
        ------
        MissingRecordError
            When nobody made it here, or it was deleted.
        """
        with self._reading() as session:
            return _attempt(_record(session, AttemptRow, attempt_id))

    def attempts(self, notebook: str) -> tuple[Attempt, ...]:
        """Return all attempts of a notebook, the oldest first."""
        return tuple(_attempt(row) for row in self._all(AttemptRow, notebook))

    def update(self, attempt_id: str, **fields: Any) -> Attempt:  # noqa: ANN401  checked by the model
        """Change fields of an attempt (choices, predictions, progress, run_hash, mode, persona, seed) and return it.

        Raises
        ------
        MissingRecordError
            When there is no such attempt.
        pydantic.ValidationError
            When a value does not fit; that is a fault of the caller.
        """
        with self._writing() as session:
            _touch(session, attempt_id)
            row = _record(session, AttemptRow, attempt_id)
            changed = Attempt.model_validate({**_attempt(row).model_dump(), **fields})
            _fill(row, changed)
            return changed

    def finish(self, attempt_id: str, grade: Grade, **fields: Any) -> Attempt:  # noqa: ANN401  checked by the model
        """Keep the score of an attempt, with further fields as in `update`, and return it."""
        return self.update(attempt_id, grade=grade.model_dump(), finished_at=_now(), **fields)

    def reading_id(self, attempt_id: str) -> str:
        """Return the id under which others may read this attempt, and not change it; make one if there is none."""
        with self._writing() as session:
            row = _record(session, AttemptRow, attempt_id)
            row.reading_id = row.reading_id or new_id()
            return row.reading_id

    def stop_reading(self, attempt_id: str) -> None:
        """Let nobody read this attempt any more under the id that was given out."""
        with self._writing() as session:
            _record(session, AttemptRow, attempt_id).reading_id = None

    def read(self, reading_id: str) -> Attempt:
        """Return the attempt that was opened for readers under this id.

        Raises
        ------
        MissingRecordError
            When there is none, or it was closed again.
        """
        with self._reading() as session:
            row = session.scalar(sa.select(AttemptRow).where(AttemptRow.reading_id == reading_id))
            if row is None:
                raise MissingRecordError(reading_id)
            return _attempt(row)

    # ---- stories ------------------------------------------------------------------------------------------------

    def new_story(self, notebook: str, title: str = "") -> Story:
        """Begin a story and return it."""
        now = _now()
        story = Story(id=new_id(), title=title, created_at=now, updated_at=now)
        self.add(notebook, [], [story])
        return story

    def story(self, story_id: str) -> Story:
        """Return a story.

        Raises
        ------
        MissingRecordError
            When there is no such story.
        """
        with self._reading() as session:
            return _story(_record(session, StoryRow, story_id))

    def stories(self, notebook: str) -> tuple[Story, ...]:
        """Return all stories of a notebook, the oldest first."""
        return tuple(_story(row) for row in self._all(StoryRow, notebook))

    def update_story(
        self, story_id: str, *, title: str | None = None, ledger: Sequence[LedgerLine] | None = None
    ) -> Story:
        """Change the title or the numbers of a story and return it."""
        with self._writing() as session:
            _touch(session, story_id)
            row = _record(session, StoryRow, story_id)
            if title is not None:
                row.title = title
            if ledger is not None:
                row.ledger = [line.model_dump() for line in ledger]
            return _story(row)

    # ---- both ---------------------------------------------------------------------------------------------------

    def save_section(self, record_id: str, name: str, text: str, *, seen: int | None = None) -> Saved:
        """Save one section of an attempt or a story.

        Parameters
        ----------
        record_id : str
            Id of the attempt or story.
        name : str
            S, T, A, R, L, or a name of the caller's.
        text : str
            The whole text of the section.
        seen : int, optional
            The version that the caller's text grew from. If the section has another one by now, another tab wrote
            it: that text is set aside and returned.

        Raises
        ------
        HistoryError
            When the text is longer than `LONGEST_TEXT`.
        MissingRecordError
            When there is no such record.
        """
        if len(text) > LONGEST_TEXT:
            raise HistoryError(
                Phrase(
                    "The text has {n_text:,} characters; at most {longest_text:,} are kept.",
                    n_text=len(text),
                    longest_text=LONGEST_TEXT,
                )
            )
        section = Section(text=text, saved_at=_now())
        with self._writing() as session:
            _touch(session, record_id)
            row = session.get(SectionRow, (record_id, name))
            if row is None:
                session.add(_section_row(record_id, name, section))
                return Saved(version=1, saved_at=section.saved_at)
            return _replaced(row, section, seen)

    def section(self, record_id: str, name: str) -> Section | None:
        """Return one section of an attempt or a story; None where it was never written."""
        with self._reading() as session:
            row = session.get(SectionRow, (record_id, name))
            return None if row is None else _section(row)

    def drop_set_aside(self, record_id: str, name: str) -> None:
        """Forget the texts that were set aside for a section."""
        with self._writing() as session:
            _touch(session, record_id)
            row = session.get(SectionRow, (record_id, name))
            if row is not None:
                row.set_aside = []

    def delete(self, record_id: str) -> None:
        """Delete an attempt or a story with its sections."""
        with self._writing() as session:
            session.delete(_record(session, RecordRow, record_id))

    def add(self, notebook: str, attempts: Sequence[Attempt], stories: Sequence[Story]) -> None:
        """Add whole attempts and stories to a notebook.

        Raises
        ------
        MissingRecordError
            When there is no such notebook.
        """
        with self._writing() as session:
            _notebook(session, notebook)
            rows: list[RecordRow] = [_fill(AttemptRow(notebook_id=notebook), one) for one in attempts]
            rows += [_fill(StoryRow(notebook_id=notebook), one) for one in stories]
            kept: list[Attempt | Story] = [*attempts, *stories]
            for row, one in zip(rows, kept, strict=True):
                row.sections = [_section_row(one.id, name, section) for name, section in one.sections.items()]
            session.add_all(rows)

    def taken(self, ids: Sequence[str]) -> set[str]:
        """Return which of these ids are in use, in any notebook."""
        with self._reading() as session:
            parts = [ids[start : start + 500] for start in range(0, len(ids), 500)]
            return {found for part in parts
                    for found in session.scalars(sa.select(RecordRow.id).where(RecordRow.id.in_(part)))}  # fmt: skip

    def _all(self, kind: type[Row], notebook: str) -> list[Row]:
        with self._reading() as session:
            _notebook(session, notebook)
            found = sa.select(kind).where(kind.notebook_id == notebook).order_by(kind.created_at, kind.id)
            return list(session.scalars(found))

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with refusals_told(self.engine), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with refusals_told(self.engine), Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session


@cache
def open_store(address: str) -> Store:
    """Return the store in the database at `address`; the tables are made where they are missing.

    Raises
    ------
    HistoryError
        When the database cannot be opened; a subclass says why.
    """
    engine = open_engine(address)
    with refusals_told(engine):
        Base.metadata.create_all(engine)
    return Store(engine)


def _now() -> datetime:
    return datetime.now(UTC)


def _notebook(session: Session, notebook: str) -> NotebookRow:
    row = session.get(NotebookRow, notebook)
    if row is None:
        raise MissingRecordError(notebook)
    return row


def _record(session: Session, kind: type[Row], record_id: str) -> Row:
    row = session.get(kind, record_id)
    if row is None:
        raise MissingRecordError(record_id)
    return row


def _touch(session: Session, record_id: str) -> None:
    """Lock the record by its time of change; a write that began with a reading could fail half-way in SQLite."""
    touched = sa.update(RecordRow).where(RecordRow.id == record_id).values(updated_at=_now())
    result = session.execute(touched.execution_options(synchronize_session=False))
    if not getattr(result, "rowcount", 0):
        raise MissingRecordError(record_id)


def _replaced(row: SectionRow, section: Section, seen: int | None) -> Saved:
    if row.text == section.text:
        return Saved(version=row.version, saved_at=row.saved_at)
    aside = None
    if seen is not None and seen != row.version and row.text.strip():
        aside = SetAside(text=row.text, saved_at=row.saved_at)
        row.set_aside = [*row.set_aside, aside.model_dump(mode="json")]
    row.text, row.saved_at, row.version = section.text, section.saved_at, row.version + 1
    return Saved(version=row.version, saved_at=row.saved_at, set_aside=aside)


_PLAIN: Final = {
    AttemptRow: ("kind", "subject", "mode", "seed", "run_hash", "finished_at"),
    StoryRow: ("title",),
}
_AS_JSON: Final = {AttemptRow: ("choices", "predictions", "progress", "grade"), StoryRow: ("ledger",)}
_COMMON: Final = ("id", "persona", "created_at", "updated_at")


def _fill(row: Row, one: Attempt | Story) -> Row:
    for name in (*_COMMON, *_PLAIN[type(row)]):
        setattr(row, name, getattr(one, name))
    as_json: Mapping[str, Any] = one.model_dump(mode="json", include=set(_AS_JSON[type(row)]))
    for name, value in as_json.items():
        setattr(row, name, value)
    return row


def _values(row: RecordRow) -> dict[str, Any]:
    kind = type(row)
    names = (*_COMMON, *_PLAIN[kind], *_AS_JSON[kind])
    sections = {one.name: _section(one) for one in row.sections}
    return {**{name: getattr(row, name) for name in names}, "sections": sections}


def _attempt(row: AttemptRow) -> Attempt:
    return Attempt.model_validate(_values(row))


def _story(row: StoryRow) -> Story:
    return Story.model_validate(_values(row))


def _section(row: SectionRow) -> Section:
    aside = tuple(SetAside.model_validate(one) for one in row.set_aside)
    return Section(text=row.text, saved_at=row.saved_at, version=row.version, set_aside=aside)


def _section_row(record_id: str, name: str, section: Section) -> SectionRow:
    aside = [one.model_dump(mode="json") for one in section.set_aside]
    return SectionRow(
        record_id=record_id, name=name, text=section.text, version=section.version, saved_at=section.saved_at,
        set_aside=aside,
    )  # fmt: skip
