"""Rules about the text of sources: print, ASCII, length, translations, and what must not be published."""

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
from io import StringIO
from string import Formatter

LANGUAGES = ("en", "zh")
MAX_LINES = 399
MAX_PAGE_LINES = 150
TEXT_NAMES = {"text", "name", "TEXT", "WORDS"}
"""Keywords and names whose value is a translation."""

_HOMES = r"(?:/home/[a-z]\w*|/Users/\w+|/ro" + r"ot\b|/wo" + r"rk/|[A-Z]:\\Users\\)"
_REGISTRIES = r"(?:pypi\.org|pythonhosted\.org|(?:extra-)?index[-]url|npmjs\.|artifact[o]ry|/simple/?\s)"
PRIVATE = re.compile(rf"(?<![\w.$}}-]){_HOMES}|{_REGISTRIES}")
"""Paths of somebody's machine and hosts of package registries."""


def print_faults(name: str, source: str) -> Iterator[str]:
    """Yield calls of `print`; a library answers with values and a command line writes through click."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "pprint"}:
            yield f"{name}:{node.lineno}: {node.func.id}()"


def length_faults(name: str, source: str) -> Iterator[str]:
    """Yield a sentence when a file has 400 lines or more, or a page more than 150."""
    lines = source.count("\n") + (not source.endswith("\n"))
    allowed = MAX_PAGE_LINES if name.startswith("pages/") else MAX_LINES
    if lines > allowed:
        yield f"{name}: {lines} lines; at most {allowed}"


def _translations(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the expressions that hold translations.

    They are what a keyword or a name in `TEXT_NAMES` is set to, the value of a key "zh", and the arguments of `words`
    or of a function in the same module that has a parameter `zh`.
    """
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    writers = {"words"} | {one.name for one in functions if any(given.arg == "zh" for given in one.args.args)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in TEXT_NAMES:
            yield node.value
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id in TEXT_NAMES for target in targets):
                yield node.value
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            yield from (value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "zh")
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in writers:
            yield from node.args


def _text_lines(source: str) -> set[int]:
    """Return the lines on which translations stand."""
    return {
        line
        for value in _translations(ast.parse(source))
        for line in range(value.lineno, (value.end_lineno or value.lineno) + 1)
    }


def ascii_faults(name: str, source: str, *, in_strings: bool = False) -> Iterator[str]:
    """Yield tokens that are not ASCII, outside translations.

    Parameters
    ----------
    name : str
        Name of the file, for the message.
    source : str
        Its text.
    in_strings : bool
        Accept any string (tests quote what a page shows); names and comments stay ASCII.
    """
    if source.isascii():
        return
    allowed = _text_lines(source)
    strings = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(StringIO(source).readline):
        is_text = token.type in strings and (in_strings or token.start[0] in allowed)
        if not token.string.isascii() and not is_text:
            yield f"{name}:{token.start[0]}: not ASCII: {token.string!r}"


def private_faults(name: str, text: str) -> Iterator[str]:
    """Yield paths of somebody's machine and package registry hosts."""
    for number, line in enumerate(text.splitlines(), 1):
        found = PRIVATE.search(line)
        if found:
            yield f"{name}:{number}: {found.group().strip()!r} belongs to one machine or one registry"


def placeholders(text: str) -> set[str]:
    """Return the names in braces of a text."""
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def pair_faults(key: str, texts: Mapping[str, object]) -> Iterator[str]:
    """Yield what is wrong with one text in both languages."""
    for language in LANGUAGES:
        value = texts.get(language)
        if not isinstance(value, str) or not value.strip():
            yield f"{key}: no text in {language}"
    if set(texts) - set(LANGUAGES):
        yield f"{key}: unknown languages {sorted(set(texts) - set(LANGUAGES))}"
    if not all(isinstance(texts.get(language), str) for language in LANGUAGES):
        return
    english, chinese = (placeholders(str(texts[language])) for language in LANGUAGES)
    if english != chinese:
        yield f"{key}: placeholders differ: en {sorted(english)}, zh {sorted(chinese)}"
    for field in english | chinese:
        if not re.match(r"[a-z_]\w*", field):
            yield f"{key}: a placeholder without a name"


def catalogue_faults(catalogue: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    """Yield what is wrong with a catalogue: tables of keys whose leaves are texts by language."""
    for key, value in catalogue.items():
        dotted = f"{prefix}{key}"
        if not isinstance(value, Mapping):
            yield f"{dotted}: not a table of languages"
        elif any(isinstance(inner, str) for inner in value.values()):
            yield from pair_faults(dotted, value)
        else:
            yield from catalogue_faults(value, f"{dotted}.")


def catalogue_keys(catalogue: Mapping[str, object], prefix: str = "") -> Iterator[str]:
    """Yield the dotted keys of a catalogue."""
    for key, value in catalogue.items():
        if isinstance(value, Mapping) and any(isinstance(inner, str) for inner in value.values()):
            yield f"{prefix}{key}"
        elif isinstance(value, Mapping):
            yield from catalogue_keys(value, f"{prefix}{key}.")


def inline_text_faults(name: str, source: str) -> Iterator[str]:
    """Yield what is wrong with the texts that a policy, placement or metric file carries itself."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Dict):
            continue
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if not set(LANGUAGES) & set(keys):
            continue
        try:
            texts = ast.literal_eval(node)
        except ValueError:
            continue  # computed texts are checked where they are made
        if all(isinstance(value, str) for value in texts.values()):
            yield from pair_faults(f"{name}:{node.lineno}", texts)


def unknown_key_faults(name: str, source: str, known: set[str], functions: tuple[str, ...]) -> Iterator[str]:
    """Yield text keys, written out in calls of these functions, that the catalogue lacks."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0]
        is_literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
        if called in functions and is_literal and isinstance(first, ast.Constant) and first.value not in known:
            yield f"{name}:{node.lineno}: no text {first.value!r} in strings.toml"
