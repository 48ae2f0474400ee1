"""`python -m benchmarks.economics_pages`: how long a topic of Economics or Plan takes to be drawn anew after an edit.

The script of the page runs in this process, without a browser: formulas, draws, sentences and figures are in the time,
sending and painting are not. Each topic is edited to and fro; the median of wall time counts.
"""

import logging
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click

LIMIT_MS = 300.0
EDITS = 7
EDITED: dict[str, dict[str, tuple[str, float]]] = {
    "economics": {
        "deal": ("requests_per_day", 90_000), "rent": ("utilisation_share", 0.7), "change": ("used_after_share", 0.7),
        "claim": ("claim_gap_share", 0.4), "delay": ("rescue_gpus", 120), "bill": ("bill_usd", 100_000),
    },
    "plan": {
        "size": ("slots_now", 60), "classes": ("class_slots", 12), "growth": ("growth_share", 0.06),
        "spares": ("covered_share", 0.95), "zones": ("busy_share", 0.7), "burst": ("burst_load_gpus", 120),
        "squeeze": ("used_after_share", 0.7),
    },
}  # fmt: skip
"""Page -> topic -> the input that is edited, and to what."""


def redraw_ms(page: str, topic: str, slug: str, value: float) -> float:
    """Return the median time of a redraw in ms."""
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415  (reads its settings when it is imported)

    app = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120)
    app.query_params["topic"] = topic
    app.run()
    app.switch_page(f"pages/{page}.py").run()
    kind: Any = app.slider if slug.endswith("_share") else app.number_input
    ends, times = [type(kind(key=f"a.{slug}").value)(value), kind(key=f"a.{slug}").value], []
    for at in range(EDITS):
        kind(key=f"a.{slug}").set_value(ends[at % 2])
        start = time.perf_counter()
        app.run()
        times.append(1_000 * (time.perf_counter() - start))
    return statistics.median(times)


@click.command()
def main() -> None:
    """Print a table of topics, and fail above the limit."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as data:
        os.environ["HEADROOM_DATA"] = data
        took = {
            f"{page}, {topic}": redraw_ms(page, topic, *edit)
            for page, topics in EDITED.items()
            for topic, edit in topics.items()
        }
    click.echo("| topic | ms (median) | limit, ms |\n|---|---:|---:|")
    for name, found in took.items():
        click.echo(f"| {name} | {found:.0f} | {LIMIT_MS:.0f} |")
    slow = [name for name, found in took.items() if found > LIMIT_MS]
    if slow:
        raise click.ClickException(f"above the limit: {', '.join(slow)}")


if __name__ == "__main__":
    main()
