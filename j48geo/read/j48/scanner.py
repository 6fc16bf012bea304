"""The scanner of a tree block: from text to the branch lines of every possible reading.

Top-down with the depth known: a line below an inner branch is one deeper, any other line is
the next sibling of the deepest unfinished node, so exactly that many marks are taken off and
bars inside names do no harm. The block is matched as one string, so names may hold line
breaks. Alternatives wait on a list; the search is bounded and never recursive. Where there are
too many readings to list, `find_branch_choices` lists those of one node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.vocabulary import Branch, Condition, LeafText, OpenNode, Vocabulary
from j48geo.text import quote_value

MARK = "|   "
_MAX_READINGS = 256
_MOST_BRANCHES = 300_000  # in all readings together: those of a large tree take seconds each


class BlockReading(NamedTuple):
    """One complete reading: its branch lines in order, and where the block ends."""

    branches: tuple[Branch, ...]
    end: int


class ScanFailure(NamedTuple):
    """The furthest line that nothing could read, and the node it should belong to.

    `frame` is None if a first branch was expected there, else the unfinished node.
    """

    pos: int
    depth: int
    frame: OpenNode | None


@dataclass(frozen=True)
class ScanResult:
    """All readings of a block, and the furthest failure on the way."""

    readings: list[BlockReading] = field(default_factory=list)
    failure: ScanFailure | None = None
    exhausted: bool = False


class _Stack(NamedTuple):
    frame: OpenNode
    below: _Stack | None


class _Trail(NamedTuple):
    branch: Branch
    before: _Trail | None


class _State(NamedTuple):
    pos: int
    depth: int  # of the next line
    stack: _Stack | None
    first_child: bool
    trail: _Trail | None


def scan_block(text: str, pos: int, vocabulary: Vocabulary, budget: int) -> ScanResult:
    """Read the tree whose first line begins at `pos` in at most `budget` steps."""
    one_leaf = _read_lone_leaf(text, pos, vocabulary)
    if one_leaf is not None:
        return ScanResult([one_leaf])
    waiting = [_State(pos, 0, None, True, None)]
    readings: list[BlockReading] = []
    furthest: ScanFailure | None = None
    while waiting and len(readings) < _MAX_READINGS:
        if len(readings) > 1 and len(readings) * len(readings[0].branches) > _MOST_BRANCHES:
            break
        state = waiting.pop()
        while True:
            if state.stack is None and state.trail is not None:
                readings.append(BlockReading(_list_branches(state.trail), state.pos))
                break
            budget -= 1
            if budget < 0:
                return ScanResult(readings, furthest, exhausted=True)
            following = _next_states(text, state, vocabulary)
            if not following:
                frame = None if state.first_child or state.stack is None else state.stack.frame
                if furthest is None or state.pos > furthest.pos:
                    furthest = ScanFailure(state.pos, state.depth, frame)
                break
            state, *others = following
            waiting.extend(reversed(others))
    return ScanResult(readings, furthest, exhausted=bool(waiting))


def _read_lone_leaf(text: str, pos: int, vocabulary: Vocabulary) -> BlockReading | None:
    for colon in {vocabulary.dialect.colon, vocabulary.dialect.colon.lstrip()}:
        if text.startswith(colon, pos):
            for leaf, end in vocabulary.leaves(text, pos + len(colon)):
                return BlockReading((Branch(0, "", "", "", leaf, pos, end),), end)
    return None


def _next_states(text: str, state: _State, vocabulary: Vocabulary) -> list[_State]:
    """Every state one line further on."""
    marks = MARK * state.depth
    if not text.startswith(marks, state.pos):
        return []
    start = state.pos + len(marks)
    if state.first_child or state.stack is None:
        conditions = vocabulary.conditions(text, start)
    else:
        conditions = vocabulary.sibling_conditions(text, start, state.stack.frame)
    return [
        _after(text, state, vocabulary, head, leaf, end)
        for head in conditions
        for leaf, end in vocabulary.tails(text, head.end)
    ]


def _after(
    text: str,
    state: _State,
    vocabulary: Vocabulary,
    head: Condition,
    leaf: LeafText | None,
    end: int,
) -> _State:
    branch = Branch(state.depth, head.name, head.operator, head.operand, leaf, state.pos, end)
    trail = _Trail(branch, state.trail)
    stack: _Stack | None
    if state.first_child or state.stack is None:
        stack = _Stack(OpenNode(head, head, 1), state.stack)
    else:
        old = state.stack.frame
        stack = _Stack(OpenNode(old.first, head, old.seen + 1), state.stack.below)
    depth = state.depth
    if leaf is None:
        return _State(end, depth + 1, stack, True, trail)
    while stack is not None and vocabulary.is_complete(text, end, stack.frame, MARK * depth):
        stack = stack.below
        depth -= 1
    return _State(end, depth, stack, False, trail)


def _list_branches(trail: _Trail | None) -> tuple[Branch, ...]:
    branches = []
    while trail is not None:
        branches.append(trail.branch)
        trail = trail.before
    return tuple(reversed(branches))


def have_same_shape(readings: list[BlockReading]) -> bool:
    """Whether the readings differ in their conditions only."""
    shapes = {
        tuple((branch.start, branch.depth, branch.leaf) for branch in reading.branches)
        for reading in readings
    }
    return len(shapes) == 1


def describe_open_line(readings: list[BlockReading], place: TextPosition) -> tuple[str, str] | None:
    """The first line that two readings take apart differently, as each of them reads it."""
    if len(readings) < 2:
        return None
    one, other = readings[:2]
    for a, b in zip(one.branches, other.branches, strict=False):
        if a != b:
            return f"line {place.line(a.start)} as {_describe_line(a)}", _describe_line(b)
    return None


def _describe_line(branch: Branch) -> str:
    condition = f"{quote_value(branch.name)} {branch.operator} {quote_value(branch.operand)}"
    return condition if branch.leaf is None else f"{condition}: {quote_value(branch.leaf.label)}"


def find_branch_choices(text: str, run: list[Branch], vocabulary: Vocabulary) -> list[list[Branch]]:
    """Every way to read the branches of one node, each line keeping its end."""
    ends = [_condition_end(branch, vocabulary) for branch in run]
    starts = [branch.start + len(MARK) * branch.depth for branch in run]
    choices = []
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
            choices.append(
                [
                    branch._replace(name=h.name, operator=h.operator, operand=h.operand)
                    for branch, h in zip(run, conditions, strict=True)
                ]
            )
    return choices


def _condition_end(branch: Branch, vocabulary: Vocabulary) -> int:
    dialect = vocabulary.dialect
    between = dialect.greater_text if branch.operator == dialect.greater else f" {branch.operator} "
    width = len(branch.name) + len(between) + len(branch.operand)
    return branch.start + len(MARK) * branch.depth + width
