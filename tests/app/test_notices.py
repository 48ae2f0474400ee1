"""What the pages show of what went wrong."""

from streamlit.testing.v1 import AppTest


def _two_edits() -> None:
    import streamlit as st

    from dashboard.errors import safe, show_notices
    from scheduler_core import InputError, Phrase

    def refuse(what: str) -> None:
        raise InputError(what, 1, Phrase("a number"))

    def do_nothing() -> None:
        return

    show_notices("here")
    st.text_input("a", key="a", on_change=safe(refuse), args=("the first",))
    st.text_input("b", key="b", on_change=safe(refuse), args=("the second",))
    st.button("c", key="c", on_click=safe(do_nothing))


def test_two_edits_that_come_at_once_are_both_answered() -> None:
    app = AppTest.from_function(_two_edits).run()
    app.text_input(key="a").set_value("x")
    app.text_input(key="b").set_value("y")
    assert [error.value for error in app.run().error] == [
        "the first is 1; it must be a number.",
        "the second is 1; it must be a number.",
    ]
    assert not app.button(key="c").click().run().error  # what was shown is answered by the next action
