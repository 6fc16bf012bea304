"""Decide whether rows are the training data of a tree: exactly if they give back its counts.

A training set weighs what the counts say (twice that at most, with ``-R``), so no more than
that is looked at to find out; a longer file is new data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from j48geo.core.counts import NodeCounts, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import FittedValues
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.errors import MismatchError, ReplayError
from j48geo.replaying.replay import Replay, replay

PRINTED_CAP = 9.2e16
"""Largest weight that a leaf prints: J48 caps the number at that of a Java long."""

HEAVIEST_ROW = 1e150
"""Largest weight of a row: the squares of larger ones would be infinite."""


@dataclass(frozen=True, eq=False)
class CountedTree:
    """A tree in the columns of its data, with its counts and what is known of its training.

    Parameters
    ----------
    counts
        From the training data if that is known, else from the text or the model file.
    training, training_name
        The training data in the columns of the tree's header, and its name.
    replay, replayed
        What replaying the counts on some rows gave, and how many rows these were.
    from_file
        Whether the counts come from a model file.
    note
        How the rows at hand and the tree belong together.
    notes
        What else a person must know.
    fits
        Whether the rows have the columns that the tree tests.
    fitted
        What a model file has learnt from training data.
    """

    tree: BoxTree
    counts: NodeCounts
    training: Dataset | None = None
    training_name: str = ""
    replay: Replay | None = None
    replayed: int = 0
    from_file: bool = False
    note: str = ""
    notes: tuple[str, ...] = ()
    fits: bool = True
    fitted: FittedValues | None = None

    @property
    def differs(self) -> bool:
        """Whether rows were compared with the counts, and did not give them back."""
        return self.replay is not None and not self.replay.recognised


def count_training(
    tree: BoxTree, train: Dataset, name: str, *, allow_mismatch: bool
) -> CountedTree:
    """The tree with the counts of the rows that were named as its training data."""
    if not len(train):
        raise MismatchError(f"{name} has no rows; expected the data the tree was grown from")
    result = replay(tree.with_header(train.header, name), train)
    notes = result.notes
    if not result.recognised:
        _refuse_odd_weights(train, name)
    if result.recognised:
        note = _describe_match(name, result)
    elif not tree.has_counts:
        note = f"the text shows no counts; those of {name} are used"
    elif allow_mismatch:
        note = ""
        notes = (*notes, f"{_describe_mismatch(name, result)}; its counts are used all the same")
    else:
        where = ", in the time zone of its JVM (timezone)" if tested_dates(result.tree) else ""
        raise ReplayError(
            f"{_describe_mismatch(name, result)}: {_describe_first_difference(result)}; "
            f"expected the data the tree was grown from{where}"
        )
    return CountedTree(
        _keep_tolerance(result.tree, tree),
        result.counts,
        train,
        name,
        result,
        len(train),
        note=note,
        notes=tuple(notes),
    )


def tested_dates(tree: BoxTree) -> list[str]:
    """Names of the dates that a tree tests and whose texts name no time zone."""
    attributes = [tree.header.attributes[k] for k in sorted(tree.used_attributes)]
    return [a.name for a in attributes if a.type == "date" and not _names_zone(a.format or "")]


def _names_zone(pattern: str) -> bool:
    """Whether a date pattern has a letter for the zone outside quotes."""
    return any(letter in part for part in pattern.split("'")[::2] for letter in "zZX")


def _refuse_odd_weights(train: Dataset, name: str) -> None:
    """Refuse weights that count nothing, since no printed count confirms them."""
    odd = np.flatnonzero(~((train.weights >= 0) & (train.weights <= HEAVIEST_ROW)))
    if len(odd):
        row = int(odd[0])
        raise MismatchError(
            f"{name}: row {row + 1} weighs {train.weights[row]:g}; "
            f"expected weights from 0 to {HEAVIEST_ROW:g}"
        )


def recognise_training(
    tree: BoxTree,
    rows: Rows | None,
    held: Dataset | None,
    *,
    stored: NodeCounts | None = None,
    must_fit: bool = True,
    compares_all: bool = False,
) -> CountedTree:
    """The tree with the counts of the rows if these are the training data, else its own.

    Parameters
    ----------
    held
        All rows together; None if they are too many to be the training data.
    stored
        Counts that a model file carries.
    must_fit
        Whether rows that lack a column of the tree are an error.
    compares_all
        Whether the rows are compared with the tree whatever they are: that is the question.
    """
    from_file = stored is not None
    unchanged = CountedTree(tree, stored or counts_from_text(tree), from_file=from_file)
    if rows is None:
        return unchanged
    try:
        tree = tree.with_header(rows.header, rows.name)
    except MismatchError as error:
        if must_fit:
            raise
        return replace(unchanged, notes=(str(error),), fits=False)
    unchanged = replace(unchanged, tree=tree)
    if held is not None and not len(held) and not compares_all:
        return replace(unchanged, notes=(f"{rows.name} has no rows",))
    where = "the model file" if from_file else "the text"
    if held is not None and (compares_all or tree.has_counts):
        result = replay(tree, held)
        if result.recognised:
            return _count_recognised(unchanged, result, held, rows.name)
        return replace(
            unchanged,
            replay=result,
            replayed=len(held),
            note=f"{_describe_mismatch(rows.name, result)}: counts are taken from {where}",
            notes=result.notes if compares_all else (),
        )
    if tree.has_counts:
        note = (
            f"{rows.name} is not the training data (it has more rows than the counts say): "
            f"counts are taken from {where}"
        )
    else:
        note = f"the text shows no counts; {rows.name} is taken for new data"
    return replace(unchanged, note=note)


def _count_recognised(
    unchanged: CountedTree, result: Replay, held: Dataset, name: str
) -> CountedTree:
    """The tree with rows that give back its counts; exact sums of Weka's own file stay."""
    tree, stored = unchanged.tree, unchanged.counts
    is_exact = unchanged.from_file and stored.total is not None
    tree = tree if is_exact else _keep_tolerance(result.tree, tree)
    return CountedTree(
        tree,
        stored if is_exact else result.counts,
        replace(held, header=tree.header),
        name,
        result,
        len(held),
        from_file=is_exact,
        note=_describe_match(name, result),
        notes=result.notes,
    )


def max_training_weight(readings: Sequence[BoxTree]) -> float:
    """Most that the training data of a tree can weigh, whichever way its text is read."""
    return max((_max_weight(tree) for tree in readings), default=0.0)


def _max_weight(tree: BoxTree) -> float:
    printed = [leaf.weight or 0.0 for leaf in tree.leaves]
    # The growing set of -R is chosen by rows, whatever they weigh; huge weights print capped.
    if tree.options.reduced_error or max(printed) >= PRINTED_CAP:
        return inf
    return 2 * sum(printed) + 1


def _keep_tolerance(restored: BoxTree, tree: BoxTree) -> BoxTree:
    """The restored tree; a tolerance that the user asked for stays."""
    return restored.with_tolerance(max(restored.tolerance, tree.tolerance))


def _describe_match(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    counts = "the leaf count replays" if leaves == 1 else f"all {leaves} leaf counts replay"
    return f"{name} is the training data ({counts})"


def _describe_mismatch(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    of = "leaf differs" if leaves == 1 else "leaves differ"
    return f"{name} is not the training data ({len(result.differences)} of {leaves} {of})"


def _describe_first_difference(result: Replay) -> str:
    """The first leaf whose counts differ, or why none could be compared."""
    if not result.differences:
        return "; ".join(result.notes)
    difference = result.differences[0]
    line = f" (line {difference.line})" if difference.line else ""
    return (
        f"leaf {difference.leaf + 1}{line} prints "
        f"{difference.printed_weight:g}/{difference.printed_errors:g}, the rows give "
        f"{difference.weight:.10g}/{difference.errors:.10g}"
    )
