"""Scoring: what each method makes of the test cases of one sample, through the public library.

The tree is read from the text that Weka printed and replayed on its training sample, which
restores its thresholds and gives its counts (for ``-R`` those of the growing set).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import j48geo
from j48geo.decide.evaluation.auc import (
    accuracy,
    auc,
    combine_scores,
    compute_proximity,
    partial_auc,
)
from j48geo.decide.evaluation.probability_metrics import (
    calibration_error,
    log_loss,
    mean_squared_error,
)
from j48geo.decide.roc import hand_till
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import fit_metric
from j48geo.score.probabilities import estimate_probabilities, fit_probabilities
from j48geo.score.scores import score_batch
from j48geo.score.setting import Setting
from reproduction.growing import Grown
from reproduction.leaf_labels import labelling_facts
from reproduction.methods import METHODS, Method
from reproduction.samples import Sample

__all__ = ["EPSILON", "GRID", "PARTIAL", "score_sample"]

Floats = NDArray[np.float64]
Record = dict[str, Any]

EPSILON = 1e-6
"""Where probabilities are clipped for the log-loss, which is infinite otherwise."""
GRID = np.arange(1, 101) / 200
"""False positive rates of the partial areas; AB05 has five times as many."""
PARTIAL = ("m", "laplace", "global", "global-midgap", "nearby")
"""Methods whose partial areas on normal trees are kept."""


class _Tree:
    """A grown tree and what is fitted to its training sample, each once."""

    def __init__(
        self, text: str, data: j48geo.Dataset, sample: Sample, positive: int | None
    ) -> None:
        self.train = _rows(data, sample.train)
        self.test = _rows(data, sample.test)
        self.positive = positive
        tree = j48geo.read_tree(text.encode(), header=data.header)
        found = j48geo.replay(tree, self.train)
        self.replayed, self.tree, self.counts = found, found.tree, found.counts
        self.faces = {False: None, True: midgap_tree(self.tree, self.train.X)}
        self.metrics = {
            kind: fit_metric(self.tree, kind, self.train.X) for kind in ("standard", "minmax")
        }

    def setting(self, method: Method) -> Setting:
        return Setting(
            self.tree,
            self.counts,
            self.metrics[method.metric],
            positive=1 if self.positive is None else self.positive,
            training=self.train,
            estimate=method.estimate,
            face_tree=self.faces[method.midgap],
            within=method.within,
        )


def score_sample(
    data: j48geo.Dataset, grown: Grown, done: Mapping[str, Collection[str]]
) -> list[Record]:
    """Records of one sample, one a tree, of what is not done yet.

    Parameters
    ----------
    done
        Methods that are known already, by kind of tree.
    """
    two = len(data.header.classes) == 2
    actual = data.class_values[grown.sample.test].astype(np.intp)
    found = []
    for kind, text in grown.texts.items():
        todo = [name for name in METHODS if name not in done.get(kind, ())]
        if not todo:
            continue
        tree = _Tree(text, data, grown.sample, 1 if two else None)
        record: Record = {"sample": grown.number, "tree": kind, **_facts(tree, actual)}
        record["methods"] = {}
        for name in todo:
            partial = kind == "normal" and name in PARTIAL
            record["methods"][name] = _measured(tree, METHODS[name], actual, partial)
        found.append(record)
    if grown.nbtree is not None and "nbtree" not in done.get("nbtree", ()):
        measured = _of_distribution(grown.nbtree, None, actual, two)
        found.append({"sample": grown.number, "tree": "nbtree", "methods": {"nbtree": measured}})
    return found


def _facts(tree: _Tree, actual: NDArray[np.intp]) -> Record:
    facts: Record = {
        "leaves": len(tree.tree.leaves),
        "replayed": tree.replayed.ok,
        "restored": len(tree.replayed.restored),
    }
    setting = tree.setting(METHODS["global"])
    # ABD07 section 4.1: min-max ranges are those of the whole sample, so that no test case lies
    # outside. That is for the papers' table of distances alone; no method sees test cases.
    both = np.concatenate([tree.train.X, tree.test.X])
    of_sample = replace(setting, metric=fit_metric(tree.tree, "minmax", both))
    for metric, used in (("standard", setting), ("minmax", of_sample)):
        batch = score_batch(used, tree.test.X, "global")
        right = batch.predicted == actual
        facts["accuracy"] = accuracy(batch.predicted, actual)
        facts["errors"] = int((~right).sum())
        zero, called = batch.distance == 0, batch.predicted == 1
        facts["zero"] = float(zero.mean())
        facts["zero-positive"] = float(zero[called].mean()) if called.any() else None
        near = compute_proximity(batch.distance, right)
        facts[f"lambda-{metric}"] = near.value
        if near.hit_distance is not None and near.error_distance is not None:
            difference = near.hit_distance - near.error_distance
            facts[f"difference-{metric}"] = difference if np.isfinite(difference) else None
    facts["boundary"] = setting.has_boundary
    if tree.positive is not None:
        facts |= labelling_facts(tree.tree, tree.counts, tree.test, tree.positive)
    return facts


def _measured(tree: _Tree, method: Method, actual: NDArray[np.intp], partial: bool) -> Record:
    """What a method reaches; nothing where it does not apply."""
    two = tree.positive is not None
    setting = tree.setting(method)
    if method.gives == "ranking":
        if not two:
            return {}
        batch = score_batch(setting, tree.test.X, method.name)
        scores = combine_scores(batch.score, batch.within)
        found: Record = {"auc": auc(scores, actual == 1)}
    else:
        model = fit_probabilities(setting, methods=(method.name,), tau=method.tau)
        answer = next(iter(estimate_probabilities(model, tree.test.X).values()))
        odds = answer.log_odds
        found = _of_distribution(answer.distribution, odds, actual, two)
        scores = (answer.distribution if odds is None else odds)[:, -1]
    if method.geometric and two and not setting.has_boundary:
        found["auc"] = 0.5
    if partial and two:
        areas = [partial_auc(scores, actual == 1, float(x)) for x in GRID]
        found["partial"] = [None if a is None else round(a, 6) for a in areas]
    return found


def _of_distribution(
    distribution: Floats, odds: Floats | None, actual: NDArray[np.intp], two: bool
) -> Record:
    scores = distribution if odds is None else odds
    area = auc(scores[:, 1], actual == 1) if two else hand_till(scores, actual)
    loss = log_loss(distribution, actual)
    found: Record = {
        "auc": area,
        "mse": mean_squared_error(distribution, actual),
        "logloss": log_loss(np.clip(distribution, EPSILON, 1.0), actual).value,
        "impossible": loss.impossible / len(actual),
    }
    if two:
        found["calibration"] = calibration_error(distribution[:, 1], actual == 1)
    return found


def _rows(data: j48geo.Dataset, rows: NDArray[np.intp]) -> j48geo.Dataset:
    return replace(data, X=data.X[rows], weights=data.weights[rows])
