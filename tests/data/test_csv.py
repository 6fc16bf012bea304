"""CSV as data for a header that is known."""

from __future__ import annotations

import math

import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.csv import open_csv, read_csv
from j48geo.data.files import open_data, read_data
from j48geo.errors import DataReadError

HEADER = Header(
    "r",
    (
        Attribute("x"),
        Attribute("place name", "nominal", ("north, west", "south", "")),
        Attribute("when", "date", format="yyyy-MM-dd"),
        Attribute("id", "string"),
        Attribute("class", "nominal", ("no", "yes")),
    ),
    class_index=4,
)
NAMES = "id,class,x,when,place name\n"


def cells(data: Dataset) -> list[list[object]]:
    return [[data.cell(i, j) for j in range(len(data.header))] for i in range(len(data))]


def refusal(text: str) -> str:
    with pytest.raises(DataReadError) as caught:
        read_csv(text.encode(), HEADER)
    return str(caught.value)


def test_columns_are_matched_by_name_in_any_order() -> None:
    text = NAMES + 'a,yes,1.5,2001-04-03,"north, west"\nb,?,,?,south\n\n'
    assert cells(read_csv(text.encode(), HEADER)) == [
        [1.5, "north, west", 986256000000.0, "a", "yes"],
        [None, "south", None, "b", None],
    ]


def test_a_line_of_empty_fields_is_a_case_with_everything_missing() -> None:
    header = Header("r", (Attribute("x"), Attribute("class", "nominal", ("no", "yes"))), 1)
    data = read_csv(b"x,class\n1,no\n,\n  ,?\n\n   \n2,yes\n", header)
    assert cells(data) == [[1.0, "no"], [None, None], [None, None], [2.0, "yes"]]


def test_an_only_field_in_quotes_is_a_case_and_an_empty_line_is_none() -> None:
    header = Header("r", (Attribute("x"),))
    assert cells(read_csv(b'x\n""\n\n1\n', header)) == [[None], [1.0]]


def test_quoted_fields_hold_quotes_and_line_ends() -> None:
    data = read_csv((NAMES + '"a ""b""\nc",no,1,,south\r\n').encode(), HEADER)
    assert data.cell(0, 3) == 'a "b"\nc'


def test_the_class_may_be_absent() -> None:
    with open_csv(b"x,place name,when,id\n1,south,,i\n", HEADER) as stream:
        (block,) = stream
    assert math.isnan(block.X[0, 4])
    assert stream.notes == ["the class column is absent: every class is missing"]


def test_other_columns_are_ignored_with_a_note() -> None:
    data = read_csv(b"id,class,x,when,place name,more\na,no,1,,south,z\n", HEADER)
    assert data.notes == ("columns ignored: more",)


def test_an_empty_field_is_the_empty_label_if_there_is_one() -> None:
    assert read_csv((NAMES + "a,no,1,,\n").encode(), HEADER).cell(0, 1) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<bytes>: the file is empty; expected a line of names"),
        (
            "x,class\n",
            "<bytes>:1:1: no column is called place name; expected it among x, class",
        ),
        ("x,x,class\n", "<bytes>:1:2: two columns are called x"),
        (
            NAMES + "a,no,1,,south\nb,maybe,1,,south\n",
            "<bytes>:3:2: label 'maybe' is not declared for class; expected one of no, yes",
        ),
        (
            NAMES + "a,no,one,,south\n",
            "<bytes>:2:3: 'one' is no number for x; expected a number, ? or nothing",
        ),
        (
            NAMES + "a,no,1,2001-02-30,south\n",
            "<bytes>:2:4: '2001-02-30' is no date for when; expected yyyy-MM-dd",
        ),
        (NAMES + "a,no\n", "<bytes>:2:1: 2 fields; expected 5 as in the first line"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_field(text: str, message: str) -> None:
    assert refusal(text) == message


def test_a_relational_column_cannot_come_from_csv() -> None:
    header = Header("r", (Attribute("bag", "relational", attributes=(Attribute("u"),)),))
    with pytest.raises(DataReadError, match="bag is relational"):
        read_csv(b"bag\n1\n", header)


def test_many_rows_come_in_blocks() -> None:
    text = (NAMES + "a,no,1,,south\n" * 20_000).encode()
    with open_csv(text, HEADER) as stream:
        sizes = [len(block) for block in stream]
    assert sum(sizes) == 20_000
    assert len(sizes) == 3


def test_the_content_tells_arff_from_csv() -> None:
    arff = b"% comment\n\n@RELATION r\n@attribute a numeric\n@data\n1\n"
    assert read_data(arff, header=HEADER).header.names == ("a",)
    assert read_data((NAMES + "a,no,1,,south\n").encode(), header=HEADER).header is HEADER
    with pytest.raises(DataReadError, match="expected @relation"):
        open_data(NAMES.encode())


def test_an_empty_file_is_neither() -> None:
    with pytest.raises(DataReadError, match="the file ends within the header"):
        open_data(b"", header=HEADER)
