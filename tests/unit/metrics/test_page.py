"""docs/metrics.md says what the metrics say."""

from scheduler_core.metrics import all_metrics
from scheduler_core.metrics._page import metrics_page
from tests.unit.metrics.write_page import PAGE


def test_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == metrics_page(), "run python -m tests.unit.metrics.write_page"


def test_page_names_every_metric() -> None:
    text = metrics_page()
    for slug in all_metrics():
        assert f"| `{slug}` |" in text
