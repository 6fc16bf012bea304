"""A tree as C99: constant tables and a small loop, no heap, no recursion, no library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import isnan

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.tree import BoxTree
from j48geo.export.float32 import FLOAT_EQUAL, assess_rounding, round_bounds
from j48geo.export.tree_table import (
    ExportError,
    ExportInput,
    ExportResult,
    TreeTable,
    build_tree_table,
    choose_selftest_rows,
    describe_export,
    quote_name,
    read_template,
    tree_of_table,
)
from j48geo.score.prediction import find_first_largest, predict
from j48geo.score.setting import overlay_classes

_LONGEST = 4095
"""Bytes of a string that every C99 compiler takes."""

_EQUAL = {"float": "1e-6f", "double": "1e-12"}
"""Weights that are equal but for rounding."""

_PART = re.compile(r"^/\* part: (\w+) \*/\n", re.MULTILINE)

_KINDS = {"numeric": 0, "binary": 1, "multiway": 2}


def export_c(subject: ExportInput, *, float32: bool = False) -> ExportResult:
    """A C99 file with ``j48_class``, ``j48_distribution`` and ``j48_labels``.

    Parameters
    ----------
    float32
        Whether values, thresholds and weights are ``float`` instead of ``double``. Thresholds
        are rounded to the nearest; which of them and which of the rows at hand are at risk
        is told in the comment and in the notes.

    Raises
    ------
    ExportError
        If a label is too long, or a threshold too large for a float.
    """
    table = build_tree_table(subject)
    for label in table.tree.classes:
        if len(_bytes(label)) > _LONGEST or "\0" in label:
            raise ExportError(
                f"{subject.source}: class label {quote_name(label)} has more than {_LONGEST} bytes "
                "or a zero; expected what a C99 string holds (JavaScript holds any)"
            )
    bounds = np.array([test.bound for test in table.tests])
    notes: tuple[str, ...] = ()
    if not float32:
        exactness = [
            "Exact: every test, in double; classes are those of 'j48geo predict', distributions "
            "Weka's (the last bits may differ where a compiler fuses multiplications with sums)."
        ]
    else:
        bounds = round_bounds(table, subject)
        risk = assess_rounding(subject, table, bounds)
        exactness = ["Not exact: values, thresholds and weights are rounded to float.", *risk.words]
        notes = (risk.summary,)
    lines = [
        "/*",
        *(
            f" * {_comment(line)}"
            for line in describe_export(subject, table, _format_name(float32), *exactness)
        ),
        *_explain_row(table),
        " */",
        *_write_program(table, bounds, float32),
        *_write_self_test(subject, table, bounds, float32),
    ]
    return ExportResult("\n".join(lines) + "\n", notes)


def _format_name(float32: bool) -> str:
    return "c, float32" if float32 else "c"


def _explain_row(table: TreeTable) -> list[str]:
    """How a row is laid out, and what the answers mean."""
    header = table.tree.header
    lines = [
        "",
        "int j48_class(x): place of the class in j48_labels; -1 if it cannot be known",
        "void j48_distribution(x, p): weight of every class; NaN if it cannot be known",
        "x[i]: NAN if missing; a nominal value by its place; what is not used is not read:",
    ]
    columns = set(table.used_columns)
    for i, attribute in enumerate(header.attributes):
        if i == header.class_index:
            continue
        kind: str = attribute.type
        if attribute.is_nominal:
            shown = ", ".join(
                f"{k} {quote_name(v, 30)}" for k, v in enumerate(attribute.values[:40])
            )
            kind = f"{shown}{', ...' if len(attribute.values) > 40 else ''}"
        elif kind == "date":
            kind = "date, milliseconds since 1970"
        lines.append(
            f"  x[{i}] {quote_name(attribute.name)}: {kind}{'' if i in columns else ' (unused)'}"
        )
    return [f" * {_comment(line)}".rstrip() for line in lines]


def _comment(text: str) -> str:
    """Text that neither ends a comment, nor begins one, nor joins two lines."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/").rstrip("\\")


def _read_parts() -> dict[str, str]:
    """The parts of ``j48.export_c`` by their names."""
    pieces = _PART.split(read_template("j48.c"))
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


# ------------------------------------------------------------------------------- tables


def _write_program(table: TreeTable, bounds: Floats, float32: bool) -> list[str]:
    real = "float" if float32 else "double"
    numbers = _Numbers(float32)
    named = table.spoken is not None
    by_bits = table.exact and not float32  # sums of floats are other sums
    parts = _read_parts()
    labels = (f"    {_write_string(label)}" for label in table.tree.classes)
    return [
        "#include <math.h> /* NAN only */",
        "",
        f"#define J48_CLASSES {len(table.tree.classes)}",
        f"#define J48_DEPTH {max(1, table.depth)}",
        f"#define J48_LEAVES {len(table.labels)}",
        f"#define J48_ROOT {0 if table.tests else -1}",
        *([] if by_bits and not named else [f"#define J48_EQUAL {_EQUAL[real]}"]),
        "",
        f"int j48_class(const {real} *x);",
        f"void j48_distribution(const {real} *x, {real} *p);",
        "extern const char *const j48_labels[];",
        "",
        "const char *const j48_labels[] = {",
        ",\n".join(labels),
        "};",
        "",
        *_write_tests(table, bounds, real, numbers),
        *_write_leaves(table, real, numbers),
        parts["walk"].replace("REAL", real),
        parts["class"]
        .replace("REAL", real)
        .replace("NEW_LABELS", parts["new_labels"] if named else "")
        .replace("CHOICE", "1, 0" if by_bits else "1, J48_EQUAL"),
    ]


def _write_tests(table: TreeTable, bounds: Floats, real: str, numbers: _Numbers) -> list[str]:
    """The tables of the tests and of their branches."""
    tests = table.tests
    first = np.cumsum([0, *(len(test.branches) for test in tests)]).tolist()
    return [
        "/* Tests: column; 0: x <= bound, 1: x == bound, 2: a branch a value; its first branch */",
        _write_array("int", "j48_column", [test.attribute for test in tests]),
        _write_array("unsigned char", "j48_kind", [_KINDS[test.kind] for test in tests]),
        _write_array(real, "j48_bound", numbers(bounds.tolist())),
        _write_array("int", "j48_first", first),
        "/* Branches: the next test, or -1 - leaf; what each gets of a missing value */",
        _write_array("int", "j48_next", [to for test in tests for to in test.branches]),
        _write_array(real, "j48_share", numbers([s for test in tests for s in test.shares])),
    ]


def _write_leaves(table: TreeTable, real: str, numbers: _Numbers) -> list[str]:
    """The tables of the leaves: class, label and weights; new labels have weights of their own."""
    marks, labels, weights = "", table.labels, table.distribution
    if table.speaks is not None and table.spoken is not None:
        marks = " (a new one by as many higher as there are classes)"
        labels, weights = _mark_labels(table), np.vstack((weights, table.spoken))
    return [
        f"/* Leaves: class, label{marks}, weight of each class */",
        _write_array("int", "j48_leaf_class", table.classes.tolist()),
        _write_array("int", "j48_leaf_label", labels.tolist()),
        _write_array(real, "j48_leaf_weight", numbers(weights.ravel().tolist())),
    ]


def _mark_labels(table: TreeTable) -> Ints:
    """Labels, those of leaves with a new one made recognisable."""
    return table.labels + len(table.tree.classes) * np.asarray(table.speaks, dtype=np.intp)


class _Numbers:
    """Numbers as C writes them, the shortest that read back as the same."""

    def __init__(self, float32: bool) -> None:
        self._float32 = float32

    def __call__(self, values: Iterable[float]) -> list[str]:
        return ["NAN" if isnan(x) else self._format(x) for x in values]

    def _format(self, x: float) -> str:
        return f"{np.float32(x)!s}f" if self._float32 else repr(x)


def _write_array(kind: str, name: str, values: Sequence[object]) -> str:
    """A constant table; C has no empty ones."""
    cells = [str(value) for value in values] or ["0"]
    lines, line = [], ""
    for cell in cells:
        if len(line) + len(cell) > 94:
            lines.append(line.rstrip())
            line = ""
        line += f"{cell}, "
    lines.append(line.rstrip(", "))
    body = "\n    ".join(lines)
    return f"static const {kind} {name}[] = {{\n    {body}\n}};"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _write_string(text: str) -> str:
    """A string of C: bytes of UTF-8, everything but plain ASCII as octal."""
    plain = set(b" !#$%&'()*+,-./:;<=>@[]^_`{|}~") | set(range(0x30, 0x3A))
    plain |= set(range(0x41, 0x5B)) | set(range(0x61, 0x7B))
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in _bytes(text)) + '"'


def _write_self_test(
    subject: ExportInput, table: TreeTable, bounds: Floats, float32: bool
) -> list[str]:
    """Rows with their answers, and a ``main`` that asks for them."""
    real = "float" if float32 else "double"
    tree = tree_of_table(table, bounds)
    rows = choose_selftest_rows(tree, subject.X)
    if float32:
        rows = rows.astype(np.float32).astype(np.float64)
    rows, classes, distribution = _select_answers(subject, tree, rows, float32)
    numbers = _Numbers(float32)
    return [
        "#ifdef SELFTEST",
        "#include <stdio.h>",
        "",
        f"#define J48_ROWS {len(rows)}",
        f"#define J48_COLUMNS {rows.shape[1]}",
        "",
        _write_array(real, "j48_rows", numbers(rows.ravel().tolist())),
        _write_array("int", "j48_classes", classes.tolist()),
        _write_array(real, "j48_answers", numbers(distribution.ravel().tolist())),
        _read_parts()["test"]
        .replace("REAL", real)
        .replace("NEAR", "1e-5f" if float32 else "1e-12"),
        "#endif",
    ]


def _select_answers(
    subject: ExportInput, tree: BoxTree, rows: Floats, float32: bool
) -> tuple[Floats, Ints, Floats]:
    """Rows and their answers, but for those that no rounded number tells.

    Of a text alone they are the rows that its counts divide; of sums of floats those whose
    classes tie.
    """
    prediction = predict(tree, subject.counts, rows, laplace=subject.laplace)
    says = prediction.predicted
    if subject.overlay is not None:
        says = overlay_classes(tree, subject.counts, rows, subject.overlay, prediction)
    is_known = np.ones(len(rows), dtype=np.bool_)
    if prediction.doubts is not None:
        is_known = prediction.leaf >= 0
    if float32:
        tolerant = find_first_largest(prediction.distribution, FLOAT_EQUAL)
        is_known &= (prediction.leaf >= 0) | (tolerant == prediction.predicted)
    return rows[is_known], says[is_known], prediction.distribution[is_known]
