"""fixtures/saved: .model files of real Weka, with its answers to the bit and what it prints."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from weka_live import J48

from .live import LiveWekas

FILTERED = "weka.classifiers.meta.FilteredClassifier"


@dataclass(frozen=True)
class SavedModel:
    """A classifier to be saved: of the rows of which fixture, and how."""

    data: str
    weka: str = "3.9.7"
    scheme: str = J48
    options: str = ""
    packed: bool = False
    header: bool = True


def saved_models() -> dict[str, SavedModel]:
    """The .model files, by name."""
    meta = "weka.classifiers.meta."
    unsupervised = "weka.filters.unsupervised.attribute."
    discretize = "weka.filters.supervised.attribute.Discretize"
    selection = "-E weka.attributeSelection.CfsSubsetEval -S weka.attributeSelection.BestFirst"
    three = f'-B "{J48}" -B "{J48} -U" -B "{J48} -A"'
    box, flowers = "parcels-weights", "iris"
    return {
        **_filters(),
        "plain": SavedModel("breast-cancer-explorer"),
        "laplace36": SavedModel(box, "3.6.14", options="-A", header=False),
        "binary": SavedModel(box, options="-B"),
        "unpruned36": SavedModel("parcels-binary", "3.6.14", options="-U"),
        "reduced-error36": SavedModel("breast-cancer-explorer", "3.6.14", options="-R"),
        "rows-kept": SavedModel("wine-laplace", options="-L -M 20"),
        "one-leaf": SavedModel("one-leaf"),
        "odd-names": SavedModel("odd-names"),
        "class-first": SavedModel("class-first"),
        "date": SavedModel("date", packed=True),
        "bagging": SavedModel(box, scheme=f"{meta}Bagging", options=f"-I 3 -W {J48}"),
        "boosting36": SavedModel(box, "3.6.14", f"{meta}AdaBoostM1", f"-I 3 -W {J48}"),
        "costs": SavedModel(
            "breast-cancer-explorer",
            scheme=f"{meta}CostSensitiveClassifier",
            options=f'-cost-matrix "[0 5; 1 0]" -M -W {J48}',
        ),
        "selected": SavedModel(
            "parcels-binary",
            scheme=f"{meta}AttributeSelectedClassifier",
            options=f"{selection} -W {J48}",
        ),
        "discretized": SavedModel(
            "breast-cancer-explorer", scheme=FILTERED, options=f"-F {discretize} -W {J48}"
        ),
        "standardized36": SavedModel(
            box, "3.6.14", FILTERED, f"-F {unsupervised}Standardize -W {J48}"
        ),
        "replaced": SavedModel(
            box, scheme=FILTERED, options=f"-F {unsupervised}ReplaceMissingValues -W {J48}"
        ),
        "removed": SavedModel(
            box, scheme=FILTERED, options=f'-F "{unsupervised}Remove -R 1" -W {J48}'
        ),
        "stacking": SavedModel(
            flowers, scheme=f"{meta}Stacking", options=f'-X 3 -M "{J48}" -B "{J48}" -B "{J48} -U"'
        ),
        "vote": SavedModel(box, scheme=f"{meta}Vote", options=f"-R AVG {three}"),
        "vote36": SavedModel(box, "3.6.14", f"{meta}Vote", f"-R AVG {three}"),
        "one-against-all": SavedModel(
            flowers, scheme=f"{meta}MultiClassClassifier", options=f"-M 0 -W {J48}"
        ),
        "one-against-all36": SavedModel(
            flowers, "3.6.14", f"{meta}MultiClassClassifier", f"-M 0 -W {J48}"
        ),
        "one-against-one": SavedModel(
            "wine-laplace", scheme=f"{meta}MultiClassClassifier", options=f"-M 3 -W {J48}"
        ),
        "one-against-one36": SavedModel(
            "iris-explorer36", "3.6.14", f"{meta}MultiClassClassifier", f"-M 3 -W {J48}"
        ),
        "outings": SavedModel("outings", header=False),
        "outings36": SavedModel("outings", "3.6.14", packed=True),
        "unpruned": SavedModel("accounts-unpruned", options="-U", packed=True),
        "unpruned-labels": SavedModel("outings-labels36", options="-U -M 1"),
        "pruned": SavedModel("breast-cancer-pruned", options="-C 0.1 -M 20"),
        "no-raising": SavedModel("accounts-unpruned", options="-S -O"),
        "midpoint": SavedModel("standardised", options="-doNotMakeSplitPointActualValue"),
        "weights36": SavedModel("parcels-weights", "3.6.14"),
        "light": SavedModel("outings-light"),
        "no-split": SavedModel("outings-one-leaf", options="-M 30", header=False),
        "many-classes36": SavedModel("birds", "3.6.14", options="-B", packed=True),
        "deep": SavedModel("digits", options="-U -M 1", packed=True),
        "standardised": SavedModel("standardised", header=False),
        "standardised36": SavedModel("standardised", "3.6.14"),
        "tiny-scale": SavedModel("tiny-scale"),
        "huge-scale": SavedModel("huge-scale"),
        "odd-labels": SavedModel("odd-labels", options="-M 1"),
        "odd-labels36": SavedModel("odd-labels", "3.6.14", options="-M 1"),
        "bar-names": SavedModel("bar-names", options="-M 1"),
        "long-labels": SavedModel("long-labels"),
        "western": SavedModel("copied-cp1252", header=False),
        "date36": SavedModel("date", "3.6.14", packed=True),
        "reduced-error395": SavedModel("breast-cancer-395", "3.9.5", options="-R"),
        "unpruned395": SavedModel("accounts-unpruned", "3.9.5", options="-U"),
        "boosting": SavedModel("outings", scheme=f"{meta}AdaBoostM1", options=f"-I 3 -W {J48}"),
        "bagging36": SavedModel("outings", "3.6.14", f"{meta}Bagging", f"-I 3 -W {J48}"),
        "costs36": SavedModel(
            "outings",
            "3.6.14",
            f"{meta}CostSensitiveClassifier",
            f'-cost-matrix "[0 5; 1 0]" -W {J48}',
        ),
        "selected36": SavedModel(
            "accounts-binary",
            "3.6.14",
            f"{meta}AttributeSelectedClassifier",
            f"{selection} -W {J48}",
        ),
        "discretized36": SavedModel("negative", "3.6.14", FILTERED, f"-F {discretize} -W {J48}"),
        "standardized": SavedModel(
            "negative", scheme=FILTERED, options=f"-F {unsupervised}Standardize -W {J48}"
        ),
        "replaced36": SavedModel(
            "accounts-binary",
            "3.6.14",
            FILTERED,
            f"-F {unsupervised}ReplaceMissingValues -W {J48}",
        ),
        "removed36": SavedModel(
            "outings", "3.6.14", FILTERED, f'-F "{unsupervised}Remove -R 2" -W {J48}'
        ),
    }


def _filters() -> dict[str, SavedModel]:
    """A tree behind each filter that is known, asked about rows far from the training data."""
    unsupervised = "weka.filters.unsupervised.attribute."
    several = (
        f"weka.filters.MultiFilter -F {unsupervised}ReplaceMissingValues "
        f'-F \\"{unsupervised}Remove -R 1\\" -F {unsupervised}Standardize '
        f'-F \\"{unsupervised}Reorder -R last-first\\"'
    )
    filters = {
        "centered": f"{unsupervised}Center",
        "normalized": f"{unsupervised}Normalize -S 2.0 -T -1.0",
        "replaced-wide": f"{unsupervised}ReplaceMissingValues",
        "standardized-wide": f"{unsupervised}Standardize",
        "constant": f"{unsupervised}ReplaceMissingWithUserConstant -A first-last -N none -R 4.5",
        "discretized-width": f"{unsupervised}Discretize -B 4",
        "discretized-weight": f"{unsupervised}Discretize -F -B 3 -R 2",
        "discretized-binary": f"{unsupervised}Discretize -D -B 3 -Y",
        "discretized-best": f"{unsupervised}Discretize -O -B 6 -precision 2",
        "discretized-classes": "weka.filters.supervised.attribute.Discretize -K",
        "indicators": f"{unsupervised}NominalToBinary",
        "indicators-all": "weka.filters.supervised.attribute.NominalToBinary -A -N",
        "reordered": f"{unsupervised}Reorder -R 3,1,last,2",
        "typed": f"{unsupervised}RemoveType -T nominal",
        "numbers-as-labels": f"{unsupervised}NumericToNominal -R 2",
        "several-filters": several,
    }
    return {
        name: SavedModel("parcels-wide", scheme=FILTERED, options=f'-F "{how}" -W {J48}')
        for name, how in filters.items()
    }


def make_saved_models(folder: Path, wekas: LiveWekas) -> None:
    """Write fixtures/saved."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    known = saved_models()
    texts = {}
    for name, case in known.items():
        model = folder / f"{name}.model"
        source = folder.parent / case.data
        column = json.loads((source / "meta.json").read_text(encoding="utf-8"))["class_index"]
        running = wekas[case.weka]
        running.save(
            model,
            source / "data.arff",
            scheme=case.scheme,
            options=case.options,
            class_index=column,
            header=case.header,
        )
        for rows in ("data", "test"):
            if (source / f"{rows}.arff").exists():
                answers = folder / f"{name}.{rows}"
                file = source / f"{rows}.arff"
                text, _ = running.ask(model, file, class_index=column, keep=answers)
        texts[name] = text
        if case.packed:
            model.write_bytes(gzip.compress(model.read_bytes(), mtime=0))
    (folder / "texts.json").write_text(json.dumps(texts, indent=1) + "\n", encoding="utf-8")
    description = json.dumps({name: asdict(case) for name, case in known.items()}, indent=1)
    (folder / "cases.json").write_text(f"{description}\n", encoding="utf-8")
