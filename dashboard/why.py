"""When a setting of the policy helps and whom it hurts: below its widget, and where its result is shown."""

from operator import attrgetter

import streamlit as st

from dashboard.i18n import Text, has, plain, t
from scheduler_core import Scenario


def why(kind: str, word: object) -> Text | None:
    """Return when a word of the setting `kind` helps and whom it hurts; None where that is not said."""
    key = f"why.{kind}.{word}"
    return t(key) if has(key) else None


def show_why(scenario: Scenario, *names: str) -> None:
    """Show it for fields of the policy (such as ``preemption.victims``), each word that is in force during the run.

    Parameters
    ----------
    scenario : Scenario
        Whose policy; with its changes.
    *names : str
        Fields; one that is not there, because a part of the policy is absent, is left out.
    """
    for name in names:
        part, _, field = name.rpartition(".")
        policies = (policy for _, policy in scenario.policy.steps())
        owners = [attrgetter(part)(policy) if part else policy for policy in policies]
        for word in dict.fromkeys(getattr(owner, field) for owner in owners if owner is not None):
            text = why(f"policy.{name}", word)
            if text is not None:
                label, value = plain(f"field.policy.{name}"), plain(f"word.policy.{name}.{word}")
                st.caption(t("why.said", setting=label, word=value, text=text))
