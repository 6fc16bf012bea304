"""Files at the edge of what J48 takes, against a live Weka."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential_grow import compare_texts
from weka_live import Weka

HEAD = "@relation r\n@attribute x numeric\n@attribute v {p,q}\n@attribute class {a,b}\n@data\n"
STEPS = [f"{i},{'pq'[i % 2]},{'a' if i < 7 else 'b'}" for i in range(14)]

FILES = {
    "only a class": "@relation r\n@attribute class {a,b}\n@data\na\nb\na\nb\nb\n",
    "a nominal of one value": HEAD.replace("{p,q}", "{p}")
    + "\n".join(row.replace("q", "p") for row in STEPS),
    "a nominal of no values": HEAD.replace("{p,q}", "{}")
    + "\n".join(row.replace("q", "?").replace("p", "?") for row in STEPS),
    "huge values": HEAD + "\n".join(f"{i}e307,p,{'ab'[i > 8]}" for i in range(17)),
    "the largest double beside missing ones": HEAD
    + "\n".join(
        [
            *(f"{x},{v},a" for x in ("1.7976931348623157e308", "?", "3") for v in "ppq"),
            *(f"{x},{v},b" for x in ("?", "5", "1.7976931348623157e308", "9") for v in "qqp"),
        ]
    ),
    "weights of zero": HEAD + "\n".join(f"{row},{{{i % 3}}}" for i, row in enumerate(STEPS)),
    "all weights zero": HEAD + "\n".join(f"{row},{{0}}" for row in STEPS),
    "negative weights": HEAD
    + "\n".join(f"{row},{{{-1 if i % 5 == 4 else 2}}}" for i, row in enumerate(STEPS)),
    "weights that cancel": HEAD
    + "\n".join(f"{row},{{{-1 if i % 2 else 1}}}" for i, row in enumerate(STEPS)),
    "huge weights": HEAD + "\n".join(f"{row},{{1e15}}" for row in STEPS),
    "a column all missing": HEAD + "\n".join(f"?,{'pq'[i % 2]},{'ab'[i > 5]}" for i in range(12)),
    "all classes missing": HEAD + "1,p,?\n2,q,?\n3,p,?",
    "no rows": HEAD,
    "one row": HEAD + "1,p,b",
    "sparse": HEAD + "\n".join(f"{{0 {i},2 {'ab'[i > 5]}}}" for i in range(12)),
    "a date": "@relation r\n@attribute d date yyyy-MM-dd\n@attribute class {a,b}\n@data\n"
    + "\n".join(f"20{i:02d}-03-01,{'ab'[i > 5]}" for i in range(12)),
    "zeros of both signs": HEAD
    + "\n".join(
        f"{x},p,{c}" for x, c in (("0.0", "a"), ("-0.0", "a"), ("-1", "a"), ("4", "b")) * 3
    ),
    "minus infinity": HEAD
    + "\n".join(f"{'-Infinity' if i < 5 else i},p,{'ab'[i > 4]}" for i in range(12)),
    **{
        f"a threshold of {len(str(whole))} digits": HEAD
        + "\n".join(f"{whole * (i + 1) // 6},p,{'ab'[i > 5]}" for i in range(12))
        for whole in (9007199254740995, 71262962396296291, 702049102198055421, 10**19 + 7)
    },
    "close values": HEAD + "\n".join(f"{i * 9e-6!r},p,{'ab'[i > 5]}" for i in range(12)),
    "a numeric class": HEAD.replace("class {a,b}", "class numeric") + "1,p,3\n2,q,4",
    "a class of one label": HEAD.replace("{a,b}", "{a}") + "1,p,a\n2,q,a",
    "a string": HEAD.replace("x numeric", "x string") + "u,p,a\nt,q,b",
}
OPTIONS = ("", "-M 0", "-M -1", "-B -M 1 -O", "-U -J -doNotMakeSplitPointActualValue", "-C 3.1e-8")


@pytest.mark.weka
@pytest.mark.parametrize("name", FILES)
def test_a_file_at_the_edge_gives_wekas_tree_or_is_refused_as_there(
    name: str, weka: Weka, tmp_path: Path
) -> None:
    file = tmp_path / "data.arff"
    file.write_text(FILES[name] + "\n")
    for options in OPTIONS:
        for engine in ("numpy", "numba"):
            outcome, ours, wekas = compare_texts(weka, file, options, engine)
            assert outcome != "different", f"{engine} {options}\n{ours}\n{wekas}"
