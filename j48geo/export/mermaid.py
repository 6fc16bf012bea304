"""A tree as a Mermaid flowchart, for Markdown pages."""

from __future__ import annotations

from j48geo.export.tree_table import (
    ExportInput,
    ExportResult,
    TableTest,
    TreeTable,
    build_tree_table,
    describe_export,
)
from j48geo.text import to_one_line

_PLAIN = frozenset(" .,:+-_/")


def export_mermaid(subject: ExportInput) -> ExportResult:
    """A ``flowchart`` whose boxes are tests and leaves; a picture, not a program."""
    table = build_tree_table(subject)
    exactness = "For people: thresholds are exact, what becomes of a missing value is not shown."
    comment = [_comment(line) for line in describe_export(subject, table, "mermaid", exactness)]
    lines = [*comment, "flowchart TD"]
    for k, test in enumerate(table.tests):
        lines.append(f'  T{k}["{_text(table.attribute(test).name)}"]')
    for k, label in enumerate(table.classes.tolist()):
        lines.append(f'  L{k + 1}(["{k + 1}: {_text(table.tree.classes[label])}"])')
    for k, test in enumerate(table.tests):
        for branch, to in enumerate(test.branches):
            child = f"T{to}" if to >= 0 else f"L{-to}"
            lines.append(f'  T{k} -->|"{_text(_condition(table, test, branch))}"| {child}')
    return ExportResult("\n".join(lines) + "\n")


def _condition(table: TreeTable, test: TableTest, branch: int) -> str:
    if test.kind == "numeric":
        return f"{'>' if branch else '<='} {test.bound!r}"
    value = branch if test.kind == "multiway" else int(test.bound)
    sign = "!=" if test.kind == "binary" and branch else "="
    return f"{sign} {table.attribute(test).values[value]}"


def _text(text: str) -> str:
    """Letters and digits as they are, everything else by its number: #34; is a quote."""
    shown = to_one_line(text) or " "
    return "".join(c if c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in shown)


def _comment(line: str) -> str:
    """Braces in a comment confuse Mermaid."""
    return f"%% {line.replace('{', '(').replace('}', ')')}"
