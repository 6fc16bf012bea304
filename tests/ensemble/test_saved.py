"""Saved classifiers answer as Weka does, to the last bit, or are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from saved_cases import CORPUS, SavedCase, saved_cases
from weka_live import answers

from j48geo import read_arff
from j48geo.arrays import Floats
from j48geo.core.tree_text import TreeText
from j48geo.ensemble.committee import WrapperAnswer, answer_rows
from j48geo.errors import MismatchError, ModelReadError
from j48geo.read.readers import read_trees
from j48geo.score.prediction import predict
from j48geo.show.tree.weka_text import tree_text


def told(text: TreeText, X: Floats) -> WrapperAnswer:
    """The answer of a tree alone, or of the wrapper."""
    if text.ensemble is not None:
        return answer_rows(text.entries, text.ensemble, X)
    (entry,) = text.entries
    (tree,) = entry.readings
    assert entry.counts is not None
    said = predict(tree, entry.counts, X, laplace=bool(tree.options.laplace))
    return WrapperAnswer(said.distribution, said.classified)


@pytest.mark.parametrize("case", saved_cases())
def test_class_and_distribution_are_wekas_to_the_bit(
    case: SavedCase, record_case: Callable[..., None]
) -> None:
    record_case(case.suite, case.name)
    text = read_trees(case.model)
    for rows, kept in case.asked:
        data = read_arff(rows).with_class(case.class_choice)
        expected = answers(kept)
        if case.refused:
            with pytest.raises(MismatchError, match=r"^MultiClassClassifier: .*1-against-1"):
                told(text, data.X)
            continue
        said = told(text, data.X)
        assert expected.same(said.classified, said.distribution) == len(data) > 0


@pytest.mark.parametrize("case", saved_cases())
def test_every_tree_prints_as_weka_printed_it(case: SavedCase) -> None:
    if case.names_its_trees_only:
        assert "J48 pruned tree" not in case.text
        return
    for entry in read_trees(case.model).entries:
        assert tree_text(entry.readings[0]).strip() in case.text


def test_rows_of_another_width_are_refused(fixtures_dir: Path) -> None:
    text = read_trees(fixtures_dir / "saved" / "bagging.model")
    assert text.ensemble is not None
    X = read_arff(fixtures_dir / "iris" / "data.arff").X
    with pytest.raises(MismatchError, match=r"^rows of 5 columns; the model expects \d+$"):
        answer_rows(text.entries, text.ensemble, X)


@pytest.mark.corpus
def test_columns_stay_in_their_order_where_nothing_is_removed() -> None:
    folder = CORPUS / "attack" / "asc-ranker-model-wrong"
    text = read_trees(folder / "saved.model")
    assert text.ensemble is not None
    data = read_arff(folder / "test.arff").with_class("first")
    (entry,) = text.entries
    assert entry.readings[0].header.names == data.header.names
    assert entry.counts is not None
    alone = predict(entry.readings[0], entry.counts, data.X)
    np.testing.assert_array_equal(told(text, data.X).classified, alone.classified)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["bad", "bad_1e+300", "bad_3"])
def test_a_replacement_that_is_no_label_is_refused(name: str) -> None:
    with pytest.raises(ModelReadError, match=r"ReplaceMissingValues gives .* a label it lacks"):
        read_trees(CORPUS / "attack" / "hostile-model-segv" / f"{name}.model")
    assert read_trees(CORPUS / "attack" / "hostile-model-segv" / "good.model").entries
