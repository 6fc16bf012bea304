"""Texts of other programs are refused by name; hostile ones are refused in time."""

from __future__ import annotations

import random
import time

import pytest

import j48geo

LOOKALIKES = {
    "J48graft": (
        "J48graft pruned tree\n------------------\n\nx <= 1: a (0.0|28.0)\nx > 1: b (2.0)\n"
    ),
    "REPTree": (
        "REPTree\n============\n\nx < 2.45 : a (33/0) [17/0]\nx >= 2.45 : b (67/33) [33/17]\n"
    ),
    "RandomTree": "RandomTree\n==========\n\nx < 0.8 : a (50/0)\nx >= 0.8 : b (3/0)\n",
    "SimpleCart": "CART Decision Tree\n\nx < 2.45: a(50.0/0.0)\nx >= 2.45: b(49.0/5.0)\n",
    "BFTree": "Best-First Decision Tree\n\nx < 2.45: a(50.0/0.0)\nx >= 2.45: b(49.0/5.0)\n",
    "NBTree": "NBTree\n------------------\n\nx <= 1: NB 1\nx > 1: NB 2\n",
    "LMT": "Logistic model tree \n------------------\nx <= 1: LM_1:18/18 (150)\n",
    "DecisionStump": "Decision Stump\n\nClassifications\n\nx <= 2.45 : a\nx is missing : b\n",
    "PART": (
        "PART decision list\n------------------\n\nx <= 0.6: a (50.0)\n\nx <= 1.7 AND\n"
        "y <= 4.9: b (48.0/1.0)\n"
    ),
    "C4.5": (
        "C4.5 [release 8] decision tree generator\n\nDecision Tree:\n\nx <= 0.6 : a (50.0)\n"
        "x > 0.6 :\n|   x <= 1.7 : b (4.0)\n"
    ),
    "C5.0": (
        "\nC5.0 [Release 2.07 GPL Edition]\n\nDecision tree:\n\nx <= 1.9: a (50)\nx > 1.9:\n"
        ":...x <= 1.7: b (48)\n    x > 1.7: c (46)\n"
    ),
    "partykit": (
        "Model formula:\ny ~ x\n\nFitted party:\n[1] root\n"
        "|   [2] x <= 1: a (n = 50, err = 0.0%)\n"
    ),
    "rpart": (
        "n= 150 \n\nnode), split, n, loss, yval, (yprob)\n      * denotes terminal node\n\n"
        "1) root 150 100 a\n"
    ),
    "scikit-learn": "|--- x <= 2.45\n|   |--- class: 0\n|--- x >  2.45\n|   |--- class: 1\n",
    "ADTree": "Alternating decision tree:\n\n: -0.311\n|  (1)plas < 127.5: -0.4\n",
}  # fmt: skip

HEADLESS = {
    "REPTree": "x < 2.45 : a (33/0) [17/0]\nx >= 2.45 : b (67/33) [33/17]\n",
    "RandomTree": "x < 0.8 : a (50/0)\nx >= 0.8 : b (3/0)\n",
    "C4.5": "x <= 0.6 : a (50.0)\nx > 0.6 :\n|   x <= 1.7 : b (4.0)\n|   x > 1.7 : a (4.0)\n",
    "J48graft": "x <= 1: a (0.0|28.0)\nx > 1: b (2.0)\n",
    "PART": "x <= 1.7 AND\ny <= 4.9: b (48.0/1.0)\n\n: a (50.0)\n",
    "partykit": (
        "[1] root\n|   [2] x <= 1: a (n = 50, err = 0.0%)\n"
        "|   [3] x > 1: b (n = 5, err = 0.0%)\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKALIKES)
@pytest.mark.parametrize("known", [True, False])
def test_another_program_is_refused_by_its_name(name: str, known: bool) -> None:
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.read_tree(LOOKALIKES[name].encode(), header=HEADER if known else None)
    assert name in caught.value.problem
    assert caught.value.line > 0


@pytest.mark.parametrize("name", HEADLESS)
def test_another_program_is_known_by_its_lines(name: str) -> None:
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.read_tree(HEADLESS[name].encode(), header=HEADER)
    assert name in caught.value.problem


HEADER = j48geo.Header(
    "r",
    (
        j48geo.Attribute("x"),
        j48geo.Attribute("outlook", "nominal", ("sunny", "rainy")),
        j48geo.Attribute("class", "nominal", ("a", "b")),
    ),
    class_index=2,
)

MB = 400_000
HOSTILE = {
    "one long line": b"a" * 10_000_000,
    "operators without end": b"x = " * (2 * MB),
    "conditions without end": b"outlook <= 1: " * (MB // 2),
    "bars without end": b"|   " * (2 * MB),
    "blanks without end": b" " * (10 * MB) + b"x",
    "parentheses without end": b"x <= 1: a (" * (MB // 2),
    "empty lines": b"\n" * (5 * MB) + b"x",
    "first branches only": b"x <= 1\n" * (MB // 2),
    "leaves only": b"x <= 1: a (1.0)\n" * (MB // 4),
    "values only": b"outlook = sunny\n" * (MB // 4),
    "banners only": b"J48 pruned tree\n------------------\n\n" * 50_000,
    "headers only": b"@relation x\n" * (MB // 4),
    "quotation marks": b"> " * (2 * MB),
    "entities": b"&lt;" * MB,
    "escapes": b"\\n" * MB,
    "open brackets": b"[" * MB,
    "a graph without end": b"digraph J {" + b"N0 [" * MB,
    "one deep line": b"x <= 1\n" + b"|   " * 100_000 + b"x <= 1: a (1.0)\n",
    "noise": bytes(random.Random(1).choices(b"abc |:<=()\n0123.", k=5 * MB)),
    "zeros": b"\0" * MB,
    "bytes": random.Random(2).randbytes(MB),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("known", [True, False])
def test_a_hostile_text_is_refused_in_time(name: str, known: bool) -> None:
    before = time.process_time()
    with pytest.raises(j48geo.ModelReadError):
        j48geo.read_tree(HOSTILE[name], header=HEADER if known else None)
    # Generous: the point is seconds, not minutes, on any machine.
    assert time.process_time() - before < 30


def test_a_model_of_absurd_size_is_refused_before_it_is_read() -> None:
    class Endless:
        name = "endless.txt"

        def read(self, size: int = -1) -> bytes:
            return b"noise\n" * (max(size, 6) // 6)

    with pytest.raises(j48geo.ModelReadError, match="more than"):
        j48geo.read_tree(Endless())  # type: ignore[arg-type]


def test_a_tree_of_a_hundred_levels_is_read() -> None:
    depth = 100
    lines = [f"{'|   ' * d}x <= {1000 - d}" for d in range(depth)]
    lines[-1] += ": a (1.0)"
    lines += [f"{'|   ' * d}x > {1000 - d}: b (1.0)" for d in reversed(range(depth))]
    tree = j48geo.read_tree("\n".join(lines).encode(), header=HEADER)
    assert (tree.size, len(tree.leaves)) == (2 * depth + 1, depth + 1)


def test_names_that_make_every_line_ambiguous_do_not_explode() -> None:
    header = j48geo.Header(
        "r",
        (
            j48geo.Attribute("x", "nominal", ("a = b", "a = d")),
            j48geo.Attribute("x = a", "nominal", ("b", "d")),
            j48geo.Attribute("class", "nominal", ("a", "b")),
        ),
        class_index=2,
    )
    depth = 60
    lines = [f"{'|   ' * d}x = a = b" for d in range(depth)]
    lines[-1] += ": a (1.0)"
    lines += [f"{'|   ' * d}x = a = d: b (1.0)" for d in reversed(range(depth))]
    before = time.process_time()
    with pytest.raises(j48geo.ModelReadError):
        j48geo.read_tree("\n".join(lines).encode(), header=header)
    broken = "\n".join([*lines[:-1], "x = a = e: b (1.0)"])
    with pytest.raises(j48geo.ModelReadError):
        j48geo.read_tree(broken.encode(), header=header)
    assert time.process_time() - before < 30
