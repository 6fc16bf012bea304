"""A model, rows in plenty, and what one machine says of them; engines are compared with it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_modules import import_engine

import j48geo
from j48geo.model.model import Model

_told: dict[str, dict[str, bool]] = {}
"""By engine and figure: whether it has the bits of one machine."""


@pytest.fixture(scope="session")
def equal() -> Callable[[str, str, bool], None]:
    """Notes whether an engine gives a figure of one machine to the last bit, which it must."""

    def note(engine: str, figure: str, same: bool) -> None:
        _told.setdefault(engine, {})[figure] = same
        assert same, f"{figure} on {engine}"

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which figures of which engine have the bits of one machine."""
    if not _told:
        return
    terminalreporter.section("equal to the last bit")
    figures = list(dict.fromkeys(figure for found in _told.values() for figure in found))
    widths = [max(8, len(figure) + 2) for figure in figures]
    titles = "".join(f"{figure:>{width}}" for figure, width in zip(figures, widths, strict=True))
    terminalreporter.write_line(f"{'engine':10}{titles}")
    for engine, found in sorted(_told.items()):
        words = (
            "-" if figure not in found else "yes" if found[figure] else "NO" for figure in figures
        )
        line = "".join(f"{word:>{width}}" for word, width in zip(words, widths, strict=True))
        terminalreporter.write_line(f"{engine:10}{line}")


@pytest.fixture(scope="session")
def pima(fixtures_dir: Path) -> Model:
    folder = fixtures_dir / "pima"
    return j48geo.load(folder / "model.txt", folder / "data.arff")


@pytest.fixture(scope="session")
def rows(pima: Model) -> Any:
    """20,000 rows like those of the training data: ties in plenty, cells missing, ids."""
    pyarrow = pytest.importorskip("pyarrow")
    data, random = pima.training, np.random.default_rng(1)
    assert data is not None
    X = data.X[random.integers(0, len(data), 20_000)].copy()
    X[:, :-1][random.random(X[:, :-1].shape) < 0.02] = np.nan
    columns: dict[str, Any] = {"id": random.permutation(len(X))}
    for k, attribute in enumerate(data.header.attributes):
        if attribute.is_nominal:
            columns[attribute.name] = [attribute.values[int(v)] for v in X[:, k]]
        else:
            columns[attribute.name] = pyarrow.array(X[:, k], mask=np.isnan(X[:, k]))
    return pyarrow.table(columns)


@pytest.fixture(scope="session")
def scored(pima: Model, rows: Any) -> Any:
    """What the scorer says of all rows at once."""
    return pima.scorer("global", keep=["id"])(rows)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark on two cores, which tries a task four times."""
    import_engine("pyspark", "Spark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
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
