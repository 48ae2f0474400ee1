"""What the command line says of preemptions, from a result written by hand."""

import csv
from pathlib import Path

from scheduler_core.cli._output import LEDGER_COLUMNS, job_rows, write_ledger
from scheduler_core.cli._report import preemption_line, run_document
from scheduler_core.metrics import summarize
from scheduler_core.result import Result
from scheduler_core.studies import Replications
from tests.unit.metrics.hand import Job, hand_result
from tests.unit.metrics.hand_evictions import Eviction, Stay, with_evictions


def evicted() -> Result:
    """A job of 2 GPUs is told to leave at 3600.5 s, and runs again from 5400.5 to 9000.5; its hour of work was lost."""
    jobs = [Job(0, 0, 9_000.5, gpus=2), Job(10, 3_600.5, 5_400.5, gpus=2, job_class="=urgent")]
    stays = [Stay(0, 0, 3_600.5, "evicted", 3_600.5), Stay(1, 3_600.5, 5_400.5), Stay(0, 5_400.5, 9_000.5)]
    return with_evictions(hand_result(jobs), stays, [Eviction(3_600.5, 0, 1, "own_queue", 7_201)])


def test_ledger_has_one_safe_line_a_preemption(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    write_ledger(path, evicted())
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == LEDGER_COLUMNS
    assert rows == [["3600.5", "train-0", "'=urgent-0", "own_queue", "7201"]]


def test_jobs_say_how_often_they_were_evicted_and_how_long_they_waited_again() -> None:
    first, second = job_rows(evicted())
    assert ("1800" in first, first[-13], second[-13]) == (True, "1", "0")  # 5,400.5 - 3,600.5; preemptions


def test_report_says_what_preemption_cost_only_where_somebody_was_evicted() -> None:
    result = evicted()
    runs = Replications(result.scenario, (summarize(result),))
    assert preemption_line(runs, "GPU") == (
        "Preemption: 50 % of the started jobs were evicted at least once, 0.5 preemptions a job; 2 GPU-hours of work "
        "were lost to it. Evicted jobs waited 30 min (median), 30 min (p95) to run again."
    )
    calm = hand_result([Job(0, 0, 10)])
    assert preemption_line(Replications(calm.scenario, (summarize(calm),)), "GPU") == ""


def test_json_has_the_metrics_and_the_books() -> None:
    result = evicted()
    document = run_document(result.scenario, Replications(result.scenario, (summarize(result),)))
    metrics, books = document["metrics"], document["books_gpu_h"]
    assert isinstance(metrics, dict)
    assert isinstance(books, dict)
    assert metrics["preempted_share"]["scopes"]["all"]["mean"] == 0.5
    assert metrics["lost_own_queue_gpu_h"]["scopes"]["class:train"]["mean"] == 2 * 3_600.5 / 3_600
    assert books["lost"] == 2 * 3_600.5 / 3_600
