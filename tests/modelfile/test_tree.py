from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hand_made import chain_tree, odd_tree, one_leaf_tree, weather_rows, weather_tree

from j48geo.core.counts import counts_from_data
from j48geo.core.tree import BoxTree, Split
from j48geo.errors import ModelReadError
from j48geo.modelfile import read
from j48geo.modelfile.tree import tree_pieces, tree_to_json
from j48geo.show.text import json_text

TREES = {
    "weather": weather_tree,
    "one leaf": one_leaf_tree,
    "odd": odd_tree,
    "deep": lambda: chain_tree(2000),
}


def back(data: bytes) -> BoxTree:
    text = read(data, source="m.json")
    assert text is not None
    (entry,) = text.entries
    (tree,) = entry.readings
    return tree


def as_bytes(tree: BoxTree, indent: int | None = None) -> bytes:
    return json_text(tree_to_json(tree), indent).encode()


@pytest.mark.parametrize("make", TREES.values(), ids=TREES.keys())
def test_a_tree_written_as_json_is_read_back_equal(make: Callable[[], BoxTree]) -> None:
    tree = make()
    assert back(as_bytes(tree)) == tree
    assert back(b"\xef\xbb\xbf" + as_bytes(tree, 1)) == tree


@pytest.mark.parametrize("make", TREES.values(), ids=TREES.keys())
def test_a_tree_written_node_by_node_is_the_text_of_the_whole(make: Callable[[], BoxTree]) -> None:
    tree = make()
    assert "".join(tree_pieces(tree)) == f"{json_text(tree_to_json(tree), 1)}\n"


def test_thresholds_keep_every_bit() -> None:
    rng = np.random.default_rng(7)
    for bits in rng.integers(0, 2**63, 200):
        threshold = float(np.int64(bits).view(np.float64))
        if not np.isfinite(threshold):
            continue
        tree = weather_tree()
        split = Split(1, "numeric", threshold)
        tree = replace(
            tree, nodes=(tree.nodes[0], replace(tree.nodes[1], split=split), *tree.nodes[2:])
        )
        assert back(as_bytes(tree)) == tree


def test_leaves_and_columns_are_counted_from_one_and_nodes_from_zero() -> None:
    made = tree_to_json(weather_tree())
    nodes = json.loads(json_text(made))["nodes"]
    assert nodes[1] == {
        "node": 1,
        "parent": 0,
        "attribute": "humidity",
        "column": 2,
        "kind": "numeric",
        "threshold": 75.0,
        "closed": True,
        "slack": 0.0,
        "token": "75",
        "children": [2, 3],
    }
    assert nodes[7] == {
        "node": 7,
        "parent": 5,
        "leaf": 5,
        "class": "yes",
        "weight": 4.0,
        "errors": 1.0,
        "token": "(4.0/1.0)",
        "line": 10,
    }


def test_counts_of_training_data_stand_beside_the_nodes_and_do_not_disturb_reading() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    made = tree_to_json(tree, counts)
    nodes = json.loads(json_text(made))["nodes"]
    assert nodes[0]["counts"] == {"yes": 9.0, "no": 6.0}
    assert nodes[7]["counts"] == {"yes": 3.0, "no": 1.0}
    assert back(json_text(made).encode()) == tree
    assert "".join(tree_pieces(tree, counts)) == f"{json_text(made, 1)}\n"


@pytest.mark.parametrize(
    "data", [b"", b"J48 pruned tree\n", b"[1]", b'{"a": 1}', b"{", b"\xff\xfe{"]
)
def test_what_is_not_our_json_is_left_to_other_readers(data: bytes) -> None:
    assert read(data, source="m.json") is None


def broken(change: Callable[[dict[str, object]], object]) -> str:
    value = json.loads(as_bytes(weather_tree()))
    change(value)
    with pytest.raises(ModelReadError) as caught:
        read(json.dumps(value).encode(), source="m.json")
    return str(caught.value)


EXPECTED = "; expected the JSON that j48geo writes"


def test_damaged_json_is_refused_with_line_and_column() -> None:
    with pytest.raises(ModelReadError) as caught:
        read(as_bytes(weather_tree(), 1)[:-200], source="m.json")
    assert str(caught.value).startswith("m.json:")
    assert str(caught.value).endswith(EXPECTED)
    assert caught.value.line > 1


def test_a_later_version_is_refused() -> None:
    message = broken(lambda v: v.update(version=2))
    assert message == "m.json: version 2 of the tree format; expected 1"


def test_a_damaged_tree_is_refused_with_the_place() -> None:
    def nodes(v: dict[str, object]) -> list[dict[str, object]]:
        return v["nodes"]  # type: ignore[return-value]

    cases: list[tuple[Callable[[dict[str, object]], object], str]] = [
        (lambda v: v.pop("nodes"), "the file: 'nodes' is missing or not a list"),
        (lambda v: nodes(v).clear(), "leaves: 5; the tree has 0"),
        (lambda v: nodes(v).pop(), "nodes: 1 branches lead nowhere"),
        (lambda v: nodes(v).append(nodes(v)[7]), "nodes[8]: more nodes than branches"),
        (lambda v: nodes(v)[2].update(parent=0), "nodes[2]: parent is 0; expected 1"),
        (lambda v: nodes(v)[1].update(column=9), "nodes[1]: column 9 of 4"),
        (lambda v: nodes(v)[1].update(column=3), "nodes[1]: column 3 is 'windy', not 'humidity'"),
        (
            lambda v: nodes(v)[1].update(kind="multiway"),
            "nodes[1]: a multiway split on the numeric attribute 'humidity'",
        ),
        (
            lambda v: nodes(v)[1].update(threshold="x"),
            "nodes[1]: 'threshold' is 'x'; expected a number",
        ),
        (lambda v: nodes(v)[2].update({"class": "maybe"}), "nodes[2]: no class 'maybe'"),
        (lambda v: nodes(v)[2].update(leaf=4), "nodes[2]: leaf 4; expected 1"),
        (lambda v: nodes(v)[2].update(node=7), "nodes[2]: 'node' is 7; expected 2"),
        (lambda v: nodes(v)[2].update(errors=9), "nodes[2]: 9 errors in a weight of 2"),
        (
            lambda v: nodes(v)[1].update(threshold=-75),
            "nodes[1]: 'token' is '75'; expected what -75.0 is printed as",
        ),
        (
            lambda v: nodes(v)[2].update(line="x"),
            "nodes[2]: 'line' is missing or not a whole number",
        ),
        (
            lambda v: nodes(v)[2].update(line=-1),
            "nodes[2]: 'line' is -1; expected the number of a line",
        ),
        (
            lambda v: nodes(v)[2].update(weight=-5),
            "nodes[2]: 'weight' is -5; expected a number from 0 to 1.79769e+308",
        ),
        (lambda v: nodes(v)[2].update(errors=10**309), "nodes[2]: 'errors' is too large"),
        (
            lambda v: nodes(v)[1].update(threshold="Infinity"),
            "nodes[1]: 'threshold' is inf; expected a number from -1.79769e+308 to 1.79769e+308",
        ),
        (
            lambda v: nodes(v)[1].update(slack=1e308),
            "nodes[1]: 'slack' is 1e+308; expected a number from 0 to 5e-07",
        ),
        (
            lambda v: v.update(tolerance="Infinity"),
            "the file: 'tolerance' is inf; expected a number from 0 to 1e-06",
        ),
        (
            lambda v: v.update(tolerance=-1),
            "the file: 'tolerance' is -1; expected a number from 0 to 1e-06",
        ),
        (lambda v: nodes(v)[0].update(children=[1, 4]), "nodes[5]: more nodes than branches"),
        (
            lambda v: v.update(options={"laplace": "yes"}),
            "options: 'laplace' is 'yes'; expected bool | None",
        ),
        (lambda v: v["header"].update({"class": 7}), "header: class 7 of 4 attributes"),  # type: ignore[attr-defined]
    ]
    for change, wanted in cases:
        message = broken(change)
        assert message == f"m.json: broken tree: {wanted}{EXPECTED}"


def refused(data: bytes) -> str:
    with pytest.raises(ModelReadError) as caught:
        read(data, source="m.json")
    return str(caught.value)


def test_a_key_that_comes_twice_is_refused() -> None:
    data = as_bytes(weather_tree())
    twice = data.replace(b'"tolerance":', b'"tolerance":0.0,"tolerance":', 1)
    assert refused(twice) == (
        f"m.json: broken JSON: the key 'tolerance' comes twice in an object{EXPECTED}"
    )


def test_digits_that_no_double_holds_are_refused() -> None:
    data = as_bytes(weather_tree()).replace(b'"tolerance":0.0', b'"tolerance":1e999')
    assert refused(data) == f"m.json: broken tree: the file: 'tolerance' is too large{EXPECTED}"


COUNTS = counts_from_data(
    weather_tree(), weather_rows().X, weather_rows().class_values, weather_rows().weights
)


def with_count(node: int, count: object) -> str:
    value = tree_to_json(weather_tree(), COUNTS)
    value["nodes"][node]["counts"]["yes"] = count  # type: ignore[index]
    return refused(json.dumps(value).encode())


@pytest.mark.parametrize("count", [10**309, -1, True, "3", None, [1]])
def test_a_count_that_is_no_weight_is_refused(count: object) -> None:
    assert "nodes[2]: the count" in with_count(2, count)


def test_counts_beyond_those_of_the_parent_are_refused() -> None:
    message = with_count(2, 1000.0)
    assert (
        message == f"m.json: broken tree: nodes[2]: 'counts' exceed those of its parent{EXPECTED}"
    )


@pytest.mark.parametrize("foreign", ["x" * 9000, ["x" * 100] * 100, {"x" * 9000: 1}, 10**4000])
def test_foreign_values_are_cut_in_messages(foreign: object) -> None:
    keys = ("column", "attribute", "kind", "threshold", "closed", "slack", "parent")
    for key in keys:
        message = broken(lambda v, key=key: v["nodes"][1].update({key: foreign}))  # type: ignore[index]
        assert len(message) < 400
    for key in ("class", "weight", "errors", "line", "leaf"):
        message = broken(lambda v, key=key: v["nodes"][2].update({key: foreign}))  # type: ignore[index]
        assert len(message) < 400
    for key in ("version", "leaves", "size", "tolerance", "nodes"):
        if key == "nodes" and isinstance(foreign, list):
            continue
        message = broken(lambda v, key=key: v.update({key: foreign}))
        assert len(message) < 400


def test_a_long_note_of_a_stranger_is_cut() -> None:
    value = json.loads(as_bytes(weather_tree())) | {"notes": ["x" * 9000]}
    found = read(json.dumps(value).encode(), source="m.json")
    assert found is not None
    (note,) = found.entries[0].readings[0].notes
    assert len(note) == 1000
    assert note.endswith("...")
