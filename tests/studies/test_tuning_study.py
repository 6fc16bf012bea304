"""A slice of scripts/studies/tuning: one split of a data set that scikit-learn carries."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from weka_live import Weka

import j48geo
from j48geo.decide.evaluation.auc import auc
from j48geo.decide.evaluation.probability_metrics import log_loss, mean_squared_error
from j48geo.decide.roc import hand_till

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "studies"))

from reproduction import tuning_nbtree, tuning_study
from reproduction.tuning_data import LARGE, LARGEST, PHASES, data_of, split
from reproduction.tuning_grid import GRID, STRENGTHS
from reproduction.tuning_nbtree import NBTREE, run_nbtree
from reproduction.tuning_report import complete, tuning_report
from reproduction.tuning_rule import CANDIDATES, ruling
from reproduction.tuning_study import EPSILON, METHODS, SCALE, Record, keep, kept, measured

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
    whole = split(f"{LARGE[0]}, whole", y, 0, SEED)
    assert len(whole.train) + len(whole.test) == 12000


def test_no_set_of_the_confirmation_was_used_in_development() -> None:
    groups = [set(PHASES[phase]) for phase in ("development", "more", "multi", "new")]
    assert [len(group) for group in groups] == [16, 22, 7, 16]
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
    records = [{"data": a, "number": n, "methods": {"laplace": {}}} for a, n in have]
    alone = {"data": "b", "number": 1, "methods": {NBTREE: {}}}
    found = complete([*records, alone], ["a", "b"])
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


def test_with_more_classes_m_is_two_whatever_class_matters_and_each_is_ranked_locally() -> None:
    record = measured("iris3", 0, SEED, ["m", "local"])
    data = data_of("iris3")
    sample = split("iris3", data.class_values, 0, SEED)
    train, test = (
        replace(data, X=data.X[rows], weights=data.weights[rows])
        for rows in (sample.train, sample.test)
    )
    model, actual = j48geo.grow(train), test.class_values.astype(int)
    places = []
    for c in model.classes:
        one = model.with_(positive=c, m=2.0)
        found = one.predict_proba(test, "m")
        assert record["methods"]["m"]["mse"] == pytest.approx(mean_squared_error(found, actual))
        ranked = one.rank(test, method="local")
        place = np.empty(len(test))
        place[np.asarray(ranked["row"]) - 1] = ranked["rank"]
        places.append(-place)
    expected = hand_till(np.stack(places, axis=1), actual)
    assert record["methods"]["local"]["auc"] == pytest.approx(expected)


def test_lines_of_the_same_split_add_to_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning_study, "CACHE", tmp_path)
    keep({"data": "a", "number": 0, "train": 5, "methods": {"m": {}, "hs": {"auc": 1.0}}}, SEED)
    keep({"data": "a", "number": 0, "methods": {"m": {"auc": 0.5}}}, SEED)
    keep({"data": "a", "number": 1, "methods": {}}, SEED)
    one, other = kept(SEED)
    assert one["methods"] == {"m": {"auc": 0.5}, "hs": {"auc": 1.0}}
    assert (one["train"], other["number"]) == (5, 1)


def test_the_grid_of_development_is_what_the_model_says() -> None:
    titles = ["shrinkage 10", "sigma 0.45, shrunken leaves, shrinkage 5"]
    record = measured("wine", 0, SEED, titles, GRID)
    assert list(record["methods"]) == titles
    usual = measured("wine", 0, SEED, ["nearby shrunken 0.45"])
    same = usual["methods"]["nearby shrunken 0.45"]
    assert record["methods"][titles[1]]["logloss"] == same["logloss"]
    assert sum(title.startswith("shrinkage") for title in GRID) == len(STRENGTHS)


@pytest.mark.parametrize(
    ("second", "passes"),
    [((0.1, 0.2, 0.3), True), ((-0.1, -0.1, -0.11), False), ((-0.3, 0.1, 0.1), False)],
)
def test_a_default_changes_only_with_a_gain_in_each_group_and_no_set_lost(
    second: tuple[float, ...], passes: bool
) -> None:
    gains = {"a": (0.5, 0.6, 0.4), "b": second, "c": (1.0, 1.1, 1.2)}
    known = {
        data: {
            "nearby": {"auc": np.zeros(3), "logloss": np.zeros(3)},
            "other": {"auc": np.array(gain), "logloss": -np.array(gain)},
        }
        for data, gain in gains.items()
    }
    for command in CANDIDATES:
        found = ruling(known, command, "other", [("a",), ("b", "c")])
        assert found.passes == (passes or second == (-0.3, 0.1, 0.1))
        assert ruling(known, command, "other", [("a",), ("b",), ("c",)]).passes == passes
        assert found.lost == (("b",) if second == (-0.1, -0.1, -0.11) else ())


@pytest.mark.weka
def test_nbtree_is_given_up_when_its_time_is_over(
    weka36: Weka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning_study, "CACHE", tmp_path)
    run_nbtree(["iris3"], SEED, 2)
    found = [record["methods"][NBTREE] for record in kept(SEED)]
    assert len(found) == 2
    for record in found:
        assert record["auc"] > 0.9
        assert 0 < record["cpu"] < tuning_nbtree.SECONDS
    monkeypatch.setattr(tuning_nbtree, "SECONDS", -1.0)
    run_nbtree(["wine3"], SEED, 2)
    (late,) = [record for record in kept(SEED) if record["data"] == "wine3"]
    assert late["methods"][NBTREE] == {"late": -1.0}
