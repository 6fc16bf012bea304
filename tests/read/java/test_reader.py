"""Weka's .model files: what is inside, and what is refused."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from model_fuzz import HEAD, class_description, examine_model, hostile, mutants, sources

from j48geo import read_arff, read_tree, replay
from j48geo.core.counts import counts_from_data
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.export import java_classes as classes
from j48geo.export.java_model import _Writer
from j48geo.java.objects import JavaArray, JavaClass, JavaEnum, JavaObject, write_objects
from j48geo.read.java.reader import read
from j48geo.read.java.stream import read_objects
from j48geo.read.readers import read_trees, select_tree


def saved(fixtures_dir: Path, name: str) -> TreeText:
    return read_trees(fixtures_dir / "saved" / f"{name}.model")


def only(text: TreeText) -> Entry:
    (entry,) = text.entries
    return entry


# -------------------------------------------------------------------- what is inside


def test_bytes_decide_and_other_bytes_are_left_to_other_readers() -> None:
    assert read(b"J48 pruned tree\n", source="x") is None
    assert read(gzip.compress(b"J48 pruned tree\n"), source="x") is None
    assert read(b"", source="x") is None


def test_a_packed_file_is_unpacked_by_its_bytes(fixtures_dir: Path) -> None:
    data = (fixtures_dir / "saved" / "plain.model").read_bytes()
    plain, packed = read(data, source="x"), read(gzip.compress(data), source="x")
    assert plain is not None
    assert packed is not None
    assert only(plain).readings == only(packed).readings


def test_header_thresholds_counts_and_options_are_those_of_the_training(
    fixtures_dir: Path,
) -> None:
    data = read_arff(fixtures_dir / "breast-cancer-explorer" / "data.arff").with_class("last")
    entry = only(saved(fixtures_dir, "plain"))
    (tree,) = entry.readings
    assert tree.header.attributes == data.header.attributes
    assert tree.header.class_index == data.header.class_index
    assert tree.options.text == "weka.classifiers.trees.J48 -C 0.25 -M 2"
    assert tree.options.is_wrapped is False
    assert entry.title == "J48"
    found = replay(tree, data)
    assert found.recognised
    assert not found.restored
    assert entry.counts is not None
    assert entry.counts.total is not None
    np.testing.assert_allclose(entry.counts.per_class, found.counts.per_class, atol=1e-9)
    np.testing.assert_allclose(entry.counts.bag, found.counts.bag, atol=1e-9)
    np.testing.assert_allclose(entry.counts.total, found.counts.per_class.sum(axis=1), atol=1e-9)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("laplace36", "-C 0.25 -M 2 -A"),
        ("binary", "-C 0.25 -B -M 2"),
        ("unpruned36", "-U -M 2"),
        ("reduced-error36", "-R -N 3 -Q 1 -M 2"),
        ("rows-kept", "-L -C 0.25 -M 20"),
    ],
)
def test_options_are_worded_as_weka_words_them(fixtures_dir: Path, name: str, options: str) -> None:
    (tree,) = only(saved(fixtures_dir, name)).readings
    assert tree.options.text == f"weka.classifiers.trees.J48 {options}"
    words = options.split()
    assert tree.options.laplace == ("-A" in words)
    assert tree.options.binary == ("-B" in words)
    assert tree.options.unpruned == ("-U" in words)
    assert tree.options.reduced_error == ("-R" in words)
    assert tree.layout.banner == f"J48 {'un' if '-U' in words else ''}pruned tree"


def test_the_lists_of_old_weka_tell_its_tolerance(fixtures_dir: Path) -> None:
    (old,) = only(saved(fixtures_dir, "unpruned36")).readings
    (new,) = only(saved(fixtures_dir, "plain")).readings
    assert (old.tolerance, old.options.old_weka) == (1e-6, True)
    assert (new.tolerance, new.options.old_weka) == (0.0, None)


def test_rows_kept_in_the_file_are_the_training_rows(fixtures_dir: Path) -> None:
    data = read_arff(fixtures_dir / "wine-laplace" / "data.arff")
    entry = only(saved(fixtures_dir, "rows-kept"))
    assert entry.training is not None
    # J48 leaves the rows sorted as it last looked at them.
    assert sorted(entry.training.X.tolist()) == sorted(data.X.tolist())
    np.testing.assert_array_equal(entry.training.weights, data.weights)
    assert replay(entry.readings[0], entry.training).recognised
    assert only(saved(fixtures_dir, "plain")).training is None


def test_dates_keep_their_pattern(fixtures_dir: Path) -> None:
    data = read_arff(fixtures_dir / "date" / "data.arff")
    (tree,) = only(saved(fixtures_dir, "date")).readings
    assert tree.header.attributes == data.header.attributes
    assert any(attribute.type == "date" for attribute in tree.header.attributes)


def test_a_wrapper_gives_its_trees_in_order(fixtures_dir: Path) -> None:
    text = saved(fixtures_dir, "bagging")
    assert [entry.title for entry in text.entries] == [f"Bagging, tree {i} of 3" for i in (1, 2, 3)]
    assert text.ensemble is not None
    assert text.ensemble.name == "Bagging"
    assert text.ensemble.members == (0, 1, 2)
    assert select_tree(text, tree=2).options.is_wrapped
    assert select_tree(text, tree=2).options.scheme == "weka.classifiers.meta.Bagging"


def test_a_boosted_tree_has_its_weight(fixtures_dir: Path) -> None:
    text = saved(fixtures_dir, "boosting36")
    assert text.ensemble is not None
    assert text.ensemble.weights is not None
    assert len(text.ensemble.weights) == len(text.entries) == 3
    assert (text.ensemble.weights > 0).all()


def test_a_filtered_tree_speaks_of_other_columns_than_its_rows(fixtures_dir: Path) -> None:
    text = saved(fixtures_dir, "removed")
    assert text.ensemble is not None
    (tree,) = only(text).readings
    assert tree.header.names == text.ensemble.header.names[1:]


def test_read_tree_takes_a_model_file(fixtures_dir: Path) -> None:
    assert read_tree(fixtures_dir / "saved" / "one-leaf.model").size == 1


# -------------------------------------------------------------------- values of a stream


def test_texts_are_javas_own_utf8() -> None:
    words = ["", "plain", "größe", "\x00", "雨", "😀", "a\ud800b", "x" * 70_000]
    assert read_objects(write_objects(*words)) == words


def test_an_object_met_again_is_the_same_object() -> None:
    inner = JavaObject(classes.INTEGER, {"value": 7})
    one, other = read_objects(write_objects(JavaArray(classes.OBJECTS, [inner, inner]), inner))
    assert isinstance(one, JavaArray)
    assert one.items[0] is one.items[1] is other
    assert isinstance(other, JavaObject)
    assert other.values == {"value": 7}
    assert [c.name for c in other.cls.lineage] == ["java.lang.Number", "java.lang.Integer"]


def test_arrays_and_constants_come_back() -> None:
    numbers = np.array([1.5, np.nan])
    found = read_objects(write_objects(numbers, np.array([True, False]), np.array([-1], np.int32)))
    assert [x.tolist() for x in found[1:]] == [[True, False], [-1]]
    np.testing.assert_array_equal(found[0], numbers)
    enum = HEAD + b"\x7e" + class_description("a", flags=18) + b"\x74\x00\x03UP!"
    (found,) = read_objects(enum)
    assert isinstance(found, JavaEnum)
    assert (found.cls.name, found.name) == ("a", "UP!")


# -------------------------------------------------------------------- refusals


HARMFUL = hostile()


@pytest.mark.parametrize("name", HARMFUL)
def test_a_stream_built_to_do_harm_is_refused(name: str) -> None:
    with pytest.raises(ModelReadError, match=r"^<bytes>: [^\n]+; expected [^\n]+$"):
        read(HARMFUL[name], source="<bytes>")


def test_what_is_no_j48_is_named() -> None:
    data = HEAD + b"\x73" + class_description("weka.classifiers.bayes.NaiveBayes")
    with pytest.raises(ModelReadError) as caught:
        read(data, source="nb.model")
    said = "nb.model: a weka.classifiers.bayes.NaiveBayes; expected a J48 as Weka saves it"
    assert str(caught.value) == said


def weather() -> _Writer:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    return _Writer(tree, counts)


def spoilt(change: Callable[[dict[str, Any]], object], *path: str | int) -> bytes:
    """The stream of a small tree after a change of the values at the end of the path."""
    thing: Any = weather().j48()
    whole = thing
    for step in path:
        thing = thing.items[step] if isinstance(step, int) else thing.values[step]
    change(thing.values)
    return write_objects(whole)


def setting(**values: object) -> Callable[[dict[str, Any]], object]:
    return lambda fields: fields.update(values)


def test_the_unspoilt_tree_is_read() -> None:
    text = read(spoilt(setting()), source="x")
    assert text is not None
    assert only(text).readings[0].size == weather_tree().size


MODEL = ("m_root", "m_localModel")
COUNTS = (*MODEL, "m_distribution")
SPOILT: dict[str, tuple[bytes, str]] = {
    "a tree that is not there": (spoilt(setting(m_root=None)), "never built"),
    "an attribute that is not there": (spoilt(setting(m_attIndex=99), *MODEL), "attribute 100"),
    "a split on the class": (spoilt(setting(m_attIndex=3), *MODEL), "attribute 4 of 4"),
    "a split on numbers with three sons": (
        spoilt(setting(m_attIndex=1, m_splitPoint=1.0), *MODEL),
        "3 branches; expected 2",
    ),
    "no sons": (spoilt(setting(m_sons=None), "m_root"), "m_sons of .* is missing"),
    "an inner node that is a leaf": (
        spoilt(setting(m_isLeaf=True), "m_root"),
        "a leaf with the model .*C45Split",
    ),
    "an inner node that is empty": (spoilt(setting(m_isEmpty=True), "m_root"), "marked empty"),
    "a total that is no number": (
        spoilt(setting(totaL=float("nan")), *COUNTS),
        "totaL is nan",
    ),
    "a count below zero": (
        spoilt(setting(m_perBag=np.array([-5.0, 4.0, 5.0])), *COUNTS),
        "below zero",
    ),
    "counts of two branches": (
        spoilt(setting(m_perBag=np.array([5.0, 4.0])), *COUNTS),
        "m_perBag has 2 numbers; expected 3",
    ),
    "whole numbers for counts": (
        spoilt(setting(m_perBag=np.array([5, 4, 5], np.int32)), *COUNTS),
        "no array of doubles",
    ),
    "a class that is no column": (
        spoilt(setting(m_ClassIndex=9), "m_root", "m_train"),
        "class 10 of 4",
    ),
    "no class": (spoilt(setting(m_ClassIndex=-1), "m_root", "m_train"), "no nominal class"),
    "a numeric class": (spoilt(setting(m_ClassIndex=1), "m_root", "m_train"), "no nominal class"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_tree_that_cannot_be_is_refused(name: str) -> None:
    data, problem = SPOILT[name]
    with pytest.raises(ModelReadError, match=problem):
        read(data, source="x")


def test_a_node_that_is_its_own_son_is_refused() -> None:
    j48 = weather().j48()
    root = j48.values["m_root"]
    root.values["m_sons"].items[1] = root
    with pytest.raises(ModelReadError, match="met twice"):
        read(write_objects(j48), source="x")


def test_a_node_with_two_parents_is_refused() -> None:
    j48 = weather().j48()
    sons = j48.values["m_root"].values["m_sons"].items
    sons[2] = sons[0]
    with pytest.raises(ModelReadError, match="met twice"):
        read(write_objects(j48), source="x")


def test_totals_that_are_not_the_sums_are_used_and_noted() -> None:
    text = read(spoilt(setting(totaL=99.0), *COUNTS), source="x")
    assert text is not None
    entry = only(text)
    assert entry.counts is not None
    assert entry.counts.total is not None
    assert entry.counts.total[0] == 99.0
    (note,) = entry.readings[0].notes
    assert note.startswith("the stored totals of 1 of 8 nodes are not the sums")


def test_a_value_longer_than_200_characters_is_unpacked() -> None:
    word = "long " * 60
    layout = JavaClass.of(
        "weka.core.SerializedObject", 1, "Z m_isCompressed [B m_storedObjectArray"
    )
    packed = np.frombuffer(gzip.compress(write_objects(word)), np.int8)
    thing = JavaObject(layout, {"m_isCompressed": True, "m_storedObjectArray": packed})
    j48 = weather().j48()
    attributes = j48.values["m_root"].values["m_train"].values["m_Attributes"]
    values = attributes.extras[1].values["m_AttributeInfo"].values["m_Values"]
    values.extras[1] = thing
    text = read(write_objects(j48), source="x")
    assert text is not None
    assert only(text).readings[0].header.attributes[0].values[0] == word


def test_spoilt_files_are_refused_or_read_as_trees_that_answer(fixtures_dir: Path) -> None:
    found = sources(fixtures_dir / "saved")
    others = list(found.values())
    seen: set[str] = set()
    for data in found.values():
        seen.update(examine_model(mutant) for mutant in mutants(data, others, 25, seed=11))
    assert {"read", "refused"} <= seen <= {"read", "refused", "read, refused as a whole"}


def test_a_deep_tree_is_read() -> None:
    """A chain of 3,000 tests: more than Python's own stack holds."""
    j48 = weather().j48()
    root = j48.values["m_root"]
    top = root.values["m_sons"].items[2]  # windy: two branches
    leaf = top.values["m_sons"].items[0]

    def copy(thing: JavaObject, **values: object) -> JavaObject:
        return JavaObject(thing.cls, {**thing.values, **values})

    def fresh(thing: JavaObject, sons: list[JavaObject] | None) -> JavaObject:
        array = None if sons is None else JavaArray(classes.NODES, sons)
        return copy(thing, m_sons=array)

    below = fresh(top, [copy(leaf), copy(leaf)])
    for _ in range(3_000):
        below = fresh(top, [below, copy(leaf)])
    text = read(write_objects(copy(j48, m_root=below)), source="x")
    assert text is not None
    assert only(text).readings[0].size == 2 * 3_001 + 1


def test_an_array_says_how_many_bytes_it_lacks() -> None:
    data = HEAD + b"\x75" + class_description("[D") + struct.pack(">i", 3) + bytes(16)
    with pytest.raises(ModelReadError, match="24 bytes promised, 16 left"):
        read(data, source="x")
