"""Spark says what one machine says: scores, ranks, AUC pairs and every figure, to the last bit."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from j48geo.decide.evaluation.auc import pairs_of
from j48geo.decide.evaluation.table import Measures
from j48geo.errors import ChoiceError, MismatchError
from j48geo.model.model import Model
from j48geo.score.ranking import ranking

pytest.importorskip("pyspark")
pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]

from j48geo import spark as door  # noqa: E402


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    root = str(Path(__file__).resolve().parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    found = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.memory", "1g")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1500")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    found.sparkContext.setLogLevel("OFF")
    yield found
    found.stop()


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


def test_scores_are_those_of_one_machine(df: Any, pima: Model, scored: Any) -> None:
    found = door.score(df, pima, "global", keep=["id"])
    assert found.columns == ["id", "predicted", "score", "distance"]
    told = by_id(found)
    assert len(told) == scored.num_rows
    for row in scored.to_pylist():
        other = told[row["id"]]
        assert same(row["score"], other["score"])
        assert same(row["distance"], other["distance"])
        assert row["predicted"] == other["predicted"]


@pytest.mark.parametrize(
    ("method", "cuts"), [("global", 20), ("local", 20), ("raw", 200), ("raw", 1)]
)
def test_ranks_are_those_of_one_machine_with_ties_of_thousands(
    df: Any, pima: Model, rows: Any, method: str, cuts: int
) -> None:
    expected = pima.scorer(method, keep=["id"])(rows).to_pydict()
    within = np.array(expected["within"]) if method == "local" else None
    ranks = ranking(np.array(expected["score"]), within).rank
    found = by_id(door.rank(df, pima, method, id="id", keep=[], cuts=cuts))
    assert [found[key]["rank"] for key in expected["id"]] == ranks.tolist()


def test_the_first_rows_are_ordered_by_rank_and_id(df: Any, pima: Model, scored: Any) -> None:
    top = door.rank(df, pima, "global", id="id", keep=[]).orderBy("rank", "id").limit(50)
    order = sorted(scored.to_pylist(), key=lambda row: (-row["score"], row["id"]))
    assert [row["id"] for row in top.collect()] == [row["id"] for row in order[:50]]


def test_every_figure_of_an_evaluation_is_that_of_one_machine(
    df: Any, pima: Model, rows: Any
) -> None:
    methods = ["raw", "laplace", "global", "local"]
    expected = pima.evaluate(rows, methods)
    found = door.evaluate(df, pima, methods)
    assert found == replace(expected.evaluation, optimistic=False)
    sums = door.judged(df, pima, methods)
    assert sums.confusion.weight.tolist() == expected.confusion.weight.tolist()
    method = expected.judged.methods[2]
    table = sums.methods[2].score
    pair = pairs_of(method.score, expected.judged.is_positive)
    assert pairs_of(table.score, table.label == 1, table.mass) == pair
    with pytest.raises(ChoiceError, match="bootstrap"):
        door.evaluate(df, pima, ["raw"], Measures(interval="bootstrap"))


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
    df: Any, pima: Model, scored: Any, tmp_path: Path
) -> None:
    mark = tmp_path / "killed"
    told = by_id(door.score(dying_once(df, mark), pima, "global", keep=["id"]))
    assert mark.exists()
    assert all(same(row["score"], told[row["id"]]["score"]) for row in scored.to_pylist())
    again = tmp_path / "killed again"
    found = door.evaluate(dying_once(df, again), pima, ["laplace"])
    assert again.exists()
    assert found == door.evaluate(df, pima, ["laplace"])


def test_what_does_not_fit_is_told_in_the_driver(df: Any, pima: Model) -> None:
    with pytest.raises(MismatchError, match="no column is called 'plas', which the tree asks for"):
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
    assert door.judged(nothing, pima, ["raw"]).cases == 0


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
