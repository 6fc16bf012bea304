"""Cross-validation without Weka: the tree is grown again without each fold, and judged on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from j48geo.data.rows import check_weights
from j48geo.decide.evaluation.cases import Part, judge_parts
from j48geo.decide.evaluation.table import Measures
from j48geo.errors import MismatchError
from j48geo.model.answers.judging import Judgement, confusion_of, judged_methods, measured
from j48geo.model.answers.watching import Watch, unwatched
from j48geo.model.learning.learn import Learnt, learn
from j48geo.model.learning.regrowing import proved_options, regrow

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["cross_validate"]


def cross_validate(
    model: Model,
    folds: int = 10,
    methods: Sequence[str] | None = None,
    measures: Measures | None = None,
    *,
    seed: int = 1,
    watch: Watch = unwatched,
) -> Judgement:
    """Judge the tree and all methods on rows that were kept from them.

    The folds are those of Weka's stratified cross-validation. For each of them a tree is grown
    from the other rows by the options of the model, and everything that the methods learn is learnt
    from these rows; the answers for all folds are judged together, as Weka does.

    Parameters
    ----------
    folds, seed
        Weka's ``-x`` and ``-s``.
    methods
        Names; None for all that can be learnt.

    Raises
    ------
    NeedsTrainingError
        If the training data is not known.
    MismatchError
        If the model is not what J48 grows from its training data by its options.
    GrowOptionsError
        If there are fewer rows than folds, or fewer than two folds.
    """
    if model.labels is not None:
        raise MismatchError(
            f"{model.source}: other labels belong to the leaves of this tree; expected its own"
        )
    options = proved_options(model, "cross-validation")
    assert model.training is not None
    name = model.training_name
    check_weights(model.training.weights, 1, name)
    names, every_class, said = judged_methods(model, methods)
    last: Learnt | None = None

    def parts() -> Iterator[Part]:
        nonlocal last
        for fold in regrow(model, "cross-validation", options=options, folds=folds, seed=seed):
            last = learn(fold.model, names)
            yield Part(last.model.setting, last.model, watch([fold.test], "judged"))

    judged = judge_parts(parts(), names, every_class=every_class)
    assert last is not None  # there are at least two folds
    evaluation, more = measured(judged, name, every_class, measures)
    return Judgement(
        evaluation,
        judged,
        confusion_of(judged),
        last,
        (*said, *more),
        folds=folds,
        options=options,
    )
