"""Attributes, headers and rows as all folders see them, whatever file they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from j48geo.arrays import Floats
from j48geo.errors import UnknownNameError

AttributeType = Literal["numeric", "nominal", "string", "date", "relational"]

ANY_OTHER = "(any other)"
"""Last value of an attribute that a text compares with ``= v`` and ``!= v`` alone: all labels
that it does not name."""


@dataclass(frozen=True)
class Attribute:
    """One column: its name, its type, and what the type needs.

    Parameters
    ----------
    values
        Declared labels of a nominal attribute, in header order.
    format
        Pattern of a date attribute (Java's ``SimpleDateFormat``).
    weight
        Attribute weight of the header, 1 if none is given; carried, never used by a tree.
    attributes
        Inner attributes of a relational attribute.
    """

    name: str
    type: AttributeType = "numeric"
    values: tuple[str, ...] = ()
    format: str | None = None
    weight: float = 1.0
    attributes: tuple[Attribute, ...] = ()

    @property
    def is_nominal(self) -> bool:
        """Whether cells are indices into `values`."""
        return self.type == "nominal"

    @property
    def is_numeric(self) -> bool:
        """Whether a tree compares it with a threshold: numbers, and dates in milliseconds."""
        return self.type in ("numeric", "date")

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        """Index of each declared label."""
        return {value: i for i, value in enumerate(self.values)}


@dataclass(frozen=True)
class Header:
    """The attributes of a data set, and which of them is the class.

    Parameters
    ----------
    class_index
        Position of the class attribute; None if none is chosen.
    inferred
        True if the header was guessed from a tree text alone: then neither the order of
        the classes nor the completeness of the values is known.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    class_index: int | None = None
    inferred: bool = False

    def __len__(self) -> int:
        return len(self.attributes)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all attributes, in order."""
        return tuple(a.name for a in self.attributes)

    @property
    def class_attribute(self) -> Attribute:
        """The class attribute; `UnknownNameError` if none is chosen."""
        if self.class_index is None:
            raise UnknownNameError("class attribute", "(none chosen)", self.names)
        return self.attributes[self.class_index]

    @property
    def classes(self) -> tuple[str, ...]:
        """Declared class labels, in header order."""
        return self.class_attribute.values

    def position(self, name: str) -> int:
        """Index of the attribute called `name`; `UnknownNameError` if there is none."""
        for i, attribute in enumerate(self.attributes):
            if attribute.name == name:
                return i
        raise UnknownNameError("attribute", name, self.names)

    def with_class(self, choice: str | int) -> Header:
        """The same header with the class chosen as Weka's ``-c`` does.

        Parameters
        ----------
        choice
            ``first``, ``last``, a number counted from 1, or a name; what Weka understands
            wins over an attribute of that name.
        """
        text = str(choice)
        if text in ("first", "last") and self.attributes:
            return replace(self, class_index=0 if text == "first" else len(self) - 1)
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(self):
            return replace(self, class_index=int(text) - 1)
        if text in self.names:
            return replace(self, class_index=self.position(text))
        raise UnknownNameError(
            "class attribute", text, ("first", "last", f"1..{len(self)}", *self.names)
        )


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of one header.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Numbers as they are, dates in milliseconds since 1970, nominal, string and
        relational cells as an index (into the labels or into the pool), missing NaN.
    weights : array of float64, shape (n_cases,)
        Instance weights, 1 where the file gives none.
    pools
        For each string or relational column the values its cells point to, in the order
        in which the file shows them.
    notes
        What a reader wants the user to know, one sentence each.
    """

    header: Header
    X: Floats
    weights: Floats
    pools: Mapping[int, Sequence[str | Dataset]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.X)

    @property
    def class_values(self) -> Floats:
        """The class column (index of the label, NaN if missing), shape (n_cases,)."""
        index = self.header.class_index
        if index is None:
            raise UnknownNameError("class attribute", "(none chosen)", self.header.names)
        column: Floats = self.X[:, index]
        return column

    def with_class(self, choice: str | int) -> Dataset:
        """The same rows with another class attribute, see `Header.with_class`."""
        return replace(self, header=self.header.with_class(choice))

    def cell(self, row: int, column: int) -> Cell:
        """One cell as a person reads it: number, label, text, inner rows, or None if missing."""
        x = self.X[row, column]
        if np.isnan(x):
            return None
        attribute = self.header.attributes[column]
        if attribute.is_numeric:
            return float(x)
        if attribute.is_nominal:
            return attribute.values[int(x)]
        return self.pools[column][int(x)]


Cell = float | str | Dataset | None


class DataSummary:
    """Counts, ranges and labels of every attribute; feed it the rows block by block.

    Attributes
    ----------
    rows, weight, is_weighted
        How many rows there were, what they weigh, and whether one weighs other than 1.
    missing, low, high : arrays, shape (n_attributes,)
        Missing cells; the smallest and the largest number, infinite if there is none.
    label_counts
        For each nominal attribute how many rows have each label.
    """

    def __init__(self, header: Header) -> None:
        n = len(header)
        self.header = header
        self.rows = 0
        self.weight = 0.0
        self.is_weighted = False
        self.missing = np.zeros(n, dtype=np.int64)
        self.low = np.full(n, np.inf)
        self.high = np.full(n, -np.inf)
        self.label_counts = [np.zeros(len(a.values), dtype=np.int64) for a in header.attributes]
        self._sum = np.zeros(n)

    def add(self, block: Dataset) -> None:
        """Count the rows of `block`."""
        self.rows += len(block)
        self.weight += float(block.weights.sum())
        self.is_weighted = self.is_weighted or bool((block.weights != 1).any())
        for column, attribute in enumerate(self.header.attributes):
            cells = block.X[:, column]
            known = cells[~np.isnan(cells)]
            self.missing[column] += len(cells) - len(known)
            if attribute.is_nominal:
                # Not a count of every label a block: there may be more labels than rows.
                np.add.at(self.label_counts[column], known.astype(np.int64), 1)
            elif attribute.is_numeric and len(known):
                self.low[column] = min(self.low[column], known.min())
                self.high[column] = max(self.high[column], known.max())
                self._sum[column] += known.sum()

    def mean(self, column: int) -> float:
        """Mean of the known numbers of an attribute, all rows weighing the same."""
        return float(self._sum[column]) / (self.rows - int(self.missing[column]))
