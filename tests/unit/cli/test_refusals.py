"""Bad input: exit status 2, one line, no traceback, and nothing printed that looks like an answer."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core import cli
from scheduler_core.errors import CoreError
from scheduler_core.phrases import Phrase
from tests.conftest import examples
from tests.unit.cli.conftest import Command


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["simulate"], "Missing argument"),
        (["simulate", "nowhere.yaml"], "nowhere.yaml"),
        (["simulate", "fenced-reserch"], "did you mean fenced-research"),
        (["simulate", "?case=nope@1"], "nope@1"),
        (["simulate", "x\x00y"], "must be a file"),
        (["simulate", "fenced-research", "--seed", "x"], "--seed"),
        (["simulate", "fenced-research", "--set", "policy.order"], "path=value"),
        (["simulate", "fenced-research", "--set", "policy.order=lifo"], "policy.order"),
        (["simulate", "fenced-research", "--set", "nothing=1"], "nothing"),
        (["simulate", "fenced-research", "--replications", "0"], "--replications"),
        (["simulate", "fenced-research", "--json", "--csv"], "exclude each other"),
        (["simulate", "fenced-research", "--jobs", "/no/such/folder/jobs.csv"], "/no/such/folder"),
        (["simulate", "fenced-research", "--ledger", "/no/such/folder/ledger.csv"], "/no/such/folder"),
        (["simulate", "fenced-research", "--log", "x.swf"], "does not replay a log"),
        (["simulate", "/"], "directory"),
        (["compare", "fenced-research"], "second scenario"),
        (["compare", "fenced-research", "nope"], "nope"),
        (["replay", "nowhere.swf"], "nowhere.swf"),
        (["replay", "/"], "directory"),
        (["replay", "x.swf", "--gpus", "4", "--cluster", "y"], "exclude each other"),
        (["replay", "x.swf", "--unit", "tpu"], "--unit"),
        (["link", "?z=damaged"], "link"),
        (["scenario", "show", "nope"], "nope"),
        (["scenario", "nope"], "nope"),
        (["nope"], "nope"),
        (["--nope"], "--nope"),
    ],
)
def test_bad_input_gets_one_line(command: Command, words: list[str], told: str) -> None:
    assert told.lower() in command(*words).refusal.lower()


@pytest.mark.parametrize(
    "content", [b"\x7fELF\x00\x01\x02", b"\xff\xfe\x00a", b"{", b"- 1\n- 2\n", b"a: &a [*a]\n", b""]
)
def test_file_that_is_no_scenario_gets_one_line(command: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    assert command("simulate", path).refusal


@pytest.mark.parametrize("content", [b"\x7fELF\x00\x01\x02" * 99, b"PK\x03\x04zip", b"hello, world\n", b""])
def test_file_that_is_no_log_gets_one_line(command: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.swf"
    path.write_bytes(content)
    assert command("replay", path).refusal


def test_log_a_scenario_names_must_be_given_and_be_the_same(command: Command, swf: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.yaml"
    path.write_text(
        "case: one-pool-poisson@1\nworkload: {arrivals: {log: {sha256: " + "a" * 64 + ", format: swf}}, classes: []}\n"
    )
    assert "--log FILE" in command("simulate", path).refusal
    assert "sha256 aaaaaaaaaaaa" in command("simulate", path, "--log", swf).refusal


def test_many_faults_are_one_line_for_a_command(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("case: fenced-research@1\n" + "".join(f"key{at}: 1\n" for at in range(40)))
    assert "39 more" in command("simulate", path).refusal


def test_help_is_no_error(command: Command) -> None:
    for words in (["--help"], ["simulate", "-h"], ["scenario", "check", "--help"]):
        said = command(*words)
        assert said.status == 0
        assert "Usage:" in said.out


VOCABULARY = (
    "link scenario check list show schema compare --json --csv --set --seed -1 one-pool-poisson fenced-research@1 "
    "a=b run.days=1 run.seed=x --plain --base - --"
)
WORDS = st.one_of(st.sampled_from(VOCABULARY.split()), st.text(max_size=12))


@settings(max_examples=examples(120, 40, 5_000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=6))
def test_no_words_make_the_command_line_fall_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr("scheduler_core.cli.compare.compare_scenarios", _refuse_to_run)
    status = cli.run(words)
    said = capsys.readouterr()
    assert status in {0, 2}
    assert "Traceback" not in said.err + said.out
    if status == 2 and "Usage:" not in said.err:
        assert said.err.count("\n") == 1


def _refuse_to_run(*_: object, **__: object) -> None:
    raise CoreError(Phrase("a run is not what this test is about"))
