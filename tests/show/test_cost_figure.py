"""The picture of what labels cost."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from j48geo import Model, load
from j48geo.decide.cost_steps import compute_cost_lines
from j48geo.decide.costs import CostError, two_class_costs
from j48geo.decide.leaf_order import Smoothing
from j48geo.decide.relabelling import label_leaves, labelling_cost
from j48geo.model.costs import CostRequest, choose_labels
from j48geo.show.plots.curves import cost_figure


@pytest.fixture
def pima(fixtures_dir: Path) -> Model:
    return load(fixtures_dir / "pima" / "model.txt")


@pytest.mark.parametrize("smoothing", ["laplace", "none", "m"])
def test_every_line_is_what_the_library_says_at_its_ratios(
    pima: Model, smoothing: Smoothing
) -> None:
    found = choose_labels(pima, CostRequest(fn=5.0), smoothing)
    made = compute_cost_lines(found)
    assert made.asked == 5
    assert list(made.lines) == [
        *("J48's labels", "new labels", "all 'tested_positive'", "all 'tested_negative'")
    ]
    for k in range(0, len(made.ratio), 50):
        ratio = Fraction(float(made.ratio[k]))
        matrix = two_class_costs(ratio / (1 + ratio), 1 / (1 + ratio), positive=1)
        wanted = [
            found.own,
            label_leaves(found.estimates, matrix, found.own),
            [1] * len(found.own),
            [0] * len(found.own),
        ]
        for values, labels in zip(made.lines.values(), wanted, strict=True):
            cost = labelling_cost(found.counts.own, labels, matrix) / found.weight
            assert values[k] == pytest.approx(float(cost), rel=1e-9)


def test_a_ratio_far_out_is_inside_the_picture_and_named(pima: Model) -> None:
    (axes,) = cost_figure(choose_labels(pima, CostRequest(fn=400.0)), "a title").axes
    assert axes.get_xlim() == pytest.approx((1 / 800, 800))
    words = [text.get_text().strip() for text in axes.texts]
    assert "asked: 400 : 1" in words
    assert {"J48's labels", "new labels", "all 'tested_positive'"} <= set(words)


def test_a_cost_of_nothing_is_no_ratio(pima: Model) -> None:
    assert compute_cost_lines(choose_labels(pima, CostRequest(fn=1.0, fp=0.0))).asked is None


def test_more_than_two_classes_have_no_one_ratio(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    model = load(folder / "model.txt", train=folder / "data.arff")
    found = choose_labels(model, CostRequest(prior=[0.2, 0.3, 0.5]))
    with pytest.raises(CostError, match="is for two classes; the tree has 3"):
        compute_cost_lines(found)
