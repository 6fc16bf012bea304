"""What a text alone says of rows with missing values, beside the live Weka that printed it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from random_data import random_case
from weka_live import Weka, predictions

from j48geo.core.counts import counts_from_text
from j48geo.data.arff.stream import read_arff
from j48geo.errors import J48GeoError
from j48geo.read.readers import read_tree
from j48geo.score.prediction import predict
from j48geo.score.uncertainty import MOST_OFF


def compare_alone(weka: Weka, folder: Path, seed: int, options: str) -> Counter[str]:
    """How many classes and distributions of the text are equal, open, wrong."""
    case = random_case(seed)
    train, test = case.write(folder)
    seen: Counter[str] = Counter()
    weka.truth(folder, train, test=test, options=options, class_index=case.class_index)
    choice = "first" if case.class_index == 0 else "last"
    block = (folder / "model.txt").read_text(encoding="utf-8")
    try:
        header = read_arff(test, class_attribute=choice).header
        tree = read_tree(f"\nOptions: {options} \n\n{block}".encode(), header=header)
    except J48GeoError:
        return seen
    for which, file in (("train", train), ("test", test)):
        truth = [p for p in predictions(folder / "weka.csv") if p.set == which]
        X = read_arff(file, class_attribute=choice).X
        said = predict(tree, counts_from_text(tree), X, laplace="-A" in options.split())
        for i, true in enumerate(truth):
            for rule, k, wanted in (
                ("predicted", said.predicted[i], true.predicted_argmax),
                ("classified", said.classified[i], true.predicted),
            ):
                kind = "open" if k < 0 else "equal" if tree.classes[k] == wanted else "wrong"
                seen[f"{rule} {kind}"] += 1
            off = np.abs(said.distribution[i] - np.array(true.distribution)).max(initial=0.0)
            seen["distribution open" if np.isnan(off) else f"within {off <= MOST_OFF}"] += 1
    return seen


@pytest.mark.weka
@pytest.mark.parametrize("options", ["-A -U", "-A", "-U -M 1"])
@pytest.mark.parametrize("seed", [9013, 9030, 9064, 9084, 9096])
def test_classes_are_wekas_or_open_and_rounded_distributions_within_their_bound(
    seed: int, options: str, weka: Weka, tmp_path: Path
) -> None:
    seen = compare_alone(weka, tmp_path, seed, options)
    assert not {"predicted wrong", "classified wrong", "within False"} & set(seen)
