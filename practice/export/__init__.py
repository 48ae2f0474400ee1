"""An attempt for others: one page as Markdown or HTML, the marked text, and a table of rule outcomes."""

from practice.export.attempt import Page, rules_csv, to_html, to_markdown
from practice.export.marks import STYLES, marked_html

__all__ = ["STYLES", "Page", "marked_html", "rules_csv", "to_html", "to_markdown"]
