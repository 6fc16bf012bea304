"""Folders of fixtures/ with the text of a tree: what Weka prints, and its answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from random_data import MISSING, arff_text
from weka_live import J48, Weka

from .data_sets import (
    breast_cancer,
    coins,
    iris,
    odd_names,
    parcels,
    pima,
    rows,
    standardised,
    visits,
    wdbc,
    wine,
)

BAGGING = "weka.classifiers.meta.Bagging"
FILTERED = "weka.classifiers.meta.FilteredClassifier"


@dataclass(frozen=True)
class TreeCase:
    """What to grow from what, and how to print it."""

    about: str
    train: str
    test: str | None = None
    weka: str = "3.9.7"
    scheme: str = J48
    options: str = ""
    print_as: str = "cli"
    class_index: int = -1


def tree_cases() -> dict[str, Callable[[], TreeCase]]:
    """Every fixture, by the name of its folder."""
    cancer = breast_cancer()
    boxes = parcels(160)
    some = np.random.default_rng(5).choice([0.5, 1.0, 1.0, 2.25], 120)
    odd = arff_text("odd names", odd_names(110))
    box_text = arff_text("parcels", rows(boxes, 0, 120))
    box_test = arff_text("parcels", rows(boxes, 120, 160))
    flowers = arff_text("iris", iris())
    half = arff_text("iris", rows(iris(), 0, 150, 2))
    gaps = rows(iris(), 0, 150, 5)
    gaps[2].values[::3] = MISSING
    gaps[3].values[::4] = MISSING
    scaled = arff_text("standardised", standardised([*wine()[6:13:3], wine()[-1]]))
    first = rows(cancer, 0, 240, 2)
    first = [first[-1], *first[:5]]
    first[0].values[::17] = MISSING
    return {
        "iris": lambda: TreeCase(
            "Weka's best known tree, from the command line; flowers that were half measured",
            flowers,
            arff_text("iris", gaps),
        ),
        "pima": lambda: TreeCase(
            "768 cases, 20 leaves: many cases share a score", arff_text("pima", pima())
        ),
        "wine-laplace": lambda: TreeCase(
            "three classes, -A: the text is as without, the distributions are smoothed",
            arff_text("wine", wine()[5:]),
            options="-A",
        ),
        "wdbc-split": lambda: TreeCase(
            "two thirds to learn from, one third to be judged by: figure 1 of ABD07",
            arff_text("wdbc", rows(wdbc(), 0, 380)),
            arff_text("wdbc", rows(wdbc(), 380, 569)),
        ),
        "breast-cancer-explorer": lambda: TreeCase(
            "Explorer output; missing values, so leaves have fractions of cases",
            arff_text("breast-cancer", rows(cancer, 0, 180)),
            arff_text("breast-cancer", rows(cancer, 180, 220)),
            print_as="explorer",
        ),
        "breast-cancer-reduced-error36": lambda: TreeCase(
            "-R in 3.6.14: the leaves count the growing set only",
            arff_text("breast-cancer", rows(cancer, 0, 180)),
            arff_text("breast-cancer", rows(cancer, 180, 220)),
            weka="3.6.14",
            options="-R -N 3 -Q 1 -M 2",
        ),
        "parcels-weights": lambda: TreeCase(
            "numbers and labels, missing values, instance weights",
            arff_text("parcels", rows(boxes, 0, 120), some),
            box_test,
        ),
        "parcels-binary": lambda: TreeCase(
            "-B: two branches for labels too, thresholds as Java prints doubles",
            box_text,
            box_test,
            options="-B -M 2",
        ),
        "parcels-unpruned-explorer36": lambda: TreeCase(
            "-U in the Explorer of 3.6.14: empty leaves of a label that never occurs",
            box_text,
            box_test,
            weka="3.6.14",
            options="-U -M 2",
            print_as="explorer",
        ),
        "parcels-midpoint": lambda: TreeCase(
            "-doNotMakeSplitPointActualValue: thresholds lie between the values",
            box_text,
            box_test,
            options="-doNotMakeSplitPointActualValue -M 4",
        ),
        "parcels-dot36": lambda: TreeCase(
            "Graphviz output of 3.6.14", box_text, weka="3.6.14", print_as="dot"
        ),
        "multiway-empty": lambda: TreeCase(
            "only labels: many branches, many of them empty; toString() alone",
            arff_text("parcels", rows(boxes, 0, 120)[2:]),
            arff_text("parcels", rows(boxes, 120, 160)[2:]),
            options="-U -M 1",
            print_as="bare",
        ),
        "one-leaf": lambda: TreeCase(
            "nothing to learn: a single leaf", arff_text("coins", coins(60))
        ),
        "odd-names": lambda: TreeCase("blanks, colons, quotes, operators, pipes, Unicode", odd),
        "odd-names-dot": lambda: TreeCase(
            "the same tree as Graphviz: labels with backslashes", odd, print_as="dot"
        ),
        "date": lambda: TreeCase(
            "thresholds in milliseconds since 1970, UTC", arff_text("visits", visits(70))
        ),
        "class-first": lambda: TreeCase(
            "the class is the first attribute, and missing in some rows",
            arff_text("class first", first),
            class_index=0,
        ),
        "standardised": lambda: TreeCase("every threshold is cut to six decimals", scaled),
        "standardised36": lambda: TreeCase(
            "the same data in 3.6.14: other rounding, tolerance 1e-6", scaled, weka="3.6.14"
        ),
        "bagging": lambda: TreeCase(
            "three trees in one text, of bootstrap samples",
            half,
            scheme=BAGGING,
            options=f"-print -I 3 -W {J48}",
        ),
        "filtered": lambda: TreeCase(
            "FilteredClassifier: the text brings the header its tree speaks of",
            half,
            scheme=FILTERED,
            options=f"-F weka.filters.supervised.attribute.Discretize -W {J48}",
        ),
    }


def make_tree(folder: Path, case: TreeCase, weka: Weka) -> None:
    """Write one folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    data = folder / "data.arff"
    data.write_text(case.train, encoding="utf-8", newline="")
    test = None
    if case.test is not None:
        test = folder / "test.arff"
        test.write_text(case.test, encoding="utf-8", newline="")
    same = {"scheme": case.scheme, "options": case.options}
    weka.truth(folder, data, test=test, class_index=case.class_index, **same)
    bare = (folder / "model.txt").read_bytes().decode("utf-8")
    dot = folder / "graph.dot"
    nodes = json.loads((folder / "tree.json").read_text(encoding="utf-8"))
    model = folder / "model.txt"
    place = f"-c {case.class_index + 1} " if case.class_index >= 0 else ""
    command = f"java {case.scheme} -t data.arff {place}{case.options}".rstrip()
    if case.print_as == "explorer":
        text = weka.explorer(data, class_index=case.class_index, **same)
        command = f"Explorer, Classify, {case.scheme} {case.options}".rstrip()
    elif case.print_as == "dot":
        text = dot.read_bytes().decode("utf-8")
        command += " -g"
    elif case.print_as == "bare":
        text = bare
        command = f"toString() of {case.scheme} {case.options}".rstrip()
    else:
        text = weka.cli(data, test=test, class_index=case.class_index, **same)
        if test:
            command = command.replace("-t data.arff", "-t data.arff -T test.arff")
    model.write_text(text, encoding="utf-8", newline="")
    dot.unlink(missing_ok=True)
    binary = "-B" in case.options.split()
    whose = {J48: "training-rows"}.get(case.scheme, "wrapper-specific")
    meta = {
        "id": folder.name,
        "weka": case.weka,
        "classifier": case.scheme,
        "options": case.options,
        "command": command,
        "output_kind": case.print_as,
        "class_index": case.class_index,
        "about": case.about,
        "expect": {
            "status": "ok",
            "trees": len(nodes["trees"]),
            "leaves": [tree["leaves"] for tree in nodes["trees"]],
            "sizes": [tree["size"] for tree in nodes["trees"]],
        },
        "thresholds": "java-double" if binary else "six-decimals",
        "has_test": test is not None,
        "counts": "growing-set" if "-R" in case.options.split() else whose,
    }
    (folder / "meta.json").write_text(
        json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
