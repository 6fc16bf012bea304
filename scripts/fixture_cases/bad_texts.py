"""fixtures/bad: texts that are no tree of the data beside them, and the reason why."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from weka_live import J48

from .live import LiveWekas

ERROR = "error"
MISFIT = "misfit"  # whole by itself, but no tree of this data
WARNING = "warning: counts disagree with the rows"


def replace_once(text: str, old: str, new: str) -> str:
    """The text with a part changed that occurs in it once."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} occurs {text.count(old)} times")
    return text.replace(old, new)


def without_lines(text: str, *starts: str) -> str:
    """The text without its only lines that begin so."""
    for start in starts:
        (line,) = [line for line in text.split("\n") if line.startswith(start)]
        text = replace_once(text, f"\n{line}\n", "\n")
    return text


def make_bad_texts(folder: Path, wekas: LiveWekas) -> None:
    """Write fixtures/bad: the texts, and bad.json with the data, the verdict and the reason."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    described = []
    for name, (data, verdict, wrong, text) in {
        **no_trees(folder.parent, wekas),
        **changed_flowers(folder.parent),
        **changed_outings(folder.parent),
    }.items():
        (folder / name).write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
        described.append(
            {"file": name, "arff": f"../{data}/data.arff", "verdict": verdict, "wrong": wrong}
        )
    (folder / "bad.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


BadTexts = dict[str, tuple[str, str, str, str | bytes]]
"""Of each file name the fixture whose data it is given, the verdict, the reason, the content."""


def no_trees(fixtures: Path, wekas: LiveWekas) -> BadTexts:
    """What is no tree at all, or one of another program."""
    iris = fixtures / "iris" / "data.arff"
    new, old = wekas["3.9.7"], wekas["3.6.14"]
    trees = "weka.classifiers.trees."
    bagging = "weka.classifiers.meta.Bagging"
    graft = old.text(iris, scheme=f"{trees}J48graft", options="-C 0.5 -M 1")
    if "(0.0|" not in graft:
        raise ValueError("J48graft grafted nothing")
    others: dict[str, tuple[str, str]] = {
        "reptree.txt": ("REPTree", new.text(iris, scheme=f"{trees}REPTree")),
        "randomtree.txt": ("RandomTree", new.text(iris, scheme=f"{trees}RandomTree")),
        "part-rules.txt": ("PART rules", new.text(iris, scheme="weka.classifiers.rules.PART")),
        "j48graft.txt": ("J48graft: leaves such as (0.0|28.0)", graft),
        "stump.txt": ("DecisionStump", new.text(iris, scheme=f"{trees}DecisionStump")),
        "lmt.txt": ("a logistic model tree", new.text(iris, scheme=f"{trees}LMT")),
        "not-built.txt": ("a J48 that was never built", new.text(None)),
        "bagging-without-trees.txt": (
            "Bagging of 3.9 names its trees only",
            new.cli(iris, scheme=bagging, options=f"-I 2 -W {J48}"),
        ),
    }
    texts: BadTexts = {
        "empty.txt": ("iris", ERROR, "nothing", ""),
        "blank.txt": ("iris", ERROR, "blanks and line ends only", " \n\n\t\n  \n"),
        "binary.txt": ("iris", ERROR, "no text", bytes(range(256)) * 4),
        "deep-line.txt": (
            "iris",
            ERROR,
            "a line with 5,000 marks of indentation",
            "J48 pruned tree\n------------------\n\n" + "|   " * 5_000 + "x <= 1: a (1.0)\n",
        ),
        "deep-unfinished.txt": (
            "iris",
            ERROR,
            "60 levels, none of them complete",
            "J48 pruned tree\n------------------\n\n"
            + "".join("|   " * depth + f"petalwidth <= {depth}\n" for depth in range(60)),
        ),
    }
    return texts | {name: ("iris", ERROR, why, text) for name, (why, text) in others.items()}


def changed_flowers(fixtures: Path) -> BadTexts:
    """The tree of iris, spoilt: numeric tests."""
    text = (fixtures / "iris" / "model.txt").read_text(encoding="utf-8")
    first, second = "petalwidth <= 0.6: Iris-setosa (50.0)\n", "petalwidth > 0.6\n"
    start, end = text.index(first), text.index("\n\nNumber of Leaves")
    tree = text[start : end + 1]
    rest = tree.removeprefix(first + second)
    changes: dict[str, tuple[str, str]] = {
        "truncated-mid-line.txt": (
            "ends in the middle of a line of the tree",
            text[: text.index("Iris-versicolor (48") + 9],
        ),
        "truncated-between-lines.txt": (
            "ends behind a line of the tree; branches are missing",
            text[: text.index("|   |   petallength > 4.9\n")],
        ),
        "missing-sibling.txt": (
            "a branch with > is missing",
            without_lines(text, "|   petalwidth > 1.7"),
        ),
        "indent-jump.txt": (
            "a line two levels below the one before it",
            replace_once(text, "|   |   petallength <= 4.9", "|   |   |   |   petallength <= 4.9"),
        ),
        "indent-ragged.txt": (
            "a mark of indentation with two blanks",
            replace_once(text, "|   |   petallength <= 4.9", "|   |  petallength <= 4.9"),
        ),
        "swapped-branches.txt": (
            "the branch with > before the one with <=",
            replace_once(text, tree, second + rest + first),
        ),
        "threshold-mismatch.txt": (
            "two thresholds of one node",
            replace_once(text, "petalwidth > 0.6", "petalwidth > 0.7"),
        ),
        "errors-exceed-weight.txt": (
            "a leaf with more errors than cases",
            replace_once(text, "(48.0/1.0)", "(48.0/49.0)"),
        ),
        "leaves-mismatch.txt": (
            "another number of leaves than the tree has",
            replace_once(text, "Number of Leaves  : \t5", "Number of Leaves  : \t7"),
        ),
        "size-mismatch.txt": (
            "another size than the tree has",
            replace_once(text, "Size of the tree : \t9", "Size of the tree : \t11"),
        ),
        "two-roots.txt": (
            "lines behind a tree that is complete",
            replace_once(text, tree, tree + first),
        ),
        "c45-release8.txt": (
            "the layout of C4.5: a blank before the colon, a colon behind inner nodes",
            "C4.5 [release 8] decision tree generator\n\nDecision Tree:\n\n"
            + "".join(
                line.replace(": ", " : ") + "\n" if ": " in line else f"{line} :\n"
                for line in tree.splitlines()
            ),
        ),
    }
    texts: BadTexts = {name: ("iris", ERROR, why, bad) for name, (why, bad) in changes.items()}
    texts["unknown-class.txt"] = (
        "iris",
        MISFIT,
        "a class that the data do not have",
        replace_once(text, "Iris-setosa (50.0)", "Iris-gigantea (50.0)"),
    )
    counts = replace_once(text, "Iris-setosa (50.0)", "Iris-setosa (49.0)")
    texts["counts-of-other-rows.txt"] = ("iris", WARNING, "49 cases instead of 50", counts)
    bare = "".join(
        f"{line.rpartition(' (')[0]}\n" if line.endswith(")\n") else line
        for line in tree.splitlines(keepends=True)
    )
    texts["leaf-without-counts.txt"] = (
        "iris",
        "error-or-degraded",
        "leaves without counts",
        replace_once(text, tree, bare),
    )
    texts["other-arff.txt"] = ("wine-laplace", MISFIT, "the tree of other data", text)
    return texts


def changed_outings(fixtures: Path) -> BadTexts:
    """The tree of outings, spoilt: tests of labels."""
    text = (fixtures / "outings" / "model.txt").read_text(encoding="utf-8")
    whole: dict[str, tuple[str, str]] = {
        "unknown-attribute.txt": (
            "an attribute that the data do not have",
            text.replace("degrees", "moisture"),
        ),
        "unknown-value.txt": (
            "a value that the data do not have",
            replace_once(text, "sky = rain", "sky = hail"),
        ),
        "numeric-on-nominal.txt": (
            "a threshold of an attribute of labels",
            text.replace("windy = no", "windy <= 3").replace("windy = yes", "windy > 3"),
        ),
    }
    broken: dict[str, tuple[str, str]] = {
        "missing-value-branch.txt": (
            "no branch for a value",
            without_lines(text, "|   sky = clear"),
        ),
        "duplicate-value.txt": (
            "two branches for one value, none for another",
            replace_once(text, "sky = rain", "sky = clear"),
        ),
    }
    return {name: ("outings", MISFIT, why, bad) for name, (why, bad) in whole.items()} | {
        name: ("outings", ERROR, why, bad) for name, (why, bad) in broken.items()
    }
