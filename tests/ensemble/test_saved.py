"""Saved classifiers answer as Weka does, to the last bit, or are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from saved_cases import SavedCase, saved_cases
from weka_live import J48, Weka, answers

from j48geo import read_arff
from j48geo.arrays import Floats
from j48geo.core.tree_text import TreeText
from j48geo.core.wrappers import ReplaceMissingValues
from j48geo.ensemble.committee import WrapperAnswer, answer_rows
from j48geo.errors import MismatchError, ModelReadError
from j48geo.read.readers import read_trees
from j48geo.score.prediction import predict
from j48geo.show.weka_text import tree_text

REMOVE = "weka.filters.unsupervised.attribute.Remove"
RANKER = (
    "-E weka.attributeSelection.InfoGainAttributeEval "
    f'-S "weka.attributeSelection.Ranker -T -1.8E308 -N -1" -W {J48}'
)


def told(text: TreeText, X: Floats) -> WrapperAnswer:
    """The answer of a tree alone, or of the wrapper."""
    if text.ensemble is not None:
        return answer_rows(text.entries, text.ensemble, X)
    (entry,) = text.entries
    (tree,) = entry.readings
    assert entry.counts is not None
    said = predict(tree, entry.counts, X, laplace=bool(tree.options.laplace))
    return WrapperAnswer(said.distribution, said.classified)


@pytest.mark.parametrize("case", saved_cases())
def test_class_and_distribution_are_wekas_to_the_bit(
    case: SavedCase, record_case: Callable[..., None]
) -> None:
    record_case(case.suite, case.name)
    text = read_trees(case.model)
    for rows, kept in case.asked:
        data = read_arff(rows).with_class(case.class_choice)
        expected = answers(kept)
        if case.refused:
            with pytest.raises(MismatchError, match=r"^MultiClassClassifier: .*1-against-1"):
                told(text, data.X)
            continue
        said = told(text, data.X)
        assert expected.same(said.classified, said.distribution) == len(data) > 0


@pytest.mark.parametrize("case", saved_cases())
def test_every_tree_prints_as_weka_printed_it(case: SavedCase) -> None:
    if case.names_its_trees_only:
        assert "J48 pruned tree" not in case.text
        return
    for entry in read_trees(case.model).entries:
        assert tree_text(entry.readings[0]).strip() in case.text


def test_rows_of_another_width_are_refused(fixtures_dir: Path) -> None:
    text = read_trees(fixtures_dir / "saved" / "bagging.model")
    assert text.ensemble is not None
    X = read_arff(fixtures_dir / "iris" / "data.arff").X
    with pytest.raises(
        MismatchError,
        match=r"^rows of shape \(\d+, 5\); expected \d+ columns, ",
    ):
        answer_rows(text.entries, text.ensemble, X)


@pytest.mark.weka
@pytest.mark.parametrize("options", [RANKER, f'-F "{REMOVE} -V -R first-last" -W {J48}'])
def test_columns_stay_in_their_order_where_nothing_is_removed(
    options: str, weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    name = "AttributeSelectedClassifier" if options == RANKER else "FilteredClassifier"
    saved, data = tmp_path / "saved.model", fixtures_dir / "parcels-binary" / "data.arff"
    scheme = f"weka.classifiers.meta.{name}"
    weka.save(saved, data, scheme=scheme, options=options)
    _, truth = weka.ask(saved, data)
    rows = read_arff(data)
    answer = told(read_trees(saved), rows.X)
    assert truth.same(answer.classified, answer.distribution) == len(rows)


@pytest.mark.parametrize("value", [1e9, 1e300, 3.5, -1.0, 4.0])
def test_a_replacement_that_is_no_label_is_refused(
    value: float, fixtures_dir: Path, tmp_path: Path
) -> None:
    content = (fixtures_dir / "saved" / "replaced.model").read_bytes()
    ensemble = read_trees(fixtures_dir / "saved" / "replaced.model").ensemble
    assert ensemble is not None
    assert isinstance(ensemble.filter, ReplaceMissingValues)
    values = ensemble.filter.values.astype(">f8")
    assert ensemble.header.attributes[2].is_nominal
    hostile = values.copy()
    hostile[2] = value
    assert content.count(values.tobytes()) == 1
    spoilt = tmp_path / "spoilt.model"
    spoilt.write_bytes(content.replace(values.tobytes(), hostile.tobytes()))
    with pytest.raises(ModelReadError, match=r"ReplaceMissingValues gives .* a label it lacks"):
        read_trees(spoilt)
