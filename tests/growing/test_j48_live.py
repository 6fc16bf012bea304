"""Random trees against a live Weka; `scripts/differential_grow` does the same for thousands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from differential_grow import compare_texts
from random_growing import grow_case


@pytest.mark.weka
@pytest.mark.parametrize("seed", range(10_000, 10_060))
def test_a_grown_tree_is_wekas_letter_for_letter(
    seed: int, request: pytest.FixtureRequest, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    case = grow_case(seed)
    file = tmp_path / "data.arff"
    file.write_text(case.arff, encoding="utf-8", newline="")
    for options in case.options:
        # -R fails in 3.9.7.
        weka = request.getfixturevalue("weka395" if "-R" in options.split() else "weka")
        outcome, ours, wekas = compare_texts(weka, file, options)
        record_case("live Weka, grown trees", f"{seed} {options}", outcome != "different")
        assert outcome != "different", f"{options}:\n{ours}\n{wekas}"
