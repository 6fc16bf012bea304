"""The grammar ``j48_tree`` says what a tree block is; the assembler builds just that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from lark import Token, Tree
from lark.lexer import Lexer

from j48geo.core.tree import BoxTree, Layout, Options
from j48geo.data.grammar import load_grammar
from j48geo.read.j48.block.assemble import Place, grow
from j48geo.read.j48.block.dialects import WEKA
from j48geo.read.j48.block.scan import Reading, scan_block
from j48geo.read.j48.block.vocabulary import Branch, KnownVocabulary
from j48geo.show.tree.weka_text import tree_lines
from tests.strategies.hand_made import one_leaf_tree, weather_tree
from tests.strategies.random_geometry import grown_tree

KINDS = {"<=": "AT_MOST", ">": "ABOVE", "<": "BELOW", ">=": "AT_LEAST", "=": "IS", "!=": "IS_NOT"}


class BranchLexer(Lexer):
    """The scanner's branches, with _OPEN and _CLOSE where the depth changes."""

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        depth = -1
        for branch in data:
            yield from [Token("_OPEN", "")] * (branch.depth > depth)
            yield from [Token("_CLOSE", "")] * (depth - branch.depth)
            depth = branch.depth
            if branch.operator:
                yield _token(KINDS[branch.operator], branch)
            if branch.leaf is not None:
                yield _token("LEAF", branch)
        yield from [Token("_CLOSE", "")] * (depth + 1)


def _token(kind: str, branch: Branch) -> Token:
    token = Token(kind, "")
    token.value = branch
    return token


def by_grammar(reading: Reading) -> object:
    """The nested branches as the grammar reduces them; a leaf is its line."""
    lone = reading.branches[0].operator == ""
    parser = load_grammar("j48_tree", parser="lalr", lexer=BranchLexer)
    return _nested(reading.branches[0].start if lone else parser.parse(reading.branches))  # type: ignore[arg-type]


def _nested(part: Any) -> object:
    if isinstance(part, int):
        return part
    if isinstance(part, Token):
        return part.value.start
    if part.data == "node":
        return [_nested(child) for child in part.children if isinstance(child, Tree)]
    return _nested(part.children[0])


def by_assembler(tree: BoxTree, reading: Reading) -> object:
    """The same, from the nodes; a leaf is the line that shows it."""
    starts = [branch.start for branch in reading.branches if branch.leaf is not None]

    def below(index: int) -> object:
        node = tree.nodes[index]
        return starts[node.leaf] if node.is_leaf else [below(child) for child in node.children]

    return below(0)


@pytest.mark.parametrize(
    "tree",
    [
        one_leaf_tree(),
        weather_tree(),
        *(grown_tree(seed, 40, numbers=3, colours=seed % 3, classes=3) for seed in range(20)),
    ],
)
def test_the_nodes_are_those_of_the_grammar(tree: BoxTree) -> None:
    counted = replace(tree, leaves=tuple(replace(leaf, weight=1.0) for leaf in tree.leaves))
    text = "".join(f"{line}\n" for line, _ in tree_lines(counted))
    reading, *others = scan_block(text, 0, KnownVocabulary(tree.header, WEKA), 10_000).readings
    assert not others
    place = Place(text, "text")
    made = grow(reading, tree.header, dialect=WEKA, options=Options(), layout=Layout(), place=place)
    assert by_assembler(made, reading) == by_grammar(reading)
    assert [(n.parent, n.branch, n.depth, n.children, n.leaf) for n in made.nodes] == [
        (n.parent, n.branch, n.depth, n.children, n.leaf) for n in tree.nodes
    ]
