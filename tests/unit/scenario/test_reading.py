from pathlib import Path

import pytest

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import reading


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a: yes\nb: off\nc: true", {"a": "yes", "b": "off", "c": True}),
        ("a: 12:30\nb: 2024-01-01", {"a": "12:30", "b": "2024-01-01"}),
        ("16: 1\n0.5: 2", {"16": 1, "0.5": 2}),
        ("x: &x [1, 2]\ny: *x", {"x": [1, 2], "y": [1, 2]}),
        ('{"a": {"b": [1, null]}}', {"a": {"b": [1, None]}}),
        ("{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
        ("# words\nname = 'x'\n[run]\ndays = 4", {"name": "x", "run": {"days": 4}}),
        ("[run]\ndays = 4", {"run": {"days": 4}}),
    ],
)
def test_yaml_toml_and_json_give_the_same_plain_values(text: str, tree: object) -> None:
    assert reading.read_text(text) == tree


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3", "line 3, column 1: a key stands twice"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('16: 1\n"16": 2', "has the key 16 twice"),
        ("a: [", "line 1, column 5: not YAML"),
        ("- 1", "the document is not a mapping"),
        ("", "the document is not a mapping"),
        ("just words", "the document is not a mapping"),
        ("a: &a {b: *a}", "nested more than the 20 levels"),
        ("!!python/object:os.system x", "not YAML"),
        ("%YAML 1.1\n---\na: yes", "YAML 1.2"),
        ("a: " + "[" * 3000, "nested more than the 20 levels"),
        ("a: " + "[" * 40 + "]" * 40, "nested more than the 20 levels"),
        ("a = 1\na = 2", "not TOML"),
        ("a = 2024-01-01", "a is 2024-01-01; a document holds text, numbers"),
        ("a: \x00", "not YAML"),
        ("x" * 2_000_001, "larger than the 2,000,000 bytes"),
        ("a: 1\n" + "# x\n" * 60_000, "larger than the 200,000 bytes allowed in YAML; write it as JSON"),
    ],
)
def test_a_broken_document_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        reading.read_text(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_aliases_cannot_expand_without_bound() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]  # 10**9 values
    with pytest.raises(ScenarioError, match="more than the 500,000 values"):
        reading.read_text("\n".join(lines))


def test_json_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(ScenarioError, match="NaN is not a number"):
        reading.read_text('{"a": NaN}', "json")


@pytest.mark.parametrize("name", ["x.yaml", "x.json", "x.toml"])
def test_files_are_read_by_their_ending(tmp_path: Path, name: str) -> None:
    texts = {"x.yaml": "a: {b: 1}", "x.json": '{"a": {"b": 1}}', "x.toml": "a = {b = 1}"}
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + texts[name].encode())
    assert reading.read_file(path) == {"a": {"b": 1}}


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot be read"):
        reading.read_file(tmp_path / "nothing.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"a: \xff\xfe")
    with pytest.raises(ScenarioError, match=r"not UTF-8 text \(byte 4\)"):
        reading.read_file(tmp_path / "binary.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.6", 0.6),
        ("5min", "5min"),
        ("true", True),
        ("null", None),
        ("", None),
        ('{"b":1}', {"b": 1}),
        ("{b: 1}", {"b": 1}),
        ("[1, x]", [1, "x"]),
        ("a: b: c", "a: b: c"),
        ("[", "["),
    ],
)
def test_a_single_value_is_read_as_in_a_document_or_stays_text(text: str, value: object) -> None:
    assert reading.read_value(text) == value
