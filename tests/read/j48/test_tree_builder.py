"""The text of a tree is parsed by the grammar ``j48_tree``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, Options, TreeLayout
from j48geo.errors import ModelReadError
from j48geo.read.j48.scanner import BlockReading, scan_block
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.tree_builder import build_box_tree, inner_nodes, parse_branches
from j48geo.read.j48.vocabulary import WEKA, Branch, KnownVocabulary, LeafText
from j48geo.show.weka_text import tree_lines
from tests.strategies.hand_made import one_leaf_tree, weather_tree
from tests.strategies.random_geometry import grown_tree

ROOT = Path(__file__).resolve().parents[3]
LEAF = LeafText("yes", 1.0, 0.0, "(1.0)")
HEADER = Header("", (Attribute("x"), Attribute("class", "nominal", ("yes", "no"))), 1)


@pytest.mark.parametrize(
    "tree",
    [
        one_leaf_tree(),
        weather_tree(),
        *(grown_tree(seed, 40, numbers=3, colours=seed % 3, classes=3) for seed in range(20)),
    ],
)
def test_the_nodes_are_those_that_were_printed(tree: BoxTree) -> None:
    counted = replace(tree, leaves=tuple(replace(leaf, weight=1.0) for leaf in tree.leaves))
    text = "".join(f"{line}\n" for line, _ in tree_lines(counted))
    reading, *others = scan_block(text, 0, KnownVocabulary(tree.header, WEKA), 10_000).readings
    assert not others
    place = TextPosition(text, "text")
    root = parse_branches(reading, place)
    again = build_box_tree(
        root, tree.header, dialect=WEKA, options=Options(), layout=TreeLayout(), place=place
    )
    assert [(n.parent, n.branch, n.depth, n.children, n.leaf) for n in again.nodes] == [
        (n.parent, n.branch, n.depth, n.children, n.leaf) for n in tree.nodes
    ]


def lines_of(depths: Iterator[tuple[int, str, bool]]) -> BlockReading:
    """A reading of lines given by depth, operator and whether a leaf ends them."""
    branches = tuple(
        Branch(depth, "x", operator, "1", LEAF if is_leaf else None, k, k + 1)
        for k, (depth, operator, is_leaf) in enumerate(depths)
    )
    return BlockReading(branches, len(branches))


def chain(levels: int) -> Iterator[tuple[int, str, bool]]:
    for depth in range(levels):
        yield depth, "<=", True
        yield depth, ">", depth == levels - 1


def balanced(levels: int) -> Iterator[tuple[int, str, bool]]:
    waiting = [(0, ">"), (0, "<=")]
    while waiting:
        depth, operator = waiting.pop()
        yield depth, operator, depth == levels - 1
        if depth < levels - 1:
            waiting += [(depth + 1, ">"), (depth + 1, "<=")]


@pytest.mark.parametrize(
    ("lines", "leaves"),
    [(chain(100_000), 100_001), (balanced(18), 262_144)],
    ids=["deep", "many"],
)
def test_neither_depth_nor_size_is_limited(
    lines: Iterator[tuple[int, str, bool]], leaves: int
) -> None:
    reading = lines_of(lines)
    place = TextPosition("\n" * reading.end, "text")
    root = parse_branches(reading, place)
    assert sum(1 for _ in inner_nodes(root)) == leaves - 1
    tree = build_box_tree(
        root, HEADER, dialect=WEKA, options=Options(), layout=TreeLayout(), place=place
    )
    assert len(tree.leaves) == leaves
    assert tree.nodes[-1].depth == max(branch.depth for branch in reading.branches) + 1


@pytest.mark.parametrize(
    ("operators", "message"),
    [
        ("<= <=", "text:2:1: `x <= 1: yes (1.0)` {out}; expected a branch with `>`"),
        ("<=", "text:1:18: the tree ends too early; expected a branch with `>`"),
        ("> <=", "text:1:1: `x > 1: yes (1.0)` {out}; expected a branch with `<=`"),
        ("<= > >", "text:3:1: `x > 1: yes (1.0)` {out}; expected the end of the node"),
        ("= != =", "text:3:1: `x = 1: yes (1.0)` {out}; expected the end of the node"),
    ],
)
def test_what_the_grammar_does_not_know_is_refused_with_its_place(
    operators: str, message: str
) -> None:
    lines = [f"x {operator} 1: yes (1.0)\n" for operator in operators.split()]
    starts = [sum(map(len, lines[:k])) for k in range(len(lines) + 1)]
    branches = tuple(
        Branch(0, "x", operator, "1", LEAF, starts[k], starts[k + 1])
        for k, operator in enumerate(operators.split())
    )
    with pytest.raises(ModelReadError) as error:
        parse_branches(BlockReading(branches, starts[-1]), TextPosition("".join(lines), "text"))
    assert str(error.value).startswith(message.format(out="has no place in the tree"))


COMMANDS = {
    "check": ("iris/model.txt", "iris/data.arff"),
    "predict": ("iris/model.txt", "iris/data.arff"),
    "rank": ("iris/model.txt", "iris/data.arff", "--positive", "Iris-virginica"),
    "show": ("iris/model.txt",),
    "show (graph)": ("odd-names-dot/model.txt", "odd-names-dot/data.arff"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_no_tree_that_the_grammar_forbids(name: str, tmp_path: Path) -> None:
    """With a grammar that knows no numeric splits, no tree that has some is read."""
    package = tmp_path / "package"
    copied = shutil.ignore_patterns("__pycache__", "guide")
    shutil.copytree(ROOT / "j48geo", package / "j48geo", ignore=copied)
    shutil.copytree(ROOT / "grammars", package / "j48geo" / "grammars")
    arguments = [str(ROOT / "fixtures" / word) if "/" in word else word for word in COMMANDS[name]]
    homes = {key: str(tmp_path) for key in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA")}

    search = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH"))))

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "j48geo", name.split()[0], *arguments],
            cwd=package,
            env={**os.environ, "PYTHONPATH": search, **homes},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    done = run()
    assert done.returncode == 0, done.stderr
    file = package / "j48geo" / "grammars" / "j48_tree.lark"
    text = file.read_text(encoding="utf-8")
    numeric = "_OPEN AT_MOST subtree ABOVE subtree _CLOSE"
    assert numeric in text
    file.write_text(text.replace(numeric, "_OPEN AT_MOST ABOVE _CLOSE"), encoding="utf-8")
    done = run()
    assert done.returncode == 3
    assert "has no place in the tree; expected a branch with `>`" in done.stderr
