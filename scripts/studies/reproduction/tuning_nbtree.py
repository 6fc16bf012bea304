"""NBTree of an old Weka on the splits of the study of tuning, as long as it has time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reproduction.catalogue import load
from reproduction.growing import KINDS
from reproduction.jvm import TooSlowError, running_weka
from reproduction.tuning_data import ENTRIES, data_of, split
from reproduction.tuning_study import Record, judged, keep, kept

__all__ = ["NBTREE", "SECONDS", "run_nbtree"]

NBTREE = "NBTree"
SECONDS = 20.0
"""CPU time of a fit with its answers; after a longer one a set is given up."""


def run_nbtree(names: Sequence[str], seed: int, repetitions: int) -> None:
    """Measure what is not known yet."""
    known = {(r["data"], r["number"]): r["methods"].get(NBTREE) for r in kept(seed)}
    for name in names:
        answers = [known.get((name, number)) for number in range(repetitions)]
        todo = [number for number, answer in enumerate(answers) if answer is None]
        if todo and not any(answer and "late" in answer for answer in answers):
            _measure(name, todo, seed)


def _measure(name: str, numbers: Sequence[int], seed: int) -> None:
    data, kind = data_of(name), KINDS["nbtree"]
    with running_weka(kind.weka, load(name, ENTRIES[name]).arff()) as weka:
        for number in numbers:
            sample = split(name, data.class_values, number, seed)
            before = weka.spent()
            record: Record
            try:
                p = weka.distribution(
                    kind.scheme, kind.options, sample.train, sample.test, seconds=SECONDS
                )
            except TooSlowError:
                record = {"late": SECONDS}
            else:
                actual = data.class_values[sample.test].astype(np.intp)
                record = judged(p, None, actual) | {"cpu": weka.spent() - before}
            keep({"data": name, "number": number, "methods": {NBTREE: record}}, seed)
            print(f"{NBTREE} {name} {number}: {record}", flush=True)
            if "late" in record:
                return
