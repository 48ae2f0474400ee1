"""Links: what they look like, that they lead back, and what damaged ones say."""

import base64
import zlib
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scheduler_core.errors import LinkError
from scheduler_core.links import LONGEST_LINK, READABLE_LENGTH, decode, encode
from scheduler_core.links.packing import pack, unpack
from scheduler_core.scenario import Scenario, apply, differences, dump_document, load, load_case, scenario_hash
from tests.unit.scenario.documents import SMALL, documents

NO_CHANGES = base64.urlsafe_b64encode(zlib.compress(b"{}")).decode()


def refused(query: str) -> LinkError:
    with pytest.raises(LinkError) as caught:
        decode(query)
    error = caught.value
    assert error.problem.endswith((".", "?"))
    assert "\n" not in error.problem
    assert len(error.problem) < 700
    assert isinstance(error.nearest, Scenario)
    assert scenario_hash(load(dump_document(error.nearest))) == scenario_hash(error.nearest)
    return error


def changes_of(error: LinkError) -> dict[str, Any]:
    assert isinstance(error.nearest, Scenario)
    return differences(error.nearest, load_case(error.nearest.case or "fenced-research@1"))


def test_a_link_names_the_case_and_what_was_changed() -> None:
    scenario = apply(
        load_case("fenced-research@1"),
        {"policy.order": "priority", "policy.discipline.easy.depth": "50", "workload.classes.pretrain.per_day": "60"},
    )
    assert encode(scenario, engine_version="0.1.0", headline={"utilisation": 0.38641, "wait_mean": 14_760_000}) == (
        "case=fenced-research@1&set=workload.classes.pretrain.per_day:60&set=policy.order:priority"
        "&set=policy.discipline.easy.depth:50&v=1&e=0.1.0&h=utilisation:0.38641,wait_mean:1.476e%2B07"
    )


def test_a_link_without_changes_is_the_case() -> None:
    assert encode(load_case("three-zone-a100@1")) == "case=three-zone-a100@1&v=1"
    assert decode("case=three-zone-a100@1&v=1").scenario == load_case("three-zone-a100@1")


def test_headline_and_engine_version_come_back() -> None:
    sent = {"utilisation": 0.38641, "wait_mean": 14_760_000.0, "goodput": 0.3, "left_out": 1.0}
    link = decode(encode(load_case("fenced-research@1"), engine_version="0.2.1", headline=sent))
    assert link.engine_version == "0.2.1"
    assert link.headline == {"utilisation": 0.38641, "wait_mean": 14_760_000.0, "goodput": 0.3}


@given(documents())
def test_any_scenario_survives_a_link(document: dict[str, Any]) -> None:
    scenario = load(document)
    query = encode(scenario)
    assert len(query) <= LONGEST_LINK
    assert ("&z=" in query) == ("&set=" not in query)
    assert decode(query).scenario == scenario.model_copy(update={"case": "fenced-research@1"})
    assert scenario_hash(decode(parse_qs(query)).scenario) == scenario_hash(scenario)


def test_a_long_difference_is_packed() -> None:
    scenario = load(SMALL)
    query = encode(scenario)
    assert "&set=" in query
    notes = " ".join(f"word{n}" for n in range(400))
    packed = encode(apply(scenario, {"notes": notes}))
    assert "&z=" in packed
    assert "&set=" not in packed
    assert len(packed) < READABLE_LENGTH
    assert decode(packed).scenario.notes == notes


def test_what_does_not_fit_into_a_link_is_refused_with_what_to_do() -> None:
    notes = "".join(f"{(n * 2_654_435_761) % 2**32:08x}" for n in range(2_000))
    with pytest.raises(LinkError, match="it is too long; save the scenario as a file instead"):
        encode(apply(load_case("fenced-research@1"), {"notes": notes}))


@pytest.mark.parametrize(
    "address",
    [
        "case=three-zone-a100@1&set=run.days:6&v=1",
        "?case=three-zone-a100@1&set=run.days:6",
        "https://example.org/results?lang=zh&case=three-zone-a100@1&set=run.days:6&utm_source=chat#top",
        "http://localhost:8501/?case=three-zone-a100%401&set=run.days%3A6",
        " case=three-zone-a100@1&set=run.days:6 \n",
    ],
)
def test_an_address_is_read_however_it_was_copied(address: str) -> None:
    assert decode(address).scenario == apply(load_case("three-zone-a100@1"), {"run.days": "6"})


@pytest.mark.parametrize("address", ["", "https://example.org/", "https://example.org/results?lang=en", "v=1"])
def test_an_address_without_a_question_is_the_default_case(address: str) -> None:
    assert decode(address).scenario == load_case()


def test_parameters_as_the_browser_gives_them_are_read() -> None:
    given_by_browser = {"case": "three-zone-a100@1", "set": ["run.days:6", "run.seed:9"], "lang": "en"}
    assert decode(given_by_browser).scenario.run.seed == 9


@pytest.mark.parametrize(
    ("query", "said", "kept"),
    [
        ("case=foo@9&set=run.days:3", "it starts from the case 'foo@9', which is not known here", {"run.days": 3}),
        ("set=run.days:0&set=run.seed:4", "run.days is 0; it must be a number above 0", {"run.seed": 4}),
        ("set=polcy.x:1", "polcy is not a known key; did you mean policy?", {}),
        ("v=2&set=run.days:3&set=policy.magic:3", "it was made by a later version (format 2", {"run.days": 3}),
        ("v=one", "its version 'one' is not a number", {}),
        ("set=run.days", "its change 'run.days' is not of the form path:value", {}),
        ("case=fenced-research@1&case=three-zone-a100@1", "it names two cases", {}),
        ("set=run.days:3&set=run.days:5", "it changes one value twice", {"run.days": 5}),
        ("set=case:three-zone-a100@1", "case cannot be changed afterwards", {}),
        ("set=workload.classes.nobody.per_day:5", "workload.classes.nobody is not there", {}),
        ("set=workload.classes.pretrain:5", "it must be a mapping with the fields of the item", {}),
        ("set=" + "a." * 500 + "b:1", "is not a path", {}),
        ("set=run.days:" + "[" * 5_000, "run.days is '[[[", {}),
        ("set=run.days:%ff%fe", "run.days is", {}),
        ("set=name:" + "x" * 500, "name is", {}),
        ("set=cluster:{}", "cluster.pools is missing", {}),
        ("z=AAAA", "its compressed part (z=) is damaged", {}),
        ("z=not%20base64", "its compressed part (z=) is damaged", {}),
        ("z=" + pack({"run.days": 3})[:-6], "its compressed part (z=) is", {}),
        ("set=run.days:3&z=" + NO_CHANGES, "does not hold changes", {"run.days": 3}),
        ("x" * 40_000, "no real one has over 30,000", {}),
        ("a=1&" * 3_000, "too many parameters", {}),
    ],
)  # fmt: skip
def test_a_damaged_link_says_what_is_wrong_and_keeps_what_it_can(query: str, said: str, kept: dict[str, Any]) -> None:
    error = refused(query)
    assert said in error.problem
    assert changes_of(error) == kept


def test_a_compressed_bomb_is_not_unfolded() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"[" + b"1," * 10_000_000, 9)).decode()
    assert len(bomb) < 30_000
    assert "unfolds to more than the 1,000,000 bytes allowed" in refused(f"z={bomb}").problem


def test_a_damaged_headline_is_left_out_and_harms_nothing() -> None:
    link = decode("case=fenced-research@1&h=%3Cscript%3E,wait_mean:nan,utilisation:0.4&e=%3Cb%3E")
    assert link.headline == {"utilisation": 0.4}
    assert link.engine_version == ""


@given(st.text(max_size=60))
@example("set=:&z=&v=&e=&h=&case=")
@example("case=fenced-research@1&set=tenants.research.remove:true")
def test_no_text_at_all_breaks_a_link(text: str) -> None:
    try:
        scenario = decode(text).scenario
    except LinkError as error:
        assert isinstance(error.nearest, Scenario)  # noqa: PT017 - either outcome is right
        scenario = error.nearest
    assert scenario.cluster.gpus > 0


@given(st.dictionaries(st.text(max_size=20), st.integers() | st.text(max_size=20) | st.none(), max_size=5))
def test_packed_changes_come_back(changes: dict[str, object]) -> None:
    assert dict(unpack(pack(changes))) == changes
