"""The tree as SVG, drawn from left to right with leaves as rows; and as a map of areas.

Colours are attributes, so that the drawing is right wherever it stands; the page has its own for
the same classes (``k0`` is the class that matters), for light and for dark.
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.report.markup import Markup, tag
from j48geo.report.tree_facts import TreeFacts
from j48geo.show.text import format_number, shorten
from j48geo.text import pluralize

DRAWING_COLOURS = (
    *("#c2510c", "#1b6cab", "#118462", "#a8448c"),
    *("#8a6d00", "#0b7f93", "#9c3b3b", "#6a5fb0"),
)
"""The first is that of the class that matters; beyond eight classes all others have the second."""

ROW_HEIGHT = 28
TOP_MARGIN = 30
TITLE_HEIGHT = 30
TREE_WIDTH = 590
DRAWING_WIDTH = 980
LINE_COLOUR = "#8a94a3"


def choose_colour(classes: int, positive: int, c: int) -> int:
    """The number of the colour that a class has in all drawings."""
    if c == positive:
        return 0
    return 1 if classes > len(DRAWING_COLOURS) else 1 + c - (c > positive)


@dataclass(frozen=True)
class DrawingLayout:
    """Where the parts of a drawing stand.

    Parameters
    ----------
    rows
        Nodes that end a row: leaves, and inner nodes that are closed.
    x, y
        Place of every node that is drawn.
    """

    rows: tuple[int, ...]
    x: dict[int, float]
    y: dict[int, float]


def lay_out_tree(facts: TreeFacts) -> DrawingLayout:
    """Rows in the order of the text; an inner node stands in the middle of its children."""
    rows: list[int] = []
    depth = {0: 0}
    drawn: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        drawn.append(node)
        if node not in facts.opened:
            rows.append(node)
            continue
        for child in reversed(facts.children[node]):
            depth[child] = depth[node] + 1
            stack.append(child)
    y = {node: TOP_MARGIN + ROW_HEIGHT * (k + 0.5) for k, node in enumerate(rows)}
    for node in reversed(drawn):
        if node in facts.opened:
            kids = facts.children[node]
            y[node] = (y[kids[0]] + y[kids[-1]]) / 2
    deepest = max((depth[n] for n in drawn if n in facts.opened), default=0)
    step = min(130.0, (TREE_WIDTH - 20) / (deepest + 1))
    x = {node: 12 + step * depth[node] for node in drawn}
    return DrawingLayout(tuple(rows), x, y)


def draw_tree(facts: TreeFacts) -> Markup:
    """Draw a tree as SVG; parts that are closed are rows of their own."""
    layout = lay_out_tree(facts)
    height = TOP_MARGIN + ROW_HEIGHT * len(layout.rows) + 10
    step = (min(x for x in layout.x.values() if x > 12) - 12) if len(layout.x) > 1 else TREE_WIDTH
    parts: list[Markup] = [_lines(facts, layout), _titles(facts)]
    for node in layout.x:
        if node in facts.opened:
            x, y = layout.x[node], layout.y[node]
            name = facts.names[facts.attribute[node]]
            parts.append(tag("circle", cx=x, cy=y, r=4.0, fill="currentColor"))
            parts.append(_text(x + 9, y + 4, cut_middle(name, max(4, int(step / 8))), bold=True))
        if node:
            parts.append(_branch(facts, layout, node, step))
    parts.extend(_row(facts, layout, node) for node in layout.rows)
    return tag(
        "svg",
        tag("title", f"The tree: {pluralize(len(facts.label), 'leaf', 'leaves')}"),
        parts,
        class_="drawing",
        viewbox=f"0 0 {DRAWING_WIDTH} {height}",
        width=DRAWING_WIDTH,
        height=height,
        role="img",
        font_size=12,
        font_family="system-ui, sans-serif",
    )


def draw_tree_picture(facts: TreeFacts, name: str) -> Markup:
    """The drawing as a file of its own: on white, under the name and the size of the model."""
    drawing = draw_tree(facts)
    cases = f", {format_number(facts.weight[0])} training cases" if facts.weighed else ""
    title = f"{name}: {pluralize(len(facts.label), 'leaf', 'leaves')}{cases}"
    rows = len(lay_out_tree(facts).rows)
    height = TITLE_HEIGHT + TOP_MARGIN + ROW_HEIGHT * rows + 10
    heading = _text(12, 22, shorten(title, 110), bold=True, title=title)
    return tag(
        "svg",
        tag("rect", width=DRAWING_WIDTH, height=height, fill="#ffffff"),
        heading,
        tag("g", drawing, transform=f"translate(0 {TITLE_HEIGHT})"),
        xmlns="http://www.w3.org/2000/svg",
        viewbox=f"0 0 {DRAWING_WIDTH} {height}",
        width=DRAWING_WIDTH,
        height=height,
        color="#1a1a1a",
        font_size=14,
        font_family="system-ui, sans-serif",
    )


def _width(facts: TreeFacts, node: int) -> float:
    """Of the line to a node, by the cases that take it."""
    return max(1.0, 10 * facts.weight[node] / (facts.weight[0] or 1))


def _lines(facts: TreeFacts, layout: DrawingLayout) -> Markup:
    drawn = []
    for node in layout.x:
        if node == 0:
            continue
        parent = facts.parent[node]
        end = layout.x[node] if node in facts.opened else TREE_WIDTH
        way = f"M{layout.x[parent]:g} {layout.y[parent]:g}V{layout.y[node]:g}H{end:g}"
        drawn.append(tag("path", d=way, stroke_width=_width(facts, node), data_node=node))
    return tag("g", drawn, class_="lines", fill="none", stroke=LINE_COLOUR)


def _titles(facts: TreeFacts) -> Markup:
    words = [(TREE_WIDTH + 8, "leaf and its label")]
    if facts.weighed:
        words += [(TREE_WIDTH + 180, "class shares"), (TREE_WIDTH + 318, "cases")]
    return tag(
        "g",
        [_text(x, 14, word, faint=True, end=word == "cases") for x, word in words],
    )


def _branch(facts: TreeFacts, layout: DrawingLayout, node: int, step: float) -> Markup:
    parent = facts.parent[node]
    kids = facts.children[parent]
    off = _width(facts, node) / 2 + 3
    y = layout.y[node] + (off + 8 if len(kids) == 2 and node == kids[1] else -off)
    # The name of the attribute stands on the height of the parent: keep clear of it.
    if abs(y - layout.y[parent] - 4) < 11:
        y = layout.y[node] + 15
    room = int((step - 12) / 6) if node in facts.opened else 22
    return _text(
        layout.x[parent] + 10, y, shorten(facts.branch[node], max(5, room)), faint=True, small=True
    )


def _row(facts: TreeFacts, layout: DrawingLayout, node: int) -> Markup:
    y = layout.y[node]
    leaf = facts.leaf[node]
    left = TREE_WIDTH + 8
    if leaf >= 0:
        label = facts.label[leaf]
        slot = choose_colour(len(facts.classes), facts.positive, label)
        words = f"{leaf + 1} {facts.classes[label]}"
        box = {"x": left, "y": y - 6, "width": 12, "height": 12, "rx": 2}
        mark = tag("rect", **box, class_=f"k{slot}", fill=DRAWING_COLOURS[slot])
    else:
        below = list_leaves_below(facts, node)
        positive = sum(facts.label[k] == facts.positive for k in below)
        words = f"{len(below)} leaves, {positive} {facts.classes[facts.positive]}"
        mark = tag("path", d=f"M{left + 1} {y - 6:g}l10 6l-10 6z", fill=LINE_COLOUR)
    parts = [mark, _text(left + 18, y + 4, shorten(words, 22), title=words)]
    shares = sum_leaf_counts(facts, list_leaves_below(facts, node) if leaf < 0 else [leaf])
    if facts.weighed:
        if shares is not None:
            parts.append(draw_share_bar(facts, shares, TREE_WIDTH + 180.0, y - 5))
        parts.append(_text(TREE_WIDTH + 318, y + 4, format_number(facts.weight[node], 1), end=True))
    return tag("g", parts, class_="row", data_node=node)


def draw_share_bar(facts: TreeFacts, shares: list[float], left: float, top: float) -> Markup:
    """The shares of the classes, that of the class that matters first."""
    total = sum(shares)
    order = sorted(range(len(shares)), key=lambda c: (c != facts.positive, -shares[c], c))
    parts = []
    for c in order:
        width = 98 * shares[c] / total if total > 0 else 0
        if width <= 0:
            continue
        slot = choose_colour(len(shares), facts.positive, c)
        room = max(width - 0.7, 0.4)
        parts.append(
            tag(
                "rect",
                x=left,
                y=top,
                width=room,
                height=10,
                class_=f"k{slot}",
                fill=DRAWING_COLOURS[slot],
            )
        )
        left += width
    return tag("g", parts)


def cut_middle(name: str, width: int) -> str:
    """A name of at most `width` characters, cut in its middle: names often begin alike."""
    if len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{name[: width - 1 - tail]}…{name[len(name) - tail :]}"


def list_leaves_below(facts: TreeFacts, node: int) -> list[int]:
    """Leaves below a node, in text order."""
    leaves, stack = [], [node]
    while stack:
        now = stack.pop()
        if facts.leaf[now] >= 0:
            leaves.append(facts.leaf[now])
        stack.extend(reversed(facts.children[now]))
    return leaves


def sum_leaf_counts(facts: TreeFacts, leaves: list[int]) -> list[float] | None:
    """Class weights of several leaves together; None if one is not known."""
    sums = [0.0] * len(facts.classes)
    for leaf in leaves:
        row = facts.counts[leaf]
        if row is None:
            return None
        sums = [a + b for a, b in zip(sums, row, strict=True)]
    return sums


def draw_tree_map(facts: TreeFacts, width: int = 980, height: int = 120) -> Markup:
    """The whole tree at any size: leaves as wide as their training weight."""
    deepest = _depths(facts)
    line = min(12.0, (height - 24) / max(1, max(deepest)))
    left = {0: 0.0}
    parts: list[Markup] = []
    total = facts.weight[0] or 1
    for node, kids in enumerate(facts.children):
        x, wide = left[node], width * facts.weight[node] / total
        y = line * deepest[node]
        if facts.leaf[node] >= 0:
            parts.append(_map_leaf(facts, node, (x, y, wide, height - y)))
            continue
        name = facts.names[facts.attribute[node]]
        if wide > 7 * min(len(name), 6) and line >= 10:
            label = cut_middle(name, max(3, int(wide / 6.5)))
            parts.append(_text(x + wide / 2, y + 10, label, faint=True, small=True, middle=True))
        for kid in kids:
            left[kid] = x
            x += width * facts.weight[kid] / total
    return tag(
        "svg",
        tag("title", "Map of the tree: every leaf as wide as its training weight"),
        parts,
        class_="map",
        viewbox=f"0 0 {width} {height}",
        role="img",
        font_family="system-ui, sans-serif",
    )


def compute_purity(facts: TreeFacts, leaf: int) -> float:
    """Share of the leaf's own class; 1 where it is not known."""
    row = facts.counts[leaf]
    total = 0.0 if row is None else sum(row)
    return 1.0 if row is None or not total else row[facts.label[leaf]] / total


def _map_leaf(facts: TreeFacts, node: int, box: tuple[float, float, float, float]) -> Markup:
    x, y, width, height = box
    leaf = facts.leaf[node]
    label = facts.label[leaf]
    slot = choose_colour(len(facts.classes), facts.positive, label)
    description = f"leaf {leaf + 1}: {facts.classes[label]}, {format_number(facts.weight[node], 1)}"
    return tag(
        "rect",
        x=x,
        y=y,
        width=max(0.0, width - min(1.0, width * 0.15)),
        height=height,
        class_=f"k{slot}",
        fill=DRAWING_COLOURS[slot],
        fill_opacity=0.5 + 0.5 * compute_purity(facts, leaf),
        data_leaf=leaf,
        aria_label=description,
    )


def _depths(facts: TreeFacts) -> list[int]:
    depths = [0] * len(facts.parent)
    for node, parent in enumerate(facts.parent):
        if parent >= 0:
            depths[node] = depths[parent] + 1
    return depths


def _text(
    x: float,
    y: float,
    words: str,
    *,
    bold: bool = False,
    faint: bool = False,
    small: bool = False,
    end: bool = False,
    middle: bool = False,
    title: str = "",
) -> Markup:
    return tag(
        "text",
        tag("title", title) if title and title != words else None,
        words,
        x=x,
        y=y,
        fill="currentColor",
        opacity=0.75 if faint else None,
        font_weight="bold" if bold else None,
        font_size=10.5 if small else None,
        text_anchor="end" if end else "middle" if middle else None,
    )
