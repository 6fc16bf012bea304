"""Compares wrappers around J48 with a live Weka on one random case: `.model` files and texts.

A `.model` must give Weka's class and distribution for every row, or be refused. A text must
give Weka's class, or none for a row that its rounding leaves open, or be refused; under every
head that Weka's programs print above it, alone and with the training data. The new rows have
missing values and numbers out of the range of the training data. Where Weka's own probabilities
of two classes tie up to rounding, either class is right, and counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from random_data import Column, RandomCase, arff_text
from weka_live import J48, Answers, Weka, WekaError

import j48geo
from j48geo.core.dataset import Attribute

META = "weka.classifiers.meta."
UNSUPERVISED = "weka.filters.unsupervised.attribute."
SUPERVISED = "weka.filters.supervised.attribute."
SEVERAL = "weka.filters.MultiFilter"
FILTERS = (
    f"{UNSUPERVISED}Standardize",
    f"{UNSUPERVISED}Normalize",
    f"{UNSUPERVISED}Normalize -S 2.0 -T -1.0",
    f"{UNSUPERVISED}Center",
    f"{UNSUPERVISED}ReplaceMissingValues",
    f"{UNSUPERVISED}ReplaceMissingWithUserConstant -A first-last -R 1.5 -N x",
    f"{UNSUPERVISED}Discretize -B 4",
    f"{UNSUPERVISED}Discretize -F -B 5",
    f"{UNSUPERVISED}Discretize -D -O -B 6",
    f"{UNSUPERVISED}Discretize -Y -B 3",
    f"{SUPERVISED}Discretize",
    f"{SUPERVISED}Discretize -D",
    f"{SUPERVISED}Discretize -precision 0",
    f"{SUPERVISED}Discretize -Y",
    f"{UNSUPERVISED}NominalToBinary",
    f"{UNSUPERVISED}NominalToBinary -A -N",
    f"{SUPERVISED}NominalToBinary",
    f"{UNSUPERVISED}Remove -R 1",
    f"{UNSUPERVISED}Remove -V -R first-last",
    f"{UNSUPERVISED}Remove -V -R last,1",
    f"{UNSUPERVISED}Reorder -R 2-last,1",
    f"{UNSUPERVISED}Reorder -R 1,1,2-last",
    f"{UNSUPERVISED}RemoveType -T nominal",
    f"{UNSUPERVISED}NumericToNominal -R 1",
    f"{UNSUPERVISED}StringToNominal -R first-last",
    f"{UNSUPERVISED}NumericCleaner -min 0 -min-default 0 -max 2 -max-default 2",
    f"{UNSUPERVISED}MathExpression -E A*2",
    f"{UNSUPERVISED}AddID",
    f"{SEVERAL} -F {UNSUPERVISED}ReplaceMissingValues -F {UNSUPERVISED}Standardize",
    f'{SEVERAL} -F \\"{UNSUPERVISED}Remove -R 1\\" -F \\"{UNSUPERVISED}Discretize -B 3\\"',
    f'{SEVERAL} -F {UNSUPERVISED}NominalToBinary -F \\"{UNSUPERVISED}Reorder -R last-first\\"',
    f"{SEVERAL} -F {UNSUPERVISED}Center -F {UNSUPERVISED}NumericCleaner",
)
FILTERS_A_CASE = 8
ONLY_IN_36 = (
    *("ThresholdSelector", "Decorate", "MultiBoostAB", "Dagging", "MetaCost", "Grading"),
    *("OrdinalClassClassifier", "END"),
)
"""Wrappers that later versions have in packages."""
LAST_BIT = 1e-15  # Java's exp, which AdaBoostM1 calls, is another one on each processor
TIE = 1e-9
NEAR = 2e-6
"""New values so close to one of the training data, but not equal to it, are left out: a text
rounds its thresholds, see `random_data`."""


@dataclass
class Outcome:
    """What became of one wrapper, and what is wrong with that."""

    scheme: str
    saved: str = ""
    loads: int = 1
    rows: int = 0
    left_open: int = 0
    ties: int = 0
    refused: int = 0
    problems: list[str] = field(default_factory=list)


def schemes(seed: int, n_classes: int) -> Iterator[tuple[str, str]]:
    """Wrappers and their options, by chance of the seed."""
    chance = random.Random(seed)
    of_tree = chance.choice(("", " -- -M 5", " -- -U", " -- -B", " -- -A", " -- -R", " -- -C 0.1"))
    times = chance.randint(2, 6)
    tree = f"-W {J48}{of_tree}"
    yield "AdaBoostM1", f"-I {times} {tree}"
    yield "Bagging", f"-print -I {times} {tree}"
    rule = chance.choice(("AVG", "AVG", "MAJ", "PROD"))
    yield "Vote", f'-R {rule} -B "{J48} -M 2" -B "{J48} -U" -B "{J48} -M 10"'
    yield "MultiClassClassifier", f"-M {chance.choice((0, 3))} {tree}"
    if n_classes == 2:
        costs = f'-cost-matrix "[0.0 {chance.choice((1, 2, 5))}; {chance.choice((1, 3))} 0.0]"'
        yield "CostSensitiveClassifier", f"{costs} -M {tree}"
        yield "CostSensitiveClassifier", f"{costs} {tree}"
    for how in chance.sample(FILTERS, FILTERS_A_CASE):
        yield "FilteredClassifier", f'-F "{how}" {tree}'
    filtered = f'-F "{chance.choice(FILTERS)}"'
    yield "FilteredClassifier", f"{filtered} -W {META}Bagging -- -print -I {times} -W {J48}"
    yield "Bagging", f"-print -I {times} -W {META}FilteredClassifier -- {filtered} -W {J48}"
    yield "AttributeSelectedClassifier", tree
    yield "RandomSubSpace", f"-I {times} {tree}"
    yield "CVParameterSelection", f'-P "C 0.1 0.3 3" -X 3 -W {J48}'
    yield (
        "AttributeSelectedClassifier",
        (
            "-E weka.attributeSelection.InfoGainAttributeEval -S "
            f'"weka.attributeSelection.Ranker -T -1.8E308 -N -1" {tree}'
        ),
    )
    yield "AttributeSelectedClassifier", f"-W {META}FilteredClassifier -- {filtered} -W {J48}"
    yield "IterativeClassifierOptimizer", f"-W {META}AdaBoostM1 -- -I {times} -W {J48}"
    yield "RandomizableFilteredClassifier", f"{filtered} {tree}"
    yield "WeightedInstancesHandlerWrapper", tree
    yield "MultiScheme", f'-X 0 -B "{J48} -M 2" -B "{J48} -U"'
    yield "Stacking", f'-B "{J48} -M 2" -M "{J48} -M 4"'
    yield "weka.classifiers.misc.InputMappedClassifier", tree
    yield (
        "weka.classifiers.misc.InputMappedClassifier",
        f"-W {META}FilteredClassifier -- {filtered} {tree}",
    )
    # These are in Weka 3.6 alone, without a package.
    for other in (
        "ThresholdSelector",
        "Decorate",
        "MultiBoostAB",
        "Dagging",
        "MetaCost",
        "Grading",
    ):
        yield other, tree
    yield "OrdinalClassClassifier", tree


def compare_wrappers(case: RandomCase, weka: Weka, folder: Path) -> Iterator[Outcome]:
    """Build every wrapper with Weka, and compare its answers for the new rows."""
    train, test = case.write(folder)
    place = "first" if case.class_index == 0 else "last"
    spread(train, test, place, case.seed)
    rows = j48geo.read_arff(test, class_attribute=place)
    for name, options in schemes(case.seed, len(rows.header.classes)):
        scheme = name if "." in name else f"{META}{name}"
        saved, text = folder / "saved.model", folder / "model.txt"
        how = {"scheme": scheme, "options": options}
        try:
            weka.save(saved, train, class_index=case.class_index, header=case.seed % 2 == 0, **how)
            _, truth = weka.ask(saved, test, class_index=case.class_index)
            printed = _texts(weka, train, case.class_index, scheme, how)
        except WekaError:
            continue  # Weka does not build it from these rows
        found = Outcome(_short_name(scheme, options))
        _compare_saved(found, saved, test, place, rows, truth)
        for head, content in printed.items():
            text.write_text(content, encoding="utf-8", newline="")
            for training in (None, train):
                _compare_text(found, head, text, training, test, place, rows, truth)
        found.problems = [f"{name} {options}: {problem}" for problem in found.problems]
        yield found


def spread(train: Path, test: Path, place: str, seed: int) -> None:
    """Write the new rows again, some numbers out of range and a fifth of all values missing."""
    rng = np.random.default_rng(seed)
    known = j48geo.read_arff(train, class_attribute=place).X
    rows = j48geo.read_arff(test, class_attribute=place)
    columns = []
    for column, attribute in enumerate(rows.header.attributes):
        x = rows.X[:, column].copy()
        if column != rows.header.class_index:
            if attribute.type == "numeric":
                x = np.where(rng.random(len(x)) < 0.3, x * 3 - 1, x)
                apart = np.abs(known[:, column][:, None] - x)
                x[((apart < NEAR) & (apart > 0)).any(axis=0)] = np.nan
            x[rng.random(len(x)) < 0.2] = np.nan
        columns.append(Column(attribute.name, x, attribute.values, _arff_type(attribute)))
    test.write_text(arff_text("test", columns), encoding="utf-8", newline="")


def _arff_type(attribute: Attribute) -> str:
    return f"date {attribute.format}" if attribute.type == "date" else attribute.type


def _short_name(scheme: str, options: str) -> str:
    """Names of the wrapper and of its filter."""
    names = [scheme.rpartition(".")[2]]
    for word in options.replace("\\", "").replace('"', " ").split():
        if word.startswith(("weka.filters.", META)):
            supervised = "supervised " if word.startswith(SUPERVISED) else ""
            names.append(supervised + word.rpartition(".")[2])
    return " ".join(names)


def _texts(
    weka: Weka, train: Path, class_index: int, scheme: str, how: dict[str, str]
) -> dict[str, str]:
    """What Weka's programs print of one classifier, by the head above it."""
    bare = weka.text(train, class_index=class_index, **how)
    relation = j48geo.read_arff(train).header.relation
    return {
        "bare": bare,
        "command line": weka.cli(train, class_index=class_index, **how),
        "Explorer": weka.explorer(train, class_index=class_index, **how),
        "KnowledgeFlow": (
            f"=== Classifier model ===\n\nScheme:   {scheme.rpartition('.')[2]}\n"
            f"Relation: {relation}\n\n{bare}"
        ),
    }


def _compare_saved(
    found: Outcome, saved: Path, test: Path, place: str, rows: j48geo.Dataset, truth: Answers
) -> None:
    try:
        model = j48geo.load(saved, data=test, class_attribute=place)
        classes = _places(model, rows)
        distribution = model.predict_proba(rows, method="weka")
    except j48geo.J48GeoError as error:
        found.saved = "refused"
        _check_refusal(found, error)
        return
    found.saved = "equal"
    if truth.same(classes, distribution) == len(rows):
        return
    off = float(np.abs(distribution - truth.distribution).max())
    if found.scheme == "AdaBoostM1" and off <= LAST_BIT and (classes == _known(truth)).all():
        found.saved = "equal but for a last bit"
    else:
        found.problems.append(f"the .model differs, by up to {off:g}")


def _compare_text(
    found: Outcome,
    head: str,
    text: Path,
    training: Path | None,
    test: Path,
    place: str,
    rows: j48geo.Dataset,
    truth: Answers,
) -> None:
    found.loads += 1
    try:
        model = j48geo.load(text, training, data=test, class_attribute=place)
        classes = _places(model, rows)
    except j48geo.J48GeoError as error:
        found.refused += 1
        _check_refusal(found, error)
        return
    found.rows += len(rows)
    found.left_open += int((classes < 0).sum())
    differs = (classes >= 0) & (classes != _known(truth))
    tied = differs & _is_tied(truth, classes)
    found.ties += int(tied.sum())
    wrong = int((differs & ~tied).sum())
    if wrong:
        where = "alone" if training is None else "with its training data"
        found.problems.append(f"the text ({head}) {where} has {wrong} rows wrong")


def _places(model: j48geo.Model, rows: j48geo.Dataset) -> np.ndarray:
    """What ``classifyInstance`` gives, as places among the classes of the rows; -1 if open."""
    place = {label: k for k, label in enumerate(rows.header.classes)}
    blocks = [block.prediction.classified for block in model.predictions(rows)]
    own = np.array([*(place[label] for label in model.classes), -1])
    found: np.ndarray = own[np.concatenate(blocks)]
    return found


def _known(truth: Answers) -> np.ndarray:
    return np.where(np.isnan(truth.classified), -1, truth.classified).astype(np.intp)


def _is_tied(truth: Answers, classes: np.ndarray) -> np.ndarray:
    """Whether these classes have Weka's largest probability, up to rounding."""
    own = truth.distribution[np.arange(len(classes)), np.maximum(classes, 0)]
    tied: np.ndarray = own >= truth.distribution.max(axis=1) - TIE
    return tied


def _check_refusal(found: Outcome, error: Exception) -> None:
    """A refusal is one line."""
    if "\n" in str(error).strip():
        found.problems.append(f"a refusal in several lines: {error}")
