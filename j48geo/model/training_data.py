"""Are these rows the training data of this tree? Exactly if they give back its counts.

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
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.errors import MismatchError, ReplayError
from j48geo.replaying.align import bound
from j48geo.replaying.replay import Replay, replay

PRINTED_CAP = 9.2e16

HEAVIEST_ROW = 1e150
"""Weights whose squares would leave the doubles are nobody's."""


@dataclass(frozen=True, eq=False)
class Known:
    """A tree in the columns of its data, and what is known of its training.

    Parameters
    ----------
    counts
        From the training data if that is known, else from the text or the model file.
    training, training_name
        The training data in the columns of the tree's header, and its name.
    replay, replayed
        What replaying the counts on some rows gave, and how many rows these were.
    kept
        Whether the counts come from a model file.
    said
        How the rows at hand and the tree belong together, in words.
    notes
        What else a person must know.
    fits
        Whether the rows have the columns that the tree asks for.
    """

    tree: BoxTree
    counts: NodeCounts
    training: Dataset | None = None
    training_name: str = ""
    replay: Replay | None = None
    replayed: int = 0
    kept: bool = False
    said: str = ""
    notes: tuple[str, ...] = ()
    fits: bool = True


def named_training(tree: BoxTree, train: Dataset, name: str, *, allow_mismatch: bool) -> Known:
    """The tree with the counts of the rows that were named as its training data."""
    if not len(train):
        raise MismatchError(f"{name} has no rows; expected the data the tree was grown from")
    result = replay(bound(tree, train.header, name), train)
    notes = result.notes
    if not result.recognised:
        _refuse_odd_weights(train, name)
    if result.recognised:
        said = _replays(name, result)
    elif not tree.has_counts:
        said = f"the text shows no counts; those of {name} are used"
    elif allow_mismatch:
        said = ""
        notes = (*notes, f"{_differs(name, result)}; its counts are used all the same")
    else:
        raise ReplayError(
            f"{_differs(name, result)}: {_first(result)}; expected the data the tree was grown from"
        )
    found = _as_tolerant(result.tree, tree)
    return Known(
        found, result.counts, train, name, result, len(train), said=said, notes=tuple(notes)
    )


def _refuse_odd_weights(train: Dataset, name: str) -> None:
    """Counts that no tree confirms are used only if they are counts of something."""
    odd = np.flatnonzero(~((train.weights >= 0) & (train.weights <= HEAVIEST_ROW)))
    if len(odd):
        row = int(odd[0])
        raise MismatchError(
            f"{name}: row {row + 1} weighs {train.weights[row]:g}; "
            f"expected weights from 0 to {HEAVIEST_ROW:g}"
        )


def recognised(
    tree: BoxTree,
    rows: Rows | None,
    held: Dataset | None,
    *,
    stored: NodeCounts | None = None,
    must_fit: bool = True,
    whole: bool = False,
) -> Known:
    """The tree with the counts of the rows if these are the training data, else its own.

    Parameters
    ----------
    held
        All rows together; None if they are too many to be the training data.
    stored
        Counts that a model file carries.
    must_fit
        Whether rows that lack a column of the tree are an error.
    whole
        Whether the rows are compared with the tree whatever they are: that is the question.
    """
    where = "the text" if stored is None else "the model file"
    own = stored or counts_from_text(tree)
    kept = stored is not None
    if rows is None:
        return Known(tree, own, kept=kept)
    try:
        tree = bound(tree, rows.header, rows.name)
    except MismatchError as error:
        if must_fit:
            raise
        return Known(tree, own, notes=(str(error),), kept=kept, fits=False)
    if held is not None and not len(held) and not whole:
        return Known(tree, own, kept=kept, notes=(f"{rows.name} has no rows",))
    if held is not None and (whole or tree.has_counts):
        result = replay(tree, held)
        if result.recognised:
            exact = stored is not None and stored.total is not None  # Weka's own sums
            tree = tree if exact else _as_tolerant(result.tree, tree)
            return Known(
                tree,
                own if exact else result.counts,
                replace(held, header=tree.header),
                rows.name,
                result,
                len(held),
                kept=exact,
                said=_replays(rows.name, result),
                notes=result.notes,
            )
        return Known(
            tree,
            own,
            replay=result,
            replayed=len(held),
            kept=kept,
            said=f"{_differs(rows.name, result)}: counts are taken from {where}",
            notes=result.notes if whole else (),
        )
    if tree.has_counts:
        said = (
            f"{rows.name} is not the training data (it has more rows than the counts say): "
            f"counts are taken from {where}"
        )
    else:
        said = f"the text shows no counts; {rows.name} is taken for new data"
    return Known(tree, own, kept=kept, said=said)


def heaviest(readings: Sequence[BoxTree]) -> float:
    """Most that the training data of a tree can weigh, whichever way its text is read."""
    return max((_heaviest_of(tree) for tree in readings), default=0.0)


def _heaviest_of(tree: BoxTree) -> float:
    printed = [leaf.weight or 0.0 for leaf in tree.leaves]
    # The growing set of -R is chosen by rows, whatever they weigh; huge weights print capped.
    if tree.options.reduced_error or max(printed) >= PRINTED_CAP:
        return inf
    return 2 * sum(printed) + 1


def _as_tolerant(found: BoxTree, asked: BoxTree) -> BoxTree:
    """The restored tree; a tolerance that the user asked for stays."""
    return found.tolerating(max(found.tolerance, asked.tolerance))


def _replays(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    counts = "the leaf count replays" if leaves == 1 else f"all {leaves} leaf counts replay"
    return f"{name} is the training data ({counts})"


def _differs(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    of = "leaf differs" if leaves == 1 else "leaves differ"
    return f"{name} is not the training data ({len(result.differences)} of {leaves} {of})"


def _first(result: Replay) -> str:
    """The first leaf that differs, in words."""
    if not result.differences:
        return "; ".join(result.notes)
    d = result.differences[0]
    line = f" (line {d.line})" if d.line else ""
    return (
        f"leaf {d.leaf + 1}{line} prints {d.printed_weight:g}/{d.printed_errors:g}, the rows give "
        f"{d.weight:.10g}/{d.errors:.10g}"
    )
