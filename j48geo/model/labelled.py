"""Batches of rows whose class is known: which columns of them are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from j48geo.core.dataset import Attribute
from j48geo.core.tree import BoxTree
from j48geo.data.arrow import check_columns

__all__ = ["LabelledBatches"]


class LabelledBatches(ABC):
    """What reads the attributes of a tree, its class, and perhaps a column of weights."""

    weights: str

    @property
    @abstractmethod
    def asked_tree(self) -> BoxTree:
        """The tree whose columns are read."""

    @property
    def used(self) -> tuple[Attribute, ...]:
        """Attributes that are read: those of the tree, and the class."""
        tree = self.asked_tree
        places = {*tree.used_attributes, tree.header.class_index}
        return tuple(tree.header.attributes[k] for k in sorted(p for p in places if p is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that are read."""
        names = tuple(attribute.name for attribute in self.used)
        return (*names, self.weights) if self.weights and self.weights not in names else names

    def check(self, schema: Any) -> None:
        """Refuse a pyarrow schema that does not fit; see `Scorer.check`."""
        check_columns(schema, self.used)
        if self.weights:
            check_columns(schema, [Attribute(self.weights)])
