"""What the widgets of a document hold: the value in force, or what somebody typed that was refused.

The scenario and the assumptions both use it. The document is the judge of a value: a refused one stays in its widget
with one sentence below it, and the document stays as it was.

A busy browser does two things that a script must stand. It sends several edits at once: each is handed to the
document in turn, and only the run that follows looks which widgets no longer show the value in force. And it may take
two runs right after one another as one, and miss the first one's order to set a value; a widget that is made then
begins with its default and sends that as an edit. So every widget gets its value twice, by its key and as its default.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dashboard.errors import refusal
from dashboard.i18n import Text, t


@dataclass
class _Kept:
    """What is known of the widgets of one document in this session."""

    edits: int = 0
    shown: dict[str, int] = field(default_factory=dict)  # key -> how many edits it has seen
    refused: dict[str, Text] = field(default_factory=dict)


@dataclass(frozen=True)
class Held:
    """The widgets of one document.

    Attributes
    ----------
    name : str
        Of the document, unlike every other one's.
    """

    name: str

    def _kept(self) -> _Kept:
        kept: _Kept = st.session_state.setdefault(f"_held_{self.name}", _Kept())
        return kept

    def seed(self, key: str, value: object, options: Sequence[object] = ()) -> Any:  # noqa: ANN401  as its widget
        """Return what the widget at `key` holds: `value`, the one in force, unless that typed last was refused.

        A widget that shows it already is left alone: to set it again would take away what is being typed there.
        """
        kept, state = self._kept(), st.session_state
        is_new = key not in state or key not in kept.shown
        is_old = key not in kept.refused and kept.shown.get(key) != kept.edits
        if is_new or ((is_old or (options and state[key] not in options)) and state[key] != value):
            state[key] = value
            kept.refused.pop(key, None)
        kept.shown[key] = kept.edits
        return state[key]

    def commit(self, key: str, edit: Callable[[], object]) -> None:
        """Hand what the widget at `key` holds to the document; keep a refusal for the line below the widget."""
        kept = self._kept()
        texts = refusal(edit)
        if texts:
            kept.refused[key] = texts[0]
        else:
            kept.refused.pop(key, None)
            kept.shown[key] = kept.edits

    def show_refusal(self, key: str) -> None:
        """Show why the value in the widget was refused, when it was."""
        text = self._kept().refused.get(key)
        if text:
            st.error(t("field.refused", reason=text), icon=":material/error:")

    def renew(self) -> None:
        """Let every widget that holds no refused value show the document, some part of which has changed."""
        self._kept().edits += 1

    def forget(self) -> None:
        """Let every widget show the document, which is another one now."""
        st.session_state.pop(f"_held_{self.name}", None)


def index_of(value: object, options: Sequence[object]) -> int | None:
    """Return where a value stands among the options of a widget; None for one that is not among them."""
    return options.index(value) if value in options else None
