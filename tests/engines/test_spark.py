"""Spark says what one machine says: scores, ranks, AUC pairs and every figure, to the last bit."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_modules import import_engine

import j48geo
from j48geo.decide.evaluation.auc import count_pairs
from j48geo.decide.evaluation.evaluation import MetricOptions
from j48geo.engines.evaluation import BatchEvaluator, RowCounter
from j48geo.errors import ChoiceError, MismatchError
from j48geo.model.model import Model
from j48geo.score.ranking import rank_scores
from j48geo.show.reports.ranking import ranking_details, ranking_sentences

import_engine("pyspark", "Spark")
pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]

from j48geo import spark as door  # noqa: E402


@pytest.fixture(scope="module")
def df(spark: Any, rows: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows in partitions of very different sizes, some of them empty."""
    import pyarrow.parquet as pq

    path = tmp_path_factory.mktemp("spark") / "rows.parquet"
    pq.write_table(rows, path)
    from pyspark.sql import functions as F

    whole = spark.read.parquet(str(path))
    some = whole.where(F.col("id") % 50 == 0).repartition(4)
    none = whole.where(F.col("id") < 0)
    return whole.where(F.col("id") % 50 != 0).coalesce(1).unionByName(some).unionByName(none)


def by_id(frame: Any) -> dict[int, Any]:
    return {row["id"]: row for row in frame.collect()}


def same(a: float, b: float) -> bool:
    return np.float64(a).tobytes() == np.float64(b).tobytes()


def test_scores_are_those_of_one_machine(df: Any, pima: Model, scored: Any, equal: Any) -> None:
    found = door.score(df, pima, "global", keep=["id"])
    assert found.columns == ["id", "predicted", "score", "distance"]
    told = by_id(found)
    assert len(told) == scored.num_rows
    pairs = [(row, told[row["id"]]) for row in scored.to_pylist()]
    equal("Spark", "scores", all(same(a["score"], b["score"]) for a, b in pairs))
    equal("Spark", "distances", all(same(a["distance"], b["distance"]) for a, b in pairs))
    equal("Spark", "classes", all(a["predicted"] == b["predicted"] for a, b in pairs))


@pytest.mark.parametrize(
    ("method", "cuts"), [("global", 20), ("local", 20), ("raw", 200), ("raw", 1)]
)
def test_ranks_are_those_of_one_machine_with_ties_of_thousands(
    df: Any, pima: Model, rows: Any, method: str, cuts: int, equal: Any
) -> None:
    expected = pima.scorer(method, keep=["id"])(rows).to_pydict()
    within = np.array(expected["within"]) if method == "local" else None
    ranks = rank_scores(np.array(expected["score"]), within).rank
    found = by_id(door.rank(df, pima, method, id="id", keep=[], cuts=cuts))
    told = [found[key]["rank"] for key in expected["id"]]
    equal("Spark", "ranks", told == ranks.tolist())


def test_the_first_rows_are_ordered_by_rank_and_id(df: Any, pima: Model, scored: Any) -> None:
    top = door.rank(df, pima, "global", id="id", keep=[]).orderBy("rank", "id").limit(50)
    order = sorted(scored.to_pylist(), key=lambda row: (-row["score"], row["id"]))
    assert [row["id"] for row in top.collect()] == [row["id"] for row in order[:50]]


METHODS = ["raw", "laplace", "nearby", "gdk", "global", "local"]


@pytest.mark.parametrize("slice_rows", [700, 10**6])
def test_every_figure_of_an_evaluation_is_that_of_one_machine(
    df: Any, pima: Model, rows: Any, slice_rows: int, equal: Any
) -> None:
    expected = pima.evaluate(rows, METHODS)
    evaluation = door.evaluate(df, pima, METHODS, slice_rows=slice_rows)
    equal("Spark", "evaluate", evaluation == replace(expected.evaluation, optimistic=False))
    sums = door.measured(df, pima, ["global"], slice_rows=slice_rows)
    confusion = sums.judged.confusion.weight
    equal("Spark", "confusion", confusion.tolist() == expected.confusion.weight.tolist())
    ranked, total = sums.ranked(0)
    method = expected.judged.methods[METHODS.index("global")]
    pair = count_pairs(method.score, expected.judged.is_positive)
    told = (ranked.pairs.won.result(), ranked.pairs.tied.result())
    equal("Spark", "AUC pair", told == (pair.won, pair.tied))
    assert total[1].result() * total[0].result() == pair.total


def test_weights_and_every_class_are_judged_as_on_one_machine(
    spark: Any, fixtures_dir: Path, tmp_path: Path, equal: Any
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    iris = j48geo.load(fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff")
    data, random = iris.training, np.random.default_rng(2)
    assert data is not None
    X = data.X[random.integers(0, len(data), 3000)].copy()
    X[:, :4] += random.normal(size=(3000, 4)) * 0.3
    weights = random.choice([1.0, 0.1, 1 / 3, 2.5], size=3000)
    names = data.header.names
    table = pa.table(
        {name: X[:, k] for k, name in enumerate(names[:4])}
        | {names[4]: [iris.classes[int(c)] for c in X[:, 4]], "w": weights}
    )
    pq.write_table(table, tmp_path / "iris.parquet")
    frame = spark.read.parquet(str(tmp_path / "iris.parquet")).repartition(5)
    methods = ["laplace", "nearby", "global"]
    for model in (iris, iris.with_(positive="Iris-virginica")):
        judge = BatchEvaluator.of(model, methods, weights="w")
        expected = judge.evaluation(judge(table))
        evaluation = door.evaluate(frame, model, methods, weights="w", slice_rows=300)
        equal("Spark", "weighed, M", evaluation == expected)


def test_a_check_counts_what_one_machine_counts(
    df: Any, pima: Model, rows: Any, equal: Any
) -> None:
    counter = RowCounter.of(pima)
    expected = counter.compared(counter(rows))
    found = door.check(df, pima)
    assert found.differences == expected.differences
    told, counted = found.counts.per_class, expected.counts.per_class
    equal("Spark", "check", told.tobytes() == counted.tobytes())
    assert not found.ok


@pytest.mark.parametrize("method", ["nearby", "local"])
def test_the_sentences_are_those_of_one_machine(
    df: Any, pima: Model, rows: Any, method: str, equal: Any
) -> None:
    ranked = pima.ranking(rows, method, count_own=True)
    leaves = len(pima.tree.leaves)
    expected = ranking_details(ranked.facts, ranked.rows.ranking.places, leaves)
    expected += ranking_sentences(ranked.facts)
    equal("Spark", "sentences", door.sentences(df, pima, method) == expected)


def test_a_bootstrap_is_refused_before_anything_runs(df: Any, pima: Model) -> None:
    with pytest.raises(ChoiceError, match="bootstrap"):
        door.evaluate(df, pima, ["raw"], MetricOptions(interval="bootstrap"))


def dying_once(df: Any, mark: Path) -> Any:
    """The same rows, but the first worker that has passed some on is killed."""
    path = str(mark)

    def pass_on(batches: Any) -> Any:
        for batch in batches:
            yield batch
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)

    return df.mapInArrow(pass_on, df.schema)


def test_a_worker_that_is_killed_changes_nothing(
    df: Any, pima: Model, rows: Any, scored: Any, tmp_path: Path
) -> None:
    mark = tmp_path / "killed"
    told = by_id(door.score(dying_once(df, mark), pima, "global", keep=["id"]))
    assert mark.exists()
    assert all(same(row["score"], told[row["id"]]["score"]) for row in scored.to_pylist())
    again = tmp_path / "killed again"
    expected = replace(pima.evaluate(rows, ["laplace", "global"]).evaluation, optimistic=False)
    evaluation = door.evaluate(dying_once(df, again), pima, ["laplace", "global"], slice_rows=3000)
    assert again.exists()
    assert evaluation == expected


def test_what_does_not_fit_is_told_in_the_driver(df: Any, pima: Model) -> None:
    with pytest.raises(MismatchError, match="no column 'plas', which the model asks for"):
        door.score(df.drop("plas"), pima)
    text = df.withColumn("plas", df["plas"].cast("string"))
    for ask in (door.score, door.evaluate):
        with pytest.raises(MismatchError, match="column 'plas' has type string; expected numbers"):
            ask(text, pima)
    with pytest.raises(MismatchError, match="no column 'key' that tells rows apart"):
        door.rank(df, pima, id="key", keep=[])


def test_no_rows_have_scores_ranks_and_sums_of_nothing(df: Any, pima: Model) -> None:
    nothing = df.where("id < 0")
    assert door.score(nothing, pima).count() == 0
    assert door.rank(nothing, pima, id="id").count() == 0
    assert door.measured(nothing, pima, ["raw", "global"]).judged.cases == 0
    assert door.evaluate(nothing, pima, ["raw", "global"]).rows[1].auc is None


def test_a_folder_that_grows_is_scored_as_it_grows(
    spark: Any, pima: Model, rows: Any, scored: Any, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for k in range(3):
        pq.write_table(rows.slice(5000 * k, 5000), source / f"{k}.parquet")
    first = spark.read.parquet(str(source))
    stream = spark.readStream.schema(first.schema).parquet(str(source))
    query = (
        door.score(stream, pima, "global", keep=["id"])
        .writeStream.option("checkpointLocation", str(tmp_path / "check"))
        .trigger(availableNow=True)
        .start(str(target))
    )
    assert query.awaitTermination(120)
    told = by_id(spark.read.parquet(str(target)))
    expected = scored.slice(0, 15_000).to_pylist()
    assert len(told) == 15_000
    assert all(same(row["score"], told[row["id"]]["score"]) for row in expected)
