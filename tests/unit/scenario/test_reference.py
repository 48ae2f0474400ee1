import re

from scheduler_core.scenario import LIMITS, cases, load
from scheduler_core.scenario.reference import DOCUMENT_PATH, TABLES, generated, updated


def test_the_tables_of_the_page_are_up_to_date() -> None:
    page = DOCUMENT_PATH.read_text(encoding="utf-8")
    assert updated(page) == page, 'run: python -c "from scheduler_core.scenario.reference import update; update()"'


def test_the_page_has_every_generated_table_once() -> None:
    page = DOCUMENT_PATH.read_text(encoding="utf-8")
    assert sorted(re.findall(r"<!-- generated: (\w+) -->", page)) == sorted(generated())
    assert set(TABLES) < set(generated())


def test_every_limit_is_printed() -> None:
    page = DOCUMENT_PATH.read_text(encoding="utf-8")
    assert all(f"{bound.value:,} {bound.what}" in page for bound in LIMITS.values())


def test_every_case_is_named_and_the_example_is_read() -> None:
    page = DOCUMENT_PATH.read_text(encoding="utf-8")
    assert all(f"`{case}`" in page for case in cases())
    example = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert example is not None
    assert load(example[1]).policy.discipline.params["depth"] == 50
