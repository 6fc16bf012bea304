"""From a file, or whatever holds a tree, to a `Model`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Header
from j48geo.core.fitted_values import Fitted
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry, TreeText
from j48geo.core.wrappers import Ensemble
from j48geo.data.frame import is_table
from j48geo.data.rows import Rows
from j48geo.data.source import SourceLike
from j48geo.errors import J48GeoError
from j48geo.model.model import Model
from j48geo.model.sources import (
    OLD_TOLERANCE,
    ModelSource,
    Reading,
    chosen_tree,
    opened_rows,
    source_of,
)
from j48geo.model.training_data import Known, heaviest, named_training, recognised
from j48geo.model.wrappers import (
    UNSENT,
    Named,
    filtered_rows,
    filtered_training,
    find_filtering,
    find_whole,
    wrapper_words,
)
from j48geo.replaying.align import aligned, bound, completed, in_columns

if TYPE_CHECKING:
    from j48geo.ensemble.filters import Filtering


def load(
    model: SourceLike,
    train: Any = None,
    *,
    data: Any = None,
    tree: int | None = None,
    reader: str | None = None,
    class_attribute: str | int = "last",
    timezone: str = "UTC",
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
        A path, bytes, a binary file, or text with line breaks: what J48 printed (as it was
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
    found, rows = open_model(source_of(model), data, train, reading)
    if rows is not None:
        rows.__exit__()
    return found


def open_model(
    model: SourceLike,
    data: Any,
    train: Any,
    reading: Reading,
    *,
    whole: bool = False,
    must_fit: bool = True,
    learns: bool = True,
) -> tuple[Model, Rows | None]:
    """The model, and its data as rows in its columns, none of them consumed.

    Parameters
    ----------
    data, train
        A path, a `Dataset`, a table, or None.
    whole
        Compare the tree with all of the data, however long it is.
    must_fit
        Whether data that does not fit the tree is an error; otherwise a note tells it, and
        there are no rows.
    learns
        Whether training data, if the rows are that, will be of use; otherwise rows that
        arrive one after the other are not held back to find out.
    """
    training: Named | None = None
    notes: list[str] = []
    source = ModelSource(model, reading)
    with ExitStack() as stack:
        rows: Rows | None = None

        def types() -> Header:
            """Types of training data that declares none: those of the data, if it does."""
            nonlocal rows
            if source.file is None and data is not None and not is_table(data):
                rows = stack.enter_context(opened_rows(data, source))
                if not source.asked:
                    return rows.header
            return source.types()

        if train is not None:
            with opened_rows(train, source, types) as given:
                training = Named(given.all(), given.name)
            notes += given.notes
        if data is not None and rows is None:
            known = None if training is None else training.data.header
            rows = stack.enter_context(
                opened_rows(data, source, None if known is None else lambda: known)
            )
        made, rows = _made(source, rows, training, notes, whole, must_fit, learns)
        if rows is not None:
            stack.pop_all()  # from now on the rows themselves close what they opened
    return made, rows


def _made(
    source: ModelSource,
    rows: Rows | None,
    training: Named | None,
    notes: list[str],
    whole: bool,
    must_fit: bool,
    learns: bool,
) -> tuple[Model, Rows | None]:
    name, reading = source.name, source.reading
    brings_header = source.file is not None or source.asked
    header = None
    if not brings_header:
        if training is not None:
            header = training.data.header
        elif rows is not None:
            header = rows.header
    text = source.text(header)
    if text.ensemble is not None:
        notes += wrapper_words(text, reading.tree)
    ensemble = text.ensemble if reading.tree is None else None
    if ensemble is not None and ensemble.alone is None:
        return _all_together(text, ensemble, rows, training, reading, notes, whole, must_fit)
    number = 1 if reading.tree is None else reading.tree
    fitted: Fitted | None = None
    before: Filtering | None = None
    if ensemble is not None and any(ensemble.filters):
        tree = chosen_tree(text, reading, None)
        before, said = find_filtering(
            tree,
            ensemble,
            rows,
            training,
            most=inf if whole else heaviest([tree]),
            must_fit=must_fit and not whole,
        )
        notes += said
        if before is not None and rows is not None:
            rows = filtered_rows(before, _completed(rows, before.header, notes))
        if before is not None and training is not None:
            training = filtered_training(before, training)
    if training is not None:
        chosen = chosen_tree(text, reading, training.data)
        with _telling(chosen):
            known = named_training(
                chosen, training.data, training.name, allow_mismatch=reading.allow_mismatch
            )
            if rows is not None:
                rows = _completed(rows, known.tree.header, notes)
                tree = bound(known.tree, rows.header, rows.name)
                known = replace(known, tree=tree, training=aligned(training.data, tree.header))
    else:
        held = None
        entries = text.entries[number - 1 : number] if number > 0 else ()
        counted = bool(entries) and entries[0].counts is not None
        passing = (
            rows is not None
            and rows.arrive
            and not whole
            and counted
            and (not learns or entries[0].fitted is not None)
        )
        if rows is not None and not passing:
            most = heaviest(entries[0].readings) if entries else 0.0
            held = rows.whole() if whole else rows.whole(most)
        chosen = chosen_tree(text, reading, held)
        if rows is not None and brings_header:
            rows = _completed(rows, chosen.header, notes)
        entry = text.entries[number - 1]
        with _telling(chosen):
            known = recognised(
                chosen, rows, held, stored=entry.counts, must_fit=must_fit, whole=whole
            )
        if passing:
            known = replace(known, said="")  # nobody looked
        if known.training is None and entry.training is not None:  # J48's -L
            known = replace(
                known,
                training=aligned(entry.training, known.tree.header),
                training_name=f"{name}, which keeps its rows",
            )
        if entry.fitted is not None:
            fitted = entry.fitted.rebound(chosen.header, known.tree.header)
    behind = text.ensemble is not None and any(text.ensemble.filters) and before is None
    if behind and known.replay is not None and not known.replay.recognised and UNSENT not in notes:
        notes.append(UNSENT)
    made = Model(
        known.tree,
        known.counts,
        training=known.training,
        training_name=known.training_name,
        replay=known.replay,
        replayed=known.replayed,
        fitted=fitted,
        kept=known.kept,
        source=name,
        sha256=text.sha256,
        titles=tuple(entry.title for entry in text.entries),
        number=number,
        said=known.said,
        notes=(*notes, *chosen.notes, *known.notes),
        before=before,
        wrapped=ensemble is not None,
    )
    if rows is None or not known.fits:
        return made, None
    header = made.tree.header  # its class, whichever attribute the data takes for its own
    return made, rows.viewed(header, lambda block: replace(block, header=header))


@contextmanager
def _telling(tree: BoxTree) -> Iterator[None]:
    """Let an error carry what is to be said of the tree: it may explain the error."""
    try:
        yield
    except J48GeoError as error:
        for note in tree.notes:
            error.add_note(note)
        raise


def _all_together(
    text: TreeText,
    ensemble: Ensemble,
    rows: Rows | None,
    training: Named | None,
    reading: Reading,
    notes: list[str],
    whole: bool,
    must_fit: bool,
) -> tuple[Model, Rows | None]:
    """A wrapper; to be looked at, its first tree is compared with the rows."""
    name = text.source
    if reading.old_weka:
        text = replace(text, entries=tuple(map(_tolerant, text.entries)))
    tree = chosen_tree(text, reading, None)
    if ensemble.header.class_index is None:  # a wrapper that is refused may lack it
        ensemble = replace(ensemble, header=tree.header)
    header = ensemble.header
    refused = any(True for _ in ensemble.refusals)
    known = Known(tree, text.entries[0].counts or counts_from_text(tree))
    if rows is not None and (whole or not must_fit):
        held = rows.whole()
        stored = text.entries[0].counts
        known = recognised(tree, rows, held, stored=stored, must_fit=must_fit, whole=whole)
    placed = None
    if rows is not None and known.fits:
        placed = rows if refused else in_columns(_completed(rows, header, notes), header)
    if training is not None and not refused:
        found_rows = in_columns(Rows.of(training.data, training.name), header)
        training = Named(found_rows.all(), training.name)
    found, said = find_whole(
        text,
        ensemble,
        placed,
        training,
        most=heaviest([tree]) if rows is not None else 0.0,
        allow_mismatch=reading.allow_mismatch,
    )
    made = Model(
        known.tree,
        known.counts,
        replay=known.replay,
        replayed=known.replayed,
        kept=known.kept,
        source=name,
        sha256=text.sha256,
        titles=tuple(entry.title for entry in text.entries),
        said=said,
        notes=(*notes, *tree.notes, *known.notes),
        whole=found,
    )
    return made, placed


def _tolerant(entry: Entry) -> Entry:
    readings = tuple(replace(tree, tolerance=OLD_TOLERANCE) for tree in entry.readings)
    return replace(entry, readings=readings)


def _completed(rows: Rows, header: Header, notes: list[str]) -> Rows:
    found = completed(rows, header)
    if found is not rows:
        name = header.class_attribute.name
        notes.append(f"{rows.name} has no attribute {name!r}; the class is taken as missing")
    return found
