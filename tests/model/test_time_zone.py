"""Dates of rows are read as UTC unless a zone is named; Weka reads them in its JVM's."""

from __future__ import annotations

from pathlib import Path

import pytest

import j48geo
from j48geo.data.arff.stream import read_arff

HEADER = "@relation d\n@attribute when date 'yyyy-MM-dd HH:mm'\n@attribute class {old,new}\n@data\n"
ROWS = "'2020-01-03 10:00',old\n'2020-01-03 11:49',old\n'2020-01-03 16:27',new\n"
AT = int(read_arff((HEADER + ROWS).encode(), timezone="America/New_York").X[1, 0])
TEXT = f"when <= {AT}: old (2.0)\nwhen > {AT}: new (1.0)\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "d.arff"
    path.write_text(HEADER + ROWS)
    return path


def zone_notes(model: j48geo.Model) -> list[str]:
    return [note for note in model.notes if "UTC" in note]


def test_a_note_says_that_dates_were_read_as_utc(data: Path) -> None:
    (note,) = zone_notes(j48geo.load(TEXT, data=data))
    assert note == (
        "dates of when were read as UTC; Weka reads them in the time zone of its JVM "
        "(timezone names it)"
    )


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_no_note_where_the_zone_was_named(data: Path, zone: str) -> None:
    assert not zone_notes(j48geo.load(TEXT, data=data, timezone=zone))


def test_no_note_without_rows_without_dates_or_where_the_dates_name_their_zone(
    tmp_path: Path,
) -> None:
    assert not zone_notes(j48geo.load(TEXT))
    named = tmp_path / "z.arff"
    named.write_text(HEADER.replace("HH:mm", "HH:mm Z") + ROWS.replace("',", " -0500',"))
    assert not zone_notes(j48geo.load(TEXT, data=named))
    number = tmp_path / "n.arff"
    number.write_text(HEADER.replace("date 'yyyy-MM-dd HH:mm'", "numeric") + "1,old\n")
    assert not zone_notes(j48geo.load(TEXT, data=number))


def test_a_mismatch_of_the_training_data_mentions_the_zone(data: Path) -> None:
    with pytest.raises(j48geo.J48GeoError, match=r"in the time zone of its JVM \(timezone\)"):
        j48geo.load(TEXT, train=data)
    model = j48geo.load(TEXT, train=data, timezone="America/New_York")
    assert model.training is not None
