"""What tests/slow_tests.py lists exists, so that a renamed test does not creep back into a run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from slow_tests import SLOW, VERY_SLOW

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", SLOW + VERY_SLOW)
def test_what_is_listed_as_slow_is_a_test_or_a_file_of_tests(name: str) -> None:
    file, _, test = name.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert test in tests if test else any(function.startswith("test_") for function in tests)


def test_nothing_is_listed_twice() -> None:
    listed = SLOW + VERY_SLOW
    assert len(set(listed)) == len(listed)
    for level in (SLOW, VERY_SLOW):
        assert not [name for name in level if "::" in name and name.partition("::")[0] in level]
