"""`Model`: every answer from every kind of rows, and never a change."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import Run, here

from j48geo import (
    ChoiceError,
    DataReadError,
    Dataset,
    J48GeoError,
    MismatchError,
    Model,
    ModelReadError,
    NeedsPositiveError,
    NeedsTrainingError,
    UnknownNameError,
    load,
    read_arff,
)
from j48geo.core.dataset import Attribute, Header
from j48geo.core.routing import find_leaves
from j48geo.model.settings import find_metric, find_setting
from j48geo.score.prediction import predict
from j48geo.score.setting import Setting, classify_cases

KINDS = ["pandas", "polars", "pyarrow"]


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> Model:
    return load(fixtures_dir / "pima" / "model.txt", fixtures_dir / "pima" / "data.arff")


@pytest.fixture(scope="module")
def iris(fixtures_dir: Path) -> Model:
    return load(fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff")


@pytest.fixture(scope="module")
def rows(fixtures_dir: Path) -> Dataset:
    return read_arff(fixtures_dir / "pima" / "data.arff")


@pytest.fixture
def j48geo(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return here(capfdbinary)


def table(kind: str, data: Dataset, index: list[str] | None = None) -> Any:
    """The rows as a table, its columns turned round and one more beside them."""
    library = pytest.importorskip(kind)
    columns: dict[str, Any] = {
        name: [data.cell(row, column) for row in range(len(data))]
        for column, name in reversed(list(enumerate(data.header.names)))
    }
    columns["spare"] = ["-"] * len(data)
    if kind == "pyarrow":
        return library.table(columns)
    return library.DataFrame(columns, **({} if index is None else {"index": index}))


def cells(column: Any) -> list[Any]:
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column.to_list())


# ------------------------------------------------------------------------------------ itself


def test_it_is_frozen_and_one_line(pima: Model) -> None:
    with pytest.raises(FrozenInstanceError):
        pima.tree = None  # type: ignore[misc,assignment]
    assert "\n" not in repr(pima)
    assert repr(pima).startswith("Model('")
    assert "20 leaves, classes tested_negative, tested_positive; trained on " in repr(pima)
    assert repr(load(": a (3.0)\n")) == "Model('<text>': 1 leaf, classes a; no training data)"


def test_its_page_is_escaped() -> None:
    page = load("a&b <= 2: <no> (3.0)\na&b > 2: yes (4.0)\n")._repr_html_()
    assert "a&amp;b</text>" in page
    assert "1 &lt;no&gt;" in page
    assert "<no>" not in page
    assert page.endswith("</svg>")


def test_it_survives_pickling_and_answers_the_same(pima: Model, rows: Dataset) -> None:
    pima.positive_choice, pima.overlay  # noqa: B018 (what is kept may not hinder)
    again = pickle.loads(pickle.dumps(pima))
    assert again.predict(rows).tolist() == pima.predict(rows).tolist()
    np.testing.assert_array_equal(again.predict_proba(rows), pima.predict_proba(rows))


def test_another_model_has_the_same_tree_object(pima: Model, rows: Dataset) -> None:
    for other in (
        pima.relabel(fn=10, fp=1),
        pima.relabel(labels={1: "tested_positive"}),
        pima.relabel(threshold=0.3),
        pima.with_(metric="minmax", positive="tested_negative"),
    ):
        assert other.tree is pima.tree
    before = pima.predict(rows)
    dear = pima.relabel(fn=10, fp=1)
    after = dear.predict(rows)
    turned = before != after
    assert turned.any()
    assert set(after[turned]) == {"tested_positive"}
    assert pima.labels is None
    assert dear.labelled_tree is not dear.tree
    assert pima.labelled_tree is pima.tree


# --------------------------------------------------------------------------- rows of any kind


def test_array_data_set_and_file_give_the_same_answers(
    pima: Model, rows: Dataset, fixtures_dir: Path
) -> None:
    path = fixtures_dir / "pima" / "data.arff"
    for answer in (Model.predict, Model.predict_proba, Model.decision_function):
        wanted = answer(pima, rows)
        assert isinstance(wanted, np.ndarray)
        for given in (rows.X, rows.X.tolist(), path, str(path)):
            np.testing.assert_array_equal(answer(pima, given), wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_gives_a_table_of_its_kind(pima: Model, rows: Dataset, kind: str) -> None:
    given = table(kind, rows)
    assert cells(pima.predict(given)) == pima.predict(rows).tolist()
    assert cells(pima.decision_function(given)) == pima.decision_function(rows).tolist()
    probabilities = pima.predict_proba(given)
    assert type(probabilities) is type(given)
    wanted = pima.predict_proba(rows)
    for column, label in enumerate(pima.classes):
        assert cells(probabilities[label]) == wanted[:, column].tolist()
    assert pima.rank(given, top=9).columns == pima.rank(rows, top=9).columns


@pytest.mark.parametrize("kind", KINDS)
def test_of_several_classes_distances_are_a_table(iris: Model, kind: str) -> None:
    assert iris.training is not None
    distances = iris.decision_function(table(kind, iris.training))
    wanted = iris.decision_function(iris.training)
    assert wanted.shape == (150, 3)
    for column, label in enumerate(iris.classes):
        assert cells(distances[label]) == wanted[:, column].tolist()


def test_the_index_of_pandas_stays(pima: Model, rows: Dataset) -> None:
    names = [f"patient {k}" for k in range(len(rows))]
    given = table("pandas", rows, names)
    for found in (pima.predict(given), pima.predict_proba(given), pima.decision_function(given)):
        assert found.index.tolist() == names
    ranked = pima.rank(given, top=3).to_frame()
    assert ranked["row"].tolist() == pima.rank(rows, top=3)["row"]


def test_no_rows_give_empty_answers(pima: Model) -> None:
    nothing = np.empty((0, 9))
    assert pima.predict(nothing).shape == (0,)
    assert pima.predict_proba(nothing).shape == (0, 2)
    assert pima.decision_function(nothing).shape == (0,)
    assert len(pima.rank(nothing)) == 0


def test_rows_that_do_not_fit_are_told(pima: Model, rows: Dataset) -> None:
    names = "preg, plas, pres, skin, insu, mass, pedi, age, class"
    expected = f"; expected 9 columns, the class included: {names}"
    for wrong in (rows.X[:, :7], rows.X[None], np.column_stack([rows.X, rows.X])):
        with pytest.raises(MismatchError) as refusal:
            pima.predict(wrong)
        assert str(refusal.value) == f"rows of shape {wrong.shape}{expected}"
    with pytest.raises(MismatchError, match="the rows are not numbers"):
        pima.predict([["a"] * 9])
    for value in (2, -1, 0.5):
        X = rows.X[:3].copy()
        X[1, 8] = value
        with pytest.raises(MismatchError) as refusal:
            pima.predict(X)
        assert str(refusal.value) == (
            f"column 'class' holds {value:g}; expected the place of a value: 0 to 1, or NaN"
        )
    lacking = Header("r", (Attribute("plas"), rows.header.class_attribute), 1)
    with pytest.raises(MismatchError):
        pima.predict(Dataset(lacking, rows.X[:, [1, 8]], rows.weights))
    with pytest.raises(DataReadError, match=r"^the table: no column 'plas', which the model asks"):
        pima.predict(table("pandas", rows).drop(columns="plas"))


def test_columns_that_the_tree_never_asks_for_may_be_missing(pima: Model, rows: Dataset) -> None:
    used = {pima.attributes[column] for column in pima.tree.used_attributes}
    spare = [name for name in pima.attributes if name not in used]
    assert "class" in spare
    prediction = pima.predict(table("pandas", rows).drop(columns=spare))
    assert prediction.tolist() == pima.predict(rows).tolist()


# --------------------------------------------------------------------------------- the doors


@pytest.mark.parametrize("top", [0, -1, 1.5, "3", True])
def test_a_top_that_is_no_count_is_refused(pima: Model, rows: Dataset, top: Any) -> None:
    with pytest.raises(ChoiceError, match="expected a whole number from 1 on"):
        pima.rank(rows, top=top)


@pytest.mark.parametrize("source", [5, None, ["model.txt"]])
def test_what_holds_no_bytes_is_refused_at_the_door(source: Any) -> None:
    told = f"a {type(source).__name__} holds no bytes; expected a path, bytes or an open file"
    with pytest.raises(ModelReadError, match=told):
        load(source)


def test_tree_numbers_begin_with_one(fixtures_dir: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown tree number '0'; known: 1\.\.1"):
        load(fixtures_dir / "pima" / "model.txt", tree=0)


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_rows_of_another_width_never_reach_a_loop(pima: Model, rows: Dataset, engine: Any) -> None:
    for wrong in (rows.X[:, :8], rows.X[:, :2], rows.X[0], np.column_stack([rows.X, rows.X])):
        with pytest.raises(MismatchError, match="expected 9 columns, the class included"):
            find_leaves(pima.tree, wrong, engine=engine)
        with pytest.raises(MismatchError, match="expected 9 columns, the class included"):
            predict(pima.tree, pima.counts, wrong)


def test_scores_refuse_a_class_or_a_width_that_is_not_there(pima: Model, rows: Dataset) -> None:
    metric = find_metric(pima)
    for positive in (-1, 2):
        with pytest.raises(ChoiceError, match=rf"^positive {positive}: expected a class from 0 to"):
            Setting(pima.tree, pima.counts, metric, positive)
        with pytest.raises(ChoiceError):
            find_setting(pima, positive, metric)
    setting = Setting(pima.tree, pima.counts, metric, 1)
    for wrong in (rows.X[:, :8], rows.X[0]):
        with pytest.raises(MismatchError, match="expected 9 columns, the class included"):
            classify_cases(setting, wrong)


def test_what_is_missing_is_named(fixtures_dir: Path, iris: Model, rows: Dataset) -> None:
    alone = load(fixtures_dir / "pima" / "model.txt")
    for method in ("nearby", "gdk"):
        with pytest.raises(NeedsTrainingError):
            alone.predict_proba(rows, method)
    with pytest.raises(NeedsTrainingError):
        alone.evaluate(rows)
    with pytest.raises(NeedsPositiveError, match=r"Iris-setosa, Iris-versicolor, Iris-virginica$"):
        iris.leaves()
    for method in ("magic", "global"):
        with pytest.raises(UnknownNameError, match=rf"^unknown method '{method}'; known: raw, "):
            alone.predict_proba(rows, method)
    with pytest.raises(UnknownNameError):
        alone.rank(rows, method="magic")
    with pytest.raises(UnknownNameError, match=r"^unknown export 'tex'; known: text, json, dot"):
        alone.to("tex")
    with pytest.raises(ChoiceError, match=r"^costs missing; expected cost_matrix, fn and fp, "):
        alone.relabel()
    with pytest.raises(ChoiceError, match=r"^costs twice; expected one of cost_matrix, "):
        alone.relabel(fn=1, threshold=0.5)
    with pytest.raises(J48GeoError, match=r"^labels: leaf 99: the tree has 20 leaves$"):
        alone.relabel(labels={99: "tested_positive"})


# ----------------------------------------------------------------------------------- answers


def test_probabilities_are_by_nearby_where_the_training_is_known_else_by_laplace(
    pima: Model, rows: Dataset, fixtures_dir: Path
) -> None:
    np.testing.assert_array_equal(pima.predict_proba(rows), pima.predict_proba(rows, "nearby"))
    alone = load(fixtures_dir / "pima" / "model.txt")
    np.testing.assert_array_equal(alone.predict_proba(rows), alone.predict_proba(rows, "laplace"))
    weka = pima.predict_proba(rows, "weka")
    np.testing.assert_allclose(weka.sum(axis=1), 1)
    assert [pima.classes[k] for k in weka.argmax(axis=1)] == pima.predict(rows).tolist()


def test_the_sign_of_the_distance_is_the_class(pima: Model, rows: Dataset) -> None:
    distance = pima.decision_function(rows)
    positive = pima.predict(rows) == "tested_positive"
    assert (distance[positive] >= 0).all()
    assert (distance[~positive] <= 0).all()
    np.testing.assert_array_equal(
        pima.with_(positive="tested_negative").decision_function(rows), -distance
    )


def test_an_explanation_takes_values_by_name_or_a_row(pima: Model, rows: Dataset) -> None:
    values = {name: rows.cell(3, column) for column, name in enumerate(rows.header.names)}
    wanted = next(iter(pima.explanations(rows, [4])))
    for case in (values, rows.X[3], rows.X[3:4]):
        explanation = pima.explain(case)
        assert explanation.explanation.distance == wanted.explanation.distance
        np.testing.assert_array_equal(explanation.x, rows.X[3])
    assert [case.row for case in pima.explanations(rows, [9, 2])] == [9, 2]
    with pytest.raises(J48GeoError, match="no such row"):
        list(pima.explanations(rows, [769]))


def test_an_evaluation_knows_the_training_rows_in_any_shape(
    pima: Model, rows: Dataset, fixtures_dir: Path
) -> None:
    path = fixtures_dir / "pima" / "data.arff"
    for test in (path, rows, rows.X, table("pandas", rows)):
        evaluation = pima.evaluate(test, ["laplace", "nearby"])
        assert evaluation.evaluation.optimistic
    some = Dataset(rows.header, rows.X[::2], rows.weights[::2])
    evaluation = pima.evaluate(some, ["laplace", "nearby"])
    assert not evaluation.evaluation.optimistic
    assert [row.method for row in evaluation.evaluation.rows] == ["laplace", "nearby"]
    assert evaluation.confusion.weight.sum() == len(some)


def test_leaves_labellings_and_audit_are_those_of_the_counts(pima: Model) -> None:
    leaves = pima.leaves()
    assert len(leaves) == 20
    assert sum(leaves["positive"]) == 268
    assert leaves["raw"] == sorted(leaves["raw"], reverse=True)
    assert len(pima.labellings().order.groups) == 15
    audit = pima.audit()
    assert len(audit) == 19
    assert audit["split"][0] == "plas <= 127"
    assert next(iter(audit))["weight"] == 768


def test_a_table_of_answers_prints_itself_and_becomes_a_frame(pima: Model, rows: Dataset) -> None:
    pytest.importorskip("pandas")
    ranking = pima.rank(rows, top=3)
    assert len(ranking) == 3
    assert repr(ranking).splitlines() == str(ranking).splitlines()
    assert len(str(ranking).splitlines()) == 5
    frame = ranking.to_frame()
    assert frame.to_dict("records") == list(ranking)
    assert list(frame["rank"]) == [1, 2, 3]


def test_a_saved_model_answers_as_before(pima: Model, rows: Dataset, tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    pima.with_(positive="tested_negative").save(file)
    again = load(file)
    assert again.positive == "tested_negative"
    for method in ("nearby", "gdk", "ldk", "laplace", "raw"):
        np.testing.assert_array_equal(
            again.predict_proba(rows, method), pima.predict_proba(rows, method)
        )
    alone = load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n")
    alone.save(file)
    assert load(file).predict([[1, 0], [5, 0]]).tolist() == ["no", "yes"]
    file.write_text("precious")
    with pytest.raises(J48GeoError):
        pima.save(tmp_path)
    assert file.read_text() == "precious"


@pytest.mark.parametrize("name", ["text", "json", "dot"])
def test_what_it_is_written_to_reads_back(pima: Model, rows: Dataset, name: str) -> None:
    again = load(pima.to(name), rows)
    assert again.predict(rows).tolist() == pima.predict(rows).tolist()
    relabelled = pima.relabel(fn=10, fp=1)
    assert load(relabelled.to(name), rows).predict(rows).tolist() == (
        relabelled.predict(rows).tolist()
    )


# -------------------------------------------------------------- the library and the commands


@pytest.mark.parametrize("name", ["pima", "iris", "breast-cancer-explorer"])
@pytest.mark.parametrize("method", ["auto", "global", "local", "gdk", "distance"])
def test_a_ranking_is_that_of_the_command_row_by_row(
    j48geo: Run, fixtures_dir: Path, name: str, method: str
) -> None:
    model, data = fixtures_dir / name / "model.txt", fixtures_dir / name / "data.arff"
    ranking = load(model, data).rank(data, method=method)
    done = j48geo("rank", model, data, "--by", method, "--format", "json", "-q")
    wanted = [
        {key: value for key, value in row.items() if key != "flags"} for row in json.loads(done.out)
    ]
    assert len(wanted) == len(ranking) > 100
    assert list(ranking) == wanted


@pytest.mark.parametrize("name", ["pima", "iris", "breast-cancer-explorer"])
def test_predictions_and_probabilities_are_those_of_the_commands(
    j48geo: Run, fixtures_dir: Path, name: str
) -> None:
    given = (fixtures_dir / name / "model.txt", fixtures_dir / name / "data.arff")
    model = load(*given)
    done = j48geo("predict", *given, "-f", "jsonl", "-q")
    predicted = [json.loads(line)["predicted"] for line in done.lines]
    assert model.predict(given[1]).tolist() == predicted
    done = j48geo("proba", *given, "-f", "jsonl", "-q")
    estimated = [list(json.loads(line)["probabilities"].values()) for line in done.lines]
    assert model.predict_proba(given[1]).tolist() == estimated


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("said", "training_note"),
        ("kept", "counts_from_file"),
        ("whole", "committee"),
        ("before", "filter"),
        ("wrapped", "is_wrapped"),
        ("placed", "align_rows"),
        ("ranked", "ranking"),
        ("written", "export"),
    ],
)
def test_an_old_name_still_answers_and_warns(old: str, new: str) -> None:
    model = load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n")
    with pytest.warns(DeprecationWarning, match=rf"^Model\.{old} is deprecated, use Model\.{new}$"):
        assert getattr(model, old) == getattr(model, new)
