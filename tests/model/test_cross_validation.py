"""Cross-validation: Weka's folds, trees grown again, methods that never see what judges them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from weka_live import Weka

from j48geo import (
    Dataset,
    MismatchError,
    Model,
    NeedsTrainingError,
    grow,
    load,
    read_arff,
)
from j48geo.decide.evaluation.evaluation import ClassesEvaluation, MetricOptions
from j48geo.errors import SeveralTreesError
from j48geo.growing.folds import stratified_folds
from j48geo.growing.options import GrowOptionsError


def loaded(folder: Path) -> Model:
    return load(folder / "model.txt", folder / "data.arff")


def wekas_matrix(text: str) -> list[list[float]]:
    """The confusion matrix of the cross-validation that Weka's command line prints."""
    tail = text[text.index("=== Stratified cross-validation ===") :]
    rows = re.findall(r"^([ \d.]+)\|", tail[tail.index("=== Confusion Matrix ===") :], re.M)
    return [[float(cell) for cell in row.split()] for row in rows]


@pytest.mark.weka
@pytest.mark.parametrize("folds", [3, 10])
@pytest.mark.parametrize(
    "name",
    [
        "breast-cancer-explorer",
        "iris",
        "parcels-binary",
        "parcels-weights",
        "pima",
        "wdbc-split",
        "wine-laplace",
    ],
)
def test_the_confusion_matrix_is_wekas(
    name: str, folds: int, fixtures_dir: Path, weka: Weka
) -> None:
    evaluation = loaded(fixtures_dir / name).cross_validate(folds, ["raw"])
    text = weka.cli(fixtures_dir / name / "data.arff", options=f"-x {folds} {evaluation.options}")
    assert evaluation.confusion.weight.tolist() == wekas_matrix(text)
    assert evaluation.folds == folds


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> Model:
    return loaded(fixtures_dir / "pima")


def some(rows: Dataset, places: object) -> Dataset:
    return Dataset(rows.header, rows.X[places], rows.weights[places])


def test_every_answer_is_that_of_a_tree_without_its_fold(pima: Model) -> None:
    rows = pima.training
    assert rows is not None
    names = ["raw", "global", "ldk", "nearby"]
    evaluation = pima.cross_validate(5, names, seed=3)
    start = 0
    for fold in stratified_folds(rows.class_values, folds=5, seed=3):
        assert not set(fold.train) & set(fold.test)
        tree = grow(some(rows, fold.train)).with_(positive=pima.positive)
        test = some(rows, fold.test)
        part = slice(start, start + len(test))
        start += len(test)
        np.testing.assert_array_equal(evaluation.judged.actual[part], test.class_values)
        np.testing.assert_array_equal(
            np.array(pima.classes)[evaluation.judged.predicted[part]], tree.predict(test)
        )
        for scores in evaluation.judged.methods:
            if scores.distribution is None:
                np.testing.assert_array_equal(scores.score[part], tree.decision_function(test))
            else:
                np.testing.assert_array_equal(
                    scores.distribution[part], tree.predict_proba(test, scores.method)
                )
    assert start == len(rows)
    assert [m.method for m in evaluation.judged.methods] == names


def test_it_is_repeated_to_the_last_digit_and_not_optimistic(pima: Model) -> None:
    first, again = pima.cross_validate(10), pima.cross_validate(10)
    assert str(first) == str(again)
    assert str(first).startswith(
        "cross-validation: J48, grown again without each of 10 folds and judged on it\n768 cases"
    )
    assert not first.evaluation.optimistic
    own = pima.evaluate(pima.training)
    for out, resubstituted in zip(first.evaluation.rows, own.evaluation.rows, strict=True):
        assert out.method == resubstituted.method
        assert out.auc < resubstituted.auc


def test_ranks_of_a_local_ranking_are_compared_over_all_folds(pima: Model) -> None:
    evaluation = pima.cross_validate(4, ["laplace", "local"])
    laplace, local = (m.score for m in evaluation.judged.methods)
    # The local ranking only orders cases of equal estimates.
    order = np.argsort(-local, kind="stable")
    assert (np.diff(laplace[order]) <= 1e-12).all()


def test_every_class_is_judged_where_none_is_the_positive(fixtures_dir: Path) -> None:
    evaluation = loaded(fixtures_dir / "iris").cross_validate(10, measures=MetricOptions(fpr=0.2))
    assert isinstance(evaluation.evaluation, ClassesEvaluation)
    named = loaded(fixtures_dir / "iris").with_(positive="Iris-virginica")
    assert named.cross_validate(10, measures=MetricOptions(fpr=0.2)).evaluation.measures.fpr == 0.2


def test_a_tree_that_was_grown_here_knows_its_options(fixtures_dir: Path) -> None:
    data = read_arff(fixtures_dir / "iris" / "data.arff")
    evaluation = grow(data, "-C 0.1 -M 5").cross_validate(3, ["raw"])
    assert evaluation.options == "-C 0.1 -M 5"
    assert grow(data, "-R -N 4").cross_validate(3, ["raw"]).options == "-R -N 4"


def test_without_its_rows_or_as_another_tree_it_is_refused(fixtures_dir: Path, pima: Model) -> None:
    text = fixtures_dir / "pima" / "model.txt"
    with pytest.raises(NeedsTrainingError, match="grows trees from the training data"):
        load(text).cross_validate()
    with pytest.raises(GrowOptionsError, match="1 folds of 768 rows"):
        pima.cross_validate(1)
    with pytest.raises(MismatchError, match="other labels belong to the leaves of this tree"):
        pima.relabel(fn=5, fp=1).cross_validate()
    auc = grow(fixtures_dir / "pima" / "data.arff", criterion="auc")
    with pytest.raises(MismatchError, match="J48 with its default options grows another tree"):
        auc.cross_validate()
    with pytest.raises(SeveralTreesError):
        loaded(fixtures_dir / "bagging").cross_validate()
    one = load(
        fixtures_dir / "bagging" / "model.txt",
        fixtures_dir / "bagging" / "data.arff",
        tree=1,
        allow_mismatch=True,
    )
    with pytest.raises(MismatchError, match="was grown by a classifier around J48; expected"):
        one.cross_validate()
