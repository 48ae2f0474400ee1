"""Find every fault of a document, not only the first: take out what is wrong and read again.

What is left after the repair is also the nearest valid scenario of a damaged link.
"""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from scheduler_core.errors import Fault
from scheduler_core.scenario import reading
from scheduler_core.scenario.faults import Loc, faults_of
from scheduler_core.scenario.fields import DOCUMENT
from scheduler_core.scenario.paths import Tree

_MAX_ROUNDS = 12


@dataclass
class Repair:
    """A document on its way to a valid one.

    Attributes
    ----------
    root : type
        The model of the whole document.
    tree : dict
        The document; a copy is changed.
    spare : dict
        A valid document that lends what is missing and required.
    faults : list of Fault
        What was wrong, in the order in which it was found.
    model : object
        The repaired document, None if it is beyond repair.
    has_lost_items : bool
        Whether something was taken out that other parts may mention, so that rules across the document say nothing.
    """

    root: type[BaseModel]
    tree: Tree
    spare: Tree
    faults: list[Fault] = field(default_factory=list)
    model: Any = None
    has_lost_items: bool = False

    def run(self) -> "Repair":
        """Read, take out, read again, until the models accept what is left.

        Returns
        -------
        Repair
            Itself, with `faults` and `model` filled in.
        """
        self.tree = reading.plain_document(self.tree)
        for _ in range(_MAX_ROUNDS):
            try:
                self.model = self.root.model_validate(self.tree, context=DOCUMENT)
            except ValidationError as error:
                # Last first, so that taking out one list item does not move the others.
                found = faults_of(error, self.tree, self.root)
                self._note(found)
                for loc, _fault in reversed(found):
                    self._take_out(loc)
            else:
                return self
        return self

    def _note(self, found: list[tuple[Loc, Fault]]) -> None:
        known = {fault.path for fault in self.faults}
        self.faults += [fault for _, fault in found if fault.path not in known]

    def _take_out(self, loc: Loc) -> None:
        """Remove the value at `loc`, or the nearest thing around it that can be done without."""
        holder, key = _holder(self.tree, loc)
        if holder is None:
            self._lend(loc)
        elif isinstance(holder, dict) and f"{key}" in holder:
            del holder[f"{key}"]
        elif isinstance(holder, list) and isinstance(key, int) and key < len(holder):
            del holder[key]
            self.has_lost_items = True
        else:
            self._lend(loc)

    def _lend(self, loc: Loc) -> None:
        """Fill in what is missing from the spare document, or take out what it is missing from."""
        lent = _at(self.spare, loc)
        holder, key = _holder(self.tree, loc)
        if lent is not None and isinstance(holder, dict):
            holder[f"{key}"] = reading.plain(lent)
            self.has_lost_items = True
        elif len(loc) > 1:
            self._take_out(loc[:-1])
            self.has_lost_items = True
        else:
            self.tree = reading.plain_document(self.spare)
            self.has_lost_items = True


def _at(tree: object, loc: Loc) -> object:
    node = tree
    for part in loc:
        if not isinstance(node, dict):
            return None
        node = node.get(f"{part}")
    return node


def _holder(tree: object, loc: Loc) -> tuple[Any, int | str | None]:
    """Return the mapping or list that holds the value at `loc`, and its key there."""
    if not loc:
        return None, None
    node: Any = tree
    for part in loc[:-1]:
        if isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
        elif isinstance(node, dict):
            node = node.get(f"{part}")
        else:
            return None, None
    return (node, loc[-1]) if isinstance(node, (dict, list)) else (None, None)
