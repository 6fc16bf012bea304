from __future__ import annotations

import pytest

from j48geo.data.small_tables import read_label_table, read_score_table
from j48geo.errors import DataReadError, UnknownNameError

ARFF = b"""% scores
@relation r
@attribute kind {x,y}
@attribute s numeric
@attribute truth {no,yes}
@data
x,0.5,yes
y,?,no
x,0.1,no, {2}
"""


def test_arff_keeps_weights_and_the_order_of_classes() -> None:
    found = read_score_table(ARFF, "s")
    assert found.classes == ("no", "yes")
    assert (found.scores, found.actual, found.weights) == ((0.5, 0.1), (1, 0), (1.0, 2.0))
    assert found.left_out == 1
    assert read_score_table(ARFF, "s", "kind").actual == (0, 0)


@pytest.mark.parametrize(
    ("raw", "score", "actual", "wanted"),
    [
        (b"score,actual\n1\n", "score", None, "<bytes>:2: 1 cells; expected 2"),
        (b"\xff\xfe", "score", None, "not UTF-8"),
        (b"score,actual\n1," + b"a" * 200_000, "score", None, "<bytes>:2: not CSV: field larger"),
        (ARFF, "kind", None, "attribute 'kind' is not numeric"),
        (ARFF, "s", "s", "attribute 's' is not nominal"),
        (b"@relation r\n@attribute s numeric\n@data\n1\n", "s", None, "no nominal attribute"),
    ],
)
def test_what_holds_no_scores_is_refused(
    raw: bytes, score: str, actual: str | None, wanted: str
) -> None:
    with pytest.raises(DataReadError) as caught:
        read_score_table(raw, score, actual)
    assert wanted in str(caught.value)


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'p'; known: kind, s, truth"):
        read_score_table(ARFF, "p")


def test_labels_come_from_csv_and_json_and_a_tree_is_neither() -> None:
    assert read_label_table(b'{"leaves":[{"leaf":2,"label":"a"}]}', "f") == {2: "a"}
    assert read_label_table(b"own,leaf,label\nb,2,a\n", "f") == {2: "a"}
    for raw in (b"x <= 2: a (3.0)\n", b'{"format":"j48geo tree","leaves":[]}', b"{", b"{}"):
        assert read_label_table(raw, "f") is None
