from scheduler_core.errors import Fault, InputError, LinkError, ScenarioError, TraceError
from scheduler_core.phrases import Phrase


def test_every_error_says_what_it_is_about_in_one_sentence() -> None:
    assert str(InputError("run.days", -1, Phrase("above 0"))) == "run.days is -1; it must be above 0."
    assert str(TraceError("jobs.psv", 7, Phrase("Start is 'soon'."))) == "jobs.psv, line 7: Start is 'soon'."
    assert str(TraceError("jobs.psv", None, Phrase("no header."))) == "jobs.psv: no header."
    assert str(ScenarioError([Fault("a", 1, Phrase("2")), Fault("", None, "", Phrase("{path} is empty."))])) == (
        "a is 1; it must be 2.\nthe document is empty."
    )


def test_errors_are_told_apart_by_code() -> None:
    errors = [
        InputError("a", 1, Phrase("2")),
        TraceError("f", 1, Phrase("x")),
        LinkError(Phrase("x")),
        ScenarioError([]),
    ]
    assert [error.code for error in errors] == ["input", "trace", "link", "scenario"]


def test_a_long_value_is_cut_in_the_sentence_but_kept_in_the_fault() -> None:
    fault = Fault("name", "x" * 500, Phrase("shorter"))
    assert len(fault.sentence) < 120
    assert fault.value == "x" * 500
