"""One family of errors: a place, one line, an exit code, and they survive pickling."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

import j48geo
from j48geo.errors import ColumnError, DoubledColumnError, ReadError

ERRORS = [
    j48geo.ModelReadError("a branch is missing", "expected `x > 1`", "m.txt", 3, 5, "x <= 1"),
    j48geo.DataReadError("no such file", source="d.arff"),
    j48geo.MismatchError("no row has a class"),
    ColumnError("no column 'x'", "it has y", "d.csv"),
    DoubledColumnError("two columns are called 'x'", "expected one", "d.csv", 1, 3),
    j48geo.ReplayError("leaf 1 differs"),
    j48geo.UnknownNameError("class", "maybe", ("yes", "no")),
    j48geo.J48GeoError("a check failed"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_with_its_text(error: j48geo.J48GeoError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.exit_code) == (type(error), str(error), error.exit_code)


def test_the_exit_codes_are_those_of_the_table() -> None:
    assert [error.exit_code for error in ERRORS] == [3, 4, 5, 5, 4, 5, 2, 1]


def test_a_message_is_place_problem_and_expectation() -> None:
    assert str(ERRORS[0]) == "m.txt:3:5: a branch is missing; expected `x > 1`"
    assert str(ERRORS[1]) == "d.arff: no such file"
    assert str(ERRORS[6]) == "unknown class 'maybe'; known: yes, no"


def test_a_name_with_a_line_break_does_not_break_the_message() -> None:
    assert str(j48geo.MismatchError("no attribute a\nb")) == "no attribute a\\nb"
    assert str(j48geo.ModelReadError("x\r\ny", "z", "f\n.txt", 1)) == "f\\n.txt:1: x\\r\\ny; z"


def test_the_caret_stands_under_the_column_however_long_the_line_is() -> None:
    long = ReadError("bad", "", "f", 1, 1005, "a" * 1004 + "!" + "b" * 1000)
    shown, caret = long.caret().split("\n")
    assert shown[caret.index("^")] == "!"
    assert ReadError("bad", "", "f", 1).caret() == ""


def test_the_caret_stands_under_its_column_though_control_characters_are_shown() -> None:
    error = j48geo.ModelReadError("p", "e", "m.txt", 1, 4, "\x1b[m> zz\ty")
    assert error.caret() == "\\x1b[m> zz y\n      ^"
    assert error.caret().split("\n")[0][6] == ">"


def test_only_the_command_line_names_its_options() -> None:
    package = Path(j48geo.__file__).parent
    for path in package.rglob("*.py"):
        # The table of choices holds the help texts of the options that are made from it.
        if "cli" in path.relative_to(package).parts or path.name == "choices.py":
            continue
        module = ast.parse(path.read_text(encoding="utf-8"))
        described = {
            id(node.body[0].value)
            for node in ast.walk(module)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and isinstance(node.body[0], ast.Expr)
        }
        texts = [
            node.value
            for node in ast.walk(module)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            if id(node) not in described
        ]
        assert [text for text in texts if re.search(r"(?<![\w-])--[a-z]", text)] == [], path
