from __future__ import annotations

import pytest

from j48geo.data.small_tables import read_cost_matrix
from j48geo.errors import DataReadError


def test_wekas_file_and_matlabs_line_give_the_same() -> None:
    wanted = ((0.0, 5.0), (1.0, 0.0))
    weka = b"% Rows\tColumns\r\n2\t2\r\n% Matrix elements\r\n0.0\t5.0\r\n1.0\t0.0\r\n"
    assert read_cost_matrix(weka) == wanted
    assert read_cost_matrix(b"2 2\n0,5 % of the first\n1,0\n") == wanted
    assert read_cost_matrix(b"[0.0 5.0; 1.0 0.0]") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (b"", "<bytes>: no cost matrix in it"),
        (b"0 5\n1 0\n", "a matrix of 0 x 5; expected a square one"),
        (b"2 2\n0 5\n", "1 rows; expected 2"),
        (b"2 2\n0 5\n1 0\n0 0\n", "3 rows; expected 2"),
        (b"2 2\n0 5\n1\n", "3: 1 costs in a row; expected 2"),
        (b"2 2\n0 x\n1 0\n", "2: 'x' is no cost; expected a number"),
        (b"two\n", "'two' is not the size of a matrix"),
        (b"[0 1; 1 0", "no bracket ends the matrix"),
        (b"[0 1; 1]", "1 costs in a row; expected 2"),
    ],
)
def test_what_is_no_cost_matrix_is_refused_with_its_place(text: bytes, wanted: str) -> None:
    with pytest.raises(DataReadError) as caught:
        read_cost_matrix(text)
    assert wanted in str(caught.value)
