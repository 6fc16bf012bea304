"""Imports only fall: the picture of the house as a table that is read against the source."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "j48geo"

# Floor -> floors it uses. Not listed: forbidden. Listed and not used: the picture is wrong.
FLOORS: dict[str, set[str]] = {
    "arrays": set(),
    "lazy": set(),
    "defaults": set(),
    "text": set(),
    "errors": {"text"},
    "output_files": {"errors"},
    "plugins": {"errors"},
    "compilation": {"errors"},
    "java": {"arrays", "errors", "lazy"},
    "core": {"arrays", "compilation", "errors", "java", "lazy", "text"},
    "data": {"arrays", "compilation", "core", "errors", "java", "lazy", "text", "output_files"},
    "replaying": {"lazy", "arrays", "core", "errors", "java", "text"},
    "modelfile": {"arrays", "core", "errors", "java", "lazy", "text"},
    "read": {"arrays", "core", "data", "errors", "java", "lazy", "plugins", "replaying", "text"},
    "geometry": {"arrays", "compilation", "core", "errors", "lazy"},
    "score": {
        "arrays",
        "compilation",
        "core",
        "defaults",
        "errors",
        "geometry",
        "java",
        "lazy",
        "plugins",
    },
    "decide": {
        "lazy",
        "arrays",
        "core",
        "defaults",
        "errors",
        "geometry",
        "score",
    },
    "growing": {
        "lazy",
        "arrays",
        "compilation",
        "core",
        "decide",
        "errors",
        "java",
        "replaying",
        "score",
    },
    "ensemble": {"lazy", "arrays", "core", "errors", "java", "replaying", "score"},
    "export": {"lazy", "arrays", "core", "errors", "java", "score", "text"},
    "show": {
        "lazy",
        "arrays",
        "compilation",
        "core",
        "decide",
        "errors",
        "geometry",
        "java",
        "replaying",
        "score",
        "text",
        "output_files",
    },
    "report": {
        "lazy",
        "arrays",
        "core",
        "decide",
        "defaults",
        "geometry",
        "replaying",
        "score",
        "show",
        "text",
    },
    "model": {
        "arrays",
        "compilation",
        "core",
        "data",
        "decide",
        "defaults",
        "ensemble",
        "errors",
        "lazy",
        "export",
        "geometry",
        "growing",
        "modelfile",
        "plugins",
        "read",
        "replaying",
        "report",
        "score",
        "show",
        "text",
        "output_files",
    },
    "sklearn": {"arrays", "core", "data", "errors", "growing", "model"},
    "engines": {
        "compilation",
        "core",
        "data",
        "decide",
        "errors",
        "lazy",
        "model",
        "replaying",
        "score",
        "show",
    },
    "spark": {"engines"},
    "mlflow": {"engines"},
    "cli": {
        "compilation",
        "core",
        "data",
        "decide",
        "defaults",
        "errors",
        "growing",
        "model",
        "plugins",
        "read",
        "report",
        "score",
        "show",
        "text",
        "output_files",
    },
    "__init__": {
        "core",
        "data",
        "errors",
        "lazy",
        "model",
        "read",
        "replaying",
        "show",
    },
    "__main__": {"cli"},
}

# The one import that rises: `Model.scorer` offers what the folder above makes of a model.
RISING = {("model.model", "engines")}

# Third party -> the modules that are its door. numpy is everywhere below the command line.
DOORS: dict[str, set[str]] = {
    "arff": {"show.arff"},
    "click": {"cli"},
    "lark": {"data", "read"},
    "matplotlib": {"show.plots"},
    "numba": {"compilation"},
    "onnx": {"export.onnx"},
    "pandas": {"model.result_table"},
    "pyarrow": {"data.arrow", "data.table_kinds", "engines", "show.rows.row_report"},
    "pyspark": {"engines.spark"},
    "scipy": {
        "decide.evaluation.intervals",
        "growing.pruning",
        "score.recalibration",
        "sklearn.base",
    },
    "sklearn": {"sklearn"},
}


@cache
def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    assert found
    return found


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add(node.module or "")
            if node.module == "j48geo":
                names.update(f"j48geo.{alias.name}" for alias in node.names)
    return names


def floor(name: str) -> str:
    return name.partition(".")[0]


def test_every_import_between_floors_is_in_the_table_and_every_row_is_used() -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for name, tree in modules().items():
        used[floor(name)] |= set()
        for target in imported(tree):
            if target.startswith("j48geo."):
                to = floor(target.removeprefix("j48geo."))
                if to != floor(name) and (name, to) not in RISING:
                    used[floor(name)].add(to)
    assert dict(used) == FLOORS


def test_imports_only_fall() -> None:
    order = list(FLOORS)
    for name, below in FLOORS.items():
        if name != "__init__":
            assert all(order.index(other) < order.index(name) for other in below), name


def test_a_folder_offers_what_it_lists_and_as_type_checkers_see_it() -> None:
    fronts = [
        (name.removesuffix(".__init__"), tree)
        for name, tree in modules().items()
        if name.endswith("__init__") and "j48geo.lazy" in imported(tree)
    ]
    assert fronts
    for name, tree in fronts:
        front = import_module(f"j48geo.{name}".removesuffix(".__init__"))
        typed = {
            alias.name: node.module or ""
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("j48geo.")
            for alias in node.names
            if node.module != "j48geo.lazy"
        }
        assert sorted(typed) == sorted(front.__all__)
        for offered, home in typed.items():
            assert getattr(front, offered) is getattr(import_module(home), offered), offered
        assert set(front.__all__) <= set(dir(front))


def test_reading_and_what_stands_on_the_right_never_meet() -> None:
    left = {"data", "modelfile", "read", "replaying"}
    right = {"geometry", "score", "decide"}
    assert not any(FLOORS[name] & right for name in left)
    assert not any(FLOORS[name] & left for name in right)


def test_each_third_party_has_one_door() -> None:
    known = {"numpy", *DOORS}
    for name, tree in modules().items():
        for target in imported(tree):
            top = target.partition(".")[0]
            if top == "j48geo" or top in sys.stdlib_module_names:
                continue
            assert top in known, f"{name} imports {top}"
            if top in DOORS:
                assert any(name == door or name.startswith(f"{door}.") for door in DOORS[top]), name


def test_every_door_is_used() -> None:
    seen = {target.partition(".")[0] for tree in modules().values() for target in imported(tree)}
    assert set(DOORS) <= seen


def test_what_is_imported_by_a_name_in_a_text_is_there() -> None:
    """Loops that are compiled and built-in plugins are named ``module:name``."""
    named = 0
    for tree in modules().values():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            module, colon, attribute = node.value.partition(":")
            if module.startswith("j48geo.") and colon and attribute.isidentifier():
                assert hasattr(import_module(module), attribute), node.value
                named += 1
    assert named >= 10


def test_a_small_command_loads_nothing_heavy() -> None:
    import subprocess

    code = (
        "import sys, j48geo\n"
        "tree = j48geo.read_tree(b'x <= 2: a (3.0)\\nx > 2: b (1.0)\\n')\n"
        "data = j48geo.read_arff(b'@relation r\\n@attribute x numeric\\n"
        "@attribute class {a,b}\\n@data\\n1,a\\n3,b\\n')\n"
        "j48geo.replay(tree, data)\n"
        "heavy = {'numba', 'scipy', 'pandas', 'matplotlib', 'sklearn'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
