from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from math import nan

import numpy as np
from hand_made import WEATHER, odd_rows, weather_rows

from j48geo.core.dataset import Attribute, Dataset, DataSummary, Header
from j48geo.show.reports.data import (
    data_to_csv,
    data_to_json,
    data_to_jsonl,
    summary_to_text,
)


def test_json_holds_labels_texts_inner_rows_and_null_for_missing() -> None:
    rows = odd_rows()
    record = json.loads("".join(data_to_json(rows.header, [rows])))
    assert list(record) == ["relation", "attributes", "rows", "weights"]
    assert record["relation"] == "odd\nname"
    assert record["attributes"][:4] == [
        {
            "name": 'say "hi": 50%',
            "type": "nominal",
            "values": ["a: b (1.0)", "c\\d", "é ü", ""],
            "weight": 1.0,
        },
        {"name": "d", "type": "date", "format": "yyyy-MM-dd", "weight": 2.5},
        {"name": "s", "type": "string", "weight": 1.0},
        {
            "name": "bag",
            "type": "relational",
            "attributes": [{"name": "u", "type": "numeric", "weight": 1.0}],
            "weight": 1.0,
        },
    ]
    assert record["rows"] == [
        [
            "a: b (1.0)",
            86400000.0,
            "té\nxt",
            {"rows": [[1.5], [None]], "weights": [1.0, 0.5]},
            0.1,
            "don't",
        ],
        ["", None, "", {"rows": [], "weights": []}, "Infinity", "日本"],
        [None, 0.0, None, None, None, None],
    ]
    assert record["weights"] == [1.0, 2.5, 1.0]


def test_json_of_many_blocks_is_that_of_one() -> None:
    rows = weather_rows()
    blocks = [
        replace(rows, X=rows.X[i : i + 4], weights=rows.weights[i : i + 4]) for i in range(0, 15, 4)
    ]
    assert "".join(data_to_json(WEATHER, blocks)) == "".join(data_to_json(WEATHER, [rows]))
    assert "".join(data_to_jsonl(WEATHER, blocks)) == "".join(data_to_jsonl(WEATHER, [rows]))


def test_json_of_no_rows_is_json() -> None:
    record = json.loads("".join(data_to_json(WEATHER, [])))
    assert (record["rows"], record["weights"]) == ([], [])


def test_numbers_keep_every_bit() -> None:
    header = Header("r", (Attribute("x"),))
    x = np.random.default_rng(3).standard_normal((500, 1)) * 10.0 ** np.arange(-250, 250)[:, None]
    x[:2, 0] = 0.0, -0.0
    rows = Dataset(header, x, np.ones(500))
    record = json.loads("".join(data_to_json(header, [rows])))
    assert np.array(record["rows"]).tobytes() == x.tobytes()
    table = list(csv.reader(StringIO("".join(data_to_csv(header, [rows])))))
    assert np.array(table[1:], dtype=np.float64).tobytes() == x.tobytes()


def test_json_lines_are_numbered_from_one_and_name_their_cells() -> None:
    lines = "".join(data_to_jsonl(WEATHER, [weather_rows()])).splitlines()
    assert lines[0] == (
        '{"row":1,"weight":1.0,'
        '"values":{"outlook":"sunny","humidity":70.0,"windy":"TRUE","play":"yes"}}'
    )
    assert json.loads(lines[-1])["row"] == 15


def test_csv_quotes_what_needs_it_and_shows_missing_as_a_question_mark() -> None:
    rows = odd_rows()
    table = list(csv.reader(StringIO("".join(data_to_csv(rows.header, [rows])))))
    assert table[0] == list(rows.header.names)
    assert table[1][:3] == ["a: b (1.0)", "86400000", "té\nxt"]
    assert table[3] == ["?", "0", "?", "?", "?", "?"]


def test_the_summary_counts_labels_ranges_and_missing_cells() -> None:
    summary = DataSummary(WEATHER)
    rows = weather_rows()
    X = rows.X.copy()
    X[0, 1] = nan
    summary.add(replace(rows, X=X[:7], weights=rows.weights[:7]))
    summary.add(replace(rows, X=X[7:], weights=rows.weights[7:]))
    assert summary_to_text(summary).splitlines() == [
        "weather: 15 rows, 4 attributes, class play",
        "",
        "#  attribute  type             missing  values",
        "-  ---------  ---------------  -------  ----------------------------",
        "1  outlook    nominal                0  sunny 5, overcast 4, rainy 6",
        "2  humidity   numeric                1  70 to 90, mean 81.4286",
        "3  windy      nominal                0  TRUE 4, FALSE 11",
        "4  play       nominal (class)        0  yes 9, no 6",
    ]


def test_the_summary_shows_weights_dates_and_inner_attributes() -> None:
    summary = DataSummary(odd_rows().header)
    summary.add(odd_rows())
    text = summary_to_text(summary)
    assert "3 rows of total weight 4.5" in text
    assert "1970-01-01 to 1970-01-02 UTC" in text
    assert "inner attributes: u" in text
    assert "0.1 to Infinity" in text


def test_the_summary_of_no_rows_says_so() -> None:
    assert "no known value" in summary_to_text(DataSummary(WEATHER))
