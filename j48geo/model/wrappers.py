"""Models that are more than a tree: several trees that answer together, trees behind a filter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from j48geo.core.dataset import Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import TreeText
from j48geo.core.wrappers import Ensemble, NamedFilter, filter_name
from j48geo.data.columns import align_columns, align_dataset
from j48geo.data.rows import Rows
from j48geo.errors import FilterError, MismatchError, ModelReadError, ReplayError
from j48geo.read.readers import select_tree
from j48geo.replaying.replay import replay

if TYPE_CHECKING:  # most models are one tree, and then nothing of this is needed
    from j48geo.ensemble.committee import Committee
    from j48geo.ensemble.filters import FilterChain

UNSENT = (
    "the tree speaks of the header printed in the text: rows from before the filter cannot be "
    "sent down it"
)


class NamedRows(NamedTuple):
    """Training rows, and the name of their source."""

    data: Dataset
    name: str


def row_header(text: TreeText, tree: int | None) -> Header:
    """Attributes of the rows that a model file is asked about."""
    if tree is None and text.ensemble is not None:
        return text.ensemble.header
    return text.entries[0].readings[0].header


def describe_wrapper(text: TreeText, tree: int | None) -> tuple[str, ...]:
    """Notes about a wrapper: what it is, or that one tree of it is meant."""
    ensemble = text.ensemble
    if ensemble is None or (ensemble.only_tree is not None and not any(ensemble.filters)):
        return ()
    if tree is not None:
        return (f"tree {tree} alone is meant, of {ensemble}",)
    return () if ensemble.only_tree is not None else (f"{text.source} is {ensemble}",)


def _training_candidate(
    rows: Rows | None, training: NamedRows | None, max_weight: float
) -> tuple[Dataset | None, str]:
    """The named training data, or else the rows at hand if they may be it; and their name."""
    if training is not None:
        return training.data, training.name
    if rows is None:
        return None, ""
    return rows.whole(max_weight), rows.name


# ------------------------------------------------------------------------------ all together


def find_committee(
    text: TreeText,
    ensemble: Ensemble,
    rows: Rows | None,
    training: NamedRows | None,
    *,
    max_weight: float,
    allow_mismatch: bool,
) -> tuple[Committee, str]:
    """All trees of a wrapper, and a note on what the rows at hand tell about them.

    Parameters
    ----------
    rows
        In the columns of the wrapper's header.
    max_weight
        What the training data weighs at most.
    """
    from j48geo.ensemble.committee import Committee, committee_from_text

    if not ensemble.printed:
        return Committee(text.entries, ensemble), ""
    trees, refusal = _printed_trees(text, ensemble)
    if refusal:
        return Committee(text.entries, replace(ensemble, refusal=refusal)), ""
    data, name = _training_candidate(rows, training, max_weight)
    committee = committee_from_text(text.entries, ensemble, trees, data)
    if committee.proven:
        if ensemble.name == "Bagging":
            return committee, f"{name} has the weight and the thresholds of the trees' samples"
        return committee, f"{name} is the training data of {ensemble}"
    if training is not None and not allow_mismatch:
        raise ReplayError(
            f"{name} is not the training data of {ensemble}: the counts differ; expected the "
            "data the trees were grown from"
        )
    note = f"{name} is not the training data: its text alone answers" if name else ""
    return committee, note


def _printed_trees(text: TreeText, ensemble: Ensemble) -> tuple[list[BoxTree], str]:
    """The trees of a printed wrapper, or why they cannot answer together."""
    if ensemble.header.inferred:
        return [], ensemble.refusal or "the text alone does not tell its attributes"
    if ensemble.refusal:
        return [], ensemble.refusal
    trees: list[BoxTree] = []
    try:
        trees += [select_tree(text, tree=k + 1) for k in ensemble.trees]
    except ModelReadError as error:
        return [], f"tree {len(trees) + 1} cannot be read ({error})"
    if any(not tree.has_counts for tree in trees):
        return [], "its text shows no counts"
    return trees, ""


# -------------------------------------------------------------------------- behind a filter


def find_filter(
    tree: BoxTree,
    ensemble: Ensemble,
    rows: Rows | None,
    training: NamedRows | None,
    *,
    max_weight: float,
    must_fit: bool,
) -> tuple[FilterChain | None, tuple[str, ...]]:
    """The filter that rows pass before the tree sees them, and notes about it.

    None if the rows at hand have been filtered already.

    Raises
    ------
    FilterError
        If the filter cannot be learnt from these rows, or would give other counts.
    """
    from j48geo.ensemble.filter_fitting import only_selects_columns
    from j48geo.ensemble.filters import FilterChain

    steps = list(ensemble.filters)
    notes = (_describe_filters(steps),)
    if not any(isinstance(step.filter, NamedFilter) for step in steps):
        return _fitted_filter(ensemble, steps, tree), notes
    (step,) = steps
    named = step.filter
    assert isinstance(named, NamedFilter)
    if only_selects_columns(named, tree.header):
        return None, ()
    if rows is None and training is None:
        return FilterChain(tree.header, ((tree.header, named),), tree.header), ()
    data, name = _training_candidate(rows, training, max_weight)
    try:
        is_filtered, row_filter = _learn_filter(named, tree, data)
    except FilterError:
        if must_fit:
            raise
        return None, (UNSENT,)
    if row_filter is not None:
        return row_filter, notes
    if is_filtered or _looks_filtered(named, tree, rows):
        return None, ()
    if not must_fit:
        return None, (UNSENT,)
    raise _filter_error(named, name)


def _looks_filtered(named: NamedFilter, tree: BoxTree, rows: Rows | None) -> bool:
    """Whether rows have the columns that only the filter makes."""
    from j48geo.ensemble.filter_fitting import shows_in_columns

    return rows is not None and shows_in_columns(named, tree.header) and _fits(tree, rows.header)


def _filter_error(named: NamedFilter, data_name: str) -> FilterError:
    """Why rows cannot pass a filter: part of it is not known, or the counts are others."""
    from j48geo.ensemble.filter_fitting import HELP, unknown_part

    unknown = unknown_part(named)
    if unknown:
        return FilterError(f"{unknown} is not known; {HELP}")
    return FilterError(
        f"the tree stands behind the filter {named.name}, and {data_name or 'the data'} does not "
        "give back its counts; expected the training data from before the filter"
    )


def _fitted_filter(ensemble: Ensemble, steps: list[Ensemble], tree: BoxTree) -> FilterChain:
    """The filters of a saved model, which hold their parameters."""
    from j48geo.ensemble.filters import FilterChain

    known = tuple((step.header, step.filter) for step in steps if step.filter is not None)
    return FilterChain(ensemble.header, known, tree.header)


def _learn_filter(
    named: NamedFilter, tree: BoxTree, data: Dataset | None
) -> tuple[bool, FilterChain | None]:
    """Whether training data has been filtered already, else the filter that gives its counts.

    That rows give the counts as they are proves nothing while the filter may give them too:
    ReplaceMissingValues leaves training rows alone that miss nothing, and changes new ones.
    """
    if data is None:
        return False, None
    if data.header.relation == tree.header.relation and data.header.names == tree.header.names:
        return replay(tree, data).recognised, None  # Weka writes its filters into this name
    candidates = _filter_candidates(named, tree, data)
    for row_filter in candidates:
        if replay(tree, row_filter.dataset(data)).recognised:
            return False, row_filter
    return bool(candidates) and replay(tree, data).recognised, None


def filter_training(row_filter: FilterChain, training: NamedRows) -> NamedRows:
    """The training rows as the tree saw them."""
    rows = align_columns(Rows.of(training.data, training.name), row_filter.header)
    return NamedRows(row_filter.dataset(rows.all()), training.name)


def filter_rows(row_filter: FilterChain, rows: Rows) -> Rows:
    """Rows from before the filter as the tree sees them."""
    return align_columns(rows, row_filter.header).viewed(row_filter.after, row_filter.dataset)


def _filter_candidates(named: NamedFilter, tree: BoxTree, data: Dataset) -> list[FilterChain]:
    """The ways in which the filter may have been learnt from these rows."""
    from j48geo.ensemble.filter_fitting import fit_filters, unknown_part
    from j48geo.ensemble.filters import FilterChain

    name = tree.header.class_attribute.name
    if name not in data.header.names or unknown_part(named):
        return []
    header = replace(data.header, class_index=data.header.position(name))
    ways = fit_filters(named, tree.header, align_dataset(data, header))
    chains = [FilterChain(header, ((header, way),), tree.header) for way in ways]
    # Of two versions that give the same counts the newer comes first.
    return chains[::-1] if tree.options.old_weka else chains


def _fits(tree: BoxTree, header: Header) -> bool:
    try:
        tree.with_header(header)
    except MismatchError:
        return False
    return True


def _describe_filters(steps: list[Ensemble]) -> str:
    filters = [step.filter for step in steps if step.filter is not None]
    names = " and ".join(f"the filter {filter_name(how)}" for how in filters)
    return f"rows pass {names} first: values and distances are those behind it"
