"""J48 trees on Spark: a DataFrame in, a DataFrame out, lazily; the extra ``spark``.

Scores, ranks and every figure of an evaluation are those of one machine, to the last bit,
whatever the partitions, and also if a task runs twice: what tasks find out travels as rows,
never by accumulators. Columns are checked in the driver, before any task.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from j48geo.compilation import limit_threads
from j48geo.core.rows_by_leaf import RowsByLeaf
from j48geo.decide.evaluation.evaluation import evaluate_metrics
from j48geo.engines.evaluation import BatchEvaluator, CountCheck, RowCounter
from j48geo.engines.scorer import Scorer
from j48geo.engines.sorting import KEYS, Offsets, Sorter
from j48geo.errors import MismatchError
from j48geo.score.ranking import RankingFacts
from j48geo.show.reports.ranking import ranking_details, ranking_sentences

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from j48geo.decide.evaluation.evaluation import ClassesEvaluation, Evaluation, MetricOptions
    from j48geo.decide.evaluation.metrics import Metrics
    from j48geo.decide.evaluation.score_tables import ScorePlacements
    from j48geo.model.model import Model

_N_RANGES = 200
"""Ranges of scores that are sorted each by itself; a fixed function of the score."""

_ROWS_AT_ONCE, _MAX_RANGES = 250_000, 2000
"""Scores that a task of `evaluate` sorts at a time, and the most ranges of one method."""

_CASE_SCHEMA = "table int, k0 double, k1 double, k2 double, label int, weight double, count bigint"
"""A case, or several that are alike, of one of the tables of an evaluation."""


def score(
    df: DataFrame,
    model: Model,
    method: str = "auto",
    *,
    keep: Sequence[str] | None = None,
    probabilities: bool = False,
) -> DataFrame:
    """Add score, class and distance to every row of a DataFrame.

    Parameters
    ----------
    model
        With its training data, or fitted, see `j48geo.engines.scorer.Scorer`.
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
    return df.select(*map(_column, scorer.columns)).mapInArrow(
        _ScoreBatches(scorer), StructType(fields)
    )


class _ScoreBatches:
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
    cuts: int = _N_RANGES,
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
    scored = score(df, model, method, keep=keep if keep is None else _prepend_name(id, keep))
    keys = [F.col("score").desc_nulls_last()]
    keys += [F.col("within").desc_nulls_last()] if "within" in scored.columns else []
    # NaN, where the tree has no class, is the largest of Spark's numbers; here it is the last.
    plain = scored.withColumn("score", F.nanvl(F.col("score"), F.lit(None).cast("double")))
    probabilities = [k / cuts for k in range(1, cuts)]
    places = plain.approxQuantile("score", probabilities, 0.001) if cuts > 1 else []
    placed = plain.withColumn("_range", _count_cuts(F.col("score"), sorted(set(places))))
    sizes = placed.groupBy("_range").count().collect()
    above, reached = [], 0
    for row in sorted(sizes, key=lambda row: -row["_range"]):
        above.append((row["_range"], reached))
        reached += row["count"]
    before = _look_up(F.col("_range"), above)
    inside = F.rank().over(Window.partitionBy("_range").orderBy(*keys))
    return placed.select(
        (inside + before).cast("long").alias("rank"),
        *(_column(name) for name in scored.columns),
    )


def sentences(df: DataFrame, model: Model, method: str = "auto") -> list[str]:
    """What is said under a ranking: how many scores there are, how many distances are 0, and so on.

    Notes
    -----
    Counts travel as one row a task; different scores are counted by Spark, as a shuffle.
    """
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import to_arrow_schema

    scorer = model.scorer(method)
    scorer.check(to_arrow_schema(df.schema))
    some = df.select(*map(_column, scorer.columns))
    facts = _sum_batches(some, _SumBatches(scorer.facts, RankingFacts()))
    # Two NaN are equal to Spark, and so are 0 and minus 0.
    keys = ["score", "within"] if scorer.method == "local" else ["score"]
    scores = score(df, model, method, keep=[]).select(F.countDistinct(*keys)).collect()[0][0]
    leaves = len(model.tree.leaves)
    return [*ranking_details(facts, scores, leaves), *ranking_sentences(facts)]


def check(df: DataFrame, model: Model, *, weights: str | None = None) -> CountCheck:
    """Whether rows give back the counts that the tree prints, as ``j48geo check``.

    The tree is taken as it stands: load it with its training data, or fitted, so that its
    thresholds are exact.

    Parameters
    ----------
    weights
        Column of instance weights; 1 each without.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    counter = RowCounter.of(model, weights=weights)
    counter.check(to_arrow_schema(df.schema))
    some = df.select(*map(_column, counter.columns))
    return counter.compared(_sum_batches(some, _SumBatches(counter, RowsByLeaf())))


def _sum_batches(some: DataFrame, each: _SumBatches) -> Any:
    """The sum of the summaries of all tasks; they travel as rows, not by accumulators."""
    parts = some.mapInArrow(each, "found binary").toLocalIterator()
    return reduce(add, (pickle.loads(row["found"]) for row in parts), each.zero)


class _SumBatches:
    """The sum of a task's batches, as one row: a task that runs again gives the same row."""

    def __init__(self, ask: Callable[[Any], Any], zero: Any) -> None:
        self.ask, self.zero = ask, zero

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        limit_threads(1)
        total = reduce(add, map(self.ask, batches), self.zero)
        yield pyarrow.record_batch({"found": pyarrow.array([pickle.dumps(total)])})


def evaluate(
    df: DataFrame,
    model: Model,
    methods: Sequence[str] | None = None,
    measures: MetricOptions | None = None,
    *,
    weights: str | None = None,
    slice_rows: int = _ROWS_AT_ONCE,
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
    slice_rows
        About how many scores a task sorts at a time; cases of equal score count once.

    Notes
    -----
    Scores are sorted by ranges, cut at quantiles that are found once, and each range gives one row
    of sums, see `j48geo.decide.evaluation.score_tables`: the driver holds no scores. Rows are
    scored once, if the cluster can keep about 50 bytes, in its memory or on its disks, for each
    case and each of its tables: the score, the probability and the comparison of each method. The
    ranking ``local`` is cut between leaf estimates only, so that a task may have to hold a whole
    leaf.
    """
    judge = BatchEvaluator.of(model, methods, weights=weights)
    return evaluate_metrics(_sum_evaluation(df, judge, measures, slice_rows), measures)


def measured(
    df: DataFrame,
    model: Model,
    methods: Sequence[str] | None = None,
    measures: MetricOptions | None = None,
    *,
    weights: str | None = None,
    slice_rows: int = _ROWS_AT_ONCE,
) -> Metrics:
    """The sums that an evaluation is worked out from: pairs, confusion, distances and the rest."""
    return _sum_evaluation(
        df, BatchEvaluator.of(model, methods, weights=weights), measures, slice_rows
    )


def _sum_evaluation(
    df: DataFrame, judge: BatchEvaluator, measures: MetricOptions | None, slice_rows: int
) -> Metrics:
    from pyspark.sql import functions as F
    from pyspark.sql.pandas.types import to_arrow_schema

    judge.check(to_arrow_schema(df.schema))
    sorter = Sorter.of(judge, measures)
    some = df.select(*map(_column, judge.columns))
    rows = some.mapInArrow(_MakeRows(sorter), f"{_CASE_SCHEMA}, judged binary").persist()
    merged = None
    try:
        parts = rows.where("judged is not null").select("judged").collect()
        case_sums = reduce(add, (pickle.loads(row["judged"]) for row in parts), judge.nothing())
        cases = rows.where("judged is null").drop("judged")
        table_sizes = cases.groupBy("table").agg(
            F.count("*").alias("n"), F.max("weight").alias("w")
        )
        sizes = table_sizes.collect()
        sorter = sorter.scaled(max((row["w"] for row in sizes), default=0.0))
        cuts = _cuts(cases, {row["table"]: row["n"] // slice_rows for row in sizes})
        placed = cases.mapInArrow(_AddRange(cuts), f"{_CASE_SCHEMA}, range int")
        keys = ("table", "range", *KEYS, "label", "weight")
        merged = placed.groupBy(*keys).agg(F.sum("count").alias("count")).persist()
        masses = {(n, r): part for n, r, part in _ask_ranges(merged, _AskSorter(sorter, "masses"))}
        offsets = Offsets.of(masses)
        against = merged.where(F.col("table").isin(list(sorter.against)))
        known: dict[int, ScorePlacements] = {}
        if sorter.against:
            for n, _, part in _ask_ranges(against, _AskSorter(sorter, "placements", offsets)):
                if part is not None:
                    known[n] = known[n] + part if n in known else part
        sorter = sorter.with_placements(known)
        sums = _ask_ranges(merged, _AskSorter(sorter, "sums", offsets))
        return sorter.measured(case_sums, offsets, ((n, part) for n, _, part in sums))
    finally:
        rows.unpersist()
        if merged is not None:
            merged.unpersist()


def _cuts(cases: DataFrame, wanted: dict[int, int]) -> dict[int, list[float]]:
    """Where the scores of each table are cut, found once: at quantiles, as many as wanted."""
    from pyspark.sql import functions as F

    many = {table: min(count, _MAX_RANGES) for table, count in wanted.items() if count}
    if not many:
        return {}
    most = max(many.values())
    score = F.nanvl(F.col("k0"), F.lit(None).cast("double"))
    at = F.percentile_approx(score, [k / (most + 1) for k in range(1, most + 1)], 10 * most)
    some = cases.where(F.col("table").isin(list(many)))
    quantiles = some.groupBy("table").agg(at.alias("at")).collect()
    step = {table: -(-most // count) for table, count in many.items()}
    return {
        row["table"]: sorted(set((row["at"] or [])[:: step[row["table"]]])) for row in quantiles
    }


def _ask_ranges(merged: DataFrame, ask: _AskSorter) -> list[tuple[int, int, Any]]:
    """What a question to every range of every table gives: table, range, answer."""

    def function(rows: Any) -> Any:  # Spark wants a function here, not any callable
        return ask(rows)

    schema = "table int, range int, found binary"
    rows = merged.groupBy("table", "range").applyInArrow(function, schema).collect()
    return [(row["table"], row["range"], pickle.loads(row["found"])) for row in rows]


class _MakeRows:
    """The cases of a task as rows, and one row of what needs no order."""

    def __init__(self, sorter: Sorter) -> None:
        self.sorter = sorter

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        limit_threads(1)
        judge = self.sorter.judge
        total = judge.nothing()
        for batch in batches:
            judged = judge(batch)
            total = total + judged.without_tables
            columns = self.sorter.rows(judged)
            empty = pyarrow.nulls(len(columns["table"]), pyarrow.binary())
            yield pyarrow.record_batch({**columns, "judged": empty})
        nothing = self.sorter.rows(judge.nothing())
        one = {name: pyarrow.nulls(1, pyarrow.array(some).type) for name, some in nothing.items()}
        yield pyarrow.record_batch({**one, "judged": pyarrow.array([pickle.dumps(total)])})


class _AddRange:
    """Adds the range of each row: how many cuts of its table its score reaches, -1 for NaN."""

    def __init__(self, cuts: dict[int, list[float]]) -> None:
        self.cuts = cuts

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import numpy as np
        import pyarrow

        for batch in batches:
            table, score = (batch[name].to_numpy(zero_copy_only=False) for name in ("table", "k0"))
            place = np.zeros(len(table), dtype=np.int32)
            for number, cuts in self.cuts.items():
                in_table = table == number
                place[in_table] = np.searchsorted(cuts, score[in_table], "right")
            place[np.isnan(score)] = -1
            yield batch.append_column("range", pyarrow.array(place))


class _AskSorter:
    """Asks a sorter about the rows of one range of one table."""

    def __init__(self, sorter: Sorter, what: str, *more: Offsets) -> None:
        self.sorter, self.what, self.more = sorter, what, more

    def __call__(self, rows: Any) -> Any:
        import pyarrow

        limit_threads(1)
        columns = {name: rows[name].to_numpy() for name in (*KEYS, "label", "weight", "count")}
        number, place = rows["table"][0].as_py(), rows["range"][0].as_py()
        if self.what == "masses":
            answer: Any = self.sorter.masses(number, columns)
        else:
            answer = getattr(self.sorter, self.what)(number, place, columns, *self.more)
        return pyarrow.table(
            {
                "table": pyarrow.array([number], pyarrow.int32()),
                "range": pyarrow.array([place], pyarrow.int32()),
                "found": [pickle.dumps(answer)],
            }
        )


def _column(name: str) -> Column:
    """A column by its very name, whatever dots it holds."""
    from pyspark.sql import functions as F

    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


def _prepend_name(name: str, others: Iterable[str]) -> list[str]:
    return [name, *(other for other in others if other != name)]


def _count_cuts(value: Column, cuts: Sequence[float]) -> Column:
    """How many cuts a value reaches; -1 for null."""
    from pyspark.sql import functions as F

    reached = F.aggregate(
        F.array(*(F.lit(cut) for cut in cuts)) if cuts else F.array().cast("array<double>"),
        F.lit(0),
        lambda n, cut: n + F.when(value >= cut, 1).otherwise(0),
    )
    return F.when(value.isNull(), F.lit(-1)).otherwise(reached)


def _look_up(key: Column, pairs: Sequence[tuple[int, int]]) -> Column:
    """What stands beside a key; 0 if there is none."""
    from pyspark.sql import functions as F

    if not pairs:
        return F.lit(0)
    table = F.create_map(*(F.lit(x).cast("long") for pair in pairs for x in pair))
    return F.coalesce(table[key.cast("long")], F.lit(0).cast("long"))
