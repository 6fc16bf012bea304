from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from math import inf, isfinite, nan
from typing import NamedTuple

import numpy as np
import pytest

from j48geo.arrays import Floats, Ints
from j48geo.show.rows.column_kinds import (
    ConstantColumn,
    FlagColumn,
    IntegerColumn,
    LabelColumn,
    LeafColumn,
    MarkColumn,
    NestedColumn,
    NumberColumn,
    TextColumn,
)
from j48geo.show.rows.columns import Column, csv_cell
from j48geo.show.rows.row_report import (
    csv_rows,
    csv_table,
    json_rows,
    jsonl_rows,
    jsonl_table,
    table_rows,
)
from j48geo.show.text import Style

NASTY = ("=1+1", 'say "hi", 100%', "é\n\x1b[31m", "-1")


class Block(NamedTuple):
    first: int
    label: Ints
    x: Floats


def columns(labels: tuple[str, ...] = NASTY) -> list[Column[Block]]:
    return [
        Column("row", IntegerColumn(), lambda b: range(b.first, b.first + len(b.x))),
        Column("a %s", LabelColumn(labels), lambda b: b.label, shared=True),
        Column("x", NumberColumn(), lambda b: b.x, shared=True),
        Column("leaf", LeafColumn(), lambda b: b.label),
        Column("kind", ConstantColumn("a%b"), lambda b: b.x),
    ]


def block(first: int = 1) -> Block:
    label = np.array([0, 1, 2, 3, -1, 1], dtype=np.intp)
    return Block(first, label, np.array([0.5, -0.0, nan, inf, 1e300, -0.0]))


def blocks() -> list[Block]:
    return [block(1), Block(7, np.empty(0, dtype=np.intp), np.empty(0)), block(7)]


def expected() -> list[dict[str, object]]:
    made = []
    for b in blocks():
        for i, (k, x) in enumerate(zip(b.label.tolist(), b.x.tolist(), strict=True)):
            label = None if k < 0 else NASTY[k]
            number = x if isfinite(x) else None
            leaf = None if k < 0 else k + 1
            made.append(
                {"row": b.first + i, "a %s": label, "x": number, "leaf": leaf, "kind": "a%b"}
            )
    return made


def once(b: Block) -> tuple[Ints, Block]:
    """The second row and the last are the same."""
    return np.array([0, 1, 2, 3, 4, 1])[: len(b.x)], Block(0, b.label[:5], b.x[:5])


def test_json_lines_and_the_array_are_what_json_itself_writes() -> None:
    lines = "".join(jsonl_rows(blocks(), columns()))
    dump = [json.dumps(x, ensure_ascii=False, separators=(",", ":")) for x in expected()]
    assert lines == "".join(f"{line}\n" for line in dump)
    assert "".join(json_rows(blocks(), columns())) == "[\n" + ",\n".join(dump) + "\n]\n"
    assert "".join(json_rows([], columns())) == "[]\n"


def test_csv_is_what_csv_itself_writes() -> None:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in columns()])
    for b in blocks():
        for i, (k, x) in enumerate(zip(b.label.tolist(), b.x.tolist(), strict=True)):
            label = "" if k < 0 else NASTY[k]
            number = "" if x != x else "Infinity" if x == inf else repr(x)
            writer.writerow([b.first + i, label, number, "" if k < 0 else k + 1, "a%b"])
    assert "".join(csv_rows(blocks(), columns())) == out.getvalue()


def test_rows_that_share_an_answer_are_written_as_if_they_did_not() -> None:
    whole = [block(1), block(7)]
    assert list(csv_rows(whole, columns(), sharing=once)) == list(csv_rows(whole, columns()))
    assert list(jsonl_rows(whole, columns(), sharing=once)) == list(jsonl_rows(whole, columns()))
    shared = list(table_rows(whole, columns(), sharing=once))
    assert shared == list(table_rows(whole, columns()))


def test_every_block_is_written_before_the_next_is_asked_for() -> None:
    asked: list[int] = []

    def coming() -> Iterator[Block]:
        for first in (1, 7, 13):
            asked.append(first)
            yield block(first)

    for pieces, head in (
        (jsonl_rows(coming(), columns()), 0),
        (csv_rows(coming(), columns()), 1),
        (table_rows(coming(), columns()), 1),
    ):
        asked.clear()
        for _ in range(head):
            next(pieces)
        assert asked == []
        next(pieces)
        assert asked == [1]


def test_a_row_may_have_several_objects() -> None:
    row, label, x, *_ = columns(("a", "b", "c", "d"))
    lines = "".join(jsonl_rows([block()], [row, label], [row, x])).splitlines()
    assert lines[:3] == ['{"row":1,"a %s":"a"}', '{"row":1,"x":0.5}', '{"row":2,"a %s":"b"}']
    assert len(lines) == 12


def test_a_sparse_key_is_left_out_where_there_is_nothing_to_say() -> None:
    names = FlagColumn(lambda bits: ["odd"] if bits & 1 else [], sparse=True)
    row = columns()[0]
    flags: Column[Block] = Column("flags", names, lambda b: b.label)
    lines = "".join(jsonl_rows([block()], [row, flags, columns()[4]])).splitlines()
    assert lines[0] == '{"row":1,"kind":"a%b"}'
    assert lines[1] == '{"row":2,"flags":["odd"],"kind":"a%b"}'


def test_an_object_is_null_as_a_whole_if_it_must_be() -> None:
    inner = [columns()[2]]
    for whole, third in ((True, "null"), (False, '{"x":null}')):
        column: Column[Block] = Column("d", NestedColumn(inner, whole=whole), lambda b: b)
        lines = "".join(jsonl_rows([block()], [column])).splitlines()
        assert lines[:3] == ['{"d":{"x":0.5}}', '{"d":{"x":-0.0}}', f'{{"d":{third}}}']


def test_people_see_marks_rounded_numbers_and_spelled_control_characters() -> None:
    shown = [
        columns()[1],
        Column("error", MarkColumn(), lambda b: b.label == 1),
        Column("x", NumberColumn(), lambda b: b.x, 6),
    ]
    lines = "".join(table_rows([block()], shown)).splitlines()
    assert lines[3] == 'say "hi", 100%    +    -0.0000'
    assert lines[4].split() == ["é\\n\\x1b[31m", "?"]
    assert lines[6].startswith("?  ")
    assert all(line.isprintable() for line in lines)
    coloured = "".join(table_rows([block()], shown, Style(colour=True))).splitlines()
    assert "  \x1b[31m+\x1b[0m  " in coloured[3]
    assert "\x1b" not in coloured[2]


def test_machine_formats_keep_control_characters() -> None:
    assert "\x1b[31m" in "".join(csv_rows([block()], columns()))
    lines = "".join(jsonl_rows([block()], columns())).splitlines()
    assert json.loads(lines[2])["a %s"] == NASTY[2]


def test_a_streamed_table_folds_its_last_text_to_what_is_left() -> None:
    words: Column[Block] = Column(
        "flags", TextColumn(), lambda b: ["one two three four five six"] * 6
    )
    shown = [columns(("a" * 30, "b", "c", "d"))[1], words]
    lines = "".join(table_rows([block()], shown, Style(42))).splitlines()
    assert lines[2:5] == [
        f"{'a' * 27}…  one two",
        f"{' ' * 30}three four",
        f"{' ' * 30}five six",
    ]
    assert max(map(len, lines)) <= 42


def test_safe_csv_guards_texts_and_titles_but_no_number() -> None:
    column: Column[Block] = Column("@x", NumberColumn(), lambda b: -np.abs(b.x))
    text = "".join(csv_rows([block()], [columns()[1], column], safe=True))
    table = list(csv.reader(StringIO(text)))
    assert table[0] == ["a %s", "'@x"]
    assert [row[0] for row in table[1:6]] == ["'=1+1", NASTY[1], NASTY[2], "-1", ""]
    assert [row[1] for row in table[1:5]] == ["-0.5", "-0.0", "", "-Infinity"]
    assert csv_table(["f"], [["+a"], [-1.5], [None]], safe=True) == 'f\n\'+a\n-1.5\n""\n'


@pytest.mark.parametrize("text", ["=a", "+a", "-a", "@a", "\ta", "\ra", "-"])
def test_what_looks_like_a_formula_is_guarded(text: str) -> None:
    assert next(csv.reader(StringIO(csv_cell(text, safe=True), newline=""))) == [f"'{text}"]
    assert next(csv.reader(StringIO(csv_cell(text), newline=""))) == [text]


def test_a_small_table_is_written_from_its_rows() -> None:
    rows: list[list[object]] = [[1, "a,b", None, True, 0.5], [2, "", 3.0, False, inf]]
    titles = ["n", "t", "x", "b", "y"]
    assert csv_table(titles, rows) == 'n,t,x,b,y\n1,"a,b",,True,0.5\n2,,3,False,Infinity\n'
    assert jsonl_table(titles, rows[:1]) == '{"n":1,"t":"a,b","x":null,"b":true,"y":0.5}\n'
