"""Growing: every tree of every sample, and NBTree's probabilities, kept in the cache.

A data set has a folder with files of ten samples each: ``draws-020.npz`` holds the row numbers of
samples 20 to 29 (arrays ``train`` and ``test``, a row a sample), ``normal-020.json.gz`` a list of
the ten texts, ``nbtree-020.json.gz`` ten lists of test rows' class probabilities, null where
there was no time left. A file is written whole, so that a stopped run goes on from the last ten.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reproduction.catalogue import DataSet
from reproduction.jvm import J48, NoWekaError, TooSlowError, Weka, running_weka
from reproduction.places import CACHE, write_whole
from reproduction.samples import Sample, draw

__all__ = ["BATCH", "KINDS", "Grown", "Kind", "folder_of", "grow", "grown"]

BATCH = 10
NBTREE_SECONDS = 900.0
"""What NBTree may take for all samples of a data set, in seconds of `Weka.spent`."""


@dataclass(frozen=True)
class Kind:
    """A kind of tree: which Weka grows it, and how."""

    weka: str
    scheme: str
    options: str


KINDS: dict[str, Kind] = {
    "normal": Kind("3.9.7", J48, ""),
    "unpruned": Kind("3.9.7", J48, "-U -O"),
    # Reduced-error pruning throws in 3.9.7, and NBTree is no part of it any more.
    "reduced": Kind("3.6.14", J48, "-R"),
    "nbtree": Kind("3.6.14", "weka.classifiers.trees.NBTree", ""),
}

Report = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Grown:
    """A sample, the texts of its trees by kind, and NBTree's answers if there are any."""

    number: int
    sample: Sample
    texts: dict[str, str]
    nbtree: np.ndarray | None


def folder_of(name: str, seed: int) -> Path:
    """Where a data set's files are kept."""
    return CACHE / f"seed-{seed}" / name


def grow(
    data: DataSet,
    samples: int,
    seed: int,
    *,
    report: Report,
    kinds: Iterable[str] = tuple(KINDS),
    offline: bool = False,
) -> None:
    """Grow what the cache does not hold yet, ten samples at a time."""
    folder = folder_of(data.name, seed)
    write_whole(folder / "data.arff", data.arff().encode())
    starts = range(0, samples, BATCH)
    for start in starts:
        _drawn(data, folder, start, seed)
    for version in ("3.9.7", "3.6.14"):
        grows = [kind for kind in kinds if KINDS[kind].weka == version]
        todo = [(k, s) for k in grows for s in starts if not _file(folder, k, s).exists()]
        if not todo:
            continue
        try:
            with running_weka(version, data.arff(), offline=offline) as weka:
                _grow_batches(weka, folder, todo, lambda what: report(f"{data.name} {what}"))
        except NoWekaError as error:
            report(f"{data.name}: left out {', '.join(grows)}: {error}")


def _grow_batches(weka: Weka, folder: Path, todo: list[tuple[str, int]], report: Report) -> None:
    spent = 0.0
    for kind, start in todo:
        how = KINDS[kind]
        found: list[Any] = []
        for sample in _draws(folder, start):
            if kind != "nbtree":
                found.append(weka.text(how.scheme, how.options, sample.train))
                continue
            left = NBTREE_SECONDS - spent
            began = weka.spent()
            try:
                found.append(
                    None
                    if left <= 0
                    else weka.distribution(
                        how.scheme, how.options, sample.train, sample.test, seconds=left
                    ).tolist()
                )
            except TooSlowError:
                found.append(None)
                left = 0.0
            spent = NBTREE_SECONDS if left <= 0 else spent + weka.spent() - began
        write_whole(_file(folder, kind, start), gzip.compress(json.dumps(found).encode()))
        report(f"{kind} {start + len(found)}")


def grown(name: str, samples: int, seed: int) -> list[Grown]:
    """What the cache holds of a data set."""
    folder = folder_of(name, seed)
    found = []
    for start in range(0, samples, BATCH):
        if not (folder / f"draws-{start:03}.npz").exists():
            break
        texts = {kind: _read(folder, kind, start) for kind in KINDS}
        for i, sample in enumerate(_draws(folder, start)):
            if start + i >= samples:
                break
            trees = {k: t[i] for k, t in texts.items() if t is not None and k != "nbtree"}
            answers = None if texts["nbtree"] is None else texts["nbtree"][i]
            nbtree = None if answers is None else np.array(answers)
            found.append(Grown(start + i, sample, trees, nbtree))
    return found


def _file(folder: Path, kind: str, start: int) -> Path:
    return folder / f"{kind}-{start:03}.json.gz"


def _read(folder: Path, kind: str, start: int) -> list[Any] | None:
    file = _file(folder, kind, start)
    if not file.exists():
        return None
    found: list[Any] = json.loads(gzip.decompress(file.read_bytes()))
    return found


def _drawn(data: DataSet, folder: Path, start: int, seed: int) -> None:
    """Draw ten samples and keep them: another NumPy might draw others."""
    file = folder / f"draws-{start:03}.npz"
    if file.exists():
        return
    drawn = [draw(data.name, data.labels, i, seed) for i in range(start, start + BATCH)]
    out = io.BytesIO()
    np.savez_compressed(
        out,
        train=np.array([sample.train for sample in drawn], dtype=np.int32),
        test=np.array([sample.test for sample in drawn], dtype=np.int32),
    )
    write_whole(file, out.getvalue())


def _draws(folder: Path, start: int) -> list[Sample]:
    with np.load(folder / f"draws-{start:03}.npz") as kept:
        train, test = kept["train"], kept["test"]
    return [Sample(a.astype(np.intp), b.astype(np.intp)) for a, b in zip(train, test, strict=True)]
