"""Random trees grown by a live Weka; `scripts/differential` does the same for hundreds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from differential import compare
from differential_wrappers import compare_wrappers
from random_data import REGIMES, random_case


@pytest.mark.weka
@pytest.mark.parametrize("seed", range(3 * len(REGIMES)))
def test_a_random_tree_is_read_counted_and_predicted_as_weka_does(
    seed: int, request: pytest.FixtureRequest, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    case = random_case(seed)
    weka = request.getfixturevalue("weka36" if case.version == "3.6.14" else "weka")
    record_case("live Weka, random trees", case.name)
    assert compare(case, weka, tmp_path).problems == []


@pytest.mark.weka
@pytest.mark.parametrize("seed", [2, 3, 7, 21, 40, 61, 80, 93, 7129, 20053, 30001, 30008])
def test_wrappers_answer_as_weka_does_or_not_at_all(
    seed: int, request: pytest.FixtureRequest, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    case = random_case(seed)
    weka = request.getfixturevalue("weka36" if case.version == "3.6.14" else "weka")
    for found in compare_wrappers(case, weka, tmp_path):
        record_case("live Weka, wrappers", f"{seed} {found.scheme}")
        assert found.problems == []
