"""InputMappedClassifier: rows of the same header get the answer of what it is around."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential_wrappers import spread
from random_data import random_case
from weka_live import J48, Weka

from j48geo import load, read_arff
from j48geo.errors import SeveralTreesError

MAPPED = "weka.classifiers.misc.InputMappedClassifier"
FILTERED = "weka.classifiers.meta.FilteredClassifier"
TEXT = """InputMappedClassifier:

J48 pruned tree
------------------

x <= 2: no (3.0)
x > 2: yes (3.0)

Number of Leaves  : \t2

Size of the tree : \t3

Attribute mappings:

Model attributes\t    Incoming attributes
----------------\t    ----------------
(numeric) x     \t--> 1 (numeric) x
(nominal) class \t--> 2 (nominal) class
"""
DATA = read_arff(
    b"@relation r\n@attribute x numeric\n@attribute class {no,yes}\n@data\n"
    b"0,no\n1,no\n2,no\n3,yes\n4,yes\n5,yes\n"
)


def test_a_tree_of_the_same_header_answers() -> None:
    classes = ["no"] * 3 + ["yes"] * 3
    assert load(TEXT.encode(), data=DATA).predict(DATA).tolist() == classes
    unreported = TEXT.partition("Attribute mappings")[0]
    assert load(unreported.encode(), data=DATA).predict(DATA).tolist() == classes


@pytest.mark.parametrize(
    "line",
    ["--> - missing (no match)", "--> 1 missing (type mis-match)", "--> 1 (numeric) X", "--> 3 x"],
)
def test_a_tree_of_other_attributes_is_refused_by_name(line: str) -> None:
    model = load(TEXT.replace("--> 1 (numeric) x", line).encode(), data=DATA)
    with pytest.raises(SeveralTreesError, match=r"^InputMappedClassifier: it takes other attrib"):
        model.predict(DATA)


@pytest.mark.weka
@pytest.mark.parametrize("inner", [J48, f"{J48} -- -M 5", f"{FILTERED} -- -W {J48}"])
def test_it_answers_as_weka_does(
    inner: str, weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    file, saved = fixtures_dir / "breast-cancer-explorer" / "data.arff", tmp_path / "saved.model"
    how = {"scheme": MAPPED, "options": f"-W {inner}"}
    weka.save(saved, file, **how)
    bare, truth = weka.ask(saved, file)
    rows = read_arff(file)
    classes = [rows.header.classes[int(k)] for k in truth.classified]
    assert load(saved, data=file).predict(rows).tolist() == classes
    printed = weka.text(file, **how)
    assert "Attribute mappings:" in printed
    for text in (bare, printed, weka.cli(file, **how), weka.explorer(file, **how)):
        for training in (None, file):
            model = load(text.encode(), training, data=file)
            if FILTERED in inner:
                with pytest.raises(SeveralTreesError, match=r"^InputMappedClassifier: what it"):
                    model.predict(rows)
            else:
                assert model.predict(rows).tolist() == classes


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
def test_with_smoothed_leaves_its_class_is_the_trees_and_not_the_most_probable(
    version: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Other wrappers take the most probable class; where no options say -A both must agree."""
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    case = random_case(20053)
    train, test = case.write(tmp_path)
    spread(train, test, "last", case.seed)
    rows = read_arff(test)
    saved = tmp_path / "saved.model"
    differ = 0
    for scheme in (MAPPED, "weka.classifiers.meta.AttributeSelectedClassifier"):
        if scheme == MAPPED and version == "3.6.14":
            continue
        weka.save(saved, train, scheme=scheme, options=f"-W {J48} -- -A")
        bare, truth = weka.ask(saved, test)
        differ += int((truth.classified != truth.distribution.argmax(axis=1)).sum())
        stored = next(iter(load(saved).predictions(rows))).prediction
        assert truth.same(stored.classified, stored.distribution) == len(rows)
        printed = next(iter(load(bare.encode(), train).predictions(rows))).prediction.classified
        assert (printed >= 0).mean() > 0.5
        assert (printed[printed >= 0] == truth.classified[printed >= 0]).all()
    assert differ > 0 or version == "3.6.14"
