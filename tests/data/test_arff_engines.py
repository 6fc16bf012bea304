"""The fast paths give what the exact reader gives, wherever the blocks are cut."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from arff_fuzz import fuzz, odd_text
from hypothesis import given, settings
from hypothesis import strategies as st

from j48geo.compilation import is_numba_available
from j48geo.data.arff import scan_numba
from j48geo.data.arff.stream import open_arff, read_arff

ROOT = Path(__file__).resolve().parents[2]
HEADER = (
    b"@relation r\n@attribute a numeric\n@attribute c {x,y,'z w',1.5,?}\n@attribute b real\n@data\n"
)
WITH_STRINGS = (
    b"@relation r\n@attribute a numeric\n@attribute s string\n@attribute d date yyyy\n@data\n"
)

PIECES = [
    "1", "2.5", "-3e5", "1e400", "12345678901234567890", ".5", "5.", "+1", "-", ".", "?", "x", "y",
    "'z w'", '"x"', "1.5", "2001", ",", ",", ",", " ", "\t", "\n", "\n", "\n", "\r", "\r\n", "%",
    "'", '"', "\\", "\\\n", "{", "}", "{2}", "{0 1}", "é", "\0", "e", "E9", "0x1p3", "NaN", "1d",
    "1_0",
]  # fmt: skip


def engines() -> list[str]:
    return ["numpy", "numba"] if is_numba_available() else ["numpy"]


def assert_all_engines_agree(text: bytes, block_size: int) -> None:
    exact = fuzz.ours(text, engine="exact")
    assert fuzz.ours(text, engine="exact", block_size=block_size) == exact
    for engine in engines():
        assert fuzz.ours(text, engine=engine) == exact
        assert fuzz.ours(text, engine=engine, block_size=block_size) == exact


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60), st.integers(1, 40))
def test_rows_of_random_pieces_are_read_alike(pieces: list[str], block_size: int) -> None:
    assert_all_engines_agree(HEADER + "".join(pieces).encode(), block_size)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60), st.integers(1, 40))
def test_strings_and_dates_are_read_alike(pieces: list[str], block_size: int) -> None:
    assert_all_engines_agree(WITH_STRINGS + "".join(pieces).encode(), block_size)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=False).map(repr),
            st.integers(-(10**25), 10**25).map(str),
            st.decimals(allow_nan=False, allow_infinity=False, places=6).map(str),
            st.from_regex(r"\A[+-]?[0-9]{0,22}\.?[0-9]{0,22}(e[+-]?[0-9]{1,3})?\Z"),
        ),
        max_size=20,
    )
)
def test_numbers_are_read_to_the_last_bit(numbers: list[str]) -> None:
    text = "@relation r\n@attribute a numeric\n@data\n" + "".join(n + "\n" for n in numbers)
    assert_all_engines_agree(text.encode(), 1 << 20)


@pytest.mark.parametrize("part", range(4))
def test_damaged_files_are_read_alike(part: int) -> None:
    for seed in range(part * 150, part * 150 + 150):
        assert_all_engines_agree(odd_text(seed), seed % 23 + 1)


@pytest.mark.parametrize("row", ["1 '' {2}", "1 {2} ''", "{2} '' ''", "1 '' }", "1 '' ''{2}"])
def test_a_brace_is_no_empty_label(row: str) -> None:
    header = "@relation r\n@attribute a real\n@attribute b {''}\n@attribute c {'',x}\n@data\n"
    assert_all_engines_agree(f"{header}{row}\n".encode(), 3)


@pytest.mark.weka
def test_a_live_weka_reads_the_same(weka: object, tmp_path: Path) -> None:
    live = fuzz.Weka(tmp_path)
    try:
        for seed in range(1_000_000, 1_000_300):
            text = odd_text(seed)
            exact = fuzz.ours(text, engine="exact")
            assert not fuzz.differs_from_weka(exact, text, live.read(text)), text
    finally:
        live.close()


def test_a_block_waits_for_the_string_it_points_to() -> None:
    text = (
        b"@relation r\n@attribute n real\n@attribute s string\n@data\n{0 1}\n{0 2}\n3,late\n4,x\n"
    )
    with open_arff(text, block_size=5) as stream:
        seen = [block.cell(0, 1) for block in stream]
    assert seen == ["late", "late", "late", "x"]


@pytest.mark.parametrize("engine", ["exact", "numpy"])
def test_a_block_of_wide_sparse_rows_is_handed_out_in_parts(engine: str) -> None:
    header = "@relation r\n" + "".join(f"@attribute a{i} numeric\n" for i in range(5000))
    rows = "".join(f"{{{i} 1}}\n" for i in range(2000))
    dense = "1," * 5000 + "\n"
    text = (header + "@data\n" + rows + dense + rows).encode()
    with open_arff(text, engine=engine) as stream:  # type: ignore[arg-type]
        blocks = list(stream)
    assert max(len(block) for block in blocks) < 1000
    assert sum(len(block) for block in blocks) == 4001
    ones = [row.argmax() for block in blocks for row in block.X if row.sum() == 1]
    assert ones == [*range(2000), *range(2000)]


def test_blocks_follow_one_another() -> None:
    rows = "".join(f"{i},{'xy'[i % 2]},{i}.5\n" for i in range(5000)).encode()
    with open_arff(HEADER + rows, block_size=1000) as stream:
        assert stream.header.names == ("a", "c", "b")
        blocks = list(stream)
    assert len(blocks) > 20
    assert [x for block in blocks for x in block.X[:, 0].tolist()] == list(range(5000))


def test_a_small_file_loads_no_heavy_library() -> None:
    code = (
        "import sys; from j48geo.data.arff.stream import read_arff; "
        "read_arff(b'@relation r\\n@attribute a numeric\\n@data\\n1\\n'); "
        "print([m for m in ('numba', 'scipy', 'pandas', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_kernel_needs_no_place_to_keep_its_code(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    blocked = tmp_path / "file"
    blocked.write_text("a file where numba wants a folder")
    code = (
        "from j48geo.data.arff.stream import read_arff; "
        "print(read_arff(b'@relation r\\n@attribute a numeric\\n@data\\n1.5\\n', engine='numba').X)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"NUMBA_CACHE_DIR": str(blocked), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[[1.5]]"


def test_the_kernel_also_runs_without_numba_as_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scan_numba, "compile_loop", lambda loop: loop)
    scanner = scan_numba.KernelScanner(read_arff(HEADER).header)
    scan = scanner.scan(b"1,x,2\n?,'z w',-0.5 {3} % c\n\n1,q,2\n", 0)
    assert scan.X.tolist()[0] == [1.0, 0.0, 2.0]
    assert scan.X[1, 1:].tolist() == [2.0, -0.5]
    assert scan.weights.tolist() == [1.0, 3.0]
    assert (scan.slow.tolist(), scan.lines) == ([3], 4)
