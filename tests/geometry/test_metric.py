"""The metric: scales from cases or from the user, and what is refused."""

from __future__ import annotations

import pickle
from math import inf, nan
from statistics import stdev

import numpy as np
import pytest
from hand_made import chain_tree, weather_tree
from hypothesis import given
from hypothesis import strategies as st

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.dataset import Attribute, Header
from j48geo.errors import UnknownNameError
from j48geo.geometry.metric import MetricError, fit_metric

HEADER = Header(
    "sensor",
    (Attribute("x"), Attribute("day", "date"), Attribute("c", "nominal", ("a", "b"))),
    class_index=2,
)
TREE = build_tree(HEADER, at_most("x", 1, leaf("a"), at_most("day", 5, leaf("a"), leaf("b"))))


def cases(*x: float) -> np.ndarray:
    return np.array([[v, 10.0 * i, 0.0] for i, v in enumerate(x)]).reshape(-1, 3)


@given(st.lists(st.floats(-1e6, 1e6) | st.just(nan), min_size=3, max_size=40), st.integers(1, 7))
def test_the_standard_deviation_has_divisor_n_minus_1_over_known_values(
    values: list[float], block: int
) -> None:
    X = cases(*values)
    known = X[~np.isnan(X[:, 0]), 0]
    expected = stdev(known.tolist()) if len(known) > 1 and np.ptp(known) > 0 else 1.0
    whole = fit_metric(TREE, "standard", X).scale
    blocks = fit_metric(TREE, "standard", (X[i : i + block] for i in range(0, len(X), block))).scale
    assert whole[0] == pytest.approx(expected, rel=1e-12)
    assert blocks.tolist() == whole.tolist()


def test_minmax_is_the_range_and_none_is_one() -> None:
    X = cases(2.0, nan, 8.0)
    assert fit_metric(TREE, "minmax", X).scale.tolist() == [6.0, 20.0, 1.0]
    assert fit_metric(TREE, "none").scale.tolist() == [1.0, 1.0, 1.0]


def test_an_attribute_without_spread_is_divided_by_one_and_it_is_said() -> None:
    found = fit_metric(TREE, "standard", cases(0.1, 0.1, 0.1))
    assert found.scale[0] == 1.0
    assert found.notes == ("attribute 'x' has no spread in the metric's cases: its divisor is 1",)
    found = fit_metric(TREE, "standard", cases(nan, nan))
    assert found.notes == ("attribute 'x' is never known in the metric's cases: its divisor is 1",)
    assert fit_metric(TREE, "standard", cases(1.0, inf)).scale[0] == 1.0


def test_huge_and_tiny_values_have_a_spread_too() -> None:
    for unit in (2.0**-1030, 2.0**1000):
        found = fit_metric(TREE, "standard", cases(1 * unit, 2 * unit, 3 * unit))
        assert found.scale[0] == pytest.approx(unit, rel=1e-3)


def test_scales_can_be_given_by_name() -> None:
    found = fit_metric(TREE, "custom", scales={"x": 0.5, "day": 2}, source="scales.json")
    assert found.scale.tolist() == [0.5, 2.0, 1.0]
    assert found.describe() == "custom (divided by the given scales), from scales.json"


def test_bad_scales_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown attribute 'y'; known: x, day, c"):
        fit_metric(TREE, "custom", scales={"y": 1})
    with pytest.raises(MetricError, match="scale 0 of attribute 'x'; expected a positive number"):
        fit_metric(TREE, "custom", scales={"x": 0, "day": 1})
    with pytest.raises(MetricError, match="scale is given for the nominal attribute 'c'"):
        fit_metric(TREE, "custom", scales={"c": 1})
    with pytest.raises(MetricError, match="no scale for 'day'; expected one for every numeric"):
        fit_metric(TREE, "custom", scales={"x": 1})


def test_bad_requests_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'city'; known: standard, minmax"):
        fit_metric(TREE, "city")
    with pytest.raises(MetricError, match="the minmax metric needs training cases; expected X"):
        fit_metric(TREE, "minmax")
    with pytest.raises(MetricError, match="nominal weight -1; expected a number of at least 0"):
        fit_metric(TREE, "none", nominal_weight=-1)


def test_nominal_splits_can_be_refused() -> None:
    with pytest.raises(MetricError, match="node 0 tests the nominal attribute 'outlook'"):
        fit_metric(weather_tree(), "none", nominal="refuse")
    assert fit_metric(chain_tree(3), "none", nominal="refuse").kind == "none"


def test_a_metric_survives_pickling() -> None:
    found = pickle.loads(pickle.dumps(fit_metric(TREE, "standard", cases(1, 2, 4), source="f")))
    assert (found.kind, found.source, found.scale[1]) == ("standard", "f", 10.0)
