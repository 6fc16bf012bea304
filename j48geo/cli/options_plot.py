"""Pictures from the command line: the options, and which picture they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from j48geo.cli.options import option_group
from j48geo.data.source import is_same_file
from j48geo.errors import UnknownNameError
from j48geo.text import pluralize

if TYPE_CHECKING:
    from j48geo.core.dataset import Header
    from j48geo.data.rows import Rows
    from j48geo.decide.curves import CurveResult
    from j48geo.decide.evaluation.scored_cases import MethodScores, ScoredCases
    from j48geo.decide.relabelling import Relabelling
    from j48geo.model.evaluation import EvaluationResult
    from j48geo.score.setting import Setting

F = TypeVar("F", bound=Callable[..., Any])

Picture = Literal["overview", "roc", "pr", "reliability", "ranked", "slice"]
PICTURES: tuple[Picture, ...] = ("overview", "roc", "pr", "reliability", "ranked", "slice")

DRAWN_METHODS = ("raw", "laplace", "gdk", "nearby")
"""Drawn if no method is named: more curves hide each other."""


@dataclass(frozen=True)
class PlotOptions:
    """What the user says about a picture; see the options of the same names."""

    plot: str | None = None
    picture: Picture | None = None
    attributes: str | None = None
    at: int | None = None

    def __post_init__(self) -> None:
        for name in ("picture", "attributes", "at"):
            if self.plot is None and getattr(self, name) is not None:
                raise click.UsageError(f"--{name} is for a picture: --plot FILE")
        if self.picture == "slice":
            if self.attributes is None:
                raise click.UsageError(
                    "--picture slice cuts along two attributes: --attributes A,B"
                )
        elif self.attributes is not None or self.at is not None:
            name = "at" if self.attributes is None else "attributes"
            raise click.UsageError(f"--{name} is for --picture slice")
        check_plot_path(self.plot)

    @property
    def keeps_rows(self) -> bool:
        """Whether the rows themselves are drawn, not only what was found out about them."""
        return self.picture == "slice"


def check_plot_path(path: str | None, output: str | None = None) -> None:
    """Tell what is wrong with the name of a picture before the work of many rows is done.

    Parameters
    ----------
    output
        The file of the table, which must be another one.
    """
    if path is None:
        return
    from j48geo.show.plots.page import check_picture

    check_picture(path)
    if output not in (None, "-") and is_same_file(path, output):
        raise click.UsageError(f"--plot and --output are both {path}; expected two files")


def plot_option(function: F) -> F:
    """The option ``--plot``: the file that a picture is written to."""
    return click.option(
        "--plot",
        metavar="FILE",
        default=None,
        help="Draw a picture, too: .png, .svg or .pdf. Needs matplotlib.",
    )(function)


plot_options = option_group(
    "pictures",
    PlotOptions,
    plot_option,
    click.option(
        "--picture",
        type=click.Choice(PICTURES),
        default=None,
        help="With --plot: ROC, precision-recall, reliability and ranked cases on one page "
        "(overview, the default), one of them, or a slice of the leaves' boxes.",
    ),
    click.option(
        "--attributes",
        metavar="A,B",
        default=None,
        help="slice: the two numeric attributes to cut along.",
    ),
    click.option(
        "--at",
        type=click.IntRange(min=1),
        metavar="ROW",
        default=None,
        help="slice: go through this row, from 1. Default: medians and commonest values.",
    ),
)
"""The file of a picture, and which picture it is."""


@contextmanager
def plot_evaluation(
    evaluated: EvaluationResult,
    options: PlotOptions,
    rows: Rows,
    model: str,
    methods: Sequence[str] | None,
) -> Iterator[None]:
    """Draw what the options ask for, if they ask for a picture, around other work.

    Its file appears when the work inside is done, and not if that fails.

    Parameters
    ----------
    model
        Its file, for the title.
    methods
        Those that were asked for by name; None for a few of all that were judged.
    """
    if options.plot is None:
        yield
        return
    from j48geo.show.plots.page import figure_file

    judged, name = evaluated.judged, os.path.basename(rows.name)
    if options.picture == "slice":
        where = f"{os.path.basename(model)} on {name}"
        figure = _slice_figure(evaluated.learnt.model.setting, options, rows.all().X, name, where)
    else:
        n, label = len(judged.actual), judged.classes[judged.positive]
        seen = " of the training data (optimistic)" if evaluated.evaluation.optimistic else ""
        cases = f"{pluralize(n, 'case', 'cases')}{seen}"
        title = f"{os.path.basename(model)} on {name}: {label}, {cases}"
        shown = [m for m in judged.methods if methods is not None or m.method in DRAWN_METHODS]
        figure = _methods_figure(
            judged, shown or judged.methods, options.picture or "overview", title
        )
    with figure_file(figure, options.plot):
        yield


def plot_curve(drawn: CurveResult, path: str | None, *, method: str, name: str) -> None:
    """Draw one curve, if a file is named: ROC with its hull, precision and recall."""
    if path is None:
        return
    from j48geo.show.plots.figures import curve_figure
    from j48geo.show.plots.page import save_figure

    title = f"{os.path.basename(name)}: {drawn.positive}"
    save_figure(curve_figure({method: drawn.curve}, point=drawn.point, title=title), path)


@contextmanager
def plot_costs(relabelling: Relabelling, path: str | None, name: str) -> Iterator[None]:
    """Draw what labels cost along the ratio of costs, if a file is named, around other work."""
    if path is None:
        yield
        return
    from j48geo.show.plots.curves import cost_figure
    from j48geo.show.plots.page import figure_file

    cases = f"{float(relabelling.weight):g} training cases (optimistic)"
    figure = cost_figure(relabelling, f"{os.path.basename(name)}: costs of labels, {cases}")
    with figure_file(figure, path):
        yield


def _methods_figure(
    judged: ScoredCases, shown: Sequence[MethodScores], picture: Picture, title: str
) -> Any:
    from j48geo.decide.roc import curves_by_method, locate_labels
    from j48geo.show.plots import figures as plots

    positive, weights = judged.is_positive, judged.weights
    called = judged.predicted == judged.positive
    scores = {m.method: m.score for m in shown}
    probabilities = {
        m.method: m.distribution[:, judged.positive] for m in shown if m.distribution is not None
    }
    if picture == "overview":
        return plots.overview_figure(scores, probabilities, positive, called, weights, title=title)
    if picture == "reliability":
        return plots.reliability_figure(probabilities, positive, weights, title=title)
    if picture == "ranked":
        return plots.ranked_figure(probabilities, positive, called, title=title)
    curves = curves_by_method(scores, positive, weights)
    fpr, tpr, precision = locate_labels(called, positive, weights)
    if picture == "pr":
        return plots.precision_recall_figure(curves, point=(tpr, precision), title=title)
    return plots.roc_figure(curves, point=(fpr, tpr), title=title)


def _slice_figure(setting: Setting, options: PlotOptions, X: Any, name: str, title: str) -> Any:
    from j48geo.show.plots.slice import slice_figure

    if options.at is not None and options.at > len(X):
        raise click.UsageError(f"--at {options.at}: {name} has {len(X)} rows")
    assert options.attributes is not None
    return slice_figure(
        setting.tree,
        setting.metric,
        _parse_pair(options.attributes, setting.tree.header),
        at=None if options.at is None else X[options.at - 1],
        X=X,
        positive=setting.positive,
        labels=setting.labels,
        face_tree=setting.face_tree,
        title=title if options.at is None else f"{title}, row {options.at}",
    )


def _parse_pair(text: str, header: Header) -> tuple[str, str]:
    """Two names with a comma between; names may hold commas themselves."""
    parts = text.split(",")
    if len(parts) < 2:
        raise click.UsageError(f"--attributes {text}: expected two names with a comma: A,B")
    names = set(header.names)
    for k in range(1, len(parts)):
        for trimmed in (False, True):
            pair = ",".join(parts[:k]), ",".join(parts[k:])
            first, second = (p.strip() for p in pair) if trimmed else pair
            if {first, second} <= names:
                return first, second
    unknown = [part.strip() for part in parts if part.strip() not in names]
    if not unknown:
        raise click.UsageError(f"--attributes {text}: {len(parts)} names; expected two: A,B")
    raise UnknownNameError("attribute", unknown[0], header.names)
