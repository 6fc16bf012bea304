"""Rows of any kind, put into the columns of a model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.core.columns import check_labels
from j48geo.core.dataset import Dataset
from j48geo.data.columns import align_by_label, align_columns, check_array
from j48geo.data.frame import is_table, read_table
from j48geo.data.rows import Rows, open_rows
from j48geo.errors import MismatchError

if TYPE_CHECKING:
    from j48geo.model.model import Model


def align_any_rows(model: Model, X: Any) -> Rows:
    """Rows of a file, a table, a `Dataset` or an array; see `j48geo.Model.rows`."""
    header = model.header
    if isinstance(X, (str, os.PathLike)):
        opened = open_rows(X, header=header)
        try:
            return align_rows(model, opened)
        except MismatchError:
            opened.__exit__()
            raise
    if is_table(X):
        plain = model.committee is None and model.filter is None
        used = model.tree.used_attributes if plain else range(len(header))
        needed = [k for k in sorted(used) if k != header.class_index]
        return align_rows(model, Rows.of(read_table(X, header, needed)))
    if isinstance(X, Dataset):
        check_labels(X.header, X.X)
        return align_rows(model, Rows.of(X))
    return align_rows(model, Rows.of(Dataset(header, check_array(X, header), np.ones(len(X)))))


def align_rows(model: Model, rows: Rows) -> Rows:
    """Rows as they were read, in the columns of the tree, behind its filters."""
    if model.committee is not None:
        model.committee.require_known()
        return align_columns(rows, model.header)
    if model.filter is not None:
        aligned = align_columns(rows, model.filter.header)
        return aligned.viewed(model.tree.header, model.filter.dataset)
    return align_by_label(rows, model.tree)
