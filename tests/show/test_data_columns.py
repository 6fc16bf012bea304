from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from hand_made import WEATHER, odd_rows, weather_rows, weather_tree

from j48geo.arrays import Ints
from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.errors import UnknownNameError
from j48geo.score.prediction import predict
from j48geo.score.probabilities import Probabilities
from j48geo.score.ranking import ScoreCollector
from j48geo.score.scores import ScoredBatch
from j48geo.show.reports import predictions as predictions
from j48geo.show.reports import probabilities as proba
from j48geo.show.reports import ranking as rank
from j48geo.show.reports.data import data_to_csv
from j48geo.show.rows.column_kinds import TextColumn
from j48geo.show.rows.columns import Column, add_columns
from j48geo.show.rows.data_columns import data_columns, extend_header
from j48geo.show.rows.row_report import csv_rows, jsonl_rows, table_rows
from j48geo.show.text import Style


def named_rows() -> Dataset:
    """The rows of the weather with a name before them that the tree knows nothing of."""
    rows = weather_rows()
    names = (Attribute("who", "string"), *WEATHER.attributes)
    header = replace(WEATHER, attributes=names, class_index=len(WEATHER.attributes))
    X = np.column_stack([np.arange(len(rows.X)), rows.X])
    return Dataset(header, X, rows.weights, {0: [f"=no. {i}" for i in range(len(X))]})


def predicted(size: int = 15) -> Iterator[predictions.PredictedBlock]:
    tree, rows, given = weather_tree(), weather_rows(), named_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    for i in range(0, len(rows.X), size):
        part = slice(i, i + size)
        more = replace(given, X=given.X[part], weights=given.weights[part])
        prediction = predict(tree, counts, rows.X[part])
        yield predictions.PredictedBlock(i + 1, more, prediction)


def parsed(pieces: Iterator[str]) -> list[list[str]]:
    return list(csv.reader(StringIO("".join(pieces))))


@pytest.mark.parametrize("size", [4, 15])
def test_an_id_is_the_first_column_of_every_format(size: int) -> None:
    who = data_columns(named_rows().header, ["who"])
    without = parsed(
        predictions.prediction_report(WEATHER.classes, predicted(size)).format_rows("csv", WEATHER)
    )
    names = ["who", *(f"=no. {i}" for i in range(15))]
    table = parsed(
        predictions.prediction_report(WEATHER.classes, predicted(size)).format_rows(
            "csv", WEATHER, who
        )
    )
    assert table == [[name, *row] for name, row in zip(names, without, strict=True)]
    lines = "".join(
        predictions.prediction_report(WEATHER.classes, predicted(size)).format_rows(
            "jsonl", WEATHER, who
        )
    )
    objects = [json.loads(line) for line in lines.splitlines()]
    assert [list(x)[:2] for x in objects] == [["who", "row"]] * 15
    assert [x["who"] for x in objects] == names[1:]
    array = "".join(
        predictions.prediction_report(WEATHER.classes, predicted(size)).format_rows(
            "json", WEATHER, who
        )
    )
    assert json.loads(array) == objects
    format_table = "".join(
        predictions.prediction_report(WEATHER.classes, predicted(size)).table(who)
    )
    assert [line.split("  ")[0] for line in format_table.splitlines()[2:]] == names[1:]


def test_ids_are_guarded_in_safe_csv() -> None:
    who = data_columns(named_rows().header, ["who"])
    table = parsed(
        predictions.prediction_report(WEATHER.classes, predicted()).format_rows(
            "csv", WEATHER, who, safe=True
        )
    )
    assert [row[0] for row in table[:3]] == ["who", "'=no. 0", "'=no. 1"]


def test_all_columns_of_the_data_stand_before_ours() -> None:
    header = named_rows().header
    table = parsed(
        predictions.prediction_report(WEATHER.classes, predicted()).format_rows(
            "csv", WEATHER, data_columns(header)
        )
    )
    assert table[0][:6] == ["who", "outlook", "humidity", "windy", "play", "row"]
    assert [row[:5] for row in table] == parsed(data_to_csv(header, [named_rows()]))


def test_a_ranking_carries_the_row_that_each_line_is_about() -> None:
    given = named_rows()
    n = len(given.X)

    def rows_at(places: Ints) -> Dataset:
        return replace(given, X=given.X[places], weights=given.weights[places])

    scores = ScoreCollector(WEATHER.classes, "local")
    distance = np.arange(n, dtype=np.float64)
    zeros = np.zeros(n, dtype=np.intp)
    scores.add(ScoredBatch(distance, None, distance, zeros, zeros, None), given.class_values)
    ranked = scores.ranked(top=3)
    who = data_columns(given.header, ["who"])
    for text in (
        rank.ranking_report(ranked, rows_at).format_rows("jsonl", WEATHER, who),
        rank.ranking_report(ranked).format_rows("jsonl", WEATHER),
    ):
        objects = [json.loads(line) for line in "".join(text).splitlines()]
        assert [x.pop("who", f"=no. {x['row'] - 1}") for x in objects] == [
            *("=no. 14", "=no. 13", "=no. 12")
        ]
        assert list(objects[0])[-1] == "method"
        assert objects[0]["method"] == "local"
    assert (
        json.loads("".join(rank.ranking_report(ranked, rows_at).format_rows("json", WEATHER, who)))[
            0
        ]["who"]
        == "=no. 14"
    )
    assert parsed(rank.ranking_report(ranked, rows_at).format_rows("csv", WEATHER, who))[1][:3] == [
        "=no. 14",
        "1",
        "15",
    ]
    format_table = "".join(rank.ranking_report(ranked, rows_at).table(who))
    assert "method" not in format_table
    assert format_table.splitlines()[2].startswith("=no. 14  ")
    with pytest.raises(TypeError, match="rows_at"):
        "".join(rank.ranking_report(ranked).format_rows("csv", WEATHER, who))


def test_probabilities_carry_columns_into_every_object() -> None:
    def blocks() -> Iterator[proba.EstimatedBlock]:
        for block in predicted(4):
            p = block.prediction
            flags = np.zeros(len(p.leaf), dtype=np.intp)
            found = Probabilities("raw", p.distribution, None, None, flags)
            estimates = {"raw": found, "m": found}
            yield proba.EstimatedBlock(block.first_row, block.rows, p.predicted, estimates)

    def shown(form: str, *methods: str) -> Iterator[str]:
        made = proba.probability_report(WEATHER.classes, methods, 0, blocks())
        return made.format_rows(form, WEATHER, who)

    who = data_columns(named_rows().header, ["who"])
    lines = "".join(shown("jsonl", "raw", "m")).splitlines()
    objects = [json.loads(line) for line in lines]
    assert [(x["who"], x["row"], x["method"]) for x in objects[:3]] == [
        *(("=no. 0", 1, "raw"), ("=no. 0", 1, "m"), ("=no. 1", 2, "raw"))
    ]
    assert json.loads("".join(shown("json", "raw", "m"))) == objects
    table = parsed(shown("csv", "raw", "m"))
    assert [row[:2] for row in table[:2]] == [["who", "row"], ["=no. 0", "1"]]
    format_table = shown("table", "raw")
    assert "".join(format_table).splitlines()[2].startswith("=no. 0")


def test_one_of_our_names_gives_way_to_one_of_the_data() -> None:
    header = Header("h", (Attribute("row"), Attribute("predicted")))
    ours: list[Column[Dataset]] = [
        Column(name, TextColumn(), list) for name in ("row", "predicted", "x")
    ]
    made = add_columns(data_columns(header), ours, lambda rows: rows)
    assert [column.name for column in made] == ["row", "predicted", "row_", "predicted_", "x"]


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownNameError, match="nonsense"):
        data_columns(WEATHER, ["nonsense"])


def test_cells_of_every_type_are_carried_and_missing_ones_are_empty() -> None:
    rows = odd_rows()
    columns = data_columns(rows.header, timezone="UTC")
    table = parsed(csv_rows([rows], columns))
    inner = '{"rows":[[1.5],[null]],"weights":[1.0,0.5]}'
    assert table[1] == ["a: b (1.0)", "1970-01-02", "té\nxt", inner, "0.1", "don't"]
    assert table[3] == ["", "1970-01-01", "", "", "", ""]
    second = json.loads("".join(jsonl_rows([rows], columns)).splitlines()[1])
    assert list(second.values())[1:3] == [None, ""]
    assert list(second.values())[4] == "Infinity"
    format_table = "".join(table_rows([rows], columns)).splitlines()
    assert format_table[2].split()[-2:] == ["0.1", "don't"]
    assert "té\\nxt" in format_table[2]


def test_carried_texts_are_shortened_on_a_narrow_screen() -> None:
    header = Header("h", (Attribute("name", "string"), Attribute("x")))
    rows = Dataset(header, np.array([[0, 12345.5]]), np.ones(1), {0: ["n" * 50]})
    columns = data_columns(header)
    assert "n" * 50 in "".join(table_rows([rows], columns))
    last = "".join(table_rows([rows], columns, Style(24))).splitlines()[-1]
    assert last == f"{'n' * 8}…    12345.5"


def test_a_data_set_takes_only_columns_that_it_can_hold() -> None:
    column: Column[Dataset] = Column("words", TextColumn(), list)
    with pytest.raises(TypeError, match="words"):
        extend_header(WEATHER, [column])


def test_a_label_with_an_escape_sequence_stays_out_of_every_table() -> None:
    evil = Attribute("play", "nominal", ("\x1b[2Jyes", "no"))
    header = replace(WEATHER, attributes=(*WEATHER.attributes[:3], evil))
    blocks = [b._replace(rows=replace(b.rows, header=header)) for b in predicted()]
    format_table = "".join(predictions.prediction_report(header.classes, iter(blocks)).table())
    assert "\x1b" not in format_table
    assert "\\x1b[2Jyes" in format_table
    assert "\x1b[2Jyes" in "".join(
        predictions.prediction_report(header.classes, iter(blocks)).format_rows("csv", header)
    )
