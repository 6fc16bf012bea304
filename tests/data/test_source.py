"""Bytes from wherever they come, and the errors on the way."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.data.source import ByteSource, open_source, read_bytes, read_line_blocks
from j48geo.errors import DataReadError, ModelReadError

ROOT = Path(__file__).resolve().parents[2]


def whole(opened: ByteSource, size: int = 100) -> bytes:
    return b"".join(iter(lambda: opened.read(size), b""))


def test_a_path_bytes_and_a_file_object_give_the_same(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"text")
    assert read_bytes(file) == (b"text", str(file))
    assert read_bytes(str(file)) == (b"text", str(file))
    assert read_bytes(b"text") == (b"text", "<bytes>")
    assert read_bytes(io.BytesIO(b"text")) == (b"text", "<stream>")


@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_a_text_file_gives_its_text_whatever_encoding_is_named(encoding: str | None) -> None:
    text = "\ufeffgrün 木 \udcff\n"
    assert read_bytes(io.StringIO("grün")) == ("grün".encode(), "<stream>")
    with open_source(io.StringIO(text), encoding=encoding) as opened:
        assert whole(opened, 3) == text[1:].encode("utf-8", "surrogateescape")


def test_a_file_object_is_left_open() -> None:
    stream = io.BytesIO(b"text")
    with open_source(stream) as opened:
        assert whole(opened) == b"text"
    assert not stream.closed


def test_standard_input_is_called_so() -> None:
    code = "from j48geo.data.source import read_bytes; print(read_bytes('-'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=b"text", capture_output=True, check=True
    )
    assert done.stdout.strip() == b"(b'text', '<stdin>')"


def test_an_arff_file_comes_through_a_pipe() -> None:
    code = "from j48geo.data.arff.stream import read_arff; print(len(read_arff('-')))"
    text = b"@relation r\n@attribute a numeric\n@data\n" + b"1.5\n" * 300_000
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        input=gzip.compress(text),
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == b"300000"


@pytest.mark.parametrize("error", [DataReadError, ModelReadError])
def test_a_missing_file_is_an_error_of_the_callers_kind(
    tmp_path: Path, error: type[DataReadError]
) -> None:
    file = tmp_path / "none.arff"
    with pytest.raises(error) as caught:
        read_bytes(file, error=error)
    assert str(caught.value) == f"{file}: no such file"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataReadError) as caught:
        open_source(tmp_path)
    assert str(caught.value) == f"{tmp_path}: this is a folder; expected a file"


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(DataReadError, match="cannot be opened"):
        read_bytes("a\0b")


@pytest.mark.parametrize("keep", [5, 20, -4])
def test_a_damaged_gzip_file_is_refused(keep: int) -> None:
    with pytest.raises(DataReadError, match="damaged gzip file"):
        read_bytes(gzip.compress(b"text" * 100)[:keep])


def test_more_than_the_limit_is_refused() -> None:
    with pytest.raises(DataReadError, match="more than 100 bytes"):
        read_bytes(b"x" * 101, limit=100)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(DataReadError, match="unknown encoding 'klingon'"):
        open_source(b"text", encoding="klingon")


def test_other_encodings_become_utf8() -> None:
    with open_source("café".encode("utf-16")) as opened:
        assert whole(opened, 1) == "café".encode()
        assert opened.notes == ["a byte order mark (UTF-16) was skipped"]
    with open_source("café".encode("cp1252"), encoding="cp1252") as opened:
        assert whole(opened) == "café".encode()


class Dripping(io.BytesIO):
    """Hands out a byte at a time, as a slow pipe does."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(1, size) if size is not None and size >= 0 else 1)


@pytest.mark.parametrize(
    "data",
    ["names: äöü".encode("utf-16"), "names: äöü".encode("utf-16-le"), gzip.compress(b"names: ")],
    ids=["marked", "unmarked", "gzip"],
)
def test_bytes_that_drip_are_known_for_what_they_are(data: bytes) -> None:
    with open_source(io.BytesIO(data)) as at_once, open_source(Dripping(data)) as dripping:
        assert whole(dripping) == whole(at_once)


def test_what_is_peeked_at_is_still_read() -> None:
    with open_source(b"0123456789") as opened:
        assert opened.peek(4) == b"0123"
        assert opened.peek(4) == b"0123"
        assert whole(opened, 3) == b"0123456789"


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"bc"])), st.integers(1, 9))
def test_blocks_are_cut_behind_line_ends_and_never_within(pieces: list[bytes], size: int) -> None:
    text = b"".join(pieces)
    stream = io.BytesIO(text)
    blocks = list(read_line_blocks(ByteSource("", stream.read), size=size))
    assert b"".join(blocks) == text
    for block, following in pairwise(blocks):
        assert block.endswith((b"\n", b"\r"))
        assert not (block.endswith(b"\r") and following.startswith(b"\n"))
