"""What a placement rule is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Placement:
    """A rule that picks nodes for a gang; it never changes state.

    Attributes
    ----------
    slug : str
        Name in the scenario document; equal to the module's name.
    source : str
        Where the rule comes from.
    pick_node : kernel
        Picks the node of a gang that fits one node: `(m, which, scope, need_gpus) -> node` or -1; see
        kernels/levels.py, whose searches leave out nodes already spoken for.
    pick_rest : kernel
        Picks the node of what is left over beside whole nodes; same signature.
    text : mapping
        Two sentences per language (`en`, `zh`): when it helps and whom it hurts.
    name : mapping
        Short name per language.
    is_counted : bool
        Treat each domain as one node, so that only the number of free GPUs matters.
    """

    slug: str
    source: str
    pick_node: Any
    pick_rest: Any
    text: Mapping[str, str]
    name: Mapping[str, str]
    is_counted: bool = False
