"""A tree as C99: constant tables and a small loop, no heap, no recursion, no library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.tree import BoxTree
from j48geo.export.comment import about, quoted
from j48geo.export.flat import ExportError, Flat, Subject, Written, flat, plain_tests
from j48geo.export.float32 import float_bounds, float_risk
from j48geo.export.trial import trial_rows
from j48geo.score.cases import overlay_classes
from j48geo.score.predict import predict

__all__ = ["c"]

_LONGEST = 4095
"""Bytes of a string that every C99 compiler takes."""

_EQUAL = {"float": "1e-6f", "double": "1e-12"}
"""Weights that are equal but for rounding."""

_KINDS = {"numeric": 0, "binary": 1, "multiway": 2}


def c(subject: Subject, *, float32: bool = False) -> Written:
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
    table = flat(subject)
    for label in table.tree.classes:
        if len(_bytes(label)) > _LONGEST or "\0" in label:
            raise ExportError(
                f"{subject.source}: class label {quoted(label)} has more than {_LONGEST} bytes or "
                "a zero; expected what a C99 string holds (JavaScript holds any)"
            )
    bounds = np.array([test.bound for test in table.tests])
    notes: tuple[str, ...] = ()
    if not float32:
        exactness = [
            "Exact: every test, in double; classes are those of 'j48geo predict', distributions "
            "Weka's (the last bits may differ where a compiler fuses multiplications with sums)."
        ]
    else:
        bounds = float_bounds(table, subject)
        risk = float_risk(subject, table, bounds)
        exactness = ["Not exact: values, thresholds and weights are rounded to float.", *risk.words]
        notes = (risk.summary,)
    lines = [
        "/*",
        *(f" * {_comment(line)}" for line in about(subject, table, _asked(float32), *exactness)),
        *_explained(table),
        " */",
        *_program(table, bounds, float32),
        *_self_test(subject, table, bounds, float32),
    ]
    return Written("\n".join(lines) + "\n", notes)


def _asked(float32: bool) -> str:
    return "c, float32" if float32 else "c"


def _explained(table: Flat) -> list[str]:
    """How a row is laid out, and what the answers mean."""
    header = table.tree.header
    lines = [
        "",
        "int j48_class(x): place of the class in j48_labels; -1 if it cannot be known",
        "void j48_distribution(x, p): weight of every class; NaN if it cannot be known",
        "x[i]: NAN if missing; a nominal value by its place; what is not used is not read:",
    ]
    used = set(table.used)
    for i, attribute in enumerate(header.attributes):
        if i == header.class_index:
            continue
        kind: str = attribute.type
        if attribute.is_nominal:
            shown = ", ".join(f"{k} {quoted(v, 30)}" for k, v in enumerate(attribute.values[:40]))
            kind = f"{shown}{', ...' if len(attribute.values) > 40 else ''}"
        elif kind == "date":
            kind = "date, milliseconds since 1970"
        lines.append(f"  x[{i}] {quoted(attribute.name)}: {kind}{'' if i in used else ' (unused)'}")
    return [f" * {_comment(line)}".rstrip() for line in lines]


def _comment(text: str) -> str:
    """Text that neither ends a comment, nor begins one, nor joins two lines."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/").rstrip("\\")


# ------------------------------------------------------------------------------- tables


def _program(table: Flat, bounds: Floats, float32: bool) -> list[str]:
    real = "float" if float32 else "double"
    tests = table.tests
    first = np.cumsum([0, *(len(test.branches) for test in tests)]).tolist()
    numbers = _Numbers(float32)
    named = table.spoken is not None
    marks = " (a new one by as many higher as there are classes)" if named else ""
    marked = table.labels if table.speaks is None else _marked(table)
    labels = (f"    {_string(label)}" for label in table.tree.classes)
    leaves = table.distribution
    if table.spoken is not None:
        leaves = np.vstack((leaves, table.spoken))
    return [
        "#include <math.h> /* NAN only */",
        "",
        f"#define J48_CLASSES {len(table.tree.classes)}",
        f"#define J48_DEPTH {max(1, table.depth)}",
        f"#define J48_LEAVES {len(table.labels)}",
        f"#define J48_ROOT {0 if tests else -1}",
        *([] if table.exact and not named else [f"#define J48_EQUAL {_EQUAL[real]}"]),
        "",
        f"int j48_class(const {real} *x);",
        f"void j48_distribution(const {real} *x, {real} *p);",
        "extern const char *const j48_labels[];",
        "",
        "const char *const j48_labels[] = {",
        ",\n".join(labels),
        "};",
        "",
        "/* Tests: column; 0: x <= bound, 1: x == bound, 2: a branch a value; its first branch */",
        _array("int", "j48_column", [test.attribute for test in tests]),
        _array("unsigned char", "j48_kind", [_KINDS[test.kind] for test in tests]),
        _array(real, "j48_bound", numbers(bounds.tolist())),
        _array("int", "j48_first", first),
        "/* Branches: the next test, or -1 - leaf; what each gets of a missing value */",
        _array("int", "j48_next", [to for test in tests for to in test.branches]),
        _array(real, "j48_share", numbers([s for test in tests for s in test.shares])),
        f"/* Leaves: class, label{marks}, weight of each class */",
        _array("int", "j48_leaf_class", table.classes.tolist()),
        _array("int", "j48_leaf_label", marked.tolist()),
        _array(real, "j48_leaf_weight", numbers(leaves.ravel().tolist())),
        _WALK.replace("REAL", real),
        _CLASS.replace("REAL", real)
        .replace("NEW_LABELS", _NEW_LABELS if named else "")
        .replace("CHOICE", "0, 0" if table.exact else "1, J48_EQUAL"),
    ]


def _marked(table: Flat) -> Ints:
    """Labels, those of leaves with a new one made recognisable."""
    return table.labels + len(table.tree.classes) * np.asarray(table.speaks, dtype=np.intp)


class _Numbers:
    """Numbers as C writes them, the shortest that read back as the same."""

    def __init__(self, float32: bool) -> None:
        self._float32 = float32

    def __call__(self, values: Iterable[float]) -> list[str]:
        return ["NAN" if isnan(x) else self._written(x) for x in values]

    def _written(self, x: float) -> str:
        return f"{np.float32(x)!s}f" if self._float32 else repr(x)


def _array(kind: str, name: str, values: Sequence[object]) -> str:
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


def _string(text: str) -> str:
    """A string of C: bytes of UTF-8, everything but plain ASCII as octal."""
    plain = set(b" !#$%&'()*+,-./:;<=>@[]^_`{|}~") | set(range(0x30, 0x3A))
    plain |= set(range(0x41, 0x5B)) | set(range(0x61, 0x7B))
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in _bytes(text)) + '"'


# -------------------------------------------------------------------------------- loops

_WALK = """
/*
 * What the leaves of a row say, times its shares. A test whose value is missing takes all its
 * branches, one after the other, and adds them up before the test above it does: Weka's order.
 * Gives the only label of these leaves, -1 if there are several, -2 if a value is none of its
 * attribute's. In `leaf` the leaf of a row that is not divided; else -1, or -2 if one of its
 * leaves has a new label.
 */
static int j48_walk(const REAL *x, const REAL *weight, REAL *p, int *leaf)
{
    REAL sum[J48_DEPTH + 1][J48_CLASSES];
    REAL before[J48_DEPTH + 1];
    int open[J48_DEPTH + 1];
    int branch[J48_DEPTH + 1];
    REAL share = 1;
    int at = J48_ROOT;
    int top = 0;
    int going = 1;
    int label = -3;
    int ending = -1;
    int changed = 0;
    int k;

    for (k = 0; k < J48_CLASSES; k++) {
        sum[0][k] = 0;
    }
    while (going) {
        int ended = 1;
        while (at >= 0 && ended) { /* down, to a leaf or to a missing value */
            REAL v = x[j48_column[at]];
            if (v != v) {
                top++;
                open[top] = at;
                branch[top] = j48_first[at];
                before[top] = share;
                for (k = 0; k < J48_CLASSES; k++) {
                    sum[top][k] = 0;
                }
                ended = 0;
            } else if (j48_kind[at] == 2) {
                if (!(v >= 0 && v < (REAL)(j48_first[at + 1] - j48_first[at]))) {
                    return -2;
                }
                at = j48_next[j48_first[at] + (int)v];
            } else if (j48_kind[at] == 1) {
                at = j48_next[j48_first[at] + (v == j48_bound[at] ? 0 : 1)];
            } else {
                at = j48_next[j48_first[at] + (v <= j48_bound[at] ? 0 : 1)];
            }
        }
        if (ended) { /* a leaf */
            int found = -1 - at;
            int own = j48_leaf_label[found];
            for (k = 0; k < J48_CLASSES; k++) {
                sum[top][k] += share * weight[found * J48_CLASSES + k];
            }
            if (top == 0) {
                ending = found;
            }
            if (own >= J48_CLASSES) {
                own -= J48_CLASSES;
                changed = 1;
            }
            if (label == -3) {
                label = own;
            } else if (label != own) {
                label = -1;
            } else {
                /* the leaves agree so far */
            }
        }
        going = 0;
        while (top > 0 && !going) { /* the next branch, or up */
            int last = j48_first[open[top] + 1];
            while (branch[top] < last && j48_share[branch[top]] == 0) {
                branch[top]++;
            }
            if (branch[top] < last) {
                share = before[top] * j48_share[branch[top]];
                at = j48_next[branch[top]];
                branch[top]++;
                going = 1;
            } else {
                top--;
                for (k = 0; k < J48_CLASSES; k++) {
                    sum[top][k] += sum[top + 1][k];
                }
            }
        }
    }
    for (k = 0; k < J48_CLASSES; k++) {
        p[k] = sum[0][k];
    }
    *leaf = ending < 0 && changed ? -2 : ending;
    return label < -1 ? -1 : label;
}
"""

_CLASS = """\
void j48_distribution(const REAL *x, REAL *p)
{
    int leaf;
    int k;

    if (j48_walk(x, j48_leaf_weight, p, &leaf) == -2) {
        for (k = 0; k < J48_CLASSES; k++) {
            p[k] = NAN;
        }
    }
}

/* The first of the largest weights, or the label if they do not decide. */
static int j48_largest(const REAL *p, int label, int preferred, REAL equal)
{
    REAL most = 0;
    int best = -1;
    int k;

    for (k = 0; k < J48_CLASSES; k++) {
        if (p[k] != p[k]) {
            return label; /* not known */
        }
        if (p[k] > most) {
            most = p[k];
        }
    }
    if (!(most > 0)) {
        return label;
    }
    for (k = J48_CLASSES - 1; k >= 0; k--) {
        if (p[k] >= most - equal) {
            best = k;
        }
    }
    if (preferred && label >= 0 && p[best] - p[label] <= equal && p[label] - p[best] <= equal) {
        best = label;
    }
    return best;
}

int j48_class(const REAL *x)
{
    REAL p[J48_CLASSES];
    int leaf;
    int label = j48_walk(x, j48_leaf_weight, p, &leaf);

    if (label == -2) {
        return -1;
    }
    if (leaf >= 0) {
        return j48_leaf_class[leaf];
    }
NEW_LABELS    return j48_largest(p, label, CHOICE);
}
"""

_NEW_LABELS = """\
    if (leaf == -2) { /* the weights that speak for new labels */
        (void)j48_walk(x, &j48_leaf_weight[J48_LEAVES * J48_CLASSES], p, &leaf);
        return j48_largest(p, label, 0, J48_EQUAL);
    }
"""

# ---------------------------------------------------------------------------- self-test


def _self_test(subject: Subject, table: Flat, bounds: Floats, float32: bool) -> list[str]:
    """Rows with their answers, and a ``main`` that asks for them."""
    real = "float" if float32 else "double"
    tree = plain_tests(table, bounds)
    rows = trial_rows(tree, subject.X)
    if float32:
        rows = rows.astype(np.float32).astype(np.float64)
    rows, classes, distribution = _answers(subject, tree, rows)
    numbers = _Numbers(float32)
    return [
        "#ifdef SELFTEST",
        "#include <stdio.h>",
        "",
        f"#define J48_ROWS {len(rows)}",
        f"#define J48_COLUMNS {rows.shape[1]}",
        "",
        _array(real, "j48_rows", numbers(rows.ravel().tolist())),
        _array("int", "j48_classes", classes.tolist()),
        _array(real, "j48_answers", numbers(distribution.ravel().tolist())),
        _TEST.replace("REAL", real).replace("NEAR", "1e-5f" if float32 else "1e-12"),
        "#endif",
    ]


def _answers(subject: Subject, tree: BoxTree, rows: Floats) -> tuple[Floats, Ints, Floats]:
    """Rows and their answers; of a text alone not those that its rounded counts divide."""
    found = predict(tree, subject.counts, rows, laplace=subject.laplace)
    says = found.predicted
    if subject.overlay is not None:
        says = overlay_classes(tree, subject.counts, rows, subject.overlay, found)
    told = np.ones(len(rows), dtype=np.bool_)
    if found.doubts is not None:
        told = found.leaf >= 0
    return rows[told], says[told], found.distribution[told]


_TEST = """
int main(void)
{
    int wrong = 0;
    int row;

    for (row = 0; row < J48_ROWS; row++) {
        REAL p[J48_CLASSES];
        int bad = j48_class(&j48_rows[row * J48_COLUMNS]) != j48_classes[row];
        int k;
        j48_distribution(&j48_rows[row * J48_COLUMNS], p);
        for (k = 0; k < J48_CLASSES; k++) {
            REAL wanted = j48_answers[row * J48_CLASSES + k];
            if (wanted == wanted ? !(p[k] - wanted <= NEAR && wanted - p[k] <= NEAR)
                                 : p[k] == p[k]) {
                bad = 1;
            }
        }
        wrong += bad;
    }
    printf("%d of %d rows as expected\\n", J48_ROWS - wrong, J48_ROWS);
    return wrong != 0;
}
"""
