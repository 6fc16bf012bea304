"""The fast path over ordinary lines, compiled by numba; the same answers as `scan_numpy`.

Besides the lines that `scan_numpy` takes it knows quoted labels, instance weights and comments.
It has no strings and no dates: files that have those stay with `scan_numpy`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Floats
from j48geo.compilation import compile_loop, helper
from j48geo.core.dataset import Header
from j48geo.data.arff.scan_numpy import Scan, plain_labels

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_POWERS = np.array([10.0**power for power in range(23)])  # all exact
_LARGEST_MANTISSA = 2**53
_HASH_SEED = 1469598103
_HASH_FACTOR = 16777619
_HASH_MASK = 0xFFFFFFFF


def _hash(word: bytes) -> int:
    """The hash that the kernel computes."""
    value = _HASH_SEED
    for byte in word:
        value = ((value ^ byte) * _HASH_FACTOR) & _HASH_MASK
    return value


class _Labels(NamedTuple):
    """The labels of all nominal columns, in one open hash table a column.

    Parameters
    ----------
    first : array of int64, shape (n_attributes + 1,)
        Column k has the slots from ``first[k]`` up to ``first[k + 1]``: none, or a power of 2.
    slots : array of int64
        Number of a label, or -1.
    places : array of int64, shape (n_labels + 1,)
        The bytes of label k are those in `content` from ``places[k]`` up to ``places[k + 1]``.
    codes : array of float64, shape (n_labels,)
        Index of each label in its column.
    """

    first: Ints
    slots: Ints
    places: Ints
    codes: Floats
    content: Bytes


def _labels(header: Header) -> _Labels:
    first: list[int] = []
    slots: list[int] = []
    places: list[int] = [0]
    codes: list[float] = []
    content: list[bytes] = []
    for attribute in header.attributes:
        first.append(len(slots))
        if attribute.type != "nominal":
            continue
        labels = plain_labels(attribute)
        size = 1 << (2 * len(labels) + 1).bit_length()  # at most half full
        table = [-1] * size
        for label, code in labels.items():
            slot = _hash(label) % size
            while table[slot] >= 0:
                slot = (slot + 1) % size
            table[slot] = len(codes)
            codes.append(code)
            content.append(label)
            places.append(places[-1] + len(label))
        slots += table
    first.append(len(slots))
    return _Labels(
        np.array(first, dtype=np.int64),
        np.array(slots, dtype=np.int64),
        np.array(places, dtype=np.int64),
        np.array(codes, dtype=np.float64),
        np.frombuffer(b"".join(content) or b"\0", dtype=np.uint8),
    )


class _Room(NamedTuple):
    """Where a scan puts what it finds.

    Parameters
    ----------
    X, weights, line
        As in `Scan`.
    slow : array of int64, shape (2, n)
        Lines for the exact reader, and where they begin.
    hard : array of int64, shape (3, n)
        Numbers for Python to read: their cell in `X`, their first byte and the one behind.
    """

    X: Floats
    weights: Floats
    line: Ints
    slow: Ints
    hard: Ints


class KernelScanner:
    """Finds and reads the ordinary lines of a block.

    Parameters
    ----------
    header
        Of numeric and nominal attributes alone.
    """

    def __init__(self, header: Header) -> None:
        self._labels = _labels(header)
        self._scan_lines = compile_loop(_scan_lines)

    def scan(self, block: bytes, start: int) -> Scan:
        """Read what is ordinary in ``block[start:]``, which begins and ends with a line."""
        if not block.endswith((b"\n", b"\r")):
            block += b"\n"
        view = np.frombuffer(block, dtype=np.uint8)
        lines = block.count(b"\n", start) + block.count(b"\r", start) + 1
        # A row takes a byte for each value and one between two of them.
        width = len(self._labels.first) - 1
        rows = min(lines, (len(block) - start + 1) // (2 * width) + 1)
        room = _Room(
            np.empty((rows, width)),
            np.ones(rows),
            np.empty(rows, dtype=np.int64),
            np.empty((2, lines), dtype=np.int64),
            np.empty((3, (len(block) - start) // 8 + 8), dtype=np.int64),
        )
        n_rows, n_slow, n_hard, n_lines = self._scan_lines(view, start, self._labels, room)
        X, weights, line, slow, hard = room
        X = X[:n_rows]
        if n_hard:
            cells, starts, ends = hard[:, :n_hard].tolist()
            numbers = [float(block[a:b]) for a, b in zip(starts, ends, strict=True)]
            X.reshape(-1)[cells] = numbers
        return Scan(X, weights[:n_rows], line[:n_rows], slow[0, :n_slow], slow[1, :n_slow], n_lines)


@helper
def _ends_word(byte: int) -> bool:
    """Whether a byte ends a word: a separator, a comment, a quote or a brace."""
    return (
        byte <= 32
        or byte == 44
        or byte == 37
        or byte == 39
        or byte == 34
        or byte == 123
        or byte == 125
    )


@helper
def _label(view: Bytes, at: int, column: int, labels: _Labels) -> tuple[int, float]:
    """Where the label at `at` ends, and its index, NaN for ``?``; -1 if it is none."""
    quote = view[at]
    quoted = quote == 39 or quote == 34
    at += quoted
    start = at
    value = np.int64(_HASH_SEED)
    while True:
        byte = view[at]
        if quoted:
            if byte == quote or byte == 10 or byte == 13 or byte == 92:
                break
        elif _ends_word(byte):
            break
        value = ((value ^ byte) * _HASH_FACTOR) & _HASH_MASK
        at += 1
    length = at - start
    if quoted:
        if view[at] != quote:
            return -1, 0.0
        at += 1
    elif length == 0:  # a brace, which is no empty label
        return -1, 0.0
    elif length == 1 and quote == 63:
        return at, np.nan
    base = labels.first[column]
    mask = labels.first[column + 1] - base - 1
    slot = value & mask
    while labels.slots[base + slot] >= 0:
        label = labels.slots[base + slot]
        place = labels.places[label]
        if labels.places[label + 1] - place == length:
            i = 0
            while i < length and labels.content[place + i] == view[start + i]:
                i += 1
            if i == length:
                return at, labels.codes[label]
        slot = (slot + 1) & mask
    return -1, 0.0


@helper
def _number(view: Bytes, at: int) -> tuple[int, float, bool]:
    """Where the number at `at` ends, -1 if it is none; its value; whether Python must read it."""
    negative = view[at] == 45
    if negative or view[at] == 43:
        at += 1
    mantissa = np.int64(0)
    exponent = 0
    start = at
    digit = np.int64(view[at]) - 48
    while 0 <= digit <= 9:
        mantissa = mantissa * 10 + digit
        at += 1
        digit = np.int64(view[at]) - 48
    digits = at - start
    if view[at] == 46:
        at += 1
        start = at
        digit = np.int64(view[at]) - 48
        while 0 <= digit <= 9:
            mantissa = mantissa * 10 + digit
            at += 1
            digit = np.int64(view[at]) - 48
        exponent = start - at
        digits -= exponent
    if digits == 0:
        return -1, 0.0, False
    if view[at] == 101 or view[at] == 69:
        at += 1
        sign = -1 if view[at] == 45 else 1
        at += view[at] == 45 or view[at] == 43
        power = 0
        start = at
        while 48 <= view[at] <= 57:
            if power < 100000:
                power = power * 10 + (np.int64(view[at]) - 48)  # type: ignore[assignment]
            at += 1
        if at == start:
            return -1, 0.0, False
        exponent += sign * power
    if not _ends_word(view[at]):
        return -1, 0.0, False
    if digits > 18 or mantissa > _LARGEST_MANTISSA or not -22 <= exponent <= 22:
        return at, 0.0, True
    number = mantissa / _POWERS[-exponent] if exponent < 0 else mantissa * _POWERS[exponent]
    return at, -number if negative else number, False


def _scan_lines(view: Bytes, start: int, labels: _Labels, room: _Room) -> tuple[int, int, int, int]:
    """One pass over the bytes.

    The last byte ends a line, so that no loop over a word need look for the end of the block.
    """
    first = labels.first
    X, weights, line, slow, hard = room
    size = len(view)
    width = len(first) - 1
    n_rows = 0
    n_slow = 0
    n_hard = 0
    n_lines = 0
    at = start
    while at < size:
        line_start = at
        column = 0
        hard_before = n_hard
        weight = 1.0
        state = 0  # 0 values, 1 a weight is expected, 2 its brace, 3 the end of the line
        ordinary = True
        while True:
            byte = view[at]
            if byte <= 32 or byte == 44:
                if byte == 10 or byte == 13:
                    break
                at += 1
            elif byte == 37:  # a comment
                while view[at] != 10 and view[at] != 13:
                    at += 1
                break
            elif state == 0 and column < width:
                is_hard = False
                if first[column + 1] > first[column]:
                    end, number = _label(view, at, column, labels)
                elif byte == 63 and _ends_word(view[at + 1]):
                    end, number = at + 1, np.nan
                else:
                    end, number, is_hard = _number(view, at)
                if end < 0 or (is_hard and n_hard == hard.shape[1]):
                    ordinary = False
                    break
                if is_hard:
                    hard[0, n_hard] = n_rows * width + column
                    hard[1, n_hard] = at
                    hard[2, n_hard] = end
                    n_hard += 1
                X[n_rows, column] = number
                column += 1
                at = end
            elif (state == 0 and byte == 123) or (state == 2 and byte == 125):
                state += 1
                at += 1
            elif state == 1:
                at, weight, is_hard = _number(view, at)
                state = 2
                if at < 0 or is_hard:
                    ordinary = False
                    break
            else:
                ordinary = False
                break

        if ordinary and column == 0:
            pass  # an empty line
        elif ordinary and column == width and (state == 0 or state == 3):
            weights[n_rows] = weight
            line[n_rows] = n_lines
            n_rows += 1
        else:
            n_hard = hard_before
            slow[0, n_slow] = n_lines
            slow[1, n_slow] = line_start
            n_slow += 1
            at = max(at, line_start)
            while view[at] != 10 and view[at] != 13:
                at += 1
        if view[at] == 13 and at + 1 < size and view[at + 1] == 10:
            at += 1
        at += 1
        n_lines += 1
    return n_rows, n_slow, n_hard, n_lines
