"""Trade-offs: what one or two settings do on the same jobs, which points are worth having, and what to choose."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import state, tradeoffs_answer, tradeoffs_fields, tradeoffs_study, tradeoffs_view  # noqa: E402
from dashboard.errors import shown  # noqa: E402

scenario = state.current()
answer, details = st.container(), st.container()
with details, shown():
    known = tradeoffs_fields.offers(scenario)
    tradeoffs_study.prepare(scenario, known)
    left, right = st.columns([3, 2], gap="large")
    with right, st.container(border=True, key="tradeoffs_form"):
        tradeoffs_view.form(scenario, known)
        slot = st.container()
    with answer:
        study = tradeoffs_view.read(scenario)
        work = tradeoffs_view.work_for(scenario, study) if study is not None else None
    if study is not None:
        state.add_to_address(study.query())
        with slot:
            tradeoffs_view.weights(study)
    if study is not None and work is not None:
        with answer:
            if work.problem is not None:
                tradeoffs_view.problem(work)
            elif work.found is None:
                tradeoffs_view.progress(work, study.name_of_work(scenario))
        if work.found is not None:
            found = tradeoffs_answer.Answer(work.found, study, known)
            with answer:
                tradeoffs_answer.headline(found)
            with left, shown():
                tradeoffs_answer.picture(found)
                if found.best is not None:
                    tradeoffs_view.use(dict(work.found.points[found.best.winner].settings))
            with shown():
                tradeoffs_answer.table(found)
