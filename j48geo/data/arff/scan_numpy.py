"""The fast path over ordinary lines, with NumPy and the standard library alone.

A line is ordinary if it has no quote, brace or comment, exactly as many words as there are
attributes, and each of them is a plain number, a declared label, a date, any word for a string
column, or ``?``. All other lines are named `slow` and left to the exact reader, so what is
read here is read as there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import tzinfo

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats
from j48geo.core.dataset import Attribute, Header


@dataclass
class Scan:
    """The cells of a block, and which of its lines the exact reader must read.

    Parameters
    ----------
    X, weights : arrays of float64, shapes (n_rows, n_attributes) and (n_rows,)
        The rows of ordinary lines; string columns are still to be filled in.
    line : array of int64, shape (n_rows,)
        The line of each row, the first of the block being 0.
    slow, slow_start : arrays of int64
        Lines that the exact reader must read, and the byte of the block each begins at.
    lines
        How many lines the block has.
    words
        For each string column the words of the rows.
    """

    X: Floats
    weights: Floats
    line: NDArray[np.int64]
    slow: NDArray[np.int64]
    slow_start: NDArray[np.int64]
    lines: int
    words: dict[int, list[bytes]] = field(default_factory=dict)


_SEPARATOR, _SPECIAL = 1, 2
_CLASSES = np.zeros(256, dtype=np.uint8)
_CLASSES[:33] = _SEPARATOR
_CLASSES[ord(",")] = _SEPARATOR
_CLASSES[list(b"%'\"{}")] = _SPECIAL

_MISSING = float("nan")

_Word = Callable[[bytes], float | None]


def plain_labels(attribute: Attribute) -> dict[bytes, float]:
    """Index of each label by its bytes.

    A label with U+FFFD is left out: bytes that are no UTF-8 can mean it, too.
    """
    return {
        label.encode("utf-8"): float(index)
        for label, index in attribute.index_of.items()
        if "\ufffd" not in label
    }


def _date_word(attribute: Attribute, zone: tzinfo) -> _Word:
    from j48geo.java.dates import DateFormat  # most files have no dates

    date_format = DateFormat(attribute.format or "", zone=zone)

    def word(text: bytes) -> float | None:
        if not text.isascii():
            return None
        return _MISSING if text == b"?" else date_format.milliseconds(text.decode("ascii"))

    return word


class PlainScanner:
    """Finds and reads the ordinary lines of a block.

    Parameters
    ----------
    header
        Without relational attributes.
    """

    def __init__(self, header: Header, *, zone: tzinfo) -> None:
        self._width = len(header)
        self._number_columns: list[int] = []
        self._string_columns: list[int] = []
        self._words: dict[int, _Word] = {}
        for index, attribute in enumerate(header.attributes):
            if attribute.type == "numeric":
                self._number_columns.append(index)
            elif attribute.type == "nominal":
                self._words[index] = (plain_labels(attribute) | {b"?": _MISSING}).get
            elif attribute.type == "date":
                self._words[index] = _date_word(attribute, zone)
            else:
                self._string_columns.append(index)

    def scan(self, block: bytes, start: int) -> Scan:
        """Read what is ordinary in ``block[start:]``, which begins and ends with a line."""
        view = np.frombuffer(block, dtype=np.uint8)[start:]
        line_starts = _line_starts(view, has_returns=b"\r" in block)
        kinds = _CLASSES[view]
        begins, ends = _edges(kinds != _SEPARATOR)
        first = np.searchsorted(begins, line_starts)
        counts = np.diff(first, append=len(begins))
        slow = (counts != self._width) & (counts != 0)
        special = np.flatnonzero(kinds == _SPECIAL)
        slow[np.searchsorted(line_starts, special, side="right") - 1] = True
        ordinary = np.flatnonzero(~slow & (counts != 0))

        # From here on only the words of ordinary lines: a row of a table for each line.
        words = first[ordinary, None] + np.arange(self._width)
        begins, ends = begins[words], ends[words]
        X = np.empty((len(ordinary), self._width))
        bad = np.zeros(len(ordinary), dtype=bool)
        if self._number_columns:
            columns = self._number_columns
            numbers = parse_numbers(view, begins[:, columns].ravel(), ends[:, columns].ravel())
            X[:, columns] = numbers[0].reshape(-1, len(columns))
            bad |= numbers[1].reshape(-1, len(columns)).any(axis=1)

        def of_column(index: int) -> list[bytes]:
            edges = zip(
                (begins[:, index] + start).tolist(), (ends[:, index] + start).tolist(), strict=True
            )
            return [block[a:b] for a, b in edges]

        for index, word in self._words.items():
            values = list(map(word, of_column(index)))
            if None in values:
                bad |= [value is None for value in values]
            X[:, index] = np.array(values, dtype=np.float64)  # None becomes NaN
        strings = {index: of_column(index) for index in self._string_columns}
        if bad.any():
            slow[ordinary[bad]] = True
            X, ordinary = X[~bad], ordinary[~bad]
            plain_rows = np.flatnonzero(~bad).tolist()
            strings = {i: [column[k] for k in plain_rows] for i, column in strings.items()}
        lines = np.flatnonzero(slow)
        slow_starts = line_starts[lines] + start
        return Scan(X, np.ones(len(X)), ordinary, lines, slow_starts, len(line_starts), strings)


def _line_starts(view: NDArray[np.uint8], *, has_returns: bool) -> NDArray[np.int64]:
    is_end = view == 10
    if has_returns:
        lone = view == 13
        lone[:-1] &= view[1:] != 10
        is_end |= lone
    ends = np.flatnonzero(is_end)
    starts = np.concatenate(([0], ends + 1))
    return starts[:-1] if starts[-1] == len(view) else starts


def _edges(inside: Bools) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each run of True begins, and the place behind its end."""
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    if len(inside) and inside[0]:
        edges = np.concatenate(([0], edges))
    if len(edges) % 2:
        edges = np.concatenate((edges, [len(inside)]))
    return edges[0::2], edges[1::2]


# ---------------------------------------------------------------- many numbers at once

# A number such as -12.5 is the whole number 125, divided by a power of ten and negated. NumPy
# reads whole numbers quickly; up to 2^53, and for powers up to 10^22, the one division is
# rounded as the number itself would be. The rest is read one by one.

_POWERS = np.array([10.0**power for power in range(23)])  # all exact
_LARGEST_MANTISSA = 2**53
_MOST_DIGITS = 18
_BLANK = 32

_DIGIT, _POINT, _MINUS, _OTHER = 0, 1, 2, 3
_KINDS = np.full(256, _OTHER, dtype=np.uint8)
_KINDS[list(b"0123456789 ")] = _DIGIT
_KINDS[ord(".")] = _POINT
_KINDS[ord("-")] = _MINUS

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def parse_numbers(
    view: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers that stand in ``view[begins[i]:ends[i]]``; ``?`` is NaN.

    Parameters
    ----------
    begins, ends
        Edges of the words, rising, with something between two of them.

    Returns
    -------
    values : array of float64, shape (n,)
    bad : array of bool, shape (n,)
        True where a word is no plain number: its value means nothing.
    """
    values = np.full(len(begins), np.nan)
    bad = np.zeros(len(begins), dtype=bool)
    if not len(begins):
        return values, bad
    text = np.where(_inside(len(view), begins, ends), view, np.uint8(_BLANK))
    kinds = _KINDS[text]
    points = np.flatnonzero(kinds == _POINT)
    pointed = _word_of(points, begins)
    negative = text[begins] == ord("-")

    # How many digits, and how many of them behind the point.
    digits = ends - begins - negative
    digits[pointed] -= 1
    decimals = np.zeros(len(begins), dtype=np.int64)
    decimals[pointed] = ends[pointed] - points - 1

    odd = (digits < 1) | (digits > _MOST_DIGITS)
    odd[pointed[1:][pointed[1:] == pointed[:-1]]] = True
    odd[_word_of(np.flatnonzero(kinds == _OTHER), begins)] = True
    if np.count_nonzero(kinds == _MINUS) != np.count_nonzero(negative):
        minus = np.flatnonzero(kinds == _MINUS)
        word = _word_of(minus, begins)
        odd[word[minus != begins[word]]] = True

    plain = ~odd
    if odd.any():
        inside = _inside(len(view), begins[plain], ends[plain])
        text = np.where(inside, view, np.uint8(_BLANK))
    if plain.any():
        whole = np.fromstring(text.tobytes().translate(None, b".-"), dtype=np.int64, sep=" ")
        numbers = whole / _POWERS[decimals[plain]]
        values[plain] = np.where(negative[plain], -numbers, numbers)
        odd[plain] = whole > _LARGEST_MANTISSA
    if odd.any():
        inside = _inside(len(view), begins[odd], ends[odd])
        words = np.where(inside, view, np.uint8(_BLANK)).tobytes().split()
        numbers_or_none = _one_by_one(words)
        values[odd] = np.array(numbers_or_none, dtype=np.float64)  # None becomes NaN
        bad[odd] = [number is None for number in numbers_or_none]
    return values, bad


def _one_by_one(words: list[bytes]) -> list[float] | list[float | None]:
    # With these bytes alone Python and Java agree on what is a number.
    if not b"".join(words).translate(None, b"0123456789+-.eE"):
        try:
            return [float(word) for word in words]
        except ValueError:
            pass
    return [_number(word) for word in words]


def _number(word: bytes) -> float | None:
    if word == b"?":
        return float("nan")
    return float(word) if _NUMBER.fullmatch(word) else None


def _inside(size: int, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True within the words."""
    steps = np.zeros(size + 1, dtype=np.int8)
    steps[begins] = 1
    steps[ends] = -1
    return np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)


def _word_of(places: NDArray[np.int64], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which word each place is in."""
    return np.searchsorted(begins, places, side="right") - 1
