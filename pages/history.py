"""History: what was practised, how ready it makes, what is due next, and the way to take it along."""

from dashboard import shell

shell.ensure_shell()

from dashboard import history_files, history_view, notebook  # noqa: E402
from dashboard.errors import shown  # noqa: E402

with shown():
    notebook.prepare()
    history_view.show()
    history_files.show()
