"""Option strings are read and written as Weka does, with its defaults."""

from __future__ import annotations

import click
import pytest

from j48geo.cli.commands.grow import grow
from j48geo.core.j48_options import (
    FLAG_OPTIONS,
    JAVA_FIELDS,
    NUMBER_OPTIONS,
    J48Options,
    find_tree_options,
    parse_j48_options,
    parse_words,
    read_words,
    split_options,
)
from j48geo.core.tree import Options


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("-C 0.25 -M 2", ""),
        ("weka.classifiers.trees.J48 -A -U", "AU"),
        ("weka.classifiers.trees.J48 -R -N 5 -B", "RB"),
        ("weka.classifiers.meta.Bagging -P 100 -B -W weka.classifiers.trees.J48 -- -A", "A"),
        ("-B weka.classifiers.trees.J48", ""),
        ("-doNotMakeSplitPointActualValue", "d"),
    ],
)
def test_the_options_line_is_understood(text: str, flags: str) -> None:
    (options,) = parse_j48_options(text)
    flag_values = {
        "A": options.laplace,
        "B": options.binary,
        "R": options.reduced_error,
        "U": options.unpruned,
        "d": options.midpoint,
    }
    assert {flag for flag, is_set in flag_values.items() if is_set} == set(flags)
    assert options.folds == (5 if "-N" in text else 3)


def test_nested_option_strings_give_one_set_for_each_j48() -> None:
    vote = '-B "weka.classifiers.trees.J48 -U" -B "weka.classifiers.trees.J48 -A" -B weka.ZeroR'
    assert [(o.unpruned, o.laplace) for o in parse_j48_options(vote)] == [
        (True, False),
        (False, True),
    ]
    stacked = '-M "weka.classifiers.trees.J48 -A" -B "weka.classifiers.trees.J48 -U"'
    assert [(o.unpruned, o.laplace) for o in parse_j48_options(stacked)] == [
        (True, False),
        (False, True),
    ]
    assert split_options('-W "a \\"b c\\" d" e') == ["-W", 'a "b c" d', "e"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("  -C 0.25\t-M 2 ", ["-C", "0.25", "-M", "2"]),
        ('"a\\tb"c', ["a\tb", "c"]),
        ('-W "weka.A -B', ["-W", '"weka.A', "-B"]),  # the line was cut
    ],
)
def test_an_option_string_is_split_into_words(text: str, words: list[str]) -> None:
    assert split_options(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "-C 0.25 -M 2",
        "-L -O -U -B -M 5 -A -J -doNotMakeSplitPointActualValue",
        "-S -R -N 5 -Q 7 -M 2",
        "-C 1.0E-4 -M 10 -A",
    ],
)
def test_what_weka_writes_is_read_and_written_back(text: str) -> None:
    assert " ".join(read_words(text.split()).words()) == text


def test_every_option_has_a_field_and_a_place_in_weka() -> None:
    spelt = {name for name, _ in FLAG_OPTIONS.values()} | set(NUMBER_OPTIONS.values())
    assert spelt == set(JAVA_FIELDS) == set(J48Options.__dataclass_fields__)
    for name, value in FLAG_OPTIONS.values():
        assert getattr(J48Options(), name) is not value


def test_the_command_line_shows_the_same_defaults() -> None:
    shown = {
        option.opts[0]: option.default
        for option in grow.params
        if isinstance(option, click.Option) and option.opts[0] in NUMBER_OPTIONS
    }
    assert {word: float(default) for word, default in shown.items()} == {
        word: getattr(J48Options, name) for word, name in NUMBER_OPTIONS.items()
    }


def test_a_word_that_is_no_option_is_a_problem_and_skipped() -> None:
    fields, problems = parse_words(["-A", "-X", "-N", "many", "-C"])
    assert fields == {"laplace": True}
    assert [problem.split(":")[0] for problem in problems] == ["-X", "-N", "-C"]
    assert read_words(["-N", "0"]).describe().folds == 3


def test_the_seed_of_a_wrapper_is_not_the_option_of_its_j48() -> None:
    bagging = "weka.classifiers.meta.Bagging -S 1 -W weka.classifiers.trees.J48 -- -C 0.1 -M 5"
    options = find_tree_options(Options(text=bagging, binary=True))
    assert options == J48Options(confidence=0.1, least=5, binary=True)
    vote = '-B "weka.classifiers.trees.J48 -M 3" -B "weka.classifiers.trees.J48 -M 4"'
    assert find_tree_options(Options(text=vote, laplace=True)) == J48Options(laplace=True)
