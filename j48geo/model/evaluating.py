"""A grown tree judged as Weka's command line judges it, in Weka's words."""

from __future__ import annotations

from collections.abc import Iterator

from j48geo.core.dataset import Dataset
from j48geo.data.rows import Rows
from j48geo.decide.evaluation.weka import weka_evaluation
from j48geo.growing.judging import cross_validated, judged
from j48geo.growing.nodes import Grown
from j48geo.growing.papers import PaperOptions, grown_by_criterion
from j48geo.replaying.align import in_columns
from j48geo.show.reports.judging.weka_evaluation import weka_evaluation_text

__all__ = ["evaluated"]


def evaluated(
    grown: Grown,
    rows: Dataset,
    tested: Dataset | None,
    options: PaperOptions,
    *,
    folds: int,
    seed: int,
) -> Iterator[str]:
    """What Weka prints after the tree, but for the lines that tell times.

    Parameters
    ----------
    rows
        The training data.
    tested
        Test rows; without them the tree is grown again on folds.
    options
        By which it was grown, and is grown again.
    """
    classes = rows.header.classes
    found = weka_evaluation(judged(grown, rows, rows))
    # Blank lines stand where Weka tells times.
    yield "\n\n\n" + weka_evaluation_text("Error on training data", found, classes) + "\n"
    if tested is not None:
        test = in_columns(Rows.of(tested, "the test file"), rows.header).all()
        found = weka_evaluation(judged(grown, rows, test))
        yield weka_evaluation_text("Error on test data", found, classes)
    else:
        validated = cross_validated(
            rows, lambda part: grown_by_criterion(part, options), folds=folds, seed=seed
        )
        found = weka_evaluation(validated)
        yield "\n" + weka_evaluation_text("Stratified cross-validation", found, classes)
    yield "\n"
