"""``j48geo grow``: the tree that Weka's J48 grows, without Weka."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import Decorator, input_options, option_group, output_options
from j48geo.cli.output import Output

BANNER = "=== Classifier model (full training set) ===\n\n"
EXAMPLES = """\b
Examples:
  j48geo grow data.arff
  j48geo grow data.arff -C 0.1 -M 5 -o tree.txt
  j48geo grow data.arff -B -U | j48geo rank - data.arff
  j48geo grow data.arff --evaluate -x 5
  j48geo grow data.arff --criterion auc
  j48geo grow data.arff --criterion asymmetric --w prior --min-gain 0.03
"""
CRITERION_WORDS = ("gain-ratio", "gain", "gini", "dkm", "error", "auc", "asymmetric", "off-centred")
TYPED_KEY = "j48geo.grow.typed"
"""Where the options are kept in the order in which they were typed."""


def _remember_option(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Remember an option of J48 as it was typed: click calls this in the order of typing."""
    assert option.name is not None
    if context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
        more = () if isinstance(value, bool) else (str(value),)
        context.meta.setdefault(TYPED_KEY, []).append((option.opts[0], *more))
    return value


def _flag_option(word: str, name: str, text: str) -> Callable[..., Any]:
    return click.option(
        word, name, is_flag=True, callback=_remember_option, expose_value=False, help=text
    )


def _number_option(word: str, name: str, default: str, text: str) -> Callable[..., Any]:
    return click.option(
        word,
        name,
        metavar="N",
        default=default,
        show_default=True,
        callback=_remember_option,
        expose_value=False,
        help=text,
    )


def j48_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """J48's own options; what was typed of them is found by `typed_words`."""
    options = (
        _flag_option("-U", "unpruned", "No pruning."),
        _number_option("-C", "confidence", "0.25", "Confidence of pruning."),
        _number_option("-M", "least", "2", "Weight that two branches must have at least."),
        _flag_option(
            "-R", "reduced_error", "Reduced-error pruning, as Weka 3.9.5 (it fails in 3.9.7)."
        ),
        _number_option("-N", "folds", "3", "With -R: folds, one of which prunes."),
        _flag_option("-B", "binary", "Nominal splits: one value against all others."),
        _flag_option("-S", "no_raising", "No subtree raising."),
        _flag_option("-O", "no_collapse", "No collapsing."),
        _flag_option("-L", "keep", "No effect on the tree."),
        _flag_option("-A", "laplace", "Predictions are smoothed; no effect on the tree."),
        _flag_option("-J", "no_correction", "No MDL correction of gains by numbers."),
        _number_option("-Q", "seed", "1", "With -R: seed of the order of rows."),
        _flag_option(
            "-doNotMakeSplitPointActualValue", "midpoint", "Thresholds half way between values."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def paper_options() -> Decorator:
    """How to grow otherwise than J48; the command gets it as `papers`."""
    return option_group(
        "papers",
        _make_papers,
        click.option(
            "--criterion",
            type=click.Choice(CRITERION_WORDS),
            default="gain-ratio",
            show_default=True,
            callback=_remember_option,
            help="What the best split is.",
        ),
        click.option(
            "--w",
            metavar="prior|W",
            default="prior",
            show_default=True,
            callback=_remember_option,
            help="Share of the positive class where asymmetric and off-centred are largest.",
        ),
        click.option(
            "--min-gain",
            type=float,
            metavar="X",
            callback=_remember_option,
            help="What a split must gain.  [default: 0.03 for asymmetric and off-centred, else 0]",
        ),
        click.option(
            "--min-gain-of",
            type=click.Choice(["parent", "absolute", "node-share"]),
            default="parent",
            show_default=True,
            callback=_remember_option,
            help="Of what --min-gain is a share.",
        ),
        click.option(
            "--prune",
            type=click.Choice(["c45", "pep", "none"]),
            callback=_remember_option,
            help="Pruning.  [default: c45 for gain-ratio, none for asymmetric and off-centred,"
            " else pep]",
        ),
        click.option(
            "--smoothing",
            type=float,
            metavar="S",
            callback=_remember_option,
            help="Added to every class of every branch.  [default: 0 for gain-ratio, else 1]",
        ),
        click.option(
            "--positive",
            metavar="CLASS",
            callback=_remember_option,
            help="The positive class.  [default: the rarest]",
        ),
    )


def evaluation_options() -> Decorator:
    """Whether and how to evaluate; the command gets it as `judging`."""
    return option_group(
        "judging",
        _make_evaluation,
        click.option(
            "--evaluate",
            is_flag=True,
            help="Also print what Weka prints after the tree: how it does on DATA, and in"
            " cross-validation or on a test file. Only the times are left out.",
        ),
        click.option("-x", "parts", type=int, metavar="FOLDS", help="Folds.  [default: 10]"),
        click.option("-s", "order", type=int, metavar="SEED", help="Their seed.  [default: 1]"),
        click.option("-T", "test", metavar="TEST", help="Test by this ARFF file, without folds."),
    )


def typed_options(context: click.Context, *, papers: bool) -> list[str]:
    """J48's options in the order in which they were typed, with those of the papers or not."""
    typed: list[tuple[str, ...]] = context.meta.get(TYPED_KEY, [])
    return [word for one in typed if papers or one[0][:2] != "--" for word in one]


def _make_evaluation(
    *, evaluate: bool, parts: int | None, order: int | None, test: str | None
) -> dict[str, Any]:
    given = {"-x": parts, "-s": order, "-T": test}
    for word, value in given.items():
        if value is not None and not evaluate:
            raise click.UsageError(f"{word} is of --evaluate; expected that with it")
        if value is not None and test is not None and word != "-T":
            raise click.UsageError(
                f"{word} with -T: a test file has no folds; expected one of them"
            )
    return {
        "evaluate": evaluate,
        "folds": 10 if parts is None else parts,
        "seed": 1 if order is None else order,
        "test": test,
    }


def _make_papers(*, w: str, **given: Any) -> dict[str, Any]:
    return {**given, "w": _parse_share(w)}


def _parse_share(text: str) -> float | None:
    """The argument of --w: a share, or None for that of the training data."""
    if text == "prior":
        return None
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is none; expected prior or 0 < W < 1") from None


@click.command(epilog=EXAMPLES, short_help="Grow the tree that Weka's J48 grows, without Weka.")
@input_options("DATA", model=False, train=False)
@j48_options
@paper_options()
@evaluation_options()
@output_options(file_help="Write the tree here, whole or not at all, instead of standard output.")
@click.pass_context
def grow(
    context: click.Context,
    inputs: Inputs,
    papers: dict[str, Any],
    judging: dict[str, Any],
    output: Output,
) -> None:
    """Grow J48's tree from DATA (an ARFF file, '-' for standard input).

    The options of one letter are J48's own. What is printed is what Weka's command line prints
    of the model, letter for letter, and every other command reads it.

    Another --criterion, --prune, --min-gain or --smoothing grows the trees of two papers on
    ranking by trees (AUCsplit; asymmetric and off-centred entropy); Weka has none of these, and
    a first line of the text says so.
    """
    from j48geo.growing.criterion_trees import CriterionOptions, grow_by_criterion_with_counts
    from j48geo.growing.options import GrowOptions
    from j48geo.model.growth import evaluate_like_weka
    from j48geo.show.reports.weka_evaluation import weka_evaluations_to_text
    from j48geo.show.weka_text import tree_text

    j48 = GrowOptions.of(typed_options(context, papers=False))
    options = CriterionOptions(**papers, j48=j48)
    with inputs.open_data() as opened:
        rows = opened.all()
    if not len(rows):
        output.notes.note(f"{inputs.data} has no rows")
    tested = None
    if judging["test"] is not None:
        with inputs.open_data(judging["test"]) as opened:
            tested = opened.all()
    grown = grow_by_criterion_with_counts(rows, options)
    first = "\n"
    if not options.is_j48:
        first = f"grown by j48geo ({options.criterion})\n\n"
        output.notes.note("this tree is j48geo's own, Weka did not make it")
    typed = typed_options(context, papers=not options.is_j48)
    options_line = f"Options: {' '.join(typed)} \n\n" if typed else ""
    evaluation = ""
    if judging["evaluate"]:
        evaluations = evaluate_like_weka(
            grown, rows, tested, options, folds=judging["folds"], seed=judging["seed"]
        )
        evaluation = weka_evaluations_to_text(evaluations, rows.header.classes)
    output.write([first, options_line, BANNER, tree_text(grown.tree), evaluation])
