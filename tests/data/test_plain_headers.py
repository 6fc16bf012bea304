"""Plain `@attribute` lines are read by a short cut: the same header, the same errors."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.data.arff import header as arff_header
from j48geo.data.arff.stream import read_arff
from j48geo.errors import DataReadError

NAMES = [
    "a",
    "b",
    "A",
    "numeric",
    "@data",
    "x\\y",
    "'a'",
    '"b c"',
    "a%",
    "ä",
    "{",
    "a,b",
    "~|",
    "@end",
]
TYPES = [
    "numeric",
    "REAL",
    "Integer",
    "numeric {2}",
    "numeric % note",
    "string",
    "{u,v}",
    "",
    "reals",
]
ENDS = ["\n", "\r\n", "\r", "  \n", "\t\r\n", "\n\n", "\n% note\n", "\n@inputs a\n"]
LINES = st.builds(
    lambda start, keyword, blank, name, kind, end: f"{start}{keyword}{blank}{name} {kind}{end}",
    st.sampled_from(["", "", " ", "\t", ","]),
    st.sampled_from(["@attribute", "@ATTRIBUTE", "@Attribute", "@data", "@end"]),
    st.sampled_from([" ", "\t ", ",", ""]),
    st.sampled_from(NAMES),
    st.sampled_from(TYPES),
    st.sampled_from(ENDS),
)
NEVER = re.compile(rb"(?!)")


def outcome(text: str) -> object:
    """The header and the notes, or the error with its place and excerpt."""
    try:
        found = read_arff(text.encode())
    except DataReadError as error:
        return str(error), error.line, error.column, error.excerpt
    return found.header, found.notes


@given(
    st.lists(LINES, max_size=6),
    st.sampled_from(["@relation r\n", "", "@relation r @attribute\n", "@relation 'r\n"]),
    st.sampled_from(["@data\n", "@data", "", "@attribute last numeric", "@attribute z numeric\n"]),
)
def test_the_short_cut_reads_what_the_grammar_reads(lines: list[str], start: str, end: str) -> None:
    text = start + "".join(lines) + end
    by_short_cut = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arff_header, "_PLAIN", NEVER)
        assert by_short_cut == outcome(text)


def test_plain_lines_do_take_the_short_cut() -> None:
    seen: list[bytes] = []

    class Watched:
        def match(self, data: bytes, at: int) -> re.Match[bytes] | None:
            found = PLAIN.match(data, at)
            seen.extend(found.groups() if found else ())
            return found

    PLAIN = arff_header._PLAIN
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arff_header, "_PLAIN", Watched())
        read_arff(
            b"@relation r\n@attribute a numeric\n@attribute 'b' real\n@ATTRIBUTE c REAL\n@data\n"
        )
    assert seen == [b"a", b"c"]


def test_a_name_twice_in_plain_lines_is_named_with_its_place() -> None:
    text = "@relation r\n@attribute 'a' numeric\n@attribute b real\n  @attribute a real\n@data\n"
    with pytest.raises(DataReadError, match=r"attribute 'a' is declared twice") as caught:
        read_arff(text.encode())
    assert (caught.value.line, caught.value.column) == (4, 14)
