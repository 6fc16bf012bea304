"""From the branch lines of one reading to a `BoxTree`.

What they may be is the grammar ``j48_tree``; the scanner has seen to it that they are that, and
here every line becomes a node, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.core.dataset import OTHER, Attribute, Header
from j48geo.core.tree import BoxTree, Layout, Leaf, Options, Split, preorder
from j48geo.errors import ModelReadError
from j48geo.read.j48.block.dialects import Dialect, number
from j48geo.read.j48.block.scan import Reading
from j48geo.read.j48.block.vocabulary import Branch
from j48geo.text import list_first, quote_value, shorten

__all__ = ["SLACK", "Place", "grow", "header_of", "node_runs", "split_of"]

SLACK = 5e-7
"""Half a unit of the sixth decimal: what a printed threshold may be off by."""


@dataclass
class Place:
    """Turns offsets of a text into places of messages."""

    text: str
    source: str

    def __post_init__(self) -> None:
        self._known = (0, 1)

    def line(self, pos: int) -> int:
        """Line of the character at `pos`, from 1."""
        # Questions mostly come in ascending order: count on from the last answer.
        known, line = self._known if self._known[0] <= pos else (0, 1)
        line += self.text.count("\n", known, pos)
        self._known = (pos, line)
        return line

    def error(self, pos: int, problem: str, expected: str = "") -> ModelReadError:
        """A reading error at the character at `pos`."""
        start = self.text.rfind("\n", 0, pos) + 1
        stop = self.text.find("\n", pos, pos + 2000)
        excerpt = self.text[start : stop if stop >= 0 else pos + 200]
        return ModelReadError(
            problem, expected, self.source, self.line(pos), pos - start + 1, excerpt
        )


def grow(
    reading: Reading,
    header: Header,
    *,
    dialect: Dialect,
    options: Options,
    layout: Layout,
    place: Place,
    notes: tuple[str, ...] = (),
) -> BoxTree:
    """The tree of one reading, its names resolved in `header`."""
    exact = dialect.name != "weka" or _prints_doubles(reading, options)
    labels = header.class_attribute.index_of
    positions = {name: i for i, name in enumerate(header.names)}
    leaves: list[Leaf] = []
    children: list[list[int]] = []
    runs: list[list[Branch]] = []  # the branches of each node
    places: list[tuple[int, int, int]] = []  # parent, branch, depth
    path: list[int] = []  # the nodes above the next line

    def begin(parent: int, branch: int, leaf: Branch | None) -> None:
        path.append(len(runs))
        places.append((parent, branch, len(path) - 1))
        children.append([])
        runs.append([])
        if leaf is not None and leaf.leaf is not None:
            text, line = leaf.leaf, place.line(leaf.start)
            leaves.append(
                Leaf(len(leaves), labels[text.label], text.weight, text.errors, text.token, line)
            )

    # Every line is the node that its branch leads to; the root has none, unless it is a leaf.
    alone = reading.branches[0].operator == ""
    begin(-1, 0, reading.branches[0] if alone else None)
    for line in () if alone else reading.branches:
        del path[line.depth + 1 :]
        parent = path[-1]
        runs[parent].append(line)
        children[parent].append(len(runs))
        begin(parent, len(children[parent]) - 1, line)
    splits = [split_of(run, header, positions, exact) if run else None for run in runs]
    tolerance = 1e-6 if options.old_weka else 0.0
    nodes = preorder(splits, children, places)
    return BoxTree(header, nodes, tuple(leaves), options, layout, tolerance, notes)


def split_of(
    branches: list[Branch], header: Header, positions: dict[str, int], exact: bool
) -> Split:
    """The split of a node, given its branches; `exact` says that thresholds are not rounded."""
    first = branches[0]
    column = positions[first.name]
    if first.operator in ("<=", "<"):
        token = first.operand
        slack = 0.0 if exact or "e" in token.lower() else SLACK
        return Split(
            column,
            "numeric",
            threshold=number(token),
            closed=first.operator == "<=",
            slack=slack,
            token=token,
        )
    if len(branches) == 2 and branches[1].operator == "!=":
        value = header.attributes[column].index_of[first.operand]
        return Split(column, "binary", value=value)
    return Split(column, "multiway")


def _prints_doubles(reading: Reading, options: Options) -> bool:
    """Whether thresholds are whole Java doubles, as ``-B`` prints them: nothing to restore."""
    if options.binary:
        return True
    for branch in reading.branches:
        if branch.operator == "!=":
            return True
        if branch.operator == "<=" and "e" not in branch.operand.lower():
            decimals = branch.operand.partition(".")[2]
            if len(decimals) > 6 or decimals == "0":
                return True
    return False


def header_of(reading: Reading, *, classes: tuple[str, ...] = (), place: Place) -> Header:
    """The header that a text without data implies; refuses what contradicts itself.

    Parameters
    ----------
    classes
        Class labels in order, where the text lists them.
    """
    numeric: dict[str, None] = {}
    values: dict[str, dict[str, None]] = {}
    complete: dict[str, tuple[tuple[str, ...], int]] = {}
    order: dict[str, None] = {}
    labels = dict.fromkeys(classes)
    for run in node_runs(reading):
        first = run[0]
        order[first.name] = None
        if first.operator != "=":
            numeric[first.name] = None
        else:
            operands = tuple(branch.operand for branch in run)
            equal = [branch for branch in run if branch.operator == "="]
            twice = [b for k, b in enumerate(equal) if b.operand in operands[:k]]
            if twice:
                words = f"{shorten(first.name)} = {shorten(twice[0].operand)}"
                raise place.error(twice[0].start, f"the branch `{words}` comes twice")
            values.setdefault(first.name, {}).update(dict.fromkeys(operands))
            if run[-1].operator == "=":
                known, _ = complete.setdefault(first.name, (operands, first.start))
                if known != operands:
                    raise place.error(
                        first.start,
                        f"attribute {quote_value(first.name)} has the values {list_first(operands)}"
                        f" here and {list_first(known)} elsewhere",
                        "expected the same branches at every node; give the data for certainty",
                    )
        if first.name in numeric and first.name in values:
            raise place.error(
                first.start,
                f"attribute {quote_value(first.name)} is compared with numbers and with values",
            )
    for name, (known, start) in complete.items():
        # A node that lists the values has all of them, and in their order.
        others = [value for value in values[name] if value not in known]
        if others:
            raise place.error(
                start,
                f"attribute {quote_value(name)} has the values {list_first(known)} here "
                f"and {list_first(others)} elsewhere",
                "expected the same values at every node; give the data for certainty",
            )
        values[name] = dict.fromkeys(known)
    for branch in reading.branches:
        if branch.leaf is not None:
            labels[branch.leaf.label] = None
    for name in values:
        if name not in complete:
            values[name][OTHER] = None
    attributes = [
        Attribute(name) if name in numeric else Attribute(name, "nominal", tuple(values[name]))
        for name in order
    ]
    class_name = "class"
    while class_name in order:
        class_name += "_"
    attributes.append(Attribute(class_name, "nominal", tuple(labels)))
    return Header("", tuple(attributes), len(attributes) - 1, inferred=True)


def node_runs(reading: Reading) -> list[list[Branch]]:
    """The branches of each node together, nodes in the order of their first lines."""
    runs: list[list[Branch]] = []
    open_runs: list[list[Branch]] = []
    for branch in reading.branches:
        if branch.operator == "":
            continue
        del open_runs[branch.depth + 1 :]
        if len(open_runs) <= branch.depth:
            open_runs.append([])
            runs.append(open_runs[-1])
        open_runs[branch.depth].append(branch)
    return runs
