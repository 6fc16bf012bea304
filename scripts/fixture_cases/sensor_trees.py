"""Trees as the tools of sensor makers write them, with rows and their classes: fixtures/sensor.

`make_sensor_trees` grows a tree from generated rows of sensor features and prints it in the manner
of each tool: other operators, roundings, counts and footers than Weka's. A folder holds model.txt,
data.arff (the rows it was grown from), test.arff (other rows, some of them on a threshold) and
expected.json: the class of every row, by a walk down the printed tree that this module makes
itself, the printed counts' meaning, the number of leaves, and the size that the footer states.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import j48geo

Rows = NDArray[np.float64]
Printer = Callable[[float, Rows], str]


# -------------------------------------------------------------------- rows


@dataclass(frozen=True)
class SensorData:
    """Feature rows of a sensor with the class of each."""

    features: tuple[str, ...]
    labels: tuple[str, ...]
    values: Rows
    classes: NDArray[np.intp]

    def arff(self) -> str:
        """The rows as the tools write them: six significant digits, a blank after each comma."""
        lines = ["@relation 'MLC'", "", *(f"@attribute {name} numeric" for name in self.features)]
        lines += [f"@attribute class {{{', '.join(self.labels)}}}", "", "@data"]
        for row, label in zip(self.values, self.classes, strict=True):
            lines.append(", ".join([*(f"{value:g}" for value in row), self.labels[label]]))
        return "\n".join([*lines, ""])


def as_printed(values: Rows) -> Rows:
    """The numbers that six significant digits leave."""
    return np.vectorize(lambda value: float(f"{value:g}"))(values)


def motion(seed: int, labels: tuple[str, ...], features: tuple[str, ...], each: int) -> SensorData:
    """Rows whose classes differ in their means, feature by feature, with some overlap."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(0, 1.6, (len(labels), len(features)))
    classes = np.repeat(np.arange(len(labels)), each)
    spread = 10.0 ** rng.integers(-1, 2, len(features))
    values = (centres[classes] + rng.normal(0, 1, (len(classes), len(features)))) * spread
    # With five decimals a threshold of six is the value of the row that it was taken from.
    return SensorData(features, labels, as_printed(values.round(5)), classes)


def tilt(seed: int, steps: int, each: int) -> SensorData:
    """One axis of an accelerometer at so many angles; the classes are their numbers."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(steps), each)
    values = np.cos((classes + rng.uniform(-0.45, 0.45, len(classes))) * np.pi / 2 / steps)
    labels = tuple(str(step) for step in range(steps))
    return SensorData(("accZ",), labels, as_printed(values[:, None]), classes)


# -------------------------------------------------------------------- trees


@dataclass
class PrintedNode:
    """A node of a printed tree; a leaf has a label and no children."""

    label: int = -1
    attribute: int = -1
    threshold: str = ""
    children: tuple[PrintedNode, ...] = ()
    counts: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    def size(self) -> int:
        """Number of nodes."""
        return 1 + sum(child.size() for child in self.children)

    def leaves(self) -> list[PrintedNode]:
        """The leaves from top to bottom."""
        below = [leaf for child in self.children for leaf in child.leaves()]
        return below if self.children else [self]


def printed_tree(data: SensorData, printer: Printer, options: str) -> PrintedNode:
    """The tree that J48 grows from the rows, with its thresholds printed."""
    tree = j48geo.grow(j48geo.read_arff(data.arff().encode()), options).tree

    def convert(index: int) -> PrintedNode:
        node = tree.nodes[index]
        if node.split is None:
            assert node.leaf is not None
            return PrintedNode(label=tree.leaves[node.leaf].label)
        column = data.values[:, node.split.attribute]
        children = tuple(convert(child) for child in node.children)
        text = printer(node.split.threshold, column)
        return PrintedNode(attribute=node.split.attribute, threshold=text, children=children)

    return convert(0)


def leaf_of(node: PrintedNode, row: Rows, strict: bool) -> PrintedNode:
    """The leaf that a row reaches; `strict` sends a row on the threshold upwards."""
    while node.children:
        value, threshold = float(row[node.attribute]), float(node.threshold)
        is_below = value < threshold if strict else value <= threshold
        node = node.children[0 if is_below else 1]
    return node


def count(root: PrintedNode, data: SensorData, strict: bool) -> None:
    """Count the rows of every class in every leaf."""
    for leaf in root.leaves():
        leaf.counts = np.zeros(len(data.labels), dtype=np.intp)
    for row, label in zip(data.values, data.classes, strict=True):
        leaf_of(root, row, strict).counts[label] += 1


def other_rows(root: PrintedNode, data: SensorData, seed: int) -> SensorData:
    """Other rows: some between those of the training data, and one on every threshold."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, len(data.values), (30, 2))
    rows = [as_printed(data.values[pair].mean(axis=0)) for pair in pairs]

    def visit(node: PrintedNode) -> None:
        if node.children:
            row = data.values[rng.integers(len(data.values))].copy()
            row[node.attribute] = float(node.threshold)
            rows.append(row)
            for child in node.children:
                visit(child)

    visit(root)
    classes = rng.integers(0, len(data.labels), len(rows))
    return SensorData(data.features, data.labels, np.array(rows), classes)


# -------------------------------------------------------------------- thresholds and counts


def six_decimals(threshold: float, column: Rows) -> str:
    """As C's %f."""
    return f"{threshold:f}"


def weka_decimals(threshold: float, column: Rows) -> str:
    """As Weka: six decimals at most."""
    return f"{threshold:.6f}".rstrip("0").rstrip(".")


def six_digits(threshold: float, column: Rows) -> str:
    """As C's %g: the value of a row."""
    return f"{threshold:g}"


def middle(threshold: float, column: Rows) -> float:
    """Half way between the threshold, which is the value of a row, and the next greater value."""
    return float((threshold + column[column > threshold].min()) / 2)


def middle_of_five_digits(threshold: float, column: Rows) -> str:
    """The middle of the gap as MATLAB prints it."""
    return f"{middle(threshold, column):.5g}"


def middle_of_two_decimals(threshold: float, column: Rows) -> str:
    """The middle of the gap as scikit-learn's export rounds it; a small one may become -0.00."""
    return f"{middle(threshold, column):.2f}"


def no_counts(leaf: PrintedNode) -> str:
    """Nothing."""
    return ""


def right_and_wrong(leaf: PrintedNode) -> tuple[int, int]:
    """Rows of the leaf's class, and others."""
    right = int(leaf.counts[leaf.label])
    return right, int(leaf.counts.sum()) - right


def weka_counts(leaf: PrintedNode) -> str:
    """Rows and, if there are any, wrong ones: `(9.0/2.0)`."""
    right, wrong = right_and_wrong(leaf)
    return f" ({right + wrong}.0/{wrong}.0)" if wrong else f" ({right}.0)"


def right_and_wrong_counts(leaf: PrintedNode) -> str:
    """Right rows and wrong ones: `(7.0/2.0)` are 9 rows."""
    right, wrong = right_and_wrong(leaf)
    return f" ({right}.0/{wrong}.0)" if wrong else f" ({right}.0)"


def whole_counts(leaf: PrintedNode) -> str:
    """Rows as a whole number, and wrong ones with a decimal: `(9/2.0)`."""
    right, wrong = right_and_wrong(leaf)
    return f" ({right + wrong}/{wrong}.0)" if wrong else f" ({right})"


# -------------------------------------------------------------------- texts


@dataclass(frozen=True)
class SensorTool:
    """How a tool prints its trees, and the rows and options of the tree here."""

    data: SensorData
    footer: Callable[[PrintedNode, SensorData], str]
    options: str = ""
    printer: Printer = six_decimals
    counts: Callable[[PrintedNode], str] = no_counts
    counts_mean: str = "none"
    less: str = "<="
    greater: str = ">"
    colon: str = ":"
    line_end: str = "\n"
    footer_size: Callable[[PrintedNode], int] = PrintedNode.size

    @property
    def is_strict(self) -> bool:
        """Whether a row on a threshold goes to the upper branch."""
        return self.less == "<"

    def text(self, root: PrintedNode) -> str:
        """The tree and what follows it."""
        lines: list[str] = []

        def visit(node: PrintedNode, depth: int) -> None:
            for child, operator in zip(node.children, (self.less, self.greater), strict=True):
                line = f"{self.data.features[node.attribute]} {operator} {node.threshold}"
                line = "|   " * depth + line
                if child.children:
                    lines.append(line)
                    visit(child, depth + 1)
                else:
                    label = self.data.labels[child.label]
                    lines.append(f"{line}{self.colon} {label}{self.counts(child)}")

        visit(root, 0)
        text = "\n".join([*lines, ""]) + self.footer(root, self.data)
        return text.replace("\n", self.line_end)


def weka_footer(root: PrintedNode, data: SensorData) -> str:
    """Weka's lines without the last line end."""
    return f"\nNumber of Leaves  : \t{len(root.leaves())}\n\nSize of the tree : \t{root.size()}"


def no_footer(root: PrintedNode, data: SensorData) -> str:
    """Nothing."""
    return ""


def tilt_size(root: PrintedNode) -> int:
    """The size without the root, which is what the tilt tool states."""
    return root.size() - 1


def tilt_footer(root: PrintedNode, data: SensorData) -> str:
    """Weka's words in another spelling."""
    return f"\nNumber of Leaves: {len(root.leaves())}\nSize of Tree: {tilt_size(root)}\n\n"


def confusion(root: PrintedNode, labels: int) -> NDArray[np.intp]:
    """Rows of each class (down) by the class that the tree gives them (across)."""
    table = np.zeros((labels, labels), dtype=np.intp)
    for leaf in root.leaves():
        table[:, leaf.label] += leaf.counts
    return table


def unico_footer(root: PrintedNode, data: SensorData) -> str:
    """Weka's lines, lists of classes and features, and a matrix with eight letters a class."""
    table = confusion(root, len(data.labels))
    names = [f"{label[:8]:9}".rstrip() if len(label) > 8 else f"{label:9}" for label in data.labels]
    right, total = int(np.trace(table)), int(table.sum())
    return "\n".join(
        [
            f"\nNumber of Leaves  : \t{len(root.leaves())}",
            f"Size of the tree : \t{root.size()}\n\n",
            f"class:\n => {', '.join(data.labels)}, ",
            f"features:\n => {', '.join(data.features)}, \n\n",
            "===== Confusion Matrix =====",
            "         \t" + "\t".join(names) + "\t<-- classified as",
            *(
                f"{name}\t" + "\t".join(map(str, row)) + "\t"
                for name, row in zip(names, table, strict=True)
            ),
            f"\nTotal Number of Instances        : {total}",
            f"Correctly Classified Instances   : {right}",
            f"Incorrectly Classified Instances : {total - right}",
            f"Accuracy: {100 * right / total:g}%\n",
        ]
    )


def mems_studio_footer(root: PrintedNode, data: SensorData) -> str:
    """The same in other words, as MEMS Studio prints it."""
    table = confusion(root, len(data.labels))
    width = max(map(len, data.labels))
    right, total = int(np.trace(table)), int(table.sum())
    return "\n".join(
        [
            f"\nNumber of Leaves: {len(root.leaves())}",
            f"Size of the tree: {root.size()}\n",
            f"Classes:\n=> {', '.join(data.labels)}\n",
            f"Features:\n=> {', '.join(data.features)}\n",
            "=============== Complete training data statistics ===============\n",
            "Confusion Matrix:",
            " " * (width + 1) + "\t".join(data.labels) + "\t  <- classified as",
            *(
                f"{label:{width}} " + "\t".join(map(str, row))
                for label, row in zip(data.labels, table, strict=True)
            ),
            f"\nTotal Number of Instances: {total}",
            f"Correctly Classified Instances: {right}",
            f"Incorrectly Classified Instances: {total - right}\n",
            f"Accuracy:       {100 * right / total:.2f} %\n",
        ]
    )


# -------------------------------------------------------------------- tools


def feature_names(*kinds: str, sensor: str = "ACC") -> tuple[str, ...]:
    """Names as the tools number them: F1_MEAN_on_ACC_X and so on."""
    names = [f"{kind}_on_{sensor}_{axis}" for kind in kinds for axis in "XYV"]
    return tuple(f"F{number}_{name}" for number, name in enumerate(names, start=1))


def sensor_tools() -> dict[str, SensorTool]:
    """Every tool with its tree."""
    gait = ("resting", "walking", "running", "cycling")
    machine = ("switched_off", "idle", "overloaded")
    pair = feature_names("MEAN", "VAR")
    many = feature_names("MEAN", "VAR", "ENERGY", "PeakToPeak")
    return {
        "weka-bare": SensorTool(
            motion(1, machine, pair, 40), weka_footer, counts=weka_counts, counts_mean="weka",
            printer=weka_decimals,
        ),
        "unico": SensorTool(
            motion(2, gait, many, 30), unico_footer, counts=weka_counts, counts_mean="weka",
            printer=six_digits, options="-C 0.9",
        ),
        "unico-old": SensorTool(
            motion(3, machine, pair, 50), unico_footer, counts=right_and_wrong_counts,
            counts_mean="right and wrong", printer=six_digits, line_end="\r\r\n", options="-M 8",
        ),
        "matlab": SensorTool(
            motion(4, gait, pair, 25), weka_footer, printer=middle_of_five_digits, less="<",
            greater=">=",
        ),
        "edgeai": SensorTool(
            motion(5, gait, many, 30), no_footer, printer=middle_of_two_decimals, greater="> ",
            line_end="\r\n", options="-M 1",
        ),
        "mems-studio": SensorTool(
            motion(6, gait, many, 45), mems_studio_footer, counts=whole_counts,
            counts_mean="weka", colon=" :",
        ),
        "tilt": SensorTool(tilt(7, 12, 8), tilt_footer, footer_size=tilt_size),
    }  # fmt: skip


def make_sensor_trees(folder: Path) -> None:
    """Write a folder for every tool."""
    shutil.rmtree(folder, ignore_errors=True)
    for seed, (name, tool) in enumerate(sensor_tools().items(), start=100):
        target = folder / name
        target.mkdir(parents=True)
        root = printed_tree(tool.data, tool.printer, tool.options)
        count(root, tool.data, tool.is_strict)
        tests = other_rows(root, tool.data, seed)
        expected: dict[str, object] = {
            "counts": tool.counts_mean,
            "leaves": len(root.leaves()),
            "size": root.size(),
            "size in the footer": tool.footer_size(root),
        }
        for part, data in (("data", tool.data), ("test", tests)):
            (target / f"{part}.arff").write_text(data.arff(), encoding="ascii")
            leaves = [leaf_of(root, row, tool.is_strict) for row in data.values]
            expected[part] = [data.labels[leaf.label] for leaf in leaves]
        (target / "model.txt").write_bytes(tool.text(root).encode("ascii"))
        (target / "expected.json").write_text(json.dumps(expected) + "\n", encoding="ascii")
