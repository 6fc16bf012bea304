"""Every command in every format still says what it said when somebody last looked."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_run import FOLDER, ROOT, files, results


@pytest.mark.parametrize("name", files())
def test_the_golden_run_gives_what_it_gave(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert results(name, tmp_path) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_file_of_results_belongs_to_the_list() -> None:
    assert {p.stem for p in FOLDER.glob("*.txt")} == {"commands", *files()}
