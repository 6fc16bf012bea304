"""A few hundred spoilt model files; scripts/fuzz_modelfile tries many more."""

from __future__ import annotations

from pathlib import Path

from modelfile_fuzz import examine_model_file, mutants, sources


def test_a_spoilt_model_file_is_refused_in_one_line_or_works(fixtures_dir: Path) -> None:
    outcomes = set()
    for source in sources(fixtures_dir):
        for data in mutants(source, 60, seed=0):
            outcome, problem = examine_model_file(data)
            assert problem == ""
            outcomes.add(outcome)
    assert {"refused", "read"} <= outcomes
