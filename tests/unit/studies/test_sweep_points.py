"""Points: what may be written, and one clear sentence for what may not, before anything runs."""

import pytest

from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.scenario import apply, load_case
from scheduler_core.studies import Axis, find_baseline, make_axis, make_points, split_values
from scheduler_core.studies.sweep_points import read_axis

BASE = load_case("priority-clash@1")


def axis(text: str) -> Axis:
    return read_axis(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2 , 3", ("1", "2", "3")),
        ("null,[1, 2],{a: {b: 1, c: 2}}", ("null", "[1, 2]", "{a: {b: 1, c: 2}}")),
        ("'a,b',\"c,d\"", ("'a,b'", '"c,d"')),
        ("a,,b", ("a", "", "b")),
        ("],x", ("]", "x")),  # a bracket too many is left for the model to refuse
    ],
)
def test_commas_inside_brackets_and_quotes_do_not_part(text: str, values: tuple[str, ...]) -> None:
    assert split_values(text) == values


def test_points_are_every_pair_the_last_axis_fastest() -> None:
    points = make_points(
        BASE, [axis("policy.discipline=strict,{easy: {depth: 7}}"), axis("policy.order=fifo,smallest")]
    )
    assert [point.label for point in points] == [
        "strict, fifo", "strict, smallest", "{easy: {depth: 7}}, fifo", "{easy: {depth: 7}}, smallest",
    ]  # fmt: skip
    last = points[-1].scenario.policy
    assert (last.discipline.slug, last.discipline.params["depth"], last.order.slug) == ("easy", 7, "smallest")


def test_plain_values_are_written_as_a_document_writes_them() -> None:
    assert make_axis("x", [0.5, True, None, {"easy": {"depth": 5}}]).values == (
        "0.5", "true", "null", "{easy: {depth: 5}}",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["policy.order"], "PATH=V1,V2"),
        (["=fifo"], "PATH=V1,V2"),
        (["policy.order=fifo,,smallest"], "none empty"),
        (["policy.order="], "none empty"),
        (["policy.order=fifo,smallist"], "policy.order is 'smallist'; did you mean smallest?"),
        (["policy.ordr=fifo,smallest"], "policy.ordr"),
        (["workload.classes.nobody.per_day=1,2"], "workload.classes.nobody is not there"),
        (["run.days=0"], "run.days is 0"),
        (["run.seed=1,2"], "all points see the same draws"),
        (["run.replications=1,2"], "say it with --replications"),
        (["case=a,b"], "start from that case instead"),
        (["name=a,b"], "the two ask the same"),
        (["policy.order=fifo,fifo"], "the two ask the same"),
        (["run.days=5,5.0"], "the two ask the same"),
        (["policy.order=fifo", "policy.order=smallest"], "one field, or two different ones"),
        (["run.days=1", "policy.order=fifo", "policy.placement=spread"], "one field, or two different ones"),
        ([f"run.days={','.join(str(day) for day in range(1, 402))}"], "at most 400"),
    ],
)
def test_what_cannot_be_varied_is_refused_in_one_sentence(texts: list[str], sentence: str) -> None:
    with pytest.raises((InputError, ScenarioError)) as refusal:
        make_points(BASE, [axis(text) for text in texts])
    first = refusal.value.faults[0].sentence if isinstance(refusal.value, ScenarioError) else str(refusal.value)
    assert sentence in first
    assert first.endswith((".", "?"))
    assert first.count("\n") == 0


def test_a_rule_between_two_fields_names_the_point_that_breaks_it() -> None:
    with pytest.raises(ScenarioError) as refusal:
        make_points(BASE, [axis("run.days=1,9"), axis("run.warmup_days=0,5")])
    sentence = refusal.value.faults[0].sentence
    assert "run.warmup_days" in sentence


def test_what_is_not_available_yet_is_refused_before_the_run() -> None:
    with pytest.raises(ScenarioError, match="not available yet"):
        make_points(BASE, [axis("cluster.pools.main.speed=1,2")])


def test_baseline_is_the_scenario_itself_else_the_first_or_what_was_asked_for() -> None:
    points = make_points(BASE, [axis("policy.order=smallest,fifo,shortest")])
    assert BASE.policy.order.slug == "fifo"
    assert find_baseline(BASE, points) == 1
    assert find_baseline(apply(BASE, {"policy.order": "priority"}), points) == 0
    assert find_baseline(BASE, points, {"policy.order": "shortest"}) == 2
    assert find_baseline(BASE, points, {"policy.order": "{shortest: {}}"}) == 2  # another spelling of the same
    with pytest.raises(InputError, match="one of the points that are run"):
        find_baseline(BASE, points, {"policy.order": "priority"})
