"""Sets of GPU types, numbered as they appear."""

TypeSet = tuple[str, ...] | None


class TypeSets:
    """Numbers for the sets of GPU types that jobs accept; None accepts any type."""

    def __init__(self) -> None:
        self._index: dict[TypeSet, int] = {}

    def index(self, types: TypeSet) -> int:
        """Return the number of a set; the order of the types in it does not matter."""
        key = None if types is None else tuple(sorted(set(types)))
        return self._index.setdefault(key, len(self._index))

    @property
    def all(self) -> tuple[TypeSet, ...]:
        """The sets in order of their numbers."""
        return tuple(self._index)
