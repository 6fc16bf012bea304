"""Java's ``java.util.Random``: the linear congruential generator of its documentation."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Ints

_MASK = (1 << 48) - 1


class JavaRandom:
    """Random numbers as Java's class of that name gives them.

    Examples
    --------
    >>> random = JavaRandom(1)
    >>> [random.next_int(100) for _ in range(5)]
    [85, 88, 47, 13, 54]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ 0x5DEECE66D) & _MASK

    def _bits(self, count: int) -> int:
        """The next `count` bits as a signed number."""
        self._state = (self._state * 0x5DEECE66D + 0xB) & _MASK
        bits = self._state >> (48 - count)
        return bits - (1 << 32) if count == 32 and bits >= 1 << 31 else bits

    def next_int(self, bound: int) -> int:
        """A whole number from 0 up to `bound`, without it."""
        if bound & -bound == bound:
            return (bound * self._bits(31)) >> 31
        while True:
            bits = self._bits(31)
            value = bits % bound
            if bits - value + bound - 1 < 1 << 31:
                return value

    def shuffle(self, rows: Ints) -> Ints:
        """The rows in the order in which Weka's ``Instances.randomize`` leaves them.

        From the last row to the second, each changes places with one up to itself.
        """
        order = rows.tolist()
        for j in range(len(order) - 1, 0, -1):
            i = self.next_int(j + 1)
            order[i], order[j] = order[j], order[i]
        return np.array(order, dtype=np.intp)
