"""Cases of fixtures/ with trees inside Weka's meta classifiers."""

from __future__ import annotations

from random_data import arff_text
from weka_live import J48

from .data_sets import accounts, breast_cancer, iris, messages, negative, outings, parcels, rows
from .tree_case import TreeCase

META = "weka.classifiers.meta."
FILTERED = f"{META}FilteredClassifier"
UNSUPERVISED = "weka.filters.unsupervised.attribute."


def wrapped_trees() -> dict[str, TreeCase]:
    """Texts of meta classifiers, by the name of the folder."""
    half = arff_text("iris", rows(iris(), 0, 150, 2))
    third = arff_text("iris", rows(iris(), 1, 150, 3))
    boxes = arff_text("parcels", parcels(70))
    days = arff_text("outings", outings(60))
    cancer = arff_text("breast-cancer", rows(breast_cancer(), 0, 90))
    return {
        "bagging": TreeCase(
            "three trees in one text, of bootstrap samples",
            half,
            scheme=f"{META}Bagging",
            options=f"-print -I 3 -W {J48}",
        ),
        "bagging36": TreeCase(
            "Bagging of 3.6.14, which always prints its trees",
            half,
            scheme=f"{META}Bagging",
            weka="3.6.14",
            options=f"-I 3 -W {J48}",
        ),
        "bagging-explorer": TreeCase(
            "Bagging with labels and missing values in the Explorer",
            boxes,
            scheme=f"{META}Bagging",
            options=f"-print -I 2 -W {J48}",
            print_as="explorer",
        ),
        "boosting": TreeCase(
            "AdaBoostM1: trees of weighted rows, each with its weight",
            half,
            scheme=f"{META}AdaBoostM1",
            options=f"-I 3 -W {J48}",
        ),
        "boosting36": TreeCase(
            "AdaBoostM1 of 3.6.14",
            days,
            scheme=f"{META}AdaBoostM1",
            weka="3.6.14",
            options=f"-I 3 -W {J48}",
        ),
        "selected": TreeCase(
            "AttributeSelectedClassifier: a report and a smaller header before the tree",
            cancer,
            scheme=f"{META}AttributeSelectedClassifier",
            options=f"-W {J48}",
        ),
        "one-against-all": TreeCase(
            "MultiClassClassifier: classes pos_X and neg_X that the data do not have",
            half,
            scheme=f"{META}MultiClassClassifier",
            options=f"-M 0 -W {J48}",
        ),
        "costs": TreeCase(
            "CostSensitiveClassifier with the least expected cost",
            cancer,
            scheme=f"{META}CostSensitiveClassifier",
            options=f'-cost-matrix "[0 5; 1 0]" -M -W {J48}',
        ),
        "vote": TreeCase(
            "Vote of two trees, with another model between them",
            arff_text("accounts", accounts(70)),
            scheme=f"{META}Vote",
            options=f'-B "{J48}" -B weka.classifiers.rules.ZeroR -B "{J48} -U"',
        ),
        "stacking": TreeCase(
            "Stacking: two trees of the data, one of their answers",
            third,
            scheme=f"{META}Stacking",
            options=f'-X 3 -M "{J48}" -B "{J48}" -B "{J48} -U"',
        ),
        "filtered": TreeCase(
            "FilteredClassifier: the text brings the header its tree speaks of",
            half,
            scheme=FILTERED,
            options=f"-F weka.filters.supervised.attribute.Discretize -W {J48}",
        ),
        "filtered-words": TreeCase(
            "FilteredClassifier of StringToWordVector: columns of words, the class is not the last",
            messages(40),
            scheme=FILTERED,
            options=f"-F {UNSUPERVISED}StringToWordVector -W {J48}",
        ),
        "filtered-standardized": TreeCase(
            "FilteredClassifier of Standardize: thresholds in standard deviations",
            arff_text("negative", negative(60)),
            scheme=FILTERED,
            options=f"-F {UNSUPERVISED}Standardize -W {J48}",
        ),
        "filtered-replaced36": TreeCase(
            "FilteredClassifier of ReplaceMissingValues in 3.6.14",
            boxes,
            scheme=FILTERED,
            weka="3.6.14",
            options=f"-F {UNSUPERVISED}ReplaceMissingValues -W {J48}",
        ),
        "filtered-removed": TreeCase(
            "FilteredClassifier of Remove: the tree has fewer columns than the data",
            boxes,
            scheme=FILTERED,
            options=f'-F "{UNSUPERVISED}Remove -R 1" -W {J48}',
        ),
    }
