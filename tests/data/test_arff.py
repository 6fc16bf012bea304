"""What Weka's rules mean for headers, rows, notes and errors."""

from __future__ import annotations

import gzip
import math
import pickle

import pytest

from j48geo.core.dataset import Dataset
from j48geo.data.arff.stream import open_arff, read_arff
from j48geo.errors import DataReadError, UnknownNameError

HEADER = """\
@relation weather
@attribute outlook {sunny, overcast, rainy}
@attribute temperature numeric
@attribute play {yes, no}
@data
"""


def rows(text: str, header: str = HEADER) -> list[list[object]]:
    data = read_arff((header + text).encode())
    return [[data.cell(i, j) for j in range(len(data.header))] for i in range(len(data))]


def refusal(text: str | bytes, **options: str) -> str:
    with pytest.raises(DataReadError) as caught:
        read_arff(text.encode() if isinstance(text, str) else text, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_rows_hold_labels_numbers_and_missing_values() -> None:
    assert rows("sunny,85,no\nrainy,?,yes\n") == [["sunny", 85.0, "no"], ["rainy", None, "yes"]]


def test_an_undeclared_label_is_located_and_the_declared_ones_listed() -> None:
    text = HEADER + "sunny,85,no\ncloudy,80,yes\n"
    assert refusal(text) == (
        "<bytes>:7:1: label 'cloudy' is not declared for outlook; "
        "expected one of sunny, overcast, rainy"
    )


def test_an_error_shows_the_place_and_survives_pickling() -> None:
    with pytest.raises(DataReadError) as caught:
        read_arff((HEADER + "sunny, eighty, no\n").encode())
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.line, error.column, error.exit_code) == (6, 8, 4)
    assert error.caret() == "sunny, eighty, no\n       ^"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the file ends within the header; expected @relation"),
        ("@data\n", "1:1: '@data' is out of place; expected @relation"),
        ("@relation a b\n", "1:13: 'b' is out of place; expected the end of the line"),
        ("@relation r\n@data\n", "2:1: '@data' is out of place; expected @attribute"),
        (
            "@relation r\n@attribute a number\n@data\n",
            "2:14: 'number' is out of place; expected numeric, real, integer, string, date, "
            "relational or {labels}",
        ),
        (
            "@relation r\n@attribute a {x,\ny}\n",
            "2:17: the line ends too early; expected a word or }",
        ),
        ("@relation r\n@attribute a {x,y,x}\n@data\n", "2:19: label 'x' is declared twice"),
        (
            "@relation r\n@attribute a real\n@attribute a real\n@data\n",
            "3:12: attribute 'a' is declared twice",
        ),
        (
            "@relation r\n@attribute a real {x}\n@data\n",
            "2:20: 'x' is no weight; expected a number",
        ),
        (
            "@relation r\n@attribute b relational\n@attribute a real\n@end c\n@data\n",
            "4:6: @end c does not close b; expected @end b",
        ),
        (
            "@relation r\n@attribute d date yyyy-QQ\n@data\n",
            "2:19: date pattern 'yyyy-QQ' has an unknown letter 'Q'; "
            "expected a pattern of SimpleDateFormat",
        ),
        (
            HEADER + "sunny,85\n",
            "6:9: the line ends before the row is complete; expected 3 values",
        ),
        (
            HEADER + "{0 rainy, 0 sunny}\n",
            "6:11: index 0 comes after 0; expected rising indices",
        ),
        (HEADER + "{3 1}\n", "6:2: there is no attribute 3; expected 0..2"),
        (HEADER + "{0 sunny\n", "6:9: the sparse row is not closed; expected } on the same line"),
        (
            HEADER + "sunny,85,no,{}\n",
            "6:14: the weight is missing; expected {number} behind the row",
        ),
        (HEADER + "sunny,85,no,{2 3}\n", "6:16: the weight is not closed; expected }"),
        (
            HEADER + "sunny,85,no,{2} 3\n",
            "6:17: '3' behind the weight; expected the end of the line",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    assert refusal(text) == f"<bytes>:{message}"


def test_swallowed_tokens_are_counted_and_located() -> None:
    data = read_arff(
        (HEADER + "sunny,85,no,extra\nrainy,1,yes\nrainy,2,no x rainy,3,no\n").encode()
    )
    assert len(data) == 4
    assert data.notes == (
        "2 extra tokens behind complete rows ignored, as Weka does (first in line 6, 8)",
    )


def test_a_weight_that_is_no_number_is_swallowed_with_its_brace() -> None:
    data = read_arff(b"@relation r\n@attribute a real\n@data\n1 {abc 2\n3 {abc\n")
    assert data.X.tolist() == [[1.0], [2.0], [3.0]]


def test_weights_of_rows_are_kept() -> None:
    data = read_arff((HEADER + "sunny,1,no,{2.5}\n{1 7} {0}\nrainy,1,no {NaN}\n").encode())
    assert data.weights.tolist() == [2.5, 0.0, 1.0]


def test_a_value_may_go_on_in_the_next_line_behind_a_backslash() -> None:
    header = "@relation r\n@attribute s string\n@attribute n numeric\n@data\n"
    assert rows("'a\\\nb' 1\n'c' 2\n", header) == [["a\nb", 1.0], ["c", 2.0]]


def test_lines_are_counted_over_values_that_go_on() -> None:
    header = "@relation r\n@attribute s string\n@attribute n numeric\n@data\n"
    assert refusal(header + "'a\\\nb' 1\nc x\n").startswith("<bytes>:7:3: 'x' is no number")


def test_sparse_rows_leave_out_zeros_first_labels_and_first_strings() -> None:
    header = "@relation r\n@attribute n real\n@attribute c {a,b}\n@attribute s string\n@data\n"
    assert rows("{}\n{2 late}\n{0 -0, 1 b, 2 ?}\n", header) == [
        [0.0, "a", "late"],
        [0.0, "a", "late"],
        [0.0, "b", None],
    ]


def test_a_string_that_no_row_gives_is_empty() -> None:
    assert rows("{0 1}\n", "@relation r\n@attribute n real\n@attribute s string\n@data\n") == [
        [1.0, ""]
    ]


def test_nan_is_missing_and_infinity_stays() -> None:
    data = read_arff(b"@relation r\n@attribute a real\n@data\nNaN\n-Infinity\n")
    assert math.isnan(data.X[0, 0])
    assert data.X[1, 0] == -math.inf


def test_relational_values_hold_rows_with_weights() -> None:
    text = (
        "@relation r\n@attribute bag relational {3}\n@attribute u numeric\n@attribute s string\n"
        "@end BAG\n@attribute c {0,1}\n@data\n'1,x\\n2,\"y z\" {4}',1\n'',0\n?,0\n"
    )
    data = read_arff(text.encode())
    bag = data.cell(0, 0)
    assert isinstance(bag, Dataset)
    assert [bag.cell(0, 1), bag.cell(1, 1)] == ["x", "y z"]
    assert bag.weights.tolist() == [1.0, 4.0]
    empty = data.cell(1, 0)
    assert isinstance(empty, Dataset)
    assert len(empty) == 0
    assert data.cell(2, 0) is None
    assert data.header.attributes[0].weight == 3.0


def test_an_error_in_inner_rows_names_the_attribute() -> None:
    text = "@relation r\n@attribute b relational\n@attribute u numeric\n@end b\n@data\n'1\\nx'\n"
    assert refusal(text) == (
        "<bytes>:6:1: in the rows of b: 'x' is no number for u; expected a number or ?"
    )


def test_relations_inside_one_another_end_somewhere() -> None:
    depth = 200
    text = "@relation r\n" + "".join(f"@attribute a{i} relational\n" for i in range(depth))
    text += "@attribute x real\n" + "".join(f"@end a{i}\n" for i in reversed(range(depth)))
    assert "more than 100 relations inside one another" in refusal(text + "@data\n")


def test_keel_lines_are_skipped_with_a_note() -> None:
    data = read_arff(
        b"@relation iris\n@attribute a real [4.3, 7.9]\n@attribute c {A, B}\n"
        b"@inputs a\n@outputs c\n@data\n5.1, A\n"
    )
    assert data.X.tolist() == [[5.1, 0.0]]
    assert data.notes == (
        "KEEL's lines @inputs and @outputs were skipped, which Weka refuses (line 4, 5)",
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read_with_a_note(encoding: str) -> None:
    text = "@relation r\n@attribute 'größe' numeric\n@data\n1\n2\n"
    data = read_arff(text.encode(encoding))
    assert data.header.names == ("größe",)
    assert data.X.tolist() == [[1.0], [2.0]]
    assert data.notes == (f"{encoding.upper()} without a byte order mark was decoded",)


def test_an_encoding_that_is_named_is_not_guessed() -> None:
    text = "@relation r\n@attribute x numeric\n@data\n1\n"
    data = read_arff(text.encode("utf-16-le"), encoding="utf-16-le")
    assert data.notes == ()


def test_a_byte_order_mark_is_skipped_with_a_note() -> None:
    text = HEADER + "sunny,85,no\n"
    assert read_arff(text.encode("utf-8-sig")).notes == ("a byte order mark (UTF-8) was skipped",)
    data = read_arff(text.encode("utf-16"))
    assert len(data) == 1
    assert data.notes == ("a byte order mark (UTF-16) was skipped",)


def test_bytes_that_are_no_utf8_become_what_weka_makes_of_them() -> None:
    text = "@relation r\n@attribute c {café,x}\n@data\ncafé\n".encode("latin-1")
    data = read_arff(text)
    assert data.header.attributes[0].values == ("caf\ufffd", "x")
    assert data.X.tolist() == [[0.0]]
    assert "name the encoding" in data.notes[0]
    assert read_arff(text, encoding="latin-1").header.attributes[0].values == ("café", "x")


def test_gzip_is_recognised_by_its_bytes() -> None:
    assert len(read_arff(gzip.compress((HEADER + "sunny,85,no\n").encode()))) == 1


def test_dates_follow_the_time_zone() -> None:
    text = b"@relation r\n@attribute d date\n@data\n2001-04-03T12:12:12\n"
    assert read_arff(text).X[0, 0] == 986299932000
    assert read_arff(text, timezone="America/New_York").X[0, 0] == 986299932000 + 14400000
    with pytest.raises(UnknownNameError, match="unknown time zone 'Mars'"):
        read_arff(text, timezone="Mars")


@pytest.mark.parametrize(("choice", "index"), [("first", 0), ("last", 2), (2, 1), ("play", 2)])
def test_the_class_is_chosen_as_in_weka(choice: str | int, index: int) -> None:
    assert read_arff(HEADER.encode(), class_attribute=choice).header.class_index == index


def test_a_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown class attribute '9'"):
        read_arff(HEADER.encode(), class_attribute=9)


def test_a_stream_is_read_once() -> None:
    with open_arff((HEADER + "sunny,85,no\n").encode()) as stream:
        assert len(list(stream)) == 1
        with pytest.raises(DataReadError, match="the rows were read already"):
            next(iter(stream))


def test_noise_is_refused_at_once() -> None:
    assert "a line of more than 64 MiB" in refusal(bytes(70 << 20))
    assert "is out of place" in refusal(bytes(range(1, 256)) * 100_000)
    long_line = HEADER + "sunny,1,no " * 100_000 + "\n"
    assert "is no number" in refusal(long_line) or "is not declared" in refusal(long_line)
    assert "is no index" in refusal(HEADER + "{" * 10_000_000)


def test_keywords_ignore_case_as_java_does() -> None:
    text = "@relat\u0131on t\n@ATTRIBUTE a \u0130nteger\n@Data\n1\n"
    assert read_arff(text.encode()).header.attributes[0].type == "numeric"
