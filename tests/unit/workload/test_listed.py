"""Jobs listed as rows or as CSV become a table, and a bad line is named in one sentence."""

import pytest

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import NO_LIMIT_MS, JobTable
from scheduler_core.scenario.workload import JobRow
from scheduler_core.workload import listed

HEADER = "id,tenant,submit,duration,gpus"


def table(text: str, tenants: tuple[str, ...] = ("red", "blue")) -> JobTable:
    rows, places = listed.read_csv(text)
    return listed.table_of(rows, tenants, ["known"], places)


def test_all_columns_arrive_in_their_units() -> None:
    found = table(
        "id,tenant,submit,duration,gpus,limit,priority,gpu_types,class\n"
        "a,blue,1h30min,90s,16,2h,0.25,A100|H100,known\n"
        "b,red,0s,250ms,1,,,,\n"
    )
    jobs = found.jobs
    assert found.ids == ("b", "a")  # sorted by submit
    assert jobs.submit_ms.tolist() == [0, 5_400_000]
    assert jobs.runtime_ms.tolist() == [250, 90_000]
    assert jobs.limit_ms.tolist() == [NO_LIMIT_MS, 7_200_000]
    assert jobs.gpus.tolist() == [1, 16]
    assert jobs.priority.tolist() == [500, 250]
    assert [found.tenants[index] for index in jobs.tenant] == ["red", "blue"]
    assert [found.classes[index] for index in jobs.job_class] == ["jobs", "known"]
    assert [found.type_sets[index] for index in jobs.type_set] == [None, ("A100", "H100")]
    assert found.job_id(1) == "a"


def test_jobs_of_one_instant_keep_the_order_of_the_lines() -> None:
    found = table(f"{HEADER}\nz,red,1h,1s,1\ny,red,0s,1s,1\nx,red,1h,1s,1\nw,red,1h,1s,1\n")
    assert found.ids == ("y", "z", "x", "w")


def test_spreadsheet_habits_are_read() -> None:
    found = table('\ufeffID, Tenant ,submit,duration,gpus\r\n\r\n"a, b",red,0s,1s,1\r\n , ,,,\r\n')
    assert found.ids == ("a, b",)


def test_rows_and_csv_give_the_same_table() -> None:
    row = JobRow.model_validate(
        {
            "id": "a",
            "tenant": "red",
            "submit": "1min",
            "duration": "2min",
            "gpus": 4,
            "class": "known",
            "priority": 0.7,
        },
        context={"document": True},
    )
    listed_table = listed.table_of([row], ("red", "blue"), ["known"], ["row"])
    csv_table = table("id,tenant,submit,duration,gpus,class,priority\na,red,1min,2min,4,known,0.7\n")
    assert [column.tolist() for column in listed_table.jobs] == [column.tolist() for column in csv_table.jobs]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["jobs_csv", "id, tenant, submit, duration, gpus"]),
        (HEADER, ["jobs_csv", "one line a job"]),
        ("id,tenant,submit,duration,gpu\n", ["line 1", "'gpu'", "gpus"]),
        ("id,tenant,submit,duration\n", ["line 1", "gpus missing"]),
        (f"{HEADER},gpus\n", ["line 1", "different columns"]),
        (f"{HEADER}\na,red,0s,1s\n", ["line 2", "4", "5, as in the header"]),
        (f"{HEADER}\na,red,0s,1s,1\n\nb,red,5,1s,1\n", ["line 4", "submit", "'5'", "5min"]),
        (f"{HEADER}\na,red,0s,soon,1\n", ["line 2", "duration", "'soon'", "unit"]),
        (f"{HEADER}\na,red,0s,1s,many\n", ["line 2", "gpus", "'many'", "whole number"]),
        (f"{HEADER}\na,red,0s,1s,0\n", ["line 2", "gpus", "'0'", "from 1"]),
        (f"{HEADER}\na,red,0s,1s,1.5\n", ["line 2", "gpus", "'1.5'"]),
        (f"{HEADER},priority\na,red,0s,1s,1,7\n", ["line 2", "priority", "'7'", "0 to 1"]),
        (f"{HEADER},priority\na,red,0s,1s,1,nan\n", ["line 2", "priority", "'nan'"]),
        (f"{HEADER}\na,green,0s,1s,1\n", ["line 2", "tenant", "'green'", "red, blue"]),
        (f"{HEADER}\na,,0s,1s,1\n", ["line 2", "tenant", "filled in"]),
        (f"{HEADER}\na,red,0s,1s,1\na,red,0s,1s,1\n", ["line 3", "id", "'a'", "once"]),
        (f'{HEADER}\n"a,red,0s,1s,1\n', ["line 2", "well-formed CSV"]),
    ],
)
def test_a_bad_line_is_refused_in_one_sentence(text: str, words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        table(text)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.count("must be") == 1
    assert [word for word in words if word not in sentence] == [], sentence


def test_an_unknown_tenant_of_a_listed_row_names_the_job() -> None:
    row = JobRow.model_validate({"id": "a", "tenant": "green", "submit": 0, "duration": 1, "gpus": 1})
    with pytest.raises(InputError, match=r"jobs\.a: tenant is 'green'; it must be one of red, blue"):
        listed.table_of([row], ("red", "blue"), [], ["jobs.a"])
