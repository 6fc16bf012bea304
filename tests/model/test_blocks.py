"""A row has the same scores and probabilities, to the last bit, in whatever block it comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import j48geo
from j48geo.arrays import Floats
from j48geo.model.fitting import fit_methods
from j48geo.model.model import Model
from j48geo.model.rankings import find_scoring, ranking_name
from j48geo.model.settings import find_metric
from j48geo.score.methods import PROBABILITIES
from j48geo.score.probabilities import estimate_cases
from j48geo.score.setting import classify_cases

ROWS = 3000
METHODS = ("raw", "laplace", "m", "global", "local", "nearby", "gdk", "ldk")
Answer = Callable[[Floats], Floats]


def answers(model: Model, method: str) -> Answer:
    """All that is said of rows, a row each."""
    scoring = find_scoring(model, ranking_name(model, method), find_metric(model))
    learnt = fit_methods(model, [method]).model if method in PROBABILITIES else None

    def answer(X: Floats) -> Floats:
        batch = scoring.batch(X)
        columns = [batch.score, batch.distance]
        if batch.within is not None:
            columns.append(batch.within)
        if learnt is not None:
            said = estimate_cases(learnt, classify_cases(learnt.setting, X))[method]
            columns.extend(said.distribution.T)
        return np.stack(columns, axis=1)

    return answer


@pytest.fixture(scope="module", params=["pima", "iris", "parcels-binary"])
def asked(request: pytest.FixtureRequest, fixtures_dir: Path) -> tuple[Floats, dict[str, Answer]]:
    """Rows near those of the training, some values missing, and what is asked about them."""
    folder = fixtures_dir / request.param
    loaded = j48geo.load(folder / "model.txt", folder / "data.arff")
    model = loaded.with_(positive=loaded.classes[0])
    training, random = model.training, np.random.default_rng(3)
    assert training is not None
    X = training.X[random.integers(0, len(training), ROWS)].copy()
    for k, attribute in enumerate(model.tree.header.attributes):
        if attribute.is_numeric:
            X[:, k] += random.normal(size=ROWS) * 0.05 * np.nanstd(training.X[:, k])
    inputs = [k for k in range(X.shape[1]) if k != model.tree.header.class_index]
    for k in inputs:
        X[random.random(ROWS) < 0.02, k] = np.nan
    return X, {method: answers(model, method) for method in METHODS}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_blocks_change_nothing(
    asked: tuple[Floats, dict[str, Answer]], method: str, size: int
) -> None:
    X, of = asked
    whole = of[method](X)
    found = [of[method](X[k : k + size]) for k in range(0, min(ROWS, 20 * size), size)]
    count = sum(map(len, found))
    assert np.concatenate(found).tobytes() == whole[:count].tobytes()


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(METHODS), st.lists(st.integers(0, ROWS), max_size=5), st.integers(0, 2**32 - 1)
)
def test_no_cut_and_no_order_changes_anything(
    asked: tuple[Floats, dict[str, Answer]], method: str, ends: list[int], seed: int
) -> None:
    X, of = asked
    order = np.random.default_rng(seed).permutation(ROWS)
    joined = np.concatenate([of[method](part) for part in np.split(X[order], sorted(ends))])
    assert joined.tobytes() == of[method](X)[order].tobytes()
