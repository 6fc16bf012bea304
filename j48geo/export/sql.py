"""A tree as one SELECT that SQLite, DuckDB and PostgreSQL run."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ulp

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute
from j48geo.export.tree_table import (
    ExportError,
    ExportInput,
    ExportResult,
    TableTest,
    TreeTable,
    build_tree_table,
    describe_export,
)
from j48geo.score.prediction import EQUAL, choose_classes

_MOST_LEAVES = 500
"""With more, a database plans the sums over all leaves for longer than one likes to wait."""

_LARGEST_POWER = 52
"""Powers of two up to this one have 16 digits at most, which no database rounds."""

_LARGEST_POWER_OF_TEN = 22
"""The largest that is a double."""

_CLEARLY_NEARER = Fraction(499, 1000)
"""In units of the last place; what is rounded to 64 bits first moves by less than 0.0005."""

_DEEPEST = 8
"""Parentheses in each other: SQLite's parser holds a hundred things at a time."""


def export_sql(
    subject: ExportInput, *, table: str = "cases", distribution: bool = False
) -> ExportResult:
    """A SELECT that adds ``j48_leaf`` and ``j48_class`` to the columns of a table.

    Parameters
    ----------
    table
        Name of the table; its columns are named as the attributes.
    distribution
        Whether to add a column ``p(LABEL)`` for every class. The class is then known for rows
        with missing values too.

    Raises
    ------
    ExportError
        If a name cannot stand in SQL, or two are equal but for their case; if a date is asked
        for; for distributions also if the tree is too large, its counts are not known, or its
        leaves have new labels.
    """
    tree_table = build_tree_table(subject)
    _check_names(subject, tree_table, table)
    description = f"sql, table {table}{', with distributions' if distribution else ''}"
    columns = [f"{_cases(tree_table, _numbers(tree_table))} AS j48_leaf"]
    if distribution:
        _check_distribution(subject, tree_table)
        columns.append(f"{_class_of_divided(tree_table)} AS j48_class")
        columns += [
            f"{_sum(tree_table, tree_table.distribution[:, k])} AS {_name(f'p({label})')}"
            for k, label in enumerate(tree_table.tree.classes)
        ]
        exactness = (
            "Exact: every test, in double. Classes are those of 'j48geo predict' on every row, "
            "distributions Weka's but for the last bits (1e-14)."
        )
    else:
        columns.append(f"{_cases(tree_table, _labels(tree_table))} AS j48_class")
        exactness = (
            "Exact: every test, in double. Leaf and class are those of 'j48geo predict'; NULL "
            "where a missing value (NULL) lies on the path; with distributions those are answered."
        )
    comment = "\n".join(
        f"-- {line}" for line in describe_export(subject, tree_table, description, exactness)
    )
    body = ",\n".join(columns)
    return ExportResult(f"{comment}\nSELECT t.*,\n{body}\nFROM {_name(table)} AS t\n")


def _check_names(subject: ExportInput, tree_table: TreeTable, table: str) -> None:
    header = tree_table.tree.header
    attributes = [header.attributes[a] for a in tree_table.used_columns]
    for attribute in attributes:
        if attribute.type == "date":
            raise ExportError(
                f"{subject.source}: the tree asks for the date {attribute.name!r}, which "
                "databases hold in types of their own; expected c or js, which take "
                "milliseconds since 1970"
            )
        clash = [n for n in header.names if n.casefold() == attribute.name.casefold()]
        if len(clash) > 1:
            raise ExportError(
                f"{subject.source}: attributes {clash[0]!r} and {clash[1]!r} are equal but for "
                "their case, which SQL does not tell apart; expected c or js"
            )
    _check_texts(subject, tree_table, table, attributes)


def _check_texts(
    subject: ExportInput, tree_table: TreeTable, table: str, attributes: Sequence[Attribute]
) -> None:
    """Refuse names, values and labels that no statement can hold."""
    texts = [attribute.name for attribute in attributes]
    texts += [value for attribute in attributes for value in attribute.values]
    texts += [table, *tree_table.tree.classes]
    for text in texts:
        if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
            raise ExportError(
                f"{subject.source}: {text!r} holds a character that SQL cannot write; expected c "
                "or js"
            )
    for name in (table, *(attribute.name for attribute in attributes)):
        if not name:
            raise ExportError(
                f"{subject.source}: an empty name, which SQL does not allow; expected c or js"
            )


def _check_distribution(subject: ExportInput, tree_table: TreeTable) -> None:
    if tree_table.spoken is not None:
        raise ExportError(
            f"{subject.source}: the leaves have new labels, which a form with distributions does "
            "not give to rows with missing values; expected the plain form, c or js"
        )
    if tree_table.unknown:
        raise ExportError(
            f"{subject.source}: the distributions of some leaves are not known; expected the "
            "training data"
        )
    if len(tree_table.classes) > _MOST_LEAVES:
        raise ExportError(
            f"{subject.source}: {len(tree_table.classes)} leaves are too many for distributions; "
            f"expected at most {_MOST_LEAVES}, or c or js"
        )


# ------------------------------------------------------------------------------- pieces


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(x: float) -> str:
    """A double that every database reads to the last bit.

    Never a bare decimal, which databases read as they like. Some versions of SQLite round twice
    (105.512791 is one unit in the last place too small in 3.40), so a decimal is written only
    where that does no harm; any other number is a whole one times or divided by powers of two,
    which are exact everywhere.
    """
    if _is_read_exactly(x):
        return _cast(repr(x))
    numerator, denominator = x.as_integer_ratio()
    sign = "*" if denominator == 1 else "/"
    twos = (numerator & -numerator).bit_length() if denominator == 1 else denominator.bit_length()
    whole = numerator >> (twos - 1) if denominator == 1 else numerator
    powers = [1 << min(_LARGEST_POWER, rest) for rest in range(twos - 1, 0, -_LARGEST_POWER)]
    return f"({f' {sign} '.join(_cast(str(n)) for n in (whole, *powers))})"


def _cast(number: str) -> str:
    return f"CAST('{number}' AS DOUBLE PRECISION)"


def _is_read_exactly(x: float) -> bool:
    """Whether the shortest decimal of `x` is read as `x` even if it is rounded twice.

    That is so if its digits and its power of ten are doubles themselves, and it lies clearly
    nearer to `x` than to any other double.
    """
    decimal = Decimal(repr(x))
    _, digits, exponent = decimal.as_tuple()
    whole = int("".join(map(str, digits)))
    if not isinstance(exponent, int) or whole >= 2**53 or abs(exponent) > _LARGEST_POWER_OF_TEN:
        return False
    return abs(Fraction(decimal) - Fraction(x)) <= _CLEARLY_NEARER * Fraction(ulp(x))


def _column(attribute: Attribute) -> str:
    """Always with its table: SQLite takes an unknown name in quotes for a text."""
    return f"t.{_name(attribute.name)}"


def _condition(tree_table: TreeTable, test: TableTest, branch: int) -> str:
    attribute = tree_table.attribute(test)
    column = _column(attribute)
    if test.kind == "numeric":
        return f"{column} {'>' if branch else '<='} {_double(test.bound)}"
    value = branch if test.kind == "multiway" else int(test.bound)
    sign = "<>" if test.kind == "binary" and branch else "="
    return f"{column} {sign} {_text(attribute.values[value])}"


def _tightest(tree_table: TreeTable, path: Sequence[tuple[TableTest, int]]) -> list[str]:
    """The conditions of a path, of several thresholds for one attribute the closest."""
    tightest: dict[tuple[int, int, object], tuple[TableTest, int]] = {}
    for test, branch in path:
        key: tuple[int, int, object] = (test.attribute, branch, test.kind)
        if test.kind != "numeric":
            key = (test.attribute, branch, test.bound)
        old = tightest.get(key)
        closer = old is None or (test.bound > old[0].bound if branch else test.bound < old[0].bound)
        if closer or test.kind != "numeric":
            tightest[key] = test, branch
    return [_condition(tree_table, test, branch) for test, branch in tightest.values()]


def _cases(tree_table: TreeTable, answers: Sequence[str], otherwise: str = "") -> str:
    """A flat CASE: SQLite's parser stops at some 23 nested levels."""
    if not tree_table.tests:
        return answers[0]
    lines = [
        f"  WHEN {' AND '.join(_tightest(tree_table, path))} THEN {answer}"
        for path, answer in zip(tree_table.paths(), answers, strict=True)
    ]
    return "\n".join(("CASE", *lines, *([f"  ELSE {otherwise}"] if otherwise else []), "END"))


def _numbers(tree_table: TreeTable) -> list[str]:
    return [str(leaf + 1) for leaf in range(len(tree_table.classes))]


def _labels(tree_table: TreeTable) -> list[str]:
    return [_text(tree_table.tree.classes[k]) for k in tree_table.classes.tolist()]


# --------------------------------------------------------------------- the distribution


def _sum(tree_table: TreeTable, weights: Floats) -> str:
    """What the leaves say, times what of the row reaches each of them.

    A node is the sum of its branches, each times its factor, in parentheses: as long as the tree
    is large, where a product for every leaf would be as long as all its paths. Parsers take so
    many parentheses only, so what lies deeper is a term of its own behind its whole path.
    """
    terms = []
    deeper: list[tuple[int, list[str]]] = [(0 if tree_table.tests else -1, [])]
    while deeper:
        place, path = deeper.pop()
        subtree = _sum_subtree(tree_table, weights, place, path, deeper)
        if subtree:
            terms.append(" * ".join((*path, subtree)))
    return "\n  + ".join(terms) or _double(0.0)


def _sum_subtree(
    tree_table: TreeTable,
    weights: Floats,
    place: int,
    path: list[str],
    deeper: list[tuple[int, list[str]]],
    level: int = 0,
) -> str:
    """The sum of a subtree, empty if it is 0; what is too deep is added to `deeper`."""
    if place < 0:
        weight = float(weights[-1 - place])
        return _double(weight) if weight else ""
    if level == _DEEPEST:
        deeper.append((place, path))
        return ""
    test = tree_table.tests[place]
    parts = []
    for branch, to in enumerate(test.branches):
        factor = _factor(tree_table, test, branch)
        part = _sum_subtree(tree_table, weights, to, [*path, factor], deeper, level + 1)
        if part:
            parts.append(f"{factor} * {part}")
    return f"({' + '.join(parts)})" if parts else ""


def _factor(tree_table: TreeTable, test: TableTest, branch: int) -> str:
    share = test.shares[branch]
    missing = (
        f" WHEN {_column(tree_table.attribute(test))} IS NULL THEN {_double(share)}"
        if share
        else ""
    )
    return f"CASE WHEN {_condition(tree_table, test, branch)} THEN 1{missing} ELSE 0 END"


def _class_of_divided(tree_table: TreeTable) -> str:
    """The class of every row: its leaf's, or the first of the largest weights."""
    if not tree_table.tests:
        return _labels(tree_table)[0]
    classes = [_text(label) for label in tree_table.tree.classes]
    columns = [
        f"{_sum(tree_table, tree_table.distribution[:, k])} AS p{k}" for k in range(len(classes))
    ]
    rules = []
    less = "" if tree_table.exact else f" - {_double(EQUAL)}"
    largest = [
        [f"s.p{k} >= s.p{other}{less}" for other in range(len(classes)) if other != k]
        for k in range(len(classes))
    ]
    nobody = tree_table.labels * 0 - 1
    if (
        tree_table.labels != choose_classes(tree_table.distribution, nobody, exact=tree_table.exact)
    ).any():
        # A leaf whose label is not the first of its largest weights: where all leaves of a row
        # have that label, it wins among equals.
        columns += [
            f"{_sum(tree_table, (tree_table.labels == k) * 1.0)} AS r{k}"
            for k in range(len(classes))
        ]
        for k, text in enumerate(classes):
            alone = [f"s.r{other} = 0" for other in range(len(classes)) if other != k]
            rules.append(f"WHEN {' AND '.join((f's.r{k} > 0', *alone, *largest[k]))} THEN {text}")
    rules += [
        f"WHEN {' AND '.join((f's.p{k} > 0', *largest[k]))} THEN {text}"
        for k, text in enumerate(classes)
    ]
    cases = "\n    ".join(rules)
    sums = ",\n    ".join(columns)
    # LIMIT keeps PostgreSQL from writing each sum into each of the comparisons, which takes
    # gigabytes for 26 classes.
    weighed = f"(SELECT CASE {cases} END\n    FROM (SELECT {sums} LIMIT 1) AS s)"
    return _cases(tree_table, _labels(tree_table), weighed)
