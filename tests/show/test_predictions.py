from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import StringIO
from math import nan

import numpy as np
import pytest
from hand_made import WEATHER, weather_rows, weather_tree

from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Header
from j48geo.score.prediction import PredictedBlock, PredictionTally, predict
from j48geo.show.reports.predictions import (
    format_weka_decimal,
    prediction_report,
    prediction_sentences,
    predictions_to_weka,
)
from j48geo.show.rows.data_columns import extend_header, extend_rows

CASES = np.array(
    [
        [0, 70, 0, 0],
        [2, 80, 1, 1],
        [0, nan, 0, nan],
        [nan, 70, 0, 1],
    ],
    dtype=np.float64,
)


def shown(
    form: str, blocks: Iterable[PredictedBlock], header: Header = WEATHER, **how: bool
) -> str:
    return "".join(prediction_report(header.classes, blocks, **how).format_rows(form, header))


def predicted(size: int = 4) -> Iterator[PredictedBlock]:
    tree, training = weather_tree(), weather_rows()
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    for i in range(0, len(CASES), size):
        X = CASES[i : i + size]
        rows = replace(training, X=X, weights=np.ones(len(X)))
        yield PredictedBlock(i + 1, rows, predict(tree, counts, X))


def test_json_lines_follow_the_contract() -> None:
    lines = shown("jsonl", predicted()).splitlines()
    assert lines[0] == (
        '{"row":1,"leaf":1,"predicted":"yes","classified":"yes",'
        '"distribution":{"yes":1.0,"no":0.0}}'
    )
    assert lines[1] == (
        '{"row":2,"leaf":5,"predicted":"yes","classified":"yes",'
        '"distribution":{"yes":0.75,"no":0.25}}'
    )
    third = json.loads(lines[2])
    assert (third["row"], third["leaf"], third["predicted"]) == (3, None, "no")
    assert third["distribution"] == {"yes": 0.4, "no": 0.6}


@pytest.mark.parametrize("size", [1, 2, 3])
def test_blocks_do_not_show(size: int) -> None:
    for form in ("jsonl", "json", "csv", "table", "arff"):
        assert shown(form, predicted(size)) == shown(form, predicted())
    whole = "".join(predictions_to_weka(WEATHER, predicted()))
    assert "".join(predictions_to_weka(WEATHER, predicted(size))) == whole


def test_json_is_an_array_of_the_same_objects() -> None:
    lines = shown("jsonl", predicted()).splitlines()
    record = json.loads(shown("json", predicted()))
    assert record == [json.loads(line) for line in lines]
    assert json.loads(shown("json", [])) == []


def test_csv_has_one_column_a_class_and_ends_with_the_actual_one() -> None:
    table = list(csv.reader(StringIO(shown("csv", predicted()))))
    assert table[0] == ["row", "leaf", "predicted", "classified", "p(yes)", "p(no)", "actual"]
    assert table[2] == ["2", "5", "yes", "yes", "0.75", "0.25", "no"]
    assert table[3] == ["3", "", "no", "no", "0.4", "0.6", ""]


def test_wekas_layout_marks_errors_and_quotes_only_the_actual_label() -> None:
    header = replace(
        WEATHER,
        attributes=(*WEATHER.attributes[:3], Attribute("play", "nominal", ("say yes", "no"))),
    )

    def blocks() -> Iterator[PredictedBlock]:
        for block in predicted():
            yield block._replace(rows=replace(block.rows, header=header))

    assert "".join(predictions_to_weka(header, blocks())).splitlines()[:4] == [
        "inst#,actual,predicted,error,prediction",
        "1,1:'say yes',1:say yes,,1",
        "2,2:no,1:say yes,+,0.75",
        "3,1:?,2:no,,0.6",
    ]
    assert "".join(predictions_to_weka(header, blocks(), distribution=True)).splitlines()[:3] == [
        "inst#,actual,predicted,error,distribution,",
        "1,1:'say yes',1:say yes,,*1,0",
        "2,2:no,1:say yes,+,*0.75,0.25",
    ]


def test_decimals_are_rounded_half_up_as_weka_does() -> None:
    shown = [format_weka_decimal(x, n) for x, n in ((0.98521, 3), (1.0, 3), (0.0005, 3), (0.25, 1))]
    assert shown == ["0.985", "1", "0.001", "0.3"]
    assert format_weka_decimal(0.9999, 3) == "1"
    assert format_weka_decimal(2 / 3, 0) == "1"


def test_the_table_shows_actual_and_predicted_side_by_side() -> None:
    assert shown("table", predicted()).splitlines()[:5] == [
        "    row   leaf  actual     predicted  error  p(yes)  p(no)",
        "-------  -----  ---------  ---------  -----  ------  ------",
        "      1      1  yes        yes               1.0000  0.0000",
        "      2      5  no         yes          +    0.7500  0.2500",
        "      3      -  ?          no                0.4000  0.6000",
    ]


def test_what_the_text_cannot_give_is_null_and_said() -> None:
    tree = weather_tree()
    three = Attribute("play", "nominal", ("yes", "no", "maybe"))
    header = replace(WEATHER, attributes=(*WEATHER.attributes[:3], three))
    tree = replace(tree, header=header)
    rows = replace(weather_rows(), header=header)
    block = PredictedBlock(1, rows, predict(tree, counts_from_text(tree), rows.X))
    last = shown("jsonl", [block], header).splitlines()[-1]
    assert last == (
        '{"row":15,"leaf":5,"predicted":"yes","classified":"yes","distribution":null,'
        '"flags":["no-distribution"]}'
    )
    flagged = shown("csv", [block], header, flags=True).splitlines()
    assert flagged[0].endswith("p(maybe),flags,actual")
    assert flagged[-1] == "15,5,yes,yes,,,,no-distribution,no"
    assert shown("csv", [block], header).splitlines()[-1] == "15,5,yes,yes,,,,no"
    assert "".join(predictions_to_weka(header, [block])).splitlines()[-1] == "15,2:no,1:yes,+,?"
    tally = PredictionTally()
    tally.add(block)
    assert prediction_sentences(tally) == [
        "15 rows predicted; 14 of 15 with a known class are right (93.33%)",
        "the text alone does not give the distribution of 4 rows",
    ]


def test_added_columns_never_clash_with_those_of_the_data() -> None:
    taken = replace(
        WEATHER, attributes=(Attribute("predicted"), Attribute("p(no)"), *WEATHER.attributes[2:])
    )
    stored = prediction_report(taken.classes, predicted()).arff_columns
    header = extend_header(taken, stored)
    assert header.names[4:] == ("predicted_", "p(yes)", "p(no)_")
    assert header.class_attribute.name == "play"
    wider = extend_header(WEATHER, stored)
    (rows, *_) = extend_rows(wider, stored, predicted(), lambda block: block.rows)
    assert rows.X.shape == (4, 7)
    assert rows.cell(1, 4) == "yes"
    assert rows.cell(1, 5) == 0.75
