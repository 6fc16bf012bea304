"""Made models and data of any size: wide splits, many leaves, long headers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

COLUMNS = 8


def wide(folder: Path, values: int) -> tuple[Path, Path]:
    """One split with a branch for every value of its attribute, a row for each, some missing."""
    names = [f"value{k}" for k in range(values)]
    labels = ["yes" if k % 3 else "no" for k in range(values)]
    pairs = list(zip(names, labels, strict=True))
    rows = [f"{name},{k % 1000 / 10},{label}" for k, (name, label) in enumerate(pairs)]
    data = folder / f"wide{values}.arff"
    data.write_text(
        "@relation wide\n"
        f"@attribute v {{{','.join(names)}}}\n@attribute x numeric\n@attribute class {{no,yes}}\n"
        "@data\n" + "\n".join(rows) + "\n"
    )
    lines = [f"v = {name}: {label} (1.0)" for name, label in pairs]
    return _model(folder / f"wide{values}.txt", lines, values), data


def leaves(
    folder: Path, count: int, *, rows: int = 0, columns: int = COLUMNS, classes: int = 2
) -> tuple[Path, Path]:
    """A binary tree of `count` leaves, and `rows` rows: half as many again if not told."""
    chance = np.random.default_rng(count)
    X = chance.normal(size=(rows or 3 * count // 2, columns)).round(4)
    shares = np.array([0.6, *[0.4 / (classes - 1)] * (classes - 1)])
    labels = chance.choice(classes, len(X), p=shares)
    names = ["no", "yes"] if classes == 2 else [f"c{k}" for k in range(classes)]
    lines: list[str] = []
    # A subtree to write: its rows, how many leaves it gets, and the branch that leads to it.
    waiting = [(np.arange(len(X)), count, -1, "")]
    made = 0
    while waiting:
        here, wanted, depth, branch = waiting.pop()
        cut = _cut(X, here, wanted, chance)
        if cut is None:
            held = np.bincount(labels[here], minlength=classes)
            errors = len(here) - int(held.max())
            missed = f"/{errors:.1f}" if errors else ""
            label = names[int(held.argmax())]
            lines.append(f"{'|   ' * depth}{branch}: {label} ({len(here):.1f}{missed})")
            made += 1
            continue
        if branch:
            lines.append(f"{'|   ' * depth}{branch}")
        column, threshold, left = cut
        n_left = int(left.sum())
        least, most = max(1, wanted - (len(here) - n_left)), min(n_left, wanted - 1)
        small = min(max(least, round(wanted * left.mean())), most)
        for side, part, sign in ((~left, wanted - small, ">"), (left, small, "<=")):
            waiting.append((here[side], part, depth + 1, f"a{column} {sign} {threshold:g}"))
    name = f"leaves{count}-{len(X)}-{columns}-{classes}"
    data = folder / f"{name}.arff"
    with open(data, "w") as out:
        out.write("@relation leaves\n")
        out.writelines(f"@attribute a{k} numeric\n" for k in range(columns))
        out.write(f"@attribute class {{{','.join(names)}}}\n@data\n")
        for row, label in zip(X.tolist(), labels.tolist(), strict=True):
            out.write(",".join(map(repr, row)) + f",{names[label]}\n")
    return _model(folder / f"{name}.txt", lines, made), data


def _cut(
    X: np.ndarray, rows: np.ndarray, wanted: int, chance: np.random.Generator
) -> tuple[int, float, np.ndarray] | None:
    """A column, a threshold among its values and who goes left; None for a leaf."""
    if wanted < 2:
        return None
    for column in chance.permutation(X.shape[1])[:3].tolist():
        x = X[rows, column]
        k = int(len(x) * chance.uniform(0.2, 0.8))
        left = x <= np.partition(x, k)[k]
        if not left.all():
            return column, float(x[left].max()), left
    return None


def header(folder: Path, attributes: int) -> tuple[Path, Path]:
    """A header of many numeric attributes over three rows, and a tree that asks for the last."""
    data = folder / f"header{attributes}.arff"
    with open(data, "w") as out:
        out.write("@relation header\n")
        out.writelines(f"@attribute attribute{k} numeric\n" for k in range(attributes))
        out.write("@attribute class {no,yes}\n@data\n")
        for row in range(3):
            out.write(f"{row}," * attributes + ("yes\n" if row else "no\n"))
    last = f"attribute{attributes - 1}"
    lines = [f"{last} <= 0: no (1.0)", f"{last} > 0: yes (2.0)"]
    return _model(folder / f"header{attributes}.txt", lines, 2), data


def _model(path: Path, lines: list[str], leaves: int) -> Path:
    """A J48 text with its banner and footer."""
    path.write_text(
        "J48 pruned tree\n------------------\n\n" + "\n".join(lines) + "\n\n"
        f"Number of Leaves  : \t{leaves}\n\nSize of the tree : \t{len(lines) + 1}\n"
    )
    return path
