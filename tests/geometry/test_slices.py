"""A flat cut through the boxes agrees with the tree and with the literal distance."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from literal_boundary import distance_from
from random_geometry import grown_tree

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.dataset import Attribute, Header
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree
from j48geo.geometry.metric import fit_metric
from j48geo.geometry.slices import SliceError, TreeSlice, cut_slice, typical_case

HEADER = Header(
    "h",
    (
        *(Attribute("x"), Attribute("y"), Attribute("z")),
        Attribute("c", "nominal", ("a", "b")),
    ),
    3,
)


def corner_tree() -> BoxTree:
    """Class b where x > 2 and y > 1, or where z > 9."""
    corner = at_most("x", 2, leaf("a"), at_most("y", 1, leaf("a"), leaf("b")))
    return build_tree(HEADER, at_most("z", 9, corner, leaf("b")))


def corner(z: float = 0.0, **more: object) -> TreeSlice:
    tree = corner_tree()
    at = np.array([0.0, 0.0, z, nan])
    return cut_slice(tree, fit_metric(tree, "none"), (0, 1), at, **more)  # type: ignore[arg-type]


def test_the_rectangles_are_those_of_the_leaves_that_the_cut_meets() -> None:
    cut = corner()
    assert cut.leaves.tolist() == [0, 1, 2]
    assert cut.rectangles.tolist() == [
        [-inf, 2, -inf, inf],
        [2, inf, -inf, 1],
        [2, inf, 1, inf],
    ]
    assert cut.labels.tolist() == [0, 0, 1]
    assert corner(z=9.5).leaves.tolist() == [3]


def test_the_boundary_is_where_the_class_changes_and_nowhere_else() -> None:
    cut = corner()
    right, top = cut.across[-1], cut.upwards[-1]
    assert sorted(cut.boundary.tolist()) == [[[2, 1], [2, top]], [[2, 1], [right, 1]]]
    assert cut.boundary.shape == (2, 2, 2)
    assert corner(z=9.5).boundary.shape == (0, 2, 2)


def test_another_labelling_moves_the_boundary() -> None:
    cut = corner(labels=np.array([0, 1, 1, 1]))
    assert cut.boundary[:, :, 0].tolist() == [[2, 2], [2, 2]]
    none = corner(labels=np.zeros(4, dtype=np.intp))
    assert len(none.boundary) == 0
    assert np.isinf(none.distance).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_every_point_of_the_grid_has_the_literal_distance_and_the_class_of_its_rectangle(
    classes: int,
) -> None:
    tree = grown_tree(5, 24, numbers=4, colours=1, classes=classes)
    metric = Metric("custom", np.array([1.0, 0.5, 2.0, 0.1, 1.0, 1.0]), 0.3)
    at = np.array([0.4, 0.6, 0.2, 0.7, 2.0, nan])
    cut = cut_slice(tree, metric, (2, 0), at, steps=14)
    labels = [leaf.label for leaf in tree.leaves]
    for i, upwards in enumerate(cut.upwards):
        for j, across in enumerate(cut.across):
            x = at.copy()
            x[2], x[0] = across, upwards
            own = int(find_leaves(tree, x[None])[0])
            left, right, bottom, top = cut.rectangles[cut.leaves.tolist().index(own)]
            assert left < across <= right
            assert bottom < upwards <= top
            assert cut.label[i, j] == labels[own]
            wanted = distance_from(
                tree, x.tolist(), labels[own], labels, metric.scale.tolist(), 0.3
            )
            assert cut.distance[i, j] == pytest.approx(wanted.distance, rel=1e-12)


def test_the_signed_distance_is_continuous_and_changes_its_sign_on_the_boundary() -> None:
    cut = corner(steps=401)
    signed = cut.signed(1)
    step = np.hypot(np.diff(cut.across)[0], np.diff(cut.upwards)[0])
    assert np.abs(np.diff(signed, axis=0)).max() <= step
    assert np.abs(np.diff(signed, axis=1)).max() <= step
    assert (signed[cut.label == 1] >= 0).all()
    assert (signed[cut.label == 0] <= 0).all()
    assert (cut.signed(0) == -signed).all()


def test_the_grid_covers_thresholds_the_case_and_the_cases() -> None:
    X = np.array([[-3.0, 50.0, 0, 0], [nan, inf, 0, 1]])
    cut = corner(X=X)
    assert cut.across[0] < -3 < 2 < cut.across[-1]
    assert cut.upwards[0] < 0 < 50 < cut.upwards[-1] < 60
    alone = cut_slice(*_no_thresholds(), (0, 1), np.zeros(4))
    assert alone.across[[0, -1]].tolist() == [-1, 1]


def _no_thresholds() -> tuple[BoxTree, Metric]:
    tree = build_tree(HEADER, leaf("a"))
    return tree, fit_metric(tree, "none")


def test_a_case_on_a_threshold_with_tolerance_goes_where_weka_sends_it() -> None:
    from dataclasses import replace

    tree = replace(corner_tree(), tolerance=1e-6)
    at = np.array([0.0, 0.0, 9 + 5e-7, nan])
    assert cut_slice(tree, fit_metric(tree, "none"), (0, 1), at).leaves.tolist() == [0, 1, 2]


def test_the_typical_case_has_medians_and_the_commonest_values() -> None:
    rows = weather_rows()
    assert typical_case(weather_tree(), rows.X).tolist() == [2, 80, 1, 0]
    assert typical_case(weather_tree(), np.full((2, 4), nan)).tolist() == [0, 0, 0, 0]


def test_what_cannot_be_cut_is_told() -> None:
    tree = weather_tree()
    metric = fit_metric(tree, "none")
    at = np.zeros(4)
    with pytest.raises(SliceError) as caught:
        cut_slice(tree, metric, (1, 0), at)
    assert str(caught.value) == (
        "attribute 'outlook' is nominal; expected a numeric one to cut along"
    )
    assert caught.value.exit_code == 2
    with pytest.raises(SliceError, match="'play' is the class; expected a numeric one"):
        cut_slice(tree, metric, (3, 1), at)
    with pytest.raises(SliceError, match="'humidity' is named twice; expected two attributes"):
        cut_slice(tree, metric, (1, 1), at)
    own = corner_tree()
    with pytest.raises(SliceError, match="attribute 'z' of the case is missing; expected a value"):
        corner(z=nan)
    with pytest.raises(SliceError, match="expected 4 values"):
        cut_slice(own, fit_metric(own, "none"), (0, 1), np.zeros(3))
