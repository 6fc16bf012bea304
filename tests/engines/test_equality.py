"""Every figure has the bits of one machine, whatever engine reads the rows and cuts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_modules import import_engine

from j48geo.core.summaries import Moments
from j48geo.engines.evaluation import BatchEvaluator, RowCounter
from j48geo.model.model import Model
from j48geo.score.ranking import RankingFacts, rank_scores

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]

METHODS = ["raw", "laplace", "nearby", "gdk", "global", "local"]


def by_pyarrow(folder: Path) -> Iterable[Any]:
    import pyarrow.dataset as ds

    return ds.dataset(folder).to_batches(batch_size=777)  # type: ignore[no-any-return]


def by_polars(folder: Path) -> Iterable[Any]:
    pl = pytest.importorskip("polars")
    frame = pl.read_parquet(folder / "*.parquet")
    for part in frame.iter_slices(1234):
        yield part.to_arrow(compat_level=pl.CompatLevel.oldest())


def by_duckdb(folder: Path) -> Iterable[Any]:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.sql(f"from '{folder}/*.parquet'").to_arrow_reader(2048)  # type: ignore[no-any-return]


def by_dask(folder: Path) -> Iterable[Any]:
    dask = import_engine("dask", "Dask")
    import pyarrow.parquet as pq

    read = [dask.delayed(pq.read_table)(path) for path in sorted(folder.glob("*.parquet"))]
    found: Iterable[Any] = dask.compute(*read[::-1], scheduler="threads")
    return found


@pytest.mark.parametrize(
    ("engine", "read"),
    [("pyarrow", by_pyarrow), ("Polars", by_polars), ("DuckDB", by_duckdb), ("Dask", by_dask)],
)
def test_every_figure_is_that_of_one_machine(
    engine: str,
    read: Callable[[Path], Iterable[Any]],
    pima: Model,
    rows: Any,
    tmp_path: Path,
    equal: Any,
) -> None:
    import pyarrow.parquet as pq

    for k in range(4):
        pq.write_table(rows.slice(5000 * k, 5000), tmp_path / f"{k}.parquet")
    parts = list(read(tmp_path))
    assert sum(map(len, parts)) == len(rows)

    scorer = pima.scorer("local", keep=["id"])
    told = {row["id"]: row for part in parts for row in scorer(part).to_pylist()}
    one = scorer(rows).to_pylist()
    found = [told[row["id"]] for row in one]
    for figure, name in (("scores", "score"), ("distances", "distance")):
        bits = [np.array([row[name] for row in some]).tobytes() for some in (found, one)]
        equal(engine, figure, bits[0] == bits[1])
    classes = [[row["predicted"] for row in some] for some in (found, one)]
    equal(engine, "classes", classes[0] == classes[1])
    ranks = [
        rank_scores(*(np.array([row[name] for row in some]) for name in ("score", "within"))).rank
        for some in (found, one)
    ]
    equal(engine, "ranks", ranks[0].tolist() == ranks[1].tolist())

    expected = pima.evaluate(rows, METHODS)
    judge = BatchEvaluator.of(pima, METHODS)
    sums = reduce(add, map(judge, parts), judge.nothing())
    evaluation = replace(expected.evaluation, optimistic=False)
    equal(engine, "evaluate", judge.evaluation(sums) == evaluation)
    confusion = sums.confusion.weight.tolist()
    equal(engine, "confusion", confusion == expected.confusion.weight.tolist())

    counter = RowCounter.of(pima)
    counts = [
        counter.compared(found).counts.per_class
        for found in (reduce(add, map(counter, parts)), counter(rows))
    ]
    equal(engine, "check", counts[0].tobytes() == counts[1].tobytes())
    facts = reduce(add, map(scorer.facts, parts), RankingFacts())
    equal(engine, "sentences", facts == scorer.facts(rows))

    def moments(some: Any) -> Moments:
        return Moments.of(some["plas"].to_numpy(zero_copy_only=False).astype(np.float64))

    deviations = [reduce(add, map(moments, parts)).deviation, moments(rows).deviation]
    equal(engine, "metric", deviations[0] == deviations[1])
