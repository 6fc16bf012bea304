"""The finder of grammars, and the parsers that come ready-made."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import lark
import pytest

from j48geo.data import grammar
from j48geo.data.grammar import READY, grammar_text, load_grammar, prepared
from j48geo.errors import J48GeoError

FILE = Path(__file__).resolve().parents[2] / "grammars" / READY
KEPT: dict[str, dict[str, Any]] = pickle.loads(FILE.read_bytes())


def test_a_grammar_is_loaded_once() -> None:
    assert "@relation" in grammar_text("arff_header")
    first = load_grammar("scheme_options", parser="lalr")
    assert load_grammar("scheme_options", parser="lalr") is first


def test_a_missing_grammar_names_both_places() -> None:
    with pytest.raises(J48GeoError, match=r"'none' is missing; looked in .* and in .*grammars"):
        grammar_text("none")


def automaton(made: dict[str, Any]) -> object:
    """The tables of a parser with its states numbered as they are met, and its terminals.

    Lark numbers states as Python's sets happen to be ordered; nothing else may differ.
    """
    parser = made["data"]["parser"]
    tables = parser["parser"]
    memo = made["memo"]

    def rule(place: dict[str, int]) -> str:
        found = memo[place["@"]]
        return repr((found["origin"], found["expansion"], found["alias"], found["options"]))

    start = tables["start_states"]["start"]
    numbers, waiting, states = {start: 0}, [start], []
    for state in waiting:
        row = []
        steps = tables["states"][state]
        for token in sorted(steps, key=lambda t: str(tables["tokens"][t])):
            action, to = steps[token]
            if action == 0 and to not in numbers:
                numbers[to] = len(numbers)
                waiting.append(to)
            done = numbers[to] if action == 0 else rule(to)
            row.append((tables["tokens"][token], action, done))
        states.append(row)
    terminals = sorted(repr(value) for value in memo.values() if value["__type__"] == "TerminalDef")
    lexer = parser["lexer_conf"]
    return states, numbers[tables["end_states"]["start"]], terminals, sorted(lexer["ignore"])


@pytest.mark.parametrize("name", sorted(KEPT))
def test_a_ready_made_parser_is_the_one_that_lark_builds(name: str) -> None:
    release, text, options = KEPT[name]["of"]
    assert text == grammar_text(name), "run scripts/parsers"
    if release != lark.__version__:
        pytest.skip(f"ready-made by Lark {release}, this is {lark.__version__}: they are built")
    assert automaton(KEPT[name]) == automaton(prepared(name, **options))


@pytest.mark.parametrize("name", sorted(KEPT))
def test_a_ready_made_parser_is_loaded_and_others_are_built(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, _, options = KEPT[name]["of"]
    built: list[str] = []
    build = grammar._built
    monkeypatch.setattr(grammar, "_built", lambda n, o: built.append(n) or build(n, o))
    load = load_grammar.__wrapped__
    monkeypatch.setattr(lark, "__version__", release)
    load(name, **options)
    assert built == []
    monkeypatch.setattr(lark, "__version__", "0.0.1")
    load(name, **options)
    assert built == [name]
