"""The confusion matrix with precision, recall and F of every class: in words, and as JSON."""

from __future__ import annotations

from j48geo.decide.evaluation.confusion import Confusion
from j48geo.show.text import PLAIN, Style, text_table

__all__ = ["confused_words", "confusion_json", "confusion_words"]


def confusion_words(found: Confusion, style: Style = PLAIN) -> str:
    """A line an actual class: how its rows were called, and how the class fared."""
    titles = ["actual \\ predicted", *found.classes, "precision", "recall", "F"]
    rows = [
        [rate.label, *weights, *map(_four, (rate.precision, rate.recall, rate.f))]
        for rate, weights in zip(found.rates(), found.weight.tolist(), strict=True)
    ]
    return text_table(titles, rows, titles[1:], style)


def confused_words(
    model: str, rows: int, answered: int, found: Confusion, style: Style = PLAIN
) -> str:
    """How many rows a model answers, how many of them are right, and the matrix."""
    right = found.accuracy
    share = "" if right is None else f"; accuracy {right:.4f}"
    of = f"all {rows}" if answered == rows else f"{answered} of {rows}"
    return f"{model}: {of} rows have an answer{share}\n\n{confusion_words(found, style)}"


def confusion_json(found: Confusion) -> dict[str, object]:
    """Weights by actual and predicted class, and the rates; null is 0/0."""
    return {
        "confusion": {"labels": list(found.classes), "weights": found.weight.tolist()},
        "class_rates": [
            {"class": r.label, "precision": r.precision, "recall": r.recall, "f": r.f}
            for r in found.rates()
        ],
    }


def _four(x: float | None) -> str | None:
    return None if x is None else f"{x:.4f}"
