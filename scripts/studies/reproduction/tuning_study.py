"""The study of tuning: methods on plain splits, by the library's own functions.

Lines of JSON, each for a data set and a split: what methods reached on the rows that were kept
apart, and how much CPU time it took to fit. Lines of the same split add to each other.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import j48geo
from j48geo.core.fitted_values import RecalibrationKind
from j48geo.decide.evaluation.auc import auc, combine_scores
from j48geo.decide.evaluation.probability_metrics import (
    calibration_error,
    log_loss,
    mean_squared_error,
)
from j48geo.decide.roc import hand_till
from j48geo.defaults import LABELS_M
from j48geo.model.fitting import fit_methods, recalibrate_by_folds
from j48geo.model.growth import RegrownTree, regrow_trees
from j48geo.model.settings import find_metric, find_setting
from j48geo.model.tuning import Candidate, tune
from j48geo.score.probabilities import ProbabilityModel, estimate_probabilities
from j48geo.score.scores import score_batch
from reproduction.places import CACHE
from reproduction.tuning_data import data_of, split

__all__ = ["EPSILON", "METHODS", "SCALE", "Method", "judged", "keep", "kept", "measured", "run"]

Floats = NDArray[np.float64]
Record = dict[str, Any]

EPSILON = 1e-6
"""Where probabilities are clipped for the log-loss, which is infinite otherwise."""


@dataclass(frozen=True)
class Method:
    """A method of the library, what is chosen about it, and whether it is tuned or recalibrated."""

    name: str
    choices: tuple[tuple[str, Any], ...] = ()
    tune: Literal["rank", "proba"] | None = None
    recalibrate: RecalibrationKind | None = None
    grid: tuple[Candidate, ...] | None = None

    @property
    def grows(self) -> bool:
        """Whether it needs trees that are grown again."""
        return self.tune is not None or self.recalibrate is not None


_SHRUNKEN = ("leaves", "shrunken")
METHODS: dict[str, Method] = {
    "laplace": Method("laplace"),
    "m": Method("m"),
    "hs": Method("hs"),
    "hs tuned for rank": Method("hs", tune="rank"),
    "hs tuned for proba": Method("hs", tune="proba"),
    "gdk": Method("gdk"),
    "ldk": Method("ldk"),
    "local": Method("local"),
    "nearby": Method("nearby"),
    "nearby shrunken": Method("nearby", (_SHRUNKEN,)),
    "nearby shrunken 0.45": Method("nearby", (_SHRUNKEN, ("sigma", 0.45))),
    "nearby tuned for rank": Method("nearby", tune="rank"),
    "nearby tuned for proba": Method("nearby", tune="proba"),
    "laplace isotonic": Method("laplace", recalibrate="isotonic"),
    "laplace platt": Method("laplace", recalibrate="platt"),
    "gdk platt": Method("gdk", recalibrate="platt"),
    "nearby isotonic": Method("nearby", recalibrate="isotonic"),
    "nearby platt": Method("nearby", recalibrate="platt"),
    "nearby tuned platt": Method("nearby", tune="proba", recalibrate="platt"),
}
"""By the name in the tables; λ and sigma are the defaults where nothing is said.

With more than two classes m is 2, as for labels, and the local ranking is that of each class in
turn against the others.
"""

SCALE = ("scikit-learn tree, sigmoid", "scikit-learn tree, isotonic", "random forest")
"""Other models, not other answers of the same tree: for scale."""


def results_file(seed: int) -> Path:
    """Where the results of a seed are kept."""
    return CACHE / f"tuning-{seed}.jsonl"


def kept(seed: int) -> list[Record]:
    """What was measured so far, one record for a split."""
    file = results_file(seed)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    found: dict[tuple[str, int], Record] = {}
    for line in lines:
        if line.endswith("}"):  # the last line of a run that was stopped may not
            record = json.loads(line)
            known = found.setdefault((record["data"], record["number"]), {"methods": {}})
            methods = {**known["methods"], **record["methods"]}
            known.update(record, methods=methods)
    return list(found.values())


def keep(record: Record, seed: int) -> None:
    """Add a line to what was measured."""
    results_file(seed).parent.mkdir(parents=True, exist_ok=True)
    with results_file(seed).open("a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


def run(
    names: Sequence[str],
    seed: int,
    repetitions: int,
    processes: int,
    methods: Mapping[str, Method] | None = None,
) -> None:
    """Measure what is not known yet: `METHODS`, for scale the other models, or `methods`."""
    titles = (*METHODS, *SCALE) if methods is None else tuple(methods)
    known = {(record["data"], record["number"]): record["methods"] for record in kept(seed)}
    todo = []
    for number in range(repetitions):
        for name in names:
            missing = [t for t in titles if not known.get((name, number), {}).get(t)]
            if missing:
                todo.append((name, number, missing))
    with ProcessPoolExecutor(processes) as pool:
        jobs = [
            pool.submit(measured, name, number, seed, missing, methods or METHODS)
            for name, number, missing in todo
        ]
        for count, job in enumerate(as_completed(jobs), 1):
            record = job.result()
            keep(record, seed)
            print(f"{count} of {len(todo)}: {record['data']}", flush=True)


def measured(
    name: str,
    number: int,
    seed: int,
    titles: Sequence[str] = (*METHODS, *SCALE),
    methods: Mapping[str, Method] = METHODS,
) -> Record:
    """Methods, by their titles, on one split of a data set."""
    data = data_of(name)
    sample = split(name, data.class_values, number, seed)
    train, test = _rows(data, sample.train), _rows(data, sample.test)
    model = j48geo.grow(train)
    if len(data.header.classes) == 2:
        model = model.with_(positive=data.header.classes[1])
    asked = {title: method for title, method in methods.items() if title in titles}
    began = time.process_time()
    folds = list(regrow_trees(model, "the study")) if any(m.grows for m in asked.values()) else []
    growing = time.process_time() - began
    found = {title: _reached(model, m, test, folds, growing) for title, m in asked.items()}
    if set(SCALE) & set(titles):
        found |= dict(_for_scale(train, test))
    return {
        "data": name,
        "number": number,
        "leaves": len(model.tree.leaves),
        "train": len(train),
        "methods": found,
    }


def _reached(
    model: j48geo.Model,
    method: Method,
    test: j48geo.Dataset,
    folds: list[RegrownTree],
    growing: float,
) -> Record:
    actual = test.class_values.astype(np.intp)
    model = model.with_(**dict(method.choices))
    if method.name == "local":
        scores = _local(model, test)
        return {
            "auc": auc(scores[:, 1], actual == 1) if model.positive else hand_till(scores, actual)
        }
    began = time.process_time()
    chosen = None
    if method.tune is not None:
        choice = tune(model, method.tune, method.name, folds=folds, grid=method.grid)
        model, chosen = model.with_(**choice.choices), str(choice.chosen)
    if method.name == "m" and model.positive is None:
        model = model.with_(m=LABELS_M)
    learnt = fit_methods(model, [method.name]).model
    if method.recalibrate is not None:
        maps = recalibrate_by_folds(method.recalibrate, model, [method.name], _learnt, folds).maps
        learnt = replace(learnt, recalibrations=maps)
    spent = time.process_time() - began
    if method.grows:
        spent += growing
    answer = estimate_probabilities(learnt, test.X)[method.name]
    return judged(answer.distribution, answer.log_odds, actual) | {"cpu": spent, "chosen": chosen}


def _local(model: j48geo.Model, test: j48geo.Dataset) -> Floats:
    """The local ranking of each class in turn against the others, shape (n_cases, n_classes)."""
    metric = find_metric(model)
    columns = []
    for c in range(len(model.classes)):
        batch = score_batch(find_setting(model, c, metric), test.X, "local")
        columns.append(combine_scores(batch.score, batch.within))
    return np.stack(columns, axis=1)


def _learnt(model: j48geo.Model, methods: Sequence[str]) -> ProbabilityModel:
    return fit_methods(model, methods).model


def judged(p: Floats, odds: Floats | None, actual: NDArray[np.intp]) -> Record:
    """All measures of a distribution; cases are ordered by `odds` where it is given."""
    scores = p if odds is None else odds
    two = p.shape[1] == 2
    return {
        "auc": auc(scores[:, 1], actual == 1) if two else hand_till(scores, actual),
        "mse": mean_squared_error(p, actual),
        "logloss": log_loss(np.clip(p, EPSILON, 1.0), actual).value,
        "calibration": float(
            np.mean([calibration_error(p[:, c], actual == c) or 0.0 for c in range(p.shape[1])])
        ),
    }


def _for_scale(train: j48geo.Dataset, test: j48geo.Dataset) -> Iterator[tuple[str, Record]]:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    X, y = _numbers(train), train.class_values.astype(np.intp)
    other, actual = _numbers(test), test.class_values.astype(np.intp)
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    folds = max(2, min(5, int(np.bincount(y).min())))
    makers = (
        lambda: CalibratedClassifierCV(tree, method="sigmoid", cv=folds),
        lambda: CalibratedClassifierCV(tree, method="isotonic", cv=folds),
        lambda: RandomForestClassifier(100, random_state=0),
    )
    for title, make in zip(SCALE, makers, strict=True):
        began = time.process_time()
        fitted = make().fit(X, y)
        spent = time.process_time() - began
        p = np.zeros((len(actual), len(train.header.classes)))
        p[:, fitted.classes_] = fitted.predict_proba(other)
        yield title, judged(p, None, actual) | {"cpu": spent}


def _numbers(data: j48geo.Dataset) -> Floats:
    """Numeric columns as they are, of nominal ones a column a value."""
    columns = []
    for k, attribute in enumerate(data.header.attributes):
        if k == data.header.class_index:
            continue
        x = data.X[:, k]
        if attribute.is_nominal:
            columns += [(x == v).astype(np.float64) for v in range(len(attribute.values))]
        else:
            columns.append(x)
    return np.stack(columns, axis=1)


def _rows(data: j48geo.Dataset, rows: NDArray[np.intp]) -> j48geo.Dataset:
    return replace(data, X=data.X[rows], weights=data.weights[rows])
