"""``j48geo rank``: cases ordered by how surely they belong to the positive class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import click

from j48geo.cli.commands.data import arff_pieces
from j48geo.cli.labels import labels_option, overlaid
from j48geo.cli.leaf_counts import DEFAULT_MP, positive_class
from j48geo.cli.metric import MetricOptions, face_tree, find_metric, metric_options
from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_argument,
    model_options,
    old_weka_option,
    output_option,
    quiet_option,
    taken,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.probability_options import DEFAULT_SIGMA, known_nearby
from j48geo.cli.progress import watched
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.cli.inputs import Loaded
    from j48geo.cli.spool import Spool
    from j48geo.core.dataset import Dataset
    from j48geo.score.setting import Setting
    from j48geo.show.reports.ranking_rows import RankedRows

__all__ = ["rank"]

EXAMPLES = """\b
Examples:
  j48geo rank model.txt data.arff --top 20
  j48geo rank model.txt new.arff --train data.arff --positive sick --format jsonl
  j48geo rank model.txt data.arff --by local --format arff -o ranked.arff
"""


@click.command(epilog=EXAMPLES, short_help="Order the rows by distance to the decision boundary.")
@model_argument
@data_argument(required=True)
@click.option(
    "--positive",
    metavar="LABEL",
    default=None,
    help="Class to rank first. Default, with two classes: the rarer one in training.",
)
@click.option(
    "--by",
    metavar="global|local|leaf|nearby|NAME",
    default="global",
    show_default=True,
    help="Signed distance; leaf estimate, then distance; leaf estimate; average of the leaves "
    "around (extension); or a plugin's score.",
)
@click.option(
    "--within",
    type=click.Choice(["g", "nearby"]),
    default="g",
    show_default=True,
    help="With --by local: what orders rows of equal leaf estimates, distance or nearby leaves.",
)
@click.option(
    "--sigma",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    default=None,
    help="nearby: the error of measurement, in standard deviations. Default: 0.3.",
)
@click.option(
    "--estimate",
    type=click.Choice(["laplace", "m", "raw"]),
    default="laplace",
    show_default=True,
    help="Leaf estimate: (k+1)/(n+C), (k+m*p)/(n+m), or k/n.",
)
@click.option(
    "--m",
    "m_weight",
    type=float,
    metavar="M",
    default=None,
    help="With --estimate m: the m. Default: 10/p, p the share of the positive class.",
)
@click.option(
    "--boundary",
    type=click.Choice(["class", "any"]),
    default="class",
    show_default=True,
    help="More than two classes: distance to where the positive class begins or ends, or any.",
)
@metric_options
@labels_option
@training_options
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", default=None, help="The first N rows only."
)
@click.option(
    "--all-classes", is_flag=True, help="Add h, the algebraic distance of every class (< 0 inside)."
)
@format_option(("table", "csv", "json", "jsonl", "arff"))
@output_option
@model_options
@data_options
@old_weka_option
@quiet_option
def rank(
    model: str,
    data: str,
    positive: str | None,
    by: str,
    within: Literal["g", "nearby"],
    sigma: float | None,
    estimate: Literal["laplace", "m", "raw"],
    m_weight: float | None,
    boundary: Literal["class", "any"],
    labels_file: str | None,
    top: int | None,
    all_classes: bool,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Rank the rows of DATA, best first, by how far inside the positive class they lie.

    J48 gives all rows of a leaf the same probability. The distance to the decision boundary
    tells them apart: the score of a row is its distance, with a minus sign if the tree does
    not give it the positive class. Equal scores share a rank (1, 1, 3).
    """
    from j48geo.cli.inputs import load
    from j48geo.cli.spool import Spool
    from j48geo.score.registry import score_function
    from j48geo.score.setting import Setting

    words = Words(quiet)
    measure = taken(MetricOptions, given)
    options = InputOptions(**given)
    _check_m(estimate, m_weight)
    if within != "g" and by != "local":
        raise click.UsageError("--within is for --by local")
    uses_nearby = by == "nearby" or within == "nearby"
    if sigma is not None and not uses_nearby:
        raise click.UsageError("--sigma is for --by nearby and --within nearby")
    score_function(by)  # an unknown name is told before anything is read
    with load(model, data, options, words) as found_tree, Spool() as spool:
        loaded, labels = overlaid(found_tree, labels_file, words)
        assert loaded.rows is not None
        chosen = positive_class(loaded, positive, words)
        faces = face_tree(loaded, measure)
        stored = loaded.fitted
        nearby = None if stored is None else known_nearby(model, stored, sigma, uses_nearby)
        if uses_nearby and nearby is None and loaded.training is None:
            raise click.UsageError("nearby learns from the training data: --train FILE")
        _need_counts(model, loaded, chosen, by, boundary)
        header = loaded.tree.header  # its class, whichever attribute the data takes for its own
        blocks: Iterator[Dataset] = (replace(b, header=header) for b in loaded.rows.blocks)
        first_pass = measure.learns and loaded.training is None and stored is None
        if first_pass or output_format == "arff":
            blocks = spool.passing(watched(blocks, "read", quiet) if first_pass else blocks)
        found = find_metric(loaded, measure, blocks, words)
        setting = Setting(
            loaded.tree,
            loaded.counts,
            found,
            chosen,
            training=loaded.training,
            estimate=estimate,
            mp=_mp(loaded, chosen, m_weight),
            boundary=boundary,
            labels=labels,
            face_tree=faces,
            laplace=bool(loaded.tree.options.laplace),
            sigma=DEFAULT_SIGMA if sigma is None else sigma,
            within=within,
            fitted_nearby=nearby,
        )
        again = spool.again() if first_pass else blocks
        ranked = _ranked(setting, by, again, all_classes, top, words)
        write_output(output, _pieces(output_format, ranked, loaded, spool, options.timezone))


def _check_m(estimate: str, m_weight: float | None) -> None:
    if m_weight is None:
        return
    if estimate != "m":
        raise click.UsageError("--m is for --estimate m")
    if not (isfinite(m_weight) and m_weight > 0):
        raise click.UsageError(f"--m {m_weight:g}: expected a positive number")


def _need_counts(model: str, loaded: Loaded, positive: int, by: str, boundary: str) -> None:
    """Refuse what needs counts before a long file is read, if there are none."""
    from j48geo.geometry.distance import has_boundary
    from j48geo.score.estimates import UnknownCountsError, leaf_estimates

    tree = loaded.tree
    if by == "global" and has_boundary(tree, c=None if boundary == "any" else positive):
        return
    if by not in ("global", "local", "leaf"):
        return
    try:
        leaf_estimates(tree, loaded.counts, positive)
    except UnknownCountsError as error:
        raise UnknownCountsError(f"{model}: {error} (--train FILE)") from error


def _mp(loaded: Loaded, positive: int, m_weight: float | None) -> float:
    """The product m p(c), or m itself where p(c) is not known and nothing will be estimated."""
    if m_weight is None:
        if loaded.fitted is None:
            return DEFAULT_MP
        from j48geo.score.fitted import restored_mp

        return restored_mp(loaded.counts, loaded.fitted, positive)
    root = loaded.counts.per_class[0]
    total = float(root.sum())
    return m_weight * float(root[positive]) / total if total > 0 else m_weight


def _ranked(
    setting: Setting,
    by: str,
    blocks: Iterable[Dataset],
    all_classes: bool,
    top: int | None,
    words: Words,
) -> RankedRows:
    from j48geo.score.batch import notes, score_batch
    from j48geo.score.zero_distances import ZeroDistances
    from j48geo.show.reports.ranking_rows import Scores, ranking_sentences
    from j48geo.show.reports.warnings import zero_warning

    words.note(*notes(setting, by))
    own = _OwnScores(setting)
    zeros = ZeroDistances()
    scores = Scores(setting.tree.classes, by)
    for block in watched(blocks, "scored", words.quiet):
        batch = score_batch(setting, block.X, by, all_classes=all_classes)
        own.add(block.X, batch.leaf)
        zeros.add(setting, block.X, batch.predicted, batch.distance)
        scores.add(batch, block.class_values)
    ranked = scores.ranked(top)
    words.note(*ranking_sentences(ranked, own.count, len(setting.tree.leaves)))
    if by in ("global", "local") and setting.within == "g":
        words.note(*zero_warning(zeros, setting.face_tree is not None, "--by nearby"))
    return ranked


class _OwnScores:
    """Counts the different scores that J48 itself gives the rows."""

    def __init__(self, setting: Setting) -> None:
        from j48geo.score.estimates import UnknownCountsError, leaf_estimates

        self._setting = setting
        self._seen: set[float] = set()
        self._estimates = None
        try:
            self._estimates = leaf_estimates(
                setting.tree,
                setting.counts,
                setting.positive,
                "laplace" if setting.laplace else "raw",
            )
        except UnknownCountsError:
            return

    @property
    def count(self) -> int | None:
        """How many; None if the counts are not known."""
        return None if self._estimates is None else len(self._seen)

    def add(self, X: Any, leaf: Any) -> None:
        """Count the rows of a block."""
        from j48geo.score.estimates import case_estimates

        s = self._setting
        if self._estimates is not None:
            found = case_estimates(s.tree, s.counts, X, self._estimates, leaf)
            self._seen.update(found[found == found].tolist())


def _pieces(
    output_format: str, ranked: RankedRows, loaded: Loaded, spool: Spool, timezone: str
) -> Iterator[str]:
    from j48geo.show.reports import rank as shown

    if output_format == "jsonl":
        return shown.ranking_jsonl(ranked)
    if output_format == "json":
        return shown.ranking_json(ranked)
    if output_format == "csv":
        return shown.ranking_csv(ranked)
    if output_format == "arff":
        from j48geo.show.reports.ranking_rows import ranked_header, ranked_rows

        header = ranked_header(loaded.tree.header, ranked)
        return arff_pieces(header, ranked_rows(header, ranked, spool.rows_at), timezone)
    return shown.ranking_table(ranked)
