"""However many threads there are, a long file is answered by the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from j48geo.compilation import limit_threads
from tests.command_line import Run

COMMANDS = (
    ("predict", "-f", "csv"),
    ("rank", "--by", "global", "-f", "csv"),
    ("proba", "--method", "gdk,nearby", "-f", "jsonl"),
)


@pytest.fixture(autouse=True)
def no_limit_stays() -> Iterator[None]:
    """The option holds for the process, which goes on here."""
    yield
    limit_threads(None)


@pytest.fixture
def long(fixtures_dir: Path, tmp_path: Path) -> Path:
    """Four blocks of rows, so that there is one to be read while another is worked on."""
    text = (fixtures_dir / "pima" / "data.arff").read_text()
    begin = text.lower().index("@data") + len("@data\n")
    path = tmp_path / "long.arff"
    path.write_text(text[:begin] + text[begin:] * (1 + (4 << 20) // (len(text) - begin)))
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_any_number_of_threads_gives_the_same_bytes(
    command: tuple[str, ...], j48geo: Run, fixtures_dir: Path, long: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    found = set()
    for threads in (1, 2, 7):
        out = tmp_path / f"{threads}.out"
        rows = (folder / "model.txt", long, "--train", folder / "data.arff")
        done = j48geo("--threads", threads, *command, *rows, "-q", "-o", out)
        assert (done.code, done.err) == (0, "")
        found.add(out.read_bytes())
    assert len(found) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_bad_row_far_down_is_told_and_nothing_is_left(
    threads: int, j48geo: Run, fixtures_dir: Path, long: Path, tmp_path: Path
) -> None:
    folder, out = fixtures_dir / "pima", tmp_path / "out.csv"
    lines = long.read_text().splitlines()
    lines[-5] = "what,is,this"
    long.write_text("\n".join(lines))
    rows = (folder / "model.txt", long, "--train", folder / "data.arff")
    done = j48geo("--threads", threads, "predict", *rows, "-o", out)
    assert done.code == 4
    assert f"{long}:{len(lines) - 4}" in done.err
    assert not out.exists()
