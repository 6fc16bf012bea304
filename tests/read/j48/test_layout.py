"""What (n/e) means in the texts of sensor tools: the printed total decides where it can."""

from __future__ import annotations

import pytest

import j48geo
from j48geo.show.rules import describe_tree

TREE = """x <= 2: a (9.0/4.0)
x > 2: b (6.0)

Number of Leaves  : \t2
Size of the tree : \t3


class:
 => a, b,
features:
 => x,

"""


@pytest.mark.parametrize(
    ("total", "weights", "notes"),
    [
        (
            "Total Number of Instances        : 19\n",
            [13.0, 6.0],
            ["(n/e) counts n right and e wrong cases here, as the printed total of 19 tells"],
        ),
        ("Total Number of Instances        : 15\n", [9.0, 6.0], []),
        (
            "",
            [9.0, 6.0],
            [
                "in some texts of this tool (n/e) means n right and e wrong: "
                "only training data can tell"
            ],
        ),
    ],
    ids=["right-and-wrong", "wrong-of-all", "open"],
)
def test_the_printed_total_decides_how_counts_are_read(
    total: str, weights: list[float], notes: list[str]
) -> None:
    tree = j48geo.read_tree((TREE + total).encode())
    assert [leaf.weight for leaf in tree.leaves] == weights
    assert [note for note in tree.notes if "n/e" in note] == notes
    assert j48geo.tree_text(tree).startswith("x <= 2: a (9.0/4.0)\n")


def test_show_explains_the_reading_that_is_in_force() -> None:
    summed = j48geo.load(TREE + "Total Number of Instances : 19\n")
    assert (
        "(9.0/4.0): 9.0 training rows of this class and 4.0 of another reached this leaf, 13 in all"
        in describe_tree(summed.tree)
    )
    plain = j48geo.load(TREE + "Total Number of Instances : 15\n")
    assert "weight 9.0 of training rows reached this leaf, 4.0 of it of another class" in (
        describe_tree(plain.tree)
    )


def test_a_tree_read_as_right_and_wrong_is_kept_so_in_a_model_file() -> None:
    summed = j48geo.load(TREE + "Total Number of Instances : 19\n")
    again = j48geo.load(summed.to("json"))
    assert again.tree.layout == summed.tree.layout
    assert [leaf.weight for leaf in again.tree.leaves] == [13.0, 6.0]


def test_the_class_that_is_not_declared_is_told_where_it_is_declared() -> None:
    data = b"@relation r\n@attribute y {a,b}\n@attribute x numeric\n@attribute z {c,d}\n@data\n"
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.load(b"x <= 2: a (9.0)\nx > 2: b (6.0)\n", data=j48geo.read_arff(data))
    assert str(caught.value).endswith(
        "class 'a' is not declared in the data, whose class is 'z'; expected one of c, d; it is a "
        "value of y: is that the class?"
    )
