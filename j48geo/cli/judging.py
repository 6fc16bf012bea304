"""Rows whose class is known on their way to being judged: which are cases, and which are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from j48geo.cli.probability_options import KERNEL_METHODS
from j48geo.cli.progress import watched
from j48geo.cli.rows import check_weights
from j48geo.cli.words import Words
from j48geo.errors import MismatchError

if TYPE_CHECKING:
    from j48geo.cli.inputs import Loaded
    from j48geo.cli.rows import Rows
    from j48geo.core.dataset import Dataset
    from j48geo.decide.evaluation.cases import JudgedCases
    from j48geo.score.probabilities import ProbabilityModel

__all__ = ["judged_rows"]

MEASURING = ("global", "local", *KERNEL_METHODS)
"""Methods that measure distances."""


def judged_rows(
    loaded: Loaded, fitted: ProbabilityModel, names: Sequence[str], words: Words
) -> JudgedCases:
    """What every method says of the rows of TEST; what is to be said of the rows is said."""
    from j48geo.decide.evaluation.cases import judge_cases
    from j48geo.show.reports.warnings import zero_warning

    assert loaded.rows is not None
    header = loaded.tree.header
    rows = (replace(block, header=header) for block in _weighed(loaded.rows))
    judged = judge_cases(fitted.setting, fitted, watched(rows, "judged", words.quiet), names)
    name = loaded.rows.name
    if not len(judged.actual):
        if judged.weightless:
            raise MismatchError(
                f"{name}: no row has a class and a weight above 0; expected the true classes of "
                "the rows, and their weights"
            )
        raise MismatchError(f"{name}: no row has a class; expected the true classes of the rows")
    words.note(*_left_out(judged, name))
    if any(method in MEASURING for method in names):
        midgap = fitted.setting.face_tree is not None
        words.note(*zero_warning(judged.zeros, midgap, "--method nearby"))
    label = judged.classes[judged.positive]
    if not judged.is_positive.any():
        words.note(f"{name} has no row of the positive class {label!r}: no AUC")
    elif judged.is_positive.all():
        words.note(f"all rows of {name} are of the positive class {label!r}: no AUC")
    return judged


def _weighed(rows: Rows) -> Iterator[Dataset]:
    """The blocks of rows, once their weights are seen to be weights."""
    first = 1
    for block in rows.blocks:
        check_weights(block.weights, first, rows.name)
        yield block
        first += len(block)


def _left_out(judged: JudgedCases, name: str) -> list[str]:
    """How many rows were no cases, and why."""
    n = judged.left_out + judged.weightless
    if not n:
        return []
    lacks = ["no class"] if judged.left_out else []
    lacks += ["weight 0"] if judged.weightless else []
    rows, have, are = ("row", "has", "is") if n == 1 else ("rows", "have", "are")
    return [f"{n} {rows} of {name} {have} {' or '.join(lacks)} and {are} left out"]
