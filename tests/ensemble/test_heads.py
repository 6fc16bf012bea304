"""Wrappers under every head that Weka's programs print: answered as Weka does, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from saved_cases import SavedCase, saved_cases
from weka_live import J48, Answers, Weka, answers

from j48geo import J48GeoError, load, read_arff

META = "weka.classifiers.meta."
FILTERED = f"{META}FilteredClassifier"
UNSUPERVISED = "weka.filters.unsupervised.attribute."
DISCRETIZED = f'{FILTERED} -- -F "{UNSUPERVISED}Discretize -B 3" -W {J48}'

NOT_KNOWN = {
    "IterativeClassifierOptimizer": ("3.9.7", f"-W {META}AdaBoostM1 -- -I 4 -W {J48}"),
    "MultiScheme": ("3.9.7", f'-X 0 -B "{J48} -M 2" -B "{J48} -U"'),
    "WeightedInstancesHandlerWrapper": ("3.9.7", f"-W {J48}"),
    "AttributeSelectedClassifier": ("3.9.7", f"-W {DISCRETIZED}"),
    "ThresholdSelector": ("3.6.14", f"-W {J48}"),
    "Decorate": ("3.6.14", f"-W {J48}"),
    "MultiBoostAB": ("3.6.14", f"-I 3 -W {J48}"),
}


def under_knowledge_flow(scheme: str, relation: str, bare: str, fold: str = "") -> str:
    """The text of a classifier as the KnowledgeFlow shows it."""
    name = scheme.rpartition(".")[2]
    head = f"=== Classifier model ===\n\nScheme:   {name}\nRelation: {relation}\n{fold}"
    return f"{head}\n{bare}"


def count_wrong_classes(
    text: str, train: Path | None, rows: Path, column: str, truth: Answers
) -> int | None:
    """How many rows are answered otherwise than Weka does; None if the text is refused."""
    data = read_arff(rows, class_attribute=column)
    try:
        model = load(text.encode(), train, data=rows, class_attribute=column)
        predicted = model.predict(data)
    except J48GeoError:
        return None
    labels = [data.header.classes[int(k)] if k == k else None for k in truth.classified]
    return sum(own not in (None, label) for own, label in zip(predicted, labels, strict=True))


@pytest.mark.parametrize("fold", ["", "Training Fold: 2\n"])
@pytest.mark.parametrize("case", saved_cases(lambda case: case.scheme != J48))
def test_a_wrapper_shown_by_the_knowledge_flow_is_never_answered_by_one_of_its_trees(
    case: SavedCase, fold: str
) -> None:
    train = case.asked[0][0]
    relation = read_arff(train, class_attribute=case.class_choice).header.relation
    text = under_knowledge_flow(case.scheme, relation, case.text, fold)
    for rows, expected in case.asked:
        truth = answers(expected)
        for training in (None, train):
            assert not count_wrong_classes(text, training, rows, case.class_choice, truth)


@pytest.mark.parametrize("case", saved_cases(lambda case: case.is_single_tree))
def test_a_tree_shown_by_the_knowledge_flow_is_answered(case: SavedCase) -> None:
    train = case.asked[0][0]
    relation = read_arff(train, class_attribute=case.class_choice).header.relation
    text = under_knowledge_flow(case.scheme, relation, case.text)
    model = load(text.encode(), data=train, class_attribute=case.class_choice)
    assert model.predict(read_arff(train, class_attribute=case.class_choice))[0] is not None


@pytest.mark.weka
@pytest.mark.parametrize("name", NOT_KNOWN)
def test_wrappers_that_are_not_known_are_refused_by_name_under_every_head(
    name: str, fixtures_dir: Path, request: pytest.FixtureRequest
) -> None:
    version, options = NOT_KNOWN[name]
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    file = fixtures_dir / "breast-cancer-explorer" / "data.arff"
    how = {"scheme": f"{META}{name}", "options": options}
    bare = weka.text(file, **how)
    assert "J48 pruned tree" in bare
    heads = (bare, weka.cli(file, **how), weka.explorer(file, **how))
    for text in (*heads, under_knowledge_flow(name, "breast-cancer", bare)):
        for training in (None, file):
            model = load(text.encode(), training, data=file)
            with pytest.raises(J48GeoError, match=name):
                model.predict(file)


REGRESSION = f"{META}RegressionByDiscretization"
WITH_NUMBERS = {
    "RegressionByDiscretization": ("1", f"-B 4 -W {J48}"),
    "AdditiveRegression": ("1", f"-I 2 -W {REGRESSION} -- -W {J48}"),
    "ClassificationViaRegression": ("last", f"-W {REGRESSION} -- -W {J48}"),
    "LogitBoost": ("last", f"-I 2 -W {REGRESSION} -- -W {J48}"),
}


@pytest.mark.weka
@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_trees_of_intervals_inside_a_regression_are_refused(
    name: str, weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    column, options = WITH_NUMBERS[name]
    file, saved = fixtures_dir / "iris" / "data.arff", tmp_path / "saved.model"
    how = {"scheme": f"{META}{name}", "options": options}
    place = 0 if column == "1" else -1
    weka.save(saved, file, class_index=place, **how)
    bare = weka.text(file, class_index=place, **how)
    assert "J48 pruned tree" in bare
    texts = [bare, weka.cli(file, class_index=place, **how)]
    for model in (saved, *(text.encode() for text in texts)):
        with pytest.raises(J48GeoError, match=r"RegressionBy|Regression|LogitBoost|around J48"):
            load(model, class_attribute=column).predict(file)


@pytest.mark.weka
@pytest.mark.parametrize("filter_name", ["ReplaceMissingValues", "Standardize", "Normalize"])
def test_a_filter_is_applied_to_new_rows_even_if_training_rows_agree_without_it(
    filter_name: str, weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    whole = (fixtures_dir / "wdbc-split" / "data.arff").read_text(encoding="utf-8")
    train, test = tmp_path / "train.arff", tmp_path / "test.arff"
    train.write_text(whole, encoding="utf-8")
    header, _, lines = whole.partition("@data\n")
    rng = np.random.default_rng(26)
    spoilt = [
        ",".join("?" if rng.random() < 0.3 else cell for cell in row.split(",")[:-1])
        + f",{row.rpartition(',')[2]}"
        for row in lines.splitlines()
    ]
    test.write_text(f"{header}@data\n" + "\n".join(spoilt) + "\n", encoding="utf-8")
    how = {"scheme": FILTERED, "options": f"-F {UNSUPERVISED}{filter_name} -W {J48}"}
    saved = tmp_path / "saved.model"
    weka.save(saved, train, **how)
    bare, truth = weka.ask(saved, test)
    for text in (bare, weka.cli(train, **how), weka.explorer(train, **how)):
        assert count_wrong_classes(text, train, test, "last", truth) == 0
