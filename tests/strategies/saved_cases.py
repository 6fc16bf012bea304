"""Saved classifiers, their rows, and what Weka answered: of fixtures/saved and of the corpus."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
J48 = "weka.classifiers.trees.J48"


@dataclass(frozen=True)
class SavedCase:
    """A .model file, and rows with the answers for them."""

    suite: str
    name: str
    model: Path
    scheme: str
    options: str
    weka: str
    class_choice: str
    asked: tuple[tuple[Path, Path], ...]
    text: str

    @property
    def is_single_tree(self) -> bool:
        """Whether it is a J48 alone."""
        return self.scheme == J48

    @property
    def names_its_trees_only(self) -> bool:
        """Whether Weka prints no trees of it: Bagging of 3.9 without -print, Vote of 3.6."""
        kind = self.scheme.rpartition(".")[2]
        return (kind, self.weka[:3]) in {("Bagging", "3.9"), ("Vote", "3.6")}

    @property
    def refused(self) -> bool:
        """Whether the whole answer of this wrapper is not known: 1-against-1."""
        return self.scheme.endswith("MultiClassClassifier") and "-M 3" in self.options


def own_cases() -> list[SavedCase]:
    """Those of fixtures/saved."""
    folder = ROOT / "fixtures" / "saved"
    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    found = []
    for name, case in json.loads((folder / "cases.json").read_text(encoding="utf-8")).items():
        data = folder.parent / case["data"]
        column = json.loads((data / "meta.json").read_text(encoding="utf-8"))["class_index"]
        pairs = tuple(
            (data / f"{rows}.arff", folder / f"{name}.{rows}")
            for rows in ("data", "test")
            if (folder / f"{name}.{rows}").exists()
        )
        assert pairs
        found.append(
            SavedCase(
                "fixtures/saved",
                name,
                folder / f"{name}.model",
                case["scheme"],
                case["options"],
                case["weka"],
                "last" if column < 0 else str(column + 1),
                pairs,
                texts[name],
            )
        )
    return found


def corpus_cases() -> list[SavedCase]:
    """Those of the shared corpus; none where it is absent."""
    found = []
    for file in sorted(CORPUS.glob("model/*/case.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        folder = file.parent
        found.append(
            SavedCase(
                "corpus/model",
                folder.name,
                next(folder.glob("j48.model*")),
                case["scheme"],
                " ".join(case["options"]),
                case["weka"],
                case["class_"],
                (
                    (CORPUS / "j48" / case["data"], folder / "pred.train"),
                    (folder / "test.arff", folder / "pred.test"),
                ),
                (folder / "tree.txt").read_text(encoding="utf-8"),
            )
        )
    return found


def saved_cases(wanted: Callable[[SavedCase], bool] = lambda case: True) -> list[Any]:
    """Those that are wanted as parameters; those of the corpus are marked."""
    own = [pytest.param(case, id=case.name) for case in own_cases() if wanted(case)]
    shared = [
        pytest.param(case, id=f"corpus-{case.name}", marks=pytest.mark.corpus)
        for case in corpus_cases()
        if wanted(case)
    ]
    return own + shared
