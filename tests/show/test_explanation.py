from __future__ import annotations

import json
from dataclasses import replace
from math import nan

import numpy as np
import pytest
from hand_made import weather_tree

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, TreeLayout
from j48geo.geometry.explanation import explain
from j48geo.geometry.metric import fit_metric
from j48geo.score.explained_case import ExplainedCase
from j48geo.score.prediction import predict
from j48geo.show.reports.explanation import explanation_to_json, explanation_to_text


def case(tree: BoxTree, x: list[float], **more: float) -> ExplainedCase:
    counts = counts_from_text(tree)
    metric = fit_metric(tree, "none", **more)  # type: ignore[arg-type]
    row = np.array(x)
    explanation = explain(tree, row, metric, lambda X: predict(tree, counts, X).predicted)
    return ExplainedCase(3, row, tree, counts, metric, explanation)


def numeric_tree(*labels: str) -> BoxTree:
    """Tests of x at 2 and 4, with classes a, b, c."""
    header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b", "c"))), 1)
    first, second, third = labels
    grown = at_most("x", 2, leaf(first, 3, 1), at_most("x", 4, leaf(second, 5), leaf(third, 2, 1)))
    return build_tree(header, grown)


def test_counts_that_the_text_leaves_open_are_told_as_far_as_they_go() -> None:
    words = explanation_to_text(case(numeric_tree("a", "b", "c"), [1.0, nan]))
    assert words.startswith("Row 3: predicted a.\n")
    assert "Leaf 1 says a: 3 training cases reached it, 1 of another class.\n" in words
    assert "boundary: 1 in the attributes' own units. The nearest leaf of another" in words
    words = explanation_to_text(case(numeric_tree("a", "b", "c"), [3.0, 1.0]))
    assert "Leaf 2 says b: 5 training cases reached it: 5 b.\n" in words


def test_every_other_class_is_told_and_each_change_once() -> None:
    made = case(numeric_tree("a", "b", "c"), [1.0, 0.0])
    words = explanation_to_text(made)
    assert words.count("makes it b (leaf 2)") == 1
    assert words.count("To make it c (leaf 3), 3 in the attributes' own units away:\n") == 1
    assert "b (leaf 2), " not in words
    assert "it must be more than 2, here " in words
    told = explanation_to_json(made)
    assert [other["class"] for other in told["per_class"]] == ["b", "c"]  # type: ignore[attr-defined]
    json.dumps(told, allow_nan=False)


def test_the_other_dialect_asks_for_less_and_at_least() -> None:
    tree = numeric_tree("a", "b", "c")
    nodes = tuple(
        n if n.split is None else replace(n, split=replace(n.split, closed=False))
        for n in tree.nodes
    )
    tree = replace(tree, nodes=nodes, layout=TreeLayout(greater=" >= "))
    assert "  x = 2  is >= 2\n  x = 2  is < 4\n" in explanation_to_text(case(tree, [2.0, 0.0]))
    assert "it must be at least 2)" in explanation_to_text(case(tree, [1.0, 0.0]))
    assert "it must be less than 2, here " in explanation_to_text(case(tree, [3.0, 1.0]))


def test_a_nominal_choice_names_the_others_and_the_weight_is_told() -> None:
    tree = weather_tree()
    words = explanation_to_text(case(tree, [0.0, 80.0, 0.0, 1.0], nominal_weight=0.5))
    assert "Row 3: predicted no; that is its class.\n" in words
    assert "  outlook = sunny\n  humidity = 80    is > 75\n" in words
    assert " (a changed nominal value counts 0.5). The " in words
    assert "  outlook from sunny to overcast\n" in words


def test_a_tree_of_one_label_says_that_nothing_else_is_said() -> None:
    made = case(numeric_tree("a", "a", "a"), [1.0, 1.0])
    assert "There is no decision boundary: no leaf says anything else.\n" in explanation_to_text(
        made
    )
    assert explanation_to_json(made)["flags"] == ["no-boundary"]


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_words(value: float) -> None:
    made = case(numeric_tree("a", "b", "c"), [value, 0.0])
    told = json.dumps(explanation_to_json(made), allow_nan=False)
    assert ('"-Infinity"' in told) == (value < 0)
    assert "x = Infinity  is > 2" in explanation_to_text(made) or value < 0


def test_names_with_line_breaks_stay_on_one_line() -> None:
    header = Header("h", (Attribute("x\ny"), Attribute("c", "nominal", ("a", "b\n"))), 1)
    tree = build_tree(header, at_most("x\ny", 2, leaf("a", 3), leaf("b\n", 5)))
    words = explanation_to_text(case(tree, [2.0, 0.0]))
    assert "  x\\ny = 2  is <= 2\n" in words
    assert "At distance 0 the case lies on the threshold itself" in words
