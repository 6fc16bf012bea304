"""Wrappers read from their texts: what is answered is Weka's answer, the rest is left open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tree_cases import meta_of, named_cases, suite_of
from weka_live import J48, predictions

from j48geo import load, read_arff
from j48geo.arrays import Bools
from j48geo.core.dataset import Dataset
from j48geo.core.wrappers import Ensemble
from j48geo.errors import SeveralTreesError
from j48geo.read.readers import read_trees

META = "weka.classifiers.meta."
FILTERED = f"{META}FilteredClassifier"
STANDARDIZE = "weka.filters.unsupervised.attribute.Standardize"
BAGGING = {"3.9.7": "-print ", "3.6.14": ""}

WRAPPERS = {
    "boosted": (f"{META}AdaBoostM1", f"-I 6 -W {J48}"),
    "boosted with -A": (f"{META}AdaBoostM1", f"-I 6 -W {J48} -- -A -M 5"),
    "bagged": (f"{META}Bagging", f"-I 5 -W {J48}"),
    "bagged with -A": (f"{META}Bagging", f"-I 5 -W {J48} -- -A -U"),
    "voted": (f"{META}Vote", f'-R AVG -B "{J48} -M 5" -B "{J48} -U" -B "{J48} -A"'),
    "least cost": (f"{META}CostSensitiveClassifier", f"-cost-matrix COSTS -M -W {J48}"),
    "one against all": (f"{META}MultiClassClassifier", f"-M 0 -W {J48}"),
}
COSTS = {"iris": '"[0 5 1; 1 0 1.5; 2 3 0]"', "breast-cancer-explorer": '"[0 5; 1 0]"'}

REFUSED = {
    "one against one": (f"{META}MultiClassClassifier", f"-M 3 -W {J48}", "1-against-1"),
    "stacked": (f"{META}Stacking", f'-X 3 -M "{J48}" -B "{J48}" -B "{J48} -U"', "not known"),
    "subspaces": (f"{META}RandomSubSpace", f"-I 3 -W {J48}", "not that of J48 trees alone"),
    "bagged boosting": (
        f"{META}Bagging",
        f"-I 2 -W {META}AdaBoostM1 -- -I 2 -W {J48}",
        "not that of J48 trees alone",
    ),
    "bagged filters": (
        f"{META}Bagging",
        f"-I 2 -W {FILTERED} -- -F {STANDARDIZE} -W {J48}",
        "not that of J48 trees alone",
    ),
}


def part(data: Dataset, chosen: Bools) -> Dataset:
    return Dataset(data.header, data.X[chosen], data.weights[chosen])


def ensemble_of(model: Path, data: Path) -> Ensemble:
    found = read_trees(model, header=read_arff(data).header).ensemble
    assert found is not None
    return found


@pytest.mark.parametrize(
    "folder",
    named_cases(
        *("bagging", "bagging36", "bagging-explorer", "boosting", "boosting36", "one-against-all"),
        *("j48/p44-bagging", "j48/p45-bagging36", "j48/p46-adaboost", "j48/p48-multiclass"),
    ),
)
@pytest.mark.parametrize("with_data", [True, False])
def test_what_a_printed_wrapper_answers_is_wekas(
    folder: Path, with_data: bool, record_case: Callable[..., None]
) -> None:
    data = read_arff(folder / "data.arff")
    # A row less, and it is not the training data.
    rows = data if with_data else part(data, np.arange(len(data)) > 0)
    model = load(folder / "model.txt", data=rows)
    assert model.committee is not None
    name = meta_of(folder)["classifier"].removeprefix(META)
    article = "an" if name == "AdaBoostM1" else "a"
    trees = meta_of(folder)["expect"]["trees"]
    assert str(model.committee.ensemble) == f"{trees} J48 trees of {article} {name}"
    assert model.committee.proven == with_data
    expected = [p.predicted for p in predictions(folder / "weka.csv") if p.tree == -1]
    said = model.predict(rows)
    kept = [(a, b) for a, b in zip(said, expected[-len(rows) :], strict=True) if a is not None]
    record_case("texts of wrappers, rows answered", f"{folder.name} {with_data}: {len(kept)}")
    assert all(a == b for a, b in kept)
    # Three or four small trees leave more ties open than the larger ones of the corpus.
    least = {True: (0.94, 0.98), False: (0.85, 0.9)}[with_data]
    assert len(kept) >= least[suite_of(folder) != "fixtures"] * len(rows)


@pytest.mark.parametrize("folder", named_cases("vote", "j48/p49-vote-ensemble"))
def test_a_vote_with_another_member_is_refused_by_name(folder: Path) -> None:
    model = load(folder / "model.txt", data=folder / "data.arff")
    with pytest.raises(SeveralTreesError, match=r"^Vote: weka\.classifiers\.rules\.ZeroR inside"):
        model.predict(folder / "data.arff")


@pytest.mark.parametrize("folder", named_cases("outings-folds", "j48/p63-explorer-fold-models"))
def test_models_of_folds_are_no_wrapper(folder: Path) -> None:
    text = read_trees(folder / "model.txt", header=read_arff(folder / "data.arff").header)
    assert len(text.entries) > 1
    assert text.ensemble is None


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
@pytest.mark.parametrize("data", COSTS)
@pytest.mark.parametrize("name", WRAPPERS)
def test_what_a_text_answers_is_wekas_and_with_training_data_nearly_all_is_answered(
    name: str,
    data: str,
    version: str,
    fixtures_dir: Path,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    record_case: Callable[..., None],
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    if name == "voted" and version == "3.6.14":
        return  # it prints no trees
    scheme, options = WRAPPERS[name]
    options = options.replace("COSTS", COSTS[data])
    if name.startswith("bagged"):
        options = BAGGING[version] + options
    file = fixtures_dir / data / "data.arff"
    rows = read_arff(file)
    saved = tmp_path / "wrapper.model"
    weka.save(saved, file, scheme=scheme, options=options)
    bare, expected = weka.ask(saved, file)
    printed = weka.explorer(file, scheme=scheme, options=options)
    fewer = np.arange(len(rows)) > 0
    for kind, text in (("bare", bare), ("explorer", printed)):
        for chosen in (np.ones(len(rows), dtype=bool), fewer):
            model = load(text.encode(), data=part(rows, chosen))
            block = next(iter(model.predictions(part(rows, chosen))))
            said = block.prediction.predicted
            known = said >= 0
            record_case(
                "live texts of wrappers, rows answered",
                f"{name}, {data} {version}, {kind}: {known.sum()} of {chosen.sum()}",
            )
            assert (said[known] == expected.classified[chosen][known]).all()
            unknown_costs = name == "least cost" and kind == "bare"
            if chosen.all() and not unknown_costs:
                assert known.mean() > 0.95


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused_by_name(
    name: str, version: str, fixtures_dir: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    scheme, options, why = REFUSED[name]
    if scheme.endswith("Bagging"):
        options = BAGGING[version] + options
    file = fixtures_dir / "iris" / "data.arff"
    saved = tmp_path / "wrapper.model"
    weka.save(saved, file, scheme=scheme, options=options)
    bare, _ = weka.ask(saved, file)
    text = tmp_path / "model.txt"
    for printed in (bare, weka.explorer(file, scheme=scheme, options=options)):
        text.write_text(printed, encoding="utf-8")
        ensemble = ensemble_of(text, file)
        assert ensemble.only_tree is None
        assert why in ensemble.refusal or ensemble.refusal == "its whole answer is not known"
        model = load(text, data=file)
        with pytest.raises(SeveralTreesError, match=f"^{ensemble.name}: "):
            model.predict(file)
        assert load(text, data=file, tree=1).predict(file)[0] is not None
