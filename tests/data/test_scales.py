from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from j48geo.data.small_tables import read_scales
from j48geo.errors import DataReadError

EXPECTED = 'expected {"name": scale, ...} or lines of name,scale'


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        (b'{"a": 1, "b c": 0.5}', {"a": 1.0, "b c": 0.5}),
        (b'\n {"a": 1e400}', {"a": float("inf")}),
        (b"a,1\nb,0.5\n", {"a": 1.0, "b": 0.5}),
        (b"name,scale\r\na, 1\r\n\r\nb,2\r\n", {"a": 1.0, "b": 2.0}),
        (b'"b, c",2\n"say ""a""",3', {"b, c": 2.0, 'say "a"': 3.0}),
        ("\ufeffä,2\n".encode(), {"ä": 2.0}),
        (gzip.compress(b"a,1\n", mtime=0), {"a": 1.0}),
    ],
)
def test_scales_are_read_from_json_and_csv(text: bytes, scales: dict[str, float]) -> None:
    assert read_scales(text) == scales


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", f"<bytes>: no scales in it; {EXPECTED}"),
        (b"{}", f"<bytes>: no scales in it; {EXPECTED}"),
        (b"name,scale\n", f"<bytes>: no scales in it; {EXPECTED}"),
        (b'{"a": 1,}', None),
        (b'{"a": 1, "a": 2}', "<bytes>: attribute 'a' stands there twice; expected it once"),
        (b'{"a": "1"}', f"<bytes>: the scale of 'a' is no number; {EXPECTED}"),
        (b'{"a": true}', f"<bytes>: the scale of 'a' is no number; {EXPECTED}"),
        (b'{"a": {"b": 1}}', f"<bytes>: the scale of 'a' is no number; {EXPECTED}"),
        (b"a,1\nb\n", f"<bytes>:2: 1 cells in a line; {EXPECTED}"),
        (b"a,1\nb,wide\n", "<bytes>:2: the scale of 'b' is 'wide'; expected a number"),
        (b"a,1\nb,2\na,3\n", "<bytes>:3: attribute 'a' stands there twice; expected it once"),
        (b"a,1\n\xff,2\n", f"<bytes>:2: not UTF-8; {EXPECTED}"),
    ],
)
def test_what_gives_no_scales_says_where_and_why(text: bytes, message: str | None) -> None:
    with pytest.raises(DataReadError) as caught:
        read_scales(text)
    if message is None:
        assert str(caught.value).startswith("<bytes>:1:")
        assert "not JSON: " in str(caught.value)
    else:
        assert str(caught.value) == message


def test_endless_brackets_are_no_scales() -> None:
    with pytest.raises(DataReadError, match="not JSON"):
        read_scales(b'{"a":' * 100_000)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataReadError) as caught:
        read_scales(tmp_path / "none")
    assert str(caught.value) == f"{tmp_path / 'none'}: no such file"
