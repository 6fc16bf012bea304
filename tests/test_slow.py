"""What the quick run leaves out exists, so that a renamed test does not creep back into it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from slow_tests import SLOW

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", SLOW)
def test_what_is_listed_as_slow_is_a_test_or_a_file_of_tests(name: str) -> None:
    file, _, test = name.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert test in tests if test else any(found.startswith("test_") for found in tests)
