"""CSV for models without a header: types from the tests of the tree, a class if it is there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from j48geo import load
from j48geo.data.arff.stream import read_arff
from j48geo.data.rows import Rows
from j48geo.errors import DataReadError, MismatchError, ModelReadError
from j48geo.model.loader import open_model
from j48geo.model.model import Model
from j48geo.model.sources import Reading
from j48geo.show.reports.data import data_to_csv

TEXT = """\
x <= 2
|   colour = red: no (3.0)
|   colour = blue: yes (2.0/1.0)
x > 2: yes (4.0)
"""
BINARY = "colour = red: no (3.0)\ncolour != red: yes (4.0)\n"


def opened(text: str, data: bytes, train: bytes | None = None, **how: object) -> tuple[Model, Rows]:
    model, rows = open_model(text.encode(), data, train, Reading(**how))  # type: ignore[arg-type]
    assert rows is not None
    return model, rows


def classes(text: str, data: bytes, **how: object) -> list[object]:
    model, rows = opened(text, data, **how)
    return list(model.predict(rows))


def test_types_come_from_the_tests_of_the_tree() -> None:
    data = b"id,colour,x,class\na,red,1,no\nb,blue,1e0,?\nc,red,9,yes\n"
    assert classes(TEXT, data) == ["no", "yes", "yes"]


def test_the_class_column_is_optional_and_attributes_that_are_used_are_not() -> None:
    assert classes(TEXT, b"colour,x\nred,1\n") == ["no"]
    with pytest.raises(MismatchError, match=r"^<bytes>: no column 'colour', which the model asks"):
        opened(TEXT, b"x\n1\n")


def test_a_row_of_empty_fields_is_a_row() -> None:
    found = classes("x <= 2: no (3.0)\nx > 2: yes (4.0)\n", b"x,class\n1,no\n,\n\n3,yes\n")
    assert found == ["no", "yes", "yes"]


def test_a_cell_that_does_not_fit_is_refused_with_its_row_and_column() -> None:
    for row, message in (
        (b"red,2001-04-03", r":3:2: '2001-04-03' is no number for x"),
        (b"green,1", r":3:1: label 'green' is not declared for colour; expected one of red, blue"),
    ):
        with pytest.raises(DataReadError, match=message):
            classes(TEXT, b"colour,x\nred,1\n" + row + b"\n")


def test_a_label_without_a_branch_is_missing_where_that_is_asked_for() -> None:
    model, rows = opened(TEXT, b"colour,x\ngreen,3\nred,1\n", unknown="missing")
    assert list(model.predict(rows)) == ["yes", "no"]
    assert "unknown labels taken as missing: 1 (colour 1)" in rows.notes


def test_a_label_that_is_never_printed_goes_the_way_of_unequal_with_a_note() -> None:
    model, rows = opened(BINARY, b"colour\nred\ngreen\nblue\n")
    assert list(model.predict(rows)) == ["no", "yes", "yes"]
    assert "colour: the text does not name green, blue; such rows go the way of !=" in rows.notes


def test_a_text_with_two_readings_is_refused() -> None:
    text = "a = b = c: x (1.0)\na = b = d: y (1.0)\n"
    with pytest.raises(ModelReadError, match="can be read in 2 ways"):
        opened(text, b"a\nb\n")


def test_training_data_may_be_csv_and_its_types_those_of_the_data() -> None:
    train = b"x,c\n1,no\n2,no\n3,yes\n4,yes\n"
    text = "x <= 2: no (2.0)\nx > 2: yes (2.0)\n"
    arff = b"@relation r\n@attribute x numeric\n@attribute c {yes,no}\n@data\n9,?\n"
    model, rows = opened(text, arff, train)
    assert model.classes == ("yes", "no")
    assert model.training is not None
    assert list(model.predict(rows)) == ["yes"]
    model, rows = opened(text, b"x\n9\n", train)
    assert model.classes == ("no", "yes")
    assert list(model.predict(rows)) == ["yes"]


def test_a_file_is_read_by_a_model_that_was_loaded_alone(tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("colour;x\nred;1\nblue;7\n")
    assert load(TEXT).predict(tmp_path / "new.csv").tolist() == ["no", "yes"]


@pytest.mark.parametrize("name", ["pima", "iris", "parcels-binary", "multiway-empty"])
def test_a_text_and_its_training_rows_in_csv_answer_as_with_arff(
    name: str, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / name
    data = read_arff(folder / "data.arff")
    path = tmp_path / "data.csv"
    path.write_text("".join(data_to_csv(data.header, [data])), newline="")
    label = data.header.class_attribute.name
    one = load(folder / "model.txt", path, class_attribute=label)
    other = load(folder / "model.txt", folder / "data.arff")
    assert one.replay is not None
    assert one.replay.recognised
    assert one.predict(path).tolist() == other.predict(data).tolist()
    order = [one.classes.index(c) for c in other.classes if c in one.classes]
    kept = [other.classes.index(c) for c in other.classes if c in one.classes]
    ours, theirs = (m.predict_proba(rows) for m, rows in ((one, path), (other, data)))
    np.testing.assert_allclose(ours[:, order], theirs[:, kept], rtol=1e-12)
