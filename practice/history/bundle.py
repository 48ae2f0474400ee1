"""Take all work along: one JSON file, with a version, checked before anything of it is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from practice.history.errors import BundleError
from practice.history.model import Attempt, Story
from practice.history.store import Store, new_id
from scheduler_core import Phrase

Kept = TypeVar("Kept", Attempt, Story)

LARGEST_BYTES: Final = 64 * 1024 * 1024


class Bundle(BaseModel):
    """The content of an export."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["headroom-practice"] = "headroom-practice"
    version: Literal[1] = 1
    exported_at: AwareDatetime
    interview_on: date | None = None
    attempts: tuple[Attempt, ...] = ()
    stories: tuple[Story, ...] = ()


@dataclass(frozen=True)
class Imported:
    """How many were added, and how many were there already, exactly alike."""

    n_attempts: int
    n_stories: int
    n_alike: int


def bundle_of(store: Store, notebook: str) -> Bundle:
    """Return everything in a notebook."""
    return Bundle(
        exported_at=datetime.now(UTC),
        interview_on=store.interview_on(notebook),
        attempts=store.attempts(notebook),
        stories=store.stories(notebook),
    )


def to_json(bundle: Bundle) -> str:
    """Return the text of an export."""
    return bundle.model_dump_json(indent=1)


def read_bundle(content: bytes) -> Bundle:
    """Return what an export holds.

    Raises
    ------
    BundleError
        When the content is too large, is no JSON, or is not an export of this version; names the place.
    """
    if len(content) > LARGEST_BYTES:
        raise BundleError(
            Phrase(
                "It has {n_content:,} bytes; at most {largest_bytes:,} are read.",
                n_content=len(content),
                largest_bytes=LARGEST_BYTES,
            )
        )
    try:
        bundle = Bundle.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BundleError(Phrase("At {place}: {foreign}.", place=place, foreign=first["msg"])) from error
    ids = [one.id for one in (*bundle.attempts, *bundle.stories)]
    twice = next((one for one in ids if ids.count(one) > 1), None) if len(set(ids)) < len(ids) else None
    if twice is not None:
        raise BundleError(
            Phrase("The id {twice!r} stands there twice; every attempt and story has its own.", twice=twice)
        )
    return bundle


def add_bundle(store: Store, notebook: str, bundle: Bundle) -> Imported:
    """Add an export to a notebook; nothing that is there is changed.

    What is there exactly alike is left out. What has an id that is in use gets a new one.
    """
    mine = {one.id: one for one in (*store.attempts(notebook), *store.stories(notebook))}
    attempts = [one for one in bundle.attempts if mine.get(one.id) != one]
    stories = [one for one in bundle.stories if mine.get(one.id) != one]
    names = _new_ids(store, [one.id for one in (*attempts, *stories)])
    store.add(
        notebook,
        [_renamed(one, id=names.get(one.id, one.id), subject=names.get(one.subject, one.subject)) for one in attempts],
        [_renamed(one, id=names.get(one.id, one.id)) for one in stories],
    )
    if store.interview_on(notebook) is None and bundle.interview_on is not None:
        store.set_interview(notebook, bundle.interview_on)
    n_alike = len(bundle.attempts) + len(bundle.stories) - len(attempts) - len(stories)
    return Imported(len(attempts), len(stories), n_alike)


def _new_ids(store: Store, ids: Sequence[str]) -> dict[str, str]:
    return {one: new_id() for one in store.taken(ids)}


def _renamed(one: Kept, **fields: str) -> Kept:
    return one.model_copy(update=fields)
