"""Filters learnt from rows are those that Weka learnt from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from weka_live import J48

from j48geo import load, read_arff
from j48geo.core.dataset import Dataset
from j48geo.core.wrappers import (
    Discretize,
    NamedFilter,
    NominalToBinary,
    ReplaceMissingValues,
    Standardize,
)
from j48geo.ensemble.filter_fitting import fit_filters
from j48geo.ensemble.filters import apply_filter
from j48geo.errors import FilterError
from j48geo.read.readers import read_trees

FILTERED = "weka.classifiers.meta.FilteredClassifier"
UNSUPERVISED = "weka.filters.unsupervised.attribute."
SUPERVISED = "weka.filters.supervised.attribute."
FILTERS = (
    *(f"{UNSUPERVISED}Standardize", f"{UNSUPERVISED}Normalize"),
    *(f'"{UNSUPERVISED}Normalize -S 2.0 -T -1.0"', f'"{UNSUPERVISED}Remove -R 1"'),
    *(f"{UNSUPERVISED}ReplaceMissingValues", f"{SUPERVISED}Discretize"),
    *(f'"{UNSUPERVISED}Discretize -B 4"', f'"{UNSUPERVISED}Discretize -F -B 5"'),
    *(f"{UNSUPERVISED}NominalToBinary", f'"{UNSUPERVISED}NominalToBinary -A"'),
    f"{SUPERVISED}NominalToBinary",
)


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
    weka.save(saved, file, scheme=FILTERED, options=f"-F {how} -W {J48}")
    bare, expected = weka.ask(saved, file)
    classes = [rows.header.classes[int(k)] for k in expected.classified]
    assert load(bare.encode(), data=rows).predict(rows).tolist() == classes
    model = load(bare.encode(), rows)
    assert model.predict(rows).tolist() == classes
    some = Dataset(rows.header, rows.X[:9], rows.weights[:9])
    assert model.predict(some).tolist() == classes[:9]
    if any(name in how for name in ("Standardize", "Normalize", "ReplaceMissing")):
        with pytest.raises(FilterError, match=r"^the tree stands behind the filter \w+, and"):
            load(bare.encode(), data=some)


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
            (replaced,) = ways
            assert isinstance(replaced, ReplaceMissingValues)
            assert kept.values[inputs].tolist() == replaced.values[inputs].tolist()


def dataset(text: str) -> Dataset:
    return read_arff(f"@relation r\n{text}".encode())


def test_cut_points_are_those_halfway_between_values() -> None:
    before = dataset("@attribute x numeric\n@attribute y {a,b}\n@data\n0.1,a\n0.2,a\n0.3,b\n?,b\n")
    intervals = "{'\\'(-inf-0.25]\\'','\\'(0.25-inf)\\''}"
    after = dataset(f"@attribute x {intervals}\n@attribute y {{a,b}}\n@data\n").header
    (how,) = fit_filters(NamedFilter(f"{SUPERVISED}Discretize"), after, before)
    assert isinstance(how, Discretize)
    assert how.cuts[0] is not None
    assert how.cuts[0].tolist() == [(0.2 + 0.3) / 2]
    np.testing.assert_array_equal(
        apply_filter(how, before.header, before.X)[:, 0], [0, 0, 1, np.nan]
    )


def test_indicators_are_told_by_their_names() -> None:
    before = dataset("@attribute c {r,g,b}\n@attribute y {a,b}\n@data\nr,a\ng,b\nb,b\n?,a\n")
    names = ("c=r", "c=g", "'c=b,g'")
    after = dataset(
        "".join(f"@attribute {n} numeric\n" for n in names) + "@attribute y {a,b}\n@data\n"
    )
    (how,) = fit_filters(NamedFilter(f"{SUPERVISED}NominalToBinary"), after.header, before)
    assert isinstance(how, NominalToBinary)
    np.testing.assert_array_equal(
        apply_filter(how, before.header, before.X)[:, :3],
        [[1, 0, 0], [0, 1, 1], [0, 0, 1], [np.nan] * 3],
    )


def test_a_filter_that_is_not_known_teaches_nothing() -> None:
    data = dataset("@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n")
    assert list(fit_filters(NamedFilter("weka.filters.MultiFilter"), data.header, data)) == []
