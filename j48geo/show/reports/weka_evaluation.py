"""An evaluation as Weka 3.9 prints it, letter for letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from decimal import ROUND_HALF_UP, Decimal
from math import copysign, inf, isinf, isnan, log, log10

from j48geo.arrays import Floats
from j48geo.decide.evaluation.weka_evaluation import ClassAccuracy, WekaEvaluation
from j48geo.java.numbers import SMALL, decimal_to_string, double_to_string

CLASS_HEADINGS = (
    "TP Rate  FP Rate  Precision  Recall   F-Measure  MCC      ROC Area  PRC Area  Class"
)
CLASS_WIDTHS = (9, 9, 11, 9, 11, 9, 10, 10)
MARGIN = 17
THOUSANDTH = Decimal("0.001")


def weka_evaluations_to_text(
    evaluations: Mapping[str, WekaEvaluation], classes: Sequence[str]
) -> str:
    """What Weka's command line prints after a tree, but for the lines that tell times.

    Parameters
    ----------
    evaluations
        By title: on the training data, then on a test file or by cross-validation.
    """
    on_training, other = (
        weka_evaluation_to_text(title, evaluation, classes)
        for title, evaluation in evaluations.items()
    )
    # Blank lines stand where Weka tells times; a test file has no such line.
    gap = "" if "Error on test data" in evaluations else "\n"
    return f"\n\n\n{on_training}\n{gap}{other}\n"


def weka_evaluation_to_text(title: str, evaluation: WekaEvaluation, classes: Sequence[str]) -> str:
    """Summary, table of classes and confusion matrix under a title."""
    return "".join(
        [
            f"\n=== {title} ===\n\n",
            *_summary(evaluation),
            "\n\n=== Detailed Accuracy By Class ===\n\n",
            f"{'':{MARGIN}}{CLASS_HEADINGS}\n",
            *(
                f"{'':{MARGIN}}{_cells(row)}{name}\n"
                for row, name in zip(evaluation.classes, classes, strict=True)
            ),
            f"{'Weighted Avg.':{MARGIN}}{_cells(evaluation.average)}\n",
            "\n\n=== Confusion Matrix ===\n\n",
            *_matrix(evaluation.confusion, classes),
        ]
    )


def _summary(evaluation: WekaEvaluation) -> list[str]:
    lines = []
    if evaluation.known > 0:
        shares = (
            ("Correctly Classified Instances", evaluation.correct),
            ("Incorrectly Classified Instances", evaluation.wrong),
        )
        lines = [
            f"{name:35}{_align_decimal(weight, 12, 4)}     "
            f"{_align_decimal(100.0 * weight / evaluation.known, 12, 4)} %\n"
            for name, weight in shares
        ]
        numbers = (
            ("Kappa statistic", evaluation.kappa, ""),
            ("Mean absolute error", evaluation.absolute, ""),
            ("Root mean squared error", evaluation.squared, ""),
            ("Relative absolute error", evaluation.relative_absolute, " %"),
            ("Root relative squared error", evaluation.relative_squared, " %"),
        )
        lines += [f"{name:35}{_align_decimal(x, 12, 4)}{unit}\n" for name, x, unit in numbers]
    if evaluation.open > SMALL:
        lines.append(
            f"{'UnClassified Instances':35}{_align_decimal(evaluation.open, 12, 4)}     "
            f"{_align_decimal(100.0 * evaluation.open / evaluation.known, 12, 4)} %\n"
        )
    lines.append(f"{'Total Number of Instances':35}{_align_decimal(evaluation.known, 12, 4)}\n")
    if evaluation.unknown > 0:
        lines.append(
            f"{'Ignored Class Unknown Instances':43}{_align_decimal(evaluation.unknown, 12, 4)}\n"
        )
    return lines


def _align_decimal(x: float, width: int, places: int) -> str:
    """A number with its decimal point at a fixed place; as it is if it has no room there."""
    text = decimal_to_string(x, places)
    whole, point, rest = text.partition(".")
    room = width - places - 1 if places else width
    if len(whole) > room:
        return text
    return f"{whole:>{room}}{point}{rest}".ljust(width)


def _cells(row: ClassAccuracy) -> str:
    return "".join(
        f"{_format_three(x):{width}}" for x, width in zip(astuple(row), CLASS_WIDTHS, strict=True)
    )


def _format_three(x: float) -> str:
    """Three decimals as Java's ``%.3f``, which rounds the shortest decimal half up."""
    if isnan(x):
        return "?"
    if isinf(x):
        return double_to_string(x)
    rounded = Decimal(repr(abs(x))).quantize(THOUSANDTH, ROUND_HALF_UP)
    return f"{'-' if copysign(1.0, x) < 0 else ''}{rounded}"


def _matrix(confusion: Floats, classes: Sequence[str]) -> list[str]:
    cells: list[list[float]] = confusion.tolist()
    largest = max((cell for row in cells for cell in row), default=0.0)
    # Decimals are shown if a cell has more than a hundredth above a whole number.
    fractional = any(cell - round(cell) > 0.01 for row in cells for cell in row)
    digits = (log10(largest) if largest > 0 else -inf) + (3 if fractional else 0)
    width = 1 + int(max(digits, log(len(classes)) / log(26)))
    decimals = 3 if fractional else 0
    header = [f" {_letters(i, width - decimals)}{'':{decimals}}" for i in range(len(classes))]
    lines = ["".join(header) + "   <-- classified as\n"]
    for i, (row, name) in enumerate(zip(cells, classes, strict=True)):
        shown = "".join(f" {_align_decimal(cell, width, 2 if fractional else 0)}" for cell in row)
        lines.append(f"{shown} | {_letters(i, width)} = {name}\n")
    return lines


def _letters(number: int, width: int) -> str:
    """a, b, ..., z, aa, ab, ...; only the last letters if there is no room for all."""
    text = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        text = chr(ord("a") + letter) + text
        number -= 1
    return text.rjust(width)[len(text.rjust(width)) - width :] if width > 0 else ""
