"""The picture of the boxes: rectangles, boundary, contours and cases where they belong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from random_geometry import grown_tree

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.dataset import Attribute, Header
from j48geo.core.routing import find_leaves
from j48geo.data.arff.stream import read_arff
from j48geo.errors import UnknownNameError
from j48geo.geometry.metric import fit_metric
from j48geo.geometry.slices import SliceError, cut_slice
from j48geo.read.readers import read_tree
from j48geo.show.plots.page import PictureError, save_figure
from j48geo.show.plots.slice import slice_figure


def iris_figure(fixtures_dir: Path, **more: object) -> Figure:
    rows = read_arff(fixtures_dir / "iris" / "data.arff")
    tree = read_tree(fixtures_dir / "iris" / "model.txt", header=rows.header)
    metric = fit_metric(tree, "standard", rows.X)
    wanted = {"X": rows.X, **more}
    return slice_figure(tree, metric, ("petallength", "petalwidth"), **wanted)  # type: ignore[arg-type]


def legend_of(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def test_a_cut_shows_leaves_boundary_distances_and_cases(fixtures_dir: Path) -> None:
    (axes,) = iris_figure(fixtures_dir).axes
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert len(boxes) == 5
    assert {text.get_text() for text in axes.texts} >= {"1", "2", "3", "4", "5"}
    (segments,) = (c for c in axes.collections if isinstance(c, LineCollection))
    ends = {tuple(map(float, np.round(s, 6).ravel()[[0, 1]])) for s in segments.get_segments()}
    assert (4.9, 0.6) in ends
    points = [c for c in axes.collections if isinstance(c, PathCollection)]
    assert sum(len(c.get_offsets()) for c in points) == 150  # type: ignore[arg-type]
    assert axes.get_xlabel() == "petallength"
    assert legend_of(axes) == [
        *("Iris-setosa", "Iris-versicolor", "Iris-virginica", "cases by actual class"),
        *("decision boundary", "distance"),
    ]
    assert axes.get_title(loc="left") == "the tree tests no other attribute"


def test_cases_whose_leaf_is_not_cut_are_hollow(fixtures_dir: Path) -> None:
    rows = read_arff(fixtures_dir / "iris" / "data.arff")
    tree = read_tree(fixtures_dir / "iris" / "model.txt", header=rows.header)
    metric = fit_metric(tree, "standard", rows.X)
    figure = slice_figure(tree, metric, ("petallength", "sepallength"), X=rows.X)
    (axes,) = figure.axes
    met = {int(text.get_text()) - 1 for text in axes.texts if text.get_text().isdigit()}
    points = [c for c in axes.collections if isinstance(c, PathCollection)]
    filled = sum(len(c.get_offsets()) for c in points if len(c.get_facecolor()))  # type: ignore[arg-type]
    hollow = sum(len(c.get_offsets()) for c in points if not len(c.get_facecolor()))  # type: ignore[arg-type]
    leaf = find_leaves(tree, rows.X)
    assert filled == int(np.isin(leaf, list(met)).sum())
    assert hollow == 150 - filled > 0
    assert "of leaves not cut" in legend_of(axes)
    assert "of leaves not cut" not in legend_of(iris_figure(fixtures_dir).axes[0])


@pytest.mark.parametrize("positive", [0, 1, 2])
def test_the_class_that_matters_has_one_colour(fixtures_dir: Path, positive: int) -> None:
    (axes,) = iris_figure(fixtures_dir, positive=positive).axes
    legend = axes.get_legend()
    assert legend is not None
    colours = [to_hex(patch.get_facecolor()) for patch in legend.get_patches()[:3]]
    assert colours[positive] == "#d55e00"
    assert len(set(colours)) == 3


def test_a_case_is_marked_and_missing_values_are_those_of_the_typical_case(
    fixtures_dir: Path,
) -> None:
    at = np.array([np.nan, np.nan, 4.5, np.nan, np.nan])
    (axes,) = iris_figure(fixtures_dir, at=at).axes
    assert legend_of(axes)[-1] == "the case"
    (star,) = axes.get_lines()
    assert (list(star.get_xdata()), list(star.get_ydata())) == ([4.5], [1.3])


def test_the_contour_of_0_lies_on_the_boundary() -> None:
    tree = grown_tree(11, 12, numbers=2)
    metric = fit_metric(tree, "none")
    cut = cut_slice(tree, metric, (0, 1), np.zeros(3), steps=201)
    axes = Figure().subplots()
    (paths,) = axes.contour(cut.across, cut.upwards, cut.signed(1), levels=[0.0]).get_paths()
    corners = paths.vertices
    step = np.hypot(cut.across[1] - cut.across[0], cut.upwards[1] - cut.upwards[0])
    assert len(corners) > 50
    for x, y in corners:
        away = min(
            np.hypot(max(a[0] - x, x - b[0], 0), max(a[1] - y, y - b[1], 0))
            for a, b in cut.boundary
        )
        assert away <= step
    # And every piece of the boundary is met by it.
    for a, b in cut.boundary:
        middle = (a + b) / 2
        assert np.hypot(*(corners - middle).T).min() <= np.hypot(*(b - a)) / 2 + 2 * step


def test_two_classes_have_signed_contours_and_none_is_drawn_at_0() -> None:
    tree = grown_tree(11, 12, numbers=2)
    (axes,) = slice_figure(tree, fit_metric(tree, "none"), ("x0", "x1"), positive=0).axes
    assert "cases by actual class" not in legend_of(axes)
    (contours,) = (c for c in axes.collections if isinstance(c, ContourSet))
    levels = np.asarray(contours.levels)
    assert levels.min() < 0 < levels.max()
    assert 0 not in levels
    assert "signed distance" in legend_of(axes)


def test_other_attributes_are_told_as_far_as_they_fit() -> None:
    tree = grown_tree(3, 60, numbers=9, colours=1)
    at = np.full(11, 0.25)
    at[9] = 2
    (axes,) = slice_figure(tree, fit_metric(tree, "none"), ("x0", "x1"), at=at).axes
    assert axes.get_title(loc="left").startswith("cut at x2 = 0.25, x3 = 0.25")
    assert axes.get_title(loc="left").endswith(" more")
    rows = weather_rows()
    weather = weather_tree()
    with pytest.raises(SliceError, match="attribute 'outlook' is nominal; expected a numeric one"):
        slice_figure(weather, fit_metric(weather, "none"), ("humidity", "outlook"), X=rows.X)
    with pytest.raises(UnknownNameError, match="unknown attribute 'wind'"):
        slice_figure(weather, fit_metric(weather, "none"), ("humidity", "wind"))


def test_one_class_only_has_no_boundary_and_no_contours(tmp_path: Path) -> None:
    attributes = (Attribute("x"), Attribute("when", "date"), Attribute("c", "nominal", ("a", "b")))
    header = Header("h", attributes, 2)
    tree = build_tree(header, at_most("x", 2, leaf("a"), leaf("a")))
    figure = slice_figure(tree, fit_metric(tree, "none"), ("x", "when"))
    (axes,) = figure.axes
    assert legend_of(axes) == ["a", "b", "one class only:\nno boundary"]
    assert not [c for c in axes.collections if isinstance(c, ContourSet)]
    save_figure(figure, tmp_path / "a.svg")
    assert axes.yaxis.get_major_formatter()(86_400_000.0) == "1970-01-02"
    assert axes.yaxis.get_major_formatter()(1e30) == "1e+30"


def test_of_many_classes_those_that_are_met_have_colours(tmp_path: Path) -> None:
    tree = grown_tree(3, 60, numbers=2, classes=26)
    X = np.random.default_rng(0).random((200, 3))
    X[:, 2] = np.arange(200) % 26
    (axes,) = slice_figure(tree, fit_metric(tree, "none"), ("x0", "x1"), X=X).axes
    looks = {
        (patch.get_facecolor(), patch.get_hatch())
        for patch in axes.patches
        if isinstance(patch, Rectangle)
    }
    assert len(looks) == len({leaf.label for leaf in tree.leaves})


def test_a_slice_has_equal_bytes_in_two_runs(tmp_path: Path, fixtures_dir: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save_figure(iris_figure(fixtures_dir), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.filterwarnings("error")
def test_what_is_too_far_out_is_told_and_not_shown(fixtures_dir: Path, tmp_path: Path) -> None:
    rows = read_arff(fixtures_dir / "iris" / "data.arff")
    plain = iris_figure(fixtures_dir, X=rows.X[2:]).axes[0]
    X = rows.X.copy()
    X[0, 2], X[1, 3] = 1e308, -1e308
    figure = iris_figure(fixtures_dir, X=X)
    (axes,) = figure.axes
    assert axes.get_xlim() == plain.get_xlim()
    assert axes.get_ylim() == plain.get_ylim()
    points = [c for c in axes.collections if isinstance(c, PathCollection)]
    assert sum(len(c.get_offsets()) for c in points) == 148  # type: ignore[arg-type]
    assert axes.get_title(loc="left").endswith("; 2 cases lie too far out to be shown")
    save_figure(figure, tmp_path / "a.png")
    with pytest.raises(PictureError, match=r"'petallength' of the case is 1e\+308; expected"):
        iris_figure(fixtures_dir, X=X, at=X[0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [1e308, 1e60, -1e99])
def test_cases_that_are_all_far_out_make_a_picture_too(
    fixtures_dir: Path, tmp_path: Path, value: float
) -> None:
    X = read_arff(fixtures_dir / "iris" / "data.arff").X.copy()
    X[:, 2:4] = value
    save_figure(iris_figure(fixtures_dir, X=X), tmp_path / "a.png")
