"""What may be chosen about a model, and what makes no sense."""

from __future__ import annotations

from dataclasses import fields
from inspect import signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from j48geo import ChoiceError, J48GeoError, Model, UnknownNameError, load
from j48geo.model.choices import CHOICE_TABLE, Choices, Unchanged, find_unused_choice
from j48geo.score.methods import METHODS

TEXT = "x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n"


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"metric": "euclid"}, "unknown metric 'euclid'; known: standard, minmax, none"),
        ({"nominal": "skip"}, "unknown nominal 'skip'; known: overlap, refuse"),
        ({"separators": "gap"}, "unknown separators 'gap'; known: tree, midgap"),
        ({"boundary": "all"}, "unknown boundary 'all'; known: class, any"),
        ({"estimate": "none"}, "unknown estimate 'none'; known: laplace, m, raw"),
        ({"within": "gdk"}, "unknown within 'gdk'; known: g, nearby"),
        ({"kernel": "cosine"}, "unknown kernel 'cosine'; known: gaussian, box"),
        ({"kde": "r256"}, "unknown kde 'r256'; known: exact, r512"),
        ({"tau": 0.0}, "tau 0: expected a positive number"),
        ({"m": float("nan")}, "m nan: expected a positive number"),
        ({"sigma": float("inf")}, "sigma inf: expected a positive number"),
        ({"nominal_weight": -1.0}, "nominal_weight -1: expected a number of at least 0"),
        (
            {"kde": "r512", "kernel": "box"},
            "kde r512: this is R's Gaussian; expected no box kernel",
        ),
    ],
)
def test_a_choice_that_makes_no_sense_is_refused_at_the_door(
    choice: dict[str, Any], message: str
) -> None:
    with pytest.raises((ChoiceError, UnknownNameError)) as refusal:
        load(TEXT).with_(**choice)
    assert str(refusal.value) == message
    assert isinstance(refusal.value, J48GeoError)


def test_an_unknown_choice_or_class_is_told_with_those_there_are() -> None:
    model = load(TEXT)
    with pytest.raises(ChoiceError, match=r"^speed is no choice; expected positive, metric, "):
        model.with_(speed=1)
    with pytest.raises(UnknownNameError, match=r"^unknown class 'perhaps'; known: no, yes$"):
        model.with_(positive="perhaps")


def test_the_positive_class_is_the_given_else_the_rarer_else_not_known() -> None:
    def chosen(text: str, **choices: Any) -> tuple[str | None, str | None]:
        model = load(text).with_(**choices)
        why = model.positive_choice
        return model.positive, None if why is None else why.why

    assert chosen("x <= 2: no (3.0)\nx > 2: yes (4.0)\n") == ("no", "rarer")
    assert chosen("x <= 2: no (3.0)\nx > 2: yes (4.0)\n", positive="yes") == ("yes", "given")
    assert chosen("x <= 2: no (4.0)\nx > 2: yes (4.0)\n") == ("no", "first")
    assert chosen("x <= 2: no\nx > 2: yes\n") == (None, None)
    three = "x <= 2: no (3.0)\nx > 2\n|   x <= 3: yes (4.0)\n|   x > 3: maybe (1.0)\n"
    assert chosen(three) == (None, None)
    assert chosen(three, positive="maybe") == ("maybe", "given")


def test_whether_a_metric_is_learnt_from_rows_is_a_fact() -> None:
    assert Choices().learns_metric
    assert Choices(metric="minmax").learns_metric
    assert not Choices(metric="none").learns_metric
    assert not Choices(metric={"x": 2.0}).learns_metric


def test_scales_are_a_metric_by_name() -> None:
    model = load(TEXT).with_(metric={"x": 4.0})
    assert model.decision_function([[6.0, 1]]).tolist() == [1.0]
    with pytest.raises(J48GeoError, match=r"^the scales: unknown attribute 'y'; known: x, class$"):
        model.with_(metric={"x": 1.0, "y": 1.0}).decision_function([[6.0, 1]])


def test_the_signature_of_with_is_that_of_the_table() -> None:
    written, hints = get_type_hints(Choices), get_type_hints(Model.with_)
    assert list(signature(Model.with_).parameters) == ["self", *CHOICE_TABLE, "unknown"]
    for name in CHOICE_TABLE:
        assert set(get_args(hints[name])) == {*get_args(written[name]), Unchanged}, name


def test_none_takes_a_choice_back_and_what_is_not_named_stays() -> None:
    model = load(TEXT).with_(metric="none", positive="no")
    assert model.with_(positive=None).choices == Choices(metric="none")
    assert model.with_() is model


def test_the_written_choices_are_those_of_the_table_with_its_words_and_numbers() -> None:
    assert [field.name for field in fields(Choices)] == list(CHOICE_TABLE)
    hints = get_type_hints(Choices)
    for name, choice in CHOICE_TABLE.items():
        parts = [part for part in get_args(hints[name]) if part is not type(None)]
        words = [w for part in parts if get_origin(part) is Literal for w in get_args(part)]
        assert sorted(words) == sorted(choice.words), name
        assert (parts == [float]) == bool(choice.bound), name
        assert set(choice.listeners) <= set(METHODS), name
        assert [m for m in METHODS if m in choice.listeners] == list(choice.listeners), name
        assert {r.other for r in choice.requirements} <= set(CHOICE_TABLE), name


@pytest.mark.parametrize(
    ("choices", "methods", "problem"),
    [
        ({"sigma": 0.2}, ["nearby"], ""),
        ({"sigma": 0.2}, ["laplace"], "--sigma is for local, nearby, and not for laplace"),
        ({"sigma": 0.2}, ["local"], "--sigma is for nearby and for --within nearby"),
        ({"sigma": 0.2, "within": "nearby"}, ["local"], ""),
        ({"m": 2.0}, ["local"], "--m is for m and for --estimate m"),
        ({"m": 2.0, "estimate": "m"}, ["local"], ""),
        ({"shrinkage": 1.0}, ["nearby"], "--shrinkage is for hs and for --leaves shrunken"),
        ({"shrinkage": 1.0}, ["hs"], ""),
        ({"sigma": 0.2}, ["a plugin"], ""),
    ],
)
def test_a_choice_that_changes_nothing_is_found(
    choices: dict[str, Any], methods: list[str], problem: str
) -> None:
    assert find_unused_choice(choices, methods) == problem
