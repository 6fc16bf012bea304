"""Wrappers built by a live Weka: bit-equal, or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from weka_live import J48

from j48geo import read_arff
from j48geo.ensemble.committee import answer_rows
from j48geo.errors import MismatchError, ModelReadError
from j48geo.read.readers import read_trees

META = "weka.classifiers.meta."
FILTERED = f"{META}FilteredClassifier"
DISCRETIZE = "weka.filters.supervised.attribute.Discretize"
UNSUPERVISED = "weka.filters.unsupervised.attribute."
RANKER = "weka.attributeSelection.Ranker"
INSIDE = f'-F "{DISCRETIZE} -R first-last" -W {J48} -- -A'
MEMBERS = f'-B "{J48} -M 5" -B "{J48} -U" -B "{J48} -A"'

EQUAL = {
    "bagging": (f"{META}Bagging", f"-I 4 -W {J48} -- -A"),
    "bagging of filtered trees": (f"{META}Bagging", f"-I 3 -W {FILTERED} -- {INSIDE}"),
    "costs in the weights": (
        f"{META}CostSensitiveClassifier",
        f'-cost-matrix "[0 5; 1 0]" -W {J48}',
    ),
    "least cost": (f"{META}CostSensitiveClassifier", f'-cost-matrix "[0 5; 1 0]" -M -W {J48}'),
    "selected": (
        f"{META}AttributeSelectedClassifier",
        f'-E weka.attributeSelection.InfoGainAttributeEval -S "{RANKER} -N 4" -W {J48}',
    ),
    "standardized": (FILTERED, f"-F {UNSUPERVISED}Standardize -W {J48}"),
    "replaced": (FILTERED, f"-F {UNSUPERVISED}ReplaceMissingValues -W {J48}"),
    "kept": (FILTERED, f'-F "{UNSUPERVISED}Remove -V -R 2-5,last" -W {J48}'),
    "discretized": (FILTERED, f"-F {DISCRETIZE} -W {J48}"),
    "discretized into columns": (FILTERED, f'-F "{UNSUPERVISED}Discretize -B 4 -D" -W {J48}'),
    "discretized in part": (FILTERED, f'-F "{UNSUPERVISED}Discretize -B 4 -R 1,3 -V" -W {J48}'),
    "stacked": (f"{META}Stacking", f'-X 3 -M "{J48}" {MEMBERS}'),
    "voted": (f"{META}Vote", f"-R AVG {MEMBERS}"),
    "selected parameters": (f"{META}CVParameterSelection", f'-P "C 0.1 0.3 3" -X 3 -W {J48}'),
    "one against all, two classes": (f"{META}MultiClassClassifier", f"-M 0 -W {J48}"),
}

REFUSED = {
    "another rule": (f"{META}Vote", f"-R MAX {MEMBERS}", "Vote: its combination rule"),
    "another member": (
        f"{META}Vote",
        f'-R AVG -B "{J48}" -B weka.classifiers.rules.ZeroR',
        "Vote: weka.classifiers.rules.ZeroR inside is no J48",
    ),
    "another filter": (
        FILTERED,
        f"-F {UNSUPERVISED}AddID -W {J48}",
        "FilteredClassifier: the filter weka.filters.unsupervised.attribute.AddID",
    ),
    "a transformation": (
        f"{META}AttributeSelectedClassifier",
        f"-E weka.attributeSelection.PrincipalComponents -S {RANKER} -W {J48}",
        "AttributeSelectedClassifier: the transformation of .*PrincipalComponents",
    ),
    "another wrapper": (f"{META}RandomSubSpace", f"-I 3 -W {J48}", "RandomSubSpace: its whole"),
}


@pytest.fixture(scope="module")
def rows(fixtures_dir: Path) -> tuple[Path, Path]:
    folder = fixtures_dir / "breast-cancer-explorer"
    return folder / "data.arff", folder / "test.arff"


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
@pytest.mark.parametrize("name", EQUAL)
def test_the_whole_answer_is_wekas_to_the_bit(
    name: str,
    version: str,
    rows: tuple[Path, Path],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    record_case: Callable[..., None],
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    record_case("live Weka, wrappers", f"{name} {version}")
    scheme, options = EQUAL[name]
    model = tmp_path / "wrapper.model"
    weka.save(model, rows[0], scheme=scheme, options=options)
    text = read_trees(model)
    assert text.ensemble is not None
    for file in rows:
        data = read_arff(file)
        _, expected = weka.ask(model, file)
        said = answer_rows(text.entries, text.ensemble, data.X)
        assert expected.same(said.classified, said.distribution) == len(data) > 0


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused_by_name_and_its_trees_are_there(
    name: str,
    version: str,
    rows: tuple[Path, Path],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    record_case: Callable[..., None],
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    record_case("live Weka, wrappers refused by name", f"{name} {version}")
    scheme, options, problem = REFUSED[name]
    model = tmp_path / "wrapper.model"
    weka.save(model, rows[0], scheme=scheme, options=options)
    text = read_trees(model)
    assert text.entries
    assert text.ensemble is not None
    with pytest.raises(MismatchError, match=f"^{problem}"):
        answer_rows(text.entries, text.ensemble, read_arff(rows[0]).X)


@pytest.mark.weka
def test_a_wrapper_without_a_j48_is_named(
    rows: tuple[Path, Path], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    weka = request.getfixturevalue("weka")
    model = tmp_path / "forest.model"
    weka.save(model, rows[0], scheme="weka.classifiers.trees.RandomForest", options="-I 2")
    with pytest.raises(ModelReadError, match=r"a weka\.classifiers\.trees\.RandomForest"):
        read_trees(model)


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
def test_boosted_classes_are_equal_and_powers_but_for_the_last_bits(
    version: str, fixtures_dir: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Java's exp is not the C library's: see `j48geo.ensemble.committee`."""
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    train = fixtures_dir / "parcels-weights" / "data.arff"
    test = fixtures_dir / "parcels-weights" / "test.arff"
    model = tmp_path / "boosted.model"
    weka.save(model, train, scheme=f"{META}AdaBoostM1", options=f"-I 15 -W {J48}")
    text = read_trees(model)
    assert text.ensemble is not None
    assert text.ensemble.rule == "boost"
    data = read_arff(test)
    _, expected = weka.ask(model, test)
    said = answer_rows(text.entries, text.ensemble, data.X)
    assert said.classified.tolist() == expected.classified.tolist()
    np.testing.assert_allclose(said.distribution, expected.distribution, rtol=1e-15, atol=0)
    assert expected.same(said.classified, said.distribution) > 0.9 * len(data)
