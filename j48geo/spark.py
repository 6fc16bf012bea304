"""J48 trees on Spark: a DataFrame in, a DataFrame out, lazily; the extra ``spark``.

Scores, ranks and every figure of an evaluation are those of one machine, to the last bit,
whatever the partitions, and also if a task runs twice: what tasks find out travels as rows,
never by accumulators. Columns are checked in the driver, before any task.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from j48geo.compiled import limit_threads
from j48geo.errors import MismatchError
from j48geo.model.judge import Judge
from j48geo.model.scorer import Scorer

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from j48geo.decide.evaluation.classes import ClassesEvaluation
    from j48geo.decide.evaluation.judged import Judged
    from j48geo.decide.evaluation.table import Evaluation, Measures
    from j48geo.model.model import Model

__all__ = ["evaluate", "judged", "rank", "score"]

_CUTS = 200
"""Ranges of scores that are sorted each by itself; a fixed function of the score."""


def score(
    df: DataFrame,
    model: Model,
    method: str = "auto",
    *,
    keep: Sequence[str] | None = None,
    probabilities: bool = False,
) -> DataFrame:
    """Score every row.

    Parameters
    ----------
    model
        With its training data, or fitted, see `j48geo.model.scorer.Scorer`.
    method, probabilities
        See `Model.rank` and `Scorer`.
    keep
        Columns that stay; all by default.

    Returns
    -------
    DataFrame
        These columns, then ``predicted``, ``score`` and ``distance``.

    Raises
    ------
    MismatchError
        If a column is missing, or of a type that its attribute cannot have.
    """
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType

    kept = list(df.columns if keep is None else keep)
    scorer = model.scorer(method, keep=kept, probabilities=probabilities)
    scorer.check(to_arrow_schema(df.schema))
    types = {"string": StringType(), "double": DoubleType()}
    fields = [df.schema[name] for name in kept]
    fields += [StructField(name, types[kind]) for name, kind in scorer.added.items()]
    return df.select(*map(_named, scorer.columns)).mapInArrow(_Scored(scorer), StructType(fields))


class _Scored:
    """Scores the batches of a task, in one thread: Spark runs as many tasks as there are cores."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        limit_threads(1)
        return self.scorer.batches(batches)


def rank(
    df: DataFrame,
    model: Model,
    method: str = "auto",
    *,
    id: str,
    keep: Sequence[str] | None = None,
    cuts: int = _CUTS,
) -> DataFrame:
    """Rank all rows, best first; equals share the best of their ranks: 1, 1, 3.

    Parameters
    ----------
    id
        A column that tells rows apart. Rows have no order on a cluster: it orders equal ones.
    keep
        Columns that stay, beside `id`; all by default.
    cuts
        Into how many ranges of scores the work is divided.

    Returns
    -------
    DataFrame
        ``rank`` first; sorted by rank and `id` when it is asked to be: ``orderBy("rank", id)``.

    Notes
    -----
    The scores are cut at quantiles, which are found once, in the driver; the range of a row is
    then a function of its score alone. (Spark's own ranges are drawn anew in every job, so that
    counts of one job do not fit the next.) Rows of a range are ranked by a window of that range,
    and a rank is what lies in the ranges above plus that. This runs two jobs here: for the
    quantiles, and for the sizes of the ranges.
    """
    from pyspark.sql import functions as F
    from pyspark.sql.window import Window

    if id not in df.columns:
        raise MismatchError(f"no column {id!r} that tells rows apart; expected one of the table's")
    scored = score(df, model, method, keep=keep if keep is None else _with(id, keep))
    keys = [F.col("score").desc_nulls_last()]
    keys += [F.col("within").desc_nulls_last()] if "within" in scored.columns else []
    # NaN, where the tree has no class, is the largest of Spark's numbers; here it is the last.
    plain = scored.withColumn("score", F.nanvl(F.col("score"), F.lit(None).cast("double")))
    probabilities = [k / cuts for k in range(1, cuts)]
    places = plain.approxQuantile("score", probabilities, 0.001) if cuts > 1 else []
    placed = plain.withColumn("_range", _range(F.col("score"), sorted(set(places))))
    sizes = placed.groupBy("_range").count().collect()
    above, reached = [], 0
    for row in sorted(sizes, key=lambda row: -row["_range"]):
        above.append((row["_range"], reached))
        reached += row["count"]
    before = _looked_up(F.col("_range"), above)
    inside = F.rank().over(Window.partitionBy("_range").orderBy(*keys))
    return placed.select(
        (inside + before).cast("long").alias("rank"),
        *(_named(name) for name in scored.columns),
    )


def evaluate(
    df: DataFrame,
    model: Model,
    methods: Sequence[str] | None = None,
    measures: Measures | None = None,
    *,
    weights: str | None = None,
) -> Evaluation | ClassesEvaluation:
    """All methods side by side on rows whose class is known, as `Model.evaluate`.

    Parameters
    ----------
    methods
        Names; by default all that the model has learnt.
    measures
        What is measured; a bootstrap cannot be had, since it draws single rows.
    weights
        Column of instance weights; 1 each without.
    """
    judge = Judge.of(model, methods, weights=weights)
    return judge.evaluation(_added(df, judge), measures)


def judged(
    df: DataFrame,
    model: Model,
    methods: Sequence[str] | None = None,
    *,
    weights: str | None = None,
) -> Judged:
    """The sums that an evaluation is worked out from, of all rows."""
    return _added(df, Judge.of(model, methods, weights=weights))


def _added(df: DataFrame, judge: Judge) -> Judged:
    from pyspark.sql.pandas.types import to_arrow_schema

    judge.check(to_arrow_schema(df.schema))
    some = df.select(*map(_named, judge.columns))
    parts = some.mapInArrow(_Judged(judge), "judged binary").toLocalIterator()
    return reduce(add, (pickle.loads(row["judged"]) for row in parts), judge.nothing())


class _Judged:
    """The sum of a task's batches, as one row: a task that runs again gives the same row."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        limit_threads(1)
        found = reduce(add, map(self.judge, batches), self.judge.nothing())
        yield pyarrow.record_batch({"judged": pyarrow.array([pickle.dumps(found)])})


def _named(name: str) -> Column:
    """A column by its very name, whatever dots it holds."""
    from pyspark.sql import functions as F

    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


def _with(name: str, others: Iterable[str]) -> list[str]:
    return [name, *(other for other in others if other != name)]


def _range(value: Column, cuts: Sequence[float]) -> Column:
    """How many cuts a value reaches; -1 for null."""
    from pyspark.sql import functions as F

    reached = F.aggregate(
        F.array(*(F.lit(cut) for cut in cuts)) if cuts else F.array().cast("array<double>"),
        F.lit(0),
        lambda n, cut: n + F.when(value >= cut, 1).otherwise(0),
    )
    return F.when(value.isNull(), F.lit(-1)).otherwise(reached)


def _looked_up(key: Column, pairs: Sequence[tuple[int, int]]) -> Column:
    """What stands beside a key; 0 if there is none."""
    from pyspark.sql import functions as F

    if not pairs:
        return F.lit(0)
    table = F.create_map(*(F.lit(x).cast("long") for pair in pairs for x in pair))
    return F.coalesce(table[key.cast("long")], F.lit(0).cast("long"))
