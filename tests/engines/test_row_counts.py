"""Checks and the sentences under a ranking, part by part: those of all rows at once."""

from __future__ import annotations

import pickle
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
from j48geo.engines.evaluation import RowCounter
from j48geo.errors import MismatchError
from j48geo.model.model import Model
from j48geo.score.ranking import RankingFacts
from j48geo.show.reports.ranking import ranking_details, ranking_sentences

pyarrow = pytest.importorskip("pyarrow")

CUTS = st.lists(st.integers(0, 768), max_size=5)


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> Model:
    folder = fixtures_dir / "pima"
    return j48geo.load(folder / "model.txt", folder / "data.arff")


@pytest.fixture(scope="module")
def rows(pima: Model) -> Any:
    """The training rows with a column of weights, and a few values missing."""
    data, random = pima.training, np.random.default_rng(4)
    assert data is not None
    columns: dict[str, Any] = {"w": random.choice([1.0, 0.1, 1 / 3], size=len(data))}
    for k, attribute in enumerate(data.header.attributes):
        cells = data.X[:, k]
        if attribute.is_nominal:
            columns[attribute.name] = [attribute.values[int(v)] for v in cells]
        else:
            columns[attribute.name] = pyarrow.array(cells, mask=random.random(len(cells)) < 0.02)
    return pyarrow.table(columns)


def parts(rows: Any, ends: list[int]) -> list[Any]:
    return [rows.slice(a, b - a) for a, b in pairwise([0, *sorted(ends), len(rows)])]


def test_the_training_rows_give_back_the_printed_counts(pima: Model) -> None:
    data = pima.training
    assert data is not None
    table = pyarrow.table(
        {
            a.name: [a.values[int(v)] for v in data.X[:, k]] if a.is_nominal else data.X[:, k]
            for k, a in enumerate(data.header.attributes)
        }
    )
    counter = RowCounter.of(pima)
    found = counter.compared(counter(table))
    assert found.ok
    assert (found.compared, found.rows, found.classless) == (len(pima.tree.leaves), 768, 0)
    assert found.counts.per_class.tobytes() == pima.counts.per_class.tobytes()
    assert len(pickle.dumps(counter(table))) < 30_000


@settings(max_examples=15, deadline=None)
@given(CUTS)
def test_a_check_does_not_depend_on_parts(pima: Model, rows: Any, ends: list[int]) -> None:
    counter = pickle.loads(pickle.dumps(RowCounter.of(pima, weights="w")))
    whole = counter.compared(counter(rows))
    found = counter.compared(reduce(add, map(counter, parts(rows, ends)[::-1])))
    assert found.differences == whole.differences
    assert not found.ok
    assert found.counts.bag.tobytes() == whole.counts.bag.tobytes()


def test_what_does_not_fit_is_refused_before_any_row(pima: Model, rows: Any) -> None:
    with pytest.raises(MismatchError, match="no column 'plas'"):
        RowCounter.of(pima).check(rows.drop_columns(["plas"]).schema)
    with pytest.raises(MismatchError, match="no column 'mass of it'"):
        RowCounter.of(pima, weights="mass of it").check(rows.schema)
    spoilt = rows.set_column(0, "w", pyarrow.array([-1.0] * len(rows)))
    with pytest.raises(MismatchError, match="weight"):
        RowCounter.of(pima, weights="w")(spoilt)


@settings(max_examples=10, deadline=None)
@given(CUTS, st.sampled_from(["nearby", "local", "global"]))
def test_the_sentences_do_not_depend_on_parts(
    pima: Model, rows: Any, ends: list[int], method: str
) -> None:
    ranked = pima.ranking(rows, method, count_own=True)
    scorer = pima.scorer(method)
    facts = reduce(add, map(scorer.facts, parts(rows, ends)), RankingFacts())
    assert facts == ranked.facts
    details = ranking_details(facts, ranked.rows.ranking.places, len(pima.tree.leaves))
    assert details[0].startswith("768 cases, ")
    assert len(ranking_sentences(facts)) == (method == "nearby")
