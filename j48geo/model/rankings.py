"""Rank rows by a method of a model, surest of the positive class first (`rank_rows`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Metric
from j48geo.data.rows import Progress, Rows, no_progress
from j48geo.errors import ChoiceError, NeedsPositiveError
from j48geo.geometry.distance import has_boundary
from j48geo.model.result_table import ResultTable
from j48geo.model.settings import (
    auto_ranking,
    check_names,
    find_metric,
    find_setting,
    require_nearby,
)
from j48geo.score.leaf_estimates import effective_counts
from j48geo.score.methods import METHODS, PROBABILITIES
from j48geo.score.ranking import (
    RankedRows,
    RankingFacts,
    ScoreCollector,
    ZeroDistances,
    find_weka_scores,
)
from j48geo.score.scores import ScoredBatch, boundary_notes, score_batch
from j48geo.score.setting import Setting, classify_cases
from j48geo.text import quote_value

if TYPE_CHECKING:
    from j48geo.model.model import Model
    from j48geo.score.probabilities import ProbabilityModel


@dataclass(frozen=True, eq=False)
class RankedCases:
    """Ranked rows, and how their order came about.

    Parameters
    ----------
    rows
        The ranking.
    method
        What was ranked by.
    setting
        What the scores are a function of.
    facts
        What can be counted of all rows; J48's own scores only if they were asked for.
    zeros
        How many rows lie on a threshold.
    notes
        What must be said of the scores.
    least_sure
        Whether the least sure come first.
    """

    rows: RankedRows
    method: str
    setting: Setting
    facts: RankingFacts
    zeros: ZeroDistances
    notes: tuple[str, ...]
    least_sure: bool = False

    @property
    def metric(self) -> Metric:
        """The metric that distances were measured by."""
        return self.setting.metric

    def table(self) -> ResultTable:
        """The rows shown, as columns; a method's name beside each score."""
        from j48geo.show.reports.ranking import ranking_report

        rows = self.rows
        at = rows.shown
        names = np.array([*rows.classes, None], dtype=object)
        columns: dict[str, Any] = {
            "rank": rows.ranking.rank[at].tolist(),
            "row": (at + 1).tolist(),
            "score": rows.score[at].tolist(),
            "distance": rows.distance[at].tolist(),
            "predicted": names[rows.predicted[at]].tolist(),
            "leaf": [int(k) + 1 if k >= 0 else None for k in rows.leaf[at]],
            "actual": names[rows.actual[at]].tolist(),
        }
        if rows.within is not None:
            columns["within"] = rows.within[at].tolist()
        if rows.h is not None:
            columns |= {
                f"h({c})": h[at].tolist() for c, h in zip(rows.classes, rows.h.T, strict=True)
            }
        columns["method"] = [self.method] * len(at)
        return ResultTable(columns, lambda: "".join(ranking_report(rows).table()), self.notes)


def rank_rows(
    model: Model,
    rows: Rows,
    method: str = "auto",
    *,
    top: int | None = None,
    all_classes: bool = False,
    least_sure: bool = False,
    count_own: bool = False,
    progress: Progress = no_progress,
) -> RankedCases:
    """Rank rows by how surely they are of the positive class, best first.

    Parameters
    ----------
    method
        A name of `j48geo.score.methods.METHODS`, a plugin's score, or ``auto``.
    top
        Show only so many; ranks are those among all.
    all_classes
        Add the algebraic distance of every class.
    least_sure
        Those first of which the model is least sure: nearest to the boundary, or with the
        smallest lead of the most probable class over the second.
    count_own
        Count how many different scores J48 itself gives these rows.
    """
    if top is not None and (type(top) is not int or top < 1):
        raise ChoiceError("top", f"{quote_value(top)}: expected a whole number from 1 on")
    requested = auto_ranking(model) if method == "auto" else method
    name = ranking_name(model, requested)
    scoring = find_scoring(
        model, name, _choose_metric(model, rows, progress), least_sure=least_sure
    )
    setting = scoring.setting
    ranking_notes = list(boundary_notes(setting, name))
    if name != requested:
        ranking_notes.insert(
            0, f"no positive class is named, so {requested} has nothing to rank by"
        )
    facts = RankingFacts(own=frozenset() if count_own else None)
    zeros, scores = ZeroDistances(), ScoreCollector(model.classes, name)
    for block in progress(rows, "scored"):
        batch = scoring.batch(block.X, all_classes=all_classes, least_sure=least_sure)
        own = find_weka_scores(setting, block.X, batch) if count_own else None
        facts += RankingFacts.of(batch, own)
        zeros.add(setting, block.X, batch.predicted, batch.distance)
        scores.add(batch, block.class_values)
    return RankedCases(
        scores.ranked(top, ascending=least_sure),
        name,
        setting,
        facts,
        zeros,
        tuple(ranking_notes),
        least_sure,
    )


def ranking_name(model: Model, method: str) -> str:
    """The method that rows are ranked by, if it can be had without any rows."""
    name = auto_ranking(model) if method == "auto" else check_names([method], rankings=True)[0]
    if model.positive is None and name != "distance":
        if len(model.classes) == 2:
            raise NeedsPositiveError("the rarer class is not known without counts", model.classes)
        name = "distance"
    _check_counts(model, name)
    return name


@dataclass(frozen=True, eq=False)
class Scoring:
    """How rows are scored, each by itself: all that a ranking knows before it sees any.

    Parameters
    ----------
    name
        What is ranked by.
    setting
        What the scores are a function of.
    learnt
        What a probability method has learnt; None for other scores.
    """

    name: str
    setting: Setting
    learnt: ProbabilityModel | None

    def batch(
        self, X: Floats, *, all_classes: bool = False, least_sure: bool = False
    ) -> ScoredBatch:
        """The scores of a block of rows."""
        by_score = self.name in ("nearby", "distance") or self.name not in PROBABILITIES
        if by_score and not least_sure:
            return score_batch(self.setting, X, self.name, all_classes=all_classes)
        if self.learnt is None:
            batch = score_batch(self.setting, X, self.name, all_classes=all_classes)
            if self.name not in ("global", "distance"):
                raise ChoiceError("least_sure", f"not defined for the ranking {self.name!r}")
            return replace(batch, score=np.abs(batch.score))
        from j48geo.score.probabilities import estimate_cases

        cases = classify_cases(self.setting, X)
        batch = score_batch(self.setting, X, "distance", all_classes=all_classes)
        estimate = estimate_cases(self.learnt, cases)[self.name]
        if least_sure:
            ordered = np.sort(estimate.distribution, axis=1)
            lead = ordered[:, -1] - (ordered[:, -2] if ordered.shape[1] > 1 else 0.0)
            return replace(batch, score=lead)
        of = estimate.distribution if estimate.log_odds is None else estimate.log_odds
        return replace(batch, score=of[:, self.setting.positive].copy())


def find_scoring(model: Model, name: str, metric: Metric, *, least_sure: bool = False) -> Scoring:
    """How `model` scores rows by a method from `ranking_name`."""
    fitted = None
    if name in PROBABILITIES and (name != "nearby" or least_sure):
        from j48geo.model.fitting import fit_methods

        # A recalibration changes no order, but isotonic ones make equals of neighbours.
        plain = replace(model, choices=replace(model.choices, recalibrate=None))
        fitted = replace(fit_methods(plain, [name], metric=metric).model, recalibrations={})
        setting = fitted.setting
    else:
        if name == "nearby":
            require_nearby(model)
        setting = find_setting(model, model.positive_index or 0, metric)
    if name == "distance":  # no class is positive, so every change of class is a boundary
        setting = replace(setting, boundary="any")
    return Scoring(name, setting, fitted)


def _choose_metric(model: Model, rows: Rows, progress: Progress) -> Metric:
    given: Iterable[Dataset] = ()
    if model.fits_metric_to_rows:
        rows.keep()
        given = progress(rows, "read")
    return find_metric(model, given, f"{rows.name}, the data itself")


def _check_counts(model: Model, name: str) -> None:
    """Refuse what needs counts before a long file is read, if there are none."""
    needed = name in METHODS and "counts" in METHODS[name].needs
    if name == "global" and model.positive_index is not None:
        any_class = model.choices.boundary == "any"
        at = None if any_class else model.positive_index
        needed = not has_boundary(model.labelled_tree, labels=model.overlay, c=at)
    if needed and not model.has_leaf_counts:
        effective_counts(model.tree, model.counts)  # an error that names the leaf
