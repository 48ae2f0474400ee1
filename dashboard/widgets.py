"""Fields of the scenario as widgets: label, unit, range, step and help come from the models.

A widget never judges a value: it hands the text to `state.edit_all`, where the model does; see dashboard/held.py.
"""

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import Any, Final

import streamlit as st
from pydantic import BaseModel

from dashboard import state
from dashboard.held import index_of
from dashboard.i18n import Text, clip, has, in_language, plain
from dashboard.why import why
from scheduler_core import Choice, Param, Spec, document_key, find, known_words, word_text, write_duration

_UNBOUNDED: Final = 1e14
_LAST: Final = "%s"
"""The name of the last class or tenant, whichever a field names."""
_ONE_OF: Final = {
    "workload.elastic.appears_when": {"wait_p50_below": "30min", "quota_free_gpus": "8"},
    "policy.reserve.who": {"priority_below": "0.4", "tenant": _LAST, "job_class": _LAST},
}
"""Choices written as one key -> what each key begins with."""
NONE_TEXT: Final = "null"


@dataclass(frozen=True)
class Place:
    """A path, and the part of the page on which its widget stands."""

    path: str
    scope: str = ""

    @property
    def key(self) -> str:
        """Key of the widget."""
        return f"w.{self.scope}{self.path}"


@dataclass(frozen=True)
class Field:
    """One field of the scenario.

    Attributes
    ----------
    path : str
        Where it stands, list items by name: ``workload.classes.pretrain.per_day``.
    kind : str
        The same without names: ``workload.classes.per_day``; key of its label.
    value : object
        What the model holds.
    annotation : object
        Its type.
    spec : Spec
        Its unit, range, step and help.
    scope : str
        Part of the page it stands on; a field may be shown in two parts.
    """

    path: str
    kind: str
    value: Any
    annotation: Any
    spec: Spec
    scope: str = ""

    def at(self, path: str) -> "Place":
        """Return where a widget for `path` stands: a field may be shown twice on a page."""
        return Place(path, self.scope)

    @property
    def label(self) -> str:
        """Short name in the language of the session, with the unit."""
        key = f"field.{self.kind}"
        name = plain(key) if has(key) else self.kind.rpartition(".")[2].replace("_", " ")
        unit = f"field_unit.{self.spec.unit}"
        return f"{name} ({plain(unit)})" if has(unit) else name

    @property
    def help(self) -> Text:
        """One line of explanation in the language of the session."""
        return Text(in_language(self.spec.text))


def key_of(name: str) -> str:
    """Return a name or path as part of a key that also names a style class of the page."""
    return "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in name)


def spec_of(model: type[BaseModel], name: str) -> Spec | None:
    """Return the `Spec` of a field of a model, or None where it has none."""
    return next((part for part in model.model_fields[name].metadata if isinstance(part, Spec)), None)


def fields(part: BaseModel, path: str, kind: str, scope: str = "") -> Iterator[Field]:
    """Yield the fields of `part` that are available, in the order of the document."""
    for name, info in type(part).model_fields.items():
        spec = spec_of(type(part), name)
        if spec is not None and not spec.later:
            value, place = getattr(part, name), f"{path}.{document_key(name)}"
            yield Field(place, f"{kind}.{name}", value, info.annotation, spec, scope)


def field(path: str, part: BaseModel, name: str, kind: str) -> Field:
    """Return one field of `part`, which stands at `path`."""
    spec = spec_of(type(part), name)
    if spec is None:
        raise KeyError(f"{kind}.{name} has no Spec")
    return Field(
        f"{path}.{name}", f"{kind}.{name}", getattr(part, name), type(part).model_fields[name].annotation, spec
    )


# ---- committing -------------------------------------------------------------------------------------------------


def seed(place: Place, value: object, options: Sequence[object] = ()) -> str:
    """Return the key of the widget at `place`, holding `value` if it is new; the widget needs it as default too."""
    state.WIDGETS.seed(place.key, value, options)
    return place.key


def show_refusal(place: Place) -> None:
    """Show why the value in the widget was refused, when it was."""
    state.WIDGETS.show_refusal(place.key)


def committed(path: str, key: str, write: Callable[[Any], Mapping[str, str]] | None = None) -> Callable[[], None]:
    """Return the `on_change` of a widget; `write` turns its value into path -> text."""
    said = write or (lambda value: {path: text_of(value)})
    return partial(state.WIDGETS.commit, key, lambda: state.edit_all(dict(said(st.session_state[key]))))


def text_of(value: object) -> str:
    """Return a plain value as the document writes it."""
    if value is None or value == "":
        return NONE_TEXT
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)


# ---- one widget for each type -----------------------------------------------------------------------------------


def show(item: Field, *, inline: bool = False, width: int | str = "stretch") -> None:
    """Show the widget that fits the field.

    Parameters
    ----------
    item : Field
        What to show.
    inline : bool
        Inside a sentence: without label (it stays readable for screen readers).
    width : int or str
        Pixels, or "stretch".
    """
    inner, is_optional = _unwrap(item.annotation)
    common: dict[str, Any] = {
        "label_visibility": "collapsed" if inline else "visible",
        "width": width,
        "help": None if inline else item.help,
    }
    if inner is Choice:
        _choice(item, common)
    elif item.kind in _ONE_OF:
        _one_of(item, common)
    elif item.spec.options:
        _several(item, common)
    elif names := _named(item.kind):
        options = names if item.value in names else [*names, item.value]
        words(item.at(item.path), item.label, item.value, options, "", common)
    elif typing.get_origin(inner) is typing.Literal:
        words(item.at(item.path), item.label, item.value, typing.get_args(inner), f"word.{item.kind}", common)
        reason = why(item.kind, item.value)
        if reason is not None and not inline:
            st.caption(reason)
    elif inner is bool:
        key = seed(item.at(item.path), item.value)
        st.toggle(item.label, item.value, key=key, help=common["help"], on_change=committed(item.path, key))
    elif inner in {int, float} and item.spec.unit not in {"duration", "priority"}:
        _number(item, is_whole=inner is int, is_optional=is_optional, common=common)
    else:
        text = state.document_text(item.path)
        key = seed(item.at(item.path), text)
        st.text_input(item.label, text, key=key, on_change=committed(item.path, key), **common)
    show_refusal(item.at(item.path))


def _named(kind: str) -> list[str]:
    """Return the names among which a field chooses that names a class or a tenant; empty for another field."""
    name = kind.rpartition(".")[2]
    if name == "job_class":
        return [job_class.name for job_class in state.current().workload.classes]
    return [tenant.name for tenant in state.current().tenants] if name == "tenant" and ".reserve." in kind else []


def _unwrap(annotation: Any) -> tuple[Any, bool]:  # noqa: ANN401
    if typing.get_origin(annotation) in {typing.Union, UnionType}:
        inner = [part for part in typing.get_args(annotation) if part is not type(None)]
        return (inner[0] if len(inner) == 1 else None), len(inner) < len(typing.get_args(annotation))
    return annotation, False


def _number(item: Field, *, is_whole: bool, is_optional: bool, common: dict[str, Any]) -> None:
    cast: Any = int if is_whole else float
    value = None if item.value is None else cast(item.value)
    key = seed(item.at(item.path), value)
    low, high = _bounds(item.spec, cast)
    step = cast(item.spec.step or 1)
    st.number_input(
        item.label,
        low,
        high,
        value,
        step=step,
        key=key,
        format="%d" if is_whole else "%g",
        on_change=committed(item.path, key),
        required=not is_optional,
        placeholder=plain("field.none") if is_optional else None,
        **common,
    )


def _bounds(spec: Spec, cast: Callable[[float], Any]) -> tuple[Any, Any]:
    low = None if spec.low < -_UNBOUNDED else cast(spec.low)
    high = None if spec.high > _UNBOUNDED else cast(spec.high)
    return low, high


def words(
    place: Place, label: str, value: object, options: Sequence[object], text_prefix: str, common: dict[str, Any]
) -> None:
    """Show a choice among words; the texts are `<text_prefix>.<word>`."""
    key = seed(place, value, options)

    def shown(option: object) -> str:
        name = f"{text_prefix}.{option}"
        return plain(name) if has(name) else clip(option)

    at, on_change = index_of(value, options), committed(place.path, key)
    st.selectbox(label, options, at, key=key, format_func=shown, on_change=on_change, **common)


def _several(item: Field, common: dict[str, Any]) -> None:
    """Show a list of words as several choices; none chosen means what the field says without them."""
    chosen = list(item.value or ())
    key = seed(item.at(item.path), chosen)

    def shown(option: str) -> str:
        return plain(f"word.{item.kind}.{option}")

    st.multiselect(
        item.label,
        item.spec.options,
        chosen,
        key=key,
        format_func=shown,
        placeholder=plain("field.none"),
        on_change=committed(item.path, key, lambda chosen: {item.path: _list_text(item.spec.options, chosen)}),
        **common,
    )


def _list_text(options: Sequence[str], chosen: Sequence[str]) -> str:
    """Return chosen words in the order of the options, as the document writes them."""
    return f"[{', '.join(word for word in options if word in chosen)}]" if chosen else NONE_TEXT


def _one_of(item: Field, common: dict[str, Any]) -> None:
    """Show which key of a choice is set, and its value below."""
    part: Any = item.value
    starts = _ONE_OF[item.kind]
    key = seed(item.at(item.path), part.kind, list(starts))
    st.selectbox(
        item.label,
        list(starts),
        list(starts).index(part.kind),
        key=key,
        format_func=lambda name: plain(f"field.{item.kind}.{name}"),
        on_change=committed(item.path, key, lambda name: {item.path: _begun(item.kind, name, starts[name])}),
        **common,
    )
    show(next(each for each in fields(part, item.path, item.kind, item.scope) if each.kind.endswith(f".{part.kind}")))


def _begun(kind: str, name: str, start: str) -> str:
    """Return a choice that was just made, with what it begins with."""
    last = (_named(f"{kind}.{name}") or [""])[-1]
    return f"{{{document_key(name)}: {start.replace(_LAST, last)}}}"


# ---- order, discipline, placement, gang -------------------------------------------------------------------------

_IN_CORE: Final = ("discipline", "gang")
"""Choices whose words stand in the core, without a file for each."""


def _known(name: str) -> dict[str, tuple[str, Sequence[Any]]]:
    """Return slug -> (name in the language of the session, parameters) of what a choice may be."""
    if name in _IN_CORE:
        return {slug: (plain(f"{name}.{slug}"), params) for slug, params in known_words(name).items()}
    if name in {"order", "placement"}:
        found = find("policies" if name == "order" else "placements")
        return {slug: (in_language(thing.name), getattr(thing, "params", ())) for slug, thing in found.items()}  # type: ignore[attr-defined]
    return {}


def choice_help(name: str, slug: str) -> str:
    """Return when a choice helps and whom it hurts."""
    if name in _IN_CORE:
        return in_language(word_text(slug))
    thing = find("policies" if name == "order" else "placements").get(slug)
    return in_language(thing.text) if thing is not None else ""  # type: ignore[attr-defined]


def _choice(item: Field, common: dict[str, Any]) -> None:
    name = item.kind.rpartition(".")[2]
    known = _known(name)
    chosen: Choice = item.value
    if not known:
        return
    options = list(known) if chosen.slug in known else [*known, chosen.slug]
    key = seed(item.at(item.path), chosen.slug, options)
    st.selectbox(
        item.label,
        options,
        options.index(chosen.slug),
        key=key,
        on_change=committed(item.path, key),
        format_func=lambda slug: known[slug][0] if slug in known else clip(slug),
        **common,
    )
    if common["label_visibility"] == "visible":
        st.caption(Text(choice_help(name, chosen.slug)))
        for param in known.get(chosen.slug, ("", ()))[1]:
            _parameter(item, chosen, param)


def _parameter(item: Field, chosen: Choice, param: Param) -> None:
    slug = param.slug
    path = f"{item.path}.{chosen.slug}.{slug}"
    label = next((plain(key) for key in (f"param.{chosen.slug}.{slug}", f"param.{slug}") if has(key)), slug)
    value = chosen.params.get(slug, param.default)
    text = in_language(param.text)
    if param.options:
        words(item.at(path), label, value, param.options, f"param.{slug}", {"help": text})
    elif isinstance(value, str) or param.unit == "duration":
        written = value if isinstance(value, str) else write_duration(int(value or 0))
        key = seed(item.at(path), written)
        st.text_input(label, written, key=key, help=text, on_change=committed(path, key))
    else:
        cast: Any = int if param.is_whole else float
        number = None if value is None else cast(value)
        key = seed(item.at(path), number)
        placeholder = plain(f"param.none_{param.none_means}") if param.none_means else None
        st.number_input(
            label,
            cast(param.low),
            cast(param.high),
            number,
            step=cast(param.step),
            format="%d" if param.is_whole else "%g",
            key=key,
            help=text,
            placeholder=placeholder,
            on_change=committed(path, key),
        )
    show_refusal(item.at(path))
