"""A tree as the tools of machine-learning-core sensors read it: numeric tests, no counts."""

from __future__ import annotations

import re

import numpy as np

from j48geo.core.routing import find_leaves
from j48geo.export.tree_table import (
    ExportError,
    ExportInput,
    ExportResult,
    TreeTable,
    build_tree_table,
    describe_export,
    quote_name,
    tree_of_table,
)
from j48geo.text import pluralize

_MOST_NODES, _MOST_LABELS = 128, 16
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_LABEL = re.compile(r"\w+", re.ASCII)


def export_sensor(subject: ExportInput) -> ExportResult:
    """J48's text with ``NAME <= %.6f`` and without counts.

    Raises
    ------
    ExportError
        If the tree asks for nominal values or dates, is too large, has names that are no
        words, or if six decimals send a row at hand another way.
    """
    table = build_tree_table(subject)
    _check(subject, table)
    bounds = np.array([float(f"{test.bound:.6f}") for test in table.tests])
    changed = int((bounds != [test.bound for test in table.tests]).sum())
    note = f"{changed} of {pluralize(len(bounds), 'threshold')} rounded to six decimals"
    if subject.X is None:
        tried = f"{note}; no rows given to try: give DATA to see whether one moves"
    else:
        tried = f"{note}; none of {pluralize(len(subject.X), 'row')} moves"
        _check_rows(subject, table, bounds)
    exactness = [f"{tried}.", "Rows with missing values have no answer in this format."]
    tree = table.tree
    lines = [
        "=== Run information ===",
        "",
        *(f"# {line}" for line in describe_export(subject, table, "st", *exactness)),
        "",
        "J48 pruned tree",
        "------------------",
        "",
    ]
    if not table.tests:
        lines.append(f": {tree.classes[int(table.classes[0])]}")
    ways = [(0, 0, branch) for branch in (1, 0)] if table.tests else []
    while ways:
        place, depth, branch = ways.pop()
        test = table.tests[place]
        sign = ">" if branch else "<="
        line = f"{'|   ' * depth}{table.attribute(test).name} {sign} {bounds[place]:.6f}"
        to = test.branches[branch]
        if to < 0:
            line += f": {tree.classes[int(table.classes[-1 - to])]}"
        else:
            ways += [(to, depth + 1, again) for again in (1, 0)]
        lines.append(line)
    leaves = len(tree.leaves)
    footer = ["", f"Number of Leaves  : \t{leaves}", "", f"Size of the tree : \t{tree.size}"]
    return ExportResult("\n".join([*lines, *footer]) + "\n", (f"st: {tried}",) if changed else ())


def _check(subject: ExportInput, table: TreeTable) -> None:
    tree = table.tree
    problem = expected = ""
    for test in table.tests:
        attribute = table.attribute(test)
        if attribute.type != "numeric":
            kind = "nominal" if attribute.is_nominal else "a date"
            problem = f"the tree asks for {quote_name(attribute.name)}, which is {kind}"
            expected = "numeric features only (c takes all)"
    for test in table.tests:
        if not _NAME.fullmatch(name := table.attribute(test).name):
            problem = f"the name {quote_name(name)} is no word of letters, digits and '_.-'"
            expected = "attributes that are"
    for label in tree.classes:
        if not _LABEL.fullmatch(label):
            problem = f"the class label {quote_name(label)} is no word of letters, digits and '_'"
            expected = "labels that are"
    if len(tree.classes) > _MOST_LABELS:
        problem = f"{len(tree.classes)} class labels"
        expected = f"at most {_MOST_LABELS}, which is what the sensors hold"
    if tree.size > _MOST_NODES:
        problem = f"a tree of {tree.size} nodes"
        expected = f"at most {_MOST_NODES}, which is what the sensors hold"
    if problem:
        raise ExportError(f"{subject.source}: {problem}; expected {expected}")


def _check_rows(subject: ExportInput, table: TreeTable, bounds: np.ndarray) -> None:
    assert subject.X is not None
    before = find_leaves(tree_of_table(table), subject.X)
    after = find_leaves(tree_of_table(table, bounds), subject.X)
    moved = np.flatnonzero(before != after)
    if len(moved):
        raise ExportError(
            f"{subject.source}: six decimals send {pluralize(len(moved), 'row')} to another leaf, "
            f"row {moved[0] + 1} first; expected features on a scale that six decimals hold"
        )
