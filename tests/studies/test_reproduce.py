"""A slice of scripts/studies/reproduce: two data sets, five samples, the signs of the tables."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from weka_live import Weka

from j48geo import read_arff

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "studies"))

from reproduction.catalogue import CATALOGUE, GROUPS, load, names_of
from reproduction.growers import FFH02, judge_once, load_grower
from reproduction.growing import KINDS, Grown
from reproduction.jvm import running_weka
from reproduction.papers import COLUMNS
from reproduction.samples import draw, folds
from reproduction.scoring import score_sample
from reproduction.statistics import Mean, corrected_t, mean_of, verdict
from reproduction.store import Results

SAMPLES = 5
SEED = 1


@pytest.fixture(scope="module", params=["iris", "wdbc"])
def results(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    weka: Weka,
    weka36: Weka,
) -> Results:
    """Five samples of a data set that scikit-learn carries, grown by live Weka and scored."""
    data = load(request.param)
    file = tmp_path_factory.mktemp("reproduce") / "data.arff"
    file.write_text(data.arff(), encoding="utf-8")
    rows = read_arff(file).with_class("last")
    samples = [draw(data.name, data.labels, i, SEED) for i in range(SAMPLES)]
    texts: list[dict[str, str]] = [{} for _ in samples]
    for version in (weka.version, weka36.version):
        with running_weka(version, data.arff(), offline=True) as running:
            for kind in ("normal", "unpruned", "reduced"):
                if KINDS[kind].weka == version:
                    for sample, found in zip(samples, texts, strict=True):
                        how = KINDS[kind]
                        found[kind] = running.text(how.scheme, how.options, sample.train)
    return Results(
        record
        for i, (sample, found) in enumerate(zip(samples, texts, strict=True))
        for record in score_sample(rows, Grown(i, sample, found, None), {})
    )


@pytest.mark.weka
def test_signs_are_those_of_the_papers_on_iris_and_wdbc(results: Results) -> None:
    # All these cells are significant in AB05 Tables 1 to 4 and ABD07 Tables 1 to 3, for both.
    for column in COLUMNS:
        if column.right is not None and column.right.tree == "nbtree":
            continue
        found = mean_of(column.values(results))
        assert found is not None, column.title
        expected = -1 if "mse" in column.key else 1
        assert found.value * expected > 0, f"{column.paper} Table {column.table}, {column.title}"


@pytest.mark.weka
def test_every_tree_replays_on_its_own_sample(results: Results) -> None:
    for kind in ("normal", "unpruned", "reduced"):
        assert (results.fact(kind, "replayed") == 1).all()


@pytest.mark.weka
def test_midgap_keeps_the_leaves_and_changes_few_areas(results: Results) -> None:
    gain = results.measure("normal", "global-midgap", "auc") - results.measure(
        "normal", "global", "auc"
    )
    assert (np.abs(gain) < 0.05).all()


def test_a_sample_trains_with_repeats_and_tests_on_what_was_not_drawn() -> None:
    labels = ["a"] * 60 + ["b"] * 30
    sample = draw("x", labels, 3, 1)
    assert len(sample.train) == 60
    assert len(set(sample.train.tolist())) < 60
    assert len(sample.test) == len(set(sample.test.tolist())) == 30
    assert not set(sample.train.tolist()) & set(sample.test.tolist())
    assert [labels[i] for i in sample.test].count("b") == 10
    again = draw("x", labels, 3, 1)
    assert (again.train == sample.train).all()
    assert not (draw("x", labels, 4, 1).train == sample.train).all()


def test_folds_are_stratified() -> None:
    fold = folds("x", ["a"] * 40 + ["b"] * 20, 10, 1)
    assert np.bincount(fold[:40]).tolist() == [4] * 10
    assert np.bincount(fold[40:]).tolist() == [2] * 10


def test_groups_name_data_sets_that_exist() -> None:
    assert len(GROUPS["paper"]) == 16
    assert len(GROUPS["more"]) >= 15
    assert len(GROUPS["multi"]) >= 5
    assert set(names_of(["paper", "more", "multi"])) == set(CATALOGUE)
    assert names_of(["wine", "paper"])[0] == "wine"
    with pytest.raises(ValueError, match="unknown data 'wein'"):
        names_of(["wein"])


def test_the_corrected_t_test_is_that_of_the_plain_one_with_a_larger_variance() -> None:
    differences = np.array([1.0, 2.0, 3.0, 2.0])
    found = corrected_t(differences, ratio=0.5)
    assert found is not None
    assert found[0] == pytest.approx(2.0 / np.sqrt((0.25 + 0.5) * differences.var(ddof=1)))
    assert 0 < found[1] < 1
    assert verdict(np.full(10, 0.1)) == 1
    assert verdict(np.zeros(10)) == 0
    assert corrected_t(np.array([1.0])) is None


def test_a_mean_knows_what_it_may_be_compared_with() -> None:
    mean = mean_of(np.array([1.0, np.nan, 3.0]))
    assert mean == Mean(2.0, 1.0, 2)
    assert mean.significant
    assert mean.near(Mean(4.0, 0.1))
    assert not mean.near(Mean(4.1, 0.0))
    assert mean_of(np.array([np.nan])) is None


@pytest.mark.parametrize(
    ("name", "rows", "share"),
    [("Monks1", 432, 0.5), ("Monks2", 432, 142 / 432), ("nursery[nr]", 12960, 1 / 3)],
)
def test_data_made_by_a_definition_has_its_size_and_its_share_of_positives(
    name: str, rows: int, share: float
) -> None:
    made = load_grower(name, FFH02[name])
    assert len(made) == rows
    assert (made.class_values == 1).mean() == pytest.approx(share)


def test_grown_trees_rank_as_well_as_the_paper_says_and_half_is_the_mean_of_both_shares() -> None:
    found = judge_once("breast-wdbc", FFH02["breast-wdbc"], ("gain_ratio", "aucsplit"), 1)
    # FFH02 Table 3: 91.5 ± 6.1 and 94.7 ± 4.6.
    assert found["gain_ratio"].mean("auc") == pytest.approx(91.5, abs=6.1)
    assert found["aucsplit"].mean("auc") == pytest.approx(94.7, abs=4.6)
    for judged in found.values():
        assert len(judged.auc) == 10
        both = np.add(judged.accuracy, judged.swapped) / 2
        assert np.allclose(judged.half, both)
