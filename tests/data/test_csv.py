"""CSV as data for a header that is known."""

from __future__ import annotations

import gzip
import io
import math
from typing import BinaryIO, cast

import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.csv import open_csv, read_csv
from j48geo.data.stream import TableReading, open_data, read_data
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
    assert stream.notes == ["<bytes>: no class column; the class of every row is missing"]


def test_other_columns_are_ignored_with_a_note() -> None:
    data = read_csv(b"id,class,x,when,place name,more\na,no,1,,south,z\n", HEADER)
    assert data.notes == ("columns ignored: more",)


def test_an_empty_field_is_the_empty_label_if_there_is_one() -> None:
    assert read_csv((NAMES + "a,no,1,,\n").encode(), HEADER).cell(0, 1) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<bytes>: the file is empty; expected a line of names"),
        ("x,x,class\n", "<bytes>:1:2: two columns are called 'x'; expected one"),
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


# ------------------------------------------------------------------ how a table is written

PLAIN = Header("r", (Attribute("x"), Attribute("class", "nominal", ("no", "yes"))), 1)


@pytest.mark.parametrize(("mark", "word"), [(";", "semicolons"), ("\t", "tabs")])
def test_the_first_line_tells_what_separates_fields_and_it_is_said(mark: str, word: str) -> None:
    data = read_csv(f"class{mark}x\nyes{mark}1.5\n".encode(), PLAIN)
    assert cells(data) == [[1.5, "yes"]]
    assert data.notes == (f"fields are separated by {word}",)


def test_names_with_other_marks_do_not_mislead() -> None:
    header = Header("r", (Attribute("a;b;c"), Attribute("class", "nominal", ("no", "yes"))), 1)
    assert cells(read_csv(b"a;b;c,class\n1,no\n", header)) == [[1.0, "no"]]


def test_any_delimiter_can_be_named() -> None:
    data = read_csv(b"x|class\n1|no\n", PLAIN, how=TableReading(delimiter="|"))
    assert cells(data) == [[1.0, "no"]]


def test_a_decimal_comma_is_read_where_it_is_asked_for() -> None:
    comma = TableReading(decimal=",")
    assert cells(read_csv(b"x;class\n-1,5e2;no\n3;yes\n", PLAIN, how=comma)) == [
        [-150.0, "no"],
        [3.0, "yes"],
    ]
    with pytest.raises(DataReadError, match="expected ; between the fields"):
        read_csv(b"x,class\n1,no\n", PLAIN, how=comma)
    with pytest.raises(DataReadError, match=r"'1\.234,5' is no number for x"):
        read_csv(b"x;class\n1.234,5;no\n", PLAIN, how=comma)
    with pytest.raises(DataReadError, match="a decimal comma must be asked for"):
        read_csv(b"x;class\n1,5;no\n", PLAIN)


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbfx,class\r\n1,no\r\n",
        "x,class\n1,no\n".encode("utf-16"),
        gzip.compress(b"x,class\n1,no\n"),
        b'\n"x","class"\n\n"1","no"\n',
    ],
    ids=["utf-8 mark, CRLF", "utf-16", "gzip", "quotes and empty lines"],
)
def test_marks_line_ends_and_gzip_do_not_matter(raw: bytes) -> None:
    assert cells(read_csv(raw, PLAIN)) == [[1.0, "no"]]


def test_numbers_have_the_syntax_of_java() -> None:
    text = b"x,class\n1e3,no\n 0x1p3 ,no\n1d,no\n+.5,no\nNaN,no\n"
    assert [row[0] for row in cells(read_csv(text, PLAIN))] == [1000.0, 8.0, 1.0, 0.5, None]
    for wrong in (b"1_000", b"\xd9\xa3", b"true", b"1,5"):
        with pytest.raises(DataReadError, match="is no number for x"):
            read_csv(b'x,class\n"' + wrong + b'",no\n', PLAIN)


def test_a_question_mark_that_is_declared_is_a_label() -> None:
    header = Header("r", (Attribute("x", "nominal", ("?", "1")), PLAIN.attributes[1]), 1)
    assert cells(read_csv(b"x,class\n?,?\n1,\n", header)) == [["?", None], ["1", None]]


def test_unknown_labels_are_missing_and_counted_where_that_is_asked_for() -> None:
    text = b"x,class\n1,maybe\n2,no\n3,?\n4,perhaps\n"
    data = read_csv(text, PLAIN, how=TableReading(unknown="missing"))
    assert [row[1] for row in cells(data)] == [None, "no", None, None]
    assert data.notes == ("unknown labels taken as missing: 2 (class 2)",)


def test_rows_are_read_as_they_are_asked_for() -> None:
    class Endless(io.RawIOBase):
        """Names, and then rows for ever."""

        first = b"x,class\n"

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            head, self.first = self.first or b"1,no\n" * 100_000, b""
            size = min(len(head), len(buffer) // 5 * 5 if len(head) > 8 else len(head))
            buffer[:size] = head[:size]
            return size

    with open_csv(cast(BinaryIO, Endless()), PLAIN) as stream:
        assert len(next(iter(stream))) == 8192


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_line_of_names_may_be_longer_than_a_field_of_python(delimiter: str) -> None:
    names = [*(f"column{i}" for i in range(20_000)), "x", "class"]
    assert len(delimiter.join(names)) > 131_072
    rows = [["0"] * 20_000 + ["1.5", "no"]]
    text = "".join(f"{delimiter.join(row)}\n" for row in (names, *rows)).encode()
    assert cells(read_csv(text, PLAIN)) == [[1.5, "no"]]
