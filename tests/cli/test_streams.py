"""Rows that arrive one after the other: each is answered before the next one is sent."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

import pyarrow
import pyarrow.ipc
import pytest

from j48geo.cli import main

ROOT = Path(__file__).resolve().parents[2]
PIMA = ROOT / "fixtures" / "pima"
PATIENCE = 60.0
"""Seconds; on a quiet machine an answer takes some milliseconds."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="asks a pipe whether it is empty")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("models")
    text, data = str(PIMA / "model.txt"), str(PIMA / "data.arff")
    made = {name: folder / name for name in ("tree.json", "fitted.json", "saved.model")}
    assert main(["show", text, data, "-q", "--format", "json", "-o", str(made["tree.json"])]) == 0
    assert main(["fit", text, "--train", data, "-q", "-o", str(made["fitted.json"])]) == 0
    saved = str(made["saved.model"])
    assert main(["export", text, data, "-q", "--to", "model", "-o", saved]) == 0
    return made


def arff() -> tuple[bytes, list[bytes]]:
    """What stands before the rows, and some rows."""
    head, mark, rows = (PIMA / "data.arff").read_bytes().partition(b"@data\n")
    assert mark
    return head + mark, rows.splitlines(keepends=True)[:20]


def as_csv() -> tuple[bytes, list[bytes]]:
    head, rows = arff()
    names = [line.split()[1] for line in head.splitlines() if line.lower().startswith(b"@attr")]
    return b",".join(names).replace(b"'", b"") + b"\n", rows


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "j48geo", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def sent(process: subprocess.Popen[bytes], piece: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(piece)
    process.stdin.flush()


def answered(process: subprocess.Popen[bytes], lines: int, so_far: bytes = b"") -> bytes:
    """What comes until there are so many whole lines."""
    assert process.stdout is not None
    due = time.monotonic() + PATIENCE
    while so_far.count(b"\n") < lines:
        ready, _, _ = select([process.stdout], [], [], max(0.0, due - time.monotonic()))
        assert ready, f"no answer; so far {so_far!r}"
        piece = process.stdout.read1()
        assert piece, f"the end; so far {so_far!r}"
        so_far += piece
    return so_far


@pytest.mark.parametrize("data", [arff, as_csv], ids=["arff", "csv"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.parametrize(
    ("command", "model"),
    [
        (("predict",), "tree.json"),
        (("predict",), "saved.model"),
        (("predict",), "fitted.json"),
        (("proba", "--method", "nearby"), "fitted.json"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_each_row_is_answered_as_it_comes_and_as_in_a_whole_file(
    models: dict[str, Path],
    command: tuple[str, ...],
    model: str,
    form: str,
    data: object,
    tmp_path: Path,
) -> None:
    assert callable(data)
    head, rows = data()
    titles = form == "csv"
    name, *options = command
    arguments = [name, str(models[model]), "-", *options, "--format", form, "-q"]
    with running(*arguments) as process:
        sent(process, head)
        so_far = b""
        for number, row in enumerate(rows[:4], 1):
            sent(process, row)
            so_far = answered(process, number + titles, so_far)
        sent(process, rows[4][:5])  # half a row is no row
        sent(process, rows[4][5:] + rows[5])
        so_far = answered(process, 6 + titles, so_far)
        sent(process, b"".join(rows[6:]))
        assert process.stdin is not None
        process.stdin.close()
        assert process.stdout is not None
        so_far += process.stdout.read()
        assert process.wait(PATIENCE) == 0
    file = tmp_path / f"rows.{'arff' if data is arff else 'csv'}"
    file.write_bytes(head + b"".join(rows))
    whole = tmp_path / "whole"
    arguments[2] = str(file)
    assert main([*arguments, "-o", str(whole)]) == 0
    assert so_far == whole.read_bytes()


def arrow() -> tuple[bytes, list[bytes]]:
    """The schema of an Arrow stream, and its record batches of one row each."""
    head, rows = as_csv()
    names = head.decode().strip().split(",")
    batches = [
        pyarrow.record_batch(
            {
                name: [cell if name == "class" else float(cell)]
                for name, cell in zip(names, row.decode().strip().split(","), strict=True)
            }
        )
        for row in rows
    ]
    pieces, written = [], 0
    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, batches[0].schema) as writer:
        for batch in (None, *batches):
            if batch is not None:
                writer.write_batch(batch)
            pieces.append(sink.getvalue()[written:])
            written = sink.tell()
    return pieces[0], pieces[1:]


def test_each_batch_of_an_arrow_stream_is_answered_as_it_comes(models: dict[str, Path]) -> None:
    schema, batches = arrow()
    with running("predict", str(models["tree.json"]), "-", "--format", "csv", "-q") as process:
        sent(process, schema)
        so_far = b""
        for number, batch in enumerate(batches[:4], 1):
            sent(process, batch)
            so_far = answered(process, number + 1, so_far)


def test_a_reader_that_leaves_ends_the_program(models: dict[str, Path]) -> None:
    head, rows = arff()
    with running("predict", str(models["tree.json"]), "-", "--format", "csv", "-q") as process:
        sent(process, head + rows[0])
        answered(process, 2)
        assert process.stdout is not None
        process.stdout.close()
        sent(process, rows[1])
        assert process.wait(PATIENCE) == 141
