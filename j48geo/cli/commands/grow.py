"""``j48geo grow``: the tree that Weka's J48 grows, without Weka."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from j48geo.cli.options import data_argument, data_options, output_option
from j48geo.cli.output import write_output

__all__ = ["grow"]

BANNER = "=== Classifier model (full training set) ===\n\n"
TYPED = "j48geo.grow.typed"
"""Where the options are kept in the order in which they were typed."""

EXAMPLES = """\b
Examples:
  j48geo grow data.arff
  j48geo grow data.arff -C 0.1 -M 5 -o tree.txt
  j48geo grow data.arff -B -U | j48geo rank - data.arff
"""


def _typed(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Remember an option of J48 as it was typed: click calls this in the order of typing."""
    assert option.name is not None
    if context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
        words = context.meta.setdefault(TYPED, [])
        words.append(option.opts[0])
        if not isinstance(value, bool):
            words.append(value)
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


def typed_words(context: click.Context) -> list[str]:
    """J48's options in the order in which they were typed."""
    words: list[str] = context.meta.get(TYPED, [])
    return words


@click.command(epilog=EXAMPLES, short_help="Grow the tree that Weka's J48 grows, without Weka.")
@data_argument(required=True)
@j48_options
@data_options
@output_option
@click.pass_context
def grow(
    context: click.Context,
    data: str,
    class_attribute: str,
    timezone: str,
    encoding: str | None,
    output: str | None,
) -> None:
    """Grow J48's tree from DATA (an ARFF file, '-' for standard input).

    The options are J48's own. What is printed is what Weka's command line prints of the
    model, letter for letter, and every other command reads it.
    """
    from j48geo.data.files import read_data
    from j48geo.growing.j48 import grow_j48
    from j48geo.growing.options import GrowOptions
    from j48geo.show.tree.weka_text import tree_text

    options = GrowOptions.of(typed_words(context))
    rows = read_data(data, class_attribute=class_attribute, timezone=timezone, encoding=encoding)
    tree = grow_j48(rows, options)
    told = f"Options: {options.text} \n\n" if options.text else ""
    write_output(output, ["\n", told, BANNER, tree_text(tree)])
