"""``j48geo grow``: the tree that Weka's J48 grows, without Weka."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import Decorator, grouped, reads, writes
from j48geo.cli.output import Output

__all__ = ["grow"]

BANNER = "=== Classifier model (full training set) ===\n\n"
CRITERIA = ("gain-ratio", "gain", "gini", "dkm", "error", "auc", "asymmetric", "off-centred")
TYPED = "j48geo.grow.typed"
"""Where the options are kept in the order in which they were typed."""

EXAMPLES = """\b
Examples:
  j48geo grow data.arff
  j48geo grow data.arff -C 0.1 -M 5 -o tree.txt
  j48geo grow data.arff -B -U | j48geo rank - data.arff
  j48geo grow data.arff --criterion auc
  j48geo grow data.arff --criterion asymmetric --w prior --min-gain 0.03
"""


def _typed(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Remember an option of J48 as it was typed: click calls this in the order of typing."""
    assert option.name is not None
    if context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
        more = () if isinstance(value, bool) else (str(value),)
        context.meta.setdefault(TYPED, []).append((option.opts[0], *more))
    return value


def _flag(word: str, name: str, text: str) -> Callable[..., Any]:
    return click.option(word, name, is_flag=True, callback=_typed, expose_value=False, help=text)


def _number(word: str, name: str, default: str, text: str) -> Callable[..., Any]:
    return click.option(
        word,
        name,
        metavar="N",
        default=default,
        show_default=True,
        callback=_typed,
        expose_value=False,
        help=text,
    )


def j48_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """J48's own options; what was typed of them is found by `typed_words`."""
    made = (
        _flag("-U", "unpruned", "No pruning."),
        _number("-C", "confidence", "0.25", "Confidence of pruning."),
        _number("-M", "least", "2", "Weight that two branches must have at least."),
        _flag("-R", "reduced_error", "Reduced-error pruning, as Weka 3.9.5 (it fails in 3.9.7)."),
        _number("-N", "folds", "3", "With -R: folds, one of which prunes."),
        _flag("-B", "binary", "Nominal splits: one value against all others."),
        _flag("-S", "no_raising", "No subtree raising."),
        _flag("-O", "no_collapse", "No collapsing."),
        _flag("-L", "keep", "No effect on the tree."),
        _flag("-A", "laplace", "Predictions are smoothed; no effect on the tree."),
        _flag("-J", "no_correction", "No MDL correction of gains by numbers."),
        _number("-Q", "seed", "1", "With -R: seed of the order of rows."),
        _flag("-doNotMakeSplitPointActualValue", "midpoint", "Thresholds half way between values."),
    )
    for option in reversed(made):
        function = option(function)
    return function


def paper_options() -> Decorator:
    """How to grow otherwise than J48; the command gets it as `papers`."""
    return grouped(
        "papers",
        dict,
        click.option(
            "--criterion",
            type=click.Choice(CRITERIA),
            default="gain-ratio",
            show_default=True,
            callback=_typed,
            help="What the best split is.",
        ),
        click.option(
            "--w",
            metavar="prior|W",
            default="prior",
            show_default=True,
            callback=_typed,
            help="Share of the positive class where asymmetric and off-centred are largest.",
        ),
        click.option(
            "--min-gain",
            type=float,
            metavar="X",
            callback=_typed,
            help="What a split must gain.  [default: 0.03 for asymmetric and off-centred, else 0]",
        ),
        click.option(
            "--min-gain-of",
            type=click.Choice(["parent", "absolute", "node-share"]),
            default="parent",
            show_default=True,
            callback=_typed,
            help="Of what --min-gain is a share.",
        ),
        click.option(
            "--prune",
            type=click.Choice(["c45", "pep", "none"]),
            callback=_typed,
            help="Pruning.  [default: c45 for gain-ratio, none for asymmetric and off-centred,"
            " else pep]",
        ),
        click.option(
            "--smoothing",
            type=float,
            metavar="S",
            callback=_typed,
            help="Added to every class of every branch.  [default: 0 for gain-ratio, else 1]",
        ),
        click.option(
            "--positive",
            metavar="CLASS",
            callback=_typed,
            help="The positive class.  [default: the rarest]",
        ),
    )


def typed_words(context: click.Context, *, papers: bool) -> list[str]:
    """J48's options in the order in which they were typed, with those of the papers or not."""
    typed: list[tuple[str, ...]] = context.meta.get(TYPED, [])
    return [word for one in typed if papers or one[0][:2] != "--" for word in one]


@click.command(epilog=EXAMPLES, short_help="Grow the tree that Weka's J48 grows, without Weka.")
@reads("DATA", model=False, train=False)
@j48_options
@paper_options()
@writes(file_help="Write the tree here, whole or not at all, instead of standard output.")
@click.pass_context
def grow(context: click.Context, inputs: Inputs, papers: dict[str, Any], output: Output) -> None:
    """Grow J48's tree from DATA (an ARFF file, '-' for standard input).

    The options of one letter are J48's own. What is printed is what Weka's command line prints
    of the model, letter for letter, and every other command reads it.

    Another --criterion, --prune, --min-gain or --smoothing grows the trees of two papers on
    ranking by trees (AUCsplit; asymmetric and off-centred entropy); Weka has none of these, and
    a first line of the text says so.
    """
    from j48geo.data.files import read_data
    from j48geo.growing.options import GrowOptions
    from j48geo.growing.papers import PaperOptions, grow_by_criterion
    from j48geo.show.tree.weka_text import tree_text

    j48 = GrowOptions.of(typed_words(context, papers=False))
    options = PaperOptions(**{**papers, "w": _share(papers["w"])}, j48=j48)
    rows = read_data(
        inputs.data or "",
        class_attribute=inputs.class_attribute,
        timezone=inputs.timezone,
        encoding=inputs.encoding,
    )
    tree = grow_by_criterion(rows, options)
    first = "\n"
    if not options.is_j48:
        first = f"grown by j48geo ({options.criterion})\n\n"
        output.notes.note("this tree is j48geo's own, Weka did not make it")
    words = typed_words(context, papers=not options.is_j48)
    told = f"Options: {' '.join(words)} \n\n" if words else ""
    output.write([first, told, BANNER, tree_text(tree)])


def _share(text: str) -> float | None:
    """The argument of --w: a share, or None for that of the training data."""
    if text == "prior":
        return None
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is none; expected prior or 0 < W < 1") from None
