"""One scenario in session, kept equal to the address line.

Everything a page shows follows from `current()`. Edits go through `edit` or `replace`, which keep the
former scenario for undo; `from_address` takes over what a link, a reload or the back button brings.
"""

import time
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from dashboard import address, errors, i18n, storage
from dashboard.held import Held
from scheduler_core import (
    DEFAULT_CASE,
    ENGINE_VERSION,
    CoreError,
    Link,
    Scenario,
    apply,
    decode,
    differences,
    dump_document,
    encode,
    load_case,
    scenario_hash,
    split_path,
)

WIDGETS: Final = Held("scenario")
LONGEST_LINK: Final = 7_000
"""Characters of a query; what is longer is stored here and gets a short id."""
_CHANGES: Final = "_changes"
_BURST_S: Final = 4.0
_KEPT: Final = 50


@dataclass(frozen=True)
class Change:
    """One setting that differs from where the scenario started."""

    path: str
    before: object
    after: object


def current() -> Scenario:
    """Return the scenario of this session; the default case in a new one."""
    if "scenario" not in st.session_state:
        st.session_state["scenario"] = load_case(DEFAULT_CASE)
    scenario: Scenario = st.session_state["scenario"]
    return scenario


def origin() -> Scenario:
    """Return what `current()` is compared with: its named case, or what was imported."""
    scenario = current()
    if scenario.case:
        return load_case(scenario.case)
    imported: Scenario | None = st.session_state.get("_origin")
    return imported if imported is not None else scenario


def changes() -> list[Change]:
    """Return every setting that differs from `origin()`; found once for the two, as the frame asks on every page."""
    scenario, base = current(), origin()
    if scenario is base:
        return []
    kept: tuple[Scenario, Scenario, list[Change]] | None = st.session_state.get(_CHANGES)
    if kept is None or kept[0] is not scenario or kept[1] is not base:
        before = differences(base, scenario)
        found = [Change(path, before.get(path), after) for path, after in differences(scenario, base).items()]
        kept = (scenario, base, found)
        st.session_state[_CHANGES] = kept
    return kept[2]


def changes_line() -> i18n.Text:
    """Return how much differs from `origin()`: no changes, 1 change, 3 changes."""
    found = changes()
    return (
        i18n.t("changes.none")
        if not found
        else i18n.t("changes.one")
        if len(found) == 1
        else i18n.t("changes.n", n=len(found))
    )


def document_at(path: str) -> Any:  # noqa: ANN401  any part of a document
    """Return what the document says at `path`, list items by name or number; None where it says nothing."""
    part: Any = dump_document(current())
    for key in split_path(path):
        if isinstance(part, list):
            part = next((item for at, item in enumerate(part) if key in (_name_of(item), str(at))), None)
        elif isinstance(part, dict):
            part = next((value for name, value in part.items() if str(name) == key), None)
        else:
            part = None
    return part


def _name_of(item: object) -> object:
    return item.get("name") if isinstance(item, dict) else None


def document_text(path: str) -> str:
    """Return what the document says at `path`, on one line, as `edit` would read it; null where it says nothing."""
    return on_one_line(document_at(path))


def on_one_line(value: object) -> str:
    """Return a part of a document on one line, as `edit` would read it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {on_one_line(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(on_one_line(item) for item in value) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def replace(scenario: Scenario, *, is_new_start: bool = False) -> None:
    """Make `scenario` the current one, keep the former for undo, forget what the widgets hold.

    Parameters
    ----------
    scenario : Scenario
        What to show from now on.
    is_new_start : bool
        True for a case or a log: changes are counted from here.
    """
    _remember(current())
    _take(scenario)
    if is_new_start:
        st.session_state["_origin"] = scenario
    forget_widgets()


def edit(path: str, text: str) -> None:
    """Set one field from text; the model is the judge, and a refused text changes nothing.

    Raises
    ------
    CoreError
        When the model refuses the value.
    """
    edit_all({path: text})


def edit_all(texts: dict[str, str]) -> None:
    """Set several fields at once, as `edit` does."""
    scenario = apply(current(), texts)
    if scenario != current():
        _remember(current())
        _take(scenario)
        WIDGETS.renew()


def undo() -> None:
    """Go back to the scenario before the last edit."""
    kept: list[Scenario] = st.session_state.get("_undo", [])
    if kept:
        _take(kept.pop())
        forget_widgets()


def can_undo() -> bool:
    """Tell whether there is an edit to undo."""
    return bool(st.session_state.get("_undo"))


def reset() -> None:
    """Go back to the named case, or to what was imported."""
    replace(origin())


def forget_widgets() -> None:
    """Drop what the field widgets hold, so that they show the scenario again."""
    WIDGETS.forget()


def _remember(scenario: Scenario) -> None:
    kept: list[Scenario] = st.session_state.setdefault("_undo", [])
    kept.append(scenario)
    del kept[:-_KEPT]


def _take(scenario: Scenario) -> None:
    st.session_state["scenario"] = scenario
    st.session_state["_link_problem"] = None


# ---- the address line -------------------------------------------------------------------------------------------


def from_address() -> None:
    """Take over what the address line brings: a link, a reload, the back or forward button.

    Right after a step back Streamlit may send the former query once more; it is told from a new one
    because it equals the query seen last.
    """
    query = address.read()
    is_first = "scenario" not in st.session_state
    is_news = query != st.session_state.get("_query_seen", "") and query != st.session_state.get("_query_written")
    st.session_state["_query_seen"] = query
    if query and (is_first or is_news or address.is_history_navigation()):
        _open(query)


def _open(query: str) -> None:
    short = st.query_params.get("id")
    link, problem = errors.attempt(lambda: storage.open_link(short) if short else decode(query))
    if link is not None:
        scenario: Scenario = link.scenario
        if scenario.workload.arrivals.log is not None:  # a link writes a log over a case; it did not come from one
            scenario = scenario.model_copy(update={"case": None})
        st.session_state["_link"] = link
    else:
        scenario = getattr(problem, "nearest", None) or load_case(DEFAULT_CASE)
    if "scenario" in st.session_state and st.session_state["scenario"] == scenario and problem is None:
        return
    is_first = "scenario" not in st.session_state
    if not is_first:
        _remember(st.session_state["scenario"])
    _take(scenario)
    if is_first and not scenario.case:
        st.session_state["_origin"] = scenario
    forget_widgets()
    st.session_state["_link_problem"] = problem


def link_problem() -> CoreError | None:
    """Return what was wrong with the link that was opened, until something else is shown."""
    problem: CoreError | None = st.session_state.get("_link_problem")
    return problem


def opened_link() -> Link | None:
    """Return the link this scenario came from, while it is unchanged."""
    link: Link | None = st.session_state.get("_link")
    if link is None or scenario_hash(link.scenario) != scenario_hash(current()):
        return None
    return link


def scenario_query(*, headline: dict[str, float] | None = None) -> str:
    """Return the query that holds the current scenario; a short id where it would be too long."""
    scenario = current()
    query, _ = errors.attempt(lambda: encode(scenario, engine_version=ENGINE_VERSION, headline=headline))
    if query is None or len(query) > LONGEST_LINK:
        return f"id={storage.save_link(scenario, ENGINE_VERSION)}"
    return query


def add_to_address(query: str, *, private: str = "") -> None:
    """Add what a page of its own keeps to the address, until the page is left; `private` is never shared."""
    st.session_state["_page_query"] = query
    st.session_state["_private_query"] = private


def with_language(query: str, *, is_shared: bool = True) -> str:
    """Return `query` with what the page adds to it and the language of this session."""
    own = [st.session_state.get("_page_query", "")]
    if not is_shared:
        own.append(st.session_state.get("_private_query", ""))
    return "&".join(part for part in (query, *own, f"lang={i18n.language()}") if part)


def to_address() -> None:
    """Write the current scenario into the address line; one history entry for a burst of edits."""
    query = scenario_query()
    written = st.session_state.get("_query_scenario")
    is_edit = written is not None and query != written and not address.is_history_navigation()
    now_s = time.monotonic()
    is_new_entry = is_edit and now_s - st.session_state.get("_edited_s", 0.0) > _BURST_S
    if is_edit:
        st.session_state["_edited_s"] = now_s
    st.session_state["_query_scenario"] = query
    st.session_state["_query_written"] = address.normal(query)
    address.write(with_language(query, is_shared=False), is_new_entry=is_new_entry)
