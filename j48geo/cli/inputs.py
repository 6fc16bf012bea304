"""From options to a tree, its training counts and the rows at hand.

DATA is the training data of a tree exactly if its rows give back the printed counts. A
training set weighs what the counts say (twice that at most, with ``-R``), so no more than
that is held back to find out; a longer file is new data and flows on in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

import click

from j48geo.cli.model_text import carries, chosen_tree, model_file, read_text
from j48geo.cli.options import InputOptions
from j48geo.cli.rows import (
    Rows,
    complete_class,
    display_name,
    joined,
    open_rows,
    read_whole,
)
from j48geo.cli.words import Words
from j48geo.errors import MismatchError, ReplayError

if TYPE_CHECKING:
    from j48geo.core.counts import NodeCounts
    from j48geo.core.dataset import Dataset, Header
    from j48geo.core.learnt import Fitted
    from j48geo.core.tree import BoxTree
    from j48geo.core.tree_text import TreeText
    from j48geo.replaying.replay import Replay

__all__ = ["Loaded", "aligned", "load"]

PRINTED_CAP = 9.2e16
HELD_CELLS = 8_000_000
"""Rows without a class or of little weight are held back up to this many cells (64 MB)."""


@dataclass(frozen=True)
class Loaded:
    """A tree and what is known about it.

    Parameters
    ----------
    counts
        From the training data if that is known, else from the text.
    trees
        How many trees the text holds.
    replay
        What replaying the counts on the training data, or on DATA, gave; None if there was
        nothing to replay.
    rows
        DATA, none of its rows consumed; None if there is none or it does not fit.
    replayed_rows
        How many rows were replayed.
    training, training_name
        The training data in the columns of the tree's header, and its name; None if it is
        not known.
    fitted
        What a model file has learnt from training data, unless ``--train`` names some.
    kept
        Whether the counts of training data come from the model file.
    """

    tree: BoxTree
    counts: NodeCounts
    trees: int
    replay: Replay | None
    rows: Rows | None
    replayed_rows: int = 0
    training: Dataset | None = None
    training_name: str = ""
    fitted: Fitted | None = None
    kept: bool = False

    @property
    def is_trained(self) -> bool:
        """Whether the counts come from training data."""
        return self.counts.source == "data"


@contextmanager
def load(
    model: str,
    data: str | None,
    options: InputOptions,
    words: Words,
    *,
    whole: bool = False,
    must_fit: bool = True,
) -> Iterator[Loaded]:
    """Read MODEL, open DATA, find the training counts, and say what was found.

    Parameters
    ----------
    whole
        Replay on all of DATA, however long it is.
    must_fit
        Whether DATA that does not fit the tree is an error; otherwise it is said and left.
    """
    _one_stdin(model, data, options.train)
    with ExitStack() as stack:
        train = None if options.train is None else read_whole(options.train, options, words)
        text, source = model_file(model, options)
        types = text.entries[0].readings[0].header if text is not None else None
        if train is not None:
            types = train.header
        rows = None
        if data is not None:
            rows = stack.enter_context(open_rows(data, options, words, types))
        known = types if types is not None else None if rows is None else rows.header
        brings_header = text is not None
        if text is None:
            text = read_text(source, display_name(model), known, options)
        if train is not None:
            tree = chosen_tree(text, options, words, train)
            found = _trained(tree, train, options, words)
            if rows is not None:
                complete_class(rows, found.tree, words)
                found = replace(found, tree=_bound(found.tree, rows.header, rows.name), rows=rows)
                found = replace(found, training=aligned(train, found.tree.header))
        else:
            held = None if rows is None else _held(rows, text, options, whole)
            tree = chosen_tree(text, options, words, held)
            if rows is not None and brings_header:
                complete_class(rows, tree, words)
            stored = text.entries[options.tree - 1].counts
            found = _recognised(tree, rows, held, words, must_fit, whole, stored)
            fitted = text.entries[options.tree - 1].fitted
            if fitted is not None:
                fitted = fitted.rebound(tree.header, found.tree.header)
                words.note(carries(text.source, fitted))
                found = replace(found, fitted=fitted)
        yield replace(found, trees=len(text.entries))


# ------------------------------------------------------------------------ the training data


def _trained(tree: BoxTree, train: Dataset, options: InputOptions, words: Words) -> Loaded:
    """The tree with the counts of the file that was named as its training data."""
    from j48geo.replaying.replay import replay

    name = display_name(options.train or "")
    result = replay(_bound(tree, train.header, name), train)
    words.note(*result.notes)
    if result.recognised:
        words.note(_replayed(name, result))
    elif not tree.has_counts:
        words.note(f"the text shows no counts; those of {name} are used")
    elif options.allow_mismatch:
        words.note(f"{_differing(name, result)}; its counts are used all the same")
    else:
        raise ReplayError(
            f"{_differing(name, result)}: {_first(result)}; expected the data the tree "
            "was grown from, or --allow-mismatch"
        )
    found = _kept(result.tree, tree)
    return Loaded(found, result.counts, 1, result, None, len(train), train, name)


def _recognised(
    tree: BoxTree,
    rows: Rows | None,
    held: Dataset | None,
    words: Words,
    must_fit: bool,
    whole: bool,
    stored: NodeCounts | None,
) -> Loaded:
    """The tree with the counts of DATA if it is the training data, else those of the model."""
    from j48geo.core.counts import counts_from_text
    from j48geo.replaying.replay import replay

    where = "the text" if stored is None else "the model file"
    text_counts = stored or counts_from_text(tree)
    if rows is None:
        return Loaded(tree, text_counts, 1, None, None, kept=stored is not None)
    try:
        tree = _bound(tree, rows.header, rows.name)
    except MismatchError as error:
        if must_fit:
            raise
        words.note(str(error))
        return Loaded(tree, text_counts, 1, None, None)
    if held is not None and (whole or tree.has_counts):
        result = replay(tree, held)
        if result.recognised:
            words.note(*result.notes)
            if not whole:
                words.note(_replayed(rows.name, result))
            tree = _kept(result.tree, tree)
            train = replace(held, header=tree.header)
            return Loaded(tree, result.counts, 1, result, rows, len(held), train, rows.name)
        if whole:
            words.note(*result.notes)
        else:
            words.note(f"{_differing(rows.name, result)}: counts are taken from {where}")
        return Loaded(tree, text_counts, 1, result, rows, len(held), kept=stored is not None)
    if tree.has_counts:
        words.note(
            f"{rows.name} is not the training data of this tree (it has more rows than the "
            f"counts say): counts are taken from {where}"
        )
    else:
        words.note(f"the text shows no counts; {rows.name} is taken for new data")
    return Loaded(tree, text_counts, 1, None, rows, kept=stored is not None)


def _bound(tree: BoxTree, header: Header, name: str) -> BoxTree:
    try:
        return tree.rebound(header)
    except MismatchError as error:
        raise MismatchError(f"{name}: {error}") from error


def aligned(train: Dataset, header: Header) -> Dataset:
    """Training data in the columns of another header; what has no equal there is missing."""
    import numpy as np

    from j48geo.core.dataset import Dataset

    if train.header.attributes == header.attributes:
        return replace(train, header=header)
    old = {a.name: (i, a) for i, a in enumerate(train.header.attributes)}
    X = np.full((len(train), len(header)), np.nan)
    for column, attribute in enumerate(header.attributes):
        place, known = old.get(attribute.name, (-1, None))
        if known is not None and (known.is_numeric, known.values) == (
            attribute.is_numeric,
            attribute.values,
        ):
            X[:, column] = train.X[:, place]
    return Dataset(header, X, train.weights)


def _kept(found: BoxTree, asked: BoxTree) -> BoxTree:
    """The restored tree; a tolerance that the user asked for stays."""
    return replace(found, tolerance=max(found.tolerance, asked.tolerance))


def _replayed(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    counts = "the leaf count replays" if leaves == 1 else f"all {leaves} leaf counts replay"
    return f"{name} is the training data: {counts}"


def _differing(name: str, result: Replay) -> str:
    leaves = len(result.tree.leaves)
    of = "leaf differs" if leaves == 1 else "leaves differ"
    return (
        f"{name} is not the training data of this tree ({len(result.differences)} of {leaves} {of})"
    )


def _first(result: Replay) -> str:
    """The first leaf that differs, in words."""
    d = result.differences[0]
    line = f" (line {d.line})" if d.line else ""
    return (
        f"leaf {d.leaf + 1}{line} prints {d.printed_weight:g}/{d.printed_errors:g}, the rows give "
        f"{d.weight:.10g}/{d.errors:.10g}"
    )


def _held(rows: Rows, text: TreeText, options: InputOptions, whole: bool) -> Dataset | None:
    """All rows of DATA, if they can be the training data; put back before `rows` goes on."""
    limit = inf if whole else _heaviest(text, options)
    held: list[Dataset] = []
    weight = 0.0
    cells = 0
    for block in rows.blocks:
        held.append(block)
        known = block.class_values == block.class_values
        weight += float(block.weights[known].sum())
        cells += block.X.size
        n_rows = cells / max(1, len(rows.header))
        if weight > limit or (cells > HELD_CELLS and n_rows > limit):
            rows.blocks = chain(held, rows.blocks)
            return None
    together = joined(rows.header, held)
    rows.blocks = iter(_parts(together, held))
    return together


def _parts(together: Dataset, blocks: list[Dataset]) -> list[Dataset]:
    """The blocks again, as views of the whole, so that no row is in memory twice."""
    parts: list[Dataset] = []
    first = 0
    for block in blocks:
        cut = slice(first, first + len(block))
        parts.append(replace(block, X=together.X[cut], weights=together.weights[cut]))
        first += len(block)
    return parts


def _heaviest(text: TreeText, options: InputOptions) -> float:
    """Most that training data of the chosen tree can weigh."""
    if not 1 <= options.tree <= len(text.entries):
        return 0.0
    readings = text.entries[options.tree - 1].readings
    return max((_heaviest_of(tree) for tree in readings), default=0.0)


def _heaviest_of(tree: BoxTree) -> float:
    printed = [leaf.weight or 0.0 for leaf in tree.leaves]
    # The growing set of -R is chosen by rows, whatever they weigh; huge weights print capped.
    if tree.options.reduced_error or max(printed) >= PRINTED_CAP:
        return inf
    return 2 * sum(printed) + 1


def _one_stdin(*sources: str | None) -> None:
    if sum(source == "-" for source in sources) > 1:
        raise click.UsageError("only one of MODEL, DATA and --train can be '-'")
