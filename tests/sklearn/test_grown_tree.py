"""`J48TreeClassifier`: Weka's tree, grown by scikit-learn's rules."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator
from tables_of import rows_as
from weka_live import Weka

from j48geo import DataReadError, Dataset, UnknownNameError, grow, read_arff
from j48geo.growing.options import GrowOptionsError
from j48geo.sklearn import J48Classifier, J48TreeClassifier
from j48geo.sklearn.base import RowsError

PARAMETERS: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"confidence_factor": 0.1, "min_num_obj": 4}, "-C 0.1 -M 4"),
    ({"unpruned": True, "min_num_obj": 1}, "-U -M 1"),
    ({"binary_splits": True, "subtree_raising": False}, "-B -S"),
    ({"collapse_tree": False, "use_mdl_correction": False}, "-O -J"),
]


def labels_of(data: Dataset) -> list[str]:
    return [data.header.classes[int(k)] for k in data.class_values]


def tree_of(text: str) -> str:
    """The lines of a tree without banner and footer."""
    return text.replace("\r", "").split("\n\n")[1]


def test_every_check_of_scikit_learn_passes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checks warn of each other
        results = check_estimator(J48TreeClassifier(), on_fail=None, on_skip=None)
    left = {r["check_name"]: r["exception"] for r in results if r["status"] != "passed"}
    assert list(left) == ["check_array_api_input"]  # it wants a variable to be set
    assert len(results) > 50


def mixed_frame() -> tuple[Any, Any]:
    """Numbers, text, categories in an order of their own, true and false; some are missing."""
    import pandas

    random = np.random.default_rng(7)
    n = 300
    size = random.normal(50, 10, n).round(1)
    rooms = pandas.array(random.integers(1, 6, n), dtype="Int64")
    state = random.choice(["poor", "fair", "good"], n)
    town = random.choice(["Oslo", "Bergen", "Aalesund", "Moss"], n).astype(object)
    garden = random.random(n) < 0.4
    price = (
        size + 8 * (state == "good") - 9 * (state == "poor") + 6 * garden + random.normal(0, 4, n)
    )
    price += np.where(town == "Oslo", 10, 0)
    frame = pandas.DataFrame(
        {
            "size": np.where(random.random(n) < 0.1, np.nan, size),
            "rooms": rooms,
            "state": pandas.Categorical(state, categories=["poor", "fair", "good", "new"]),
            "town": np.where(random.random(n) < 0.05, None, town),
            "garden": garden,
        }
    )
    frame.loc[::17, "rooms"] = pandas.NA
    y = np.where(price > 62, "dear", np.where(price > 48, "usual", "cheap"))
    return frame, pandas.Series(y, name="cost")


def written(frame: Any, y: Any, file: Path) -> None:
    """The frame as an ARFF file, made from its cells alone."""
    values = {
        "state": "poor,fair,good,new",
        "town": "Aalesund,Bergen,Moss,Oslo",
        "garden": "false,true",
    }
    lines = ["@relation X"]
    for name in frame.columns:
        lines.append(
            f"@attribute {name} {'{' + values[name] + '}' if name in values else 'numeric'}"
        )
    lines += ["@attribute cost {cheap,dear,usual}", "@data"]
    for cells, label in zip(frame.astype(object).values.tolist(), y, strict=True):
        lines.append(",".join([*map(shown, cells), label]))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def shown(cell: Any) -> str:
    import pandas

    if pandas.isna(cell):
        return "?"
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


@pytest.mark.weka
@pytest.mark.parametrize(("parameters", "options"), PARAMETERS)
def test_the_tree_of_a_mixed_frame_is_wekas_letter_for_letter(
    parameters: dict[str, Any], options: str, weka: Weka, tmp_path: Path
) -> None:
    frame, y = mixed_frame()
    written(frame, y, tmp_path / "data.arff")
    classifier = J48TreeClassifier(**parameters).fit(frame, y)
    ours = classifier.model_.to("text")
    assert ours.strip() == weka.text(tmp_path / "data.arff", options=options).strip()
    assert len(classifier.model_.tree.leaves) > 5


@pytest.mark.weka
def test_reduced_error_pruning_is_wekas_too(weka395: Weka, tmp_path: Path) -> None:
    frame, y = mixed_frame()
    written(frame, y, tmp_path / "data.arff")
    classifier = J48TreeClassifier(reduced_error_pruning=True, num_folds=4, seed=9).fit(frame, y)
    wekas = weka395.text(tmp_path / "data.arff", options="-R -N 4 -Q 9")
    assert classifier.model_.to("text").strip() == wekas.strip()


@pytest.mark.parametrize(("parameters", "options"), PARAMETERS)
def test_parameters_are_j48s_options(
    parameters: dict[str, Any], options: str, fixtures_dir: Path
) -> None:
    data = read_arff(fixtures_dir / "pima" / "data.arff")
    X = rows_as("pandas", data)[list(data.header.names[:-1])]
    classifier = J48TreeClassifier(**parameters).fit(X, labels_of(data))
    assert tree_of(classifier.model_.to("text")) == tree_of(grow(data, options).to("text"))


@pytest.mark.parametrize("kind", ["pandas", "nullable", "polars", "pyarrow"])
def test_every_kind_of_table_grows_the_same_tree(kind: str) -> None:
    frame, y = mixed_frame()
    frame["state"] = frame["state"].astype(str)
    first = J48TreeClassifier().fit(frame, y)
    table: Any = frame
    if kind == "nullable":
        table = frame.convert_dtypes()
    if kind == "polars":
        import polars

        cells = frame.astype(object).where(frame.notna(), None)
        table = polars.DataFrame({name: cells[name].tolist() for name in cells})
    if kind == "pyarrow":
        import pyarrow

        table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    classifier = J48TreeClassifier().fit(table, y.tolist())
    assert tree_of(classifier.model_.to("text")) == tree_of(first.model_.to("text"))
    assert classifier.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_array_equal(classifier.predict_proba(table), first.predict_proba(frame))


def test_categories_of_pandas_and_a_polars_enum_keep_their_order() -> None:
    import pandas
    import polars

    cells, y = ["low", "low", "high", "high"], [0, 0, 1, 1]
    ordered = pandas.DataFrame({"c": pandas.Categorical(cells, categories=["low", "high"])})
    enum = polars.DataFrame({"c": polars.Series(cells, dtype=polars.Enum(["low", "high"]))})
    pool = polars.DataFrame({"c": polars.Series(cells, dtype=polars.Categorical)})
    for table, values in (
        (ordered, ("low", "high")),
        (enum, ("low", "high")),
        (pool, ("high", "low")),
        (pandas.DataFrame({"c": cells}), ("high", "low")),
    ):
        classifier = J48TreeClassifier(min_num_obj=1).fit(table, y)
        assert classifier.model_.header.attributes[0].values == values
        assert classifier.predict(table).tolist() == y


def test_it_answers_as_its_model_and_is_cloned_and_pickled() -> None:
    frame, y = mixed_frame()
    classifier = J48TreeClassifier(method="laplace").fit(frame, y)
    assert classifier.classes_.tolist() == ["cheap", "dear", "usual"]
    assert classifier.model_.header.class_attribute.name == "cost"
    assert classifier.predict(frame).tolist() == classifier.model_.predict(frame).tolist()
    np.testing.assert_array_equal(
        classifier.predict_proba(frame),
        classifier.model_.predict_proba(frame, "laplace").to_numpy(),
    )
    again = clone(classifier).fit(frame, y)
    kept = pickle.loads(pickle.dumps(classifier))
    for other in (again, kept):
        np.testing.assert_array_equal(other.predict(frame), classifier.predict(frame))
    distance = J48Classifier.load(classifier.model_).decision_function(frame)
    assert (
        classifier.classes_[distance.argmax(axis=1)].tolist() == classifier.predict(frame).tolist()
    )


def test_cross_validation_is_out_of_sample() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 5)), random.integers(0, 2, 200)
    greedy = J48TreeClassifier(unpruned=True, min_num_obj=1, use_mdl_correction=False)
    assert greedy.fit(X, y).score(X, y) > 0.95
    assert cross_val_score(greedy, X, y).mean() < 0.6
    told = cross_val_score(J48Classifier(greedy.model_), X, y)
    assert told.mean() > 0.95  # as its docstring warns


def test_columns_without_names_are_taken_in_their_order() -> None:
    import pandas

    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    classifier = J48TreeClassifier(min_num_obj=1).fit(pandas.DataFrame(X), y)
    assert not hasattr(classifier, "feature_names_in_")
    named = pandas.DataFrame(X, columns=["size"])
    assert classifier.predict(X).tolist() == classifier.predict(named).tolist() == y
    assert classifier.fit(named, y).feature_names_in_.tolist() == ["size"]
    assert not hasattr(classifier.fit(X, y), "feature_names_in_")


def test_the_class_never_takes_the_name_of_an_attribute() -> None:
    import pandas

    frame = pandas.DataFrame({"class": [1, 2, 3, 4], "class_": [1, 1, 1, 1]})
    classifier = J48TreeClassifier(min_num_obj=1).fit(frame, [0, 0, 1, 1])
    assert classifier.model_.header.names == ("class", "class_", "class__")
    assert classifier.predict(frame).tolist() == [0, 0, 1, 1]


def test_what_cannot_be_grown_from_is_told() -> None:
    import pandas

    X, y = pandas.DataFrame({"a": [1.0, 2.0, 3.0]}), [0, 1, 1]
    with pytest.raises(RowsError, match="y holds 1 class; J48 grows from at least two"):
        J48TreeClassifier().fit(X, [1, 1, 1])
    with pytest.raises(GrowOptionsError, match="-C with -U"):
        J48TreeClassifier(unpruned=True, confidence_factor=0.1).fit(X, y)
    with pytest.raises(UnknownNameError, match="unknown method 'magic'"):
        J48TreeClassifier(method="magic").fit(X, y)
    with pytest.raises(DataReadError) as odd:
        J48TreeClassifier().fit(
            pandas.DataFrame({"when": pandas.to_datetime(["2020-01-01"] * 3)}), y
        )
    assert str(odd.value) == (
        "X: column 'when' holds a Timestamp; expected numbers, text, categories, true and false"
    )
    with pytest.raises(DataReadError, match="two columns are called 'a'"):
        J48TreeClassifier().fit(pandas.concat([X, X], axis=1), y)
    classifier = J48TreeClassifier(min_num_obj=1).fit(pandas.DataFrame({"c": ["u", "v", "v"]}), y)
    with pytest.raises(DataReadError, match="row 1, column 'c': 'w'; expected one of u, v"):
        classifier.predict(pandas.DataFrame({"c": ["w"]}))
