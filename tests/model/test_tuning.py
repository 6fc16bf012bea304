"""Trees grown again on folds: what they choose, and what they make honest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import literal_tuning
import numpy as np
import pytest
from literal_nearby import Literal

import j48geo
from j48geo.core.dataset import Dataset
from j48geo.decide.evaluation.auc import auc
from j48geo.decide.evaluation.probability_metrics import log_loss
from j48geo.decide.roc import hand_till
from j48geo.errors import MismatchError, NeedsTrainingError, SeveralTreesError, UnknownNameError
from j48geo.growing.folds import stratified_folds
from j48geo.model import tuning
from j48geo.model.growth import N_FOLDS, RegrownTree, regrow_trees
from j48geo.model.model import Model
from j48geo.model.tuning import GRIDS, SMALLEST_PROBABILITY, Candidate, tune
from j48geo.score.recalibration import fit_recalibration, recalibrate


@pytest.fixture(scope="module")
def iris(fixtures_dir: Path) -> Model:
    return j48geo.load(fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff")


@pytest.fixture(scope="module")
def wdbc(fixtures_dir: Path) -> Model:
    folder = fixtures_dir / "wdbc-split"
    return j48geo.load(folder / "model.txt", folder / "data.arff")


def test_every_training_row_judges_one_tree_that_has_not_seen_it(wdbc: Model) -> None:
    folds = list(regrow_trees(wdbc, "a test"))
    assert len(folds) == N_FOLDS
    assert wdbc.training is not None
    expected = stratified_folds(wdbc.training.class_values, folds=N_FOLDS, seed=1)
    for found, fold in zip(folds, expected, strict=True):
        np.testing.assert_array_equal(found.test.X, wdbc.training.X[fold.test])
        assert found.model.training is not None
        np.testing.assert_array_equal(found.model.training.X, wdbc.training.X[fold.train])
        assert found.model.positive == wdbc.positive
        np.testing.assert_array_equal(found.actual, found.test.class_values)


def test_trees_are_grown_again_with_the_options_of_the_text(fixtures_dir: Path) -> None:
    data = fixtures_dir / "pima" / "data.arff"
    small = j48geo.grow(data, "-C 0.01 -M 20")
    sizes = [fold.model.tree.size for fold in regrow_trees(small, "a test")]
    usual = [fold.model.tree.size for fold in regrow_trees(j48geo.grow(data), "a test")]
    assert max(sizes) < min(usual)
    text = f"Scheme: weka.classifiers.trees.J48 -C 0.01 -M 20\n\n{small.to('text')}"
    again = j48geo.load(text, data)
    assert [fold.model.tree.size for fold in regrow_trees(again, "a test")] == sizes


def test_options_must_give_back_the_tree(fixtures_dir: Path) -> None:
    data = fixtures_dir / "pima" / "data.arff"
    usual = j48geo.load(str(j48geo.grow(data).to("text")), data)
    assert usual.tree.options.text is None
    assert len(list(regrow_trees(usual, "a test"))) == N_FOLDS
    block = str(j48geo.grow(data, "-M 20").to("text"))
    for text in (block, f"Scheme: weka.classifiers.trees.J48 -M 2\n\n{block}"):
        with pytest.raises(MismatchError, match="grows another tree from"):
            next(regrow_trees(j48geo.load(text, data), "a test"))


def test_what_grows_again_needs_its_training_data_and_one_tree(
    iris: Model, fixtures_dir: Path
) -> None:
    with pytest.raises(NeedsTrainingError, match="a test grows trees from the training data"):
        next(regrow_trees(replace(iris, training=None), "a test"))
    with pytest.raises(SeveralTreesError, match="a test is for one tree"):
        next(regrow_trees(j48geo.load(fixtures_dir / "bagging" / "model.txt"), "a test"))
    around = replace(iris.tree.options, scheme="weka.classifiers.meta.Bagging")
    inside = replace(iris, tree=replace(iris.tree, options=around))
    with pytest.raises(MismatchError, match="was grown by weka"):
        next(regrow_trees(inside, "a test"))


def plainly(fold: RegrownTree, method: str, candidate: Candidate) -> np.ndarray:
    """What a method says of the rows of a fold, asked in the usual way."""
    chosen = {
        k: getattr(candidate, k)
        for k in ("sigma", "leaves", "shrinkage")
        if getattr(candidate, k) is not None
    }
    return fold.model.with_(**chosen).predict_proba(fold.cases, method)


def judged(name: str, p: np.ndarray, fold: RegrownTree) -> float | None:
    at, weights = fold.model.positive_index, fold.cases.weights
    if name == "log-loss":
        return log_loss(np.maximum(p, SMALLEST_PROBABILITY), fold.actual, weights).value
    if name == "M":
        return hand_till(p, fold.actual, weights)
    assert at is not None
    return auc(p[:, at], fold.actual == at, weights)


@pytest.mark.parametrize("method", ["nearby", "hs"])
@pytest.mark.parametrize("purpose", ["rank", "proba"])
@pytest.mark.parametrize("data", ["iris", "wdbc"])
def test_the_choice_is_the_best_of_all_candidates_asked_one_by_one(
    request: pytest.FixtureRequest, data: str, purpose: str, method: str
) -> None:
    model = request.getfixturevalue(data)
    name = "log-loss" if purpose == "proba" else ("M" if data == "iris" else "AUC")
    folds = list(regrow_trees(model, "a test"))
    means = []
    for candidate in GRIDS[method]:
        found = [judged(name, plainly(fold, method, candidate), fold) for fold in folds]
        sizes = [len(fold.cases) if name == "log-loss" else 1 for fold in folds]
        means.append(sum(a * b for a, b in zip(found, sizes, strict=True)) / sum(sizes))
    chosen = tune(model, purpose, method)
    best = min(means) if name == "log-loss" else max(means)
    assert chosen.criterion == name
    assert chosen.value == pytest.approx(best, abs=1e-12)
    assert chosen.default == pytest.approx(means[0], abs=1e-12)
    assert means[GRIDS[method].index(chosen.chosen)] == pytest.approx(best, abs=1e-12)


FEW = (
    *(Candidate(0.05, "laplace"), Candidate(0.3, "laplace"), Candidate(0.8, "laplace")),
    *(Candidate(0.1, "shrunken", 25.0), Candidate(0.45, "shrunken", 5.0)),
)


@pytest.mark.parametrize("criterion", ["log-loss", "AUC or M"])
@pytest.mark.parametrize("method", ["nearby", "hs"])
@pytest.mark.parametrize("data", ["iris", "wdbc"])
def test_a_fold_gives_every_candidate_what_the_definition_gives_it(
    request: pytest.FixtureRequest, data: str, method: str, criterion: str
) -> None:
    if criterion != "log-loss":
        criterion = "M" if data == "iris" else "AUC"
    fold = next(iter(regrow_trees(request.getfixturevalue(data), "a test")))
    some = slice(None, None, 4)  # of all classes
    rows = replace(fold.test, X=fold.test.X[some], weights=fold.test.weights[some])
    fold = RegrownTree(fold.model, rows)
    grid = GRIDS["hs"] if method == "hs" else FEW
    found = tuning.score_candidates(fold, method, grid, criterion)
    actual = fold.actual.tolist()
    for candidate, value in zip(grid, found.tolist(), strict=True):
        p = _literally(fold, method, candidate)
        if criterion == "log-loss":
            expected = literal_tuning.log_loss(p, actual)
        elif criterion == "M":
            expected = literal_tuning.hand_till(p, actual)
        else:
            at = fold.model.positive_index
            assert at is not None
            expected = literal_tuning.area(p, actual, at, {1 - at})
        assert value == pytest.approx(expected, abs=1e-10), str(candidate)


def _literally(fold: RegrownTree, method: str, candidate: Candidate) -> list[list[float]]:
    model, rows = fold.model, fold.cases.X.tolist()
    assert model.training is not None
    tree, counts = model.tree, model.counts
    per_class, weights = counts.per_class.tolist(), counts.weight.tolist()
    strength = candidate.shrinkage or 0.0
    if method == "hs":
        return [literal_tuning.said_by_hs(tree, per_class, row, strength) for row in rows]
    assert candidate.sigma is not None
    assert candidate.leaves is not None
    plain = Literal(
        tree,
        model.training.X.tolist(),
        per_class,
        weights,
        candidate.sigma,
        candidate.leaves,
        strength,
    )
    return [plain.distribution(row) for row in rows]


def test_a_grid_of_ones_own_is_tried_instead(wdbc: Model) -> None:
    assert tune(wdbc, "proba", grid=FEW[2:3]).chosen == FEW[2]


def test_the_same_data_gives_the_same_choice(wdbc: Model) -> None:
    assert tune(wdbc, "rank") == tune(wdbc, "rank")


def test_the_default_stays_where_nothing_is_better(
    wdbc: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = (Candidate(0.3, "laplace"), Candidate(0.3, "shrunken", 0.0))
    monkeypatch.setitem(tuning.GRIDS, "nearby", same)
    assert tune(wdbc, "proba").chosen == same[0]


def test_a_tuned_model_says_what_the_choice_says(wdbc: Model, tmp_path: Path) -> None:
    tuning = tune(wdbc, "rank")
    model = wdbc.tuned("rank")
    assert wdbc.training is not None
    expected = wdbc.with_(**tuning.choices).predict_proba(wdbc.training)
    np.testing.assert_array_equal(model.predict_proba(wdbc.training), expected)
    model.save(tmp_path / "m.json", ["nearby"])
    kept = j48geo.load(tmp_path / "m.json")
    assert kept.fitted is not None
    assert kept.fitted.nearby is not None
    assert kept.fitted.nearby.tuned == "rank"
    assert kept.fitted.nearby.sigma == tuning.chosen.sigma
    np.testing.assert_array_equal(kept.predict_proba(wdbc.training), expected)


def test_what_cannot_be_tuned_is_refused(wdbc: Model) -> None:
    with pytest.raises(UnknownNameError, match="unknown purpose 'win'"):
        tune(wdbc, "win")
    with pytest.raises(UnknownNameError, match="known: nearby, hs"):
        tune(wdbc, "rank", "gdk")


def test_folds_of_one_class_choose_nothing(wdbc: Model) -> None:
    folds = [
        RegrownTree(fold.model, _of_class(fold.test, 0)) for fold in regrow_trees(wdbc, "a test")
    ]
    tuning = tune(wdbc, "rank", folds=folds)
    assert tuning.chosen == GRIDS["nearby"][0]
    assert str(tuning) == "nearby: no fold has cases of two classes, so nothing was chosen"


def _of_class(data: Dataset, c: int) -> Dataset:
    here = data.class_values == c
    return replace(data, X=data.X[here], weights=data.weights[here])


# -------------------------------------------------------------------------- honest numbers


@pytest.mark.parametrize("kind", ["isotonic", "platt"])
def test_other_rows_or_folds_make_every_method_honest(
    wdbc: Model, fixtures_dir: Path, kind: str, tmp_path: Path
) -> None:
    test = j48geo.read_arff(fixtures_dir / "wdbc-split" / "test.arff").with_class("last")
    half = np.arange(len(test)) % 2 == 0
    sample = replace(test, X=test.X[half], weights=test.weights[half])
    other = replace(test, X=test.X[~half], weights=test.weights[~half])
    methods = ("raw", "laplace", "m", "hs", "gdk", "ldk", "ldk-leaf", "nearby")
    model = wdbc.with_(recalibrate=kind)
    for how in ({"sample": sample, "sample_name": "half"}, {}):
        found = {
            name: part.distribution
            for block in model.estimates(other, methods, **how)
            for name, part in block.estimates.items()
        }
        for name in methods:
            before = wdbc.predict_proba(other, name)[:, 0]
            after = found[name][:, 0]
            assert ((after > 0) & (after < 1)).all()
            assert (np.diff(after[np.argsort(before, kind="stable")]) >= -1e-12).all()
    model.save(tmp_path / "m.json", ["gdk", "nearby"])
    kept = j48geo.load(tmp_path / "m.json")
    for name in ("gdk", "nearby"):
        np.testing.assert_array_equal(
            kept.predict_proba(other, name), model.predict_proba(other, name)
        )
        assert not np.array_equal(kept.predict_proba(other, name), wdbc.predict_proba(other, name))


@pytest.mark.parametrize("kind", ["isotonic", "platt"])
@pytest.mark.parametrize("method", ["laplace", "nearby"])
def test_folds_recalibrate_by_what_their_trees_say_of_rows_they_have_not_seen(
    wdbc: Model, kind: str, method: str
) -> None:
    folds = list(regrow_trees(wdbc, "a test"))
    joined = np.concatenate([fold.model.predict_proba(fold.cases, method) for fold in folds])
    actual = np.concatenate([fold.actual for fold in folds])
    learnt = fit_recalibration(kind, joined, actual, np.ones(len(actual)))
    assert wdbc.training is not None
    expected = recalibrate(learnt, wdbc.predict_proba(wdbc.training, method))
    probabilities = wdbc.with_(recalibrate=kind).predict_proba(wdbc.training, method)
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-12)


def test_a_model_file_has_the_recalibration_it_has_and_no_other(
    wdbc: Model, tmp_path: Path
) -> None:
    assert wdbc.training is not None
    wdbc.with_(recalibrate="platt").save(tmp_path / "m.json", ["nearby"])
    kept = j48geo.load(tmp_path / "m.json")
    same = kept.with_(recalibrate="platt").predict_proba(wdbc.training)
    np.testing.assert_array_equal(same, kept.predict_proba(wdbc.training))
    with pytest.raises(NeedsTrainingError, match="cases that the tree has not seen"):
        kept.with_(recalibrate="isotonic").predict_proba(wdbc.training)


def test_other_labels_are_not_those_of_trees_that_are_grown_again(wdbc: Model) -> None:
    turned = wdbc.relabel(fn=100, fp=1).with_(recalibrate="platt")
    assert turned.training is not None
    turned.predict_proba(turned.training, "nearby")
    with pytest.raises(NeedsTrainingError, match="gdk measures to the labels that were given"):
        turned.predict_proba(turned.training, "gdk")
