"""Every exercise file: complete, possible, fast, true to what it teaches, and with no result typed by hand."""

from typing import Never

import pytest

from practice.exercises import (
    DIRECTION_SEEDS,
    KINDS,
    NEEDED_SHARE,
    SECTIONS,
    Exercise,
    Setting,
    Story,
    Text,
    beside,
    defend,
    direction_shares,
    exercises,
    fill_answer,
    find_faults,
    play,
    play_ahead,
    regret,
    rubric_run,
    settings_ahead,
    swap,
    told_of,
)
from practice.exercises.placeholders import LATER, texts_of
from practice.rubric import check_claims, scenario_total, score_answer
from practice.rubric.lexicon import LEXICON
from scheduler_core import cases, differences, encode

EXERCISES = list(exercises().values())
FIRST = ("SC01", "SC02", "SC03", "SC04", "SC05", "SC07", "SC15", "SC19")
LATER_TEXTS = {name: Text(en="later", zh="later") for name in LATER}


@pytest.fixture(params=EXERCISES, ids=lambda one: one.id)
def exercise(request: pytest.FixtureRequest) -> Exercise:
    found = request.param
    assert isinstance(found, Exercise)
    return found


def strong_setting(exercise: Exercise) -> Setting:
    return Setting(choices=exercise.strong.choices)


def test_the_first_eight_are_there_in_order() -> None:
    assert tuple(exercises()) == FIRST


def test_every_option_can_be_simulated_and_no_result_is_typed_by_hand(exercise: Exercise) -> None:
    assert list(find_faults(exercise)) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_placeholder_is_filled(exercise: Exercise, language: str) -> None:
    story = Story(exercise, strong_setting(exercise), LATER_TEXTS)
    for key, text in texts_of(exercise):
        filled = story.fill(text, language)
        assert not {"{", "}"} & set(filled), key
        assert "no figure" not in filled, key


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_strong_answer_scores_high_and_the_weak_one_low(exercise: Exercise, language: str) -> None:
    strong, weak = (fill_answer(exercise, one, language) for one in (exercise.strong, exercise.weak))
    assert tuple(strong) == SECTIONS
    assert score_answer(strong).total >= 80
    assert score_answer(weak).total <= 30


def settings_of_the_candidate(exercise: Exercise) -> list[Setting]:
    """Return every option of the evidence's decision, with whatever the strong answer chose beside it."""
    options = exercise.decision(exercise.evidence.decision).options
    return [swap(exercise, strong_setting(exercise), one.id) for one in options]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_weak_answer_is_told_of_the_run_of_the_candidate_and_stays_weak(exercise: Exercise, language: str) -> None:
    decision = exercise.decision(exercise.evidence.decision)
    told = set()
    for option, setting in zip(decision.options, settings_of_the_candidate(exercise), strict=True):
        answer = told_of(exercise, exercise.weak, language, setting)
        assert option.label.of(language) in answer["A"]
        assert score_answer(answer).total <= 30, answer
        told.add(answer["R"])
    assert len(told) > 1, "its numbers do not follow from what was chosen"


def test_the_weak_answer_takes_its_own_choice_where_nothing_is_decided(exercise: Exercise) -> None:
    own = told_of(exercise, exercise.weak, "en", Setting())
    assert own == fill_answer(exercise, exercise.weak, "en")


def test_what_was_chosen_as_in_the_strong_answer_needs_no_comparison(exercise: Exercise) -> None:
    found = defend(exercise, strong_setting(exercise))
    assert found is not None
    assert found.differing == ()
    assert found.is_same_run
    assert found.missed == ()
    assert defend(exercise, Setting()) is None


def test_what_was_chosen_otherwise_stands_beside_the_strong_answer_with_both_numbers(exercise: Exercise) -> None:
    name, bad = exercise.evidence.decision, {"lower": 1, "higher": -1, "none": 0}
    for setting in settings_of_the_candidate(exercise):
        found = defend(exercise, setting)
        assert found is not None
        assert found.differing == (() if setting.choices[name] == exercise.strong.choices[name] else (name,))
        assert found.theirs.rows == play(exercise, strong_setting(exercise)).rows
        missed = {line.measure for line in play(exercise, setting).lines if line.state == "missed"}
        assert {line.measure for line in found.missed} == missed
        for row in found.worse:
            assert row.change.median is not None
            assert row.change.median * bad[row.better] > 0


def test_a_choice_that_changes_no_number_is_told_as_the_same_run() -> None:
    exercise = exercises()["SC01"]
    setting = Setting(choices={**exercise.strong.choices, "view": "asked"})
    found = defend(exercise, setting)
    assert found is not None
    assert found.differing == ("view",)
    assert found.is_same_run


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_strong_answer_agrees_with_its_own_run(exercise: Exercise, language: str) -> None:
    answer = fill_answer(exercise, exercise.strong, language)
    evidence = check_claims(answer, rubric_run(exercise, strong_setting(exercise)))
    assert [one for one in evidence.claims if one.grade == 0] == []
    assert scenario_total(score_answer(answer).total, evidence) >= 80


def test_an_answer_that_quotes_another_number_is_contradicted() -> None:
    exercise = exercises()["SC04"]
    answer = fill_answer(exercise, exercise.strong, "en")
    answer["R"] = "The wait of urgent jobs rose from 65 min to 3 h. Utilisation fell from 89% to 41%."
    evidence = check_claims(answer, rubric_run(exercise, strong_setting(exercise)))
    assert evidence.is_contradicted


@pytest.mark.parametrize(
    ("exercise", "place"),
    [(one, place) for one in EXERCISES for place in range(len(one.directions))],
    ids=lambda value: value.id if isinstance(value, Exercise) else str(value),
)
def test_a_direction_holds_on_nine_of_ten_seeds(exercise: Exercise, place: int) -> None:
    shares = direction_shares(exercise, exercise.directions[place], seeds=DIRECTION_SEEDS)
    assert {name: share for name, share in shares.items() if share < NEEDED_SHARE} == {}


@pytest.mark.full
@pytest.mark.parametrize("exercise", [one for one in EXERCISES if one.world.full], ids=lambda one: one.id)
def test_directions_hold_on_the_full_case(exercise: Exercise) -> None:
    for direction in exercise.directions:
        shares = direction_shares(exercise, direction, is_full=True)
        assert min(shares.values()) >= NEEDED_SHARE, direction.text.en


def test_the_strong_answer_meets_the_task_and_the_world_before_does_not(exercise: Exercise) -> None:
    before, after = play(exercise), play(exercise, strong_setting(exercise))
    assert {line.state for line in after.lines} == {"met"}
    assert before.lines[0].state == "missed"


def test_the_options_that_are_compared_differ_in_the_headline(exercise: Exercise) -> None:
    shown = exercise.evidence
    settings = [swap(exercise, strong_setting(exercise), one.id) for one in exercise.decision(shown.decision).options]
    assert len({play(exercise, one).rows[shown.headline].after.values for one in settings}) > 1


def no_run(*_args: object, **_options: object) -> Never:
    """Stand for the simulator where nothing may be simulated again."""
    raise AssertionError("simulated again")


def test_an_option_that_was_simulated_is_not_simulated_again(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = play(exercise, strong_setting(exercise))
    monkeypatch.setattr("practice.exercises.consequence.replicate", no_run)
    assert play(exercise, strong_setting(exercise)).rows == before.rows


def test_options_that_were_simulated_ahead_are_not_simulated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = exercises()["SC04"]
    assert play_ahead(exercise) == len(list(settings_ahead(exercise))) == 3 + 3 + 3
    monkeypatch.setattr("practice.exercises.consequence.replicate", no_run)
    for setting in settings_ahead(exercise):
        assert play(exercise, setting).rows
    assert play_ahead(exercise, progress=lambda _: False) == 1


def test_regret_is_what_a_choice_costs_beyond_the_best_one_in_the_world_as_it_may_be() -> None:
    exercise = exercises()["SC05"]
    setting = strong_setting(exercise)
    true = setting.model_copy(update={"stress": ("double",)})
    cost = {one.id: play(exercise, swap(exercise, true, one.id)).rows["sum_usd"].after.median or 0.0
            for one in exercise.decision("give").options}  # fmt: skip
    best = min(cost, key=cost.__getitem__)
    found = regret(exercise, swap(exercise, setting, "split"))
    assert found is not None
    assert (found.best, best) == ("loan", "loan")
    assert found.amount.median == pytest.approx(cost["split"] - cost["loan"], rel=0.2)  # medians of differences
    none = regret(exercise, setting)
    assert none is not None
    assert set(none.amount.values) == {0.0}
    assert regret(exercise, Setting()) is None
    assert regret(exercises()["SC01"], strong_setting(exercises()["SC01"])) is None


def test_a_card_of_the_list_needs_no_run(exercise: Exercise) -> None:
    assert "{" not in exercise.why_hard.en + exercise.why_hard.zh


def test_the_rubric_knows_what_measures_are_claimed_as(exercise: Exercise) -> None:
    known = {metric.name for metric in LEXICON.metrics}
    for name, measure in exercise.measures.items():
        if measure.rubric is not None:
            kind, _, which = measure.rubric.rpartition("_")[0].partition(".")
            assert kind in known, name
            assert bool(which) == bool(measure.words), name


def test_a_figure_of_an_article_stands_beside_the_computed_one_with_the_residual() -> None:
    rows = {name: list(beside(one)) for name, one in exercises().items()}
    computed = [one for row in rows.values() for one in row if one.computed is not None]
    assert len(computed) >= 8
    for one in computed:
        assert one.computed is not None
        assert one.residual == pytest.approx((one.computed.median or 0) - one.article.value)
        assert one.is_inside or one.article.why is not None
    assert any(one.computed is None for one in rows["SC19"])


def test_requirements_of_figures_are_among_those_of_the_exercise(exercise: Exercise) -> None:
    named = {one.requirement for one in exercise.articles.values()}
    assert named <= set(exercise.seed_refs)


def test_probes_of_all_three_kinds_are_there(exercise: Exercise) -> None:
    assert all(len(getattr(exercise.probes, kind)) >= 2 for kind in KINDS)


def test_budget_and_people_are_taken_away_in_every_exercise(exercise: Exercise) -> None:
    assert {"half", "minus70"} <= {one.id for one in exercise.stress}
    assert any(not one.set and not one.scale for one in exercise.stress)  # a question only: somebody leaves


def test_what_was_simulated_fits_into_a_link(exercise: Exercise) -> None:
    found = play(exercise, strong_setting(exercise)).world.scenario
    assert len(encode(found)) < 7_000
    base = play(exercise).world.scenario
    assert base.case is None or base.case in cases()
    assert isinstance(differences(found, base), dict)
