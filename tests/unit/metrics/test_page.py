"""docs/metrics.md says what the metrics say."""

import os
from pathlib import Path

from scheduler_core.metrics import all_metrics
from scheduler_core.metrics._page import metrics_page

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"


def test_page_is_current() -> None:
    if os.environ.get("HEADROOM_WRITE_DOCS"):
        PAGE.write_text(metrics_page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == metrics_page(), (
        "HEADROOM_WRITE_DOCS=1 pytest tests/unit/metrics/test_page.py"
    )


def test_page_names_every_metric() -> None:
    text = metrics_page()
    for slug in all_metrics():
        assert f"| `{slug}` |" in text
