"""From a file, or whatever holds a tree, to a `Model`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Dataset, Header
from j48geo.core.ensemble import Ensemble
from j48geo.core.learnt import Fitted
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry, TreeText
from j48geo.data.frame import is_table, table_dataset
from j48geo.data.rows import Rows, open_rows
from j48geo.data.source import ByteSource, SourceLike, display_name, guarded, read_bytes
from j48geo.ensemble.filters import Filtering
from j48geo.errors import J48GeoError, ModelReadError
from j48geo.model.model import Model
from j48geo.model.recognise import Known, heaviest, named_training, recognised
from j48geo.model.wrapping import (
    UNSENT,
    Named,
    asked_header,
    filtered_rows,
    filtered_training,
    find_filtering,
    find_whole,
    wrapper_words,
)
from j48geo.read.door import choose, read_model_file, read_trees
from j48geo.replaying.align import aligned, bound, completed, in_columns

__all__ = ["Reading", "load", "open_model"]

OLD_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Reading:
    """How a model and its data are to be read.

    Parameters
    ----------
    class_attribute
        Class of the data: ``first``, ``last``, a number from 1, or a name.
    timezone, encoding
        Of the data: zone of dates without one; encoding if it is not UTF-8.
    tree
        Which tree, if the text holds several, from 1. Without it a wrapper is all of its
        trees, and any other text its first.
    reader
        Name of the reader; by default the bytes decide.
    allow_mismatch
        Use training data even if it does not give back the printed counts.
    old_weka
        Compare as Weka before 3.8.3 did: up to 1e-6 above a threshold still goes left.
    """

    class_attribute: str | int = "last"
    timezone: str = "UTC"
    encoding: str | None = None
    tree: int | None = None
    reader: str | None = None
    allow_mismatch: bool = False
    old_weka: bool = False

    def open(self, source: SourceLike, header: Header | None = None) -> Rows:
        """The rows of a file."""
        return open_rows(
            source,
            header=header,
            class_attribute=self.class_attribute,
            timezone=self.timezone,
            encoding=self.encoding,
        )


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
) -> Model:
    r"""Read a model, and find out what its training data says about it.

    Parameters
    ----------
    model
        A path, bytes, a binary file, or text with line breaks: what J48 printed (as it was
        saved or pasted), Graphviz, or a model file that `Model.save` wrote.
    train
        The data the tree was grown from: a path, a `Dataset`, or a table with column names.
        It must give back the printed counts. A table declares no types: those of the model
        hold, and of a text they are what its tests and leaves name.
    data
        Other rows at hand, likewise: they explain names that the text alone leaves open, and
        are taken for the training data if they give back the printed counts.
    tree, reader, class_attribute, timezone, encoding, allow_mismatch, old_weka
        See `Reading`.

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
    reading = Reading(class_attribute, timezone, encoding, tree, reader, allow_mismatch, old_weka)
    found, rows = open_model(_text(model), data, train, reading)
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
    """
    training = types = None
    notes: list[str] = []
    if is_table(train) or (train is None and is_table(data)):
        model, types, used = _alone(model, reading)
        if is_table(train):
            train = Rows.of(table_dataset(train, types, used), "the table")
    if train is not None:
        with _rows(train, reading, types) as given:
            training = Named(given.all(), given.name)
        notes += given.notes
        types = training.data.header
    with ExitStack() as stack:
        made, rows = _opened(model, data, training, types, reading, notes, stack, whole, must_fit)
        if rows is not None:
            stack.pop_all()  # from now on the rows themselves close what they opened
    return made, rows


def _opened(
    model: SourceLike,
    data: Any,
    training: Named | None,
    types: Header | None,
    reading: Reading,
    notes: list[str],
    stack: ExitStack,
    whole: bool,
    must_fit: bool,
) -> tuple[Model, Rows | None]:
    name = display_name(model)
    text, source = _model_file(model, name, reading)
    if text is not None and training is None:
        types = asked_header(text, reading.tree)
    rows = None if data is None else _rows(data, reading, types)
    if rows is not None:
        stack.enter_context(rows)
    brings_header = text is not None
    if text is None:
        header = types if types is not None else None if rows is None else rows.header
        text = guarded(
            ModelReadError,
            name,
            lambda: read_trees(source, header=header, reader=reading.reader),
        )
    notes += wrapper_words(text, reading.tree)
    ensemble = text.ensemble if reading.tree is None else None
    if ensemble is not None and ensemble.alone is None:
        return _all_together(text, ensemble, rows, training, reading, notes, whole, must_fit)
    number = reading.tree or 1
    fitted: Fitted | None = None
    before: Filtering | None = None
    if ensemble is not None and any(ensemble.filters):
        tree = _chosen(text, reading, None)
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
        chosen = _chosen(text, reading, training.data)
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
        if rows is not None:
            entries = text.entries[number - 1 : number] if number > 0 else ()
            most = heaviest(entries[0].readings) if entries else 0.0
            held = rows.whole() if whole else rows.whole(most)
        chosen = _chosen(text, reading, held)
        if rows is not None and brings_header:
            rows = _completed(rows, chosen.header, notes)
        entry = text.entries[number - 1]
        with _telling(chosen):
            known = recognised(
                chosen, rows, held, stored=entry.counts, must_fit=must_fit, whole=whole
            )
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


def _alone(model: SourceLike, reading: Reading) -> tuple[SourceLike, Header, list[int]]:
    """Attributes as the model alone tells them, and those it asks for; a table has no types.

    The first is the model again, which may have been a stream.
    """
    raw, name = read_bytes(model, error=ModelReadError)
    text, source = _model_file(ByteSource(name, _once(raw)), name, reading)
    if text is None:
        text = guarded(ModelReadError, name, lambda: read_trees(source, reader=reading.reader))
    header = asked_header(text, reading.tree)
    tree = _chosen(text, reading, None)
    used = [k for k in range(len(header)) if k != header.class_index]
    if tree.header == header:
        used = sorted(tree.used_attributes)
    return ByteSource(name, _once(raw)), header, used


@contextmanager
def _telling(tree: BoxTree) -> Iterator[None]:
    """Let an error carry what is to be said of the tree: it may explain the error."""
    try:
        yield
    except J48GeoError as error:
        for note in tree.notes:
            error.add_note(note)
        raise


def _text(model: SourceLike) -> SourceLike:
    """A text with line breaks is the model itself, not its name."""
    if isinstance(model, str) and "\n" in model:
        return ByteSource("<text>", _once(model.encode("utf-8", "surrogateescape")))
    return model


def _once(data: bytes) -> Any:
    import io

    return io.BytesIO(data).read


def _rows(source: Any, reading: Reading, header: Header | None) -> Rows:
    if isinstance(source, Rows):
        return source
    if isinstance(source, (str, bytes, os.PathLike)):
        return reading.open(source, header)
    if isinstance(source, Dataset):
        return Rows.of(source, "the data set")
    if is_table(source):
        assert header is not None
        return Rows.of(table_dataset(source, header), "the table")
    return reading.open(source, header)


def _model_file(
    model: SourceLike, name: str, reading: Reading
) -> tuple[TreeText | None, SourceLike]:
    """The tree of a model file that brings its header along; else what is still to be read."""
    if reading.reader not in (None, "json"):
        return None, model
    found = guarded(ModelReadError, name, lambda: read_model_file(model))
    return (None, found) if isinstance(found, ByteSource) else (found, model)


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
    tree = _chosen(text, reading, None)
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


def _chosen(text: TreeText, reading: Reading, data: Dataset | None) -> BoxTree:
    number = reading.tree or 1
    tree = guarded(ModelReadError, text.source, lambda: choose(text, tree=number, data=data))
    return replace(tree, tolerance=OLD_TOLERANCE) if reading.old_weka else tree


def _completed(rows: Rows, header: Header, notes: list[str]) -> Rows:
    found = completed(rows, header)
    if found is not rows:
        name = header.class_attribute.name
        notes.append(f"{rows.name} has no attribute {name!r}; the class is taken as missing")
    return found
