"""The papers' tables as columns: what they say, and how the same number is had from our results."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reproduction.methods import METHODS, midgap_of
from reproduction.statistics import Mean
from reproduction.store import Results

__all__ = ["COLUMNS", "Column", "Term", "read_papers"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Term:
    """A number of one kind of tree: of a method, or without one a fact about the tree."""

    tree: str
    method: str | None
    what: str

    def of(self, results: Results) -> Floats:
        """One number a sample."""
        if self.method is None:
            return results.fact(self.tree, self.what)
        return results.measure(self.tree, self.method, self.what)

    @property
    def midgap(self) -> Term | None:
        """The same with faces in the middle of their gaps, if that is another method."""
        if self.method is None or midgap_of(self.method) not in METHODS:
            return None
        return Term(self.tree, midgap_of(self.method), self.what)


@dataclass(frozen=True)
class Column:
    """A column of a paper's table: a term, or the difference of two, times a scale.

    With a `threshold` it is the share of samples that reach it; `least_errors` leaves out
    samples whose tree makes fewer errors.
    """

    paper: str
    table: str
    key: str
    title: str
    left: Term
    right: Term | None = None
    scale: float = 100.0
    threshold: float | None = None
    least_errors: int = 0

    def values(self, results: Results, left: Term | None = None) -> Floats:
        """One number a sample; `left` stands in for the column's own."""
        found = (left or self.left).of(results)
        if self.right is not None:
            found = found - self.right.of(results)
        if self.least_errors:
            enough = results.fact(self.left.tree, "errors") >= self.least_errors
            found = np.where(enough, found, np.nan)
        if self.threshold is not None:
            found = np.where(np.isnan(found), np.nan, found >= self.threshold)
        return self.scale * found


def _difference(
    paper: str, table: str, key: str, title: str, left: str, right: str, what: str = "auc"
) -> Column:
    (tree, method), (other_tree, other) = left.split("/"), right.split("/")
    return Column(paper, table, key, title, Term(tree, method, what), Term(other_tree, other, what))


def _leaves(tree: str) -> Term:
    return Term(tree, None, "leaves")


_G = "auc_global_minus_smoothing"
_L = "auc_local_minus_smoothing"
_K = "auc_gdk_minus_laplace"

COLUMNS: tuple[Column, ...] = (
    Column("AB05", "1", "leaves_unpruned", "Leaves, unpruned", _leaves("unpruned"), scale=1),
    Column(
        "AB05",
        "1",
        "leaves_unpruned_minus_reduced_error",
        "Leaves, unpruned minus reduced-error",
        _leaves("unpruned"),
        _leaves("reduced"),
        scale=1,
    ),
    Column(
        "AB05",
        "2",
        "mean_distance_hits_minus_errors",
        "Mean distance of hits minus that of errors, min-max, reduced-error",
        Term("reduced", None, "difference-minmax"),
        scale=1,
        least_errors=2,
    ),
    Column("AB05", "2", "lambda", "λ", Term("reduced", None, "lambda-minmax"), scale=1),
    Column(
        "AB05",
        "2",
        "percent_lambda_ge_2",
        "% of samples with λ ≥ 2",
        Term("reduced", None, "lambda-minmax"),
        threshold=2.0,
    ),
    _difference(
        "AB05",
        "3",
        f"{_G}:reduced_error",
        "AUC, global geometric minus m-estimate, reduced-error",
        "reduced/global",
        "reduced/m",
    ),
    _difference(
        "AB05",
        "3",
        f"{_G}:normal",
        "AUC, global geometric minus m-estimate, normal",
        "normal/global",
        "normal/m",
    ),
    _difference(
        "AB05",
        "3",
        f"{_G}:unpruned",
        "AUC, global geometric minus m-estimate, unpruned",
        "unpruned/global",
        "unpruned/m",
    ),
    _difference(
        "AB05",
        "3",
        f"{_G}:nbtree",
        "AUC, global geometric (reduced-error) minus NBTree",
        "reduced/global",
        "nbtree/nbtree",
    ),
    _difference(
        "AB05",
        "4",
        f"{_L}:reduced_error",
        "AUC, local geometric minus m-estimate, reduced-error",
        "reduced/local-m",
        "reduced/m",
    ),
    _difference(
        "AB05",
        "4",
        f"{_L}:normal",
        "AUC, local geometric minus m-estimate, normal",
        "normal/local-m",
        "normal/m",
    ),
    _difference(
        "AB05",
        "4",
        f"{_L}:unpruned",
        "AUC, local geometric minus m-estimate, unpruned",
        "unpruned/local-m",
        "unpruned/m",
    ),
    _difference(
        "ABD07",
        "1",
        f"{_K}:reduced_error",
        "AUC, GDK (τ 10 %) minus Laplace, reduced-error",
        "reduced/gdk-10",
        "reduced/laplace",
    ),
    _difference(
        "ABD07",
        "1",
        f"{_K}:normal",
        "AUC, GDK (τ 10 %) minus Laplace, normal",
        "normal/gdk-10",
        "normal/laplace",
    ),
    _difference(
        "ABD07",
        "1",
        f"{_K}:normal_vs_unpruned",
        "AUC, GDK (τ 10 %, normal) minus Laplace (unpruned)",
        "normal/gdk-10",
        "unpruned/laplace",
    ),
    _difference(
        "ABD07",
        "1",
        f"{_K}:nbtree",
        "AUC, GDK (τ 10 %, normal) minus NBTree",
        "normal/gdk-10",
        "nbtree/nbtree",
    ),
    _difference(
        "ABD07",
        "2",
        "mse_gdk_difference:vs_laplace",
        "MSE, GDK (τ 5 %) minus Laplace, normal",
        "normal/gdk-05",
        "normal/laplace",
        "mse",
    ),
    _difference(
        "ABD07",
        "2",
        "mse_gdk_difference:vs_nbtree",
        "MSE, GDK (τ 5 %, normal) minus NBTree",
        "normal/gdk-05",
        "nbtree/nbtree",
        "mse",
    ),
    _difference(
        "ABD07",
        "3",
        "ldk_minus_laplace:auc_normal",
        "AUC, LDK (τ 5 %) minus Laplace, normal",
        "normal/ldk-05",
        "normal/laplace",
    ),
    _difference(
        "ABD07",
        "3",
        "ldk_minus_laplace:auc_normal_vs_unpruned",
        "AUC, LDK (τ 5 %, normal) minus Laplace (unpruned)",
        "normal/ldk-05",
        "unpruned/laplace",
    ),
    _difference(
        "ABD07",
        "3",
        "ldk_minus_laplace:mse_normal",
        "MSE, LDK (τ 5 %) minus Laplace, normal",
        "normal/ldk-05",
        "normal/laplace",
        "mse",
    ),
)
"""All columns of AB05 Tables 1 to 4 and ABD07 Tables 1 to 3."""


def read_papers(file: Path) -> dict[tuple[str, str, str, str], Mean]:
    """The papers' numbers by paper, table, column and data set; empty if there is no file.

    A percentage without an error has that of a share of 100 samples.
    """
    if not file.exists():
        return {}
    found = {}
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            value = float(row["value"])
            share = value / 100
            error = row["plus_minus"] or 100 * sqrt(max(share * (1 - share), 0.0) / 100)
            key = (row["paper"], row["table"], row["column"], row["data"])
            found[key] = Mean(value, float(error))
    return found
