"""Models that are more than a tree: they answer together, or refuse and say what they are."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from boosted import ROWS, boosted_text
from saved_cases import SavedCase, own_cases
from weka_live import answers

from j48geo import Model, load, read_arff
from j48geo.errors import FilterError, MismatchError, ReplayError, SeveralTreesError

TEXT = boosted_text((2, 1.0), (4, 0.6), (4, 0.7)).encode()
DATA = read_arff(ROWS.encode())
HALVES = DATA.X.copy()
HALVES[:, 0] += 0.5


def test_all_trees_answer_and_not_the_first_alone() -> None:
    model = load(TEXT, data=DATA)
    assert repr(model) == "Model('<bytes>': 3 J48 trees of an AdaBoostM1)"
    assert model.predict(HALVES).tolist() == ["no", "no", "no", "yes", "yes", "yes"]
    first = load(TEXT, data=DATA, tree=1)
    assert first.predict(HALVES).tolist() == ["no", "yes", "yes", "yes", "yes", "yes"]
    assert "tree 1 alone is meant, of 3 J48 trees of an AdaBoostM1" in first.notes


def test_weights_that_print_alike_leave_a_row_open() -> None:
    model = load(boosted_text((2, 1.0), (4, 0.5), (4, 0.5)).encode(), data=DATA)
    assert model.predict(HALVES).tolist() == ["no", None, None, "yes", "yes", "yes"]
    # 0.5 may be 0.504999, and 1.0 may be 0.995.
    barely = load(boosted_text((2, 1.0), (4, 0.5), (4, 0.52)).encode(), data=DATA)
    assert barely.predict(HALVES).tolist() == ["no", "no", "no", "yes", "yes", "yes"]


def test_a_row_on_a_rounded_threshold_is_answered_only_if_that_is_known() -> None:
    model = load(TEXT, data=DATA)
    assert model.committee is not None
    assert not model.committee.proven  # the first tree has no row of the other class in a leaf
    assert model.predict(DATA).tolist() == ["no", "no", "no", None, "yes", "yes"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m.rank(DATA),
        lambda m: m.predict_proba(DATA),
        lambda m: m.decision_function(DATA),
        lambda m: m.explain(DATA),
        lambda m: list(m.explanations(DATA)),
        lambda m: m.evaluate(DATA),
        lambda m: m.leaves(),
        lambda m: m.labellings(),
        lambda m: m.audit(),
        lambda m: m.learn(),
        lambda m: m.save("absent.json"),
        lambda m: m.relabel(labels={1: "no"}),
        lambda m: m.with_(laplace=True).predict(DATA),
    ],
)
def test_what_is_one_trees_is_refused(ask: Callable[[Model], object]) -> None:
    model = load(TEXT, data=DATA)
    with pytest.raises(
        SeveralTreesError,
        match=r"^<bytes> is 3 J48 trees of an AdaBoostM1: .* is for one tree; expected one of them",
    ):
        ask(model)


def test_right_and_wrong_are_counted_for_all_together() -> None:
    found = load(TEXT, data=DATA).confusion(DATA)
    assert (found.rows, found.answered) == (6, 5)
    assert found.confusion.weight.tolist() == [[2, 0], [1, 2]]
    assert found.notes == ("1 of 6 rows are left out: the text does not give their class",)
    assert str(found).startswith("3 J48 trees of an AdaBoostM1: 5 of 6 rows have an answer; acc")


def test_training_data_that_is_none_is_refused_unless_that_is_allowed() -> None:
    other = ROWS.replace("3,yes", "3,no").encode()
    with pytest.raises(ReplayError, match=r"is not the training data of 3 J48 trees of an Ada"):
        load(TEXT, read_arff(other), data=DATA)
    allowed = load(TEXT, read_arff(other), data=DATA, allow_mismatch=True)
    assert allowed.predict(HALVES).tolist() == ["no", "no", "no", "yes", "yes", "yes"]


def test_a_text_alone_does_not_tell_the_attributes() -> None:
    model = load(TEXT)
    with pytest.raises(SeveralTreesError, match=r"^AdaBoostM1: the text alone does not tell"):
        model.predict([[1.0, 0]])


def test_a_text_that_was_cut_is_refused() -> None:
    cut = TEXT[: TEXT.rindex(b"Number of performed")]
    model = load(cut, data=DATA)
    with pytest.raises(SeveralTreesError, match=r"^AdaBoostM1: what it prints is not that of J48"):
        model.predict(DATA)


def test_rows_that_lack_a_column_are_refused_and_a_missing_class_is_not(fixtures_dir: Path) -> None:
    saved = fixtures_dir / "saved" / "bagging.model"
    model = load(saved)
    assert str(model).startswith(f"Model({str(saved)!r}: ")
    with pytest.raises(MismatchError, match="no column"):
        model.predict(DATA)
    classless = load(TEXT, data=DATA).rows(
        read_arff(b"@relation r\n@attribute x numeric\n@data\n1.5\n")
    )
    assert np.isnan(next(iter(classless)).class_values).all()


@pytest.mark.parametrize("with_data", [False, True])
@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case.name)
def test_saved_models_answer_as_weka_to_the_bit(case: SavedCase, with_data: bool) -> None:
    for rows, kept in case.asked:
        data = read_arff(rows).with_class(case.class_choice)
        model = load(case.model, data=data if with_data else None)
        if case.refused:
            with pytest.raises(SeveralTreesError, match="1-against-1"):
                model.predict(data)
            continue
        said = [block.prediction for block in model.predictions(data)]
        classified = np.concatenate([part.classified for part in said])
        distribution = np.concatenate([part.distribution for part in said])
        assert answers(kept).same(classified, distribution) == len(data) > 0


def test_a_saved_wrapper_answers_for_all_its_trees(fixtures_dir: Path) -> None:
    saved = fixtures_dir / "saved"
    rows = read_arff(fixtures_dir / "parcels-weights" / "data.arff")
    model = load(saved / "boosting36.model")
    assert model.committee is not None
    whole = model.predict(rows)
    assert None not in whole.tolist()
    probabilities = model.predict_proba(rows, "weka")
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert (whole != load(saved / "boosting36.model", tree=1).predict(rows)).any()
    assert (pickle.loads(pickle.dumps(model)).predict(rows) == whole).all()


def test_a_saved_filter_is_applied_to_rows_of_every_kind(fixtures_dir: Path) -> None:
    saved = fixtures_dir / "saved"
    file = fixtures_dir / "parcels-weights" / "data.arff"
    rows = read_arff(file)
    model = load(saved / "standardized36.model", data=rows)
    assert model.filter is not None
    assert model.training is not None
    prediction = model.predict(rows)
    assert (prediction == model.predict(rows.X)).all()
    assert (prediction == model.predict(file)).all()
    with pytest.raises(FilterError, match="which a model file does not keep"):
        model.save("absent.json")


def test_a_filter_that_nobody_taught_takes_no_rows(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "filtered"
    model = load(folder / "model.txt")
    with pytest.raises(FilterError, match=r"^the filter Discretize was not learnt"):
        model.predict(np.zeros((1, len(model.attributes))))
