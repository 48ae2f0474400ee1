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
from scheduler_core.scenario.paths import Tree, name_of

_MAX_ROUNDS = 12
FILLERS = {"per_day": 0, "gpus": 1, "duration": {"fixed": "1h"}, "nodes": 1, "gpus_per_node": 1}
"""What a class of jobs is given for what is missing or wrong, until somebody says better."""


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
    lost_names : set of str
        Names of items that were taken out, which other parts may mention.
    has_lent_section : bool
        Whether a whole section is borrowed, so that rules across the document say nothing about the user's own.
    """

    root: type[BaseModel]
    tree: Tree
    spare: Tree
    faults: list[Fault] = field(default_factory=list)
    model: Any = None
    lost_names: set[str] = field(default_factory=set)
    has_lent_section: bool = False

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
        known = [f"{fault.path}." for fault in self.faults]
        # What is missing around a fault that was taken out is not a second fault.
        self.faults += [fault for _, fault in found if not any(path.startswith(f"{fault.path}.") for path in known)]

    def _take_out(self, loc: Loc) -> None:
        """Put back what the spare document says at `loc`, or remove the nearest thing that can be done without."""
        holder, key = _holder(self.tree, loc)
        if holder is None:
            self._lend(loc)
        elif isinstance(holder, dict) and f"{key}" in holder:
            lent = self._spare_at(loc)
            if lent is None or lent == holder[f"{key}"]:
                del holder[f"{key}"]
            else:
                holder[f"{key}"] = reading.plain(lent)
        elif isinstance(holder, list) and isinstance(key, int) and key < len(holder):
            self.lost_names.add(name_of(holder[key]) or "")
            del holder[key]
        else:
            self._lend(loc)

    def _lend(self, loc: Loc) -> None:
        """Fill in what is missing from the spare document, or take out what it is missing from."""
        lent = self._spare_at(loc)
        holder, key = _holder(self.tree, loc)
        if lent is not None and isinstance(holder, dict):
            holder[f"{key}"] = reading.plain(lent)
            self.has_lent_section = self.has_lent_section or len(loc) == 1
        elif len(loc) > 1:
            self._take_out(loc[:-1])
        else:
            self.tree = reading.plain_document(self.spare)
            self.has_lent_section = True

    def _spare_at(self, loc: Loc) -> object:
        """Return what stands at `loc` in the spare document, list items found by name."""
        node: Any = self.spare
        own: Any = self.tree
        for part in loc:
            if isinstance(own, list) and isinstance(node, list) and isinstance(part, int) and part < len(own):
                own = own[part]
                node = next((item for item in node if name_of(item) and name_of(item) == name_of(own)), None)
            else:
                own = own.get(f"{part}") if isinstance(own, dict) else None
                node = node.get(f"{part}") if isinstance(node, dict) else None
        return FILLERS.get(f"{loc[-1]}") if node is None and loc[:2] == ("workload", "classes") else node


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
