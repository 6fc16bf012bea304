"""Results: a file of JSON lines for each data set, to which each sample adds its own.

A line holds what was measured of one tree of one sample. Later lines of the same tree add methods
to the earlier ones, so that a new method is scored without the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reproduction.growing import folder_of

__all__ = ["Results", "append", "results_file"]

Floats = NDArray[np.float64]
Key = tuple[int, str]


def results_file(name: str, seed: int) -> Path:
    """Where the results of a data set are kept."""
    return folder_of(name, seed) / "results.jsonl"


def append(name: str, seed: int, records: Iterable[dict[str, Any]]) -> None:
    """Add records at the end."""
    with results_file(name, seed).open("a", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record) + "\n")


class Results:
    """What is known of a data set, by sample and kind of tree."""

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self._records: dict[Key, dict[str, Any]] = {}
        for record in records:
            known = self._records.setdefault((record["sample"], record["tree"]), {"methods": {}})
            methods = {**known["methods"], **record["methods"]}
            known.update({**record, "methods": methods})

    @classmethod
    def kept(cls, name: str, seed: int, samples: int | None = None) -> Results:
        """What the cache holds of a data set, or of its first samples."""
        file = results_file(name, seed)
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        records = []
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:  # the last line of a run that was stopped
                continue
            if samples is None or record["sample"] < samples:
                records.append(record)
        return cls(records)

    def done(self, sample: int) -> dict[str, set[str]]:
        """Methods that are known of a sample, by kind of tree."""
        return {
            tree: set(record["methods"])
            for (number, tree), record in self._records.items()
            if number == sample
        }

    @property
    def samples(self) -> list[int]:
        """Numbers of the samples of which something is known."""
        return sorted({number for number, _ in self._records})

    def fact(self, tree: str, what: str) -> Floats:
        """A number of every sample's tree, NaN where there is none."""
        return np.array([_number(self._of(n, tree).get(what)) for n in self.samples])

    def measure(self, tree: str, method: str, what: str) -> Floats:
        """What a method reached on every sample, NaN where it was not run."""
        found = (self._of(n, tree).get("methods", {}).get(method, {}) for n in self.samples)
        return np.array([_number(record.get(what)) for record in found])

    def curves(self, method: str) -> Floats:
        """Partial areas on normal trees, shape (n_samples, n_grid); empty if there are none."""
        found = (self._of(n, "normal").get("methods", {}).get(method, {}) for n in self.samples)
        return np.array([r["partial"] for r in found if r.get("partial")], dtype=np.float64)

    def _of(self, sample: int, tree: str) -> dict[str, Any]:
        return self._records.get((sample, tree), {})


def _number(x: Any) -> float:
    return np.nan if x is None else float(x)
