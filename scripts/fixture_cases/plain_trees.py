"""Cases of fixtures/ with trees of J48 alone."""

from __future__ import annotations

import numpy as np
from random_data import MISSING, arff_text

from .data_sets import (
    accounts,
    bars,
    birds,
    breast_cancer,
    coins,
    digits,
    drifts,
    iris,
    long_labels,
    negative,
    odd_labels,
    odd_names,
    outings,
    parcels,
    pima,
    rows,
    scaled,
    standardised,
    tiny,
    visits,
    wdbc,
    wide,
    wine,
)
from .tree_case import TreeCase


def plain_trees() -> dict[str, TreeCase]:
    """Trees of J48 alone, by the name of the folder."""
    cancer = breast_cancer()
    boxes = parcels(160)
    some = np.random.default_rng(5).choice([0.5, 1.0, 1.0, 2.25], 120)
    odd = arff_text("odd names", odd_names(110))
    box_text = arff_text("parcels", rows(boxes, 0, 120))
    box_test = arff_text("parcels", rows(boxes, 120, 160))
    flowers = arff_text("iris", iris())
    gaps = rows(iris(), 0, 150, 5)
    gaps[2].values[::3] = MISSING
    gaps[3].values[::4] = MISSING
    scaled_text = arff_text("standardised", standardised([*wine()[6:13:3], wine()[-1]]))
    first = rows(cancer, 0, 240, 2)
    first = [first[-1], *first[:5]]
    first[0].values[::17] = MISSING
    return {
        "iris": TreeCase(
            "Weka's best known tree, from the command line; flowers that were half measured",
            flowers,
            arff_text("iris", gaps),
        ),
        "pima": TreeCase(
            "768 cases, 20 leaves: many cases share a score", lambda: arff_text("pima", pima())
        ),
        "wine-laplace": TreeCase(
            "three classes, -A: the text is as without, the distributions are smoothed",
            arff_text("wine", wine()[5:]),
            options="-A",
        ),
        "wdbc-split": TreeCase(
            "two thirds to learn from, one third to be judged by: figure 1 of ABD07",
            arff_text("wdbc", rows(wdbc(), 0, 380)),
            arff_text("wdbc", rows(wdbc(), 380, 569)),
        ),
        "breast-cancer-explorer": TreeCase(
            "Explorer output; missing values, so leaves have fractions of cases",
            arff_text("breast-cancer", rows(cancer, 0, 180)),
            arff_text("breast-cancer", rows(cancer, 180, 220)),
            print_as="explorer",
        ),
        "breast-cancer-reduced-error36": TreeCase(
            "-R in 3.6.14: the leaves count the growing set only",
            arff_text("breast-cancer", rows(cancer, 0, 180)),
            arff_text("breast-cancer", rows(cancer, 180, 220)),
            weka="3.6.14",
            options="-R -N 3 -Q 1 -M 2",
        ),
        "parcels-weights": TreeCase(
            "numbers and labels, missing values, instance weights",
            arff_text("parcels", rows(boxes, 0, 120), some),
            box_test,
        ),
        "parcels-wide": TreeCase(
            "new rows out of the range of the training data, with many missing values",
            arff_text("parcels", rows(boxes, 0, 120), some),
            arff_text("parcels", wide(rows(boxes, 120, 160))),
        ),
        "parcels-binary": TreeCase(
            "-B: two branches for labels too, thresholds as Java prints doubles",
            box_text,
            box_test,
            options="-B -M 2",
        ),
        "parcels-unpruned-explorer36": TreeCase(
            "-U in the Explorer of 3.6.14: empty leaves of a label that never occurs",
            box_text,
            box_test,
            weka="3.6.14",
            options="-U -M 2",
            print_as="explorer",
        ),
        "parcels-midpoint": TreeCase(
            "-doNotMakeSplitPointActualValue: thresholds lie between the values",
            box_text,
            box_test,
            options="-doNotMakeSplitPointActualValue -M 4",
        ),
        "drifts-midpoint": TreeCase(
            "the threshold 1.25e-5 prints as 0.000013, and there is a row with that number",
            arff_text("drifts", drifts(60)),
            options="-C 0.5 -doNotMakeSplitPointActualValue",
        ),
        "parcels-dot36": TreeCase(
            "Graphviz output of 3.6.14", box_text, weka="3.6.14", print_as="dot"
        ),
        "multiway-empty": TreeCase(
            "only labels: many branches, many of them empty; toString() alone",
            arff_text("parcels", rows(boxes, 0, 120)[2:]),
            arff_text("parcels", rows(boxes, 120, 160)[2:]),
            options="-U -M 1",
            print_as="bare",
        ),
        "one-leaf": TreeCase("nothing to learn: a single leaf", arff_text("coins", coins(60))),
        "odd-names": TreeCase("blanks, colons, quotes, operators, pipes, Unicode", odd),
        "odd-names-dot": TreeCase(
            "the same tree as Graphviz: labels with backslashes", odd, print_as="dot"
        ),
        "date": TreeCase(
            "thresholds in milliseconds since 1970, UTC", arff_text("visits", visits(70))
        ),
        "class-first": TreeCase(
            "the class is the first attribute, and missing in some rows",
            arff_text("class first", first),
            class_index=0,
        ),
        "standardised": TreeCase("every threshold is cut to six decimals", scaled_text),
        "standardised36": TreeCase(
            "the same data in 3.6.14: other rounding, tolerance 1e-6", scaled_text, weka="3.6.14"
        ),
        "iris-explorer36": TreeCase(
            "the Explorer of 3.6.14: Scheme: without blanks behind it",
            arff_text("iris", rows(iris(), 0, 150, 3)),
            weka="3.6.14",
            print_as="explorer",
        ),
        "wine-explorer": TreeCase(
            "thirteen numbers and three classes in the Explorer",
            arff_text("wine", rows(wine(), 0, 178, 2)),
            arff_text("wine", rows(wine(), 1, 178, 6)),
            options="-C 0.5 -M 1",
            print_as="explorer",
        ),
        "outings": TreeCase(
            "a small tree of labels and numbers, with the options said",
            arff_text("outings", outings(40)),
            options="-C 0.25 -M 2",
        ),
        "outings36": TreeCase(
            "the command line of 3.6.14, which names no classifier model",
            arff_text("outings", outings(40)),
            weka="3.6.14",
        ),
        "outings-source": TreeCase(
            "-z: Java source code, which has no counts and no names of classes",
            arff_text("outings", outings(40)),
            print_as="source",
            status="ok-or-clear-refusal",
        ),
        "outings-stderr": TreeCase(
            "2>&1: warnings of a library before the tree",
            arff_text("outings", outings(40)),
            print_as="with-errors",
        ),
        "outings-folds": TreeCase(
            "the Explorer with the models of the folds: the tree of all rows is the first of four",
            arff_text("outings", outings(60)),
            print_as="fold-models",
        ),
        "outings-one-leaf": TreeCase(
            "one leaf, since -M leaves no split; toString() alone",
            arff_text("outings", outings(40)),
            options="-M 30",
            print_as="bare",
        ),
        "outings-light": TreeCase(
            "weights whose sum is below twice -M: one leaf, although the classes are apart",
            arff_text("outings", outings(40), np.full(40, 0.0225)),
        ),
        "outings-labels36": TreeCase(
            "labels only, -U -M 1 in 3.6.14",
            arff_text("outings", [c for c in outings(30) if c.labels]),
            weka="3.6.14",
            options="-U -M 1",
        ),
        "parcels-binary36": TreeCase(
            "-B in 3.6.14", box_text, box_test, weka="3.6.14", options="-B"
        ),
        "parcels-weights-laplace36": TreeCase(
            "weights and -A in 3.6.14",
            arff_text("parcels", rows(boxes, 0, 120), some),
            box_test,
            weka="3.6.14",
            options="-A",
        ),
        "breast-cancer-reduced-error395": TreeCase(
            "-R in 3.9.5, the last version in which it runs",
            arff_text("breast-cancer", rows(cancer, 0, 120)),
            arff_text("breast-cancer", rows(cancer, 180, 220)),
            weka="3.9.5",
            options="-R -N 3 -Q 1 -M 2",
        ),
        "breast-cancer-395": TreeCase(
            "3.9.5, with missing values",
            arff_text("breast-cancer", rows(cancer, 0, 100)),
            arff_text("breast-cancer", rows(cancer, 180, 210)),
            weka="3.9.5",
        ),
        "breast-cancer-pruned": TreeCase(
            "strong pruning before and after",
            arff_text("breast-cancer", rows(cancer, 0, 120)),
            arff_text("breast-cancer", rows(cancer, 180, 210)),
            options="-C 0.1 -M 20",
        ),
        "birds": TreeCase(
            "19 classes, labels of many values, missing values, empty leaves",
            arff_text("birds", rows(birds(200), 0, 110)),
            arff_text("birds", rows(birds(200), 150, 170)),
        ),
        "birds-binary": TreeCase(
            "19 classes, -B with missing values; toString() alone",
            arff_text("birds", rows(birds(200), 0, 110)),
            options="-B",
            print_as="bare",
        ),
        "digits": TreeCase(
            "ten classes, a deep tree; toString() alone",
            arff_text("digits", digits(160)),
            options="-U -M 1",
            print_as="bare",
        ),
        "accounts-unpruned": TreeCase(
            "labels that look like conditions (<0, 0<=X<200) and ranges (18-24)",
            arff_text("accounts", rows(accounts(150), 0, 110)),
            arff_text("accounts", rows(accounts(150), 110, 150)),
            options="-U",
        ),
        "accounts-binary": TreeCase(
            "-B on such labels: balance != <0",
            arff_text("accounts", rows(accounts(150), 0, 110)),
            arff_text("accounts", rows(accounts(150), 110, 150)),
            options="-B -C 0.5",
        ),
        "negative": TreeCase("thresholds below 0", arff_text("negative", negative(90))),
        "negative-swedish": TreeCase(
            "a JVM in Swedish prints the minus as U+2212",
            arff_text("negative", negative(90)),
            weka="3.9.7 sv-SE",
        ),
        "tiny-scale": TreeCase(
            "thresholds of about 1e-9 print as 0 and -0",
            arff_text("tiny scale", tiny(80)),
        ),
        "huge-scale": TreeCase(
            "thresholds of about 1e12 and 1e15",
            arff_text("huge scale", scaled(negative(80), (1e12, 1.5e15))),
        ),
        "huge-scale36": TreeCase(
            "3.6.14 prints numbers above 9.2e12 with an exponent",
            arff_text("huge scale", scaled(negative(80), (1e12, 1.5e15))),
            weka="3.6.14",
        ),
        "bar-names": TreeCase(
            "names that begin with the mark of indentation; toString() alone",
            arff_text("bars", bars(70)),
            options="-M 1",
            print_as="bare",
        ),
        "odd-labels": TreeCase(
            "labels that look like leaves, conditions and indentation",
            arff_text("odd labels", odd_labels(90)),
            options="-M 1",
        ),
        "long-labels": TreeCase(
            "labels of more than 200 characters", arff_text("long labels", long_labels(40))
        ),
    }
