"""The only place that catches errors of the core; nobody ever sees a traceback.

A refusal (`CoreError`) is shown as the one sentence for its code. Anything else is a fault of ours:
one sentence with a number, and the details under that number in the log of the server.
"""

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from dashboard.i18n import Text, has, t, told
from scheduler_core import CoreError

LOG = logging.getLogger("headroom")
P = ParamSpec("P")
T = TypeVar("T")


def sentences(error: CoreError) -> list[Text]:
    """Return what `error` says, one sentence for each fault, safe as Markdown."""
    key = f"error.{error.code}"
    texts = [told(phrase) for phrase in error.phrases]
    return [t(key, message=text) for text in texts] if has(key) else texts


def show(error: CoreError) -> None:
    """Show what `error` says."""
    texts = sentences(error)
    first = texts[:5]
    more = [t("error.more", n=len(texts) - len(first))] if len(texts) > len(first) else []
    st.error("\n\n".join([*first, *more]), icon=":material/error:")


def report(error: Exception) -> Text:
    """Log an unexpected error under a new number and return the sentence that names it."""
    number = secrets.token_hex(3)
    LOG.error("unexpected error %s", number, exc_info=error)
    return t("error.unexpected", number=number)


@contextmanager
def shown() -> Iterator[None]:
    """Run a part of a page; what goes wrong inside is shown there as a sentence."""
    try:
        yield
    except CoreError as error:
        show(error)
    except Exception as error:  # noqa: BLE001  the last line of defence: a page never shows a traceback
        st.error(report(error), icon=":material/error:")


def attempt(action: Callable[[], T]) -> tuple[T | None, CoreError | None]:
    """Return what `action` gives, or the refusal of the core; for places that have another way to go on."""
    try:
        return action(), None
    except CoreError as error:
        return None, error


def refusal(action: Callable[[], object]) -> list[Text]:
    """Run `action` and return the sentences of its refusal, or nothing when it went well."""
    try:
        action()
    except CoreError as error:
        return sentences(error)
    except Exception as error:  # noqa: BLE001  as above
        return [report(error)]
    return []


def safe(callback: Callable[P, None]) -> Callable[P, None]:
    """Wrap a widget's callback, so that what goes wrong is shown on the page that follows."""

    @wraps(callback)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        texts = refusal(lambda: callback(*args, **kwargs))
        # A busy browser may send several actions before the page is drawn: each may say what went wrong in it.
        is_answered = st.session_state.pop("_notices_shown", False)
        st.session_state["_notices"] = texts if is_answered else [*st.session_state.get("_notices", []), *texts]

    return wrapped


def show_notices(page: str) -> None:
    """Show what went wrong in the last callback, until the next one or until another page is opened."""
    if st.session_state.get("_notices_page") != page:
        st.session_state["_notices_page"] = page
        st.session_state["_notices"] = []
    st.session_state["_notices_shown"] = True
    for text in st.session_state.get("_notices", []):
        st.error(text, icon=":material/error:")
