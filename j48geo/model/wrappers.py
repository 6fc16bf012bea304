"""Models that are more than a tree: several trees that answer together, rows behind a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from j48geo.core.dataset import Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import TreeText
from j48geo.core.wrappers import Ensemble, NamedFilter
from j48geo.data.rows import Rows
from j48geo.errors import FilterError, MismatchError, ModelReadError, ReplayError
from j48geo.read.door import choose
from j48geo.replaying.align import aligned, in_columns
from j48geo.replaying.replay import replay

if TYPE_CHECKING:  # most models are one tree, and then nothing of this is needed
    from j48geo.ensemble.filters import Filtering
    from j48geo.ensemble.whole import Whole

UNSENT = (
    "the tree speaks of the header printed in the text: rows from before the filter cannot be "
    "sent down it"
)
_SHOWS = frozenset({"Discretize", "NominalToBinary", "StringToWordVector"})
"""Filters whose rows do not look like those from before."""


class Named(NamedTuple):
    """Training data, and what it is called."""

    data: Dataset
    name: str


def asked_header(text: TreeText, tree: int | None) -> Header:
    """Attributes of the rows that a model file is asked about."""
    if tree is None and text.ensemble is not None:
        return text.ensemble.header
    return text.entries[0].readings[0].header


def wrapper_words(text: TreeText, tree: int | None) -> tuple[str, ...]:
    """What must be said of a wrapper: what it is, or that one tree of it is meant."""
    ensemble = text.ensemble
    if ensemble is None or (ensemble.alone is not None and not any(ensemble.filters)):
        return ()
    if tree is not None:
        return (f"tree {tree} alone is meant, of {ensemble}",)
    return () if ensemble.alone is not None else (f"{text.source} is {ensemble}",)


# ------------------------------------------------------------------------------ all together


def find_whole(
    text: TreeText,
    ensemble: Ensemble,
    rows: Rows | None,
    training: Named | None,
    *,
    most: float,
    allow_mismatch: bool,
) -> tuple[Whole, str]:
    """All trees of a wrapper, and what the rows at hand say about them, in words.

    Parameters
    ----------
    rows
        In the columns of the wrapper's header.
    most
        What the training data weighs at most.
    """
    from j48geo.ensemble.whole import Whole, printed_whole

    if not ensemble.printed:
        return Whole(text.entries, ensemble), ""
    if ensemble.header.inferred:
        why = ensemble.refusal or "the text alone does not tell its attributes"
        return Whole(text.entries, replace(ensemble, refusal=why)), ""
    if ensemble.refusal:
        return Whole(text.entries, ensemble), ""
    trees: list[BoxTree] = []
    try:
        trees += [choose(text, tree=k + 1) for k in ensemble.trees]
    except ModelReadError as error:
        refused = replace(ensemble, refusal=f"tree {len(trees) + 1} cannot be read ({error})")
        return Whole(text.entries, refused), ""
    if any(not tree.has_counts for tree in trees):
        refused = replace(ensemble, refusal="its text shows no counts")
        return Whole(text.entries, refused), ""
    data, name = (None, "") if training is None else training
    if data is None and rows is not None:
        data, name = rows.whole(most), rows.name
    found = printed_whole(text.entries, ensemble, trees, data)
    if found.proven:
        if ensemble.name == "Bagging":
            return found, f"{name} has the weight and the thresholds of the trees' samples"
        return found, f"{name} is the training data of {ensemble}"
    if training is not None and not allow_mismatch:
        raise ReplayError(
            f"{name} is not the training data of {ensemble}: the counts differ; expected the "
            "data the trees were grown from"
        )
    return found, "" if not name else f"{name} is not the training data: its text alone answers"


# -------------------------------------------------------------------------- behind a filter


def find_filtering(
    tree: BoxTree,
    ensemble: Ensemble,
    rows: Rows | None,
    training: Named | None,
    *,
    most: float,
    must_fit: bool,
) -> tuple[Filtering | None, tuple[str, ...]]:
    """What rows go through before the tree sees them, and what must be said of it.

    None if the rows at hand have been filtered already.

    Raises
    ------
    FilterError
        If the filter cannot be learnt from these rows, or would give other counts.
    """
    from j48geo.ensemble.filters import Filtering
    from j48geo.ensemble.learning import only_selects

    steps = list(ensemble.filters)
    names = " and ".join(_name(step) for step in steps)
    said = (f"rows pass {names} first: values and distances are those behind it",)
    if not any(isinstance(step.filter, NamedFilter) for step in steps):
        known = tuple((step.header, step.filter) for step in steps if step.filter is not None)
        return Filtering(ensemble.header, known, tree.header), said
    (step,) = steps
    how = step.filter
    assert isinstance(how, NamedFilter)
    data, name = (None, "") if training is None else training
    if data is None and rows is not None:
        data, name = rows.whole(most), rows.name
    if rows is None and training is None:
        waiting = Filtering(tree.header, ((tree.header, how),), tree.header)
        return (None if only_selects(how) else waiting), ()
    if data is not None and replay(tree, data).recognised:
        return None, ()
    if data is not None:
        for filtering in _learnt(how, tree, data):
            if replay(tree, filtering.dataset(data)).recognised:
                if only_selects(how):
                    return None, ()
                return filtering, said
    if only_selects(how) or (how.name in _SHOWS and rows is not None and _fits(tree, rows.header)):
        return None, ()
    if not must_fit:
        return None, (UNSENT,)
    raise FilterError(
        f"the tree stands behind the filter {how.name}, and {name or 'the data'} does not give "
        "back its counts; expected the training data from before the filter"
    )


def filtered_training(filtering: Filtering, training: Named) -> Named:
    """The training rows as the tree saw them."""
    rows = in_columns(Rows.of(training.data, training.name), filtering.header)
    return Named(filtering.dataset(rows.all()), training.name)


def filtered_rows(filtering: Filtering, rows: Rows) -> Rows:
    """Rows from before the filter as the tree sees them."""
    return in_columns(rows, filtering.header).viewed(filtering.after, filtering.dataset)


def _learnt(how: NamedFilter, tree: BoxTree, data: Dataset) -> list[Filtering]:
    from j48geo.ensemble.filters import Filtering
    from j48geo.ensemble.learning import learnt

    name = tree.header.class_attribute.name
    if name not in data.header.names:
        return []
    header = replace(data.header, class_index=data.header.position(name))
    ways = learnt(how, tree.header, aligned(data, header))
    return [Filtering(header, ((header, way),), tree.header) for way in ways]


def _fits(tree: BoxTree, header: Header) -> bool:
    try:
        tree.rebound(header)
    except MismatchError:
        return False
    return True


def _name(step: Ensemble) -> str:
    how = step.filter
    return f"the filter {how.name if isinstance(how, NamedFilter) else type(how).__name__}"
