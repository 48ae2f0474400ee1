"""Random numbers that depend on what they are for and on nothing else.

Every draw is a function of (seed, replication, purpose, entity, index): the first four make the
key of a Philox counter generator through blake2b, the index is the place in its sequence. Adding
a class or a tenant, or drawing in another order, changes no other draw, so two policies see the
same world and a longer run begins with the shorter one. Replication 0 is the seed itself.
"""

import json
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


class Stream:
    """An endless sequence of uniform numbers for one purpose of one entity."""

    def __init__(self, key: bytes) -> None:
        self._bits = Philox(key=int.from_bytes(key, "little"))

    def uniform(self, n: int) -> Float64:
        """Return the next `n` numbers of the sequence, strictly between 0 and 1.

        Returns
        -------
        float64, shape (n,)
            The middles of 2**52 equal cells: 0 and 1 never occur and every value is exact.
        """
        cells = (self._bits.random_raw(n) >> np.uint64(12)).astype(np.float64)
        return (cells + 0.5) * 2.0**-52


@dataclass(frozen=True)
class Streams:
    """All random numbers of one replication of one seed.

    Attributes
    ----------
    seed : int
        `run.seed` of the scenario.
    replication : int
        0 is the seed itself; every other number is another, independent world.
    """

    seed: int
    replication: int = 0

    def open(self, purpose: str, entity: str) -> Stream:
        """Return the sequence for `purpose` (for example "gap") of `entity` from its beginning.

        An entity carries its kind, for example "class:pretrain".
        """
        name = json.dumps([self.seed, self.replication, purpose, entity])
        return Stream(blake2b(name.encode("ascii"), digest_size=16).digest())

    def uniform(self, purpose: str, entity: str, n: int) -> Float64:
        """Return the first `n` numbers for `purpose` of `entity`, float64, shape (n,)."""
        return self.open(purpose, entity).uniform(n)
