"""Load a model with its data: `load` gives a `Model`, `open_model` also the rows of its data.

The steps are: open the inputs, read the trees, filter the rows, count the training cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Header
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry, TreeText
from j48geo.core.wrappers import Ensemble
from j48geo.data.columns import (
    absent_class_note,
    add_missing_class,
    align_columns,
    align_dataset,
)
from j48geo.data.rows import Rows
from j48geo.data.source import SourceLike
from j48geo.data.table_kinds import table_kind, to_table
from j48geo.errors import J48GeoError
from j48geo.model.model import Model
from j48geo.model.sources import (
    OLD_TOLERANCE,
    ModelSource,
    Reading,
    as_source,
    choose_tree,
    is_file,
    open_any_rows,
)
from j48geo.model.training_data import (
    CountedTree,
    count_training,
    max_training_weight,
    recognise_training,
    tested_dates,
)
from j48geo.model.wrappers import (
    UNSENT,
    NamedRows,
    describe_wrapper,
    filter_rows,
    filter_training,
    find_committee,
    find_filter,
)
from j48geo.text import list_first

if TYPE_CHECKING:
    from j48geo.ensemble.filters import FilterChain


def load(
    model: SourceLike,
    train: Any = None,
    *,
    data: Any = None,
    tree: int | None = None,
    reader: str | None = None,
    class_attribute: str | int = "last",
    timezone: str | None = None,
    encoding: str | None = None,
    allow_mismatch: bool = False,
    old_weka: bool = False,
    delimiter: str | None = None,
    decimal: Literal[".", ","] = ".",
    unknown: Literal["refuse", "missing"] = "refuse",
) -> Model:
    r"""Read a model, and find out what its training data says about it.

    Parameters
    ----------
    model
        A path, bytes, an open file, or text with line breaks: what J48 printed (as it was
        saved or pasted), Graphviz, or a model file that `Model.save` wrote.
    train
        The data the tree was grown from: a path, a `Dataset`, or a table with column names.
        It must give back the printed counts. A table or CSV declares no types: those of the
        model hold, and of a text they are what its tests and leaves name.
    data
        Other rows at hand, likewise: they explain names that the text alone leaves open, and
        are taken for the training data if they give back the printed counts.
    tree, reader, class_attribute, timezone, encoding, allow_mismatch, old_weka
        See `Reading`.
    delimiter, decimal, unknown
        Of CSV and other tables without types, see `j48geo.data.stream.TableReading`.

    Raises
    ------
    ModelReadError, DataReadError, MismatchError
        If one of them cannot be read, or they do not belong together.

    Examples
    --------
    >>> model = load("x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n")
    >>> model
    Model('<text>': 2 leaves, classes no, yes; no training data)
    >>> model.predict([[1.0, 0], [5.0, 0]])
    array(['no', 'yes'], dtype=object)
    """
    reading = Reading(
        class_attribute,
        timezone,
        encoding,
        tree,
        reader,
        allow_mismatch,
        old_weka,
        delimiter,
        decimal,
        unknown,
    )
    loaded, rows = open_model(as_source(model), data, train, reading)
    if rows is not None:
        rows.__exit__()
    return loaded


def open_model(
    model: SourceLike,
    data: Any,
    train: Any,
    reading: Reading,
    *,
    compares_all: bool = False,
    must_fit: bool = True,
    learns: bool = True,
) -> tuple[Model, Rows | None]:
    """The model, and its data as rows in its columns, none of them consumed.

    Parameters
    ----------
    data, train
        A path, a `Dataset`, a table, or None.
    compares_all
        Compare the tree with all of the data, however long it is.
    must_fit
        Whether data that does not fit the tree is an error; otherwise a note tells it, and
        there are no rows.
    learns
        Whether training data, if the rows are that, will be of use; otherwise rows that
        arrive one after the other are not held back to find out.
    """
    source = ModelSource(model, reading)
    with ExitStack() as stack:
        inputs = _open_inputs(source, data, train, stack)
        inputs = replace(inputs, compares_all=compares_all, must_fit=must_fit, learns=learns)
        loaded, rows = _build_model(inputs)
        if rows is not None:
            stack.pop_all()  # from now on the rows themselves close what they opened
    return loaded, rows


@dataclass(frozen=True, eq=False)
class _Inputs:
    """A model and its data, opened but not yet put together.

    Parameters
    ----------
    rows, training
        The data and the training data; None if they were not given.
    notes
        What a person must know; the steps of loading add to it.
    compares_all, must_fit, learns
        See `open_model`.
    """

    source: ModelSource
    rows: Rows | None
    training: NamedRows | None
    notes: list[str]
    compares_all: bool = False
    must_fit: bool = True
    learns: bool = True

    @property
    def reading(self) -> Reading:
        return self.source.reading

    @property
    def brings_header(self) -> bool:
        """Whether the model itself tells the types of its attributes."""
        return self.source.file is not None or self.source.has_told_types

    def complete_rows(self, header: Header) -> Rows | None:
        """The rows with the class of a header; a note says if it is missing."""
        if self.rows is None:
            return None
        rows = add_missing_class(self.rows, header)
        if rows is not self.rows:
            self.notes.append(absent_class_note(self.rows.name))
        return rows

    def note_time_zone(self, tree: BoxTree) -> None:
        """Note that dates were read as UTC where nobody named a zone: Weka takes its JVM's."""
        has_rows = self.rows is not None or self.training is not None
        dates = tested_dates(tree) if has_rows and self.reading.timezone is None else []
        if dates:
            self.notes.append(
                f"dates of {list_first(dates)} were read as UTC; Weka reads them in the time zone "
                "of its JVM (timezone names it)"
            )


def _open_inputs(source: ModelSource, data: Any, train: Any, stack: ExitStack) -> _Inputs:
    """Step 1: open the data and read the training data, each with types from the other."""
    training: NamedRows | None = None
    notes: list[str] = []
    rows: Rows | None = None
    if data is not None and not is_file(data):
        data = to_table(data)  # now, since some can be read only once

    def types() -> Header:
        """Types of training data that declares none: those of the data, if it does."""
        nonlocal rows
        if source.file is None and data is not None and (is_file(data) or table_kind(data) is None):
            rows = stack.enter_context(open_any_rows(data, source))
            if not source.has_told_types:
                return rows.header
        return source.types()

    if train is not None:
        with open_any_rows(train, source, types) as opened:
            training = NamedRows(opened.all(), opened.name)
        notes += opened.notes
    if data is not None and rows is None:
        header = None if training is None else training.data.header
        rows = stack.enter_context(open_any_rows(data, source, header))
    return _Inputs(source, rows, training, notes)


def _build_model(inputs: _Inputs) -> tuple[Model, Rows | None]:
    """Steps 2 to 4: read the trees, filter the rows, count the training cases."""
    text = _read_text(inputs)
    ensemble = text.ensemble if inputs.reading.tree is None else None
    if ensemble is not None and ensemble.only_tree is None:
        return _build_committee(inputs, text, ensemble)
    row_filter = None
    if ensemble is not None and any(ensemble.filters):
        row_filter, inputs = _filter_inputs(inputs, text, ensemble)
    counted, rows = _count_cases(inputs, text)
    tree = counted.tree
    inputs.note_time_zone(tree)
    is_filtered = text.ensemble is not None and any(text.ensemble.filters)
    if is_filtered and row_filter is None and counted.differs and UNSENT not in inputs.notes:
        inputs.notes.append(UNSENT)
    model = Model(
        tree,
        counted.counts,
        training=counted.training,
        training_name=counted.training_name,
        replay=counted.replay,
        replayed=counted.replayed,
        fitted=counted.fitted,
        counts_from_file=counted.from_file,
        source=inputs.source.name,
        sha256=text.sha256,
        titles=tuple(entry.title for entry in text.entries),
        number=inputs.reading.tree_number,
        training_note=counted.note,
        notes=(*inputs.notes, *counted.notes),
        filter=row_filter,
        is_wrapped=ensemble is not None and not _passes_classes(ensemble),
    )
    if rows is None or not counted.fits:
        return model, None
    # The class is the tree's, whichever attribute the data takes for its own.
    return model, rows.viewed(tree.header, lambda block: replace(block, header=tree.header))


def _passes_classes(ensemble: Ensemble) -> bool:
    """Whether the class of a wrapper around one tree is that of the tree."""
    inner = [member for member in ensemble.members if isinstance(member, Ensemble)]
    return ensemble.passes_classes and all(map(_passes_classes, inner))


def _read_text(inputs: _Inputs) -> TreeText:
    """Step 2: the trees of the text, in the words of the header of its data."""
    header = None
    if not inputs.brings_header:
        if inputs.training is not None:
            header = inputs.training.data.header
        elif inputs.rows is not None:
            header = inputs.rows.header
    text = inputs.source.text(header)
    if text.ensemble is not None:
        inputs.notes.extend(describe_wrapper(text, inputs.reading.tree))
    return text


def _filter_inputs(
    inputs: _Inputs, text: TreeText, ensemble: Ensemble
) -> tuple[FilterChain | None, _Inputs]:
    """Step 3: find the filters before the tree, and send the rows through them."""
    tree = choose_tree(text, inputs.reading, None)
    row_filter, filter_notes = find_filter(
        tree,
        ensemble,
        inputs.rows,
        inputs.training,
        max_weight=inf if inputs.compares_all else max_training_weight([tree]),
        must_fit=inputs.must_fit and not inputs.compares_all,
    )
    inputs.notes.extend(filter_notes)
    if row_filter is None:
        return None, inputs
    rows = inputs.complete_rows(row_filter.header)
    rows = None if rows is None else filter_rows(row_filter, rows)
    training = inputs.training
    training = None if training is None else filter_training(row_filter, training)
    return row_filter, replace(inputs, rows=rows, training=training)


def _count_cases(inputs: _Inputs, text: TreeText) -> tuple[CountedTree, Rows | None]:
    """Step 4: the tree with its counts, from named training data, from the rows or the text."""
    if inputs.training is not None:
        return _count_named_training(inputs, inputs.training, text)
    number = inputs.reading.tree_number
    entry = text.entries[number - 1] if 0 < number <= len(text.entries) else None
    rows_pass = _let_rows_pass(inputs, entry)
    held = None
    if inputs.rows is not None and not rows_pass:
        max_weight = 0.0 if entry is None else max_training_weight(entry.readings)
        held = inputs.rows.whole() if inputs.compares_all else inputs.rows.whole(max_weight)
    tree = choose_tree(text, inputs.reading, held)
    assert entry is not None  # `choose_tree` refuses a number that the text does not have
    rows = inputs.complete_rows(tree.header) if inputs.brings_header else inputs.rows
    with _notes_on_error(tree):
        counted = recognise_training(
            tree,
            rows,
            held,
            stored=entry.counts,
            must_fit=inputs.must_fit,
            compares_all=inputs.compares_all,
        )
    if rows_pass:
        counted = replace(counted, note="")  # the rows were not compared with the tree
    if counted.training is None and entry.training is not None:  # J48's -L
        counted = replace(
            counted,
            training=align_dataset(entry.training, counted.tree.header),
            training_name=f"{inputs.source.name}, which keeps its rows",
        )
    if entry.fitted is not None:
        fitted = entry.fitted.with_header(tree.header, counted.tree.header)
        counted = replace(counted, fitted=fitted)
    return replace(counted, notes=(*tree.notes, *counted.notes)), rows


def _count_named_training(
    inputs: _Inputs, training: NamedRows, text: TreeText
) -> tuple[CountedTree, Rows | None]:
    """The tree with the counts of the rows that were named as its training data."""
    tree = choose_tree(text, inputs.reading, training.data)
    rows = inputs.rows
    with _notes_on_error(tree):
        counted = count_training(
            tree, training.data, training.name, allow_mismatch=inputs.reading.allow_mismatch
        )
        if rows is not None:
            rows = inputs.complete_rows(counted.tree.header)
            assert rows is not None
            aligned_tree = counted.tree.with_header(rows.header, rows.name)
            counted = replace(
                counted,
                tree=aligned_tree,
                training=align_dataset(training.data, aligned_tree.header),
            )
    return replace(counted, notes=(*tree.notes, *counted.notes)), rows


def _let_rows_pass(inputs: _Inputs, entry: Entry | None) -> bool:
    """Whether rows that arrive one by one go on at once, since the model knows its counts."""
    if inputs.rows is None or not inputs.rows.arrive or inputs.compares_all:
        return False
    if entry is None or entry.counts is None:
        return False
    return not inputs.learns or entry.fitted is not None


@contextmanager
def _notes_on_error(tree: BoxTree) -> Iterator[None]:
    """Let an error carry the notes of the tree: they may explain it."""
    try:
        yield
    except J48GeoError as error:
        for note in tree.notes:
            error.add_note(note)
        raise


def _build_committee(
    inputs: _Inputs, text: TreeText, ensemble: Ensemble
) -> tuple[Model, Rows | None]:
    """A model of several trees that answer together; the first one is compared with the rows."""
    if inputs.reading.old_weka:
        text = replace(text, entries=tuple(map(_with_old_tolerance, text.entries)))
    tree = choose_tree(text, inputs.reading, None)
    if ensemble.header.class_index is None:  # a wrapper that is refused may lack it
        ensemble = replace(ensemble, header=tree.header)
    header = ensemble.header
    is_refused = any(True for _ in ensemble.refusals)
    stored = text.entries[0].counts
    counted = CountedTree(tree, stored or counts_from_text(tree))
    rows = inputs.rows
    if rows is not None and (inputs.compares_all or not inputs.must_fit):
        counted = recognise_training(
            tree,
            rows,
            rows.whole(),
            stored=stored,
            must_fit=inputs.must_fit,
            compares_all=inputs.compares_all,
        )
    inputs.note_time_zone(counted.tree)
    max_weight = 0.0 if rows is None else max_training_weight([tree])
    rows = rows if counted.fits else None
    training = inputs.training
    if not is_refused:
        rows = None if rows is None else _align_committee_rows(inputs, header)
        training = None if training is None else _align_training(training, header)
    committee, note = find_committee(
        text,
        ensemble,
        rows,
        training,
        max_weight=max_weight,
        allow_mismatch=inputs.reading.allow_mismatch,
    )
    model = Model(
        counted.tree,
        counted.counts,
        replay=counted.replay,
        replayed=counted.replayed,
        counts_from_file=counted.from_file,
        source=text.source,
        sha256=text.sha256,
        titles=tuple(entry.title for entry in text.entries),
        training_note=note,
        notes=(*inputs.notes, *tree.notes, *counted.notes),
        committee=committee,
    )
    return model, rows


def _with_old_tolerance(entry: Entry) -> Entry:
    readings = tuple(replace(tree, tolerance=OLD_TOLERANCE) for tree in entry.readings)
    return replace(entry, readings=readings)


def _align_committee_rows(inputs: _Inputs, header: Header) -> Rows:
    """The rows in the columns of a wrapper's header."""
    rows = inputs.complete_rows(header)
    assert rows is not None
    return align_columns(rows, header)


def _align_training(training: NamedRows, header: Header) -> NamedRows:
    """The training data in the columns of a wrapper's header."""
    rows = align_columns(Rows.of(training.data, training.name), header)
    return NamedRows(rows.all(), training.name)
