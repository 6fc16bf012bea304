"""A model, rows in plenty, and what one machine says of them; engines are compared with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import j48geo
from j48geo.model.model import Model


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
