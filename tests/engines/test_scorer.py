"""A model that is sent: batches of columns in, batches of scores out."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import j48geo
from j48geo.decide.evaluation.evaluation import Evaluation
from j48geo.engines.evaluation import BatchEvaluator
from j48geo.engines.scorer import PortableModel, Scorer
from j48geo.errors import FilterError, MismatchError, NeedsTrainingError, SeveralTreesError
from j48geo.model.model import Model

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> Model:
    folder = fixtures_dir / "pima"
    return j48geo.load(folder / "model.txt", folder / "data.arff")


def table(model: Model, **more: Any) -> Any:
    """The training data as a table of pyarrow, with the rows' numbers."""
    data = model.training
    assert data is not None
    columns = {"id": np.arange(1, len(data) + 1)}
    for k, attribute in enumerate(data.header.attributes):
        cells = data.X[:, k]
        known = ~np.isnan(cells)
        if attribute.is_nominal:
            labels = [attribute.values[int(v)] if ok else None for v, ok in zip(cells, known)]  # noqa: B905
            columns[attribute.name] = pa.array(labels, pa.string())
        else:
            columns[attribute.name] = pa.array(cells, mask=~known)
    return pa.table(columns | more)


@pytest.mark.parametrize("method", ["global", "local", "nearby", "laplace", "gdk"])
def test_scores_are_those_of_the_model_however_the_rows_are_cut(pima: Model, method: str) -> None:
    rows, scorer = table(pima), Scorer.of(pima, method, keep=["id"])
    scorer.check(rows.schema)
    sent = pickle.loads(pickle.dumps(scorer))
    batches = [batch for k in range(5) for batch in rows.slice(160 * k, 160).to_batches()]
    found = pa.Table.from_batches(sent.batches(batches))
    assert found.schema.names == ["id", *scorer.added]
    expected = pima.ranking(pima.training, method).rows
    assert np.array_equal(found["score"].to_numpy(), expected.score)
    assert np.array_equal(found["distance"].to_numpy(), expected.distance)
    assert found["predicted"].to_pylist() == pima.predict(pima.training).tolist()
    assert found["id"].to_pylist() == list(range(1, len(rows) + 1))
    if expected.within is not None:
        assert np.array_equal(found["within"].to_numpy(), expected.within)


def test_only_the_columns_of_the_tree_are_read(pima: Model) -> None:
    scorer = Scorer.of(pima, "nearby")
    rows = table(pima)
    assert set(scorer.columns) < set(pima.attributes)
    few = scorer(rows.select(list(scorer.columns)))
    assert few.equals(scorer(rows))


def test_probabilities_are_added_where_they_are_wanted(pima: Model) -> None:
    scorer = Scorer.of(pima, "nearby", probabilities=True)
    found = scorer(table(pima))
    expected = pima.predict_proba(pima.training, "nearby")
    for k, label in enumerate(pima.classes):
        assert np.array_equal(found[f"p({label})"].to_numpy(), expected[:, k])
    with pytest.raises(MismatchError, match="global is a ranking"):
        Scorer.of(pima, "global", probabilities=True)


@pytest.mark.parametrize("labels", [{1: "tested_positive"}, None])
def test_choices_and_labels_travel(pima: Model, labels: dict[int, str] | None) -> None:
    model = pima.with_(positive="tested_negative", boundary="any", estimate="raw")
    model = model if labels is None else model.relabel(labels=labels)
    for method in ("global", "leaf", "local"):
        found = Scorer.of(model, method)(table(pima))
        assert np.array_equal(
            found["score"].to_numpy(), model.ranking(pima.training, method).rows.score
        )
        assert found["predicted"].to_pylist() == model.predict(pima.training).tolist()


def test_a_model_is_restored_once_a_process(pima: Model) -> None:
    one, other = PortableModel.of(pima), pickle.loads(pickle.dumps(PortableModel.of(pima)))
    assert one == other
    assert one.restored() is other.restored()
    assert PortableModel.of(pima.with_(positive="tested_negative")).digest != one.digest


KINDS = j48geo.load(
    "a <= 2\n|   when <= 86400000: yes (3.0)\n|   when > 86400000: no (2.0)\n"
    "a > 2\n|   b = red: yes (4.0)\n|   b = blue: no (4.0)\n",
    data=j48geo.Dataset(
        j48geo.Header(
            "r",
            (
                j48geo.Attribute("a"),
                j48geo.Attribute("when", "date"),
                j48geo.Attribute("b", "nominal", ("red", "blue")),
                j48geo.Attribute("c", "nominal", ("yes", "no")),
            ),
            3,
        ),
        np.empty((0, 4)),
        np.empty(0),
    ),
).with_(metric="none")


def test_columns_of_every_kind_that_fits_are_taken() -> None:
    scorer = Scorer.of(KINDS, "global")
    day = datetime(1970, 1, 3, tzinfo=UTC)
    when = pa.array([day, None, day], pa.timestamp("us", "UTC"))
    colours = pa.array(["red", "blue", None])
    for a in (pa.array([1, None, 3]), pa.array([1.0, None, 3.0], pa.float32())):
        for b in (colours, colours.dictionary_encode(), colours.cast(pa.large_string())):
            batch = pa.record_batch({"a": a, "when": when, "b": b, "more": [[1], [2], [3]]})
            scorer.check(batch.schema)
            assert scorer(batch)["predicted"].to_pylist() == ["no", "no", "yes"]


@pytest.mark.parametrize(
    ("column", "values", "match"),
    [
        ("a", pa.array(["1"]), "column 'a' has type string; expected numbers"),
        ("a", pa.array([True]), "column 'a' has type bool"),
        ("when", pa.array(["1970"]), "expected time stamps, or milliseconds"),
        ("b", pa.array([["red"]]), "column 'b' has type list<"),
    ],
)
def test_a_type_that_does_not_fit_is_told_by_the_schema(
    column: str, values: Any, match: str
) -> None:
    columns = {"a": pa.array([1.0]), "when": pa.array([1.0]), "b": pa.array(["red"])}
    batch = pa.record_batch(columns | {column: values})
    scorer = Scorer.of(KINDS, "global")
    with pytest.raises(MismatchError, match=match):
        scorer.check(batch.schema)
    with pytest.raises(MismatchError, match=match):
        scorer(batch)


def test_columns_that_are_missing_doubled_or_in_the_way_are_told() -> None:
    scorer = Scorer.of(KINDS, "global", keep=["score"])
    fields = [("a", pa.float64()), ("when", pa.float64()), ("b", pa.string())]
    with pytest.raises(MismatchError, match="the table: no column 'b', which the model asks"):
        scorer.check(pa.schema(fields[:2]))
    with pytest.raises(MismatchError, match="two columns are called 'a'"):
        scorer.check(pa.schema([*fields, fields[0]]))
    with pytest.raises(MismatchError, match="0 columns 'score' to keep; expected one"):
        scorer.check(pa.schema(fields))
    with pytest.raises(MismatchError, match="column 'score' would be there twice"):
        scorer.check(pa.schema([*fields, ("score", pa.float64())]))


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"b": ["green"]}, "row 1, column 'b': 'green'; expected one of red, blue"),
        ({"a": [2**53 + 1]}, "expected a whole number of at most 2\\^53"),
    ],
)
def test_cells_that_are_none_of_the_attributes_are_told(change: dict, match: str) -> None:
    columns = {"a": [1], "when": [1.0], "b": ["red"]} | change
    with pytest.raises(MismatchError, match=match):
        Scorer.of(KINDS, "global")(pa.record_batch(columns))


def test_what_cannot_be_sent_is_refused(fixtures_dir: Path) -> None:
    bare = j48geo.load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n")
    with pytest.raises(NeedsTrainingError, match="the metric is that of the training data"):
        Scorer.of(bare)
    with pytest.raises(SeveralTreesError):
        Scorer.of(j48geo.load(fixtures_dir / "bagging" / "model.txt"))
    saved = sorted((fixtures_dir / "filtered").glob("*.model"))
    if saved:
        with pytest.raises(FilterError):
            Scorer.of(j48geo.load(saved[0]))


def test_a_scorer_imports_no_engine(pima: Model) -> None:
    code = (
        "import pickle, sys\n"
        "scorer = pickle.loads(sys.stdin.buffer.read())\n"
        "import pyarrow as pa\n"
        "scorer(pa.record_batch({n: [1.0] for n in scorer.columns}))\n"
        "assert not {'polars', 'pyspark', 'dask', 'matplotlib'} & set(sys.modules)\n"
    )
    given = pickle.dumps(Scorer.of(pima, "laplace"))
    root = Path(j48geo.__file__).parents[1]
    subprocess.run([sys.executable, "-c", code], input=given, check=True, cwd=root)


@pytest.mark.parametrize("methods", [None, ["laplace", "local"]])
def test_a_judge_adds_up_to_the_evaluation_of_the_model(
    pima: Model, methods: list[str] | None
) -> None:
    judge = pickle.loads(pickle.dumps(BatchEvaluator.of(pima, methods)))
    rows = table(pima)
    judge.check(rows.schema)
    parts = [judge(rows.slice(k, 100)) for k in range(700, -1, -100)]
    found = judge.evaluation(reduce(add, parts, judge.nothing()))
    expected = pima.evaluate(pima.training, methods).evaluation
    assert found == replace(expected, optimistic=False)


def test_weights_are_those_of_a_column(pima: Model) -> None:
    some = np.where(np.arange(768) % 3, 0.5, 2.0)
    judge = BatchEvaluator.of(pima, ["laplace"], weights="w")
    found = judge.evaluation(judge(table(pima, w=pa.array(some))))
    assert isinstance(found, Evaluation)
    weighed = replace(pima.training, weights=some)
    expected = pima.evaluate(weighed, ["laplace"]).evaluation
    assert found.rows == expected.rows
    assert found.tree_accuracy == expected.tree_accuracy
    with pytest.raises(MismatchError, match="row 3 has weight -1"):
        judge(table(pima, w=pa.array([1.0, 1.0, -1.0] * 256)))
    with pytest.raises(MismatchError, match="no column 'w'"):
        judge.check(table(pima).schema)


def test_without_a_positive_class_all_classes_are_judged(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    iris = j48geo.load(folder / "model.txt", folder / "data.arff")
    judge = BatchEvaluator.of(iris, ["laplace", "global"])
    rows = table(iris)
    parts = [judge(rows.slice(k, 40)) for k in range(0, 150, 40)]
    expected = iris.evaluate(iris.training, ["laplace", "global"]).evaluation
    assert judge.evaluation(reduce(add, parts)) == replace(expected, optimistic=False)
