"""Parse the branch lines of a tree block by the grammar ``j48_tree``: `parse_branches`.

The scanner has found where names, values and labels end, for which it needs the header. Its
lines are the tokens here; the grammar says which of them make a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from lark import Token, Transformer, UnexpectedToken
from lark.lexer import Lexer

from j48geo.data.grammar import GrammarParser
from j48geo.errors import ModelReadError
from j48geo.read.j48.scanner import BlockReading
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.vocabulary import Branch
from j48geo.text import shorten

_TERMINALS = {
    "<=": "AT_MOST",
    ">": "ABOVE",
    "<": "BELOW",
    ">=": "AT_LEAST",
    "=": "IS",
    "!=": "IS_NOT",
}
_SHOWN = {terminal: f"a branch with `{operator}`" for operator, terminal in _TERMINALS.items()}
_SHOWN |= {"LEAF": "a leaf", "_OPEN": "a deeper line", "_CLOSE": "the end of the node"}


class ParsedNode(NamedTuple):
    """An inner node: its branch lines and what each of them leads to.

    A leaf is the branch line that shows it.
    """

    branches: list[Branch]
    subtrees: list[ParsedNode | Branch]


class BranchLexer(Lexer):
    """Tokens of one reading of a block."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any, parser_state: Any = None) -> Iterator[Token]:
        reading: BlockReading = data
        # One token each for all nodes: the parser needs only their types and their places.
        opening, closing = Token("_OPEN", ""), Token("_CLOSE", "")
        depth = -1
        for branch in reading.branches:
            if branch.operator:  # a tree of one leaf has no condition
                opening.start_pos = closing.start_pos = branch.start
                if branch.depth > depth:
                    yield opening
                for _ in range(depth - branch.depth):
                    yield closing
                depth = branch.depth
                yield _token(_TERMINALS[branch.operator], branch)
            if branch.leaf is not None:
                yield _token("LEAF", branch)
        closing.start_pos = reading.end
        for _ in range(depth + 1):
            yield closing


def _token(terminal: str, branch: Branch) -> Token:
    token = Token(terminal, "", branch.start)
    token.value = branch
    return token


class NodeBuilder(Transformer[Token, Any]):
    """Nodes from the grammar's rules, as soon as each is complete."""

    def start(self, children: list[Any]) -> ParsedNode | Branch:
        return _subtree(children[0])

    def node(self, children: list[Any]) -> ParsedNode:
        branches = [token.value for token in children[::2]]
        return ParsedNode(branches, [_subtree(child) for child in children[1::2]])


def _subtree(child: Token | ParsedNode) -> ParsedNode | Branch:
    return cast(Branch, child.value) if isinstance(child, Token) else child


TREE_PARSER = GrammarParser("j48_tree", lexer=BranchLexer, transformer=NodeBuilder)


def parse_branches(reading: BlockReading, place: TextPosition) -> ParsedNode | Branch:
    """The root of the tree that the lines of a reading make.

    Raises
    ------
    ModelReadError
        If they make none.
    """
    try:
        root = TREE_PARSER.load().parse(cast(Any, reading))
    except UnexpectedToken as problem:
        raise _syntax_error(problem, reading, place) from problem
    return cast("ParsedNode | Branch", root)


def _syntax_error(
    problem: UnexpectedToken, reading: BlockReading, place: TextPosition
) -> ModelReadError:
    """Lark's error in the words of the format, at its line."""
    expected = [text for terminal, text in _SHOWN.items() if terminal in problem.expected]
    hint = f"expected {' or '.join(expected)}" if expected else "expected the end of the tree"
    pos = problem.token.start_pos
    if pos is None or pos >= reading.end:
        return place.error(max(0, reading.end - 1), "the tree ends too early", hint)
    line = place.text[pos : reading.end].partition("\n")[0]
    return place.error(pos, f"`{shorten(line)}` has no place in the tree", hint)


def inner_nodes(root: ParsedNode | Branch) -> Iterator[ParsedNode]:
    """The inner nodes in preorder, which is the order of their first lines."""
    waiting = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ParsedNode):
            yield part
            waiting.extend(reversed(part.subtrees))
