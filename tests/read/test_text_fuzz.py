"""A small share of what scripts/fuzz_text does."""

from __future__ import annotations

from pathlib import Path

from text_fuzz import examine_text, mutants, sources


def test_spoilt_texts_are_refused_or_read_as_what_they_say(fixtures_dir: Path) -> None:
    seen = set()
    for source in sources(fixtures_dir):
        for number, text in enumerate(mutants(source, 40, seed=7)):
            outcome, problem = examine_text(text, None if number % 4 == 3 else source.header)
            assert not problem, (source.name, number, problem, text)
            seen.add(outcome)
    assert seen == {"read", "refused"}
