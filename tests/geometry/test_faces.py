"""The flat arrays of faces are the boxes of the tree."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import numpy as np
from hand_made import chain_tree, odd_tree, one_leaf_tree, weather_tree
from hypothesis import given
from random_geometry import grown_tree
from random_trees import trees

from j48geo.core.tree import BoxTree
from j48geo.geometry.distance_numba import class_masks, make_index, pure_labels
from j48geo.geometry.faces import find_faces


def assert_faces_are_the_boxes(tree: BoxTree) -> None:
    faces = find_faces(tree)
    for leaf, box in enumerate(tree.boxes):
        assert faces.empty[leaf] == box.is_empty
        bounds = range(faces.start[leaf], faces.start[leaf + 1])
        assert [faces.attribute[k] for k in bounds] == sorted(
            [a for a, i in box.intervals.items() if i.low_node >= 0 or i.high_node >= 0]
            + list(box.subsets)
        )
        for k in bounds:
            a = faces.attribute[k]
            if a in box.subsets:
                values = np.arange(len(tree.header.attributes[a].values))
                inside = np.flatnonzero(faces.contains(faces.subset[k], values))
                assert set(inside.tolist()) == set(box.subsets[a])
                assert faces.low_node[k] == box.subset_nodes[a]
            else:
                i = box.intervals[a]
                assert (faces.low[k], faces.high[k]) == (i.low, i.high)
                assert (faces.low_node[k], faces.high_node[k]) == (i.low_node, i.high_node)
                assert faces.subset[k] == -1


@given(trees(depth=5))
def test_faces_are_the_boxes_of_random_trees(tree: BoxTree) -> None:
    assert_faces_are_the_boxes(tree)


def test_faces_are_the_boxes_of_odd_trees() -> None:
    for tree in (weather_tree(), one_leaf_tree(), odd_tree(), chain_tree(300)):
        assert_faces_are_the_boxes(tree)
    assert_faces_are_the_boxes(grown_tree(1, 300, colours=3))


@given(trees(depth=5))
def test_the_index_holds_every_leaf_that_is_not_empty_once(tree: BoxTree) -> None:
    index = make_index(tree)
    nodes = index.nodes
    full = [leaf for leaf, box in enumerate(tree.boxes) if not box.is_empty]
    assert index.leaves.tolist() == full
    for node in range(index.size):
        children = nodes.child[nodes.first_child[node] : nodes.first_child[node + 1]]
        assert len(children) != 1
        if len(children):
            assert children[0] == node + 1
            below = [(index.first_leaf[c], index.last_leaf[c]) for c in children]
            assert below[0][0] == index.first_leaf[node]
            assert below[-1][1] == index.last_leaf[node]
            assert all(a[1] == b[0] for a, b in pairwise(below))


@given(trees(depth=4))
def test_pure_nodes_and_masks_tell_the_labels_below(tree: BoxTree) -> None:
    index = make_index(tree)
    labels = np.array([leaf.label for leaf in tree.leaves])
    pure = pure_labels(index, labels)
    masks = class_masks(index, labels, 3)
    for node in range(index.size):
        below = set(labels[index.leaves[index.first_leaf[node] : index.last_leaf[node]]].tolist())
        assert pure[node] == (min(below) if len(below) == 1 else -1)
        assert int(masks[node, 0]) == sum(1 << c for c in below)


def test_what_is_kept_with_a_tree_goes_with_it() -> None:
    tree = weather_tree()
    digest = tree.digest()
    assert find_faces(tree) is find_faces(tree)
    assert find_faces(weather_tree()) is not find_faces(tree)
    assert tree.digest() == digest
    kept = weakref.ref(find_faces(tree))
    del tree
    gc.collect()
    assert kept() is None
