"""Stories: the candidate's own projects, scored by the rules and stressed with their own numbers."""

from dashboard import shell

shell.ensure_shell()

from dashboard import notebook, stories_view  # noqa: E402
from dashboard.errors import shown  # noqa: E402

with shown():
    notebook.prepare(private=stories_view.query())
    stories_view.show()
