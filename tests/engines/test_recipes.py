"""The recipes of the guide run as they stand there, and say what one machine says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_modules import import_engine

from j48geo.model.model import Model

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]

GUIDE = Path(__file__).resolve().parents[2] / "j48geo" / "guide" / "engines.md"


def recipe(name: str) -> str:
    """The first block of Python below a heading."""
    text = GUIDE.read_text(encoding="utf-8")
    match = re.search(rf"^### {re.escape(name)}\n.*?^```py\n(.*?)^```", text, re.M | re.S)
    assert match is not None, name
    code = match[1]
    assert len(code.splitlines()) <= 12
    return code


@pytest.fixture
def folder(
    pima: Model, rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """What the recipes name: ``fitted.json`` and a folder ``rows`` of Parquet files."""
    import pyarrow.parquet as pq

    pima.save(tmp_path / "fitted.json")
    (tmp_path / "rows").mkdir()
    for k in range(4):
        pq.write_table(rows.slice(5000 * k, 5000), tmp_path / "rows" / f"{k}.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(found: Any, scored: Any) -> None:
    """Every id has the score of one machine, to the last bit."""
    told = dict(zip(found["id"], np.asarray(found["score"], dtype=np.float64), strict=True))
    assert len(told) == scored.num_rows
    expected = scored.to_pydict()
    ours = np.array([told[key] for key in expected["id"]])
    assert ours.tobytes() == np.array(expected["score"]).tobytes()


def run(name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(recipe(name), name, "exec"), made)
    return made


def test_pyarrow(folder: Path, scored: Any) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    run("pyarrow")
    check(pq.read_table("scores.parquet").to_pydict(), scored)


def test_polars(folder: Path, scored: Any) -> None:
    pytest.importorskip("polars")
    check(run("Polars")["scores"].to_dict(as_series=False), scored)


def test_duckdb(folder: Path, scored: Any) -> None:
    pytest.importorskip("duckdb")
    check(run("DuckDB")["scores"].read_all().to_pydict(), scored)


def test_dask(folder: Path, scored: Any) -> None:
    import_engine("dask.dataframe", "Dask")
    check(run("Dask")["scores"].to_dict("list"), scored)


def test_dask_with_a_worker_that_is_killed(folder: Path, pima: Model, scored: Any) -> None:
    distributed = import_engine("distributed", "Dask")
    import dask
    import pyarrow.parquet as pq

    mark = str(folder / "killed")

    def one(path: str, scorer: Any) -> Any:
        import os
        import signal

        made = scorer(pq.read_table(path, columns=list(scorer.columns)))
        if path.endswith("2.parquet"):  # others have finished by now, here or elsewhere
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        return made

    scorer = pima.scorer("global", keep=["id"])
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        tasks = [dask.delayed(one)(f"rows/{k}.parquet", scorer) for k in range(4)]
        parts = dask.compute(*tasks)
    import pyarrow as pa

    assert Path(mark).exists()
    check(pa.concat_tables(parts).to_pydict(), scored)


def test_mlflow_on_spark(folder: Path, scored: Any, spark: Any) -> None:
    mlflow = import_engine("mlflow", "MLflow")
    from pyspark.sql import functions as F

    run("MLflow")
    ask = mlflow.pyfunc.spark_udf(spark, str(folder / "served"), result_type="score double")
    frame = spark.read.parquet(str(folder / "rows")).repartition(3)
    told = frame.select("id", ask(F.struct(*frame.columns))["score"].alias("score")).collect()
    check({name: [row[name] for row in told] for name in ("id", "score")}, scored)


def test_mlflow(folder: Path, rows: Any, scored: Any) -> None:
    mlflow = import_engine("mlflow", "MLflow")
    run("MLflow")
    model = mlflow.pyfunc.load_model("served")
    assert not list((folder / "served").rglob("*.pkl"))
    check(model.predict(rows.to_pandas()).to_dict("list"), scored)
