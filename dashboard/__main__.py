"""`python -m dashboard [options of streamlit run]`: the dashboard, made ready while its first visitor is on the way.

Streamlit runs nothing before somebody opens a page, so the first visitor of a fresh server would wait for
every import and for the default case. Here both happen in the background from the moment the server starts.
`streamlit run app.py` works too, only its first page is slower.
"""

import logging
import pkgutil
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Final

from streamlit.web import cli

import dashboard

APP: Final = Path(__file__).parent.parent / "app.py"


def make_ready() -> None:
    """Import what the pages use, and run the default case for whoever comes first."""
    try:
        for module in pkgutil.iter_modules(dashboard.__path__, "dashboard."):
            if module.name != "dashboard.__main__":
                import_module(module.name)
        from dashboard import service  # noqa: PLC0415  the server listens first
        from scheduler_core import DEFAULT_CASE, load_case  # noqa: PLC0415

        scenario = load_case(DEFAULT_CASE)
        service.batch(scenario, service.first_seed(scenario).summary)
    except Exception:
        logging.getLogger("headroom").exception(
            "The first page could not be made ready; it is made when it is asked for."
        )


if __name__ == "__main__":
    threading.Thread(target=make_ready, name="make-ready", daemon=True).start()
    sys.argv = ["streamlit", "run", str(APP), *sys.argv[1:]]
    cli.main()
