"""What exports promise beside their answers: names, refusals, comments, reports, plugins."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from consumers import (
    ask_c,
    ask_duckdb,
    ask_node,
    ask_onnx,
    ask_sqlite,
    compile_c,
    labels_of_c,
    require_program,
)
from hand_made import weather_rows, weather_tree
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import datasets, trees

import j48geo
from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree, Leaf, Node, Split
from j48geo.errors import ChoiceError, SeveralTreesError
from j48geo.export.tree_table import ExportError
from j48geo.model.formats import FORMATS
from j48geo.model.model import Model

OURS = ("sql", "c", "js", "onnx", "st", "mermaid")


def weather(**more: Any) -> Model:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    return Model(tree, counts, source="weather", training=rows, **more)


def iris(fixtures_dir: Path) -> Model:
    folder = fixtures_dir / "iris"
    return j48geo.load(folder / "model.txt", train=folder / "data.arff")


def answers(model: Model, rows: Dataset) -> Any:
    (found,) = [block.prediction for block in model.predictions(rows)]
    return found


def labels(model: Model, predicted: Any) -> Any:
    return np.array([*model.classes, None], dtype=object)[predicted]


# --------------------------------------------------------------------------- any tree


def check_c(model: Model, rows: Dataset, found: Any, folder: Path) -> None:
    predicted, weights = ask_c(str(model.to("c")), rows.X, len(model.classes), folder)
    assert predicted.tolist() == found.predicted.tolist()
    np.testing.assert_allclose(weights, found.distribution, rtol=0, atol=1e-14)


def check_javascript(model: Model, rows: Dataset, found: Any, _: Path) -> None:
    source = str(model.to("js"))
    (script,) = ask_node([(source, model.header, model.tree.used_attributes, rows.X)])
    assert script.label == labels(model, found.predicted).tolist()
    np.testing.assert_allclose(script.distribution, found.distribution, rtol=0, atol=1e-14)


def check_sqlite(model: Model, rows: Dataset, found: Any, _: Path) -> None:
    used, wanted = model.tree.used_attributes, labels(model, found.predicted)
    plain = ask_sqlite(str(model.to("sql")), model.header, used, rows.X)
    assert plain.label == np.where(found.leaf >= 0, wanted, None).tolist()
    try:
        query = str(model.to("sql", distribution=True))
    except ExportError as error:
        assert re.search("new labels|not known", str(error))  # noqa: PT017
        return
    weighed = ask_sqlite(query, model.header, used, rows.X)
    assert weighed.label == wanted.tolist()
    np.testing.assert_allclose(weighed.distribution, found.distribution, rtol=0, atol=1e-14)


@pytest.mark.parametrize("check", [check_c, check_javascript, check_sqlite])
@given(trees(), datasets(min_rows=1), datasets(min_rows=1), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_every_consumer_answers_any_tree_as_predict_does(
    tmp_path_factory: pytest.TempPathFactory,
    check: Callable[[Model, Dataset, Any, Path], None],
    tree: BoxTree,
    training: Dataset,
    rows: Dataset,
    laplace: bool,
    relabelled: bool,
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    model = Model(tree, counts, source="random", training=training).with_(laplace=laplace)
    if relabelled:
        turned = {leaf.index + 1: tree.classes[leaf.label - 1] for leaf in tree.leaves}
        model = model.relabel(labels=turned)
    check(model, rows, answers(model, rows), tmp_path_factory.mktemp("export"))


# ---------------------------------------------------------------------- hostile names

HOSTILE = (
    '"', "'", "''", "*/", "/*", "a\nb", "a\r\nb", ";--", "--", "??/", "\\", "\\n", "%s%n", "{x}",
    "select", "NULL", "t", "j48_class", "cases", "</script>", "<!--", "__proto__", "constructor",
    "\u202e", "\u2028", "\ufeff", "\U0001f600", "ä", "%%{init: {}}%%", "x" * 31, "x" * 32, "y" * 80,
    "p(a)", " ", "\t", "#quot;", "`", "$1", ":a", "?1", "1", "-0", "NaN", "int", "class",
)  # fmt: skip

texts = st.sampled_from(HOSTILE) | st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12
)


def different(size: int) -> Any:
    """Texts that no database takes for the same, also where it cuts names at 63 bytes."""
    return st.lists(texts, min_size=size, max_size=size, unique_by=lambda t: t.casefold()[:12])


def check_hostile_c(model: Model, X: Any, found: Any, _: str, folder: Path) -> None:
    source = str(model.to("c"))
    assert ask_c(source, X, 2, folder)[0].tolist() == found.predicted.tolist()
    assert labels_of_c(source, folder) == [label.encode() for label in model.classes]


def check_hostile_javascript(model: Model, X: Any, found: Any, _: str, __: Path) -> None:
    (script,) = ask_node([(str(model.to("js")), model.header, (0, 1), X)])
    assert script.label == labels(model, found.predicted).tolist()


def check_hostile_sql(model: Model, X: Any, found: Any, table: str, _: Path) -> None:
    query = str(model.to("sql", table=table, distribution=True))
    for ask in (ask_sqlite, ask_duckdb):
        answer = ask(query, model.header, (0, 1), X, table)
        assert answer.label == labels(model, found.predicted).tolist()
        np.testing.assert_allclose(answer.distribution, found.distribution, rtol=0, atol=1e-14)


def check_hostile_mermaid(model: Model, *_: Any) -> None:
    drawn = str(model.to("mermaid"))
    shape = r'(%% .*|flowchart TD|  [TL]\d+\(?\["[^"\n]*"\]\)?|  T\d -->\|"[^"\n]*"\| [TL]\d)'
    assert all(re.fullmatch(shape, line) for line in drawn.split("\n")[:-1])


@pytest.mark.parametrize(
    "check",
    [check_hostile_c, check_hostile_javascript, check_hostile_sql, check_hostile_mermaid],
)
@given(different(4), different(2), different(2))
@settings(max_examples=15)
def test_hostile_names_and_labels_change_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    check: Callable[..., None],
    names: list[str],
    values: list[str],
    classes: list[str],
) -> None:
    number, nominal, own, table = names
    header = Header(
        "h",
        (Attribute(number), Attribute(nominal, "nominal", tuple(values)),
         Attribute(own, "nominal", tuple(classes))),
        2,
    )  # fmt: skip
    tree = BoxTree(
        header,
        (
            Node(0, split=Split(0, "numeric", 0.1), children=(1, 2)),
            Node(1, 0, 0, 1, leaf=0),
            Node(2, 0, 1, 1, Split(1, "multiway"), (3, 4)),
            Node(3, 2, 0, 2, leaf=1),
            Node(4, 2, 1, 2, leaf=2),
        ),
        (Leaf(0, 0, 4.0, 1.0), Leaf(1, 1, 2.0), Leaf(2, 0, 3.0, 1.0)),
    )
    model = Model(tree, counts_from_text(tree), source=f"{number}{nominal}")
    X = np.array([[0.1, 0, 0], [0.2, 0, 0], [0.2, 1, 0], [np.nan, 1, 0], [1, np.nan, 0]])
    found = answers(model, Dataset(header, X, np.ones(5)))
    check(model, X, found, table, tmp_path_factory.mktemp("export"))


def test_postgresql_takes_hostile_names(postgres: Any) -> None:
    for name in HOSTILE:
        header = Header("h", (Attribute(name), Attribute("c", "nominal", (name, "b"))), 1)
        nodes = (
            Node(0, split=Split(0, "numeric", 0.1), children=(1, 2)),
            Node(1, 0, 0, 1, leaf=0),
            Node(2, 0, 1, 1, leaf=1),
        )
        tree = BoxTree(header, nodes, (Leaf(0, 0, 3.0), Leaf(1, 1, 1.0)))
        model = Model(tree, counts_from_text(tree), source="h")
        X = np.array([[0.1, 0], [0.2, 0], [np.nan, 0]])
        query = str(model.to("sql", table=f"of {name}", distribution=True))
        assert postgres.ask(query, header, (0,), X, f"of {name}").label == [name, "b", name]


# ------------------------------------------------------------------------- comments


@pytest.mark.parametrize("name", OURS)
def test_every_export_tells_what_it_was_made_from(name: str, fixtures_dir: Path) -> None:
    model = j48geo.load(fixtures_dir / "pima" / "model.txt", data=fixtures_dir / "pima/data.arff")
    made = model.to(name)
    text = made.decode("utf-8", "replace") if isinstance(made, bytes) else made
    digest = subprocess.run(
        [sys.executable, "-c", "import hashlib,sys;"
         "print(hashlib.sha256(open(sys.argv[1],'rb').read()).hexdigest())",
         fixtures_dir / "pima" / "model.txt"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    for part in ("pima/model.txt: 20 leaves, size 39; written by j48geo ", digest, f" as {name}"):
        assert part in text[:2500] or isinstance(made, bytes)
        assert part in text


def test_without_a_header_columns_are_in_the_order_of_first_use_and_listed() -> None:
    model = j48geo.load("b <= 1: no (3.0)\nb > 1\n|   a <= 2: yes (4.0)\n|   a > 2: no (1.0)\n")
    source = str(model.to("c"))
    assert re.findall(r"x\[(\d)\] '(\w+)'", source) == [("0", "b"), ("1", "a")]


def test_the_self_test_of_a_c_file_fails_where_a_threshold_was_changed(
    fixtures_dir: Path, tmp_path: Path
) -> None:
    source = str(iris(fixtures_dir).to("c"))
    broken = source.replace("    0.6, 1.7, 4.9, 1.5", "    0.6, 1.7, 4.8, 1.5")
    assert broken != source
    for text, code in ((source, 0), (broken, 1)):
        program = compile_c(text, tmp_path, "-DSELFTEST")
        assert subprocess.run([program], capture_output=True).returncode == code


def test_a_nominal_value_that_is_none_has_no_class(tmp_path: Path) -> None:
    model = weather()
    X = np.array([[7.0, 70, 0, 0], [-1.0, 70, 0, 0]])
    said, weights = ask_c(str(model.to("c")), X, 2, tmp_path)
    assert said.tolist() == [-1, -1]
    assert np.isnan(weights).all()


def test_float32_tells_the_threshold_and_the_rows_at_risk() -> None:
    header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("no", "yes"))), 1)
    root = Node(0, split=Split(0, "numeric", 0.1), children=(1, 2))
    ends = (Node(1, 0, 0, 1, leaf=0), Node(2, 0, 1, 1, leaf=1))
    tree = BoxTree(header, (root, *ends), (Leaf(0, 0, 3.0), Leaf(1, 1, 4.0)))
    model = Model(tree, counts_from_text(tree), source="h")
    rows = Dataset(model.header, np.array([[0.1, 0], [0.1 + 1e-12, 0], [0.3, 0]]), np.ones(3))
    made = model.export("c", float32=True, data=rows)
    assert made.notes == (
        "float32: 1 of 1 threshold rounded; 1 of 3 rows reach other leaves, 1 other classes",
    )
    assert "At risk: 'x' <= 0.1 becomes 0.10000000149011612, which 1 value of these rows cross" in (
        str(made.content)
    )


# ------------------------------------------------------------------------- refusals


def refused(model: Model, name: str, words: str, **options: Any) -> None:
    with pytest.raises(ExportError, match=words):
        model.to(name, **options)


def test_what_a_format_cannot_express_is_refused_with_what_can(fixtures_dir: Path) -> None:
    date = j48geo.load(fixtures_dir / "date/model.txt", train=fixtures_dir / "date/data.arff")
    refused(date, "sql", "asks for the date 'when', .*; expected c or js, which take millis")
    refused(date, "onnx", "asks for 'when', which is a date; expected numeric tests only")
    refused(date, "st", "'when', which is a date; expected numeric features only")
    refused(weather(), "onnx", r"which is nominal; expected numeric .*\(c and js take all\)")
    refused(weather(), "st", "which is nominal; expected numeric features")
    refused(iris(fixtures_dir), "st", "label 'Iris-virginica' is no word of letters")
    unknown = j48geo.load("x <= 2: a\nx > 2: b\n")
    refused(unknown, "sql", "not known; expected the training data", distribution=True)
    twins = j48geo.load("x <= 2: a (1.0)\nx > 2\n|   X <= 1: b (1.0)\n|   X > 1: a (1.0)\n")
    refused(twins, "sql", "attributes 'x' and 'X' are equal but for their case")


def test_new_labels_are_honoured_or_refused() -> None:
    model = weather().relabel(labels={1: "no", 5: "no"})
    rows = weather_rows()
    said = ask_sqlite(str(model.to("sql")), model.header, model.tree.used_attributes, rows.X)
    found = answers(model, rows)
    wanted = np.where(found.leaf >= 0, labels(model, found.predicted), None)
    assert said.label == wanted.tolist()
    refused(model, "sql", "leaves have new labels", distribution=True)


def test_several_trees_are_refused_by_name_and_one_of_them_is_not(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "bagging"
    whole = j48geo.load(folder / "model.txt", data=folder / "data.arff")
    for name in OURS:
        with pytest.raises(SeveralTreesError, match=f"the format {name} is for one tree"):
            whole.to(name)
    one = j48geo.load(folder / "model.txt", data=folder / "data.arff", tree=2)
    assert "tree 2 of " in str(one.to("c"))


def test_six_decimals_that_move_a_row_are_refused() -> None:
    model = j48geo.load("x <= 0.00000025: a (1.0)\nx > 0.00000025: b (1.0)\n")
    rows = Dataset(model.header, np.array([[2.5e-7, 0], [0.0, 0]]), np.ones(2))
    refused(model, "st", "six decimals send 1 row to another leaf, row 1 first", data=rows)


def test_a_dialect_that_asks_for_less_becomes_the_next_number_below() -> None:
    text = "x < 2: a (1.0)\nx >= 2: b (1.0)\n"
    model = j48geo.load(text)
    X = np.array([[2.0, 0], [np.nextafter(2.0, 0), 0]])
    rows = Dataset(model.header, X, np.ones(2))
    assert model.predict(rows).tolist() == ["b", "a"]
    assert ask_onnx(bytes(model.to("onnx")), X).label == ["b", "a"]
    for ask in (ask_sqlite, ask_duckdb):
        used = model.tree.used_attributes
        assert ask(str(model.to("sql")), model.header, used, X).label == ["b", "a"]
    refused(model, "st", "six decimals send 1 row", data=rows)


def test_options_of_other_formats_are_refused() -> None:
    with pytest.raises(ChoiceError, match=r"^float32 is no option of the format sql; expected of"):
        weather().to("sql", float32=True)
    with pytest.raises(ChoiceError, match=r"expected nothing, js has none$"):
        weather().to("js", table="x")


def test_a_row_that_javascript_cannot_place_is_an_error() -> None:
    require_program("node")
    source = str(weather().to("js"))
    for row, words in (
        ("{outlook: 'hail', humidity: 1, windy: null}", '"outlook" cannot be "hail"'),
        ("{outlook: 'sunny', windy: null}", 'the row has no "humidity"'),
    ):
        done = subprocess.run(
            ["node", "-e", f"{source};j48({row})"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert words in done.stderr


# ---------------------------------------------------------------------------- plugins


def test_an_export_of_another_package_is_listed_and_used(
    tmp_path: Path, fixtures_dir: Path
) -> None:
    (tmp_path / "guest.py").write_text(
        "def leaves(model):\n    return f'{len(model.tree.leaves)}'\n"
    )
    info = tmp_path / "guest-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[j48geo.exports]\nleaves = guest:leaves\n")
    root = str(Path(j48geo.__file__).parents[1])

    def run(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "j48geo", *words],
            env={"PYTHONPATH": f"{tmp_path}:{root}", "PATH": "/usr/bin:/bin"},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    listed = run("plugins", "--format", "csv").splitlines()
    assert "export,leaves,guest,1.0,guest:leaves," in listed
    assert {line.split(",")[1] for line in listed if line.startswith("export,")} == {
        *FORMATS,
        "leaves",
    }
    assert run("export", str(fixtures_dir / "iris/model.txt"), "--to", "leaves") == "5"


def test_thresholds_known_only_as_printed_are_said() -> None:
    tree = weather_tree()
    nodes = tuple(
        replace(n, split=replace(n.split, slack=5e-7)) if n.split and n.index == 1 else n
        for n in tree.nodes
    )
    made = Model(replace(tree, nodes=nodes), counts_from_text(tree), source="w").to("c")
    assert "1 threshold known only as printed" in str(made)
