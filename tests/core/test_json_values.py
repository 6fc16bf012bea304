"""JSON as it is written: like the standard library's, and many times quicker."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.core.json_values import indented_json

PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=20,
)


@given(VALUES)
def test_indented_json_is_that_of_the_standard_library(value: object) -> None:
    assert indented_json(value) == json.dumps(value, ensure_ascii=False, indent=1)


@given(VALUES)
def test_inside_of_something_it_is_moved_to_the_right(value: object) -> None:
    assert f'{{\n "x": {indented_json(value, 1)}\n}}' == indented_json({"x": value})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), [1.0, float("-inf")]])
def test_what_has_no_json_is_refused(number: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        indented_json(number)
