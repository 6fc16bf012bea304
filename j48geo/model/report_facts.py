"""Gather the facts of the report page from the answers of a model, and draw its tree."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.dataset import Dataset
from j48geo.data.rows import Progress, Rows, no_progress
from j48geo.data.source import is_same_file
from j48geo.decide.evaluation.evaluation import Evaluation
from j48geo.decide.leaf_counts import class_counts, count_coverage
from j48geo.geometry.distance import has_boundary
from j48geo.model.evaluation import evaluate_rows
from j48geo.model.explanations import explain_rows
from j48geo.model.rankings import rank_rows
from j48geo.model.settings import auto_ranking
from j48geo.report.cost_facts import CostFacts, gather_cost_facts
from j48geo.report.facts import (
    CaseFacts,
    EvaluationFacts,
    FileFacts,
    ReportFacts,
    check_verdict,
    pick_evenly,
)
from j48geo.report.tree_drawing import draw_tree, draw_tree_picture
from j48geo.report.tree_facts import TreeFacts, gather_tree_facts
from j48geo.text import to_one_line

if TYPE_CHECKING:
    from j48geo.model.model import Model


CASES = 1000
"""So many cases are explained at most; fewer where the tree is large (`CASE_LEAVES`)."""
CASE_LEAVES = 500_000
JUDGED_LEAVES = 2_500_000
"""So many pairs of a row and a leaf are judged at most, which takes about a minute."""
SHOWN_BLOCK_ROWS = 200
"""Rows of a block, so that progress is told often enough."""


@dataclass(frozen=True, eq=False)
class _ShownRows:
    """The rows that cases are shown of and methods judged on."""

    data: Dataset
    name: str
    optimistic: bool

    @property
    def words(self) -> str:
        return f"{self.name}, the training data (optimistic)" if self.optimistic else self.name

    def rows(self) -> Rows:
        """The rows in blocks, so that progress can be told."""
        d = self.data
        starts = range(0, len(d), SHOWN_BLOCK_ROWS)
        parts = [d.X[i : i + SHOWN_BLOCK_ROWS] for i in starts]
        weights = [d.weights[i : i + SHOWN_BLOCK_ROWS] for i in starts]
        blocks = [Dataset(d.header, X, w) for X, w in zip(parts, weights, strict=True)]
        return Rows(self.name, d.header, blocks)

    def at(self, places: Ints) -> _ShownRows:
        """Some of the rows."""
        selected = Dataset(self.data.header, self.data.X[places], self.data.weights[places])
        return replace(self, data=selected)


def gather_facts(
    model: Model,
    data: Any = None,
    test: Any = None,
    *,
    title: str = "",
    command: str = "",
    progress: Progress = no_progress,
) -> ReportFacts:
    """Gather all facts of the report page from a model and its rows.

    Parameters
    ----------
    data
        Rows to show; None for the training data, if it is known.
    test
        Other rows, whose class is known, to judge on and to show instead.
    title
        What stands on top; None for the name of the model.
    command
        How the report was asked for.
    """
    model.require_one("a report")
    model, class_words = _choose_positive(model)
    shown = _choose_rows(model, data, test)
    tree, positive = model.labelled_tree, model.positive_index or 0
    why: dict[str, str] = {}
    notes = [model.training_note, *model.notes]
    costs = _cost_facts(model, shown, why)
    cases = _case_facts(model, shown, why, progress)
    sure = _evaluation_facts(model, shown, why, progress)
    return ReportFacts(
        title or os.path.basename(model.source),
        class_words,
        check_verdict(model.tree, model.replay, model.replayed),
        tree,
        gather_tree_facts(tree, model.counts, positive),
        costs,
        cases,
        sure,
        why,
        tuple(_file_facts(model, data, test)),
        tuple(dict.fromkeys(note for note in notes if note)),
        time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(_now())),
        _version(),
        command,
    )


def _choose_positive(model: Model) -> tuple[Model, str]:
    """The model with a class that matters, and why it is this one."""
    choice = model.positive_choice
    if choice is not None:
        why = {
            "given": "as chosen",
            "only": "the only one",
            "fitted": "as the model was fitted",
            "rarer": "the rarer one",
            "first": "the first of two equally frequent ones",
        }[choice.why]
        return model, f"{model.positive}, {why}"
    root = model.counts.per_class[0]
    if np.isfinite(root).all() and root.sum() > 0:
        known = np.where(root > 0, root, np.inf)
        label = model.classes[int(known.argmin())]
        which = "the rarest" if (known == known.min()).sum() == 1 else "the first of the rarest"
        return model.with_(positive=label), f"{label}, {which}; nobody named another"
    label = model.classes[0]
    return model.with_(positive=label), f"{label}, the first; nobody named another"


def _choose_rows(model: Model, data: Any, test: Any) -> _ShownRows | None:
    given = data if test is None else test
    if given is None:
        if model.training is None:
            return None
        return _ShownRows(model.training, os.path.basename(model.training_name), True)
    named = isinstance(given, (str, os.PathLike, Rows))
    with model.rows(given) as rows:
        dataset = rows.all()
        name = os.path.basename(rows.name) if named else "the data"
        trained = test is None and model.trained_on(dataset)
        if model.training_name and isinstance(given, (str, os.PathLike)):
            trained = trained or is_same_file(os.fspath(given), model.training_name)
    return _ShownRows(dataset, name, trained)


def _cost_facts(model: Model, shown: _ShownRows | None, why: dict[str, str]) -> CostFacts | None:
    if len(model.classes) < 2:
        why["costs"] = "There is one class: nothing to mistake it for."
        return None
    if not model.has_leaf_counts:
        why["costs"] = (
            "Other labels for other costs need the class counts of the leaves. This text does "
            "not tell them: give the training data."
        )
        return None
    counts = class_counts(model.tree, model.counts)
    own = [leaf.label for leaf in model.labelled_tree.leaves]
    judged, name = None, "training cases"
    if shown is not None and not shown.optimistic and _has_class(shown.data):
        judged, name = (
            count_coverage(model.tree, model.counts, [shown.data]),
            f"cases of {shown.name}",
        )
    return gather_cost_facts(counts, own, judged, name)


def _case_facts(
    model: Model, shown: _ShownRows | None, why: dict[str, str], progress: Progress
) -> CaseFacts | None:
    if shown is None or not len(shown.data):
        why["cases"] = "No rows were given: give DATA to see its cases ranked and explained."
        return None
    bounded = has_boundary(model.labelled_tree, labels=model.overlay, c=model.positive_index)
    counted = model.has_leaf_counts
    names = [auto_ranking(model)] if counted or bounded else ["distance"]
    names += ["global"] if bounded else []
    names += ["laplace"] if counted else []
    rankings = [
        rank_rows(model, shown.rows(), name, progress=progress).rows
        for name in dict.fromkeys(names)
    ]
    most = max(100, min(CASES, CASE_LEAVES // len(model.tree.leaves)))
    places = pick_evenly(rankings[0].shown, most)
    explained = tuple(
        case
        for _, case in zip(
            progress(_iterate_rows(shown.data, places), "explained"),
            explain_rows(model, shown.rows(), (places + 1).tolist(), per_class=False),
            strict=True,
        )
    )
    return CaseFacts(model.labelled_tree, shown.words, shown.optimistic, tuple(rankings), explained)


def _iterate_rows(data: Dataset, places: Ints) -> Iterator[Dataset]:
    for i in places.tolist():
        yield Dataset(data.header, data.X[i : i + 1], data.weights[i : i + 1])


def _evaluation_facts(
    model: Model, shown: _ShownRows | None, why: dict[str, str], progress: Progress
) -> EvaluationFacts | None:
    if shown is None or not _has_class(shown.data):
        why["sure"] = "No rows with a class were given."
        return None
    if not model.has_training:
        why["sure"] = "The methods learn from the training data, which is not known."
        return None
    known = ~np.isnan(shown.data.class_values) & (shown.data.weights > 0)
    most = max(500, JUDGED_LEAVES // len(model.tree.leaves))
    places = pick_evenly(np.flatnonzero(known), most)
    test_rows = shown.at(places)
    notes = []
    if len(places) < known.sum():
        notes.append(
            f"Judged on {len(places)} of {int(known.sum())} rows, evenly through the file: all "
            "of them would take minutes; j48geo evaluate judges them."
        )
    result = evaluate_rows(model, test_rows.rows(), is_training=shown.optimistic, progress=progress)
    assert isinstance(result.evaluation, Evaluation)
    drawn = [m.method for m in result.judged.methods if m.distribution is not None]
    best = next((name for name in ("nearby", "laplace", "raw") if name in drawn), "")
    all_notes = tuple(dict.fromkeys((*notes, *result.notes)))
    return EvaluationFacts(shown.name, result.evaluation, result.judged, best, all_notes)


def _has_class(data: Dataset) -> bool:
    return bool((~np.isnan(data.class_values) & (data.weights > 0)).any())


def _file_facts(model: Model, data: Any, test: Any) -> Iterator[FileFacts]:
    """The files by name and digest; what came otherwise by name alone."""
    yield _describe_file("model", model.source)
    training = model.training_name
    if training:
        yield _describe_file("training data", training)
    elif model.fitted is not None:
        yield FileFacts("training data", model.fitted.training)
    for role, given in (("data", data), ("test", test)):
        path = given.name if isinstance(given, Rows) else given
        if isinstance(path, (str, os.PathLike)) and not (
            role == "data" and is_same_file(os.fspath(path), training)
        ):
            yield _describe_file(role, os.fspath(path))


def _describe_file(role: str, path: str) -> FileFacts:
    digest = hashlib.sha256()
    size = 0
    try:
        if not os.path.isfile(path):  # a pipe was read already
            return FileFacts(role, os.path.basename(path))
        with open(path, "rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
                size += len(piece)
    except OSError:
        return FileFacts(role, os.path.basename(path))
    return FileFacts(role, os.path.basename(path), digest.hexdigest(), size)


def _now() -> float:
    """Now, or the moment that reproducible builds ask for."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return float(given) if given.isdigit() else time.time()


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("j48geo")
    except PackageNotFoundError:  # a bare checkout
        return "(not installed)"


def describe_as_html(model: Model) -> str:
    """One line about the model, and its tree under it, as HTML."""
    return f"<p><b>{escape(to_one_line(repr(model)))}</b></p>{draw_tree(_tree_facts(model))}"


def draw_model(model: Model) -> str:
    """The tree of a model as an SVG picture with a title."""
    return str(draw_tree_picture(_tree_facts(model), os.path.basename(model.source)))


def _tree_facts(model: Model) -> TreeFacts:
    return gather_tree_facts(model.labelled_tree, model.counts, model.positive_index or 0)
