"""``grow --evaluate`` beside what Weka 3.9.7 printed, in the fixtures and live."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Run
from differential_grow import TIMES, compare_case, compare_evaluations
from random_growing import grow_case
from tree_cases import class_option, copied_as, meta_of, printed_text, suite_of, tree_cases
from weka_live import Weka

ROOT = Path(__file__).resolve().parents[2]

# Copies changed on purpose: a Swedish minus, lines of another program.
NOT_AS_PRINTED = {"p18-ionosphere-swedish", "p59-stderr-noise", "negative-swedish"}


def printed(case: Path) -> str:
    return TIMES.sub("", printed_text(case))


def is_evaluated(case: Path) -> bool:
    """Whether J48's command line of 3.9.7 printed it with an evaluation."""
    meta = meta_of(case)
    return (
        meta["weka"] == "3.9.7"
        and meta["classifier"].endswith("trees.J48")
        and meta["output_kind"] == "cli"
        and copied_as(case) != "quoted"
        and case.name not in NOT_AS_PRINTED
        and "=== Error on training data ===" in printed_text(case)
    )


def evaluated(j48geo: Run, case: Path) -> str:
    words = ["grow", case / "data.arff", "--evaluate", *meta_of(case)["options"].split()]
    words += class_option(case)
    if "=== Error on test data ===" in printed(case):
        words += ["-T", case / "test.arff"]
    done = j48geo(*words)
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.mark.parametrize("case", tree_cases(is_evaluated))
def test_a_text_is_printed_whole_but_for_the_times(
    case: Path, j48geo: Run, record_case: Callable[..., None]
) -> None:
    record_case(f"{suite_of(case)} evaluated", case.name)
    assert evaluated(j48geo, case).strip("\n") == printed(case).strip("\n")


@pytest.mark.weka
@pytest.mark.parametrize("seed", [s for s in range(20_000, 20_036) if s % 6 != 4])
def test_a_random_evaluation_is_wekas_letter_for_letter(
    seed: int, weka: Weka, weka395: Weka, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    for options, outcome, ours, wekas in compare_case(weka, weka395, grow_case(seed), tmp_path):
        record_case("live Weka, evaluations", f"{seed} {options}", outcome != "different")
        assert outcome != "different", f"{options}:\n{ours}\n{wekas}"


HEAD = "@relation r\n@attribute x numeric\n@attribute class {a,b,c}\n@data\n"
MANY = HEAD.replace("{a,b,c}", "{" + ",".join(f"k{i}" for i in range(30)) + "}")
EDGES = {
    "one class": HEAD + "".join(f"{i},a\n" for i in range(12)),
    "missing classes": HEAD + "".join(f"{i},{'ab?'[i % 3]}\n" for i in range(14)),
    "all classes missing": HEAD + "".join(f"{i},?\n" for i in range(12)),
    "fewer rows than folds": HEAD + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(9)),
    "no rows": HEAD,
    "weights of zero": HEAD + "".join(f"{i},{'ab'[i > 6]},{{0}}\n" for i in range(12)),
    "some weights of zero": HEAD
    + "".join(f"{i},{'ab'[i > 6]},{{{i % 7 % 2}}}\n?,c,{{0}}\n" for i in range(12)),
    "small weights": HEAD + "".join(f"{i},{'ab'[i > 6]},{{0.04}}\n" for i in range(12)),
    **{
        f"weights of {w}": HEAD + "".join(f"{i},{'ab'[i > 6]},{{{w}}}\n" for i in range(12))
        for w in ("1e-9", "1e-7", "2e-6", "1e-300")
    },
    "a light row without a class": HEAD
    + "".join(f"{i},{'ab'[i > 6]}\n" for i in range(12))
    + "1,?,{1e-9}\n",
    "a leaf too light to answer": HEAD.replace("x numeric", "x {r,p,q}")
    + "r,c,{3e-7}\nr,b,{3e-7}\n"
    + "".join(f"{'pq'[i % 2]},{'ab'[i % 2]}\n" for i in range(12)),
    "large weights": HEAD + "".join(f"{i},{'ab'[i > 6]},{{123456.5}}\n" for i in range(12)),
    "just below a whole number": HEAD + "".join(f"{i},a,{{0.7}}\n" for i in range(11)),
    "thirty classes": MANY + "".join(f"{i},k{i // 4}\n" for i in range(120)),
    "thirty classes with weights": MANY + "".join(f"{i},k{i // 4},{{0.3}}\n" for i in range(120)),
}


@pytest.mark.weka
@pytest.mark.parametrize("name", EDGES)
def test_an_evaluation_at_the_edge_is_wekas_or_refused_as_there(
    name: str, weka: Weka, tmp_path: Path
) -> None:
    file, other = tmp_path / "data.arff", tmp_path / "test.arff"
    file.write_text(EDGES[name])
    outcome, ours, wekas = compare_evaluations(weka, file, "")
    assert outcome in ("equal", "refused"), f"{ours}\n{wekas}"
    head, mark, rows = EDGES[name].partition("@data\n")
    other.write_text(head + mark + "\n".join(rows.splitlines()[:3]) + "\n")
    outcome, ours, wekas = compare_evaluations(weka, file, "-M 1", test=other)
    assert outcome == "equal", f"{ours}\n{wekas}"


def test_options_of_an_evaluation_need_one(j48geo: Run) -> None:
    file = ROOT / "fixtures" / "iris" / "data.arff"
    done = j48geo("grow", file, "-x", "3")
    assert (done.code, done.out) == (2, "")
    assert "-x is of --evaluate; expected that with it" in done.err
    done = j48geo("grow", file, "--evaluate", "-x", "3", "-T", file)
    assert done.code == 2
    assert "-x with -T: a test file has no folds" in done.err
    done = j48geo("grow", file, "--evaluate", "-x", "151")
    assert (done.code, done.out) == (2, "")
    assert "151 folds of 150 rows; expected at least 2, no more than rows" in done.err
