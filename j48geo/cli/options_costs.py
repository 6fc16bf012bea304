"""Options about costs and class shares, and what they ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.options import option_group

if TYPE_CHECKING:
    from j48geo.model.costs import CostRequest


def _make_request(**given: Any) -> CostRequest:
    from j48geo.errors import ChoiceError
    from j48geo.model.costs import CostRequest

    matrix = given["cost_matrix"]
    threshold, prior = given["threshold"], given["prior"]
    if threshold not in (None, "prior"):
        threshold = _parse_number("--threshold", threshold)
    if prior is not None:
        shares = [_parse_number("--prior", word) for word in prior.split(",")]
        prior = shares[0] if len(shares) == 1 else shares
    rows = None
    if matrix is not None:
        from j48geo.data.small_tables import read_cost_matrix

        rows = read_cost_matrix(matrix)
    try:
        return CostRequest(rows, matrix or "", given["fn"], given["fp"], threshold, prior)
    except ChoiceError as error:
        if error.name != "costs":
            raise
        ways = "--cost-matrix FILE, --fn and --fp, --threshold; or --prior"
        raise click.UsageError(f"which costs? Give one of {ways}") from error


def _parse_number(option: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or abs(number) == float("inf"):
        raise click.UsageError(f"{option} {text}: expected a number")
    return number


cost_options = option_group(
    "costs",
    _make_request,
    click.option(
        "--cost-matrix",
        metavar="FILE",
        default=None,
        help="Weka's cost file: row = actual class, column = predicted class.",
    ),
    click.option("--fn", type=float, metavar="X", default=None, help="Cost of a missed positive."),
    click.option("--fp", type=float, metavar="Y", default=None, help="Cost of a false alarm."),
    click.option(
        "--threshold",
        metavar="prior|T",
        default=None,
        help="Positive where the estimate exceeds T, or the share of the class in training.",
    ),
    click.option(
        "--prior",
        metavar="P|P1,P2,...",
        default=None,
        help="New share of the positive class, or of every class in the order of the header.",
    ),
)
