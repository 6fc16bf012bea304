"""``j48geo label``: labels for the leaves that fit given costs or class shares."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import click

from j48geo.cli.leaf_counts import (
    SmoothingOptions,
    known_counts,
    m_times_p,
    positive_class,
    positive_option,
    smoothing_options,
)
from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_argument,
    model_options,
    quiet_option,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.cli.inputs import Loaded
    from j48geo.decide.costs import CostMatrix, Ties
    from j48geo.decide.leaf_counts import ClassCounts
    from j48geo.show.reports.label import Labelled

__all__ = ["label"]

EXAMPLES = """\b
Examples:
  j48geo label model.txt --fn 5 --fp 1 --positive sick
  j48geo label model.txt data.arff --cost-matrix costs.txt -o relabelled.txt
  j48geo label model.txt data.arff --threshold prior
  j48geo label model.txt data.arff --fn 10 --prior 0.02 --format json
"""


@dataclass(frozen=True)
class Asked:
    """What the user says about costs; see the options of the same names."""

    cost_matrix: str | None
    fn: float | None
    fp: float | None
    threshold: str | None
    prior: str | None

    def __post_init__(self) -> None:
        ways = [
            self.cost_matrix is not None,
            self.fn is not None or self.fp is not None,
            self.threshold is not None,
        ]
        if sum(ways) > 1:
            raise click.UsageError("give one of --cost-matrix, --fn/--fp and --threshold")
        if not any(ways) and self.prior is None:
            raise click.UsageError("give --cost-matrix FILE, --fn and --fp, --threshold or --prior")
        if self.threshold is not None and self.prior is not None:
            raise click.UsageError("--threshold and --prior exclude each other")

    @property
    def needs_positive(self) -> bool:
        """Whether it speaks of a positive class."""
        if self.threshold not in (None, "prior") or self.fn is not None or self.fp is not None:
            return True
        return self.prior is not None and "," not in self.prior


@click.command(epilog=EXAMPLES, short_help="Relabel the leaves for costs or class shares.")
@model_argument
@data_argument(required=False)
@positive_option
@click.option(
    "--cost-matrix",
    metavar="FILE",
    default=None,
    help="Weka's cost file: row = actual class, column = predicted class.",
)
@click.option("--fn", type=float, metavar="X", default=None, help="Cost of a missed positive.")
@click.option("--fp", type=float, metavar="Y", default=None, help="Cost of a false alarm.")
@click.option(
    "--threshold",
    metavar="prior|T",
    default=None,
    help="Positive where the estimate exceeds T, or the share of the class in training.",
)
@click.option(
    "--prior",
    metavar="P|P1,P2,...",
    default=None,
    help="New share of the positive class, or of every class in the order of the header.",
)
@click.option(
    "--ties",
    type=click.Choice(["keep", "positive", "negative"]),
    default="keep",
    show_default=True,
    help="Where labels cost the same: keep J48's, or take the positive class, or another.",
)
@smoothing_options("laplace")
@training_options
@format_option(("table", "csv", "json"))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default=None,
    help="Write the relabelled tree here, in J48's layout ('-': it alone). MODEL never changes.",
)
@model_options
@data_options
@quiet_option
def label(
    model: str,
    data: str | None,
    positive: str | None,
    ties: Literal["keep", "positive", "negative"],
    smoothing: Literal["none", "laplace", "m"],
    m_weight: float | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    cost_matrix: str | None,
    fn: float | None,
    fp: float | None,
    threshold: str | None,
    prior: str | None,
    **given: Any,
) -> None:
    """Give every leaf of MODEL the label of least expected cost.

    Estimates are Laplace's unless '--smoothing' says otherwise; what raw ones would choose
    stands beside them. Costs are those of the training rows: J48's labels, the new ones, and
    the same label for everybody. '-o' writes a tree that every command reads; the result
    (csv or json) is also a file for '--labels'.
    """
    from j48geo.cli.inputs import load

    words = Words(quiet)
    wanted = SmoothingOptions(smoothing, m_weight)
    asked = Asked(cost_matrix, fn, fp, threshold, prior)
    _not_the_model(model, output)
    with load(model, data, InputOptions(**given), words) as loaded:
        counts = known_counts(model, loaded)
        found = _labelled(loaded, counts, asked, positive, wanted, ties, words)
    if output is not None:
        write_output(output, [_text(found)])
        if output == "-":
            return
        words.note(f"{output}: the relabelled tree")
    write_output(None, [_shown(output_format, found)])


def _not_the_model(model: str, output: str | None) -> None:
    if output is None or not (os.path.exists(output) and os.path.exists(model)):
        return
    if os.path.samefile(output, model):
        raise click.UsageError(f"-o {output}: this is MODEL itself, which stays as it is")


def _labelled(
    loaded: Loaded,
    counts: ClassCounts,
    asked: Asked,
    positive: str | None,
    wanted: SmoothingOptions,
    ties: Ties,
    words: Words,
) -> Labelled:
    from j48geo.decide.costs import class_estimates, label_leaves
    from j48geo.show.reports.label import Labelled

    tree = loaded.tree
    needs = asked.needs_positive or ties != "keep" or wanted.smoothing == "m"
    chosen = None
    if needs or positive is not None or len(tree.classes) == 2:
        chosen = positive_class(loaded, positive, words)
    matrix, told = _matrix(tree.classes, counts, asked, chosen)
    m = None
    shares = counts.shares
    if wanted.smoothing == "m" and shares is not None and chosen is not None and shares[chosen]:
        m = m_times_p(wanted.m_weight, shares[chosen]) / float(shares[chosen])
    estimates = class_estimates(counts, wanted.smoothing, m=m)
    own = [leaf.label for leaf in tree.leaves]
    by = {"ties": ties, "positive": chosen or 0}
    raw = label_leaves(class_estimates(counts, "none"), matrix, own, **by)  # type: ignore[arg-type]
    new = label_leaves(estimates, matrix, own, **by)  # type: ignore[arg-type]
    return Labelled(
        tree, counts, matrix, told, wanted.smoothing, estimates, new, raw, positive=chosen
    )


def _matrix(
    classes: tuple[str, ...], counts: ClassCounts, asked: Asked, positive: int | None
) -> tuple[CostMatrix, str]:
    """The costs, and what was asked in words."""
    from j48geo.decide import costs as c

    n = len(classes)
    shares = counts.shares
    if asked.threshold == "prior":
        if shares is None:
            raise c.CostError("--threshold prior: the tree has no training cases")
        return c.prior_costs(shares), "the class of the largest lift over its share in training"
    if asked.cost_matrix is not None:
        from j48geo.data.small_tables.costs import read_cost_matrix

        try:
            matrix = c.cost_matrix(read_cost_matrix(asked.cost_matrix), n)
        except c.CostError as error:
            raise c.CostError(f"{asked.cost_matrix}: {error}") from error
    elif asked.threshold is not None or asked.fn is not None or asked.fp is not None:
        what = "--threshold T" if asked.threshold is not None else "--fn and --fp"
        if n != 2:
            raise click.UsageError(f"{what}: for two classes; the tree has {n}: --cost-matrix FILE")
        assert positive is not None
        if asked.threshold is not None:
            t = _number("--threshold", asked.threshold)
            return (
                c.threshold_costs(t, positive),
                f"{classes[positive]!r} where its estimate exceeds {t:g}",
            )
        fn = 1.0 if asked.fn is None else asked.fn
        fp = 1.0 if asked.fp is None else asked.fp
        matrix = c.two_class_costs(fn, fp, positive)
    else:
        matrix = c.cost_matrix([[int(i != j) for j in range(n)] for i in range(n)])
    told = matrix.in_words(classes)
    if positive is not None and n == 2:
        told = _two_words(matrix, positive) or told
    if asked.prior is None:
        return matrix, told
    if shares is None:
        raise c.CostError("--prior: the tree has no training cases")
    new = _shares(asked.prior, n, positive)
    listed = ", ".join(f"{name!r} {b:g}" for name, b in zip(classes, new, strict=True))
    return c.with_shares(matrix, shares, new), f"{told}; new class shares: {listed}"


def _two_words(matrix: CostMatrix, positive: int) -> str:
    """The costs of two classes as everybody says them; empty if being right costs too."""
    p, n = positive, 1 - positive
    if matrix.costs[p][p] or matrix.costs[n][n]:
        return ""
    miss, alarm = float(matrix.costs[p][n]), float(matrix.costs[n][p])
    return f"a missed positive costs {miss:g}, a false alarm {alarm:g}"


def _shares(text: str, n: int, positive: int | None) -> list[float]:
    numbers = [_number("--prior", word) for word in text.split(",")]
    if len(numbers) == 1 and n == 2 and positive is not None:
        p = numbers[0]
        if not 0 <= p <= 1:
            raise click.UsageError(f"--prior {text}: expected a share from 0 to 1")
        return [p, 1.0 - p] if positive == 0 else [1.0 - p, p]
    if len(numbers) != n:
        raise click.UsageError(f"--prior {text}: expected {n} shares")
    return numbers


def _number(option: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or abs(number) == float("inf"):
        raise click.UsageError(f"{option} {text}: expected a number")
    return number


def _text(found: Labelled) -> str:
    from j48geo.decide.relabel import relabelled
    from j48geo.show.tree.relabelled import relabelled_text

    n = len(found.changed)
    done = (
        f"Relabelled by j48geo ({found.told}; {found.smoothing} estimates): {n} of "
        f"{len(found.labels)} labels differ from J48's"
    )
    return relabelled_text(relabelled(found.tree, found.counts, found.labels), done)


def _shown(output_format: str, found: Labelled) -> str:
    from j48geo.show.reports.label import labels_csv, labels_json, labels_words
    from j48geo.show.text import json_text

    if output_format == "csv":
        return labels_csv(found)
    if output_format == "json":
        return f"{json_text(labels_json(found), indent=1)}\n"
    return labels_words(found)
