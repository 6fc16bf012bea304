"""An evaluation by sorted ranges of scores is that of one machine, to the last bit."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import j48geo
from j48geo.decide.evaluation.evaluation import MetricOptions, evaluate_metrics
from j48geo.decide.evaluation.score_tables import ScorePlacements
from j48geo.engines.evaluation import BatchEvaluator
from j48geo.engines.sorting import KEYS, Offsets, Sorter
from j48geo.errors import ChoiceError
from j48geo.model.model import Model

pyarrow = pytest.importorskip("pyarrow")

ROWS = 1500
METHODS = ("raw", "laplace", "nearby", "gdk", "global", "local")


@pytest.fixture(scope="module", params=["pima", "iris", "virginica"])
def asked(request: pytest.FixtureRequest, fixtures_dir: Path) -> tuple[BatchEvaluator, Any, object]:
    """What judges, rows with weights and missing values, and what one machine says of them."""
    name = "pima" if request.param == "pima" else "iris"
    model: Model = j48geo.load(fixtures_dir / name / "model.txt", fixtures_dir / name / "data.arff")
    if request.param == "virginica":
        model = model.with_(positive="Iris-virginica")
    data, random = model.training, np.random.default_rng(6)
    assert data is not None
    X = data.X[random.integers(0, len(data), ROWS)].copy()
    X[:, :-1] += random.normal(size=(ROWS, X.shape[1] - 1)) * 0.02 * np.nanstd(X[:, :-1], axis=0)
    X[:, :-1][random.random((ROWS, X.shape[1] - 1)) < 0.03] = np.nan
    columns: dict[str, Any] = {}
    for k, attribute in enumerate(data.header.attributes):
        cells = X[:, k]
        if attribute.is_nominal:
            columns[attribute.name] = [attribute.values[int(v)] for v in cells]
        else:
            columns[attribute.name] = pyarrow.array(cells, mask=np.isnan(cells))
    columns["w"] = random.choice([1.0, 0.1, 1 / 3, 2.5, 0.0], size=ROWS)
    table = pyarrow.table(columns)
    methods = METHODS if request.param != "iris" else METHODS[:5]
    judge = BatchEvaluator.of(model, methods, weights="w")
    return judge, table, judge.evaluation(judge(table))


def ranges(columns: dict[str, Any], cuts: list[float]) -> Iterator[tuple[int, int, Any]]:
    """The rows of each range of each table, brought together as an engine does."""
    score = columns["k0"]
    place = np.where(np.isnan(score), -1, np.searchsorted(np.sort(cuts), score, "right"))
    for number, k in sorted(set(zip(columns["table"].tolist(), place.tolist(), strict=True))):
        here = (columns["table"] == number) & (place == k)
        yield number, k, {name: column[here] for name, column in columns.items()}


@settings(max_examples=12, deadline=None)
@given(st.lists(st.floats(-1, 1), max_size=6), st.lists(st.integers(0, ROWS), max_size=4))
def test_no_ranges_and_no_parts_change_a_figure(
    asked: tuple[BatchEvaluator, Any, object], cuts: list[float], ends: list[int]
) -> None:
    judge, table, expected = asked
    sorter = pickle.loads(pickle.dumps(Sorter.of(judge)))
    places = [0, *sorted(ends), ROWS]
    parts = [judge(table.slice(a, b - a)) for a, b in pairwise(places)]
    small = reduce(add, [part.without_tables for part in parts])
    assert len(pickle.dumps(small)) < 30_000
    rows = [sorter.rows(part) for part in parts]
    columns = {name: np.concatenate([some[name] for some in rows]) for name in rows[0]}
    assert set(columns) == {"table", *KEYS, "label", "weight", "count"}
    sorter = sorter.scaled(columns["weight"].max())
    offsets = Offsets.of({(n, k): sorter.masses(n, c) for n, k, c in ranges(columns, cuts)})
    known: dict[int, ScorePlacements] = {}
    for n, k, some in ranges(columns, cuts):
        if n in sorter.against:
            part = sorter.placements(n, k, some, offsets)
            known[n] = known[n] + part if n in known else part
    sorter = sorter.with_placements(known)
    sums = [(n, sorter.sums(n, k, some, offsets)) for n, k, some in ranges(columns, cuts)]
    assert evaluate_metrics(sorter.measured(small, offsets, sums[::-1])) == expected


def test_no_cases_have_no_figures_and_a_bootstrap_is_refused(
    asked: tuple[BatchEvaluator, Any, object],
) -> None:
    judge = asked[0]
    sorter = Sorter.of(judge)
    found = evaluate_metrics(sorter.measured(judge.nothing(), Offsets.of({}), []))
    assert found.cases == 0
    assert found == judge.evaluation(judge.nothing())
    with pytest.raises(ChoiceError, match="bootstrap"):
        Sorter.of(judge, MetricOptions(interval="bootstrap"))
