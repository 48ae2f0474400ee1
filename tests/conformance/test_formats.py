"""Every log format that is found keeps the promises of a format."""

from pathlib import Path

import pytest

from scheduler_core.errors import TraceError
from scheduler_core.scenario import load
from scheduler_core.traces import COLUMNS, Format, formats, read, set_up
from scheduler_core.traces._texts import catalogue

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "traces"
FORMATS = formats()
LANGUAGES = {"en", "zh"}


def sample(slug: str) -> Path:
    found = list(SAMPLES.glob(f"{slug}.*"))
    assert len(found) == 1, f"one sample of {slug} in tests/data/traces"
    return found[0]


def test_the_formats_of_the_first_slice_are_found() -> None:
    assert {"sacct", "swf"} <= set(FORMATS)


@pytest.fixture(params=FORMATS)
def log_format(request: pytest.FixtureRequest) -> Format:
    found: Format = FORMATS[request.param]
    return found


def test_its_sample_has_twenty_lines_and_is_recognised(log_format: Format) -> None:
    text = sample(log_format.slug).read_text(encoding="utf-8")
    assert len(text.splitlines()) == 20
    confidence = {slug: other.detect(text) for slug, other in FORMATS.items()}
    assert max(confidence, key=lambda slug: confidence[slug]) == log_format.slug
    assert all(0 <= value <= 1 for value in confidence.values())


def test_its_sample_becomes_a_scenario_that_loads(log_format: Format) -> None:
    made = set_up(sample(log_format.slug))
    assert tuple(made.imported.frame.columns) == COLUMNS
    assert made.replay.table.n_jobs >= 5
    assert made.document is not None
    scenario = load(made.document)
    assert scenario.run.drain
    assert [tenant.name for tenant in scenario.tenants] == list(made.replay.table.tenants)


def test_every_line_of_its_sample_is_accounted_for(log_format: Format) -> None:
    report = read(sample(log_format.slug)).report
    assert report.kept + sum(tally.count for tally in report.left_out) == report.jobs
    assert report.rows_read > 10
    assert report.format == log_format.slug


def test_its_texts_are_in_both_languages(log_format: Format) -> None:
    for text in (log_format.text, *(param.text for param in log_format.all_options)):
        assert set(text) == LANGUAGES
        assert all(text.values())
        assert text["en"].isascii()
        assert not text["zh"].isascii()


def test_its_options_have_defaults_that_are_allowed(log_format: Format) -> None:
    values = log_format.read_options({})
    assert log_format.read_options(values) == values
    assert len(values) == len(log_format.all_options)


@pytest.mark.parametrize("garbage", [b"\x00\x01\x02", b"hello\nworld\n", b"<html></html>", b"", b"a,b\n1,2\n" * 50])
def test_it_refuses_garbage_in_one_sentence(log_format: Format, garbage: bytes) -> None:
    with pytest.raises(TraceError) as caught:
        read(garbage, format=log_format.slug)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_every_message_is_in_both_languages_with_the_same_placeholders() -> None:
    for key, texts in catalogue().items():
        assert set(texts) == LANGUAGES, key
        assert {part.split("}")[0].split(":")[0] for part in texts["en"].split("{")[1:]} == {
            part.split("}")[0].split(":")[0] for part in texts["zh"].split("{")[1:]
        }, key
