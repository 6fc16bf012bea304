"""Scoring 200,000 rows of Parquet on each engine that is installed.

Rows like those of fixtures/pima, in four files, scored by distance in a process of its own: start
of the process and of the engine included, then told apart by a run over few rows. The peak is that
of the Python process. The scores of all engines must have the same digest.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import j48geo  # noqa: E402
from benching.measuring import Report  # noqa: E402

ROWS = 200_000
METHOD = "global"
ENGINES = ("bare", "pyarrow", "polars", "duckdb", "dask", "spark")


def make(model: Any, count: int, folder: Path) -> None:
    """Rows drawn from the training data, a little off, with their number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    header, random = model.tree.header, np.random.default_rng(7)
    for k in range(4):
        X = model.training.X[random.integers(0, len(model.training), count // 4)]
        columns: dict[str, Any] = {"id": np.arange(len(X)) + k * (count // 4)}
        for place in sorted(model.tree.used_attributes):
            attribute, cells = header.attributes[place], X[:, place]
            missing = np.isnan(cells)
            if attribute.is_nominal:
                codes = pa.array(np.where(missing, 0, cells).astype(np.int32), mask=missing)
                columns[attribute.name] = pa.DictionaryArray.from_arrays(
                    codes, list(attribute.values)
                ).cast(pa.string())
            else:
                noise = random.normal(size=len(X)) * 0.01 * np.nanstd(cells)
                columns[attribute.name] = pa.array(cells + noise, mask=missing)
        pq.write_table(pa.table(columns), folder / f"{k}.parquet")


def scores(engine: str, fitted: str, folder: str) -> np.ndarray[Any, Any]:
    """The scores of all rows, in the order of their numbers."""
    import pyarrow as pa

    model = j48geo.load(fitted)
    scorer = model.scorer(METHOD, keep=["id"])
    if engine == "bare":  # read, columns, scores: nothing else
        found = pa.Table.from_batches(map(scorer, _batches(folder, scorer)))
    elif engine == "pyarrow":
        import pyarrow.dataset as ds

        rows = ds.dataset(folder).to_batches(columns=list(scorer.columns))
        found = pa.Table.from_batches(scorer.batches(rows))
    elif engine == "polars":
        import polars as pl

        part = pl.scan_parquet(f"{folder}/*.parquet").select(scorer.columns).collect()
        found = scorer(part.to_arrow(compat_level=pl.CompatLevel.oldest()))
    elif engine == "duckdb":
        import duckdb

        names = ", ".join(f'"{name}"' for name in scorer.columns)
        rows = duckdb.sql(f"select {names} from '{folder}/*.parquet'").to_arrow_reader(100_000)
        found = pa.Table.from_batches(map(scorer, rows))
    elif engine == "dask":
        import dask
        import pyarrow.parquet as pq

        files = sorted(Path(folder).glob("*.parquet"))
        read = [dask.delayed(pq.read_table)(f, columns=list(scorer.columns)) for f in files]
        found = pa.concat_tables(dask.compute(*map(dask.delayed(scorer), read)))
    else:
        from pyspark.sql import SparkSession

        from j48geo import spark as door

        os.environ |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
        session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = session.config("spark.driver.memory", "2g").getOrCreate()
        frame = door.score(session.read.parquet(folder), model, METHOD, keep=["id"])
        found = frame.toArrow()
    made: np.ndarray[Any, Any] = found["score"].to_numpy()[np.argsort(found["id"].to_numpy())]
    return made


def _batches(folder: str, scorer: Any) -> Any:
    import pyarrow.parquet as pq

    for file in sorted(Path(folder).glob("*.parquet")):
        yield from pq.ParquetFile(file).iter_batches(columns=list(scorer.columns))


def child(arguments: list[str]) -> None:
    """One engine, and what it took."""
    found = scores(*arguments)
    print(
        json.dumps(
            {
                "cpu": cpu_of_session(),
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "digest": hashlib.sha256(found.tobytes()).hexdigest()[:12],
            }
        )
    )


def cpu_of_session() -> float:
    """CPU seconds of this process and of all that it started, also of those still running."""
    own, ticks = str(os.getsid(0)), 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if fields[3] == own:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def run(engine: str, *arguments: object) -> dict[str, Any]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, engine, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, start_new_session=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(report: Report) -> None:
    """Every engine on the same rows."""
    pima = ROOT / "fixtures" / "pima"
    model = j48geo.load(pima / "model.txt", pima / "data.arff")
    digests, rows = set(), []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        model.save(work / "fitted.json")
        make(model, ROWS, work / "many")
        make(model, 400, work / "few")
        for engine in ENGINES:
            package = {"spark": "pyspark", "bare": "pyarrow"}.get(engine, engine)
            if find_spec(package) is None:
                rows.append((engine, "not installed", "", ""))
                continue
            start = run(engine, work / "fitted.json", work / "few")
            whole = run(engine, work / "fitted.json", work / "many")
            each = (whole["cpu"] - start["cpu"]) / ROWS * 1e6
            rows.append((engine, f"{each:.2f}", f"{start['cpu']:.1f}", f"{whole['peak']:.0f}"))
            digests.add(whole["digest"])
    report.table(("engine", "CPU s per million rows", "CPU s to start", "peak MB"), rows)
    report.goal("different scores among the engines", "1", str(len(digests)), len(digests) == 1)


if __name__ == "__main__":
    child(sys.argv[1:])
