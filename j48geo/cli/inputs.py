"""Open the model and the rows that the options of a command name (`Inputs`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import click

from j48geo.cli.notes import Notes
from j48geo.errors import (
    DataReadError,
    J48GeoError,
    MismatchError,
    ModelReadError,
    UnknownCountsError,
)

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset
    from j48geo.data.rows import Rows
    from j48geo.model.model import Model
    from j48geo.model.sources import Reading


@dataclass(frozen=True)
class Inputs:
    """What the user says about the model and the data; see the options of the same names."""

    model: str = ""
    data: str | None = None
    class_attribute: str = "last"
    timezone: str | None = None
    encoding: str | None = None
    tree: int | None = None
    reader: str | None = None
    train: str | None = None
    allow_mismatch: bool = False
    old_weka: bool = False
    labels: str | None = None
    calibrate: str | None = None
    delimiter: str | None = None
    decimal: Literal[".", ","] = "."
    unknown: Literal["refuse", "missing"] = "refuse"

    @property
    def zone(self) -> str:
        """Time zone in which dates are read and written."""
        return self.timezone or "UTC"

    @property
    def reading(self) -> Reading:
        """How the model and the data are to be read."""
        from j48geo.model.sources import Reading

        return Reading(
            self.class_attribute,
            self.timezone,
            self.encoding,
            self.tree,
            self.reader,
            self.allow_mismatch,
            self.old_weka,
            self.delimiter,
            self.decimal,
            self.unknown,
        )

    @contextmanager
    def open(
        self,
        notes: Notes,
        choices: Mapping[str, Any] | None = None,
        *,
        data: str | None = None,
        compares_all: bool = False,
        must_fit: bool = True,
        several: bool = False,
        learns: bool = True,
        keep: str | bool = False,
    ) -> Iterator[tuple[Model, Rows]]:
        """The model with what was chosen about it, and its rows; what must be said is said.

        Parameters
        ----------
        data
            Rows to use if the command was given none.
        compares_all, must_fit, learns
            See `j48geo.model.loader.open_model`.
        keep
            Columns of CSV that go along, see `j48geo.data.stream.TableReading`.
        several
            Whether several trees that answer together will do.
        """
        from j48geo.data.rows import Rows
        from j48geo.model.loader import open_model

        self._check_stdin()
        chosen = dict(choices or {})
        if "metric" in chosen:
            chosen["metric"] = _parse_metric(chosen["metric"])
        wanted = self.data if self.data is not None else data
        with ExitStack() as stack:
            try:
                model, rows = open_model(
                    self.model,
                    wanted,
                    self.train,
                    replace(self.reading, keep=keep),
                    compares_all=compares_all,
                    must_fit=must_fit,
                    learns=learns,
                )
            except (ModelReadError, DataReadError, MismatchError) as error:
                raise self._explain_error(error, wanted, self.train) from error
            if rows is not None:
                stack.enter_context(rows)
            # A refusal says what the model is; no note says it before.
            is_looked_at = compares_all or not must_fit
            if not several:
                model.require_one(str(click.get_current_context().info_name))
            elif model.committee is not None and not is_looked_at:
                model.committee.require_known()
            notes.note(*model.notes)
            if len(model.titles) > 1:
                notes.note(*self._note_several(model, is_looked_at))
            model = self._apply_labels(model.with_(**chosen), notes)
            if rows is None:
                rows = Rows("", model.header, ())
            try:
                yield model, rows
            except UnknownCountsError as error:
                raise UnknownCountsError(f"{model.source}: {error}") from error
            notes.note(*rows.notes)  # known only now: rows are read while they are answered

    def open_data(self, path: str | None = None) -> Rows:
        """The rows of DATA, or of another file, where there is no model."""
        name = path or self.data
        assert name is not None
        try:
            return self.reading.open(name)
        except DataReadError as error:
            from j48geo.model.sources import holds_a_tree

            if holds_a_tree(name):
                raise _not_data_error(name) from error
            raise self._explain_csv(error) from error

    def sample(self, model: Model, notes: Notes, test: str | None = None) -> dict[str, Any]:
        """Cases for the kernel estimates, as arguments of the model's methods.

        With a test file also whether its rows are these cases.
        """
        from j48geo.data.source import is_same_file

        kept, calibration = model.fitted, self.calibrate
        if calibration is None and kept is not None and kept.calibration != kept.training:
            calibration = kept.calibration
        seen = {} if test is None else {"sample_is_test": is_same_file(test, calibration)}
        if self.calibrate is None:
            return seen
        from j48geo.model.fitting import check_sample

        cases, sample_notes = check_sample(model, self.read(self.calibrate, model), self.calibrate)
        notes.note(*sample_notes)
        return seen | {
            "sample": cases,
            "sample_name": self.calibrate,
            "sample_seen": is_same_file(self.calibrate, self.train),
        }

    def trained_on(self, test: str, model: Model) -> bool:
        """Whether a file is the training data: by name, or since nothing else was named."""
        from j48geo.data.source import is_same_file

        return model.training is not None if self.train is None else is_same_file(self.train, test)

    def read(self, path: str, model: Model) -> Dataset:
        """All rows of another file, in the columns of the model."""
        from j48geo.data.rows import check_weights

        try:
            with self.reading.open(path, model.header) as rows:
                dataset = model.align_rows(rows).all()
        except (DataReadError, MismatchError) as error:
            raise self._explain_error(error, path) from error
        check_weights(dataset.weights, 1, path)
        return dataset

    def _apply_labels(self, model: Model, notes: Notes) -> Model:
        if self.labels is None:
            if model.overlay is not None:
                notes.note("this tree was relabelled: classes are its labels, not its majorities")
            return model
        from j48geo.model.sources import labels_by_leaf, read_labels

        names = read_labels(self.labels, model.tree)
        labels_by_leaf(model.tree, names, self.labels)  # an error names the file
        relabelled = model.relabel(labels=names)
        pairs = zip(relabelled.labelled_tree.leaves, model.tree.leaves, strict=True)
        changed = sum(a.label != b.label for a, b in pairs)
        n = len(model.tree.leaves)
        notes.note(f"{self.labels}: {changed} of {n} labels differ from the model's")
        return relabelled

    def _note_several(self, model: Model, looked_at: bool) -> list[str]:
        """Which of several trees is used; those that answer together all are, to predict."""
        if model.committee is not None and not looked_at:
            return []
        titles = [f"{i} {title}" for i, title in enumerate(model.titles, 1)]
        shown = "; ".join(titles[:12]) + ("; ..." if len(titles) > 12 else "")
        return [
            f"{model.source} holds {len(titles)} trees, number {model.number} is used "
            f"(--tree K takes another): {shown}"
        ]

    def _check_stdin(self) -> None:
        if sum(source == "-" for source in (self.model, self.data, self.train)) > 1:
            raise click.UsageError("only one of MODEL, DATA and --train can be '-'")
        if self.calibrate == "-":
            raise click.UsageError("--calibrate: expected a file")

    def _explain_error(self, error: J48GeoError, *others: str | None) -> J48GeoError:
        """The same error, or a clearer one where MODEL is data or one of the others a model."""
        from j48geo.data.stream import is_arff_file
        from j48geo.model.sources import holds_a_tree

        is_arff = is_arff_file(self.model)
        model = next((path for path in others if path is not None and holds_a_tree(path)), None)
        unread = isinstance(error, ModelReadError) and not isinstance(error, MismatchError)
        if is_arff or (model is not None and unread):
            return ModelReadError(
                "this is data (ARFF), not a tree" if is_arff else "this is no tree",
                "expected MODEL first, then DATA: it seems that "
                f"{self.model} and {model} are swapped"
                if model is not None
                else "expected the text that J48 prints, or a model file",
                self.model,
            )
        return error if model is None else _not_data_error(model)

    def _explain_csv(self, error: DataReadError) -> DataReadError:
        """The same error, or what CSV needs where it was read as ARFF."""
        is_csv = error.source.lower().endswith((".csv", ".csv.gz"))
        if not error.line or not is_csv:
            return error
        return DataReadError(
            error.problem,
            "expected ARFF: CSV does not tell its types",
            error.source,
            error.line,
            error.column,
            error.excerpt,
        )


def _not_data_error(path: str) -> DataReadError:
    return DataReadError("this is a tree, not data", "expected ARFF or a table", path)


def _parse_metric(metric: str) -> Any:
    """A kind of metric, or the scales of a file."""
    if metric in ("standard", "minmax", "none"):
        return metric
    import os

    if not os.path.exists(metric):
        raise click.BadParameter(
            f"{metric!r} is neither one of standard, minmax, none nor a file of scales",
            param_hint="'--metric'",
        )
    from j48geo.data.small_tables import read_scales

    return read_scales(metric)
