"""Which short cuts a run may take: they save time and change nothing."""

from collections.abc import Mapping

from scheduler_core.engine.layout import Layout
from scheduler_core.kernels import state as st


def short_cuts(scalars: Mapping[int, int], layout: Layout) -> dict[int, int]:
    """Return when jobs may start without standing in line, and whether causes depend on free GPUs and order alone.

    Parameters
    ----------
    scalars : mapping of int to int
        Head cell -> value, of a run without short cuts.
    layout : Layout
        Lines and domains.

    Returns
    -------
    dict of int to int
        `DIRECT` and `IS_ONE_ROOM` (kernels/state.py).
    """
    is_whole = scalars[st.EVERY_MS] == 0 and scalars[st.COLLECT_MS] == 0  # else others than those that fit may start
    is_greedy = scalars[st.DISCIPLINE] <= st.BEST_EFFORT and is_whole
    is_claimed = scalars[st.IS_QUOTA] or scalars[st.IS_TURN_BASED] or scalars[st.HAS_STAYS]
    is_moving = scalars[st.DISCIPLINE] == st.STRICT and scalars[st.ORDER_KIND] != st.BY_RANK
    is_stopping = scalars[st.DISCIPLINE] == st.STRICT or scalars[st.IS_TURN_BASED] or scalars[st.IS_SUBMIT_FIRST]
    return {
        st.DIRECT: (st.TO_NOBODY if is_stopping else st.PAST_REFUSED) if is_greedy else st.NOT_DIRECT,
        st.IS_ONE_ROOM: is_greedy
        and not is_claimed
        and not is_moving
        and layout.is_counted
        and len(layout.domains) == 1,
    }
