"""Practice: pick an exercise, predict, decide, see what follows, answer, be asked, be scored."""

from dashboard import shell

shell.ensure_shell()

from dashboard import autosave, notebook, practice_keep, practice_view  # noqa: E402
from dashboard.errors import shown  # noqa: E402

with shown():
    shared = practice_keep.shared()
    found = None if shared else practice_keep.current()
    link = practice_keep.link_query() if shared else ""
    notebook.prepare(link, private=f"{practice_keep.ATTEMPT}={found[0].id}" if found else "")
    autosave.listen()
    if shared is not None:
        practice_view.show_shared(shared)
    elif found is not None:
        practice_view.show_attempt(*found)
    else:
        practice_view.show_list()
