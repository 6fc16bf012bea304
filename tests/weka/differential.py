"""Compares j48geo with a live Weka on one random case: structure, counts, every prediction."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from random_data import RandomCase
from weka_live import Prediction as WekaPrediction
from weka_live import Weka, predictions

from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.errors import ModelReadError
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.score.prediction import Prediction, predict

CLOSE = 1e-9
TIE = 1e-12  # classes that differ by the rounding of sums alone

# What changes the answers but not the tree block: told by the surroundings of a whole output.
NEEDS_SURROUNDINGS = {"-A", "-R", "-doNotMakeSplitPointActualValue"}


@dataclass
class Comparison:
    """What was compared, and what differs."""

    rows: int = 0
    leaves: int = 0
    thresholds: int = 0
    exact_thresholds: int = 0
    ties: int = 0
    alone: int = 0
    problems: list[str] = field(default_factory=list)


def compare(case: RandomCase, weka: Weka, folder: Path) -> Comparison:
    """Grow the tree with Weka, read what it prints, and compare every answer."""
    train, test = case.write(folder)
    weka.truth(folder, train, test=test, options=case.options, class_index=case.class_index)
    model = folder / "model.txt"
    if case.seed % 2 or NEEDS_SURROUNDINGS.intersection(case.options.split()):
        bare = model.read_bytes().decode("utf-8").strip()
        model = folder / "output.txt"
        output = weka.cli(train, test=test, options=case.options, class_index=case.class_index)
        assert bare in output, "the command line shows another tree"
        model.write_text(output, encoding="utf-8", newline="")

    result = Comparison()
    own_class = "first" if case.class_index == 0 else "last"
    data = read_arff(train, class_attribute=own_class)
    tree = read_tree(model, data=data)
    _compare_text_alone(result, tree, model)
    truth = json.loads((folder / "tree.json").read_text(encoding="utf-8"))["trees"][0]
    _compare_structure(result, tree, truth)
    replayed = replay(tree, data)
    if not replayed.ok:
        result.problems.append(f"check: {replayed.differences or replayed.notes}")
    _compare_thresholds(result, replayed.tree, truth)
    answers = predictions(folder / "weka.csv")
    laplace = "-A" in case.options.split()
    for name, rows in (("train", data), ("test", read_arff(test, class_attribute=own_class))):
        said = predict(replayed.tree, replayed.counts, rows.X, laplace=laplace)
        _compare_predictions(result, rows, said, [a for a in answers if a.set == name])
    return result


def _compare_text_alone(result: Comparison, tree: BoxTree, model: Path) -> None:
    """Without a header the text gives the same tree, or is refused where names are odd."""
    try:
        alone = read_tree(model)
    except ModelReadError as error:
        words = {word for a in tree.header.attributes for word in (a.name, *a.values)}
        if all(word.replace("_", "").isalnum() for word in words):
            result.problems.append(f"without a header: {error}")
        return
    result.alone += 1
    if _printed(alone) != _printed(tree):
        result.problems.append("without a header the text is another tree")


def _printed(tree: BoxTree) -> list[object]:
    splits = [(n.index, tree.header.names[s.attribute], s.kind, s.token) for n, s in tree.splits]
    return [splits, [(tree.classes[x.label], x.weight, x.errors) for x in tree.leaves]]


def _compare_structure(result: Comparison, tree: BoxTree, truth: dict[str, Any]) -> None:
    result.leaves += len(tree.leaves)
    if (len(tree.leaves), tree.size) != (truth["leaves"], truth["size"]):
        result.problems.append(
            f"{len(tree.leaves)} leaves of {tree.size} nodes,"
            f" Weka has {truth['leaves']} of {truth['size']}"
        )


def _compare_thresholds(result: Comparison, tree: BoxTree, truth: dict[str, Any]) -> None:
    """Count the thresholds that are Weka's to the last bit; attributes must be the same."""
    inner = [node for node in truth["nodes"] if not node["leaf"]]
    for (_, split), node in zip(tree.splits, inner, strict=False):
        if split.attribute != node["att_index"]:
            result.problems.append(f"node {node['id']} tests another attribute")
        elif split.kind == "numeric":
            result.thresholds += 1
            result.exact_thresholds += split.threshold == node["split_point"]


def _compare_predictions(
    result: Comparison, rows: Dataset, said: Prediction, expected: list[WekaPrediction]
) -> None:
    index_of = rows.header.class_attribute.index_of
    if len(expected) != len(rows):
        result.problems.append(f"{len(rows)} rows read, Weka has {len(expected)}")
        return
    for i, answer in enumerate(expected):
        result.rows += 1
        where = f"{answer.set} row {i + 1}"
        weights = np.array(answer.distribution)
        off = np.abs(said.distribution[i] - weights).max()
        if not off <= CLOSE:
            result.problems.append(f"{where}: distribution {said.distribution[i]}, Weka {weights}")
        if said.classified[i] != index_of[answer.predicted]:
            result.problems.append(f"{where}: classified differs, Weka {answer.predicted!r}")
        if said.predicted[i] != index_of[answer.predicted_argmax]:
            if weights.max() - weights[said.predicted[i]] <= TIE:
                result.ties += 1
            else:
                where += f": predicted differs, Weka {answer.predicted_argmax!r}"
                result.problems.append(where)
