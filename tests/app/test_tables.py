"""Downloads: cells that no spreadsheet takes for a formula, readable in both languages."""

import pandas as pd
import pytest

from dashboard import panels


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "=cmd|' /C calc'!A0"])
def test_a_cell_that_looks_like_a_formula_becomes_text(cell: str) -> None:
    assert panels.safe_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["pretrain-12", "", 5, -3.5, None])
def test_other_cells_stay(cell: object) -> None:
    assert panels.safe_cell(cell) == cell


def test_csv_keeps_numbers_and_guards_texts_and_headings() -> None:
    frame = pd.DataFrame({"job": ["=x", "b"], "wait_min": [-1.5, 2.0], "=head": ["a", "c"]})
    text = panels.csv_bytes(frame).decode("utf-8-sig")
    assert text == "job,wait_min,'=head\n'=x,-1.5,a\nb,2.0,c\n"


def test_csv_starts_with_a_mark_so_that_chinese_opens_readable() -> None:
    assert panels.csv_bytes(pd.DataFrame({"a": ["等待"]})).startswith(b"\xef\xbb\xbf")
