"""GDK and LDK, compared with Algorithm 3 in plain loops."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isinf, log, nan, sqrt
from pathlib import Path
from typing import Any

import literal_density
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_geometry import cases_for, grown_tree, metrics
from random_trees import datasets, trees
from tree_cases import rows_and_trees, tree_cases

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.fitted_values import DistanceKDE, Metric
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.errors import ChoiceError, MismatchError
from j48geo.geometry.distance import leaf_labels
from j48geo.geometry.metric import fit_metric
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.score.kernel_density import estimate_density, fit_density
from j48geo.score.prediction import Flag
from j48geo.score.setting import Cases, Setting, classify_cases

PARTITIONS = ("none", "separator", "leaf")


def setting_of(tree: BoxTree, train: Dataset, metric: Metric) -> Setting:
    return Setting(
        tree, counts_from_data(tree, train.X, train.class_values, train.weights), metric, 0, train
    )


def places(cases: Cases, c: int) -> list[literal_density.Place]:
    s = cases.setting
    return [
        literal_density.place(
            s.tree,
            row,
            own,
            where,
            c,
            leaf_labels(s.tree).tolist(),
            s.metric.scale.tolist(),
            s.metric.nominal_weight,
        )
        for row, own, where in zip(
            cases.X.tolist(),
            cases.predicted.tolist(),
            cases.prediction.leaf.tolist(),
            strict=True,
        )
    ]


def compare(kde: DistanceKDE, sample: Dataset, cases: Cases, tau: float) -> None:
    """All estimates against the loops."""
    known = classify_cases(cases.setting, sample.X)
    used = ~np.isnan(sample.class_values) & (sample.weights > 0) & (known.predicted >= 0)
    actual, weights = sample.class_values[used].tolist(), sample.weights[used].tolist()
    found = estimate_density(kde, cases)
    assert not np.isnan(found.per_class).any()
    for c in range(len(kde.prior)):
        learnt = [p for p, keep in zip(places(known, c), used.tolist(), strict=True) if keep]
        endless = any(isinf(p.h) for p in learnt)
        b = inf if endless else literal_density.bandwidth(learnt, tau)
        is_c = [k == c for k in actual]
        for i, y in enumerate(places(cases, c)):
            if cases.predicted[i] < 0:
                continue
            if endless:
                y.h = inf
            expected = literal_density.estimate(
                y, learnt, is_c, weights, b, kernel=kde.kernel, partition=kde.partition
            )
            assert found.per_class[i, c] == pytest.approx(expected, rel=1e-11, abs=1e-12)


def finite(rows: Dataset) -> Dataset:
    """Without infinite values, which have no finite range."""
    return Dataset(rows.header, np.clip(rows.X, -1e6, 1e6), rows.weights)


@settings(max_examples=60, deadline=None)
@given(
    trees(),
    datasets(min_rows=1),
    datasets(min_rows=1),
    metrics(),
    st.sampled_from(PARTITIONS),
    st.sampled_from(("gaussian", "box")),
    st.sampled_from((0.05, 0.1, 0.5)),
)
def test_estimates_of_random_trees_are_those_of_algorithm_3(
    tree: BoxTree,
    train: Dataset,
    test: Dataset,
    metric: Metric,
    partition: str,
    kernel: str,
    tau: float,
) -> None:
    train, test = finite(train), finite(test)
    setting = setting_of(tree, train, metric)
    try:
        kde = fit_density(setting, train, partition=partition, kernel=kernel, tau=tau)
    except MismatchError:
        assert (
            not (~np.isnan(train.class_values) & (train.weights > 0)).any()
            or (classify_cases(setting, train.X).predicted < 0).any()
        )
        return
    compare(kde, train, classify_cases(setting, test.X), tau)


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("classes", [2, 4])
def test_estimates_of_grown_trees_are_those_of_algorithm_3(partition: str, classes: int) -> None:
    tree = grown_tree(3, 12, numbers=3, colours=1, classes=classes, grid=8)
    X = cases_for(tree, 5, 160)
    chance = np.random.default_rng(1)
    X[:, -1] = chance.integers(0, classes, len(X))
    train = Dataset(tree.header, X[:120], chance.choice([0.5, 1.0, 3.0], 120))
    setting = setting_of(tree, train, fit_metric(tree, "standard", train.X))
    kde = fit_density(setting, train, partition=partition, tau=0.07)
    compare(kde, train, classify_cases(setting, X[120:]), 0.07)


@pytest.mark.parametrize("case", tree_cases())
def test_estimates_of_every_real_tree_are_those_of_algorithm_3(
    case: Path, record_case: Any
) -> None:
    compared = 0
    for tree, rows in rows_and_trees(case):
        if tree.header != rows.header:
            continue
        found = replay(tree, rows)
        metric = fit_metric(found.tree, "standard", rows.X)
        setting = Setting(found.tree, found.counts, metric, 0, rows)
        # The plain loops meet every leaf for every case: some cases speak for a large set.
        room = max(4, 8_000 // (len(found.tree.leaves) * len(found.tree.classes)))
        chance = np.random.default_rng(7)
        few = np.sort(chance.choice(len(rows), min(room, len(rows)), replace=False))
        sample = Dataset(rows.header, rows.X[few], rows.weights[few])
        if np.isnan(sample.class_values).all():
            continue
        cases = classify_cases(setting, rows.X[chance.choice(len(rows), 5)])
        for partition in PARTITIONS:
            kde = fit_density(setting, sample, partition=partition)
            compare(kde, sample, cases, kde.tau)
            compared += 1
    if compared:
        record_case("estimates by distance", case.name)


def test_the_two_classes_of_gdk_sum_to_one(fixtures_dir: Path) -> None:
    rows = read_arff(fixtures_dir / "pima" / "data.arff")
    tree = replay(read_tree(fixtures_dir / "pima" / "model.txt", header=rows.header), rows).tree
    setting = setting_of(tree, rows, fit_metric(tree, "standard", rows.X))
    kde = fit_density(setting, rows)
    found = estimate_density(kde, classify_cases(setting, rows.X))
    assert np.abs(found.per_class.sum(axis=1) - 1.0).max() <= 2**-52
    assert len(np.unique(found.per_class[:, 0])) > 400
    np.testing.assert_array_equal(found.log_odds[:, 0], -found.log_odds[:, 1])


# ------------------------------------------------------------------------------ odd places

LINE = Header("line", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)


def line_setting(values: list[float], classes: list[float], threshold: float = 0.0) -> Setting:
    tree = build_tree(LINE, at_most("x", threshold, leaf("a"), leaf("b")))
    train = Dataset(LINE, np.array([values, classes]).T, np.ones(len(values)))
    return setting_of(tree, train, Metric("none", np.ones(2)))


def test_far_from_all_cases_the_nearest_one_speaks_and_the_row_is_flagged() -> None:
    setting = line_setting([-2.0, -1.0, 1.0, 2.0], [0, 0, 0, 1])
    kde = fit_density(setting, setting.training, tau=0.05)
    X = np.array([[1e9, nan], [-1e9, nan], [inf, nan], [1.0, nan]])
    found = estimate_density(kde, classify_cases(setting, X))
    np.testing.assert_array_equal(found.per_class[:3, 1], [1.0, 0.0, 1.0])
    assert found.per_class[3, 1] < 1e-5
    assert found.flags.tolist() == [Flag.FAR, Flag.FAR, Flag.FAR, 0]


@pytest.mark.parametrize(("kernel", "reach"), [("gaussian", 38.0), ("box", 0.5)])
def test_a_case_at_the_reach_of_the_kernel_is_not_far(kernel: Any, reach: float) -> None:
    setting = line_setting([-2.0, -1.0, 1.0, 2.0], [0, 0, 0, 1])
    kde = fit_density(setting, setting.training, kernel=kernel)
    kde = replace(kde, bandwidth=np.ones_like(kde.bandwidth))
    X = np.array([[2.0 + reach, nan], [np.nextafter(2.0 + reach, inf), nan]])
    found = estimate_density(kde, classify_cases(setting, X))
    assert found.flags.tolist() == [0, Flag.FAR]


def test_one_distance_gives_the_shares_there_and_elsewhere_the_prior() -> None:
    setting = line_setting([1.0, 1.0, 1.0, 1.0], [0, 1, 1, 1])
    kde = fit_density(setting, setting.training)
    found = estimate_density(kde, classify_cases(setting, np.array([[1.0, nan], [5.0, nan]])))
    np.testing.assert_allclose(found.per_class[:, 1], 0.75, rtol=1e-15)
    assert (found.flags == Flag.ONE_DISTANCE).all()


def test_without_a_boundary_everybody_gets_the_prior() -> None:
    tree = build_tree(LINE, at_most("x", 0, leaf("a"), leaf("a")))
    train = Dataset(LINE, np.array([[1.0, 0], [2.0, 1], [-1.0, 0]]), np.array([1.0, 2.0, 1.0]))
    setting = setting_of(tree, train, Metric("none", np.ones(2)))
    found = estimate_density(fit_density(setting, train), classify_cases(setting, train.X))
    np.testing.assert_allclose(found.per_class, [[0.5, 0.5]] * 3, rtol=1e-15)
    assert (found.flags == Flag.NO_BOUNDARY).all()


def test_a_separator_without_cases_lets_all_cases_speak_and_is_flagged() -> None:
    tree = build_tree(LINE, at_most("x", 0, leaf("a"), at_most("x", 10, leaf("b"), leaf("a"))))
    train = Dataset(LINE, np.array([[-1.0, 0], [1.0, 1], [-3.0, 0], [2.0, 0]]), np.ones(4))
    setting = setting_of(tree, train, Metric("none", np.ones(2)))
    X = np.array([[12.0, nan], [1.5, nan]])
    local = estimate_density(
        fit_density(setting, train, partition="separator"), classify_cases(setting, X)
    )
    everybody = estimate_density(fit_density(setting, train, tau=0.05), classify_cases(setting, X))
    assert local.flags.tolist() == [Flag.EMPTY_PART, 0]
    assert local.per_class[0, 0] == everybody.per_class[0, 0]


def test_log_odds_tell_cases_apart_where_the_probability_is_one() -> None:
    values = np.concatenate([np.linspace(-9, -5, 30), np.linspace(5, 9, 30)])
    setting = line_setting(values.tolist(), [0.0] * 30 + [1.0] * 30)
    kde = fit_density(setting, setting.training, tau=0.02)
    X = np.array([[7.0, nan], [8.0, nan], [9.0, nan]])
    found = estimate_density(kde, classify_cases(setting, X))
    assert (found.per_class[:, 1] == 1.0).all()
    assert (np.diff(found.log_odds[:, 1]) > 0).all()


def test_bad_settings_are_told() -> None:
    setting = line_setting([1.0, 2.0], [0, 1])
    with pytest.raises(ChoiceError, match="tau -1; expected a positive number"):
        fit_density(setting, setting.training, tau=-1)
    with pytest.raises(ChoiceError, match="kernel 'box' with kde 'r512'; expected 'gaussian'"):
        fit_density(setting, setting.training, kernel="box", kde="r512")
    nobody = Dataset(LINE, np.array([[1.0, nan]]), np.ones(1))
    with pytest.raises(MismatchError, match="no case with a known class"):
        fit_density(setting, nobody)


def test_the_grid_of_r_is_near_the_exact_sums(fixtures_dir: Path) -> None:
    rows = read_arff(fixtures_dir / "pima" / "data.arff")
    tree = replay(read_tree(fixtures_dir / "pima" / "model.txt", header=rows.header), rows).tree
    setting = setting_of(tree, rows, fit_metric(tree, "standard", rows.X))
    cases = classify_cases(setting, rows.X)
    for partition in ("none", "separator"):
        exact = estimate_density(fit_density(setting, rows, partition=partition), cases)
        grid = estimate_density(fit_density(setting, rows, partition=partition, kde="r512"), cases)
        apart = np.abs(exact.per_class - grid.per_class).max()
        assert 0 < apart < 0.02


# ------------------------------------------------------- the toy example of ABD07 section 5.2


def true_probability(x: np.ndarray, k: float) -> np.ndarray:
    """.1 to .9 on [-.5, 0], then a drop around .25."""
    rise = 1.0 / (1.0 + np.exp(-4.0 * log(9.0) * (x + 0.25)))
    with np.errstate(over="ignore"):
        drop = 1.0 / (1.0 + np.exp(k * (x - 0.25)))
    return np.where(x <= 0, rise, drop)


def toy_errors(kernel: str, width: float, k: float) -> dict[str, float]:
    """Root of the mean squared error to the true probability, by partition, mean over samples."""
    header = Header(
        "toy", (Attribute("x"), Attribute("y"), Attribute("c", "nominal", ("m", "p"))), 2
    )
    tree = build_tree(
        header,
        at_most("x", -0.25, leaf("m"), at_most("x", 0.25, leaf("p"), leaf("m"))),
    )
    errors: dict[str, list[float]] = {name: [] for name in (*PARTITIONS, "x")}
    grid = np.linspace(-0.499, 0.499, 401)
    for seed in range(10):
        chance = np.random.default_rng(seed)
        xy = chance.uniform(-0.5, 0.5, (1000, 2))
        c = (chance.uniform(size=1000) < true_probability(xy[:, 0], k)).astype(float)
        train = Dataset(header, np.column_stack([xy, c]), np.ones(1000))
        setting = setting_of(tree, train, Metric("none", np.ones(3)))
        X = np.column_stack([grid, np.zeros((401, 2))])
        truth = true_probability(grid, k)
        for partition in PARTITIONS:
            wide = fit_density(setting, train, partition=partition, kernel=kernel, tau=1.0)
            tau = width / float(wide.bandwidth[0])
            kde = fit_density(setting, train, partition=partition, kernel=kernel, tau=tau)
            p = estimate_density(kde, classify_cases(setting, X)).per_class[:, 1]
            errors[partition].append(sqrt(np.mean((p - truth) ** 2)))
        apart = grid[:, None] - xy[:, 0]
        if kernel == "box":
            weight = (np.abs(apart) <= width / 2).astype(float)
        else:
            weight = np.exp(-((apart / width) ** 2) / 2)
        on_x = weight @ c / weight.sum(axis=1)
        errors["x"].append(sqrt(np.mean((on_x - truth) ** 2)))
    return {name: float(np.mean(values)) for name, values in errors.items()}


def test_the_toy_example_of_the_paper_favours_separators_with_a_box_kernel() -> None:
    found = toy_errors("box", 0.1, 100)
    expected = {"leaf": 0.103, "separator": 0.055, "x": 0.055, "none": 0.135}
    assert found == pytest.approx(expected, abs=0.004)


def test_the_toy_example_reverses_with_a_gaussian_of_that_width() -> None:
    found = toy_errors("gaussian", 0.1, 100)
    assert found["leaf"] == pytest.approx(0.116, abs=0.004)
    assert found["separator"] == pytest.approx(0.136, abs=0.004)
