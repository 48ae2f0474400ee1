"""The assumptions of this session: one document for Economics and Plan, kept equal to the address and to its widgets.

The address holds what differs from the table (`assume=name:value`) and the start of the document's hash (`ah`), which
tells a reader whose table has moved on. A page that uses them calls `from_address` first, shows `link_notices` and
adds `query` to the address. How the widgets follow the document is in dashboard/held.py.
"""

import math
import re
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Final

import streamlit as st

from dashboard import address, errors, numbers
from dashboard.held import Held
from dashboard.i18n import Text, escape, has, language, plain, t, told
from scheduler_core import (
    ASSUME_PARAM,
    HASH_DIGITS,
    HASH_PARAM,
    PERIODS_H,
    Assumptions,
    Note,
    Row,
    assumption_units,
    find_assumption,
    read_assumptions,
)

_STATE: Final = "_assumed"
_WIDGETS: Final = Held("assumptions")
_LINK: Final = "_assumed_link"
_WRITTEN: Final = "_assumed_written"
_MOST_CHANGES: Final = 300
_LONGEST: Final = 2_200
_LONGEST_SENTENCE: Final = 600
_PERIOD_WIDTH, _QUOTE_WIDTH = 112, 124
_MOST_DECIMALS = 4
_DIGITS = 10
"""Of an amount that is shown for another time than the table has it; rounds what the conversion adds."""


def current() -> Assumptions:
    """Return the assumptions of this session; those of the table in a new one."""
    found: Assumptions = st.session_state.setdefault(_STATE, Assumptions())
    return found


def take(assumptions: Assumptions) -> None:
    """Make `assumptions` the current ones and let every widget show them."""
    st.session_state[_STATE] = assumptions
    _WIDGETS.forget()


def change(values: dict[str, object]) -> None:
    """Change several inputs at once.

    Raises
    ------
    CoreError
        When one of them is refused; then none is changed.
    """
    take(current().change(values))


def reset() -> None:
    """Go back to the table."""
    take(Assumptions())


# ---- the address ------------------------------------------------------------------------------------------------


def from_address() -> None:
    """Take over what a link, or the back and forward buttons, bring; a part that is wrong is told and left out.

    What this page wrote itself comes back with the next click and is no news.
    """
    texts = [value[:_LONGEST] for value in st.query_params.get_all(ASSUME_PARAM)[:_MOST_CHANGES]]
    promised = (st.query_params.get(HASH_PARAM) or "")[:HASH_DIGITS]
    news = (tuple(texts), promised)
    is_news = bool(texts) and news not in (st.session_state.get(_LINK), st.session_state.get(_WRITTEN))
    st.session_state[_LINK] = news
    if not is_news and not address.is_history_navigation():
        return
    found, problems = Assumptions(), []
    for text in texts:
        read, problem = errors.attempt(partial(_and_text, found, text))
        if read is None and problem is not None:
            problems += errors.sentences(problem)
        found = read or found
    take(found)
    st.session_state["_assumed_problems"] = problems
    st.session_state["_assumed_moved"] = bool(promised) and not problems and not found.is_same_as(promised)


def _and_text(found: Assumptions, text: str) -> Assumptions:
    return read_assumptions([*found.texts(), text])


def link_notices() -> None:
    """Show what was wrong with the assumptions of a link, and whether the table has changed since it was made."""
    for sentence in st.session_state.get("_assumed_problems", [])[:5]:
        st.warning(t("assume.link_problem", reason=sentence), icon=":material/link_off:")
    if st.session_state.get("_assumed_moved"):
        st.info(t("assume.table_moved"), icon=":material/info:")


def query() -> str:
    """Return what the address has to hold: nothing where everything is as in the table."""
    st.session_state[_WRITTEN] = (current().texts(), current().digest[:HASH_DIGITS])
    return current().query()


# ---- the widgets ------------------------------------------------------------------------------------------------


def field(slug: str) -> None:
    """Show the widget of one input, with its unit, range, date and source as help.

    An amount of money for a time has the time beside it, which says for what the typed number is meant; a price has
    beside it what kind of price it is.
    """
    row = find_assumption(slug)
    if row.period is None and row.quote_slug is None:
        _widget(row, name(slug))
    else:
        _money(row)
    _WIDGETS.show_refusal(_key(slug))


def _widget(row: Row, label: Text) -> None:
    slug, key, hint = row.slug, _key(row.slug), _help(row)
    shown = _seed(row, key)
    on_change = partial(_commit, slug, key)
    if row.kind == "word":
        at, said = row.options.index(str(shown)), partial(_word, slug)
        st.selectbox(label, row.options, at, key=key, format_func=said, help=hint, on_change=on_change)
    elif row.is_text:
        st.text_input(label, str(shown or ""), key=key, help=hint, on_change=on_change)
    elif row.unit.startswith("share"):
        low, high = _ends(row)
        step = _step(row)
        st.slider(label, low, high, shown, step=step, key=key, format="percent", help=hint, on_change=on_change)
    else:
        st.number_input(
            label,
            value=shown,
            step=_step(row),
            key=key,
            format=_format(row),
            help=hint,
            placeholder=plain("assume.unknown"),
            on_change=on_change,
        )


def _seed(row: Row, key: str) -> Any:  # noqa: ANN401  each kind of widget has its own type
    """Return what the widget at `key` holds; it needs that as default too."""
    return _WIDGETS.seed(key, _for_widget(row), row.options)


def _money(row: Row) -> None:
    """Show an amount of money with the time it is for, and a price with its kind."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"assume_money_{row.slug}"):
        _widget(row, _amount_name(row))
        if row.period is not None:
            st.selectbox(
                t("assume.period"),
                list(PERIODS_H),
                index=list(PERIODS_H).index(row.period),
                key=_period_key(row.slug),
                format_func=lambda period: plain(f"assume.period.{period}"),
                on_change=partial(_commit, row.slug, _key(row.slug)),
                width=_PERIOD_WIDTH,
            )
        if row.quote_slug is not None:
            _quote(row.quote_slug)


def _quote(slug: str) -> None:
    row, key = find_assumption(slug), _key(slug)
    st.selectbox(
        t("assume.quote"),
        row.options,
        row.options.index(str(_seed(row, key))),
        key=key,
        format_func=lambda word: plain(f"assume.quote.{word}"),
        on_change=partial(_commit, slug, key),
        width=_QUOTE_WIDTH,
    )


def _amount_name(row: Row) -> Text:
    """Return what a person calls an amount of money, without the time that is chosen beside it."""
    if row.period is None:
        return name(row.slug)
    unit = assumption_units()[row.unit.removesuffix(f"_{row.period}").removesuffix("_per")][language()]
    return t("assume.label", name=escape(row.text[language()], _LONGEST_SENTENCE), unit=unit)


def _key(slug: str) -> str:
    return f"a.{slug}"


def _period_key(slug: str) -> str:
    return f"period.{slug}"


def _period(row: Row) -> str | None:
    """Return for which time the number in the widget is."""
    chosen: str | None = st.session_state.get(_period_key(row.slug), row.period)
    return chosen


def _format(row: Row) -> str:
    """Return how a number is shown: a twelfth with four decimals, what is written shorter as it is."""
    if row.kind == "whole":
        return "%d"
    shown = st.session_state[_key(row.slug)]
    return "%.4f" if shown is not None and len(f"{shown:g}") < len(f"{shown!r}") - _MOST_DECIMALS else "%g"


def _for_widget(row: Row) -> float | int | str | None:
    value = current().values()[row.slug]
    if value is None or isinstance(value, str):
        return value
    if row.kind == "whole":
        return int(value)
    period = _period(row)
    if period is None or row.period is None or period == row.period:
        return float(value)
    return float(f"{value * PERIODS_H[period] / PERIODS_H[row.period]:.{_DIGITS}g}")


def name(slug: str) -> Text:
    """Return what a person calls an input, with its unit; safe as Markdown."""
    row = find_assumption(slug)
    unit = "" if row.unit in {"", "share"} else assumption_units()[row.unit][language()]
    if not unit or _names(unit, row.text[language()]):  # Jobs a day, GPUs per node
        return Text(escape(row.text[language()], _LONGEST_SENTENCE))
    return t("assume.label", name=escape(row.text[language()], _LONGEST_SENTENCE), unit=unit)


def _names(unit: str, text: str) -> bool:
    """Say whether a unit stands in a text as a word: an h inside "checkpoint" names no hours."""
    return re.search(rf"(?<![a-z]){re.escape(unit)}(?![a-z])", text, re.IGNORECASE) is not None


def say(note: Note) -> Text:
    """Return a sentence of the core in the language of the session; safe as Markdown."""
    return escape(note.text(language()), _LONGEST_SENTENCE)


def today() -> date:
    """Return the day of the reader, which the core is told."""
    return datetime.now(UTC).date()


def _word(slug: str, word: str) -> str:
    key = f"assume.{slug}.{word}"
    return plain(key) if has(key) else word


def _help(row: Row) -> Text:
    figures = current().figures(row.slug)
    source = escape(figures.source_in(language()), _LONGEST_SENTENCE)
    if figures.low is None or figures.high is None or figures.default is None:
        return t("assume.help_text", slug=row.slug, date=figures.date.isoformat(), source=source)
    low, high, usual = (_written(row, value) for value in (figures.low, figures.high, figures.default))
    return t(
        "assume.help",
        slug=row.slug,
        default=usual,
        low=low,
        high=high,
        allowed=told(row.allowed),
        date=figures.date.isoformat(),
        source=source,
    )


def _written(row: Row, value: float | str) -> str:
    if row.is_text:
        return value if isinstance(value, str) else numbers.duration(value)
    value = float(value)
    return plain("unit.percent", n=f"{100 * value:g}") if row.unit.startswith("share") else f"{value:,g}"


def _ends(row: Row) -> tuple[float, float]:
    """Return the ends of a slider: what is plausible, and whatever is in force."""
    figures, value = current().figures(row.slug), current().number(row.slug)
    low = min(figures.low or 0.0, value)
    high = max(figures.high or 1.0, value)
    return float(low), float(high)


def _step(row: Row) -> float | int:
    figures = current().figures(row.slug)
    if row.unit.startswith("share"):
        return 0.005 if (figures.high or 1.0) <= 0.2 else 0.01
    width = (figures.high or 1.0) - (figures.low or 0.0)
    step = 10.0 ** math.floor(math.log10(width / 20)) if width > 0 else 1.0
    return max(1, round(step)) if row.kind == "whole" else step


def _commit(slug: str, key: str) -> None:
    value, row = st.session_state[key], find_assumption(slug)
    period = _period(row)
    if value is not None and period != row.period:
        value = f"{value}/{period}"
    _WIDGETS.commit(key, lambda: _set(slug, value))


def _set(slug: str, value: object) -> None:
    st.session_state[_STATE] = current().change({slug: value})
    _WIDGETS.renew()
