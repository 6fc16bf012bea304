from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import shown_on

from j48geo.cli import notes
from j48geo.core.dataset import Attribute, Dataset, Header

HEADER = Header("r", (Attribute("x"), Attribute("y")), 1)


def blocks(sizes: list[int]) -> list[Dataset]:
    return [Dataset(HEADER, np.zeros((n, 2)), np.ones(n)) for n in sizes]


def test_long_work_shows_its_progress_on_a_terminal_and_cleans_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notes, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(notes, "SECONDS_BETWEEN", 0.0)
    master, slave = os.openpty()
    given = blocks([3000, 7, 1])
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert list(notes.show_progress(given, "scored")) == given
        monkeypatch.undo()
    assert shown_on(master) == (
        b"\r3,000 rows scored\r3,007 rows scored\r3,008 rows scored\r" + b" " * 17 + b"\r"
    )


@pytest.mark.parametrize("quiet", [True, False])
def test_short_or_quiet_work_and_work_without_a_terminal_show_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: bool
) -> None:
    if quiet:
        monkeypatch.setattr(notes, "FIRST_SECONDS", 0.0)
    master, slave = os.openpty()
    given = blocks([3, 4])
    with os.fdopen(slave, "w") as terminal, (tmp_path / "err").open("w+") as file:
        for stream in (terminal, file):
            monkeypatch.setattr(sys, "stderr", stream)
            assert list(notes.Notes(quiet).progress(given, "scored")) == given
        monkeypatch.undo()
        assert (tmp_path / "err").read_text() == ""
    assert shown_on(master) == b""
