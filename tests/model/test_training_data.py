"""Data is the training data exactly if it gives back the printed counts."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from j48geo import Dataset, MismatchError, ReplayError, load, read_arff, read_tree
from j48geo.data.rows import Rows
from j48geo.model.training_data import count_training, max_training_weight, recognise_training


@pytest.fixture
def data(fixtures_dir: Path) -> Dataset:
    return read_arff(fixtures_dir / "iris" / "data.arff")


def part(data: Dataset, keep: slice) -> Dataset:
    return Dataset(data.header, data.X[keep], data.weights[keep])


def test_rows_that_replay_give_their_counts(fixtures_dir: Path, data: Dataset) -> None:
    tree = read_tree(fixtures_dir / "iris" / "model.txt")
    counted = recognise_training(tree, Rows.of(data, "iris"), data)
    assert counted.note == "iris is the training data (all 5 leaf counts replay)"
    assert (counted.training_name, counted.replayed, counted.fits) == ("iris", 150, True)
    assert counted.counts.source == "data"
    assert counted.counts.per_class[0].tolist() == [50, 50, 50]


def test_other_rows_leave_the_counts_of_the_text(fixtures_dir: Path, data: Dataset) -> None:
    tree = read_tree(fixtures_dir / "iris" / "model.txt")
    some = part(data, slice(0, 149))
    counted = recognise_training(tree, Rows.of(some, "some"), some)
    assert counted.training is None
    assert counted.counts.source == "text"
    assert counted.note == (
        "some is not the training data (1 of 5 leaves differ): counts are taken from the text"
    )
    # So many that nobody looked at all of them.
    counted = recognise_training(tree, Rows.of(data, "many"), None)
    assert counted.replay is None
    assert "it has more rows than the counts say" in counted.note


def test_rows_of_another_tree_are_an_error_or_a_note(fixtures_dir: Path, data: Dataset) -> None:
    tree = read_tree(fixtures_dir / "pima" / "model.txt")
    with pytest.raises(MismatchError, match=r"^iris: no column 'plas', which the model asks for"):
        recognise_training(tree, Rows.of(data, "iris"), data)
    counted = recognise_training(tree, Rows.of(data, "iris"), data, must_fit=False)
    assert not counted.fits
    assert counted.notes[0].startswith("iris: no column 'plas', which the model asks for")


def test_named_training_data_must_replay_unless_it_is_allowed_not_to(
    fixtures_dir: Path, data: Dataset
) -> None:
    tree = read_tree(fixtures_dir / "iris" / "model.txt")
    some = part(data, slice(0, 149))
    with pytest.raises(ReplayError, match=r"leaf 5 \(line 14\) prints 46/1, the rows give 45/1;"):
        count_training(tree, some, "some", allow_mismatch=False)
    counted = count_training(tree, some, "some", allow_mismatch=True)
    assert counted.counts.per_class[0].sum() == 149
    assert counted.notes[-1] == (
        "some is not the training data (1 of 5 leaves differ); its counts are used all the same"
    )
    with pytest.raises(MismatchError, match=r"^none has no rows; "):
        count_training(tree, part(data, slice(0, 0)), "none", allow_mismatch=True)


def test_no_more_is_looked_at_than_the_counts_can_weigh(fixtures_dir: Path) -> None:
    plain = read_tree(fixtures_dir / "iris" / "model.txt")
    assert max_training_weight([plain]) == 301
    pruned = read_tree(fixtures_dir / "breast-cancer-reduced-error36" / "model.txt")
    assert max_training_weight([plain, pruned]) == inf
    assert max_training_weight([]) == 0


def test_the_tolerance_that_was_asked_for_stays_though_the_counts_agree_without_it() -> None:
    data = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    data += b"0.5,a\n1.0000008,b\n2,b\n"
    text = b"J48 pruned tree\n------------------\n\nx <= 1: a (1.0)\nx > 1: b (2.0)\n"
    for asked, tolerance in ((False, 0.0), (True, 1e-6)):
        model = load(text, train=read_arff(data), old_weka=asked)
        assert model.replay is not None
        assert model.replay.ok
        assert model.tree.tolerance == tolerance
