from __future__ import annotations

from dataclasses import replace

from hand_made import chain_tree, odd_tree, one_leaf_tree, weather_rows, weather_tree

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, Leaf, Node, Split
from j48geo.decide.leaf_rules import leaf_rules
from j48geo.read.readers import read_tree
from j48geo.show.rules import describe_tree, explain_counts, rule_texts, rules_to_text
from j48geo.show.weka_text import tree_to_dot


def test_the_tree_is_shown_with_numbered_leaves_and_its_counts_explained() -> None:
    assert describe_tree(weather_tree()).splitlines() == [
        "J48 pruned tree: 5 leaves, size 8; classes of play: yes, no",
        "",
        "leaf  tree",
        "----  ----",
        "      outlook = sunny",
        "   1  |   humidity <= 75: yes (2.0)",
        "   2  |   humidity > 75: no (3.0)",
        "   3  outlook = overcast: yes (4.0)",
        "      outlook = rainy",
        "   4  |   windy = TRUE: no (2.0)",
        "   5  |   windy = FALSE: yes (4.0/1.0)",
        "",
        "How to read the counts, at leaf 5: (4.0/1.0): weight 4.0 of training rows reached this "
        "leaf, 1.0 of it of another class.",
        "",
        "leaf  class  weight  errors  support  confidence  rule",
        "----  -----  ------  ------  -------  ----------  ----------------------------------",
        "   1  yes         2       0    13.3%      100.0%  outlook = sunny and humidity <= 75",
        "   2  no          3       0    20.0%      100.0%  outlook = sunny and humidity > 75",
        "   3  yes         4       0    26.7%      100.0%  outlook = overcast",
        "   4  no          2       0    13.3%      100.0%  outlook = rainy and windy = TRUE",
        "   5  yes         4       1    26.7%       75.0%  outlook = rainy and windy = FALSE",
    ]


def test_training_data_adds_the_weight_of_each_class() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    lines = describe_tree(tree, counts).splitlines()
    assert lines[-7].split() == [
        *("leaf", "class", "weight", "errors", "support", "confidence", "n(yes)", "n(no)", "rule")
    ]
    assert lines[-1].split()[:8] == ["5", "yes", "4", "1", "26.7%", "75.0%", "3", "1"]


def test_counts_are_put_into_words() -> None:
    assert explain_counts(Leaf(0, 0, 253.41, 3.75, "(253.41/3.75)")) == (
        "(253.41/3.75): weight 253.41 of training rows reached this leaf, 3.75 of it of another "
        "class"
    )
    assert explain_counts(Leaf(0, 0, 14.0)) == (
        "(14.0): weight 14.0 of training rows reached this leaf, all of it of this class"
    )
    assert explain_counts(Leaf(0, 0, 0.0)) == (
        "(0.0): no training row reached this leaf; its class is that of its parent node"
    )
    assert explain_counts(Leaf(0, 0)).startswith("no counts: ")


def texts_of_rules(tree: BoxTree) -> list[str]:
    """The conditions of every leaf, in the order of the text."""
    return list(rule_texts(tree, leaf_rules(tree)))


def test_repeated_tests_of_an_attribute_become_one_interval() -> None:
    assert texts_of_rules(chain_tree(4)) == [
        "x <= 1",
        "1 < x <= 2",
        "2 < x <= 3",
        "3 < x <= 4",
        "x > 4",
    ]


def test_binary_splits_of_one_attribute_become_one_set() -> None:
    header = Header(
        "r",
        (Attribute("v", "nominal", tuple("abcde")), Attribute("c", "nominal", ("p", "q"))),
        1,
    )
    nodes = [Node(0, split=Split(0, "binary", value=0), children=(1, 2)), Node(1, 0, 0, 1, leaf=0)]
    for k in (1, 2):
        split = Split(0, "binary", value=k)
        nodes.append(Node(2 * k, 2 * k - 2, 1, k, split, (2 * k + 1, 2 * k + 2)))
        nodes.append(Node(2 * k + 1, 2 * k, 0, k + 1, leaf=k))
    nodes.append(Node(6, 4, 1, 3, leaf=3))
    tree = BoxTree(header, tuple(nodes), tuple(Leaf(i, 0, 1.0) for i in range(4)))
    assert texts_of_rules(tree) == ["v = a", "v = b", "v = c", "v in {d, e}"]


def test_a_rule_is_a_sentence_with_support_and_confidence() -> None:
    sentences = rules_to_text(weather_tree()).splitlines()
    assert sentences[4] == (
        "leaf 5: if outlook = rainy and windy = FALSE then yes (support 26.7%, confidence 75.0%)"
    )
    odd = rules_to_text(odd_tree()).splitlines()
    assert odd[0].endswith("then don't")
    assert odd[2].endswith("then don't (no training row reached it)")
    assert rules_to_text(one_leaf_tree()) == (
        "leaf 1: if (always) then yes (support 100.0%, confidence 64.3%)\n"
    )


def test_the_rules_of_a_tree_deeper_than_the_stack_are_made() -> None:
    assert len(leaf_rules(chain_tree(2000))) == 2001


def test_trees_with_odd_names_and_without_counts_are_shown() -> None:
    text = describe_tree(odd_tree())
    assert "   1  |   x < 0.30000000000000004: don't" in text.splitlines()
    bare = replace(
        weather_tree(), leaves=tuple(Leaf(i, 0) for i in range(5)), header=weather_tree().header
    )
    assert "No counts: the text does not say how many training rows" in describe_tree(bare)


def test_graphviz_output_is_that_of_weka() -> None:
    assert tree_to_dot(weather_tree()).splitlines() == [
        "digraph J48Tree {",
        'N0 [label="outlook" ]',
        'N0->N1 [label="= sunny"]',
        'N1 [label="humidity" ]',
        'N1->N2 [label="<= 75"]',
        'N2 [label="yes (2.0)" shape=box style=filled ]',
        'N1->N3 [label="> 75"]',
        'N3 [label="no (3.0)" shape=box style=filled ]',
        'N0->N4 [label="= overcast"]',
        'N4 [label="yes (4.0)" shape=box style=filled ]',
        'N0->N5 [label="= rainy"]',
        'N5 [label="windy" ]',
        'N5->N6 [label="= TRUE"]',
        'N6 [label="no (2.0)" shape=box style=filled ]',
        'N5->N7 [label="= FALSE"]',
        'N7 [label="yes (4.0/1.0)" shape=box style=filled ]',
        "}",
    ]
    odd = tree_to_dot(odd_tree()).splitlines()
    assert odd[1] == 'N0 [label="say \\"hi\\": 50\\%" ]'
    assert odd[2] == 'N0->N1 [label="= c\\\\d"]'


def test_rules_of_a_guessed_header_do_not_claim_to_know_every_value() -> None:
    text = b"""x = a: p (1.0)
x != a
|   x = b: p (1.0)
|   x != b: q (1.0)
"""
    tree = read_tree(text)
    assert texts_of_rules(tree) == ["x = a", "x = b", "x not in {a, b}"]
    tree = read_tree(b"x = a: p (1.0)\nx != a\n|   y <= 1: p (1.0)\n|   y > 1: q (1.0)\n")
    assert texts_of_rules(tree)[1] == "x != a and y <= 1"
