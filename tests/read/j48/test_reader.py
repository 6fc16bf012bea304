"""The rules of the tree block: depth, siblings, footers, options, several trees."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import j48geo
from j48geo.core.dataset import Attribute, Header
from j48geo.errors import FitError, ModelReadError
from j48geo.read.readers import read_tree, read_trees

HEADER = j48geo.Header(
    "r",
    (
        j48geo.Attribute("x"),
        j48geo.Attribute("v", "nominal", ("p", "q", "r")),
        j48geo.Attribute("class", "nominal", ("a", "b")),
    ),
    class_index=2,
)
BANNER = "J48 pruned tree\n------------------\n\n"
TREE = "v = p: a (3.0)\nv = q\n|   x <= 1.5: a (2.0/1.0)\n|   x > 1.5: b (4.0)\nv = r: b (0.0)\n"
FOOTER = "\nNumber of Leaves  : \t4\n\nSize of the tree : \t6\n"


def read(text: str, header: j48geo.Header | None = HEADER) -> j48geo.BoxTree:
    return j48geo.read_tree(text.encode(), header=header)


def problem(text: str, header: j48geo.Header | None = HEADER) -> str:
    with pytest.raises(j48geo.ModelReadError) as caught:
        read(text, header)
    return str(caught.value)


def test_a_block_becomes_nodes_in_preorder() -> None:
    tree = read(BANNER + TREE + FOOTER)
    assert [node.parent for node in tree.nodes] == [-1, 0, 0, 2, 2, 0]
    assert [(leaf.weight, leaf.errors, leaf.line) for leaf in tree.leaves] == [
        (3.0, 0.0, 4),
        (2.0, 1.0, 6),
        (4.0, 0.0, 7),
        (0.0, 0.0, 8),
    ]
    assert tree.notes == ()


def test_the_header_can_be_inferred_from_a_tree_alone() -> None:
    tree = read(TREE, None)
    assert tree.header.inferred
    assert tree.header.names == ("v", "x", "class")
    assert tree.header.attributes[0].values == ("p", "q", "r")
    assert tree.classes == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "x <= 1: a (1.0)\nx > 2: b (1.0)\n",
            "<bytes>:2:5: the threshold is 2 here and 1 in the branch above; expected `x > 1`",
        ),
        (
            BANNER + "x > 1: a (1.0)\nx <= 1: b (1.0)\n",
            "<bytes>:4:3: the branch `x >` comes first; expected `x <=` before it",
        ),
        (
            "y <= 1: a (1.0)\ny > 1: b (1.0)\n",
            "<bytes>:1:1: attribute 'y' is not in the data; expected one of x, v",
        ),
        (
            "x <= 1: c (1.0)\nx > 1: b (1.0)\n",
            "<bytes>:1:9: class 'c' is not declared in the data, whose class is 'class'; "
            "expected one of a, b",
        ),
        (
            "v = p: a (1.0)\nv = q: b (1.0)\n",
            "<bytes>:2:15: the text ends inside the tree: branches are still open; "
            "expected `v = r`",
        ),
        (
            "v = p: a (1.0)\nv = r: b (1.0)\nv = q: b (1.0)\n",
            "<bytes>:2:1: `v = r: b (1.0)` is not the next branch; "
            "expected `v = q` or `v != p`",
        ),
        (
            "v <= 3: a (1.0)\nv > 3: b (1.0)\n",
            "<bytes>:1:3: a numeric test on the nominal attribute 'v'; "
            "expected `=` and one of p, q, r",
        ),
        (
            "x = p: a (1.0)\nx = q: b (1.0)\n",
            "<bytes>:1:3: a nominal test on the numeric attribute 'x'; expected `<=` and a number",
        ),
        (
            "class = a: a (1.0)\nclass = b: b (1.0)\n",
            "<bytes>:1:1: the tree tests 'class', the class attribute; "
            "expected another class attribute",
        ),
        (
            "x <= 1\n|  x <= 0: a (1.0)\n|  x > 0: a (1.0)\nx > 1: b (1.0)\n",
            "<bytes>:2:1: broken indentation; expected '|' and three blanks for each level, "
            "then a branch such as `|   NAME <= NUMBER`",
        ),
        (
            "x <= 1\n|   |   x <= 0: a (1.0)\n|   |   x > 0: a (1.0)\nx > 1: b (1.0)\n",
            "<bytes>:2:1: the line is 2 levels deep; expected 1 level: "
            "a branch such as `|   NAME <= NUMBER`",
        ),
        (
            "x <= 1: a (1.0/2.0)\nx > 1: b (1.0)\n",
            "<bytes>:1:1: the leaf claims 2.0 errors in a weight of 1.0; "
            "expected at most its weight",
        ),
        (
            TREE + FOOTER.replace("4", "5"),
            "<bytes>:7:22: the footer says 5 leaves; the tree above it has 4",
        ),
        (
            TREE + FOOTER.replace("6", "8"),
            "<bytes>:9:21: the footer says 8 nodes; the tree above it has 6",
        ),
        (
            TREE + "x <= 1: a (1.0)\n",
            "<bytes>:6:1: the tree is complete before this line; "
            "expected a blank line or the footer",
        ),
        ("", "<bytes>: the file is empty; expected the text of a J48 tree"),
        ("  \n\t\n", "<bytes>: the file is empty; expected the text of a J48 tree"),
    ],
)  # fmt: skip
def test_an_error_says_where_what_and_what_was_expected(text: str, said: str) -> None:
    assert problem(text) == said


def test_a_class_that_is_a_number_does_not_fit_a_tree() -> None:
    with pytest.raises(j48geo.MismatchError, match="expected a nominal one"):
        read(TREE, HEADER.with_class("x"))


def test_binary_and_multiway_splits_are_told_apart_by_their_second_line() -> None:
    binary = read("v = q: a (3.0)\nv != q: b (2.0)\n")
    assert [split.kind for _, split in binary.splits] == ["binary"]
    assert [split.value for _, split in binary.splits] == [1]
    two = j48geo.Header(
        "r",
        (j48geo.Attribute("v", "nominal", ("p", "q")), HEADER.attributes[2]),
        class_index=1,
    )
    assert next(read("v = p: a (1.0)\nv = q: b (1.0)\n", two).splits)[1].kind == "multiway"
    assert next(read("v = p: a (1.0)\nv != p: b (1.0)\n", two).splits)[1].kind == "binary"


def test_printed_doubles_are_exact_and_rounded_ones_have_slack() -> None:
    rounded = read("x <= 2.5: a (1.0)\nx > 2.5: b (1.0)\n")
    doubles = read("x <= 2.0: a (1.0)\nx > 2.0: b (1.0)\n")
    long = read("x <= 0.04090000001: a (1.0)\nx > 0.04090000001: b (1.0)\n")
    slacks = [next(tree.splits)[1].slack for tree in (rounded, doubles, long)]
    assert slacks == [5e-7, 0.0, 0.0]


def test_several_trees_are_numbered_and_one_is_chosen() -> None:
    two = BANNER + TREE + FOOTER + "\n\n" + BANNER.replace("pruned", "unpruned") + ": b (9.0/4.0)\n"
    text = two + "\nNumber of Leaves  : \t1\n\nSize of the tree : \t1\n"
    found = read_trees(text.encode(), header=HEADER)
    assert [entry.title for entry in found.entries] == [
        "J48 pruned tree at line 1",
        "J48 unpruned tree at line 15",
    ]
    second = j48geo.read_tree(text.encode(), header=HEADER, tree=2)
    assert (second.size, second.leaves[0].errors) == (1, 4.0)
    with pytest.raises(j48geo.UnknownNameError, match=r"1\.\.2"):
        j48geo.read_tree(text.encode(), header=HEADER, tree=3)


def test_a_broken_tree_beside_a_good_one_is_an_error_only_if_it_is_asked_for() -> None:
    text = BANNER + TREE + FOOTER + "\n\n" + BANNER + "x <= 1: a (1.0)\n\n"
    assert read(text).size == 6
    with pytest.raises(j48geo.ModelReadError, match=r"still open|blank line"):
        j48geo.read_tree(text.encode(), header=HEADER, tree=2)


def test_reading_a_tree_never_changes_it_and_it_pickles() -> None:
    import pickle

    tree = read(BANNER + TREE + FOOTER)
    before = tree.digest()
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert len(tree.boxes) == 4
    assert tree.digest() == before
    with pytest.raises(AttributeError):
        tree.nodes = ()  # type: ignore[misc]


def test_weka_output_without_a_tree_says_so() -> None:
    text = (
        "=== Error on training data ===\n\n a  b   <-- classified as\n 9 0 | a = a\n 0 5 | b = b\n"
    )
    for header in (HEADER, None):
        assert problem(text, header) == (
            "<bytes>: Weka's output, but without a tree; "
            "expected the output of a J48 without the options -o and -p"
        )


def test_options_belong_to_the_run_that_printed_them() -> None:
    model = "=== Classifier model (full training set) ===\n\n" + BANNER + TREE + FOOTER
    evaluated = "\n\n=== Error on training data ===\n\nall well\n"
    text = "\nOptions: -A \n\n" + model + evaluated + "\n\n" + model + evaluated
    trees = [j48geo.read_tree(text.encode(), header=HEADER, tree=k) for k in (1, 2)]
    assert [tree.options.laplace for tree in trees] == [True, None]


def test_a_name_inside_the_block_is_no_options_line() -> None:
    header = j48geo.Header(
        "r", (j48geo.Attribute("Options: -A"), HEADER.attributes[2]), class_index=1
    )
    text = "Options: -A <= 1: a (3.0)\nOptions: -A > 1: b (2.0)\n"
    for whole in (text, BANNER + text):
        assert read(whole, header).options.laplace is None


def test_the_experimenter_names_the_options_before_the_block() -> None:
    line = "ClassifierSplitEvaluator: weka.classifiers.trees.J48 -A(version 1)Classifier model: \n"
    tree = read(line + BANNER + TREE + FOOTER)
    assert (tree.options.laplace, tree.size) == (True, 6)


def test_an_attribute_called_digraph_makes_no_graph() -> None:
    header = j48geo.Header("r", (j48geo.Attribute("digraph"), HEADER.attributes[2]), class_index=1)
    assert read("digraph <= 1: a (3.0)\ndigraph > 1: b (2.0)\n", header).size == 3


def test_a_whole_tree_of_other_data_is_a_misfit_and_a_broken_one_unreadable() -> None:
    with pytest.raises(FitError) as misfit:
        read("y <= 1: a (1.0)\ny > 1: b (1.0)\n")
    assert misfit.value.exit_code == 5
    assert isinstance(misfit.value, j48geo.MismatchError)
    with pytest.raises(j48geo.ModelReadError) as broken:
        read("y <= 1: a (1.0)\ny > 2: b (1.0)\n")
    assert broken.value.exit_code == 3


def test_only_wekas_own_footer_is_binding() -> None:
    footer = "\nNumber of Leaves: 9\n\nSize of tree : 4\n"
    tree = read(BANNER + TREE + footer)
    assert [note for note in tree.notes if "footer says" in note] == [
        "the footer says 9 leaves, the tree has 4",
        "the footer says 4 nodes, the tree has 6",
    ]


def test_arff_in_the_place_of_the_model_is_named() -> None:
    assert "this is ARFF data, not a tree" in problem("% c\n@relation r\n@attribute x numeric\n")


def test_a_value_that_comes_twice_is_refused_without_a_header() -> None:
    text = "v = p: a (1.0)\nv = q: b (1.0)\nv = q: b (1.0)\n"
    assert problem(text, None) == "<bytes>:3:1: the branch `v = q` comes twice"


B_TREE = """J48 pruned tree
------------------

x > 2 =  = v6: c1 (21.39/4.04)
x > 2 =  != v6
|   x > 2 = v20: c1 (3.95)
|   x > 2 != v20
|   |   x > 2 = v8: c1 (3.0)
|   |   x > 2 != v8: c0 (1306.66/18.7)

Number of Leaves  : 	4

Size of the tree : 	7
"""


def test_names_with_operators_are_read_without_a_header_from_a_tree_of_binary_splits() -> None:
    tree = read_tree(B_TREE.encode())
    assert [a.name for a in tree.header.attributes] == ["x > 2 = ", "x > 2", "class"]
    assert [split.kind for _, split in tree.splits] == ["binary"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "x <= 1E999: c (1.0)\nx > 1E999: d (1.0)\n",
        f"x <= 1: c ({'9' * 400}.0)\nx > 1: d (1.0)\n",
        f"x <= 1: c (1.0/{'9' * 400}.0)\nx > 1: d (1.0)\n",
    ],
)
def test_numbers_that_no_double_holds_are_refused(text: str) -> None:
    with pytest.raises(ModelReadError):
        read_tree(text.encode())


def test_values_beyond_those_that_a_node_lists_are_refused_by_name() -> None:
    text = b"x = a: c (1.0)\nx = b\n|   x = d: c (1.0)\n|   x != d: e (1.0)\n"
    with pytest.raises(ModelReadError) as caught:
        read_tree(text)
    assert str(caught.value) == (
        "<bytes>:1:1: attribute 'x' has the values a, b here and d elsewhere; "
        "expected the same values at every node; give the data for certainty"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{'n' * 9000} <= 1: c (1.0)\n{'n' * 9000} > 2: d (1.0)\n",
        f"x = {'v' * 9000}: c (1.0)\nx = {'v' * 9000}: d (1.0)\n",
        f"{'n' * 9000} > 1: c (1.0)\n{'n' * 9000} <= 1: d (1.0)\n",
        f"a = {'v' * 3000}: c (1.0)\na = w\n|   a = {'u' * 3000}: c (1.0)\n|   a = w: c (1.0)\n",
    ],
)
@pytest.mark.parametrize("known", [False, True])
def test_foreign_words_are_cut_in_messages(text: str, known: bool) -> None:
    header = Header("r", (Attribute("y"), Attribute("class", "nominal", ("c", "d"))), 1)
    with pytest.raises(ModelReadError) as caught:
        read_tree(text.encode(), header=header if known else None)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("parcels-unpruned-explorer36", 1e-6),
        ("standardised36", 1e-6),
        ("breast-cancer-reduced-error36", 1e-6),
        ("parcels-dot36", 1e-6),
        ("pima", 0.0),
        ("standardised", 0.0),
    ],
)
def test_a_tree_of_old_weka_compares_as_old_weka_does(
    fixtures_dir: Path, name: str, tolerance: float
) -> None:
    assert read_tree(fixtures_dir / name / "model.txt").tolerance == tolerance


def test_a_split_of_many_values_takes_time_in_proportion() -> None:
    def seconds(n: int) -> float:
        lines = "".join(f"a = v{i}: c{i % 2} (1.0)\n" for i in range(n))
        text = f"J48 pruned tree\n------------------\n\n{lines}"
        begin = time.process_time()
        tree = read_tree(text.encode())
        assert len(tree.leaves) == n
        return time.process_time() - begin

    seconds(100)
    assert seconds(24_000) < 5 * (seconds(6_000) + 0.2)  # 16 times where it was quadratic
