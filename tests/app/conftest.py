"""Run the app without a browser: one page, one language, one link."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
SMALL = "one-pool-poisson@1"
"""A case that runs in a few milliseconds."""

OpenApp = Callable[..., AppTest]


@pytest.fixture
def open_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenApp:
    """Give a function that opens the app: open_app("results", lang="zh", case=..., set=[...])."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADROOM_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(ROOT)

    def open_app(page: str = "start", *, lang: str = "en", **params: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        for name, value in {"case": SMALL, "lang": lang, **params}.items():
            app.query_params[name] = value
        app.run()
        if page != "start":
            app.switch_page(f"pages/{page}.py").run()
        return app

    return open_app


def everything(app: AppTest) -> str:
    """Return all text of a page that is read as Markdown."""
    kinds = ("header", "subheader", "markdown", "caption", "error", "warning", "info", "metric", "button")
    found = []
    for kind in kinds:
        for element in getattr(app, kind):
            found.append(str(getattr(element, "label", "") or ""))
            found.append(str(getattr(element, "value", "") or ""))
    return "\n".join(found)
