"""The reader of Graphviz text: what J48 prints with ``-g``.

The graph holds the same words as the tree text, escaped: 3.9 puts a backslash before quotes
and percent signs, 3.6 wraps labels that need it in single quotes. The graph is written out as
the lines of a tree block and read by the same rules as any other text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedInput

from j48geo.core.dataset import Header
from j48geo.core.tree import BoxTree, TreeLayout
from j48geo.core.tree_text import Entry, TreeText
from j48geo.data.grammar import GrammarParser
from j48geo.errors import ModelReadError
from j48geo.read.j48 import reader as j48
from j48geo.read.j48.scanner import MARK
from j48geo.read.j48.text import decode_text
from j48geo.text import shorten

GRAPH_PARSER = GrammarParser("graphviz")

_DIGRAPH = re.compile(r"^[ \t]*digraph[ \t]*\w*\s*\{", re.M)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def read(data: bytes, *, source: str, header: Header | None = None) -> TreeText | None:
    """Read the tree of a Graphviz text; None if the text is no graph.

    Parameters
    ----------
    data, source, header
        As for `j48geo.read.j48.reader.read`.
    """
    if b"digraph" not in data[:65536].replace(b"\0", b""):
        return None
    decoded = decode_text(data, source)[0]
    opening = _DIGRAPH.search(decoded.text)
    if opening is None:
        return None
    graph = _Graph(
        decoded.text[opening.start() :], source, decoded.text.count("\n", 0, opening.start())
    )
    text = j48.read(graph.block().encode("utf-8", "surrogatepass"), source=source, header=header)
    entries = tuple(
        Entry(
            "J48 tree as a graph",
            tuple(graph.restore_lines(t) for t in entry.readings),
            entry.error,
        )
        for entry in text.entries
    )
    return TreeText(entries, (*decoded.notes, "the tree was read from Graphviz output"), source)


class _Graph:
    """Nodes and edges by their ids, with the lines they stand on."""

    def __init__(self, text: str, source: str, skipped: int) -> None:
        self.source = source
        self.labels: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.edges: dict[str, list[tuple[str, str]]] = {}
        self.quoted = False
        for item in self._parse(text, skipped).children:
            words = [str(child) for child in item.children]
            if item.data == "node":
                self.labels[words[0]] = self._label(words[-1])
                token: Token = item.children[0]
                self.lines[words[0]] = (token.line or 0) + skipped
            else:
                self.edges.setdefault(words[0], []).append((words[1], self._label(words[-1])))

    def _parse(self, text: str, skipped: int) -> Any:
        try:
            tree = GRAPH_PARSER.load().parse(text)
        except UnexpectedInput as error:
            column = max(error.column, 0)
            raise ModelReadError(
                "the graph cannot be read here",
                "expected what J48 prints with -g, up to its closing brace",
                self.source,
                max(error.line, 0) + skipped,
                column,
            ) from error
        except LarkError as error:
            raise ModelReadError("the graph cannot be read", "", self.source) from error
        return Tree("graph", [c for c in tree.children if isinstance(c, Tree)])

    def _label(self, quoted: str) -> str:
        text = quoted[len('label="') : -1]
        if len(text) > 1 and text[0] == text[-1] == "'":
            self.quoted = True
            text = text[1:-1]
        return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text, flags=re.S)

    def block(self) -> str:
        """The graph as the lines of a tree block, root first."""
        root = next(iter(self.labels), None)
        if root is None:
            raise ModelReadError("the graph has no nodes", "expected a J48 tree", self.source)
        if root not in self.edges:
            return f"J48 pruned tree\n------------------\n: {self.labels[root]}\n"
        lines = ["J48 pruned tree", "------------------", ""]
        seen = {root}
        waiting = [(root, child, edge, 0) for child, edge in reversed(self.edges[root])]
        while waiting:
            parent, child, edge, depth = waiting.pop()
            if child in seen or child not in self.labels:
                what = "reached twice" if child in seen else "not defined"
                raise ModelReadError(
                    f"node {shorten(child)} is {what}",
                    "expected a tree",
                    self.source,
                    self.lines.get(parent, 0),
                )
            seen.add(child)
            # The edge label is trimmed: an empty value leaves the bare operator.
            branch = f"{MARK * depth}{self.labels[parent]} {edge if ' ' in edge else edge + ' '}"
            if child in self.edges:
                lines.append(branch)
                below = [(child, c, e, depth + 1) for c, e in reversed(self.edges[child])]
                waiting.extend(below)
            else:
                lines.append(f"{branch}: {self.labels[child]}")
        if len(seen) != len(self.labels):
            raise ModelReadError(
                f"{len(self.labels) - len(seen)} nodes of the graph hang on nothing",
                "expected one tree",
                self.source,
            )
        return "\n".join(lines) + "\n"

    def restore_lines(self, tree: BoxTree) -> BoxTree:
        """The tree with the graph's own lines and layout; 3.6 betrays itself by its quotes."""
        order = [self.lines[name] for name in self.labels if name not in self.edges]
        leaves = tree.leaves
        if order == sorted(order) and len(order) == len(leaves):
            leaves = tuple(replace(leaf, line=at) for leaf, at in zip(leaves, order, strict=True))
        options = replace(tree.options, old_weka=True if self.quoted else tree.options.old_weka)
        return replace(
            tree,
            leaves=leaves,
            options=options,
            tolerance=1e-6 if self.quoted else tree.tolerance,
            layout=TreeLayout(dialect="weka", has_footer=False),
            notes=(),
        )
