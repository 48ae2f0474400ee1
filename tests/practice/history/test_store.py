"""The store: every section by itself, two tabs at once, and a database that refuses."""

import os
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from practice.history import (
    DatabaseBusyError,
    DatabaseDamagedError,
    DatabaseReadOnlyError,
    DatabaseUnreachableError,
    HistoryError,
    LedgerLine,
    MissingRecordError,
    Prediction,
    Store,
    database_address,
    graded,
    open_store,
)
from practice.history.tables import Base
from practice.rubric import score_answer
from tests.postgres import find_server, serve_postgres
from tests.practice.answers import labelled


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """Give the address of the database that is named, or of a server that lives as long as these tests."""
    named, programs = os.environ.get("HEADROOM_TEST_POSTGRES", ""), find_server()
    if named:
        yield named
    elif programs:
        with serve_postgres(programs) as address:
            yield address
    else:
        pytest.skip("no PostgreSQL server is installed, and HEADROOM_TEST_POSTGRES names none")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    is_file = request.param == "sqlite"
    opened = open_store(f"sqlite:///{tmp_path / 'kept.db'}" if is_file else request.getfixturevalue("postgres"))
    yield opened
    opened.engine.dispose()


def test_an_attempt_comes_back_by_its_id_with_everything_in_it(store: Store) -> None:
    book = store.new_notebook()
    begun = store.start(book, "sc04", mode="exam", persona="vp", seed=7, choices={"theta": "high"})
    store.save_section(begun.id, "S", "3,200 A100 \u4e09\u4e2a\u53ef\u7528\u533a")
    said = (Prediction(option="high", measure="wait", said="up", sure_share=0.8, came="down"),)
    store.update(begun.id, predictions=[one.model_dump() for one in said], progress={"step": 4}, run_hash="ab" * 32)
    grade = graded(score_answer(labelled("public.toml")[4].text))
    store.finish(begun.id, grade)
    found = store.attempt(begun.id)
    assert found.texts() == {"S": "3,200 A100 \u4e09\u4e2a\u53ef\u7528\u533a"}
    assert (found.predictions, found.progress, found.run_hash) == (said, {"step": 4}, "ab" * 32)
    assert (found.grade, found.choices, found.seed, found.mode) == (grade, {"theta": "high"}, 7, "exam")
    assert found.finished_at is not None
    assert store.attempts(book) == (found,)


def test_ids_cannot_be_guessed_and_differ(store: Store) -> None:
    book = store.new_notebook()
    ids = {store.start(book, "sc04").id for _ in range(20)}
    assert len(ids) == 20
    assert min(len(one) for one in ids) >= 24


def test_an_id_that_nobody_made_is_missing(store: Store) -> None:
    for asked in (store.attempt, store.story, store.attempts, store.read, store.delete):
        with pytest.raises(MissingRecordError):
            asked("nobody-made-this")
    with pytest.raises(MissingRecordError):
        store.save_section("nobody-made-this", "S", "text")


def test_the_text_of_another_tab_is_set_aside_and_not_lost(store: Store) -> None:
    attempt = store.start(store.new_notebook(), "sc04")
    first = store.save_section(attempt.id, "S", "begun")
    other = store.save_section(attempt.id, "S", "written in the other tab", seen=first.version)
    mine = store.save_section(attempt.id, "S", "written here", seen=first.version)
    assert other.set_aside is None
    assert mine.set_aside is not None
    assert mine.set_aside.text == "written in the other tab"
    section = store.attempt(attempt.id).sections["S"]
    assert (section.text, section.version) == ("written here", 3)
    assert [one.text for one in section.set_aside] == ["written in the other tab"]
    store.drop_set_aside(attempt.id, "S")
    assert store.attempt(attempt.id).sections["S"].set_aside == ()


def test_other_sections_of_two_tabs_do_not_meet(store: Store) -> None:
    attempt = store.start(store.new_notebook(), "sc04")
    store.save_section(attempt.id, "S", "one tab")
    store.save_section(attempt.id, "T", "another tab")
    assert store.attempt(attempt.id).texts() == {"S": "one tab", "T": "another tab"}


def test_saving_the_same_text_again_changes_nothing(store: Store) -> None:
    attempt = store.start(store.new_notebook(), "sc04")
    first = store.save_section(attempt.id, "S", "same")
    assert store.save_section(attempt.id, "S", "same", seen=first.version) == first


def test_a_reader_gets_an_attempt_by_another_id_until_it_is_closed(store: Store) -> None:
    attempt = store.start(store.new_notebook(), "sc04")
    reading = store.reading_id(attempt.id)
    assert reading != attempt.id
    assert store.reading_id(attempt.id) == reading
    assert store.read(reading).id == attempt.id
    store.stop_reading(attempt.id)
    with pytest.raises(MissingRecordError):
        store.read(reading)


def test_delete_all_leaves_nothing_but_the_empty_notebook(store: Store) -> None:
    book, neighbour = store.new_notebook(), store.new_notebook()
    mine, theirs = store.start(book, "sc04"), store.start(neighbour, "sc04")
    store.save_section(mine.id, "S", "text")
    store.new_story(book, "a story")
    store.delete_all(book)
    assert store.attempts(book) == ()
    assert store.stories(book) == ()
    assert store.attempts(neighbour) == (theirs,)
    with store.engine.connect() as connection:
        left = sa.text("select count(*) from sections where record_id = :id")
        assert connection.execute(left, {"id": mine.id}).scalar() == 0


def test_a_story_keeps_its_boxes_and_its_numbers(store: Store) -> None:
    book = store.new_notebook()
    story = store.new_story(book, "Reservations")
    line = LedgerLine(name="wait", value="4 h", meaning="half a day of a researcher")
    store.update_story(story.id, title="Quota", ledger=[line])
    store.save_section(story.id, "failure", "the first threshold was wrong")
    (found,) = store.stories(book)
    assert (found.title, found.ledger) == ("Quota", (line,))
    assert found.texts() == {"failure": "the first threshold was wrong"}


def test_the_day_of_the_interview_is_kept(store: Store) -> None:
    book = store.new_notebook()
    assert store.interview_on(book) is None
    store.set_interview(book, date(2027, 1, 31))
    assert store.interview_on(book) == date(2027, 1, 31)


def test_a_character_no_database_takes_and_a_text_too_long(store: Store) -> None:
    attempt = store.start(store.new_notebook(), "sc04")
    store.save_section(attempt.id, "S", "a\0b")
    assert store.attempt(attempt.id).texts() == {"S": "ab"}
    store.save_section(attempt.id, "A", "word " * 100_000)
    assert len(store.attempt(attempt.id).texts()["A"]) == 500_000
    with pytest.raises(HistoryError, match=r"2,000,001 characters; at most 2,000,000"):
        store.save_section(attempt.id, "S", "x" * 2_000_001)


def test_the_tables_compile_for_postgresql() -> None:
    dialect: sa.Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = "\n".join(str(CreateTable(table).compile(dialect=dialect)) for table in Base.metadata.sorted_tables)
    assert made.count("CREATE TABLE") == 5
    assert "TIMESTAMP WITH TIME ZONE" in made
    assert " JSON" in made


def test_the_configured_address_is_all_that_another_database_needs(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres.replace("postgresql+psycopg:", "postgres:"))
    store = open_store(database_address())
    assert store.engine.dialect.name == "postgresql"
    book = store.new_notebook()
    assert open_store(database_address()).attempts(book) == ()  # a second process finds the same notebook
    with pytest.raises(MissingRecordError):
        store.attempts("nobody-made-this")
    store.engine.dispose()


def test_a_server_that_has_gone_is_named() -> None:
    programs = find_server()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with serve_postgres(programs) as address:
        store = open_store(address)
        book = store.new_notebook()
    with pytest.raises(DatabaseUnreachableError, match="postgresql"):
        store.attempts(book)


def test_the_address_is_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://me:secret@db/headroom")
    assert database_address() == "postgresql+psycopg://me:secret@db/headroom"
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("HEADROOM_DATA", str(tmp_path / "here"))
    assert database_address() == f"sqlite:///{(tmp_path / 'here' / 'headroom.db').as_posix()}"


@pytest.mark.parametrize("address", ["no address at all", "nosuch://server/db", "sqlite:////nowhere/at/all/kept.db"])
def test_an_address_without_a_database_is_named_without_its_password(address: str) -> None:
    with pytest.raises(DatabaseUnreachableError):
        open_store(address)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(DatabaseUnreachableError) as refused:
        open_store("nosuch://me:secret@server/db")
    assert "secret" not in str(refused.value)


def test_a_locked_database_is_named_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("practice.history.engine._BUSY_MS", 50)
    path = tmp_path / "locked.db"
    store = open_store(f"sqlite:///{path}")
    attempt = store.start(store.new_notebook(), "sc04")
    store.save_section(attempt.id, "S", "before")
    holder = sqlite3.connect(path)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusyError):
        store.save_section(attempt.id, "S", "after")
    holder.rollback()
    holder.close()
    assert store.attempt(attempt.id).texts() == {"S": "before"}


def test_a_database_that_may_only_be_read_says_so_and_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    store = open_store(f"sqlite:///{path}")
    attempt = store.start(store.new_notebook(), "sc04")
    reader = open_store(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert reader.attempt(attempt.id) == attempt
    with pytest.raises(DatabaseReadOnlyError):
        reader.save_section(attempt.id, "S", "text")


def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    path.write_bytes(b"this is no database, it is a letter to my aunt " * 100)
    before = path.read_bytes()
    with pytest.raises(DatabaseDamagedError, match=r"kept\.db"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before
