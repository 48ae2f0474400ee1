"""An attempt for others: one page as Markdown or HTML, the marked text, and a table of rule outcomes."""

from practice.export.html import to_html
from practice.export.markdown import to_markdown
from practice.export.marks import STYLES, marked_html
from practice.export.page import Page, choices, predictions
from practice.export.tables import disputes_csv, rules_csv

__all__ = [
    "STYLES",
    "Page",
    "choices",
    "disputes_csv",
    "marked_html",
    "predictions",
    "rules_csv",
    "to_html",
    "to_markdown",
]
