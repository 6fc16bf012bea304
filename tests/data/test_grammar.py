"""Grammars are found, and the tables of their parsers are built once, kept and checked."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import lark
import pytest
from lark import Lark

from j48geo.data import grammar
from j48geo.data.grammar import TABLES, GrammarParser, grammar_text
from j48geo.errors import J48GeoError
from j48geo.read.graphviz import GRAPH_PARSER

ROOT = Path(__file__).resolve().parents[2]
IRIS = [ROOT / "fixtures" / "iris" / name for name in ("model.txt", "data.arff")]
GRAPH = 'digraph J48Tree { N0 [label="a b"] N0->N1 [label="= c"] }'
WORDS = ["J48Tree", "N0", 'label="a b"', "N0", "N1", 'label="= c"']

load_anew = grammar._load.__wrapped__


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for caches."""
    for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def words(parser: Lark) -> list[str]:
    return [str(word) for word in parser.parse(GRAPH).scan_values(bool)]


def count_builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The grammars that are built from now on."""
    names: list[str] = []
    build = GrammarParser.build

    def counted(self: GrammarParser) -> Lark:
        names.append(self.grammar)
        return build(self)

    monkeypatch.setattr(GrammarParser, "build", counted)
    return names


def test_a_parser_is_loaded_once_in_a_process() -> None:
    assert GRAPH_PARSER.load() is GRAPH_PARSER.load()


def test_a_missing_grammar_names_both_places() -> None:
    with pytest.raises(J48GeoError, match=r"'none' is missing; looked in .* and in .*grammars"):
        grammar_text("none")


def test_tables_are_built_once_for_a_user(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = count_builds(monkeypatch)
    first, second = load_anew(GRAPH_PARSER), load_anew(GRAPH_PARSER)
    assert built == ["graphviz"]
    assert first is not second
    assert words(first) == words(second) == WORDS
    (file,) = caches.rglob(f"*{TABLES}")
    assert os.name == "nt" or file.parent.stat().st_mode & 0o777 == 0o700


def test_another_lark_and_another_grammar_have_their_own_tables(
    caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = count_builds(monkeypatch)
    load_anew(GRAPH_PARSER)
    monkeypatch.setattr(lark, "__version__", "0.0.1")
    load_anew(GRAPH_PARSER)
    changed = grammar_text("graphviz").replace("node | edge", "edge | node")
    monkeypatch.setattr(grammar, "grammar_text", lambda name: changed)
    assert words(load_anew(GRAPH_PARSER)) == WORDS
    load_anew(GRAPH_PARSER)
    assert built == ["graphviz"] * 3
    assert len(list(caches.rglob(f"*{TABLES}"))) == 3


def test_tables_of_another_identity_are_not_unpacked() -> None:
    content = GRAPH_PARSER.build_tables()
    assert grammar._unpack(content, GRAPH_PARSER.identity()) is not None
    assert grammar._unpack(content, sha256(b"another grammar").digest()) is None


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "folder"])
def test_damaged_tables_are_built_again(
    damage: str, caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_anew(GRAPH_PARSER)
    (file,) = caches.rglob(f"*{TABLES}")
    whole = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        middle = len(whole) // 2
        changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
        file.write_bytes({"empty": b"", "cut": whole[:-9], "changed": changed}[damage])
    built = count_builds(monkeypatch)
    assert words(load_anew(GRAPH_PARSER)) == WORDS
    assert built == ["graphviz"]
    if damage != "folder":
        load_anew(GRAPH_PARSER)
        assert built == ["graphviz"]


class Trap:
    """Something whose unpickling would leave a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.mark.skipif(os.name == "nt", reason="the folder is inside the user's profile")
@pytest.mark.parametrize("mode", [0o700, 0o770, 0o707, 0o777])
def test_nothing_is_unpickled_that_others_could_have_written(caches: Path, mode: int) -> None:
    load_anew(GRAPH_PARSER)
    (file,) = caches.rglob(f"*{TABLES}")
    stepped_on = caches / "unpickled"
    saved = pickle.dumps(Trap(stepped_on))
    file.write_bytes(sha256(GRAPH_PARSER.identity() + saved).digest() + saved)
    file.parent.chmod(mode)
    if mode == 0o700:  # the trap works
        with pytest.raises(TypeError):
            load_anew(GRAPH_PARSER)
    else:
        assert words(load_anew(GRAPH_PARSER)) == WORDS
    assert stepped_on.exists() == (mode == 0o700)


def start_rank(package: Path, home: Path) -> subprocess.CompletedProcess[str]:
    homes = {name: str(home) for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA")}
    search = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "j48geo", "rank", *map(str, IRIS), "--positive", "Iris-virginica"],
        cwd=package,
        env={**os.environ, "PYTHONPATH": search, **homes},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_programs_that_start_together_may_all_be_the_first(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: start_rank(ROOT, tmp_path), range(4)))
    assert [run.returncode for run in runs] == [0] * 4, runs[0].stderr
    assert len({run.stdout for run in runs}) == 1
    tables = [path for path in tmp_path.rglob("parsers/*") if path.is_file()]
    assert sorted(path.name.rpartition("-")[0] for path in tables) == [
        "arff_header",
        "j48_surroundings",
        "j48_tree",
    ]


def test_a_wheel_brings_the_tables_of_every_grammar(tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(
        ROOT / "j48geo", package / "j48geo", ignore=shutil.ignore_patterns("__pycache__")
    )
    grammars = package / "j48geo" / "grammars"
    shutil.copytree(ROOT / "grammars", grammars)
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        written = import_module("build_hook").write_tables(grammars)
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    assert sorted(path.stem for path in written) == sorted(
        path.stem for path in (ROOT / "grammars").glob("*.lark")
    )
    home = tmp_path / "home"
    home.mkdir()
    assert start_rank(package, home).returncode == 0
    assert not list(home.rglob(f"*{TABLES}"))
    (grammars / f"j48_tree{TABLES}").write_bytes(b"out of date")
    assert start_rank(package, home).returncode == 0
    assert [path.name.rpartition("-")[0] for path in home.rglob(f"*{TABLES}")] == ["j48_tree"]
