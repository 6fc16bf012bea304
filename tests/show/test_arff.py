"""What is written as ARFF is read back the same, by us and by Weka."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import arff
import numpy as np
import pytest
from arff_fuzz import fuzz
from hypothesis import given, settings
from hypothesis import strategies as st

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.arff.stream import read_arff
from j48geo.show.arff import arff_text

ODD = [
    "", "?", "a b", "it's", '"', "\\", "%", "{x}", ",", "\n", "\r\n", "\0", "\x1a", "\t", "é",
    "日本", "\u2028", "\xa0", "@data", "1.0", "\x001", "x\\", "'", "\ufeff", "\U0001f600",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
numbers = st.floats(allow_nan=True, width=64)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    attributes, columns, pools = [], [], {}
    count = draw(st.integers(0, 4))
    for index, name in enumerate(names):
        weight = draw(st.sampled_from([1.0, 0.5, -2.0]))
        kind = draw(st.sampled_from(["numeric", "nominal", "string", "date", "relational"]))
        if kind == "numeric":
            attributes.append(Attribute(name, weight=weight))
            columns.append(draw(st.lists(numbers, min_size=count, max_size=count)))
        elif kind == "date":
            attributes.append(Attribute(name, "date", format="yyyy-MM-dd'T'HH:mm", weight=weight))
            minutes = st.integers(-(10**7), 10**8).map(lambda m: m * 60_000.0)
            columns.append(draw(st.lists(minutes, min_size=count, max_size=count)))
        elif kind == "nominal":
            labels = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
            attributes.append(Attribute(name, "nominal", tuple(labels), weight=weight))
            codes = st.integers(0, len(labels) - 1).map(float) | st.just(np.nan)
            columns.append(draw(st.lists(codes, min_size=count, max_size=count)))
        elif kind == "string":
            attributes.append(Attribute(name, "string", weight=weight))
            pools[index] = draw(st.lists(texts, min_size=count, max_size=count, unique=True))
            columns.append([float(code) for code in range(count)])
        else:
            inner = (Attribute("u"), Attribute("v", "nominal", tuple(ODD)))
            bags = st.lists(st.tuples(numbers, st.integers(0, len(ODD) - 1)), max_size=3)
            pools[index] = [
                Dataset(Header(name, inner), np.array(bag).reshape(-1, 2), np.full(len(bag), 0.25))
                for bag in draw(st.lists(bags, min_size=count, max_size=count))
            ]
            attributes.append(Attribute(name, "relational", weight=weight, attributes=inner))
            columns.append([float(code) for code in range(count)])
    X = np.array(columns, dtype=np.float64).T.reshape(count, len(names))
    weights = draw(st.lists(st.sampled_from([1.0, 0.25, 3.0]), min_size=count, max_size=count))
    header = Header(draw(texts), tuple(attributes))
    return Dataset(header, X, np.array(weights, dtype=np.float64), pools)


def shown(data: Dataset) -> dict[str, Any]:
    return {
        "relation": data.header.relation,
        "attributes": [fuzz.shown_attribute(a) for a in data.header.attributes],
        "rows": fuzz.rows_to_json(data),
    }


@settings(max_examples=300, deadline=None)
@given(datasets())
def test_what_is_written_is_read_back(data: Dataset) -> None:
    text = arff_text(data)
    assert shown(read_arff(text.encode(), class_attribute=None)) == shown(data)


@pytest.mark.weka
def test_a_live_weka_reads_it_back(weka: object, tmp_path: Path) -> None:
    live = fuzz.Weka(tmp_path)

    @settings(max_examples=150, deadline=None, database=None)
    @given(datasets())
    def read_back(data: Dataset) -> None:
        answer = live.read(arff_text(data).encode())
        assert fuzz.by_bits(answer) == shown(data), json.dumps(answer)

    try:
        read_back()
    finally:
        live.close()


def test_liac_arff_reads_plain_data_back() -> None:
    header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a b", "c"))), 1)
    data = Dataset(header, np.array([[0.1, 0], [np.nan, 1]]), np.ones(2))
    loaded = arff.loads(arff_text(data))
    assert loaded["data"] == [[0.1, "a b"], [None, "c"]]
    assert loaded["attributes"] == [("x", "NUMERIC"), ("c", ["a b", "c"])]


def test_the_text_is_plain_to_read() -> None:
    header = Header("my data", (Attribute("x"), Attribute("c", "nominal", ("yes", "no"))), 1)
    data = Dataset(header, np.array([[1.0, 0], [1e-05, np.nan]]), np.array([1.0, 0.5]))
    assert arff_text(data) == (
        "@RELATION 'my data'\n\n@ATTRIBUTE x NUMERIC\n@ATTRIBUTE c {yes,no}\n\n@DATA\n"
        "1,yes\n1e-05,?, {0.5}\n"
    )
