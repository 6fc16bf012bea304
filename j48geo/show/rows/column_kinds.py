"""The kinds of columns: whole numbers, numbers, labels, flags, texts, columns within a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass
from math import isnan
from typing import Any, Generic

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Attribute
from j48geo.show.rows import cells
from j48geo.show.rows.cells import AnyInts, Cells
from j48geo.show.rows.columns import (
    B,
    ColumnKind,
    ColumnList,
    StoredColumnKind,
    csv_cell,
    quote_json,
)
from j48geo.show.text import Style, align_left, format_exact, json_text, paint, shorten
from j48geo.text import to_one_line


def format_four_decimals(x: float) -> str:
    """A probability with four decimals, for people."""
    return "?" if isnan(x) else f"{x:.4f}"


class IntegerColumn(StoredColumnKind[Any]):
    """Whole numbers: a range or an array of them."""

    arrow = "int64"

    def csv(self, values: Any, safe: bool) -> Cells:
        return cells.IntegerCells(values)

    def json(self, values: Any) -> Cells:
        return self.csv(values, False)

    def format_table(self, width: int, style: Style) -> Callable[[Any], Sequence[str]]:
        return lambda values: [text.rjust(width) for text in self.csv(values, False).texts()]

    def attribute(self, name: str) -> Attribute:
        return Attribute(name)

    def stored(self, values: Any) -> Floats:
        return np.asarray(values, dtype=np.float64)


@dataclass(frozen=True)
class NumberColumn(StoredColumnKind[Floats]):
    """Numbers with all their digits; JSON has null for what is not finite.

    Parameters
    ----------
    shown
        How people see a number.
    short
        Whether CSV spells whole numbers without a decimal point.
    """

    shown: Callable[[float], str] = format_four_decimals
    short: bool = False
    right: bool = True
    arrow = "double"

    def csv(self, values: Floats, safe: bool) -> Cells:
        return cells.FloatCells(values, ("", "Infinity", "-Infinity"), self.short)

    def json(self, values: Floats) -> Cells:
        return cells.FloatCells(values, ("null", "null", "null"))

    def format_table(self, width: int, style: Style) -> Callable[[Floats], Sequence[str]]:
        side = ">" if self.right else "<"
        return lambda values: [f"{self.shown(x):{side}{width}}" for x in values.tolist()]

    def attribute(self, name: str) -> Attribute:
        return Attribute(name)

    def stored(self, values: Floats) -> Floats:
        return values


@dataclass(frozen=True)
class LabelColumn(StoredColumnKind[Ints]):
    """Indices of labels; -1 is missing: empty in CSV, null in JSON, ``?`` for people."""

    labels: tuple[str, ...]
    role = "label"
    right = False

    @property
    def texts(self) -> Sequence[str]:
        return [*map(to_one_line, self.labels), "?"]

    def csv(self, values: Ints, safe: bool) -> Cells:
        return cells.ChoiceCells([*(csv_cell(label, safe) for label in self.labels), ""], values)

    def json(self, values: Ints) -> Cells:
        return cells.ChoiceCells([*map(quote_json, self.labels), "null"], values)

    def format_table(self, width: int, style: Style) -> Callable[[Ints], Sequence[str]]:
        texts = [align_left(shorten(text, width), width) for text in self.texts]
        return lambda values: cells.ChoiceCells(texts, values).texts()

    def attribute(self, name: str) -> Attribute:
        return Attribute(name, "nominal", self.labels)

    def stored(self, values: Ints) -> Floats:
        return np.where(values < 0, np.nan, values).astype(np.float64)


class LeafColumn(ColumnKind[Ints]):
    """Indices of leaves, counted from 1 when shown; -1 if there is not one but several."""

    arrow = "int64"

    def csv(self, values: Ints, safe: bool) -> Cells:
        return self._numbers(values, "", 0)

    def json(self, values: Ints) -> Cells:
        return self._numbers(values, "null", 0)

    def format_table(self, width: int, style: Style) -> Callable[[Ints], Sequence[str]]:
        return lambda values: self._numbers(values, "-", width).texts()

    def _numbers(self, values: Ints, several: str, width: int) -> Cells:
        known: Sequence[int] = range(int(values.max(initial=-1)) + 1)
        if len(known) > len(values):  # a large tree: not all of its leaves for every block
            leaves, values = np.unique(values, return_inverse=True)
            known = leaves.tolist()
        texts = [f"{i + 1 if i >= 0 else several:>{width}}" for i in known]
        return cells.ChoiceCells([*texts, f"{several:>{width}}"], values)


def find_wrong(actual: AnyInts, predicted: AnyInts) -> Bools:
    """Where both classes are known and differ."""
    wrong: Bools = (actual >= 0) & (predicted >= 0) & (actual != predicted)
    return wrong


class MarkColumn(ColumnKind[Bools]):
    """A column with ``+`` where the predicted class is not the actual one."""

    right = False

    def csv(self, values: Bools, safe: bool) -> Cells:
        return cells.ChoiceCells(["", "+"], values.astype(np.intp))

    def json(self, values: Bools) -> Cells:
        return cells.ChoiceCells(["false", "true"], values.astype(np.intp))

    def format_table(self, width: int, style: Style) -> Callable[[Bools], Sequence[str]]:
        texts = " " * width, f"{'+':^{width}}".replace("+", paint("+", "red", style))
        return lambda values: [texts[x] for x in values.tolist()]


@dataclass(frozen=True)
class FlagColumn(ColumnKind[Ints]):
    """Sets of names, as bits; few different sets occur.

    Parameters
    ----------
    names
        From the bits to the names.
    sparse
        Whether JSON leaves the key out where no bit is set.
    """

    names: Callable[[int], list[str]]
    sparse: bool = False
    role = "text"
    right = False

    def csv(self, values: Ints, safe: bool) -> Cells:
        return self._each(values, " ".join)

    def json(self, values: Ints) -> Cells:
        return self._each(
            values, lambda names: json_text(names) if names or not self.sparse else ""
        )

    def format_table(self, width: int, style: Style) -> Callable[[Ints], Sequence[str]]:
        return lambda values: self._each(values, " ".join).texts()

    def _each(self, values: Ints, format_names: Callable[[list[str]], str]) -> Cells:
        if not values.any():
            return cells.ConstantCells(format_names([]), len(values))
        different, which = np.unique(values, return_inverse=True)
        return cells.ChoiceCells(
            [format_names(self.names(bits)) for bits in different.tolist()], which
        )


@dataclass(frozen=True)
class ConstantColumn(ColumnKind[Sized]):
    """A column of one text in every row."""

    text: str
    role = "label"
    right = False

    @property
    def texts(self) -> Sequence[str]:
        return [to_one_line(self.text)]

    def csv(self, values: Sized, safe: bool) -> Cells:
        return cells.ConstantCells(csv_cell(self.text, safe), len(values))

    def json(self, values: Sized) -> Cells:
        return cells.ConstantCells(quote_json(self.text), len(values))

    def format_table(self, width: int, style: Style) -> Callable[[Sized], Sequence[str]]:
        cell = align_left(shorten(to_one_line(self.text), width), width)
        return lambda values: [cell] * len(values)


class TextColumn(ColumnKind[Sequence[str]]):
    """A column of texts."""

    role = "text"
    right = False

    def csv(self, values: Sequence[str], safe: bool) -> Cells:
        return cells.TextCells([csv_cell(text, safe) for text in values])

    def json(self, values: Sequence[str]) -> Cells:
        return cells.TextCells(list(map(quote_json, values)))

    def format_table(self, width: int, style: Style) -> Callable[[Sequence[str]], Sequence[str]]:
        return lambda values: [align_left(to_one_line(text), width) for text in values]


class ValueColumn(ColumnKind[Sequence[object]]):
    """Whatever a small table holds: None is an empty cell, floats have all their digits."""

    role = "text"
    right = False

    def csv(self, values: Sequence[object], safe: bool) -> Cells:
        return cells.TextCells([_format_value(value, safe) for value in values])

    def json(self, values: Sequence[object]) -> Cells:
        return cells.TextCells(list(map(quote_json, values)))

    def format_table(self, width: int, style: Style) -> Callable[[Sequence[object]], Sequence[str]]:
        return lambda values: [
            align_left(to_one_line(_format_value(x, False)), width) for x in values
        ]


def _format_value(value: object, safe: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return format_exact(value)
    return csv_cell(value, safe) if isinstance(value, str) else str(value)


@dataclass(frozen=True)
class NestedColumn(ColumnKind[B], Generic[B]):
    """Columns within a column: an object in JSON. Its values are the blocks themselves.

    Parameters
    ----------
    whole
        Whether there is no object, but null, where one of its values is null.
    """

    columns: ColumnList[B]
    whole: bool = False
    role = "text"
    right = False

    def csv(self, values: B, safe: bool) -> Cells:
        return self.json(values).change_texts(csv_cell)

    def json(self, values: B) -> Cells:
        inner = [column.json(values) for column in self.columns]
        objects = cells.JoinedCells(object_leads(self.columns), inner, "}")
        if not self.whole:
            return objects
        null = np.any([column.equals_text("null") for column in inner], axis=0)
        if not null.any():
            return objects
        pairs = zip(null.tolist(), objects.texts(), strict=True)
        return cells.TextCells(["null" if empty else text for empty, text in pairs])

    def format_table(self, width: int, style: Style) -> Callable[[B], Sequence[str]]:
        return lambda values: [to_one_line(text) for text in self.json(values).texts()]


def object_leads(columns: ColumnList[B]) -> list[str]:
    """What stands before each cell in the JSON object of a row; ``}`` ends it."""
    return [
        "" if column.kind.sparse else f"{',' if i else '{'}{quote_json(column.name)}:"
        for i, column in enumerate(columns)
    ]
