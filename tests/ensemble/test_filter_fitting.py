"""Filters learnt from rows are those that Weka learnt from them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from saved_cases import SavedCase, saved_cases
from weka_live import J48, Weka, WekaError, answers

from j48geo import load, read_arff
from j48geo.core.dataset import Dataset
from j48geo.core.wrappers import (
    Discretize,
    NamedFilter,
    NominalToBinary,
    ReplaceMissingValues,
    Standardize,
)
from j48geo.ensemble.filter_fitting import fit_filters, unknown_part
from j48geo.ensemble.filters import FilterChain, apply_filter
from j48geo.errors import FilterError
from j48geo.read.readers import read_trees

FILTERED = "weka.classifiers.meta.FilteredClassifier"
UNSUPERVISED = "weka.filters.unsupervised.attribute."
SUPERVISED = "weka.filters.supervised.attribute."
SEVERAL = "weka.filters.MultiFilter"
FILTERS = (
    *(f"{UNSUPERVISED}Standardize", f"{UNSUPERVISED}Normalize", f"{UNSUPERVISED}Center"),
    *(f"{UNSUPERVISED}Normalize -S 2.0 -T -1.0", f"{UNSUPERVISED}Remove -R 1"),
    *(f"{UNSUPERVISED}ReplaceMissingValues", f"{SUPERVISED}Discretize"),
    *(f"{UNSUPERVISED}Discretize -B 4", f"{UNSUPERVISED}Discretize -F -B 5"),
    *(f"{UNSUPERVISED}Discretize -D -B 3", f"{SUPERVISED}Discretize -D"),
    *(f"{UNSUPERVISED}NominalToBinary", f"{UNSUPERVISED}NominalToBinary -A"),
    *(f"{SUPERVISED}NominalToBinary", f"{UNSUPERVISED}Reorder -R 2-last,1"),
    *(f"{UNSUPERVISED}RemoveType -T numeric", f"{UNSUPERVISED}NumericToNominal -R first-last"),
    f'{SEVERAL} -F {UNSUPERVISED}ReplaceMissingValues -F \\"{UNSUPERVISED}Discretize -B 3\\"',
)
CHANGES_VALUES = ("Standardize", "Normalize", "ReplaceMissing", "Center")
SAVED = saved_cases(lambda case: case.model.parent.name == "saved" and case.scheme == FILTERED)


@pytest.mark.weka
@pytest.mark.parametrize("version", ["3.9.7", "3.6.14"])
@pytest.mark.parametrize("name", ["breast-cancer-explorer", "multiway-empty", "iris"])
@pytest.mark.parametrize("how", FILTERS)
def test_every_row_from_before_the_filter_gets_wekas_class(
    how: str,
    name: str,
    version: str,
    fixtures_dir: Path,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    file = fixtures_dir / name / "data.arff"
    rows = read_arff(file)
    saved = tmp_path / "filtered.model"
    weka.save(saved, file, scheme=FILTERED, options=f'-F "{how}" -W {J48}')
    bare, expected = weka.ask(saved, file)
    classes = [rows.header.classes[int(k)] for k in expected.classified]
    assert load(saved, data=rows).predict(rows).tolist() == classes
    assert load(bare.encode(), data=rows).predict(rows).tolist() == classes
    model = load(bare.encode(), rows)
    assert model.predict(rows).tolist() == classes
    some = Dataset(rows.header, rows.X[:9], rows.weights[:9])
    assert model.predict(some).tolist() == classes[:9]
    if any(name in how for name in CHANGES_VALUES):
        with pytest.raises(FilterError, match=r"^the tree stands behind the filter \w+, and"):
            load(bare.encode(), data=some)


@pytest.mark.parametrize("case", SAVED)
def test_a_filter_learnt_from_rows_is_the_one_that_weka_saved(case: SavedCase) -> None:
    train = read_arff(case.asked[0][0], class_attribute=case.class_choice)
    saved = load(case.model)
    assert saved.filter is not None
    printed = load(case.text.encode(), train)
    for rows, kept in case.asked:
        data = read_arff(rows, class_attribute=case.class_choice)
        classes = [data.header.classes[int(k)] for k in answers(kept).classified]
        assert printed.predict(data).tolist() == classes
        if printed.filter is None:  # the columns are told by their names
            assert {"Remove", "Reorder", "RemoveType"} & set(re.findall(r"\w+", case.options))
            continue
        learnt, stored = printed.filter.dataset(data).X, saved.filter.dataset(data).X
        if case.name == "standardized36":  # a bare text does not tell that it is of 3.6
            np.testing.assert_allclose(learnt, stored, rtol=0, atol=1e-14)
        else:
            assert learnt.view(np.int64).tolist() == stored.view(np.int64).tolist()


@pytest.mark.weka
@pytest.mark.parametrize(("version", "place"), [("3.9.7", 0), ("3.6.14", 1)])
def test_means_and_deviations_are_wekas_to_the_bit(
    version: str, place: int, fixtures_dir: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    weka = request.getfixturevalue("weka36" if version == "3.6.14" else "weka")
    rows = fixtures_dir / "breast-cancer-explorer" / "data.arff"
    data = read_arff(rows)
    for name in ("Standardize", "ReplaceMissingValues"):
        saved = tmp_path / "filtered.model"
        weka.save(saved, rows, scheme=FILTERED, options=f"-F {UNSUPERVISED}{name} -W {J48}")
        ensemble = read_trees(saved).ensemble
        assert ensemble is not None
        ways = list(fit_filters(NamedFilter(UNSUPERVISED + name), data.header, data))
        kept = ensemble.filter
        inputs = [k for k in range(len(data.header)) if k != data.header.class_index]
        if isinstance(kept, Standardize):
            found = ways[place]
            assert isinstance(found, Standardize)
            assert kept.means[inputs].tolist() == found.means[inputs].tolist()
            assert kept.deviations[inputs].tolist() == found.deviations[inputs].tolist()
        else:
            assert isinstance(kept, ReplaceMissingValues)
            replaced = ways[place]
            assert isinstance(replaced, ReplaceMissingValues)
            assert kept.values[inputs].tolist() == replaced.values[inputs].tolist()


def dataset(text: str) -> Dataset:
    return read_arff(f"@relation r\n{text}".encode())


def test_cut_points_are_those_halfway_between_values() -> None:
    before = dataset("@attribute x numeric\n@attribute y {a,b}\n@data\n0.1,a\n0.2,a\n0.3,b\n?,b\n")
    intervals = "{'\\'(-inf-0.25]\\'','\\'(0.25-inf)\\''}"
    after = dataset(f"@attribute x {intervals}\n@attribute y {{a,b}}\n@data\n").header
    how, *_ = fit_filters(NamedFilter(f"{SUPERVISED}Discretize"), after, before)
    assert isinstance(how, Discretize)
    assert how.cuts[0] is not None
    assert how.cuts[0].tolist() == [(0.2 + 0.3) / 2]
    np.testing.assert_array_equal(
        apply_filter(how, before.header, before.X)[:, 0], [0, 0, 1, np.nan]
    )


def test_cut_points_that_print_alike_are_refused_by_name(tmp_path: Path) -> None:
    before = dataset("@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n1.2,a\n1.4,b\n?,b\n")
    intervals = "{'\\'(-inf-1]\\'','\\'(1-inf)\\''}"
    after = dataset(f"@attribute x {intervals}\n@attribute y {{a,b}}\n@data\n").header
    named = NamedFilter(f"{SUPERVISED}Discretize", ("-R", "first-last", "-precision", "0"))
    with pytest.raises(FilterError, match=r"^the filter Discretize cuts 'x' at 1, and 2 middles"):
        list(fit_filters(named, after, before))
    apart = replace(before, X=np.where(before.X == 1.2, 3.0, before.X))
    (how,) = fit_filters(named, after, replace(apart, X=apart.X[[0, 2, 3]]))
    assert isinstance(how, Discretize)
    assert how.cuts[0] is not None
    assert how.cuts[0].tolist() == [1.2]


@pytest.mark.weka
def test_a_discretization_printed_without_decimals_is_right_or_refused(
    weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    saved, refused = tmp_path / "saved.model", 0
    for name in ("breast-cancer-explorer", "iris", "wdbc-split"):
        file = fixtures_dir / name / "data.arff"
        how = f'-F "{SUPERVISED}Discretize -precision 0" -W {J48}'
        try:
            weka.save(saved, file, scheme=FILTERED, options=how)
        except WekaError:  # labels that are the same
            continue
        bare, truth = weka.ask(saved, file)
        rows = read_arff(file)
        classes = [rows.header.classes[int(k)] for k in truth.classified]
        assert load(saved).predict(rows).tolist() == classes
        try:
            assert load(bare.encode(), rows).predict(rows).tolist() == classes
        except FilterError as error:
            refused += "the filter Discretize cuts" in str(error)
    assert refused


def test_indicators_are_those_of_every_label() -> None:
    before = dataset("@attribute c {r,g,b}\n@attribute d {n,y}\n@attribute y {a,b}\n@data\n")
    rows = np.array([[0.0, 1, 0], [1, 0, 1], [2, 1, 1], [np.nan, np.nan, 0]])
    made = "".join(f"@attribute {n} numeric\n" for n in ("c=r", "c=g", "c=b", "d=y"))
    after = dataset(f"{made}@attribute y {{a,b}}\n@data\n").header
    (how,) = fit_filters(NamedFilter(f"{SUPERVISED}NominalToBinary"), after, before)
    assert isinstance(how, NominalToBinary)
    np.testing.assert_array_equal(
        apply_filter(how, before.header, rows, after)[:, :4],
        [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 1], [np.nan] * 4],
    )


UNKNOWN = {
    "the filter NumericCleaner": (f"{UNSUPERVISED}NumericCleaner", "-min", "0"),
    "the option -Y of the filter Discretize": (f"{SUPERVISED}Discretize", "-R", "1", "-Y"),
    "the option -unset-class-temporarily of the filter Standardize": (
        f"{UNSUPERVISED}Standardize",
        "-unset-class-temporarily",
    ),
    "the filter MathExpression": (
        SEVERAL,
        *("-F", f"{UNSUPERVISED}Center", "-F", f"{UNSUPERVISED}MathExpression -E A*2", "-S", "1"),
    ),
    "": (SEVERAL, "-F", f"{UNSUPERVISED}Center", "-F", f"{UNSUPERVISED}Remove -R 1,3-last"),
}


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_what_of_a_filter_is_not_known_is_said(unknown: str) -> None:
    scheme, *options = UNKNOWN[unknown]
    assert unknown_part(NamedFilter(scheme, tuple(options))) == unknown


def test_a_filter_that_is_not_known_is_refused_by_name_with_what_would_help(
    fixtures_dir: Path,
) -> None:
    folder = fixtures_dir / "filtered-standardized"
    text = (folder / "model.txt").read_text(encoding="utf-8")
    other = text.replace("attribute.Standardize", "attribute.NumericCleaner").encode()
    with pytest.raises(
        FilterError, match=r"^the filter NumericCleaner is not known; expected rows that Weka has"
    ):
        load(other, folder / "data.arff")


def test_texts_become_labels_and_unknown_ones_missing() -> None:
    rows = "@attribute t string\n@attribute y {a,b}\n@data\nx,a\n'y z',b\n?,a\nx,b\n"
    after = dataset("@attribute t {x,'y z'}\n@attribute y {a,b}\n@data\n").header
    train = dataset(rows)
    named = NamedFilter(f"{UNSUPERVISED}StringToNominal", ("-R", "1"))
    (how,) = fit_filters(named, after, train)
    chain = FilterChain(train.header, ((train.header, how),), after)
    np.testing.assert_array_equal(chain.dataset(train).X[:, 0], [0, 1, np.nan, 0])
    new = dataset(rows.replace("x,a", "w,a").replace("?", "'y z'"))
    np.testing.assert_array_equal(chain.dataset(new).X[:, 0], [np.nan, 1, 1, 0])
    with pytest.raises(FilterError, match="StringToNominal needs the texts of 't'"):
        chain.dataset(replace(new, pools={}))


@pytest.mark.weka
def test_a_tree_behind_texts_made_labels_answers_as_weka(weka: Weka, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    words = ["red", "dark green", "it's", "blue"]

    def table(n: int, names: list[str]) -> str:
        lines = [
            "@relation r",
            "@attribute x numeric",
            "@attribute t string",
            "@attribute u string",
        ]
        lines += ["@attribute y {a,b}", "@data"]
        for _ in range(n):
            word, other = str(rng.choice(names)), str(rng.choice(["k", "l", "?"]))
            label = "a" if (word in words[:2]) == (other == "k") else "b"
            lines.append(f'{rng.random()},"{word}",{other},{label}')
        return "\n".join(lines) + "\n"

    train, test = tmp_path / "train.arff", tmp_path / "test.arff"
    train.write_text(table(120, words), encoding="utf-8")
    test.write_text(table(60, [*words, "violet"]), encoding="utf-8")
    rows = read_arff(test)
    several = f'-F \\"{UNSUPERVISED}StringToNominal -R 2\\" -F {UNSUPERVISED}RemoveType'
    for how in (f"{UNSUPERVISED}StringToNominal -R 2,3", f"{SEVERAL} {several}"):
        saved = tmp_path / "saved.model"
        weka.save(saved, train, scheme=FILTERED, options=f'-F "{how}" -W {J48}')
        bare, truth = weka.ask(saved, test)
        classes = [rows.header.classes[int(k)] for k in truth.classified]
        assert load(saved).predict(rows).tolist() == classes
        assert load(saved).predict(test).tolist() == classes
        assert load(bare.encode(), train, data=test).predict(rows).tolist() == classes
