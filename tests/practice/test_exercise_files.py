"""Files that are wrong are refused by file, key and reason; what should not matter does not matter."""

from pathlib import Path

import pytest

from practice.exercises import (
    Difference,
    Exercise,
    ExerciseError,
    Setting,
    Story,
    exercises,
    find_exercise,
    find_faults,
    play,
    read_exercise,
    say,
    world_of,
)
from scheduler_core import InputError, ScenarioError

FOLDER = Path(__file__).parents[2] / "scenarios" / "exercises"
GOOD = (FOLDER / "sc04-threshold.toml").read_text(encoding="utf-8")
NAME = "sc04-threshold.toml"
THETA = Setting(choices={"theta": "t06"})


@pytest.fixture(name="threshold")
def threshold_exercise() -> Exercise:
    return find_exercise("SC04")


def refusal(tmp_path: Path, old: str, new: str, name: str = NAME) -> str:
    assert old in GOOD
    path = tmp_path / name
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ExerciseError) as caught:
        read_exercise(path)
    return str(caught.value)


def read_changed(tmp_path: Path, old: str, new: str) -> Exercise:
    assert old in GOOD
    path = tmp_path / NAME
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    return read_exercise(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('deadline = { en = "by', 'when = { en = "by', "task.deadline is missing."),
        ('deadline = { en = "by', 'when = { en = "by', "task.when is not a key of an exercise."),
        (', zh = "本季度末之前" }', " }", "task.deadline.zh is missing."),
        (
            'headline = "urgent_wait"',
            'headline = "urgent_weight"',
            "evidence.headline is 'urgent_weight'; it must be one",
        ),
        ('key = "wait_mean"', 'key = "wait_mode"', "measures.urgent_wait.key is 'wait_mode'; it must be a metric of"),
        ('source = "run"', 'source = "oracle"', "measures.urgent_wait.source is 'oracle'; it must be one of run, deal"),
        (
            'choices = { theta = "t05", tiers',
            'choices = { theta = "t08", tiers',
            "weak.choices.theta is 't08'; it must",
        ),
        ("{base.urgent_wait} on average although", "{base.wait} on average although", "brief.en: {base.wait} is not a"),
        ("{base.urgent_wait} on average although", "{base.urgent_wait on average although", "brief.en: a brace stands"),
        ("seeds = 7", "seeds = 3", "world.seeds is '3': Input should be greater than or equal to 5."),
        ('id = "t07"', 'id = "t06"', "decisions.theta.options has the id 't06' twice."),
        ('id = "SC04"', 'id = "SC05"', "id is 'SC05'; the file's name must begin with sc05-."),
        ('id = "SC04"', "id = SC04", "the file cannot be read: Invalid value"),
        ('marks = ["0.7"]', "", "decisions.theta.options.t07.marks is missing"),
        ("urgent_wait = { source", "seeds = { source", "measures.seeds has the name of a fact or an input"),
    ],
)
def test_a_broken_file_is_refused_by_file_key_and_reason(tmp_path: Path, old: str, new: str, told: str) -> None:
    message = refusal(tmp_path, old, new)
    assert any(line.startswith(f"{NAME}: {told}") for line in message.splitlines()), message


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match=r"sc99-none\.toml: the file cannot be read"):
        read_exercise(tmp_path / "sc99-none.toml")
    with pytest.raises(ExerciseError, match="SC99: there is no such exercise; there are SC01"):
        find_exercise("SC99")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("min_gap = 0.6", "min_gap = 1.6", "policy.preemption.min_gap is 1.6; it must be"),
        ('"workload.classes.urgent.priority" = 0.9', '"workload.classes.hasty.priority" = 0.9', "hasty"),
        ('"cluster.pools.*.zones.*" = 0.5', '"cluster.pools.*.rooms.*" = 0.5', "cluster.pools.*.rooms.*"),
        ("gpus = { 1 = 0.6, 2 = 0.2, 4 = 0.2 }", "gpus = { 1 = 0.6, 2 = 0.2, 512 = 0.2 }", "it must be at most 160"),
        ("per_day = 250", "per_day = 25000", "practice allows 20,000"),
        (
            'key = "lost * per_year * fleet_usd_per_gpu_h"',
            'key = "lost * per_yaer"',
            "a name in a formula is 'per_yaer'",
        ),
        ('key = "preempted * jobs_per_day"', 'key = "exposed * 2"', "one that does not lead back to itself"),
    ],
)
def test_an_impossible_option_is_found_with_its_path(tmp_path: Path, old: str, new: str, told: str) -> None:
    faults = list(find_faults(read_changed(tmp_path, old, new)))
    assert any(told in fault for fault in faults), faults


def test_a_result_typed_by_hand_is_found(tmp_path: Path) -> None:
    typed = read_changed(tmp_path, "utilisation {moved.use}", "utilisation rose to 93.7%")
    assert any("strong.R.en types 93.7 by hand" in fault for fault in find_faults(typed))
    spelled = read_changed(tmp_path, "and their owners complained", "and four teams complained")
    assert any("strong.R.en types 'four' by hand" in fault for fault in find_faults(spelled))


def test_a_choice_of_words_that_compares_what_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExerciseError, match=r"\{if\} compares run.nothing, which is no number"):
        read_changed(tmp_path, "{if run.preempted <= line.preempted}inside", "{if run.nothing <= line.preempted}inside")
    with pytest.raises(ExerciseError, match="a brace stands alone"):
        read_changed(tmp_path, "{else}beyond{end} the red line", "beyond the red line")


def test_an_unknown_name_in_a_setting_is_refused(threshold: Exercise) -> None:
    with pytest.raises(InputError, match="decision is 'thata'; it must be one of theta, tiers, rollout"):
        play(threshold, Setting(choices={"thata": "t06"}))
    with pytest.raises(InputError, match="the choice for theta is 't08'"):
        play(threshold, Setting(choices={"theta": "t08"}))
    with pytest.raises(InputError, match="stress is 'flood'"):
        play(threshold, Setting(stress=("flood",)))
    with pytest.raises(InputError, match="an input is 'pilot'"):
        world_of(threshold, Setting(change=Difference(set={"inputs.pilot": 1})))
    with pytest.raises(ScenarioError, match=r"policy\.order"):
        world_of(threshold, Setting(change=Difference(set={"policy.order": "astrology"})))


def test_the_order_in_which_choices_are_named_does_not_matter(threshold: Exercise) -> None:
    first = Setting(choices={"theta": "t06", "tiers": "three"})
    second = Setting(choices={"tiers": "three", "theta": "t06"})
    assert play(threshold, first).rows == play(threshold, second).rows


def test_a_decision_without_a_difference_changes_nothing(threshold: Exercise) -> None:
    for row in play(threshold, Setting(choices={"tiers": "fine"})).rows.values():
        assert set(row.change.values) == {0}
        assert row.movement == "same"


def test_the_rollout_changes_its_own_measure_only(threshold: Exercise) -> None:
    once, slowly = (play(threshold, Setting(choices={"theta": "t06", "rollout": one})) for one in ("all", "trigger"))
    different = {name for name, row in once.rows.items() if row.after != slowly.rows[name].after}
    assert different == {"exposed"}


def test_a_factor_of_one_is_no_change_and_twice_the_price_is_twice_the_cost(threshold: Exercise) -> None:
    same = Setting(choices=THETA.choices, change=Difference(scale={"workload.classes.*.per_day": 1}))
    dear = Setting(choices=THETA.choices, change=Difference(scale={"economics.fleet_usd_per_gpu_h": 2}))
    plain = play(threshold, THETA)
    assert play(threshold, same).rows == plain.rows
    doubled = play(threshold, dear).rows
    assert doubled["lost_usd"].after.median == pytest.approx(2 * (plain.rows["lost_usd"].after.median or 0))
    assert doubled["urgent_wait"].after == plain.rows["urgent_wait"].after


def test_half_the_nodes_are_half_the_gpus_and_demand_grows_by_its_factor(threshold: Exercise) -> None:
    plain = play(threshold).facts
    assert play(threshold, Setting(stress=("half",))).facts["gpus"] == plain["gpus"] / 2
    assert play(threshold, Setting(stress=("demand",))).facts["jobs_per_day"] == pytest.approx(636)  # 156 + 180 + 300


def test_stress_is_on_both_sides_of_a_comparison(threshold: Exercise) -> None:
    stressed = play(threshold, Setting(choices=THETA.choices, stress=("half",)))
    assert stressed.rows["use"].before == play(threshold, Setting(stress=("half",))).rows["use"].after


def test_more_seeds_keep_the_first_ones(threshold: Exercise) -> None:
    few, many = play(threshold, THETA, seeds=5), play(threshold, THETA, seeds=8)
    assert many.rows["use"].after.values[:5] == few.rows["use"].after.values
    assert few.rows["use"].after.coverage == pytest.approx(1 - 2 * 0.5**5)


def test_both_languages_quote_the_same_numbers(threshold: Exercise) -> None:
    story = Story(threshold, THETA)
    for name, row in play(threshold, THETA).rows.items():
        english, chinese = (story.value(f"run.{name}", language, is_bare=True) for language in ("en", "zh"))
        assert english == chinese or row.unit.startswith("usd"), name


def test_the_deal_of_an_exercise_is_the_one_of_the_core() -> None:
    played = play(find_exercise("SC07"), Setting(choices={"offer": "dedicated"}))
    found = played.rows
    assert played.facts["gpus"] == 40 + played.facts["dedicated_gpus"]  # what is paid for is what is simulated
    assert found["breakeven"].after.median == pytest.approx(80_000)  # 2,800 a day / (2 x 0.020 - 0.005)
    assert found["profit_usd"].after.median == pytest.approx((35_000 * 0.035 - 2_800) * 365)
    assert found["roi_fixed"].after.median == pytest.approx(35_000 * 0.035 / 2_800 - 1)


def test_the_cost_of_delay_of_an_exercise_is_the_one_of_the_core() -> None:
    exercise = find_exercise("SC15")
    cost, split = (play(exercise, Setting(choices={"ask": one})).rows["asks_usd"].after for one in ("cost", "split"))
    assert cost.median == pytest.approx(2e6 * 3 + 42_857.142857 * 13)
    assert split.median == pytest.approx(2e6 * 6 + 42_857.142857 * 13)  # half speed: 6 days instead of 3


def test_every_exercise_names_itself_once() -> None:
    assert len({one.slug for one in exercises().values()}) == len(exercises())


@pytest.mark.parametrize(
    ("value", "unit", "english", "chinese"),
    [
        (0, "ms", "0 s", "0 秒"),
        (2_100_000, "ms", "35 min", "35 分钟"),
        (15_120_000, "ms", "4.2 h", "4.2 小时"),
        (0.9992, "share", "99.92%", "99.92%"),
        (0.124, "share", "12.4%", "12.4%"),
        (0.08, "points", "8 points", "8 个百分点"),
        (3_420_000, "usd_per_year", "$3.42 million a year", "342万美元/年"),
        (-575_000, "usd", "-$575,000", "-57.5万美元"),
        (1780, "gpus", "1,780 GPUs", "1,780 张卡"),
        (None, "share", "no figure", "无数据"),
    ],
)
def test_numbers_are_said_as_people_say_them(value: float | None, unit: str, english: str, chinese: str) -> None:
    assert (say(value, unit, "en"), say(value, unit, "zh")) == (english, chinese)


def test_a_lower_bound_says_so() -> None:
    assert say(7_200_000, "ms", "en", is_lower_bound=True) == "at least 2 h"


def test_an_unknown_exercise_is_shown_as_one_sentence_in_both_languages() -> None:
    from dashboard import errors

    with pytest.raises(ExerciseError) as caught:
        find_exercise("SC99")
    (shown,) = errors.sentences(caught.value)
    assert "there is no such exercise" in shown
