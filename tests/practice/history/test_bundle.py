"""Export and import: everything comes back, nothing is overwritten, a bad file is one sentence."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from practice.history import (
    Attempt,
    Bundle,
    BundleError,
    LedgerLine,
    Prediction,
    Record,
    Section,
    SetAside,
    Store,
    Story,
    add_bundle,
    bundle_of,
    open_store,
    read_bundle,
    to_json,
)
from tests.conftest import examples
from tests.practice.history.builders import STRONG, WEAK, attempt, grade

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60)
TIMES = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  the zone follows
SLUGS = st.from_regex(r"[A-Za-z][a-z0-9_]{0,8}", fullmatch=True)
IDS = st.from_regex(r"[A-Za-z0-9_-]{12}", fullmatch=True)
SECTIONS = st.dictionaries(
    SLUGS,
    st.builds(
        Section, text=TEXTS, saved_at=TIMES, version=st.integers(1, 99),
        set_aside=st.lists(st.builds(SetAside, text=TEXTS, saved_at=TIMES), max_size=2).map(tuple),
    ),
    max_size=3,
)  # fmt: skip
ATTEMPTS = st.builds(
    Attempt, id=IDS, kind=st.just("exercise"), subject=SLUGS, mode=SLUGS, persona=SLUGS, seed=st.integers(0, 2**31 - 1),
    choices=st.dictionaries(SLUGS, SLUGS, max_size=3), run_hash=st.none() | SLUGS, sections=SECTIONS,
    predictions=st.lists(
        st.builds(Prediction, option=SLUGS, measure=SLUGS, said=st.sampled_from(["up", "same", "down"]),
                  sure_share=st.none() | st.floats(0, 1), came=st.none() | st.sampled_from(["up", "same", "down"])),
        max_size=2).map(tuple),
    progress=st.dictionaries(SLUGS, st.none() | st.booleans() | st.integers(-9, 9) | TEXTS, max_size=2),
    grade=st.sampled_from([None, grade(WEAK), grade(STRONG)]), created_at=TIMES, updated_at=TIMES,
    finished_at=st.none() | TIMES,
)  # fmt: skip
STORIES = st.builds(
    Story, id=IDS, title=TEXTS, persona=SLUGS, sections=SECTIONS, created_at=TIMES, updated_at=TIMES,
    ledger=st.lists(st.builds(LedgerLine, name=TEXTS, value=TEXTS, meaning=TEXTS), max_size=2).map(tuple),
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path / 'kept.db'}")


def by_id(bundle: Bundle) -> dict[str, Record]:
    return {one.id: one for one in (*bundle.attempts, *bundle.stories)}


@given(
    attempts=st.lists(ATTEMPTS, max_size=3, unique_by=lambda one: one.id).map(tuple),
    stories=st.lists(STORIES, max_size=2, unique_by=lambda one: one.id).map(tuple),
    day=st.none() | st.dates(date(2026, 1, 1), date(2030, 1, 1)),
    at=TIMES,
)
@settings(max_examples=examples(15), deadline=None)
def test_an_export_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, attempts: tuple[Attempt, ...], stories: tuple[Story, ...],
    day: date | None, at: datetime,
) -> None:  # fmt: skip
    if {one.id for one in attempts} & {one.id for one in stories}:
        return
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('kept') / 'kept.db'}")
    book = store.new_notebook()
    whole = Bundle(exported_at=at, interview_on=day, attempts=attempts, stories=stories)
    assert read_bundle(to_json(whole).encode()) == whole
    add_bundle(store, book, whole)
    found = read_bundle(to_json(bundle_of(store, book)).encode())
    assert by_id(found) == by_id(whole)
    assert found.interview_on == day
    store.engine.dispose()


def test_importing_the_same_again_adds_nothing(store: Store) -> None:
    book = store.new_notebook()
    store.add(book, [attempt(WEAK)], [])
    again = add_bundle(store, book, bundle_of(store, book))
    assert (again.n_attempts, again.n_alike) == (0, 1)
    assert len(store.attempts(book)) == 1


def test_an_import_never_overwrites_and_another_notebook_gets_copies(store: Store) -> None:
    book, other = store.new_notebook(), store.new_notebook()
    story = store.new_story(book, "mine")
    scored = attempt(STRONG, kind="story", subject=story.id)
    store.add(book, [scored], [])
    bundle = bundle_of(store, book)
    store.update_story(story.id, title="changed since")
    assert add_bundle(store, book, bundle).n_stories == 1
    assert {one.title for one in store.stories(book)} == {"mine", "changed since"}
    add_bundle(store, other, bundle)
    (copy,) = store.stories(other)
    (of_copy,) = store.attempts(other)
    assert copy.id != story.id
    assert of_copy.subject == copy.id  # the attempt follows its story


def _edited(change: Callable[[dict[str, Any]], object]) -> bytes:
    whole = json.loads(to_json(Bundle(exported_at=datetime(2027, 1, 1, tzinfo=UTC), attempts=(attempt(WEAK),))))
    change(whole)
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Invalid JSON"),
        (b"\xff\xfe\x00", "At the file"),
        (b"[]", "At the file"),
        (_edited(lambda whole: whole.update(version=2)), "At version: Input should be 1"),
        (_edited(lambda whole: whole.update(format="other")), "At format"),
        (_edited(lambda whole: whole.pop("exported_at")), "At exported_at: Field required"),
        (_edited(lambda whole: whole["attempts"][0].update(seed=-1)), r"At attempts\.0\.seed"),
        (_edited(lambda whole: whole["attempts"][0].update(extra=1)), r"At attempts\.0\.extra"),
        (_edited(lambda whole: whole["attempts"][0].update(created_at="2027-01-01T00:00:00")), "timezone"),
        (_edited(lambda whole: whole["attempts"].append(whole["attempts"][0])), "stands there twice"),
    ],
)
def test_a_bad_file_is_one_sentence_that_names_the_place(content: bytes, words: str) -> None:
    with pytest.raises(BundleError, match=words) as refused:
        read_bundle(content)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300
