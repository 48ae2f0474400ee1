"""Results that several callers share: computed once for each key, the least used dropped first.

The dashboard keeps its own store of runs because Streamlit's cache may not draw while it computes, and a long run
draws its progress.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """A bounded store; callers who ask for the same key at the same time wait for one computation.

    Parameters
    ----------
    most : int
        Values kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[str, V] = OrderedDict()
        self._busy: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def find(self, key: str) -> V | None:
        """Return the value of `key` if it is there, else None."""
        with self._lock:
            return self._values.get(key)

    def get(self, key: str, make: Callable[[], V]) -> V:
        """Return the value of `key`; `make` computes it when it is not there.

        Parameters
        ----------
        key : str
            Hash of everything the value depends on.
        make : callable
            Computes it; when it raises, nothing is kept.

        Returns
        -------
        object
            The value, shared with every other caller: never change it.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:
            with self._lock:
                if key in self._values:
                    return self._values[key]
            value = make()
            with self._lock:
                self._values[key] = value
                self._busy.pop(key, None)
                while len(self._values) > self.most:
                    self._values.popitem(last=False)
            return value
