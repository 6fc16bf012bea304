"""The study of tuning: methods on plain splits, by the library's own functions.

A line of JSON for each data set and split: what each method reached on the rows that were kept
apart, and how much CPU time it took to fit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import j48geo
from j48geo.core.learnt import RecalibrationKind
from j48geo.decide.evaluation.auc import auc, one_score
from j48geo.decide.evaluation.probabilities import calibration_error, log_loss, mean_squared_error
from j48geo.decide.roc import hand_till
from j48geo.model.learning.learn import learn
from j48geo.model.learning.recalibrating import by_folds
from j48geo.model.learning.regrowing import Regrown, regrow
from j48geo.model.learning.tuning import tune
from j48geo.model.measuring import find_metric, find_setting
from j48geo.score.batch import score_batch
from j48geo.score.probabilities import ProbabilityModel, estimate_probabilities
from reproduction.places import CACHE
from reproduction.tuning_data import PHASES, data_of, split

__all__ = ["EPSILON", "METHODS", "Method", "kept", "run"]

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
"""By the name in the tables; λ and sigma are the defaults where nothing is said."""

SCALE = ("scikit-learn tree, sigmoid", "scikit-learn tree, isotonic", "random forest")
"""Other models, not other answers of the same tree: for scale."""


def results_file(seed: int) -> Path:
    """Where the results of a seed are kept."""
    return CACHE / f"tuning-{seed}.jsonl"


def kept(seed: int) -> list[Record]:
    """What was measured so far."""
    file = results_file(seed)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def run(phases: Sequence[str], seed: int, repetitions: int, processes: int) -> None:
    """Measure what is not known yet."""
    done = {(record["data"], record["number"]) for record in kept(seed)}
    names = [name for phase in phases for name in PHASES[phase]]
    todo = [(n, k) for k in range(repetitions) for n in names if (n, k) not in done]
    with ProcessPoolExecutor(processes) as pool:
        jobs = [pool.submit(measured, name, number, seed) for name, number in todo]
        for count, job in enumerate(as_completed(jobs), 1):
            record = job.result()
            results_file(seed).parent.mkdir(parents=True, exist_ok=True)
            with results_file(seed).open("a", encoding="utf-8") as out:
                out.write(json.dumps(record) + "\n")
            print(f"{count} of {len(todo)}: {record['data']}", flush=True)


def measured(name: str, number: int, seed: int) -> Record:
    """All methods on one split of a data set."""
    data = data_of(name)
    sample = split(name, data.class_values, number, seed)
    train, test = _rows(data, sample.train), _rows(data, sample.test)
    model = j48geo.grow(train)
    if len(data.header.classes) == 2:
        model = model.with_(positive=data.header.classes[1])
    began = time.process_time()
    folds = list(regrow(model, "the study"))
    growing = time.process_time() - began
    found: dict[str, Record] = {}
    for title, method in METHODS.items():
        if method.name == "local" and model.positive is None:
            continue
        found[title] = _reached(model, method, test, folds, growing)
    found |= dict(_for_scale(train, test))
    return {
        "data": name,
        "number": number,
        "leaves": len(model.tree.leaves),
        "train": len(train),
        "growing": growing,
        "methods": found,
    }


def _reached(
    model: j48geo.Model, method: Method, test: j48geo.Dataset, folds: list[Regrown], growing: float
) -> Record:
    actual = test.class_values.astype(np.intp)
    model = model.with_(**dict(method.choices))
    if method.name == "local":
        setting = find_setting(model, model.positive_index or 0, find_metric(model))
        batch = score_batch(setting, test.X, "local")
        return {"auc": auc(one_score(batch.score, batch.within), actual == 1)}
    began = time.process_time()
    chosen = None
    if method.tune is not None:
        choice = tune(model, method.tune, method.name, folds=folds)
        model, chosen = model.with_(**choice.choices), str(choice.chosen)
    if method.name == "m" and model.positive is None:
        return {}
    learnt = learn(model, [method.name]).model
    if method.recalibrate is not None:
        maps = by_folds(method.recalibrate, model, [method.name], _learnt, folds).maps
        learnt = replace(learnt, recalibrations=maps)
    spent = time.process_time() - began
    if method.tune is not None or method.recalibrate is not None:
        spent += growing
    answer = estimate_probabilities(learnt, test.X)[method.name]
    return _judged(answer.distribution, answer.log_odds, actual) | {"cpu": spent, "chosen": chosen}


def _learnt(model: j48geo.Model, methods: Sequence[str]) -> ProbabilityModel:
    return learn(model, methods).model


def _judged(p: Floats, odds: Floats | None, actual: NDArray[np.intp]) -> Record:
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
        yield title, _judged(p, None, actual) | {"cpu": spent}


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
