"""One name, one meaning: public classes and constants of modules are unique in the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "j48geo"

COMMON = {"EXAMPLES", "TYPE_CHECKING"}
"""Names with one meaning in every module: the examples of a command, the switch of typing."""

NOT_YET: dict[str, int] = {}
"""Names that still stand for several things, and how many: to be made unique. Only to shrink."""


def public_names(tree: ast.Module) -> Iterator[str]:
    """Classes and constants that a module defines; type variables are letters by convention."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and not _is_type_variable(node.value):
            for target in node.targets:
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _is_type_variable(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("TypeVar", "ParamSpec")


def test_a_public_class_or_constant_has_one_meaning_in_the_package() -> None:
    homes: dict[str, set[str]] = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for name in public_names(ast.parse(path.read_text(encoding="utf-8"))):
            if not name.startswith("_") and name not in COMMON:
                homes[name].add(module)
    assert len(homes) > 500
    shared = {
        name: sorted(where) for name, where in homes.items() if len(where) > NOT_YET.get(name, 1)
    }
    assert not shared
