"""The nearby-leaf average: every engine against the definition in plain loops."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from math import erfc, inf, nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_made import chain_tree, odd_tree, one_leaf_tree, weather_rows, weather_tree
from hypothesis import example, given
from hypothesis import strategies as st
from literal_nearby import Literal
from random_geometry import cases_for, grown_tree
from random_trees import HEADER, NUMBERS, datasets, plant_tree, trees
from tree_cases import rows_and_trees, suite_of, tree_cases

from j48geo.arrays import Floats
from j48geo.compilation import is_numba_available
from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.fitted_values import NearbyLeaves
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.errors import ChoiceError, MismatchError, UnknownCountsError, UnknownNameError
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import fit_metric
from j48geo.replaying.replay import replay
from j48geo.score.leaf_estimates import estimate_leaves
from j48geo.score.nearby import numba_engine as nearby_kernel
from j48geo.score.nearby.average import (
    fit_nearby,
    leaf_shares,
    nearby_distribution,
    nearby_nodes_met,
    nearby_weights,
)
from j48geo.score.nearby.index import find_index, mid_ranks
from j48geo.score.nearby.numba_engine import count_nodes_met
from j48geo.score.nearby.numpy_engine import average_by_levels, normal_tails

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("numpy", "numba") if is_numba_available() else ("numpy",)
WIDTHS = st.sampled_from((0.3, 0.3, 1e-3, 0.05, 1.0, 20.0, 1e-300, 1e300))


def counted(tree: BoxTree, rows: Dataset) -> NodeCounts:
    return counts_from_data(tree, rows.X, rows.class_values, rows.weights)


def agree(
    tree: BoxTree, rows: Dataset, counts: NodeCounts, X: Floats, **more: object
) -> NearbyLeaves:
    """Compare weights and distributions of all engines with the plain loops."""
    nearby = fit_nearby(tree, counts, rows.X, **more)
    plain = Literal(
        tree,
        rows.X.tolist(),
        counts.per_class.tolist(),
        counts.weight.tolist(),
        sigma=nearby.sigma,
        leaves=str(more.get("leaf_values", "laplace")),
        strength=float(more.get("shrinkage", 5.0)),
    )
    weights = nearby_weights(tree, nearby, X)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    found = nearby_distribution(tree, nearby, X, engine="numpy")
    for engine in ENGINES:
        again = nearby_distribution(tree, nearby, X, engine=engine)
        np.testing.assert_array_equal(again, found)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-13)
    for i, row in enumerate(X.tolist()):
        expected = [plain.weight(row, index) for index in range(len(tree.leaves))]
        np.testing.assert_allclose(weights[i], expected, rtol=0, atol=1e-12)
        assert sum(expected) == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(found[i], plain.distribution(row), rtol=0, atol=1e-12)
    return nearby


@st.composite
def strange_rows(draw: st.DrawFn) -> Floats:
    """Cases on faces, between them, far from them, infinite, or unknown."""
    number = st.sampled_from((*NUMBERS, inf, -inf, 1e308, -1e308, 5e-324, nan)) | st.floats(-2, 3)
    nominal = st.sampled_from((0.0, 1.0, nan))
    row = st.tuples(number, number, nominal, nominal, st.just(nan))
    rows = draw(st.lists(row, min_size=1, max_size=6))
    return np.array(rows, dtype=np.float64)


# ------------------------------------------------------------------------- the definition


@given(
    trees(depth=4),
    datasets(),
    strange_rows(),
    WIDTHS,
    st.sampled_from(("laplace", "m5", "shrunken")),
)
def test_every_engine_is_the_definition_on_random_trees(
    tree: BoxTree, rows: Dataset, X: Floats, sigma: float, leaf_values: str
) -> None:
    X = np.concatenate([rows.X[:4], X])
    agree(tree, rows, counted(tree, rows), X, sigma=sigma, leaf_values=leaf_values)


@pytest.mark.parametrize(
    ("seed", "leaves", "colours", "classes", "missing", "grid"),
    [(1, 30, 0, 2, 0.0, 0), (2, 60, 2, 4, 0.2, 0), (3, 40, 1, 3, 0.6, 8), (4, 90, 0, 26, 0.0, 16)],
)
def test_every_engine_is_the_definition_on_larger_trees(
    seed: int, leaves: int, colours: int, classes: int, missing: float, grid: int
) -> None:
    tree = grown_tree(seed, leaves, numbers=4, colours=colours, classes=classes, grid=grid)
    X = cases_for(tree, seed, 60, missing=missing, grid=grid)
    X[:, -1] = np.random.default_rng(seed).integers(classes, size=len(X))
    rows = Dataset(tree.header, X, np.ones(len(X)))
    agree(tree, rows, counted(tree, rows), cases_for(tree, seed + 9, 8, missing=missing, grid=grid))


def test_every_engine_is_the_definition_on_trees_by_hand() -> None:
    rows = weather_rows()
    X = np.array([[0, 70, 0, 0], [0, 82.5, nan, 0], [nan, 80, 1, 0], [2, nan, nan, 0]])
    agree(weather_tree(), rows, counted(weather_tree(), rows), X)
    agree(weather_tree(), rows, counts_from_text(weather_tree()), X)
    agree(one_leaf_tree(), rows, counted(one_leaf_tree(), rows), X)
    chain = chain_tree(30)
    cases = np.stack([np.linspace(-3, 33, 41), np.arange(41) % 2], axis=1)
    agree(chain, Dataset(chain.header, cases, np.ones(41)), counts_from_text(chain), cases[::4])


def test_an_infinite_threshold_bounds_nothing() -> None:
    # Its last split asks whether the date is at most infinity.
    tree = odd_tree().with_thresholds({4: inf})
    X = np.array(
        [
            [0, 5.0, 0, 0, 0.1, 0],
            [3, -inf, 0, 0, inf, 1],
            [1, 7.0, 0, 0, -inf, 0],
            [2, inf, 0, 0, 1, 1],
        ]
    )
    rows = Dataset(tree.header, X, np.ones(4))
    nearby = agree(tree, rows, counted(tree, rows), X)
    weights = nearby_weights(tree, nearby, X)
    assert weights[[0, 1, 3], 2].tolist() == [1.0, 1.0, 1.0]


def test_training_values_at_the_ends_of_the_doubles_do_no_harm() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 0.0), [Leaf(0, 0), Leaf(0, 1)]))
    ends = [-1.7e308, 1.7e308, 5e-324, 0.0, -inf, inf]
    X = np.array([[x, 0, 0, 0, k % 2] for k, x in enumerate(ends)])
    rows = Dataset(HEADER, X, np.ones(len(X)))
    nearby = fit_nearby(tree, counted(tree, rows), X)
    found = nearby_distribution(tree, nearby, X, engine="numpy")
    assert np.isfinite(found).all()
    for engine in ENGINES:
        np.testing.assert_array_equal(nearby_distribution(tree, nearby, X, engine=engine), found)


def test_the_faces_of_a_path_may_pass_each_other_and_nothing_is_lost() -> None:
    # Right of 5, which moves to 5.5, the text asks for 3 again; its face moves to 4.5, since 6
    # is the next value there. No error leads between 5.5 and 4.5.
    inner = (Split(0, "numeric", 3.0), [Leaf(0, 0), Leaf(0, 1)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 5.0), [Leaf(0, 2), inner]))
    X = np.array([[1.0, 0, 0, 0, 2], [6.0, 0, 0, 0, 1], [10.0, 0, 0, 0, 1]])
    rows = Dataset(HEADER, X, np.ones(3))
    cases = np.array([[x, 0, 0, 0, 0] for x in (1, 4, 5, 5.5, 7)])
    nearby = agree(tree, rows, counted(tree, rows), cases)
    assert nearby.face[[0, 2]].tolist() == [5.5, 4.5]
    assert (nearby_weights(tree, nearby, cases)[:, 1] == 0).all()


def test_redundant_and_contradictory_tests_change_nothing() -> None:
    inner = (Split(0, "numeric", 3.0), [Leaf(0, 0), Leaf(0, 1)])  # always left
    again = (Split(0, "numeric", 1.0, closed=False), [inner, Leaf(0, 2)])
    twice = (Split(2, "multiway"), [Leaf(0, 0), again, (Split(2, "multiway"), [Leaf(0, 1)] * 3)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [twice, Leaf(0, 1)]))
    X = np.array([[x, 0, c, 0, k % 3] for k, x in enumerate(NUMBERS) for c in (0, 1, 2, nan)])
    rows = Dataset(HEADER, X, np.ones(len(X)))
    agree(tree, rows, counted(tree, rows), X)


def test_the_offset_is_the_larger_of_value_and_rank() -> None:
    header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    tree = build_tree(header, at_most("x", 2, leaf("a", 3), leaf("b", 3)))
    # Half of the values are crowded around the face, one is far away.
    values = [1.8, 1.9, 2.0, 2.2, 2.3, 2.4, 100.0]
    X = np.array([[v, v > 2] for v in values])
    nearby = fit_nearby(tree, counts_from_text(tree), X)
    assert nearby.face[0] == pytest.approx(2.1)
    s = float(np.std(values, ddof=1))
    assert nearby.scale[0] == pytest.approx(s)
    near, far = nearby_weights(tree, nearby, np.array([[1.8, 0], [-300.0, 0]]))
    by_rank = sqrt(12) * (3 / 7 - 0.5 / 7)
    assert by_rank > 0.3 / s
    assert near[1] == pytest.approx(erfc(by_rank / 0.3 / sqrt(2)) / 2, rel=1e-13)
    assert far[1] == pytest.approx(erfc((2.1 + 300) / s / 0.3 / sqrt(2)) / 2, rel=1e-12)
    assert 0 < far[1] < 1e-100  # tiny weights are right, too


@given(
    st.lists(st.sampled_from(NUMBERS) | st.floats(-3, 3), min_size=0, max_size=9),
    st.lists(st.floats(-4, 4), min_size=2, max_size=9),
    st.floats(-4, 4),
)
def test_the_offset_never_falls_as_the_face_rises(
    values: list[float], faces: list[float], x: float
) -> None:
    """So that intervals side by side have chances that add up, and none is negative."""
    plain = Literal(one_leaf_tree(), [[v, 0, 0, 0] for v in values], [[1.0, 0.0]], [1.0])
    offsets = [plain.offset(0, face, x) for face in sorted(faces)]
    assert all(a <= b + 1e-12 for a, b in pairwise(offsets))
    assert plain.offset(0, x, x) == 0.0


def test_mid_ranks_are_lines_between_values_and_flat_outside() -> None:
    knot, rank = np.array([0.0, 1.0, 3.0]), np.array([0.1, 0.4, 0.8])
    x = np.array([-inf, -1, 0, 0.5, 1, 2, 3, 4, inf, nan])
    expected = [0.1, 0.1, 0.1, 0.25, 0.4, 0.6, 0.8, 0.8, 0.8, nan]
    np.testing.assert_allclose(mid_ranks(knot, rank, x), expected, rtol=1e-15)
    np.testing.assert_array_equal(mid_ranks(knot[:1], rank[:1], x)[:-1], 0.1)
    np.testing.assert_array_equal(mid_ranks(knot[:0], rank[:0], x)[:-1], 0.0)


# ------------------------------------------------------------------------- what it is like


@given(trees(), datasets(), strange_rows())
def test_weights_sum_to_one_and_nothing_is_ever_unknown(
    tree: BoxTree, rows: Dataset, X: Floats
) -> None:
    nearby = fit_nearby(tree, counted(tree, rows), rows.X)
    weights = nearby_weights(tree, nearby, X)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    found = nearby_distribution(tree, nearby, X)
    assert ((found > 0) & (found <= 1)).all()


def measured(
    leaves: int = 60, classes: int = 3
) -> tuple[BoxTree, NodeCounts, NearbyLeaves, Floats]:
    tree = grown_tree(5, leaves, numbers=3, classes=classes)
    X = cases_for(tree, 6, 500)
    y = np.random.default_rng(6).integers(classes, size=len(X)).astype(np.float64)
    counts = counts_from_data(tree, X, y, np.ones(len(X)))
    return tree, counts, fit_nearby(tree, counts, X), X


def test_deep_inside_a_leaf_it_is_the_estimate_of_that_leaf() -> None:
    tree, counts, nearby, _ = measured(4)
    X = np.array([[-50.0, -50, -50, 0], [60.0, 60, 60, 0]])
    found = nearby_distribution(tree, nearby, X)
    for c in range(3):
        own = estimate_leaves(tree, counts, c)[find_leaves(tree, X)]
        np.testing.assert_allclose(found[:, c], own, rtol=0, atol=1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_it_is_continuous_across_a_face(engine: str) -> None:
    tree, _, nearby, X = measured()
    column = int(tree.nodes[0].split.attribute)
    near = np.repeat(X[:40], 3, axis=0)
    near[:, column] = np.tile(nearby.face[0] + np.array([-1e-9, 0.0, 1e-9]), 40)
    found = nearby_distribution(tree, nearby, near, engine=engine).reshape(40, 3, -1)
    assert np.abs(found - found[:, 1:2]).max() < 1e-7


@given(trees(), datasets(min_rows=1))
def test_without_error_it_is_the_leaf_of_the_moved_faces(tree: BoxTree, rows: Dataset) -> None:
    counts = counted(tree, rows)
    nearby = fit_nearby(tree, counts, rows.X, sigma=1e-9)
    moved = midgap_tree(tree, rows.X)
    X = rows.X[:, :]
    place = {(int(tree.nodes[i].split.attribute), f) for i, f in enumerate(nearby.face) if f == f}
    off = [i for i, x in enumerate(X) if not any(abs(x[a] - f) < 1e-6 for a, f in place)]
    reached = find_leaves(moved, X[off])
    found = nearby_distribution(tree, nearby, X[off])
    whole = reached >= 0
    np.testing.assert_allclose(found[whole], nearby.leaf_value[reached[whole]], rtol=0, atol=1e-12)


def test_a_wide_error_makes_all_cases_alike() -> None:
    tree, counts, _, X = measured()
    spread = [
        float(
            np.ptp(nearby_distribution(tree, fit_nearby(tree, counts, X, sigma=s), X), axis=0).max()
        )
        for s in (0.03, 0.3, 3.0, 300.0)
    ]
    assert spread[0] > spread[1] > spread[2] > spread[3]
    assert spread[3] < 1e-2


@given(trees(), datasets(min_rows=2))
def test_instance_weights_enter_through_the_counts_alone(tree: BoxTree, rows: Dataset) -> None:
    counts = counted(tree, rows)
    nearby = fit_nearby(tree, counts, rows.X)
    twin = fit_nearby(tree, counted(tree, Dataset(HEADER, rows.X, np.ones(len(rows.X)))), rows.X)
    for name in ("face", "scale", "knot", "rank"):
        np.testing.assert_array_equal(getattr(nearby, name), getattr(twin, name))


@given(trees(), datasets())
def test_the_values_of_the_leaves_are_the_estimates(tree: BoxTree, rows: Dataset) -> None:
    counts = counted(tree, rows)
    found = fit_nearby(tree, counts, rows.X).leaf_value
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-15)
    for c in range(3):
        np.testing.assert_allclose(found[:, c], estimate_leaves(tree, counts, c), rtol=1e-14)
    prior = fit_nearby(tree, counts, rows.X, leaf_values="m5").leaf_value
    np.testing.assert_allclose(prior.sum(axis=1), 1.0, rtol=1e-14)


# ----------------------------------------------------------------------------- the engines


@pytest.mark.skipif(not is_numba_available(), reason="no numba")
def test_what_is_left_out_is_less_than_the_error_allowed() -> None:
    tree = grown_tree(3, 3000, numbers=8, classes=2)
    X = cases_for(tree, 4, 300, missing=0.02)
    y = np.random.default_rng(4).integers(2, size=len(X)).astype(np.float64)
    nearby = fit_nearby(tree, counts_from_data(tree, X, y, np.ones(len(X))), X)
    assert nearby_nodes_met(tree, nearby, X).mean() < 0.8 * tree.size  # something is left out
    whole = nearby_weights(tree, nearby, X) @ nearby.leaf_value
    for engine in ENGINES:
        found = nearby_distribution(tree, nearby, X, engine=engine)
        np.testing.assert_allclose(found, whole, rtol=0, atol=1e-12)


@pytest.mark.skipif(not is_numba_available(), reason="no numba")
def test_subtrees_are_left_out_whole_where_they_weigh_less_than_their_leaves_may() -> None:
    tree = grown_tree(3, 3000, numbers=8, classes=2)
    X = cases_for(tree, 4, 300)
    y = np.zeros(len(X))
    nearby = fit_nearby(tree, counts_from_data(tree, X, y, np.ones(len(X))), X)
    plan, lost = find_index(tree, nearby), 2.0**-41
    by_parts = nearby_nodes_met(tree, nearby, X)
    same = replace(plan, portion=np.full(tree.size, 1 / len(tree.leaves)))
    all_alike = count_nodes_met(same, nearby, X, lost)
    assert (by_parts <= all_alike).all()
    assert by_parts.mean() < 0.97 * all_alike.mean()


@pytest.mark.skipif(not is_numba_available(), reason="no numba")
@pytest.mark.parametrize(("grid", "shared"), [(0, False), (8, True)])
def test_faces_are_kept_by_depth_unless_many_nodes_share_them(grid: int, shared: bool) -> None:
    tree = grown_tree(5, 400, numbers=4, classes=3, grid=grid)
    X = cases_for(tree, 6, 300, missing=0.1, grid=grid)
    X[:, -1] = np.arange(len(X)) % 3
    nearby = fit_nearby(tree, counts_from_data(tree, X, X[:, -1], np.ones(len(X))), X)
    assert nearby_kernel._rows(find_index(tree, nearby))[0] is shared
    found = nearby_distribution(tree, nearby, X, engine="numba")
    np.testing.assert_array_equal(found, nearby_distribution(tree, nearby, X, engine="numpy"))


def test_the_chance_beyond_a_face_is_right_to_the_last_digit() -> None:
    u = np.concatenate([np.linspace(0, 7, 20_001), np.linspace(7, 25.9, 2_000)])
    exact = np.array([0.5 * erfc(x) for x in u.tolist()])
    assert np.abs(normal_tails(u) - exact).max() <= 2e-16
    np.testing.assert_allclose(normal_tails(u), exact, rtol=2e-9)


@given(trees(), datasets(min_rows=1), strange_rows())
@example(one_leaf_tree(), weather_rows(), weather_rows().X[:2])
def test_the_loop_is_plain_python_too(tree: BoxTree, rows: Dataset, X: Floats) -> None:
    nearby = fit_nearby(tree, counted(tree, rows), rows.X)
    lost, nobody = 1e-13, np.empty(0, dtype=np.intp)
    plan = find_index(tree, nearby)
    with np.errstate(all="ignore"):  # as in the compiled loop, 0 / 0 is nobody's weight
        found = nearby_kernel._search_leaves(lambda loop: loop, plan, nearby, X, lost, nobody)
    np.testing.assert_array_equal(found, average_by_levels(plan, nearby, X, lost))


def test_blocks_threads_and_pickles_change_nothing() -> None:
    tree, _, nearby, X = measured()
    X = np.tile(X, (20, 1))
    for engine in ENGINES:
        expected = nearby_distribution(tree, nearby, X, engine=engine)
        np.testing.assert_array_equal(
            nearby_distribution(tree, nearby, X[3:4], engine=engine), expected[3:4]
        )
        again = pickle.loads(pickle.dumps(nearby))
        np.testing.assert_array_equal(
            nearby_distribution(tree, again, X[:50], engine=engine), expected[:50]
        )
        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(
                lambda _, e=engine: nearby_distribution(tree, nearby, X, engine=e), range(4)
            ):
                np.testing.assert_array_equal(found, expected)
    assert nearby_distribution(tree, nearby, X[:0]).shape == (0, 3)
    assert nearby_weights(tree, nearby, X[:0]).shape == (0, len(tree.leaves))


RUN = """
import sys
import numpy as np
from j48geo import compilation
from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Attribute, Header
from j48geo.score.nearby import average as nearby
header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
tree = build_tree(header, at_most("x", 2, leaf("a", 3), leaf("b", 3)))
X = np.array([[1.0, 0], [2.0, 0], [4.0, 1]])
{before}
fitted = nearby.fit_nearby(tree, counts_from_text(tree), X)
found = nearby.nearby_distribution(tree, fitted, np.array([[3.0, 0]]))
numba = "numba" in sys.modules  # which loads scipy, if that is there
print(found.tolist(), numba, "scipy" in sys.modules and not numba)
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", "[[0.5, 0.5]] False False"),
        pytest.param(
            "nearby._PAIR = nearby._ROOT = 1000.0",
            "[[0.5, 0.5]] True False",
            marks=pytest.mark.skipif(not is_numba_available(), reason="no numba"),
        ),
        (
            "nearby._PAIR = nearby._ROOT = 1000.0; compilation.is_numba_available = lambda: False",
            "[[0.5, 0.5]] False False",
        ),
    ],
)
def test_small_work_never_loads_numba_and_large_work_does_if_it_is_there(
    before: str, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(before=before)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == said


# -------------------------------------------------------------------------- real trees

PLAIN_TESTS = 6_000
"""Training rows times leaves times cases that the plain loops are given, for each tree."""


@pytest.mark.parametrize("case", tree_cases())
def test_every_real_tree_has_the_average_of_the_plain_loops(case: Path, record_case: Any) -> None:
    found_trees = rows_and_trees(case)
    record_case(f"{suite_of(case)} nearby leaves", case.name)
    for read, data in found_trees:
        if read.header != data.header:
            continue  # a tree of one class against the rest: the rows have other classes
        replayed = replay(read, data)
        tree, counts, X = replayed.tree, replayed.counts, data.X
        few = X[np.random.default_rng(3).permutation(len(X))[:40]]
        count = max(2, PLAIN_TESTS // (len(few) * len(tree.leaves) + 1))
        agree(tree, Dataset(data.header, few, np.ones(len(few))), counts, few[:count])
        nearby = fit_nearby(tree, counts, X)
        found = [nearby_distribution(tree, nearby, X, engine=e) for e in ENGINES]
        assert all(np.array_equal(one, found[0]) for one in found)
        whole = nearby_weights(tree, nearby, X[:300]) @ nearby.leaf_value
        np.testing.assert_allclose(found[0][:300], whole, rtol=0, atol=1e-12)


# --------------------------------------------------------------------- one case, and errors


def test_the_leaves_with_a_say_come_by_weight() -> None:
    tree, _, nearby, X = measured()
    found = leaf_shares(tree, nearby, X[0], least=0.02)
    weights = nearby_weights(tree, nearby, X[:1])[0]
    assert (np.diff(found.weight) <= 0).all()
    assert (found.weight >= 0.02).all()
    np.testing.assert_array_equal(found.weight, weights[found.leaf])
    np.testing.assert_array_equal(found.value, nearby.leaf_value[found.leaf])
    assert found.weight.sum() + found.rest == pytest.approx(1.0, abs=1e-14)
    assert len(found.leaf) + found.others == (weights > 0).sum()
    all_of_them = leaf_shares(tree, nearby, X[0], least=0.0)
    assert (all_of_them.others, all_of_them.rest) == (0, 0.0)
    np.testing.assert_allclose(
        all_of_them.weight @ all_of_them.value,
        nearby_distribution(tree, nearby, X[:1])[0],
        rtol=0,
        atol=1e-12,
    )
    assert len(leaf_shares(tree, nearby, X[0], least=2.0).leaf) == 1


def test_a_tree_of_one_leaf_has_one_say() -> None:
    tree, rows = one_leaf_tree(), weather_rows()
    nearby = fit_nearby(tree, counted(tree, rows), rows.X)
    found = leaf_shares(tree, nearby, rows.X[0])
    assert (found.leaf.tolist(), found.weight.tolist(), found.others) == ([0], [1.0], 0)


@pytest.mark.parametrize("sigma", [0.0, -1.0, nan, inf])
def test_a_width_that_is_none_is_refused(sigma: float) -> None:
    tree = weather_tree()
    with pytest.raises(ChoiceError, match=r"^sigma .*; expected a positive number up to 1e300$"):
        fit_nearby(tree, counts_from_text(tree), weather_rows().X, sigma=sigma)


def test_what_does_not_fit_together_is_said() -> None:
    tree, rows = weather_tree(), weather_rows()
    nearby = fit_nearby(tree, counts_from_text(tree), rows.X)
    with pytest.raises(UnknownNameError, match="unknown leaf value 'm'; known: laplace, m5"):
        fit_nearby(tree, counts_from_text(tree), rows.X, leaf_values="m")
    with pytest.raises(UnknownNameError, match="unknown engine 'c'"):
        nearby_distribution(tree, nearby, rows.X, engine="c")
    with pytest.raises(MismatchError, match="expected 4 columns"):
        nearby_distribution(tree, nearby, rows.X[:, :2])
    with pytest.raises(MismatchError, match="of a tree of 8 nodes; expected 1"):
        nearby_distribution(one_leaf_tree(), nearby, rows.X)
    with pytest.raises(MismatchError, match="expected one row"):
        leaf_shares(tree, nearby, rows.X)


def test_unknown_counts_are_refused() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0, 5.0, 2.0), Leaf(0, 1, 3.0)]))
    with pytest.raises(UnknownCountsError, match="expected the training data"):
        fit_nearby(tree, counts_from_text(tree), np.zeros((1, 5)))


def test_an_attribute_without_spread_has_scale_one() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), Leaf(0, 1)]))
    for value in (nan, 0.5):
        X = np.array([[value, 0, 0, 0, 0.0], [value, 0, 0, 0, 1.0]])
        rows = Dataset(HEADER, X, np.ones(2))
        counts = counted(tree, rows)
        nearby = agree(tree, rows, counts, np.array([[x, 0, 0, 0, 0] for x in (0.5, 1, 1.2)]))
        assert nearby.scale.tolist() == [1.0]
        assert fit_metric(tree, "standard", X).scale[0] == 1.0
