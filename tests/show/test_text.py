from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.show.text import Style, display_width, format_number, shorten, text_table
from j48geo.text import to_one_line

TITLES = ["leaf", "class", "weight", "rule"]
RULE = "plas > 145 and 27.1 < mass <= 29.9 and 25 < age <= 61 and pres <= 82"
ROWS: list[list[object]] = [
    [1, "tested_negative", 1234.5, RULE],
    [2, "tested_positive", 0.0625, "(always)"],
]


def table(width: int | None, colour: bool = False) -> list[str]:
    return text_table(TITLES, ROWS, ["leaf", "weight"], Style(width, colour)).splitlines()


def test_without_a_limit_nothing_is_cut() -> None:
    assert table(None) == [
        "leaf  class            weight  rule",
        f"----  ---------------  ------  {'-' * len(RULE)}",
        f"   1  tested_negative  1234.5  {RULE}",
        "   2  tested_positive  0.0625  (always)",
    ]
    assert table(200) == table(None)


def test_the_last_text_is_folded_and_loses_no_word() -> None:
    lines = table(70)
    assert max(map(display_width, lines)) <= 70
    folded = [line[31:] for line in lines[2:-1]]
    assert len(folded) > 1
    assert " ".join(folded) == RULE
    assert all(not line[:31].strip() for line in lines[3:-1])


def test_labels_are_shortened_only_as_long_as_they_differ() -> None:
    lines = table(48)
    assert max(map(display_width, lines)) <= 48
    assert [line.split()[1] for line in (lines[2], lines[-1])] == ["tested_n…", "tested_p…"]
    narrow = "\n".join(table(10))
    assert "tested_n…" in narrow
    assert "tested_p…" in narrow


def test_long_labels_give_way_before_the_text_is_folded() -> None:
    rows = [["a" * 60, "x <= 1 and y > 2"], ["b" * 60, "x > 1"]]
    lines = text_table(["class", "rule"], rows, style=Style(40)).splitlines()
    assert lines[2] == f"{'a' * 21}…  x <= 1 and y > 2"
    assert len(lines) == 4


def test_a_row_that_is_too_wide_goes_on_in_another_line() -> None:
    titles = ["method", *"abcd", "flags"]
    rows = [["nearby", 0.125, 0.25, 0.5, 1.0, "first second third"]]
    assert text_table(titles, rows, "abcd", Style(26)).splitlines() == [
        "method      a     b    c",
        "    d  flags",
        "------  -----  ----  ---",
        "    -  ------------------",
        "nearby  0.125  0.25  0.5",
        "    1  first second third",
    ]


@given(st.integers(40, 120), st.lists(st.floats(0, 1e9), min_size=1, max_size=20))
def test_no_line_of_a_table_is_wider_than_the_screen(width: int, numbers: list[float]) -> None:
    titles = ["a label", *(f"number {i}" for i in range(len(numbers))), "rule"]
    row = ["x" * 90, *numbers, "y " * 90]
    lines = text_table(titles, [row], titles[1:-1], Style(width)).splitlines()
    assert max(map(display_width, lines)) <= width


@given(
    st.integers(1, 120),
    st.lists(st.tuples(st.text(max_size=40), st.floats(0, 1e9), st.text(max_size=60)), max_size=5),
)
def test_numbers_are_never_cut(width: int, rows: list[tuple[str, float, str]]) -> None:
    titles = ["label", "a long title over a number", "text"]
    cells = [[label, f"{x:.4f}", text] for label, x, text in rows]
    shown = text_table(titles, cells, titles[1:2], Style(width))
    for _, number, _ in cells:
        assert re.search(rf"(?<!\d){re.escape(number)}(?!\d)", shown)


@given(st.text(), st.integers(1, 30))
def test_a_shortened_text_fits_and_says_that_it_was_cut(text: str, width: int) -> None:
    short = shorten(text, width)
    assert display_width(short) <= width
    assert short == text or short.endswith("…")


@pytest.mark.parametrize("width", [None, 60])
def test_colour_is_used_only_if_it_is_asked_for(width: int | None) -> None:
    assert "\x1b" not in "".join(table(width))
    head, rule, *rows = table(width, colour=True)
    assert head.startswith("\x1b[1m")
    assert rule.startswith("\x1b[2m")
    assert "\x1b" not in "".join(rows)
    plain = [re.sub(r"\x1b\[\d+m", "", line) for line in (head, rule)]
    assert [*plain, *rows] == table(width)


@given(st.text())
def test_a_cell_sends_no_control_character(text: str) -> None:
    assert to_one_line(text).isprintable()
    shown = text_table([f"n({text})", "rule"], [[text, text]])
    assert all(line.isprintable() for line in shown.split("\n"))


def test_control_characters_are_spelled_out() -> None:
    assert text_table(["\x1b]0;t\x07"], [["a\tb\x9b2J"]]).splitlines() == [
        "\\x1b]0;t\\x07",
        "------------",
        "a\\tb\\x9b2J",
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.5, "0.5"),
        (0.00004, "4e-05"),
        (-0.00004, "-4e-05"),
        (0.0001, "0.0001"),
        (0.0, "0"),
        (-0.0, "0"),
        (1e15, "1e+15"),
        (123456.78909, "123456.7891"),
        (float("nan"), "?"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_a_number_for_people_is_never_rounded_to_nothing(number: float, text: str) -> None:
    assert format_number(number) == text
