"""Trees written as .model files: read back here, and loaded by a live Weka."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from saved_cases import J48, SavedCase, corpus_cases, own_cases
from tree_cases import meta_of, tree_cases
from weka_live import Weka, predictions

from j48geo import Dataset, read_arff, replay
from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, TreeLayout
from j48geo.ensemble.committee import answer_rows
from j48geo.errors import MismatchError
from j48geo.export.java_model import export_java_model
from j48geo.read.readers import read_trees
from j48geo.score.prediction import predict
from j48geo.show.weka_text import tree_text


def weather() -> tuple[BoxTree, NodeCounts, Dataset]:
    tree, rows = weather_tree(), weather_rows()
    return tree, counts_from_data(tree, rows.X, rows.class_values, rows.weights), rows


def alone() -> list[SavedCase]:
    return [case for case in (*own_cases(), *corpus_cases()) if case.scheme == J48]


# -------------------------------------------------------------------- read back here


@pytest.mark.parametrize("case", alone(), ids=lambda case: f"{case.suite}-{case.name}")
def test_a_saved_tree_is_written_and_read_back_as_it_was(case: SavedCase) -> None:
    (entry,) = read_trees(case.model).entries
    (tree,) = entry.readings
    assert entry.counts is not None
    (again,) = read_trees(export_java_model(tree, entry.counts)).entries
    (back,) = again.readings
    assert (back.header, back.nodes, back.leaves) == (tree.header, tree.nodes, tree.leaves)
    assert back.options.text == (tree.options.text or "").replace("J48 -L ", "J48 ")
    assert again.counts is not None
    for name in ("per_class", "weight", "bag", "total", "empty"):
        np.testing.assert_array_equal(getattr(again.counts, name), getattr(entry.counts, name))


def test_new_labels_are_costs_around_the_true_tree() -> None:
    tree, counts, rows = weather()
    labels = [1 if leaf.errors else leaf.label for leaf in tree.leaves]
    assert labels != [leaf.label for leaf in tree.leaves]
    text = read_trees(export_java_model(tree, counts, labels=labels))
    assert text.ensemble is not None
    assert text.ensemble.name == "CostSensitiveClassifier"
    kept = text.entries[0].readings[0].leaves
    assert [leaf.label for leaf in kept] == [leaf.label for leaf in tree.leaves]
    said = answer_rows(text.entries, text.ensemble, rows.X)
    leaf = predict(tree, counts, rows.X).leaf
    known = leaf >= 0
    assert said.classified[known].tolist() == [labels[i] for i in leaf[known]]


def test_given_costs_are_written_as_they_are() -> None:
    tree, counts, _ = weather()
    costs = np.array([[0.0, 1.0], [7.0, 0.5]])
    text = read_trees(export_java_model(tree, counts, costs=costs))
    assert text.ensemble is not None
    np.testing.assert_array_equal(text.ensemble.costs, costs)


def test_the_header_behind_the_tree_may_be_left_out() -> None:
    tree, counts, _ = weather()
    assert len(export_java_model(tree, counts, header=False)) < len(export_java_model(tree, counts))


# -------------------------------------------------------------------- refusals


def refused(problem: str, tree: BoxTree, counts: NodeCounts, **others: object) -> None:
    with pytest.raises(MismatchError, match=problem):
        export_java_model(tree, counts, **others)


def test_labels_that_contradict_the_counts_are_refused() -> None:
    tree, counts, _ = weather()
    wrong = replace(tree.leaves[0], label=1 - tree.leaves[0].label)
    turned = replace(tree, leaves=(wrong, *tree.leaves[1:]))
    refused("^leaf 1 is labelled 'no', but its counts say 'yes'; expected", turned, counts)


def test_labels_that_no_costs_give_are_refused() -> None:
    tree, counts, _ = weather()
    pure = [leaf.index for leaf in tree.leaves if not leaf.errors and leaf.label == 0]
    labels = [leaf.label for leaf in tree.leaves]
    labels[pure[0]] = 1
    refused(r"^no costs label leaf \d 'no' and the others", tree, counts, labels=labels)
    costs = np.array([[0.0, 1.0], [1.0, 0.0]])
    refused(r"^the costs do not label leaf \d 'no'", tree, counts, labels=labels, costs=costs)


def test_thresholds_known_only_as_printed_are_refused() -> None:
    tree, counts, _ = weather()
    nodes = tuple(
        replace(n, split=replace(n.split, slack=5e-7))
        if n.split is not None and n.split.kind == "numeric"
        else n
        for n in tree.nodes
    )
    refused("is only known as printed; expected training", replace(tree, nodes=nodes), counts)


def test_thresholds_are_found_between_the_rows_and_so_written(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "parcels-midpoint"
    data = read_arff(folder / "data.arff")
    entry = read_trees(folder / "model.txt", header=data.header).entries[0]
    found = replay(entry.readings[0], data)
    assert found.recognised
    again = read_trees(export_java_model(found.tree, found.counts)).entries[0].readings[0]
    assert [s.threshold for _, s in again.splits] == [s.threshold for _, s in found.tree.splits]
    printed = [replace(s, slack=5e-7) for _, s in found.tree.splits]
    rough = {node.index: s for (node, _), s in zip(found.tree.splits, printed, strict=True)}
    nodes = tuple(replace(n, split=rough.get(n.index)) for n in found.tree.nodes)
    refused("is only known as printed", replace(found.tree, nodes=nodes), found.counts)


def test_tests_of_other_dialects_are_refused() -> None:
    tree, counts, _ = weather()
    nodes = tuple(
        n if n.split is None else replace(n, split=replace(n.split, closed=False))
        for n in tree.nodes
    )
    refused("asks for '<'", replace(tree, nodes=nodes), counts)


def test_unknown_counts_and_guessed_headers_are_refused() -> None:
    tree, counts, _ = weather()
    unknown = counts.per_class.copy()
    unknown[-1] = np.nan
    refused("counts of some leaves are unknown", tree, replace(counts, per_class=unknown))
    guessed = replace(tree, header=replace(tree.header, inferred=True))
    refused("only guessed", guessed, counts_from_text(guessed))


def test_a_text_attribute_is_refused() -> None:
    tree, counts, _ = weather()
    more = (*tree.header.attributes, Attribute("note", "string"))
    header = Header("weather", more, tree.header.class_index)
    refused("'note' is of the type string; expected", replace(tree, header=header), counts)


def test_labels_of_three_classes_need_their_costs() -> None:
    case = next(case for case in own_cases() if case.name == "rows-kept")
    (entry,) = read_trees(case.model).entries
    assert entry.counts is not None
    labels = [0] * len(entry.readings[0].leaves)
    refused("3 classes; expected their costs", entry.readings[0], entry.counts, labels=labels)


# -------------------------------------------------------------------- loaded by Weka


@pytest.mark.weka
@pytest.mark.parametrize("case", alone(), ids=lambda case: f"{case.suite}-{case.name}")
def test_weka_loads_a_saved_tree_written_again(
    case: SavedCase, weka: Weka, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    record_case(".model -> .model -> Weka", f"{case.suite}/{case.name}")
    (entry,) = read_trees(case.model).entries
    # Weka 3.9.7 compares strictly, whoever grew the tree.
    tree = replace(entry.readings[0], tolerance=0.0)
    assert entry.counts is not None
    model = tmp_path / "written.model"
    model.write_bytes(export_java_model(tree, entry.counts))
    for file, _ in case.asked:
        data = read_arff(file).with_class(case.class_choice)
        assert data.header.class_index is not None
        text, told = weka.ask(model, file, class_index=data.header.class_index)
        said = predict(tree, entry.counts, data.X, laplace=bool(tree.options.laplace))
        assert told.same(said.classified, said.distribution) == len(data) > 0
        if case.weka != "3.6.14":  # which rounds thresholds otherwise
            assert text.strip() == tree_text(tree).strip()


def single_trees() -> list[object]:
    """Texts of one J48 grown from the rows beside it, of a Weka that prints as 3.9.7 does."""
    found = []
    for case in tree_cases():
        folder = case.values[0]
        meta = meta_of(folder)
        if (
            meta["classifier"] == J48
            and meta["counts"] == "training-rows"
            and meta["weka"] == "3.9.7"
            and meta["output_kind"] in ("cli", "explorer", "bare")
            and "-doNotMake" not in meta["options"]
        ):
            found.append(case)
    return found


@pytest.mark.weka
@pytest.mark.parametrize("folder", single_trees())
def test_text_to_model_to_weka_to_text_is_the_identity(
    folder: Path, weka: Weka, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    record_case("text -> .model -> Weka -> text", folder.name)
    column = meta_of(folder)["class_index"]
    data = read_arff(folder / "data.arff").with_class("last" if column < 0 else column + 1)
    read = read_trees(folder / "model.txt", header=data.header).entries[0]
    found = replay(read.readings[0], data)
    assert found.recognised
    tree = found.tree
    model = tmp_path / "written.model"
    model.write_bytes(export_java_model(tree, found.counts))
    text, told = weka.ask(model, folder / "data.arff", class_index=column)
    # As it was printed, but for a footer that was cut off and a minus that is none.
    whole = replace(read.readings[0], layout=TreeLayout(banner=text.partition("\n")[0]))
    assert text.strip() == tree_text(whole).strip().replace("\u2212", "-")
    own = [p for p in predictions(folder / "weka.csv") if p.set == "train"]
    expected = np.array([p.distribution for p in own])
    np.testing.assert_allclose(told.distribution, expected, rtol=0, atol=1e-14)
    classes = [tree.classes.index(p.predicted) for p in own]
    assert told.classified.tolist() == classes


@pytest.mark.weka
def test_weka_gives_the_new_labels(weka: Weka, fixtures_dir: Path, tmp_path: Path) -> None:
    data = read_arff(fixtures_dir / "pima" / "data.arff")
    header = data.header
    entry = read_trees(fixtures_dir / "pima" / "model.txt", header=header).entries[0]
    found = replay(entry.readings[0], data)
    tree, counts = found.tree, found.counts
    share = counts.leaves(tree)[:, 1] / counts.leaves(tree).sum(axis=1)
    labels = (share > 0.2).astype(int).tolist()
    assert labels != [leaf.label for leaf in tree.leaves]
    model = tmp_path / "relabelled.model"
    model.write_bytes(export_java_model(tree, counts, labels=labels))
    _, told = weka.ask(model, fixtures_dir / "pima" / "data.arff")
    leaf = predict(tree, counts, data.X).leaf
    assert (leaf >= 0).all()
    assert told.classified.tolist() == [labels[i] for i in leaf]
