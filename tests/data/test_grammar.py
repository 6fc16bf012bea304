"""The finder of grammars."""

from __future__ import annotations

import pytest

from j48geo.data.grammar import grammar_text, load_grammar
from j48geo.errors import J48GeoError


def test_a_grammar_is_built_once() -> None:
    assert "@relation" in grammar_text("arff_header")
    first = load_grammar("scheme_options", parser="lalr")
    assert load_grammar("scheme_options", parser="lalr") is first


def test_a_missing_grammar_names_both_places() -> None:
    with pytest.raises(J48GeoError, match=r"'none' is missing; looked in .* and in .*grammars"):
        grammar_text("none")
