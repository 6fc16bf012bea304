from __future__ import annotations

from dataclasses import replace

from hand_made import WEATHER_TEXT, chain_tree, odd_tree, one_leaf_tree, weather_tree

from j48geo.core.tree import Split, TreeLayout
from j48geo.show.weka_text import tree_text


def test_a_tree_is_written_as_weka_prints_it() -> None:
    assert tree_text(weather_tree()) == WEATHER_TEXT


def test_a_tree_of_one_leaf_has_no_blank_line_under_the_hyphens() -> None:
    text = tree_text(one_leaf_tree())
    assert text.startswith("J48 pruned tree\n------------------\n: yes (14.0/5.0)\n\nNumber of")
    assert text.endswith("Number of Leaves  : \t1\n\nSize of the tree : \t1\n")


def test_numbers_without_a_token_are_printed_as_weka_would() -> None:
    tree = weather_tree()
    split = replace(tree.nodes[1].split or Split(1, "numeric"), threshold=0.1234565, token="")
    nodes = (tree.nodes[0], replace(tree.nodes[1], split=split), *tree.nodes[2:])
    bare = replace(tree, nodes=nodes, leaves=tuple(replace(leaf, token="") for leaf in tree.leaves))
    assert tree_text(bare) == WEATHER_TEXT.replace("75", "0.123456")
    binary = replace(bare, options=replace(bare.options, binary=True))
    assert "humidity <= 0.1234565:" in tree_text(binary)
    old = replace(bare, options=replace(bare.options, old_weka=True))
    assert "humidity <= 0.123457:" in tree_text(old)


def test_binary_splits_open_thresholds_and_odd_names_are_written_raw() -> None:
    lines = tree_text(odd_tree()).splitlines()
    assert lines[0] == "J48 unpruned tree"
    assert lines[3:9] == [
        'say "hi": 50% = c\\d',
        "|   x < 0.30000000000000004: don't",
        "|   x >= 0.30000000000000004: 日本 (253.41/3.75)",
        'say "hi": 50% != c\\d',
        "|   d <= ∞: don't (0.0)",
        "|   d >= ∞: 日本 (1.13200026E8/0.0)",
    ]


def test_without_banner_and_footer_only_the_branches_are_written() -> None:
    tree = replace(weather_tree(), layout=TreeLayout("edgeai", "", ": ", " >  ", ""))
    text = tree_text(tree)
    assert text.startswith("outlook = sunny\n|   humidity <= 75: yes (2.0)\n|   humidity >  75: no")
    assert text.endswith("windy = FALSE: yes (4.0/1.0)\n")


def test_a_tree_deeper_than_the_stack_is_written() -> None:
    lines = tree_text(chain_tree(3000)).splitlines()
    assert lines[3 + 2999] == "|   " * 2999 + "x <= 1: a (1.0)"
    assert lines[-1] == "Size of the tree : \t6001"
