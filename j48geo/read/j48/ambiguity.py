"""A tree with too many readings to list: each node's own choices, decided by the counts.

Names that allow a node to be read in two ways do so at every such node, so the readings
multiply. Where all of them have the same shape only the splits differ, node by node, and the
printed weights below a node tell which split sent the rows there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree, Split
from j48geo.read.j48.scanner import MARK, BlockReading
from j48geo.read.j48.vocabulary import Branch, OpenNode, Vocabulary
from j48geo.replaying.replay import replay

_EQUAL = 1e-6
_MOST_STATES = 32


def have_same_shape(readings: list[BlockReading]) -> bool:
    """Whether the readings differ in their conditions only."""
    shapes = {
        tuple((branch.start, branch.depth, branch.leaf) for branch in reading.branches)
        for reading in readings
    }
    return len(shapes) == 1


def find_branch_choices(text: str, run: list[Branch], vocabulary: Vocabulary) -> list[list[Branch]]:
    """Every way to read the branches of one node, each line keeping its end."""
    ends = [_condition_end(branch, vocabulary) for branch in run]
    starts = [branch.start + len(MARK) * branch.depth for branch in run]
    found = []
    for head in vocabulary.conditions(text, starts[0]):
        if head.end != ends[0]:
            continue
        conditions = [head]
        for start, end in zip(starts[1:], ends[1:], strict=True):
            frame = OpenNode(head, conditions[-1], len(conditions))
            fitting = [h for h in vocabulary.sibling_conditions(text, start, frame) if h.end == end]
            if not fitting:
                break
            conditions.append(fitting[0])
        frame = OpenNode(head, conditions[-1], len(conditions))
        if len(conditions) == len(run) and vocabulary.is_complete(text, len(text), frame, ""):
            found.append(
                [
                    branch._replace(name=h.name, operator=h.operator, operand=h.operand)
                    for branch, h in zip(run, conditions, strict=True)
                ]
            )
    return found


def _condition_end(branch: Branch, vocabulary: Vocabulary) -> int:
    dialect = vocabulary.dialect
    between = dialect.greater_text if branch.operator == dialect.greater else f" {branch.operator} "
    width = len(branch.name) + len(between) + len(branch.operand)
    return branch.start + len(MARK) * branch.depth + width


def find_fitting_trees(
    tree: BoxTree, choices: Mapping[int, tuple[Split, ...]], data: Dataset
) -> list[BoxTree]:
    """The readings that replay, found from the root down.

    At each node with a choice the splits are kept whose branches weigh what the leaves
    below them print; ties stay open and are settled further down, or by the replay.
    """
    printed = counts_from_text(tree).weight
    states = [tree]
    for node in sorted(choices):
        children = list(tree.nodes[node].children)
        scored = []
        for state in states:
            for split in choices[node]:
                candidate = _with_split(state, node, split)
                counted = counts_from_data(
                    candidate, data.X, data.class_values, data.weights
                ).weight
                off = float(np.abs(counted[children] - printed[children]).sum())
                scored.append((off, candidate))
        best = min(off for off, _ in scored)
        states = [candidate for off, candidate in scored if off <= best + _EQUAL]
        if len(states) > _MOST_STATES:
            return []
    return [state for state in states if replay(state, data).ok]


def _with_split(tree: BoxTree, node: int, split: Split) -> BoxTree:
    nodes = list(tree.nodes)
    nodes[node] = replace(nodes[node], split=split)
    return replace(tree, nodes=tuple(nodes))
