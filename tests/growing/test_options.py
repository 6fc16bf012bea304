"""What J48 refuses is refused, and what it accepts is taken as Weka takes it."""

from __future__ import annotations

import numpy as np
import pytest

from j48geo.data.arff.stream import read_arff
from j48geo.errors import DataReadError
from j48geo.growing.j48 import grow_j48
from j48geo.growing.options import GrowOptions, GrowOptionsError
from j48geo.show.weka_text import tree_text

HEAD = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"
ROWS = "".join(f"{i},{'b' if i > 25 or i % 9 == 0 else 'a'}\n" for i in range(40))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-U -S", "-U with -S"),
        ("-U -R", "-U with -R"),
        ("-U -C 0.3", "-C with -U"),
        ("-R -C 0.3", "-C with -R"),
        ("-N 4", "expected -R"),
        ("-Q 2", "expected -R"),
        ("-C 0", "more than 0"),
        ("-C 1", "less than 1"),
        ("-C nan", "more than 0"),
        ("-R -N 1", "at least 2"),
        ("-M", "no number follows"),
        ("-M x", "whole number"),
        ("-X", "no option of J48"),
    ],
)
def test_refused_options_say_why_in_one_line(words: str, said: str) -> None:
    with pytest.raises(GrowOptionsError, match=said) as caught:
        GrowOptions.of(words.split())
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


def test_the_confidence_has_32_bits() -> None:
    assert GrowOptions.of(["-C", "0.1"]).confidence == float(np.float32(0.1)) != 0.1
    assert GrowOptions.of(["-U", "-C", "0.25000000001"]).confidence == 0.25


def test_a_confidence_that_weka_cannot_compute_with_is_refused_where_it_is_needed() -> None:
    options = GrowOptions.of(["-C", "1e-10"])
    with pytest.raises(GrowOptionsError, match="too small"):
        grow_j48(read_arff((HEAD + ROWS).encode()), options)
    alone = grow_j48(read_arff((HEAD + "1,a\n2,a\n3,a\n").encode()), options)
    assert tree_text(alone).splitlines()[2] == ": a (3.0)"


def test_more_folds_than_rows_are_refused() -> None:
    with pytest.raises(GrowOptionsError, match="5 folds of 4 rows"):
        grow_j48(
            read_arff((HEAD + "1,a\n2,b\n3,a\n4,b\n5,?\n").encode()),
            GrowOptions.of(["-R", "-N", "5"]),
        )


@pytest.mark.parametrize(
    ("attribute", "target", "said"),
    [
        ("x numeric", "class numeric", "numeric class"),
        ("x numeric", "class {a}", "class of 1 label"),
        ("x string", "class {a,b}", "string attribute"),
        ("x relational\n@attribute y numeric\n@end x", "class {a,b}", "relational attribute"),
    ],
)
def test_data_that_j48_cannot_handle_is_refused(attribute: str, target: str, said: str) -> None:
    text = f"@relation r\n@attribute {attribute}\n@attribute {target}\n@data\n"
    with pytest.raises(DataReadError, match=said):
        grow_j48(read_arff(text.encode()))


def test_no_rows_are_one_leaf_of_the_first_class() -> None:
    for rows in ("", "1,?\n2,?\n"):
        tree = grow_j48(read_arff((HEAD + rows).encode()))
        assert tree_text(tree).startswith("J48 pruned tree\n------------------\n: a (0.0)\n")


def test_the_first_row_with_a_zero_gives_it_its_sign() -> None:
    rows = "-0.0,a\n0.0,a\n-1,a\n5,b\n6,b\n7,b\n"
    tree = grow_j48(read_arff((HEAD + rows).encode()))
    assert "x <= -0: a (3.0)" in tree_text(tree)
