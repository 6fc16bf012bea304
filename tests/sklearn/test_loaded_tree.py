"""`J48Classifier`: the answers of `Model` and of Weka, by scikit-learn's rules."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator
from tables_of import KINDS, rows_as
from tree_cases import class_choice, named_cases
from weka_live import predictions

from j48geo import (
    ChoiceError,
    DataReadError,
    Dataset,
    MismatchError,
    NeedsTrainingError,
    UnknownNameError,
    load,
    read_arff,
)
from j48geo.core.dataset import Attribute, Header
from j48geo.errors import SeveralTreesError
from j48geo.sklearn import J48Classifier
from j48geo.sklearn.base import RowsError

STEPS = """\
x0 <= -0.5: 0 (10.0)
x0 > -0.5
|   x1 <= 1
|   |   x2 <= 2: 1 (20.0)
|   |   x2 > 2: 2 (5.0)
|   x1 > 1: 3 (10.0)
"""
"""Three attributes and four classes; between 0 and 1 the class is 1."""

COLUMNS = {
    1: ["check_fit2d_1feature"],
    2: [
        "check_classifier_data_not_an_array",
        "check_estimators_fit_returns_self",
        "check_estimators_overwrite_params",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_n_features_in",
        "check_readonly_memmap_input",
    ],
    4: ["check_n_features_in_after_fitting", "check_positive_only_tag_during_fit"],
    5: ["check_estimators_dtypes"],
    10: ["check_dtype_object", "check_fit2d_1sample"],
}
"""Checks by the number of columns of their data."""

LEARNING = {
    "check_classifiers_classes": "its data has 2 columns, and classes of its own",
    "check_classifiers_train": "its data has 2 columns, from which a classifier is to learn",
    "check_decision_proba_consistency": "its data has 2 columns, from which it is to learn",
}

REASONS = {
    **{name: f"its data has {n}, not 3 columns" for n, names in COLUMNS.items() for name in names},
    **LEARNING,
}


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> J48Classifier:
    folder = fixtures_dir / "pima"
    return J48Classifier.load(folder / "model.txt", train=folder / "data.arff")


@pytest.fixture(scope="module")
def iris(fixtures_dir: Path) -> J48Classifier:
    folder = fixtures_dir / "iris"
    return J48Classifier.load(folder / "model.txt", train=folder / "data.arff")


@pytest.fixture(scope="module")
def patients(fixtures_dir: Path) -> Dataset:
    return read_arff(fixtures_dir / "pima" / "data.arff")


@pytest.fixture(scope="module")
def flowers(fixtures_dir: Path) -> Dataset:
    return read_arff(fixtures_dir / "iris" / "data.arff")


def checked(estimator: Any, **how: Any) -> dict[str, set[str]]:
    """Names of scikit-learn's checks by how they ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks warn of each other
        results = check_estimator(estimator, on_fail=None, on_skip=None, **how)
    found: dict[str, set[str]] = {}
    for result in results:
        found.setdefault(result["status"], set()).add(result["check_name"])
    return found


# ---------------------------------------------------------------------- scikit-learn's rules


def test_only_checks_whose_data_has_other_columns_fail() -> None:
    found = checked(J48Classifier(STEPS), expected_failed_checks=REASONS)
    assert found.pop("xfail") == set(REASONS)
    assert found.pop("skipped") == {"check_array_api_input"}  # it wants a variable to be set
    assert len(found.pop("passed")) > 30
    assert not found


@pytest.mark.parametrize("n", COLUMNS)
def test_they_pass_with_a_tree_of_as_many_columns(n: int) -> None:
    lines = [f"{'|   ' * k}x{k} <= -9: {k % 4} (2.0)\n{'|   ' * k}x{k} > -9" for k in range(n)]
    target = Attribute("class", "nominal", ("0", "1", "2", "3"))
    header = Header("r", (*(Attribute(f"x{k}") for k in range(n)), target), n)
    nobody = Dataset(header, np.empty((0, n + 1)), np.empty(0))
    model = load("\n".join(lines) + ": 1 (9.0)\n", data=nobody)
    found = checked(J48Classifier(model.to("json")))
    assert set(COLUMNS[n]) <= found["passed"]


def test_nothing_is_answered_before_a_model_is_loaded(fixtures_dir: Path) -> None:
    made = J48Classifier(fixtures_dir / "pima" / "model.txt")
    for name in ("predict", "predict_proba", "decision_function", "apply", "decision_path"):
        with pytest.raises(NotFittedError):
            getattr(made, name)(np.zeros((1, 8)))


def test_it_is_cloned_unfitted_and_pickled_with_its_model(
    pima: J48Classifier, patients: Dataset
) -> None:
    X = patients.X[:, :-1]
    again = clone(pima)
    assert again.get_params() == pima.get_params()
    with pytest.raises(NotFittedError):
        again.predict(X)
    for other in (
        pickle.loads(pickle.dumps(pima)),
        again.fit(X, labels_of(patients)),
        clone(J48Classifier(pima.model_)).fit(X, labels_of(patients)),
    ):
        np.testing.assert_array_equal(other.predict_proba(X), pima.predict_proba(X))
        np.testing.assert_array_equal(other.decision_function(X), pima.decision_function(X))


def labels_of(data: Dataset) -> list[str]:
    return [data.header.classes[int(k)] for k in data.class_values]


# ---------------------------------------------------------------------------- the answers


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["pima", "iris", "parcels-binary", "multiway-empty"])
def test_every_kind_of_rows_is_answered_as_by_the_model(
    name: str, kind: str, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / name
    data = read_arff(folder / "data.arff")
    model = load(folder / "model.txt", data)
    classifier = J48Classifier(model).fit(X := rows_as(kind, data), labels_of(data))
    assert classifier.model_ is model
    assert classifier.classes_.tolist() == sorted(model.classes)
    assert classifier.predict(X).tolist() == model.predict(data).tolist()
    order = [model.classes.index(label) for label in classifier.classes_]
    p = classifier.predict_proba(X)
    np.testing.assert_array_equal(p, model.predict_proba(data, "raw")[:, order])
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "folder",
    named_cases(
        *("breast-cancer-explorer", "multiway-empty", "wine-explorer", "birds"),
        *("accounts-unpruned", "parcels-binary", "class-first"),
        *("j48/p05-labor-bare", "j48/p07-vote-missing-test", "j48/p10-glass-multiclass"),
        *("j48/p15-soybean-multiway", "j48/p19-credit-unpruned", "j48/p21-breast-cancer"),
        "j48/p61-class-first",
    ),
)
def test_every_kind_of_rows_is_answered_as_by_weka(
    folder: Path, kind: str, record_case: Any
) -> None:
    record_case("scikit-learn, as Weka answers", f"{folder.name} {kind}")
    choice = class_choice(folder)
    train = read_arff(folder / "data.arff", class_attribute=choice)
    made = J48Classifier.load(folder / "model.txt", train=train, method="weka")
    order = [train.header.classes.index(label) for label in made.classes_]
    told = [p for p in predictions(folder / "weka.csv") if p.tree == 0]
    for part, file in (("train", "data.arff"), ("test", "test.arff")):
        rows = [p for p in told if p.set == part]
        if not rows:
            continue
        data = read_arff(folder / file, class_attribute=choice)
        X = rows_as(kind, data)
        assert made.predict(X).tolist() == [p.predicted_argmax for p in rows]
        wekas = np.array([p.distribution for p in rows])[:, order]
        expected = wekas / wekas.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(made.predict_proba(X), expected, rtol=0, atol=1e-12)


def test_with_raw_the_most_probable_class_is_the_predicted_one(
    pima: J48Classifier, iris: J48Classifier, patients: Dataset, flowers: Dataset
) -> None:
    for made, data in ((pima, patients), (iris, flowers)):
        X = data.X[:, :-1]
        best = made.classes_[made.predict_proba(X).argmax(axis=1)]
        np.testing.assert_array_equal(best, made.predict(X))
        assert made.score(X, labels_of(data)) == np.mean(made.predict(X) == labels_of(data))


@pytest.mark.parametrize("method", ["laplace", "m", "gdk", "ldk", "nearby", "weka", "auto"])
def test_other_methods_give_the_models_probabilities(
    method: str, pima: J48Classifier, patients: Dataset
) -> None:
    model = J48Classifier.load(pima.model_, method=method)
    np.testing.assert_array_equal(
        model.predict_proba(patients.X[:, :-1]), pima.model_.predict_proba(patients, method)
    )


def test_weights_that_weka_lost_to_empty_leaves_are_shared_out() -> None:
    header = Header(
        "r",
        (Attribute("c", "nominal", ("u", "v")), Attribute("class", "nominal", ("a", "b"))),
        1,
    )
    text = "c = u: a (3.0)\nc = v: b (0.0)\n"
    model = load(text, data=Dataset(header, np.empty((0, 2)), np.empty(0)))
    made = J48Classifier.load(model, method="weka")
    assert made.predict_proba(np.array([[None], ["u"]], dtype=object)).tolist() == [[1, 0], [1, 0]]


def test_the_sign_of_the_distance_is_that_of_the_second_class(
    pima: J48Classifier, patients: Dataset
) -> None:
    X = patients.X[:, :-1]
    for positive in pima.classes_:
        model = J48Classifier.load(pima.model_, positive=positive)
        distance = model.decision_function(X)
        assert distance.shape == (len(X),)
        np.testing.assert_array_equal(model.classes_[(distance > 0).astype(int)], model.predict(X))
        wanted = pima.model_.with_(positive="tested_positive").decision_function(patients)
        np.testing.assert_array_equal(zeros_again(distance), wanted)


def test_of_more_classes_every_one_has_its_column(iris: J48Classifier, flowers: Dataset) -> None:
    X = flowers.X[:, :-1]
    distance = iris.decision_function(X)
    assert distance.shape == (150, 3)
    np.testing.assert_array_equal(iris.classes_[distance.argmax(axis=1)], iris.predict(X))
    np.testing.assert_array_equal(zeros_again(distance), iris.model_.decision_function(flowers))


def zeros_again(distance: Any) -> Any:
    return np.where(np.abs(distance) == 5e-324, 0.0, distance)


@pytest.mark.parametrize(
    "text", ["x <= 2: b (3.0)\nx > 2: a (4.0)\n", "x <= 2: a (3.0)\nx > 2: b (4.0)\n"]
)
def test_on_the_boundary_the_sign_is_still_that_of_the_class(text: str) -> None:
    model = J48Classifier.load(text, metric="none")
    (on,) = model.decision_function([[2.0]])
    assert abs(on) == 5e-324
    assert (on > 0) == (model.predict([[2.0]])[0] == "b")


def test_on_the_boundary_only_the_class_itself_is_inside() -> None:
    model = J48Classifier.load(
        "x <= 2: c (3.0)\nx > 2\n|   x <= 3: a (4.0)\n|   x > 3: b (4.0)\n", metric="none"
    )
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.decision_function([[2.0], [3.0]]).tolist() == [
        [-5e-324, -1, 5e-324],
        [5e-324, -5e-324, -1],
    ]


def test_a_row_ends_where_its_path_ends(pima: J48Classifier, patients: Dataset) -> None:
    X = patients.X[:, :-1].copy()
    path, ends = pima.decision_path(X), pima.apply(X)
    tree = pima.model_.tree
    assert path.shape == (len(X), tree.size)
    labels = [tree.classes[tree.leaves[tree.nodes[end].leaf].label] for end in ends]
    assert labels == pima.predict(X).tolist()
    for row, end in enumerate(ends):
        walk = path[row].indices.tolist()
        assert sorted(walk)[-1] == end
        assert [tree.nodes[k].parent for k in sorted(walk)] == [-1, *sorted(walk)[:-1]]
    X[0] = np.nan
    assert pima.apply(X)[0] == -1
    assert pima.decision_path(X)[0].nnz == tree.size


# ---------------------------------------------------------------------------- fit


def test_a_fit_leaves_the_tree_and_its_scales_alone(pima: J48Classifier, patients: Dataset) -> None:
    X = patients.X[:100, :-1]
    classifier = clone(pima).fit(X, labels_of(patients)[:100])
    assert classifier.model_.tree == pima.model_.tree
    assert classifier.model_.training is not None
    np.testing.assert_array_equal(classifier.decision_function(X), pima.decision_function(X))
    assert classifier.n_features_in_ == 8
    assert classifier.feature_names_in_.tolist() == list(patients.header.names[:-1])


def test_without_training_data_the_scales_are_those_of_fit(
    fixtures_dir: Path, pima: J48Classifier, patients: Dataset
) -> None:
    text, X = fixtures_dir / "pima" / "model.txt", rows_as("pandas", patients)
    loaded = J48Classifier.load(text)
    assert not hasattr(loaded, "decision_function")
    with pytest.raises(AttributeError) as refusal:
        _ = loaded.decision_function
    assert isinstance(refusal.value.__cause__, NeedsTrainingError)
    fitted = J48Classifier(text).fit(X, labels_of(patients))
    np.testing.assert_array_equal(
        fitted.decision_function(X[:10]), pima.decision_function(patients.X[:10, :-1])
    )


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array([0, 1, 3]), [0, 1, 2, 3]),
        (np.array([0.0, 1.0, 3.0]), [0.0, 1.0, 2.0, 3.0]),
        (["0", "1", "3"], ["0", "1", "2", "3"]),
        (np.array(["0", "1", "3"], dtype=object), ["0", "1", "2", "3"]),
    ],
)
def test_classes_are_written_as_y_writes_them(y: Any, classes: list[Any]) -> None:
    X = [[-1, 0, 0], [0, 0, 0], [0, 2, 0]]
    classifier = J48Classifier(STEPS).fit(X, y)
    assert classifier.classes_.tolist() == classes
    assert [type(c) for c in classifier.classes_.tolist()] == [type(c) for c in classes]
    assert classifier.predict(X).tolist() == list(y)
    assert classifier.score(X, y) == 1


def test_true_and_false_are_classes_too() -> None:
    text = "x <= 2: true (3.0)\nx > 2: false (4.0)\n"
    classifier = J48Classifier(text).fit([[1.0], [3.0]], [True, False])
    assert classifier.classes_.tolist() == [False, True]
    assert classifier.predict([[1.0], [3.0]]).tolist() == [True, False]


def test_labels_that_only_text_can_tell_apart_stay_text() -> None:
    text = "x <= 2: 1 (3.0)\nx > 2: 1.0 (4.0)\n"
    assert J48Classifier(text).fit([[1.0]], np.array([1.0])).classes_.tolist() == ["1", "1.0"]
    text = "x <= 2: 1 (3.0)\nx > 2: none (4.0)\n"
    assert J48Classifier(text).fit([[1.0]], np.array([1])).classes_.tolist() == ["1", "none"]


# ---------------------------------------------------------------------------- refusals


def test_what_does_not_fit_is_told(pima: J48Classifier, patients: Dataset) -> None:
    X, y = patients.X[:3, :-1], labels_of(patients)[:3]
    names = ", ".join(patients.header.names[:-1])
    with pytest.raises(RowsError) as wide:
        pima.predict(patients.X)
    assert str(wide.value) == (
        "X has 9 features, but J48Classifier is expecting 8 features as input: " + names
    )
    with pytest.raises(RowsError) as label:
        clone(pima).fit(X, ["sick", *y[1:]])
    assert str(label.value) == (
        "y holds the class 'sick'; expected one of tested_negative, tested_positive"
    )
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        clone(pima).fit(X, y[:2])
    with pytest.raises(DataReadError, match="no column 'plas', which the model asks for"):
        pima.predict(rows_as("pandas", patients).drop(columns="plas"))
    with pytest.raises(UnknownNameError, match="unknown method 'magic'"):
        J48Classifier.load(pima.model_, method="magic")
    with pytest.raises(UnknownNameError, match="unknown class 'sick'"):
        J48Classifier.load(pima.model_, positive="sick")
    with pytest.raises(ChoiceError, match="model is None; expected a path"):
        J48Classifier().fit(X, y)
    with pytest.raises(ChoiceError, match="train is given with a Model"):
        J48Classifier(pima.model_, patients).fit(X, y)


def test_a_place_or_a_label_that_is_not_there_is_told(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "parcels-binary"
    data = read_arff(folder / "data.arff")
    made = J48Classifier.load(folder / "model.txt", train=data)
    at = next(k for k, a in enumerate(data.header.attributes) if a.is_nominal)
    name = data.header.names[at]
    X = np.zeros((1, len(data.header) - 1))
    X[0, at] = 99
    with pytest.raises(MismatchError, match=f"column '{name}' holds 99; expected the place"):
        made.predict(X)
    cells = np.full(X.shape, None, dtype=object)
    cells[0, at] = "nowhere"
    with pytest.raises(RowsError, match=f"X: row 1, column '{name}': 'nowhere'; expected one of"):
        made.predict(cells)


def test_a_class_that_cannot_be_told_is_not_made_up() -> None:
    model = J48Classifier.load("x <= 2: a\nx > 2: b\n")
    assert model.predict([[1.0], [3.0]]).tolist() == ["a", "b"]
    with pytest.raises(NeedsTrainingError, match="row 2: its class cannot be told"):
        model.predict([[1.0], [np.nan]])


def test_several_trees_answer_with_classes_and_wekas_probabilities(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "bagging"
    data = read_arff(folder / "data.arff")
    made = J48Classifier.load(folder / "model.txt", train=data, method="weka")
    X = rows_as("pandas", data)
    model = load(folder / "model.txt", data)
    expected = model.predict(data)
    known = np.array([label is not None for label in expected])
    assert known.any()
    assert made.predict(X[known]).tolist() == expected[known].tolist()
    np.testing.assert_allclose(made.predict_proba(X[known]).sum(axis=1), 1)
    assert not hasattr(made, "decision_function")
    with pytest.raises(SeveralTreesError):
        made.apply(X)
