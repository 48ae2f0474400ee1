import pytest

from scheduler_core.kernels.tables import CAUSES, STATES
from tests import builders
from tests.builders import job


def test_generated_jobs_are_counted_within_their_class_in_submit_order() -> None:
    jobs = [job(0, 1, job_class="b"), job(1, 1, job_class="a"), job(2, 1, job_class="b"), job(3, 1, job_class="b")]
    table = builders.table(builders.scenario(jobs))
    unnamed = type(table)(table.jobs, table.tenants, table.classes, table.type_sets, ids=None)
    assert unnamed.index_in_class.tolist() == [0, 0, 1, 2]
    assert [unnamed.job_id(row) for row in range(4)] == ["b-0", "a-0", "b-1", "b-2"]


def test_listed_jobs_keep_their_names() -> None:
    table = builders.table(builders.scenario([job(5, 1, id="late"), job(0, 1, id="early")]))
    assert [table.job_id(row) for row in range(table.n_jobs)] == ["early", "late"]
    assert table.n_jobs == 2


@pytest.mark.parametrize("words", [CAUSES, STATES])
def test_words_are_different(words: tuple[str, ...]) -> None:
    assert len(set(words)) == len(words)


def test_there_are_twelve_causes_and_the_model_page_lists_them_in_this_order() -> None:
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "model.md").read_text(encoding="utf-8")
    rule = page[page.index("\n7.2 ") : page.index("\n7.3 ")]
    places = [rule.index(f"`{cause}`") for cause in CAUSES]
    assert len(CAUSES) == 12
    assert places == sorted(places)
