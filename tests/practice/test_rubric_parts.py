"""Numbers, bad input, contradictions, claims against a run, verdicts and hints."""

import time

import pytest

from practice.rubric import Run, check_claims, compare_turns, hints_for, scenario_total, score_answer, session_verdict
from practice.rubric.numbers import quantities
from practice.rubric.text import Span, is_heap, normalise
from tests.practice.answers import data

TEXTS = {row["id"]: row["text"] for row in data("public.toml")["answer"]}
OWN = {row["id"]: row["text"] for row in data("heldout.toml")["answer"]}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1,200 A100 GPUs", "gpu", 1200),
        ("1 200 jobs", "scale", 1200),
        ("1200 jobs", "scale", 1200),
        ("80k tasks", "scale", 80_000),
        ("five hundred thousand requests", "scale", 500_000),
        ("half a million dollars", "money", 500_000),
        ("$7.4M", "money", 7_400_000),
        ("two-week", "duration", 1_209_600),  # 14 days of 86,400 s
        ("4 h", "duration", 14_400),
        ("240 min", "duration", 14_400),  # the same as 4 h
        ("99.92%", "percent", 99.92),
        ("0.6", "ratio", 0.6),
        ("\uff13\uff0c\uff12\uff10\uff10 GPUs", "gpu", 3200),  # full-width 3,200
        ("\u4e09\u5343\u4e24\u767e\u5f20\u5361", "gpu", 3200),  # 3,200 cards in Chinese numerals
        ("5\u4e07\u4e2a\u4efb\u52a1", "scale", 50_000),  # 5 wan tasks
        ("\u4e09\u6210", "percent", 30),  # three tenths
    ],
)
def test_a_number_is_read_with_its_unit(text: str, kind: str, value: float) -> None:
    plain = normalise(text)[0]
    (found,) = quantities(plain, Span(0, len(plain)))
    assert found.kind == kind
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize("text", ["A100", "Q4", "P95", "in 2023", "one of them"])
def test_a_name_with_a_digit_is_no_number(text: str) -> None:
    plain = normalise(text)[0]
    assert quantities(plain, Span(0, len(plain))) == ()


@pytest.mark.parametrize("text", ["", "   \n", "fine", "<b></b>", "\u597d", "???", "\u0130\u00df\ufb03 \u2460"])
def test_next_to_nothing_scores_next_to_nothing(text: str) -> None:
    assert score_answer(text).total <= 15


@pytest.mark.parametrize(
    "word",
    ["queue ", "word ", "\u6392\u961f", "1,", "<script", "1 to 2 from 3 ", "S: ", "one was ", "\u4e00\u6761\u662f"],
)
def test_a_very_long_answer_is_read_up_to_a_limit_and_says_so(word: str) -> None:
    start = time.process_time()
    score = score_answer(word * 100_000)
    assert time.process_time() - start < 10
    assert "truncated" in score.notes
    assert len(score.text) == 20_000


def test_pasted_markup_changes_nothing() -> None:
    marked = (
        TEXTS["E5"].replace("S:", "<p><b>S:</b>", 1).replace(" T:", "</p>\n<p class='x'>T:") + "<script>$9M</script>"
    )
    assert score_answer(marked).total == score_answer(TEXTS["E5"]).total


def test_a_wrong_persona_or_box_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="persona is 'boss'; it must be one of committee"):
        score_answer("x", "boss")
    with pytest.raises(ValueError, match="box is 'X'; it must be one of S, T, A, R, L"):
        score_answer({"X": "x"})


HEAD = (
    "S: The queue of 900 GPUs waits 4 hours, but utilisation is 47%. T: I was asked to bring the wait below 45 minutes "
)
HEAD += "by Q4 while the SLO stays above 99.9%. A: I added backfill. "


def checks(result: str) -> str:
    return next((one.checks for one in score_answer(f"{HEAD}R: {result}").charges if one.penalty == "P3"), "")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("The wait fell from 4 hours to 40 minutes, an 83% reduction.", ""),  # 1 - 40/240 = 83.3 %
        ("The wait fell from 240 min to 40 minutes.", ""),  # 240 min are 4 h
        ("The wait fell from 4 hours to 40 minutes, a 60% reduction.", "a"),
        ("The wait fell from 6 hours to 40 minutes.", "b"),
        ("The wait fell from 4 hours to 50 minutes and the target was met.", "c"),
        ("The wait fell from 4 hours to 40 minutes and the target was met.", ""),
        ("The SLO stayed at 99.5%.", "d"),
        ("The SLO stayed at 99.95%.", ""),
    ],
)
def test_numbers_that_contradict_each_other_are_found(result: str, expected: str) -> None:
    assert checks(result) == expected


def test_a_tail_and_a_mean_are_two_numbers() -> None:
    text = "S: Mean latency is 12 hours. T: I was asked. A: I waited. R: The P95 latency fell from 20 hours to 8 hours."
    assert not any(one.penalty == "P3" for one in score_answer(text).charges)
    same = text.replace("The P95 latency", "The mean latency")
    assert [one.checks for one in score_answer(same).charges if one.penalty == "P3"] == ["b"]


def test_a_change_that_is_denied_is_no_change() -> None:
    told = "S: 900 GPUs. T: I was asked. A: I waited. R: The wait {} from 40 minutes to 20 minutes."
    assert score_answer(told.format("went")).value("O1") == 1.0
    assert score_answer(told.format("did not go")).value("O1") == 0.5  # a value of a metric, no two states


def test_a_heap_is_many_parts_that_say_nothing() -> None:
    assert is_heap("but, because, worse, pilot, vp, 12%, i decided")
    assert is_heap("\u4f46\u662f,\u56e0\u4e3a,\u53d8\u6162,\u8bd5\u70b9,\u8001\u677f,12%,\u6211\u51b3\u5b9a")
    assert not is_heap("1,024 a100, one queue, ~6,000 jobs/day, load 0.88, three teams")
    assert not is_heap("we compared strict order, best effort, easy backfill, long backfill, quotas, gangs and drf")


def test_a_later_turn_with_another_number_is_found() -> None:
    later = "The wait fell from 4 hours to 35 minutes."
    assert [one.check for one in compare_turns(TEXTS["E4"], later)] == ["g"]
    assert compare_turns(TEXTS["E4"], "The wait fell from 4 hours to 50 minutes.") == []


BOXES = {"S": "", "T": "", "A": "", "R": "", "L": ""}


def run(**metrics: float) -> Run:
    return Run(options={"chosen": metrics}, chosen="chosen", baseline={}, marks={}, limits={})


def test_claims_that_agree_with_the_run_are_full_evidence() -> None:
    assert check_claims(TEXTS["E5"], run(utilisation_share=0.586, slo_share=0.9994, preemption_share=0.087)).share == 1
    assert check_claims(TEXTS["E4"], run(wait_min=49, utilisation_share=0.615, slo_share=0.9992)).share == 1


def test_a_claim_is_compared_with_the_option_it_is_about() -> None:
    options = {
        "0.5": {"preemption_share": 0.11},
        "0.6": {"wait_min": 33, "utilisation_share": 0.574, "preemption_share": 0.062},
    }
    marked = Run(options=options, chosen="0.6", baseline={}, marks={"0.5": ("0.5",), "0.6": ("0.6",)}, limits={})
    claims = check_claims(TEXTS["Z5"], marked).claims
    (preempted,) = [one for one in claims if one.metric == "preemption" and one.said == 11]
    assert (preempted.option, preempted.grade) == ("0.5", 1.0)


def test_a_claim_against_the_run_caps_the_total() -> None:
    wrong = Run(
        options={"chosen": {"wait_min": 300, "utilisation_share": 0.615}}, chosen="chosen",
        baseline={"wait_min": 240, "utilisation_share": 0.38}, marks={}, limits={},
    )  # fmt: skip
    evidence = check_claims(TEXTS["E4"], wrong)
    assert evidence.is_contradicted
    assert scenario_total(95, evidence) == 60


@pytest.mark.parametrize(
    ("said", "simulated_min", "line_min", "grade"),
    [
        ("3 days", 3.01 * 1440, 3 * 1440, 1.0),  # true to the day, although the line lies between
        ("3 days", 3.4 * 1440, 3 * 1440, 0.0),  # also 3 to the day, but 12 % off and beyond the line
        ("3.0 days", 3.06 * 1440, 3 * 1440, 0.0),  # told to a tenth of a day, and that is 3.1
        ("2 h", 123, 120, 1.0),
        ("2 h", 180, 120, 0.0),
        ("1.5 h", 91, 90, 1.0),
        ("1.5 h", 96, 90, 0.0),
    ],
)
def test_a_number_rounded_to_its_own_digits_is_true(
    said: str, simulated_min: float, line_min: float, grade: float
) -> None:
    limited = Run(
        options={"chosen": {"wait_min": simulated_min}}, chosen="chosen", baseline={"wait_min": 5 * 1440}, marks={},
        limits={"wait_min": (line_min, True)},
    )  # fmt: skip
    (claim,) = check_claims(BOXES | {"R": f"The average wait was {said}."}, limited).claims
    assert claim.grade == grade


def test_a_start_told_in_the_same_digits_is_no_movement() -> None:
    cheaper = Run(
        options={"chosen": {"cost_usd": 18_451_485}}, chosen="chosen", baseline={"cost_usd": 18_471_000}, marks={},
        limits={},
    )  # fmt: skip
    said = {"$18.5 million": 1.0, "$18.6 million": 0.0}  # the first is both costs, rounded; the second is a rise
    for text, grade in said.items():
        (claim,) = check_claims(BOXES | {"R": f"The cost was {text} a year."}, cheaper).claims
        assert claim.grade == grade, text


def test_what_was_found_before_anything_changed_is_no_claim_about_an_option() -> None:
    fences = Run(
        options={"unfence": {"idle_gpus": 0}}, chosen="unfence", baseline={"idle_gpus": 804.4},
        marks={"unfence": ("fence",)}, limits={},
    )  # fmt: skip
    found = "I opened the view by team and found {} GPUs idle outside the fences."
    for number, grade in (("804", None), ("900", 0.0)):
        (claim,) = check_claims(BOXES | {"A": found.format(number)}, fences).claims
        assert claim.grade == grade, number


def test_the_name_of_an_option_does_not_say_whose_wait_is_told() -> None:
    two = Run(
        options={"old": {"wait.new_min": 138, "wait.old_min": 20}, "loan": {"wait.new_min": 20, "wait.old_min": 21}},
        chosen="loan",
        baseline={},
        marks={"old": ("growing user first", "\u8001\u7528\u6237\u4f18\u5148"), "loan": ("loan",)},
        limits={},
        words={"new": ("launch", "\u4e0a\u7ebf"), "old": ("growing", "\u8001\u7528\u6237")},
    )
    for text in (
        "I saw that the launch has a wait of 2.3 h with the growing user first.",
        "模拟显示，老用户优先则上线任务等待 2.3 小时。",
        "The growing user has a wait of 20 min with the growing user first.",
    ):
        (claim,) = check_claims(BOXES | {"A": text}, two).claims
        assert (claim.option, claim.grade) == ("old", 1.0), text


def test_several_waits_of_one_run_are_told_apart_by_their_words() -> None:
    waits = {"wait.urgent_min": 27, "wait.batch_min": 780, "utilisation_share": 0.93}
    several = Run(
        options={"chosen": waits}, chosen="chosen", baseline={"wait.batch_min": 660}, marks={},
        limits={"wait.urgent_min": (35, True)}, words={"urgent": ("urgent", "紧急"), "batch": ("batch", "批量")},
    )  # fmt: skip
    english = "The urgent wait fell from 65 min to 27 min. The wait of batch jobs rose from 11 h to 13 h."
    chinese = "紧急任务等待从 65 分钟降到 27 分钟。批量任务等待从 11 小时升到 13 小时。"
    for text in (english, chinese):
        claims = check_claims(BOXES | {"R": text}, several).claims
        assert [(one.metric, one.grade) for one in claims] == [("wait", 1.0), ("wait", 1.0)], text
    (mixed_up,) = check_claims(BOXES | {"R": "The wait of batch jobs was 27 min."}, several).claims
    assert mixed_up.grade == 0  # it rose from 11 h
    (unnamed,) = check_claims(BOXES | {"R": "The wait was 27 min."}, several).claims
    assert unnamed.grade is None


def test_a_space_between_chinese_and_figures_means_nothing() -> None:
    spaced = TEXTS["Z5"].replace("3200张A100", "3200 张 A100").replace("4小时", "4 小时").replace("45分钟", "45 分钟")
    assert spaced != TEXTS["Z5"]
    first, second = score_answer(TEXTS["Z5"]), score_answer(spaced)
    assert [(one.rule, one.value) for one in first.outcomes] == [(one.rule, one.value) for one in second.outcomes]
    assert all("  " not in second.text[span.start : span.end] for one in second.outcomes for span in one.spans)


def test_one_claim_alone_is_no_evidence() -> None:
    evidence = check_claims(TEXTS["E4"], run(wait_min=49))
    assert evidence.share is None
    assert scenario_total(54, evidence) == 54


def test_one_claim_without_headings_is_still_one() -> None:
    evidence = check_claims("With the hybrid the average wait fell from 4 hours to 49 minutes.", run(wait_min=49))
    assert (len(evidence.claims), evidence.share) == (1, None)


def test_a_run_with_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="metric is 'wait_furlongs'; its name must end in one of share"):
        check_claims("x", run(wait_furlongs=1))


def test_the_lowest_dimension_decides() -> None:
    strong, medium = score_answer(TEXTS["E5"]), score_answer(TEXTS["E3"])
    assert session_verdict([strong, strong, medium]).level == "strong"  # the two best count
    verdict = session_verdict([strong, medium, medium])
    assert verdict.lowest == "BA"  # E3 has no business evidence: (BA of E5 + 0) / 2
    assert verdict.dimensions["BA"] == pytest.approx((strong.dimensions["BA"] or 0) / 2)
    assert score_answer(TEXTS["E3"]).dimensions["BA"] is None
    with pytest.raises(ValueError, match="scores has 2 answers"):
        session_verdict([strong, strong])


def test_a_weak_round_stops_a_loop() -> None:
    strong, weak = score_answer(TEXTS["E5"]), score_answer(TEXTS["E3"])
    verdict = session_verdict([strong, weak, strong], is_loop=True)
    assert verdict.stopped_at == 2
    assert verdict.level in {"borderline", "no"}
    assert session_verdict([strong, strong], is_loop=True).stopped_at is None


def test_a_spike_beside_a_borderline_dimension_is_an_appeal() -> None:
    strong, medium = score_answer(TEXTS["E5"]), score_answer(TEXTS["E3"])
    verdict = session_verdict([strong, medium, medium])
    assert verdict.level == "borderline"
    assert (verdict.spike is not None) == (max(verdict.dimensions.values()) >= 90)
    assert bool(verdict.spike_note("en")) == bool(verdict.spike_note("zh")) == (verdict.spike is not None)


def test_hints_are_three_and_the_heaviest_first() -> None:
    hints = hints_for(score_answer(TEXTS["E3"]))
    assert [one.kind for one in hints] == ["essential"] * 3
    assert [one.lost for one in hints] == sorted((one.lost for one in hints), reverse=True)
    assert hints[0].rule in {"A2", "O3"}  # both weigh 6 and are the heaviest that E3 lacks
    assert all(one.text["zh"] and one.frame["en"] for one in hints)


def test_a_first_pass_is_celebrated_only_where_room_is_left() -> None:
    score = score_answer(TEXTS["E6"])
    assert [one.kind for one in hints_for(score)][-1:] != ["celebratory"]
    passed = {one.rule for one in score.outcomes if one.value == 1}
    assert "celebratory" not in [one.kind for one in hints_for(score, passed)]
    assert "celebratory" in [one.kind for one in hints_for(score, passed - {"O3"})]
