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

LongInts = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_POWERS = np.array([10.0**power for power in range(23)])  # all exact
_LARGEST_MANTISSA = 2**53
_HASH_SEED = 1469598103
_HASH_FACTOR = 16777619
_HASH_MASK = 0xFFFFFFFF

_LINE_FEED, _RETURN, _BLANK, _BACKSLASH = ord("\n"), ord("\r"), ord(" "), ord("\\")
_COMMA, _PERCENT, _QUESTION_MARK = ord(","), ord("%"), ord("?")
_APOSTROPHE, _QUOTE, _OPEN_BRACE, _CLOSE_BRACE = ord("'"), ord('"'), ord("{"), ord("}")
_PLUS, _MINUS, _POINT, _ZERO, _NINE = ord("+"), ord("-"), ord("."), ord("0"), ord("9")
_SMALL_E, _LARGE_E = ord("e"), ord("E")

# What a line must have next: values, then its end; or a weight, its closing brace, and the end.
_VALUES, _WEIGHT, _CLOSING_BRACE, _LINE_END = range(4)


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

    first: LongInts
    slots: LongInts
    places: LongInts
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
    line: LongInts
    slow: LongInts
    hard: LongInts


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
    return byte <= _BLANK or byte in (
        _COMMA,
        _PERCENT,
        _APOSTROPHE,
        _QUOTE,
        _OPEN_BRACE,
        _CLOSE_BRACE,
    )


@helper
def _label(view: Bytes, at: int, column: int, labels: _Labels) -> tuple[int, float]:
    """Where the label at `at` ends, and its index, NaN for ``?``; -1 if it is none."""
    quote = view[at]
    quoted = quote in (_APOSTROPHE, _QUOTE)
    at += quoted
    start = at
    value = np.int64(_HASH_SEED)
    while True:
        byte = view[at]
        if quoted:
            if byte == quote or byte in (_LINE_FEED, _RETURN, _BACKSLASH):
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
    elif length == 1 and quote == _QUESTION_MARK:
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
    negative = view[at] == _MINUS
    if negative or view[at] == _PLUS:
        at += 1
    mantissa = np.int64(0)
    exponent = 0
    start = at
    digit = np.int64(view[at]) - _ZERO
    while 0 <= digit <= 9:
        mantissa = mantissa * 10 + digit
        at += 1
        digit = np.int64(view[at]) - _ZERO
    digits = at - start
    if view[at] == _POINT:
        at += 1
        start = at
        digit = np.int64(view[at]) - _ZERO
        while 0 <= digit <= 9:
            mantissa = mantissa * 10 + digit
            at += 1
            digit = np.int64(view[at]) - _ZERO
        exponent = start - at
        digits -= exponent
    if digits == 0:
        return -1, 0.0, False
    if view[at] == _SMALL_E or view[at] == _LARGE_E:
        at += 1
        sign = -1 if view[at] == _MINUS else 1
        at += view[at] == _MINUS or view[at] == _PLUS
        power = 0
        start = at
        while _ZERO <= view[at] <= _NINE:
            if power < 100000:
                power = power * 10 + (np.int64(view[at]) - _ZERO)  # type: ignore[assignment]
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


@helper
def _ends_line(byte: int) -> bool:
    """Whether a byte ends a line."""
    return byte in (_LINE_FEED, _RETURN)


@helper
def _scan_line(
    view: Bytes, at: int, n_rows: int, n_hard: int, labels: _Labels, room: _Room
) -> tuple[int, int, int, float, bool]:
    """One line into row `n_rows`: where it stopped, columns, hard numbers, weight, ordinary or not.

    It stops at the end of the line, or at what only the exact reader can read.
    """
    first = labels.first
    width = len(first) - 1
    column = 0
    weight = 1.0
    state = _VALUES
    while True:
        byte = view[at]
        if byte <= _BLANK or byte == _COMMA:
            if _ends_line(byte):
                break
            at += 1
        elif byte == _PERCENT:  # a comment, up to the end of the line
            while not _ends_line(view[at]):
                at += 1
            break
        elif state == _VALUES and column < width:
            is_hard = False
            if first[column + 1] > first[column]:
                end, number = _label(view, at, column, labels)
            elif byte == _QUESTION_MARK and _ends_word(view[at + 1]):
                end, number = at + 1, np.nan
            else:
                end, number, is_hard = _number(view, at)
            if end < 0 or (is_hard and n_hard == room.hard.shape[1]):
                return at, column, n_hard, weight, False
            if is_hard:
                room.hard[0, n_hard] = n_rows * width + column
                room.hard[1, n_hard] = at
                room.hard[2, n_hard] = end
                n_hard += 1
            room.X[n_rows, column] = number
            column += 1
            at = end
        elif (state == _VALUES and byte == _OPEN_BRACE) or (
            state == _CLOSING_BRACE and byte == _CLOSE_BRACE
        ):
            state += 1
            at += 1
        elif state == _WEIGHT:
            end, weight, is_hard = _number(view, at)
            state = _CLOSING_BRACE
            if end < 0 or is_hard:
                return at, column, n_hard, weight, False
            at = end
        else:
            return at, column, n_hard, weight, False
    is_whole = column == 0 or (column == width and (state in (_VALUES, _LINE_END)))
    return at, column, n_hard, weight, is_whole


def _scan_lines(view: Bytes, start: int, labels: _Labels, room: _Room) -> tuple[int, int, int, int]:
    """One pass over the bytes.

    The last byte ends a line, so that no loop over a word need look for the end of the block.
    """
    size = len(view)
    n_rows = 0
    n_slow = 0
    n_hard = 0
    n_lines = 0
    at = start
    while at < size:
        line_start = at
        at, column, n_hard_after, weight, is_ordinary = _scan_line(
            view, at, n_rows, n_hard, labels, room
        )
        if not is_ordinary:  # left to the exact reader; its hard numbers are forgotten
            room.slow[0, n_slow] = n_lines
            room.slow[1, n_slow] = line_start
            n_slow += 1
            while not _ends_line(view[at]):
                at += 1
        elif column > 0:  # otherwise the line is empty
            room.weights[n_rows] = weight
            room.line[n_rows] = n_lines
            n_rows += 1
            n_hard = n_hard_after
        if view[at] == _RETURN and at + 1 < size and view[at + 1] == _LINE_FEED:
            at += 1
        at += 1
        n_lines += 1
    return n_rows, n_slow, n_hard, n_lines
