"""Folders of fixtures/ with the text of a tree: what Weka prints, and its answers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from weka_live import J48, Weka, printed_with_errors

from .copied_texts import COPIES, copied_texts
from .plain_trees import plain_trees
from .tree_case import TreeCase
from .wrapped_trees import wrapped_trees

FOLDS = 3


def tree_cases() -> dict[str, TreeCase]:
    """Every tree, by the name of its folder."""
    return {**plain_trees(), **wrapped_trees(), **copied_texts()}


def make_tree(folder: Path, case: TreeCase, weka: Weka) -> None:
    """Write one folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    data = folder / "data.arff"
    train = case.train if isinstance(case.train, str) else case.train()
    data.write_text(train, encoding="utf-8", newline="")
    test = None
    if case.test is not None:
        test = folder / "test.arff"
        test.write_text(case.test, encoding="utf-8", newline="")
    weka.truth(
        folder,
        data,
        test=test,
        class_index=case.class_index,
        scheme=case.scheme,
        options=case.options,
    )
    text, command = print_tree(folder, case, weka)
    (folder / "graph.dot").unlink(missing_ok=True)
    written = COPIES[case.copied](text) if case.copied else text.encode()
    (folder / "model.txt").write_bytes(written)
    meta = describe_case(folder, case, text, command)
    (folder / "meta.json").write_text(
        json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def print_tree(folder: Path, case: TreeCase, weka: Weka) -> tuple[str, str]:
    """What Weka prints for a case in the way it asks for, and the command that prints it."""
    data, test = folder / "data.arff", folder / "test.arff"
    place = f"-c {case.class_index + 1} " if case.class_index >= 0 else ""
    command = f"java {case.scheme} -t data.arff {place}{case.options}".rstrip()
    clicked = f"Explorer, Classify, {case.scheme} {case.options}".rstrip()
    same: dict[str, Any] = {"scheme": case.scheme, "class_index": case.class_index}
    if case.print_as == "explorer":
        return weka.explorer(data, options=case.options, **same), clicked
    if case.print_as == "fold-models":
        text = weka.explorer(data, options=case.options, fold_models=FOLDS, **same)
        return text, f"{clicked}, {FOLDS} folds with their models"
    if case.print_as == "dot":
        return (folder / "graph.dot").read_bytes().decode("utf-8"), f"{command} -g"
    if case.print_as == "bare":
        bare = (folder / "model.txt").read_bytes().decode("utf-8")
        return bare, f"toString() of {case.scheme} {case.options}".rstrip()
    if case.print_as == "source":
        text = weka.cli(data, options=f"{case.options} -z Outings", **same)
        # The only line that differs between runs.
        return re.sub("(?m)^// Timestamp: .*$", "// Timestamp: ", text), f"{command} -z Outings"
    if case.print_as == "with-errors":
        text = printed_with_errors(case.weka, case.scheme, ["-t", str(data)])
        return re.sub(r"(?m)^\w{3} .* [AP]M (?=com)", "", text), f"{command} 2>&1"
    if not test.exists():
        return weka.cli(data, options=case.options, **same), command
    text = weka.cli(data, test=test, options=case.options, **same)
    return text, command.replace("-t data.arff", "-t data.arff -T test.arff")


def describe_case(folder: Path, case: TreeCase, text: str, command: str) -> dict[str, Any]:
    """What meta.json says: how the text was made and what it holds."""
    trees = json.loads((folder / "tree.json").read_text(encoding="utf-8"))["trees"]
    # A wrapper prints other trees than it asks, and folds have trees of their own.
    leaves = [int(n) for n in re.findall(r"(?m)^Number of Leaves  : \t(\d+)$", text)]
    sizes = [int(n) for n in re.findall(r"(?m)^Size of the tree : \t(\d+)$", text)]
    if case.print_as in ("dot", "source"):
        leaves, sizes = [tree["leaves"] for tree in trees], [tree["size"] for tree in trees]
    binary = "-B" in case.options.split()
    counts = "wrapper-specific"
    if case.scheme == J48:
        counts = "growing-set" if "-R" in case.options.split() else "training-rows"
    version, _, locale = case.weka.partition(" ")
    meta = {
        "id": folder.name,
        "weka": version,
        "classifier": case.scheme,
        "options": case.options,
        "command": command,
        "output_kind": case.print_as,
        "class_index": case.class_index,
        "about": case.about,
        "expect": {
            "status": case.status,
            "trees": len(leaves),
            "leaves": leaves,
            "sizes": sizes,
        },
        "thresholds": "java-double" if binary else "six-decimals",
        "has_test": (folder / "test.arff").exists(),
        "counts": counts,
    }
    if locale:
        meta["locale"] = locale
    if case.copied:
        meta["copied"] = case.copied
    if (folder / "filtered.arff").exists():
        meta["filtered_class_index"] = trees[0]["attributes"].index(trees[0]["class_attribute"])
    return meta
