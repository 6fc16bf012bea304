"""Parse the branch lines of a tree block by the grammar ``j48_tree`` and build its `BoxTree`.

The scanner has found where names, values and labels end, for which it needs the header. Its
lines are the tokens here; the grammar says which of them make a node (`parse_branches`).
`build_box_tree` makes the tree of the nodes, `infer_header` the header that a text without data
implies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from lark import Token, Transformer, UnexpectedToken
from lark.lexer import Lexer

from j48geo.core.dataset import ANY_OTHER, Attribute, Header
from j48geo.core.tree import BoxTree, Leaf, Options, Split, TreeLayout, build_nodes
from j48geo.data.grammar import GrammarParser
from j48geo.errors import ModelReadError
from j48geo.read.j48.scanner import BlockReading
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.vocabulary import Branch, Dialect, parse_threshold
from j48geo.text import list_first, quote_value, shorten

THRESHOLD_SLACK = 5e-7
"""Half a unit of the sixth decimal: what a printed threshold may be off by."""

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
        """A token a branch line, and tokens where the depth changes."""
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
        """The root."""
        return _subtree(children[0])

    def node(self, children: list[Any]) -> ParsedNode:
        """An inner node: branch lines and subtrees in turn."""
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


def build_box_tree(
    root: ParsedNode | Branch,
    header: Header,
    *,
    dialect: Dialect,
    options: Options,
    layout: TreeLayout,
    place: TextPosition,
    notes: tuple[str, ...] = (),
) -> BoxTree:
    """The tree of one parsed reading, its names resolved in `header`."""
    exact = dialect.name != "weka" or _prints_doubles(root, options)
    labels = header.class_attribute.index_of
    positions = {name: i for i, name in enumerate(header.names)}
    leaves: list[Leaf] = []

    def expand(part: ParsedNode | Branch) -> tuple[Split | None, Sequence[ParsedNode | Branch]]:
        if isinstance(part, ParsedNode):
            return build_split(part.branches, header, positions, exact), part.subtrees
        text = part.leaf
        assert text is not None  # only these are leaves by the grammar
        line = place.line(part.start)
        leaves.append(
            Leaf(len(leaves), labels[text.label], text.weight, text.errors, text.token, line)
        )
        return None, ()

    nodes, _ = build_nodes(root, expand)
    tolerance = 1e-6 if options.old_weka else 0.0
    return BoxTree(header, nodes, tuple(leaves), options, layout, tolerance, notes)


def build_split(
    branches: list[Branch], header: Header, positions: dict[str, int], exact: bool
) -> Split:
    """The split of a node, given its branches; `exact` says that thresholds are not rounded."""
    first = branches[0]
    column = positions[first.name]
    if first.operator in ("<=", "<"):
        token = first.operand
        slack = 0.0 if exact or "e" in token.lower() else THRESHOLD_SLACK
        return Split(
            column,
            "numeric",
            threshold=parse_threshold(token),
            closed=first.operator == "<=",
            slack=slack,
            token=token,
        )
    if len(branches) == 2 and branches[1].operator == "!=":
        value = header.attributes[column].index_of[first.operand]
        return Split(column, "binary", value=value)
    return Split(column, "multiway")


def _prints_doubles(root: ParsedNode | Branch, options: Options) -> bool:
    """Whether thresholds are whole Java doubles, as ``-B`` prints them: nothing to restore."""
    if options.binary:
        return True
    for node in inner_nodes(root):
        first, last = node.branches[0], node.branches[-1]
        if last.operator == "!=":
            return True
        if first.operator == "<=" and "e" not in first.operand.lower():
            decimals = first.operand.partition(".")[2]
            if len(decimals) > 6 or decimals == "0":
                return True
    return False


def infer_header(
    root: ParsedNode | Branch,
    reading: BlockReading,
    *,
    classes: tuple[str, ...] = (),
    place: TextPosition,
) -> Header:
    """The header that a text without data implies; refuses what contradicts itself.

    Parameters
    ----------
    root, reading
        The parsed tree and its lines.
    classes
        Class labels in order, where the text lists them.
    """
    seen = _SeenAttributes(place)
    for node in inner_nodes(root):
        seen.add(node.branches)
    attributes = seen.attributes()
    labels = dict.fromkeys(classes)
    labels |= {b.leaf.label: None for b in reading.branches if b.leaf is not None}
    class_name = "class"
    while class_name in seen.order:
        class_name += "_"
    attributes.append(Attribute(class_name, "nominal", tuple(labels)))
    return Header("", tuple(attributes), len(attributes) - 1, inferred=True)


class _SeenAttributes:
    """What the nodes of a tree tell about the attributes that they test."""

    def __init__(self, place: TextPosition) -> None:
        self.place = place
        self.order: dict[str, None] = {}
        self.numeric: set[str] = set()
        self.values: dict[str, dict[str, None]] = {}
        # The values of nodes with a branch for each, and where the first such node is.
        self.complete: dict[str, tuple[tuple[str, ...], int]] = {}

    def add(self, branches: list[Branch]) -> None:
        """Take note of one node; refuse what contradicts the nodes before it."""
        first = branches[0]
        self.order[first.name] = None
        if first.operator == "=":
            self._add_values(branches)
        else:
            self.numeric.add(first.name)
        if first.name in self.numeric and first.name in self.values:
            raise self.place.error(
                first.start,
                f"attribute {quote_value(first.name)} is compared with numbers and with values",
            )

    def _add_values(self, branches: list[Branch]) -> None:
        first = branches[0]
        operands = tuple(branch.operand for branch in branches)
        earlier: set[str] = set()
        for branch in branches:
            if branch.operator == "=" and branch.operand in earlier:
                text = f"{shorten(first.name)} = {shorten(branch.operand)}"
                raise self.place.error(branch.start, f"the branch `{text}` comes twice")
            earlier.add(branch.operand)
        self.values.setdefault(first.name, {}).update(dict.fromkeys(operands))
        if branches[-1].operator != "=":
            return
        known, _ = self.complete.setdefault(first.name, (operands, first.start))
        if known != operands:
            raise self.place.error(
                first.start,
                f"attribute {quote_value(first.name)} has the values {list_first(operands)}"
                f" here and {list_first(known)} elsewhere",
                "expected the same branches at every node; give the data for certainty",
            )

    def attributes(self) -> list[Attribute]:
        """The attributes in the order in which the tree tests them."""
        for name, (known, start) in self.complete.items():
            # A node that lists the values has all of them, and in their order.
            known_values = set(known)
            others = [value for value in self.values[name] if value not in known_values]
            if others:
                raise self.place.error(
                    start,
                    f"attribute {quote_value(name)} has the values {list_first(known)} here "
                    f"and {list_first(others)} elsewhere",
                    "expected the same values at every node; give the data for certainty",
                )
            self.values[name] = dict.fromkeys(known)
        for name in self.values:
            if name not in self.complete:
                self.values[name][ANY_OTHER] = None
        return [
            Attribute(name)
            if name in self.numeric
            else Attribute(name, "nominal", tuple(self.values[name]))
            for name in self.order
        ]
