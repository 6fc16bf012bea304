"""Counts from the ways of rows: those of all rows at once, for any parts of them."""

from __future__ import annotations

import pickle
from functools import reduce
from operator import add

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_trees import datasets, trees

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.core.rows_by_leaf import RowsByLeaf
from j48geo.core.tree import BoxTree


def routed(tree: BoxTree, rows: Dataset, some: slice | np.ndarray) -> RowsByLeaf:
    return RowsByLeaf.of(tree, rows.X[some], rows.class_values[some], rows.weights[some])


@given(trees(), datasets())
def test_counts_are_those_of_all_rows_at_once(tree: BoxTree, rows: Dataset) -> None:
    found = routed(tree, rows, slice(None))
    counts = found.counts(tree)
    expected = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    np.testing.assert_allclose(counts.per_class, expected.per_class, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(counts.bag, expected.bag, rtol=1e-12, atol=1e-12)
    whole = not np.isnan(rows.X[:, :-1]).any() and (rows.weights == np.rint(rows.weights)).all()
    if whole:
        assert counts.per_class.tobytes() == expected.per_class.tobytes()
    assert found.rows + found.classless == len(rows)


@given(trees(), datasets(), st.lists(st.integers(0, 40), max_size=4), st.randoms())
def test_parts_add_up_in_any_order(
    tree: BoxTree, rows: Dataset, ends: list[int], random: object
) -> None:
    whole = routed(tree, rows, slice(None))
    places = np.arange(len(rows))
    random.shuffle(places)  # type: ignore[attr-defined]
    parts = [
        pickle.loads(pickle.dumps(routed(tree, rows, some)))
        for some in np.split(places, sorted(min(end, len(rows)) for end in ends))
    ]
    found = reduce(add, parts, RowsByLeaf())
    assert found == whole
    one, other = found.counts(tree), whole.counts(tree)
    assert one.per_class.tobytes() == other.per_class.tobytes()
    assert one.bag.tobytes() == other.bag.tobytes()
