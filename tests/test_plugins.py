from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from j48geo import plugins
from j48geo.errors import UnknownNameError

ROOT = Path(__file__).resolve().parent.parent

READER = '''
"""A toy reader: one line "LABEL A B" is a tree of one leaf."""
import sys
from pathlib import Path
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, Leaf, Node
from j48geo.core.tree_text import Entry, TreeText

Path(__file__).with_name("was-imported").touch()

def read(data, *, source, header):
    label, *classes = data.decode().split()
    header = Header("toy", (Attribute("class", "nominal", tuple(classes)),), 0)
    tree = BoxTree(header, (Node(0, leaf=0),), (Leaf(0, classes.index(label), 3.0, 1.0),))
    return TreeText((Entry("toy tree", (tree,), None),), (), source)

NOT_A_FUNCTION = 7
'''


def install(
    folder: Path,
    package: str,
    points: Mapping[str, str],
    source: str = READER,
    version: str = "1.2",
) -> None:
    """Put a package into `folder` as an installer would: its module and its metadata."""
    (folder / f"{package}.py").write_text(source)
    info = folder / f"{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (info / "entry_points.txt").write_text("[j48geo.readers]\n" + "\n".join(lines) + "\n")


def j48geo(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    return subprocess.run(
        [sys.executable, "-m", "j48geo", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        check=False,
    )


def test_an_installed_plugin_is_listed_without_being_imported(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"})
    done = j48geo(tmp_path, "plugins", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    listed = {row["name"]: row for row in json.loads(done.stdout)}
    assert listed["toy"] == {
        "kind": "reader",
        "name": "toy",
        "package": "toy",
        "version": "1.2",
        "where": "toy:read",
        "remark": "",
    }
    assert {"j48", "dot", "json"} <= set(listed)
    assert not (tmp_path / "was-imported").exists()


def test_an_installed_reader_is_used_when_it_is_named(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"})
    done = j48geo(tmp_path, "show", "-", "--reader", "toy", "--format", "text", stdin="b a b")
    assert done.stdout.splitlines()[2] == ": b (3.0/1.0)"
    assert done.returncode == 0
    assert (tmp_path / "was-imported").exists()


def test_only_the_named_plugin_is_imported(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"})
    (tmp_path / "other").mkdir()
    install(tmp_path / "other", "bystander", {"bystander": "bystander:read"})
    both = Path(os.pathsep.join((str(tmp_path), str(tmp_path / "other"))))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(both), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-m", "j48geo", "show", "-", "--reader", "toy"],
        input=b"b a b",
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0
    assert (tmp_path / "was-imported").exists()
    assert not (tmp_path / "other" / "was-imported").exists()


def test_a_built_in_name_wins_and_the_list_says_so(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"j48": "toy:read"})
    rows = json.loads(j48geo(tmp_path, "plugins", "--format", "json").stdout)
    (guest,) = [row for row in rows if row["package"] == "toy"]
    assert guest["remark"] == "built-in of the same name"
    done = j48geo(tmp_path, "show", "-", "--reader", "j48", "--format", "text", stdin="b a b")
    assert done.returncode == 3
    assert not (tmp_path / "was-imported").exists()


def test_a_plugin_that_cannot_be_imported_is_one_line_naming_its_package(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"}, source='raise RuntimeError("two\\nlines")')
    assert j48geo(tmp_path, "plugins").returncode == 0
    done = j48geo(tmp_path, "show", "-", "--reader", "toy", stdin="b a b")
    assert done.returncode == 2
    assert done.stderr == (
        "plugin 'toy' of package toy (toy:read) cannot be imported: RuntimeError: two lines\n"
    )


def test_a_plugin_that_is_no_function_is_one_line_naming_its_package(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:NOT_A_FUNCTION"})
    done = j48geo(tmp_path, "show", "-", "--reader", "toy", stdin="b a b")
    assert done.returncode == 2
    assert done.stderr == (
        "plugin 'toy' of package toy (toy:NOT_A_FUNCTION) is a int; expected a function\n"
    )


def test_two_packages_with_one_name_are_one_line_naming_both(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"})
    install(tmp_path, "rival", {"toy": "rival:read"})
    done = j48geo(tmp_path, "show", "-", "--reader", "toy", stdin="b a b")
    assert done.returncode == 2
    assert done.stderr == "reader 'toy' is offered by rival and toy; expected one package\n"


def test_an_unknown_reader_lists_the_known_ones(tmp_path: Path) -> None:
    install(tmp_path, "toy", {"toy": "toy:read"})
    done = j48geo(tmp_path, "show", "-", "--reader", "tow", stdin="b a b")
    assert done.returncode == 2
    assert done.stderr == "unknown reader 'tow'; known: json, dot, java, j48, toy\n"


def test_names_put_the_built_in_ones_first() -> None:
    assert plugins.plugin_names("j48geo.none", ("b", "a")) == ("b", "a")
    assert plugins.load_plugin("j48geo.none", "len", {"len": len}) is len
    with pytest.raises(UnknownNameError) as caught:
        plugins.load_plugin("j48geo.none", "max", {"len": len})
    assert str(caught.value) == "unknown j48geo.none 'max'; known: len"
