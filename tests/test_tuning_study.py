"""A slice of scripts/tuning: one split of a data set that scikit-learn carries."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import j48geo
from j48geo.decide.evaluation.auc import auc
from j48geo.decide.evaluation.probabilities import log_loss, mean_squared_error

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from reproduction.tuning_data import LARGEST, PHASES, data_of, split
from reproduction.tuning_report import complete, tuning_report
from reproduction.tuning_study import EPSILON, METHODS, SCALE, Record, measured

SEED = 5


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [measured("wine", number, SEED) for number in range(2)]


def test_a_split_has_every_case_once_and_classes_in_proportion() -> None:
    y = np.repeat([0.0, 1.0], [60, 30])
    found = split("some", y, 0, SEED)
    both = np.concatenate([found.train, found.test])
    assert sorted(both.tolist()) == list(range(90))
    assert np.bincount(y[found.train].astype(int)).tolist() == [40, 20]
    assert split("some", y, 0, SEED).train.tolist() == found.train.tolist()
    assert split("some", y, 1, SEED).train.tolist() != found.train.tolist()


def test_of_a_large_set_a_sample_is_split() -> None:
    y = np.repeat([0.0, 1.0], [9000, 3000])
    found = split("some", y, 0, SEED)
    both = np.concatenate([found.train, found.test])
    assert len(set(both.tolist())) == len(both) == LARGEST
    assert np.bincount(y[both].astype(int)).tolist() == [2250, 750]


def test_no_set_of_the_confirmation_was_used_in_development() -> None:
    groups = [set(PHASES[phase]) for phase in ("development", "more", "multi", "new")]
    assert sum(len(group) for group in groups) == len(set.union(*groups))


def test_what_is_measured_is_what_the_model_says(records: list[Record]) -> None:
    data = data_of("wine")
    for record in records:
        sample = split("wine", data.class_values, record["number"], SEED)
        train, test = (
            replace(data, X=data.X[rows], weights=data.weights[rows])
            for rows in (sample.train, sample.test)
        )
        model = j48geo.grow(train).with_(positive="positive")
        actual = test.class_values.astype(int)
        said = {
            "laplace": model.predict_proba(test, "laplace"),
            "nearby": model.predict_proba(test, "nearby"),
            "nearby shrunken": model.with_(leaves="shrunken").predict_proba(test, "nearby"),
            "nearby tuned for rank": model.tuned("rank").predict_proba(test, "nearby"),
            "hs tuned for proba": model.tuned("proba", "hs").predict_proba(test, "hs"),
            "nearby platt": model.with_(recalibrate="platt").predict_proba(test, "nearby"),
            "nearby tuned platt": model.tuned("proba")
            .with_(recalibrate="platt")
            .predict_proba(test, "nearby"),
        }
        for name, p in said.items():
            found = record["methods"][name]
            assert found["auc"] == auc(p[:, 1], actual == 1)
            assert found["mse"] == mean_squared_error(p, actual)
            assert found["logloss"] == log_loss(np.clip(p, EPSILON, 1), actual).value


def test_only_splits_that_all_sets_have_are_counted() -> None:
    have = [("a", 0), ("a", 1), ("b", 0), ("c", 0), ("c", 1)]
    records = [{"data": data, "number": number} for data, number in have]
    found = complete(records, ["a", "b"])
    assert [(r["data"], r["number"]) for r in found] == [("a", 0), ("b", 0)]


def test_the_report_has_the_means_of_what_was_measured(
    records: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PHASES, "one", ("wine",))
    text = "\n".join(tuning_report(records, ["one"], SEED))
    assert "Seed 5, 2 splits of each of 1 sets." in text
    for name in (*METHODS, *SCALE):
        values = [record["methods"][name]["auc"] for record in records]
        assert f"| {name} | {100 * np.mean(values):.2f} |" in text
