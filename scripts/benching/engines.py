"""CPU seconds and peak memory of scoring Parquet rows on each engine that is installed.

    scripts/benching/engines.py --rows 1000000,5000000,20000000 > scripts/engines-results.md
    scripts/benching/engines.py --sizes --rows 200000

Makes that many rows like those of fixtures/pima, in four files, and scores them by distance, each
engine in a process of its own: start of the process and of the engine included, then told apart by
a run over few rows. The peak is that of the Python process. The scores of all engines must have
the same digest. As a part of scripts/bench it takes 200,000 rows.

--sizes prints instead what travels: bytes of the model, of the summaries of a task and of a range
of scores, and, where Spark is installed, of the shuffles of ``rank`` and ``evaluate``.

``bare`` reads, makes columns, scores and forgets; ``pyarrow`` is the recipe of the guide, which
writes the scores batch by batch; all others hold the scores of all rows.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import j48geo  # noqa: E402
from benching.measuring import Report  # noqa: E402

ROWS = 200_000
METHOD = "global"
HEAD = ("engine", "million rows", "CPU s per million", "CPU s to start", "peak MB", "scores")
ENGINES = ("bare", "pyarrow", "polars", "duckdb", "dask", "spark")
PIECE = 250_000
"""Rows that are made at a time."""


def make(model: Any, count: int, folder: Path) -> None:
    """Rows drawn from the training data, a little off, with their number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    header, random = model.tree.header, np.random.default_rng(7)
    spread = np.nanstd(model.training.X, axis=0)
    first = 0
    for k in range(4):
        out = None
        while first < (k + 1) * count // 4:
            size = min(PIECE, (k + 1) * count // 4 - first)
            X = model.training.X[random.integers(0, len(model.training), size)]
            columns: dict[str, Any] = {"id": np.arange(size) + first}
            for place in sorted(model.tree.used_attributes):
                attribute, cells = header.attributes[place], X[:, place]
                missing = np.isnan(cells)
                if attribute.is_nominal:
                    codes = pa.array(np.where(missing, 0, cells).astype(np.int32), mask=missing)
                    columns[attribute.name] = pa.DictionaryArray.from_arrays(
                        codes, list(attribute.values)
                    ).cast(pa.string())
                else:
                    noise = random.normal(size=size) * 0.01 * spread[place]
                    columns[attribute.name] = pa.array(cells + noise, mask=missing)
            table = pa.table(columns)
            out = out or pq.ParquetWriter(folder / f"{k}.parquet", table.schema)
            out.write_table(table)
            first += size
        if out is not None:
            out.close()


def score(engine: str, fitted: str, folder: str) -> str:
    """The digest of the scores of all rows, in the order of their numbers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    model = j48geo.load(fitted)
    scorer = model.scorer(METHOD, keep=["id"])
    if engine == "bare":
        return digest(map(scorer, batches(folder, scorer)))
    if engine == "pyarrow":
        parts = map(scorer, batches(folder, scorer))
        made = next(parts)
        with pq.ParquetWriter(f"{folder}.scores", made.schema) as out:
            return digest(written(out, made, parts))
    if engine == "polars":
        import polars as pl

        added = {"string": pl.String, "double": pl.Float64}
        schema = {"id": pl.Int64} | {name: added[kind] for name, kind in scorer.added.items()}
        lazy = pl.scan_parquet(f"{folder}/*.parquet").select(scorer.columns)
        found = lazy.map_batches(
            lambda part: pl.from_arrow(scorer(part.to_arrow(compat_level=pl.CompatLevel.oldest()))),
            schema=schema,
            streamable=True,
        )
        return digest([found.collect().to_arrow(compat_level=pl.CompatLevel.oldest())])
    if engine == "duckdb":
        import duckdb

        names = ", ".join(f'"{name}"' for name in scorer.columns)
        rows = duckdb.sql(f"select {names} from '{folder}/*.parquet'").to_arrow_reader(100_000)
        return digest([pa.Table.from_batches(map(scorer, rows))])
    if engine == "dask":
        import dask

        files = sorted(Path(folder).glob("*.parquet"))
        read = [dask.delayed(pq.read_table)(f, columns=list(scorer.columns)) for f in files]
        return digest([pa.concat_tables(dask.compute(*map(dask.delayed(scorer), read)))])
    from j48geo import spark as door

    frame = door.score(session().read.parquet(folder), model, METHOD, keep=["id"])
    frame.write.parquet(f"{folder}.spark", mode="overwrite")
    return digest([pq.read_table(f"{folder}.spark", columns=["id", "score"])])


def session(**more: str) -> Any:
    """Spark on two cores of this machine."""
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    made = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    made = made.config("spark.driver.memory", "2g").config("spark.driver.host", "127.0.0.1")
    for name, value in more.items():
        made = made.config(name.replace("_", "."), value)
    return made.getOrCreate()


def batches(folder: str, scorer: Any) -> Iterator[Any]:
    """The rows, file by file."""
    import pyarrow.parquet as pq

    for file in sorted(Path(folder).glob("*.parquet")):
        yield from pq.ParquetFile(file, pre_buffer=False).iter_batches(columns=list(scorer.columns))


def written(out: Any, first: Any, others: Iterable[Any]) -> Iterator[Any]:
    """The same batches, each of which is written, too."""
    for part in chain([first], others):
        out.write_batch(part)
        yield part


def digest(parts: Iterable[Any]) -> str:
    """Of the scores in the order of their numbers; parts are in that order, or there is one."""
    found = hashlib.sha256()
    for part in parts:
        number, of_row = part["id"].to_numpy(), part["score"].to_numpy()
        rising = bool((np.diff(number) > 0).all())
        found.update(np.ascontiguousarray(of_row if rising else of_row[np.argsort(number)]))
    return found.hexdigest()[:12]


def sizes(model: Any, work: Path, rows: int) -> Iterator[tuple[str, float]]:
    """Bytes of what is sent, each with its name."""
    import pyarrow.parquet as pq

    from j48geo.engines.evaluation import BatchEvaluator, RowCounter
    from j48geo.engines.sorting import Offsets, Sorter

    make(model, rows, work / "some")
    table = pq.read_table(work / "some")
    for method in ("global", "nearby", "gdk"):
        made = pickle.dumps(model.scorer(method))
        yield f"scorer, {method}: the model as JSON, sent to each task", len(made)
    label = model.tree.header.attributes[model.tree.header.class_index]
    drawn = np.random.default_rng(8).integers(0, len(label.values), rows)
    table = table.append_column(label.name, [[label.values[k] for k in drawn]])
    yield "check: the ways of all rows", len(pickle.dumps(RowCounter.of(model)(table)))
    scorer = model.scorer("global")
    yield "sentences of a ranking, a task", len(pickle.dumps(scorer.facts(table)))
    judge = BatchEvaluator.of(model, ["laplace", "nearby", "global"])
    judged = judge(table)
    whole, small = (len(pickle.dumps(x)) for x in (judged, judged.without_tables))
    yield "evaluate, three methods: sums of a task that need no order", small
    yield "evaluate, three methods: tables of scores, a row", (whole - small) / rows
    sorter = Sorter.of(judge).scaled(1.0)
    columns = sorter.rows(judged)
    number = sorter.places.index(("score", 2, 0))
    some = {name: column[columns["table"] == number] for name, column in columns.items()}
    masses = sorter.masses(number, some)
    yield "evaluate: masses of a range of scores", len(pickle.dumps(masses))
    sums = sorter.sums(number, 0, some, Offsets.of({(number, 0): masses}))
    yield "evaluate: sums of a range of scores", len(pickle.dumps(sums))
    if find_spec("pyspark") is not None:
        (work / "log").mkdir()
        pq.write_table(table, work / "labelled.parquet")
        model.save(work / "fitted.json")
        for what in ("rank", "evaluate"):
            told = run("shuffle", work / "fitted.json", work / "labelled.parquet", what)
            yield f"{what}, Spark: written for shuffles, a row", told["digest"] / rows


def shuffled(fitted: str, path: str, what: str) -> int:
    """Bytes that Spark writes for shuffles, by its own log."""
    import j48geo
    from j48geo import spark as door

    log = Path(path).parent / "log"
    spark = session(
        spark_eventLog_enabled="true",
        spark_eventLog_dir=log.as_uri(),
        spark_eventLog_rolling_enabled="false",
        spark_eventLog_compress="false",
    )
    model, frame = j48geo.load(fitted), spark.read.parquet(path)
    if what == "rank":
        ranked = door.rank(frame, model, "global", id="id", keep=["id"])
        ranked.write.format("noop").mode("overwrite").save()
    else:
        door.evaluate(frame, model, ["laplace", "nearby", "global"])
    name = spark.sparkContext.applicationId
    spark.stop()
    total = 0
    for line in next(p for p in log.rglob("*") if name in p.name and p.is_file()).open():
        event = json.loads(line)
        metrics = event.get("Task Metrics") or {}
        total += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
    return total


def child(arguments: list[str]) -> None:
    """One engine, and what it took."""
    found = shuffled(*arguments[1:]) if arguments[0] == "shuffle" else score(*arguments)
    print(
        json.dumps(
            {
                "cpu": cpu_of_session(),
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "digest": found,
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
    command = [sys.executable, __file__, "--child", engine, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, start_new_session=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def pima_model() -> Any:
    """The tree that is scored by."""
    pima = ROOT / "fixtures" / "pima"
    return j48geo.load(pima / "model.txt", pima / "data.arff")


def tell_sizes(rows: int) -> None:
    """Print what travels."""
    model = pima_model()
    print(f"{len(model.tree.leaves)} leaves, {rows} rows.\n\n| what | bytes |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, size in sizes(model, Path(folder), rows):
            print(f"| {name} | {size:,.0f} |", flush=True)


def measure(report: Report, counts: tuple[int, ...] = (ROWS,)) -> None:
    """Every engine on the same rows, of each number."""
    model = pima_model()
    told = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        model.save(work / "fitted.json")
        make(model, 400, work / "few")
        for count in counts:
            make(model, count, work / "many")
            digests = set()
            for engine in ENGINES:
                package = {"spark": "pyspark", "bare": "pyarrow"}.get(engine, engine)
                if find_spec(package) is None:
                    told.append((engine, "not installed", "", "", "", ""))
                    continue
                start = run(engine, work / "fitted.json", work / "few")
                whole = run(engine, work / "fitted.json", work / "many")
                each = (whole["cpu"] - start["cpu"]) / count * 1e6
                numbers = (f"{count / 1e6:g}", f"{each:.2f}", f"{start['cpu']:.1f}")
                told.append((engine, *numbers, f"{whole['peak']:.0f}", whole["digest"]))
                digests.add(whole["digest"])
            what = f"digests of the scores of {count:,} rows"
            report.goal(what, "1", str(len(digests)), len(digests) == 1)
            shutil.rmtree(work / "many")
            shutil.rmtree(work / "many.spark", ignore_errors=True)
    report.table(HEAD, told)


def main() -> int:
    """Print the table for other numbers of rows; 1 if engines disagree."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--rows", default="1000000")
    parser.add_argument("--sizes", action="store_true")
    asked = parser.parse_args()
    counts = tuple(map(int, asked.rows.split(",")))
    if asked.sizes:
        tell_sizes(counts[0])
        return 0
    report = Report()
    measure(report, counts)
    print("\n".join(report.lines))
    return int(not all(goal.met for goal in report.goals))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2:])
        sys.exit(0)
    sys.exit(main())
