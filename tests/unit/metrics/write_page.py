"""Write docs/metrics.md anew: ``python -m tests.unit.metrics.write_page``."""

from pathlib import Path

from scheduler_core.metrics._page import metrics_page

PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"

if __name__ == "__main__":
    PAGE.write_text(metrics_page(), encoding="utf-8")
