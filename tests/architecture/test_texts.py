"""No print, ASCII code, short files, complete translations, and nothing private in what is published."""

import tomllib

import pytest

from tests.architecture import texts
from tests.architecture.sources import PRODUCT, ROOT, assert_none, committed_files, python_files, read

CATALOGUE = "dashboard/strings.toml"
TEXT_FUNCTIONS = ("t", "plain")
BINARY = (".png", ".gz", ".npz", ".npy", ".parquet", ".bz2", ".xz", ".zip", ".ico")
RECORDED = ("tests/data/", "tests/oracle/")
"""Logs and outputs of other programs, kept as they were; their authors' paths are part of them."""
HEART = "\u2665"


def test_product_never_prints() -> None:
    assert_none(fault for name in python_files(*PRODUCT) for fault in texts.print_faults(name, read(name)))


def test_code_is_ascii() -> None:
    files = python_files()
    assert files
    assert_none(
        fault for name in files for fault in texts.ascii_faults(name, read(name), in_strings=name.startswith("tests/"))
    )


def test_settings_are_ascii() -> None:
    names = ("Makefile", ".ci/run", "pyproject.toml", "requirements.txt", ".streamlit/config.toml")
    assert [name for name in names if not read(name).isascii()] == []


def test_files_are_short() -> None:
    assert_none(fault for name in python_files() for fault in texts.length_faults(name, read(name)))


def test_nothing_private_is_published() -> None:
    names = [name for name in committed_files() if not name.endswith(BINARY) and not name.startswith(RECORDED)]
    faults: list[str] = []
    for name in names:
        faults += texts.private_faults(name, (ROOT / name).read_text(encoding="utf-8", errors="replace"))
    assert_none(faults)


def test_every_text_is_there_in_both_languages() -> None:
    if not python_files("pages"):
        pytest.skip("there is no page yet, so nothing to translate")
    assert_none(texts.catalogue_faults(tomllib.loads(read(CATALOGUE))))


def test_every_key_that_code_names_is_in_the_catalogue() -> None:
    files = python_files("app.py", "pages", "dashboard")
    if not python_files("pages"):
        pytest.skip("there is no page yet, so nothing to translate")
    known = set(texts.catalogue_keys(tomllib.loads(read(CATALOGUE))))
    assert_none(fault for name in files for fault in texts.unknown_key_faults(name, read(name), known, TEXT_FUNCTIONS))


def test_texts_carried_by_the_core_are_in_both_languages() -> None:
    files = python_files("scheduler_core", "practice")
    assert_none(fault for name in files for fault in texts.inline_text_faults(name, read(name)))


@pytest.mark.parametrize("source", ["print(1)", "def f():\n    print('x')", "from pprint import pprint\npprint({})"])
def test_a_planted_print_is_found(source: str) -> None:
    assert len(list(texts.print_faults("bad.py", source))) == 1


def test_the_word_print_in_a_text_is_not_a_call() -> None:
    assert list(texts.print_faults("good.py", "x = 'print(1)'  # print(2)")) == []


@pytest.mark.parametrize("source", [f"x = '{HEART}'", f"# {HEART}", f'"""{HEART}"""', f"x = f'{HEART}{{1}}'"])
def test_a_planted_character_is_found(source: str) -> None:
    assert len(list(texts.ascii_faults("bad.py", source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        f"P = Policy(\n    text={{'en': 'a', 'zh': '{HEART}'}},\n)",
        f"WORDS = {{'order': ('a', '{HEART}')}}",
        f"M = Metric(label=words('a', '{HEART}'))",
        f"x = {{'en': 'a', 'zh': '{HEART}'}}",
        f"def spec(en: str, zh: str): ...\nx = spec('a', '{HEART}')",
        "x = 1",
    ],
)
def test_translations_need_not_be_ascii(source: str) -> None:
    assert list(texts.ascii_faults("good.py", source)) == []


def test_tests_may_quote_any_string_but_not_name_it() -> None:
    assert list(texts.ascii_faults("t.py", f"x = '{HEART}'", in_strings=True)) == []
    assert len(list(texts.ascii_faults("t.py", f"x = 1  # {HEART}", in_strings=True))) == 1


@pytest.mark.parametrize(
    ("name", "lines", "is_short"),
    [
        ("scheduler_core/a.py", 399, True),
        ("scheduler_core/a.py", 400, False),
        ("pages/a.py", 150, True),
        ("pages/a.py", 151, False),
    ],
)
def test_a_long_file_is_found(name: str, lines: int, is_short: bool) -> None:
    assert (list(texts.length_faults(name, "x = 1\n" * lines)) == []) is is_short


@pytest.mark.parametrize(
    "text",
    [
        "see /ho" + "me/ann/project",
        "cd /wo" + "rk/main",
        "log = '/ro" + "ot/.cache'",
        "C:" + r"\Users\ann",
        "--index" + "-url=x",
        "https://py" + "pi.org/simple",
    ],
)
def test_a_planted_private_text_is_found(text: str) -> None:
    assert len(list(texts.private_faults("bad.md", text))) == 1


@pytest.mark.parametrize("text", ["docs/work/plan.md", "$HOME/x", "the home page", "pip install -r requirements.txt"])
def test_ordinary_text_is_not_private(text: str) -> None:
    assert list(texts.private_faults("good.md", text)) == []


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('en = "Waits"', "no text in zh"),
        ('en = "Waits"\nzh = " "', "no text in zh"),
        ('en = "{n} jobs"\nzh = "{m}"', "placeholders differ"),
        ('en = "{n} jobs"\nzh = "jobs"', "placeholders differ"),
        ('en = "{} jobs"\nzh = "{}"', "without a name"),
        ('en = "a"\nzh = "b"\nfr = "c"', "unknown languages"),
    ],
)
def test_a_planted_catalogue_fault_is_found(entry: str, expected: str) -> None:
    for table in ("[waits]", "[a.waits]", '["a.waits"]'):
        assert expected in "\n".join(texts.catalogue_faults(tomllib.loads(f"{table}\n{entry}")))


def test_a_complete_catalogue_is_not_reported() -> None:
    catalogue = tomllib.loads('["a.b"]\nen = "{n} jobs"\nzh = "{n:.1f}"\n[c.d]\nen = "x"\nzh = "y"')
    assert list(texts.catalogue_faults(catalogue)) == []
    assert set(texts.catalogue_keys(catalogue)) == {"a.b", "c.d"}
    assert list(texts.catalogue_faults(tomllib.loads('key = "text"'))) == ["key: not a table of languages"]


def test_a_planted_unknown_key_is_found() -> None:
    source = "t('a.b', n=1)\ni18n.plain('a.c')\nother('a.d')\nt(key)"
    faults = list(texts.unknown_key_faults("bad.py", source, {"a.b"}, TEXT_FUNCTIONS))
    assert faults == ["bad.py:2: no text 'a.c' in strings.toml"]


def test_a_planted_inline_text_fault_is_found() -> None:
    assert len(list(texts.inline_text_faults("p.py", "P = Policy(text={'en': 'a'})"))) == 1
    assert len(list(texts.inline_text_faults("p.py", "X = {'en': '{n}', 'zh': 'b'}"))) == 1
    assert list(texts.inline_text_faults("p.py", "X = {'en': '{n}', 'zh': '{n}'}\nY = {'size': 1}")) == []
