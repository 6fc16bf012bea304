from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import ROOT, Run, apart
from tree_cases import is_single_tree, suite_of, tree_cases
from weka_live import Weka, predictions

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.geometry.metric import fit_metric
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.score.ranking import rank_scores
from j48geo.score.scores import ScoredBatch, score_batch
from j48geo.score.setting import Setting

FIXTURES = [
    "iris",
    "pima",
    "breast-cancer-explorer",
    "class-first",
    "date",
    "multiway-empty",
    "odd-names",
    "parcels-binary",
    "parcels-weights",
    "standardised",
    "wine-laplace",
]

GLOBAL = ("--by", "global", "-f", "jsonl")
UNCOUNTED = "x <= 2: a\nx > 2\n|   y <= 1: b\n|   y > 1: a\n"
SMALL = """@relation r
@attribute x numeric
@attribute y numeric
@attribute class {a,b}
@data
1,1,a
3,1,b
3,2,a
2,0,b
?,0.5,a
"""


@dataclass(frozen=True)
class Case:
    """A fixture, read by the library."""

    folder: Path
    data: Dataset
    tree: BoxTree
    counts: NodeCounts

    @property
    def arguments(self) -> list[object]:
        column = json.loads((self.folder / "meta.json").read_text(encoding="utf-8"))["class_index"]
        chosen = [] if column < 0 else ["-c", column + 1]
        return [self.folder / "model.txt", self.folder / "data.arff", *chosen]

    def setting(self, positive: int, metric: str = "standard", **more: Any) -> Setting:
        found = fit_metric(self.tree, metric, self.data.X)  # type: ignore[arg-type]
        laplace = bool(self.tree.options.laplace)
        return Setting(
            self.tree, self.counts, found, positive, training=self.data, laplace=laplace, **more
        )


def case(folder: Path) -> Case:
    column = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["class_index"]
    data = read_arff(folder / "data.arff", class_attribute="last" if column < 0 else column + 1)
    replayed = replay(read_tree(folder / "model.txt", header=data.header, data=data), data)
    return Case(folder, data, replayed.tree, replayed.counts)


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def same(rows: list[dict[str, Any]], batch: ScoredBatch, data: Dataset, tree: BoxTree) -> None:
    """Best first, and every number as the library gives it."""
    classes = tree.classes
    wanted = rank_scores(batch.score, batch.within)
    assert [r["row"] - 1 for r in rows] == wanted.order.tolist()
    for r in rows:
        i = r["row"] - 1
        assert r["rank"] == wanted.rank[i]
        assert r["score"] == batch.score[i]
        assert r["distance"] == (batch.distance[i] if np.isfinite(batch.distance[i]) else None)
        assert r["predicted"] == classes[batch.predicted[i]]
        assert r["leaf"] == (None if batch.leaf[i] < 0 else batch.leaf[i] + 1)
        actual = data.X[i, tree.header.class_index]
        assert r["actual"] == (None if np.isnan(actual) else classes[int(actual)])
        if batch.within is not None:
            assert r["within"] == batch.within[i]
        if batch.h is not None:
            assert list(r["h"]) == list(classes)
            assert list(r["h"].values()) == batch.h[i].tolist()


@pytest.mark.parametrize("by", ["global", "local", "leaf"])
@pytest.mark.parametrize("name", FIXTURES)
def test_the_scores_are_those_of_the_library(
    j48geo: Run, fixtures_dir: Path, name: str, by: str
) -> None:
    known = case(fixtures_dir / name)
    positive = len(known.tree.classes) - 1
    label = known.tree.classes[positive]
    done = j48geo(
        *("rank", *known.arguments, "--positive", label, "--by", by, "--all-classes", "-f", "jsonl")
    )
    assert done.code == 0, done.err
    batch = score_batch(known.setting(positive), known.data.X, by, all_classes=True)
    same(records(done.out), batch, known.data, known.tree)


@pytest.mark.parametrize("folder", tree_cases(is_single_tree))
def test_every_tree_is_ranked_as_by_the_library(
    j48geo: Run, folder: Path, record_case: Callable[..., None]
) -> None:
    record_case(f"{suite_of(folder)}, ranked as by the library", folder.name)
    known = case(folder)
    for positive, label in list(enumerate(known.tree.classes))[:2]:
        done = j48geo("rank", *known.arguments, "--positive", label, *GLOBAL, "-q")
        assert done.code == 0, done.err
        batch = score_batch(known.setting(positive), known.data.X)
        same(records(done.out), batch, known.data, known.tree)


def test_a_line_of_jsonl_is_as_promised(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    arguments = ("rank", folder / "model.txt", folder / "data.arff", *GLOBAL, "--top", 1)
    assert j48geo(*arguments).out == (
        '{"rank":1,"row":237,"score":1.7376612655369754,"distance":1.7376612655369754,'
        '"predicted":"tested_positive","leaf":20,"actual":"tested_positive","method":"global"}\n'
    )
    (local,) = records(j48geo(*arguments, "--by", "local", "--all-classes").out)
    assert list(local) == [
        *("rank", "row", "score", "distance", "predicted", "leaf", "actual"),
        *("within", "h", "method"),
    ]
    assert list(local["h"]) == ["tested_negative", "tested_positive"]


def test_the_words_tell_class_metric_zero_distances_and_scores(
    j48geo: Run, fixtures_dir: Path
) -> None:
    model, data = fixtures_dir / "pima" / "model.txt", fixtures_dir / "pima" / "data.arff"
    settings = (
        f"j48geo: note: {data} is the training data (all 20 leaf counts replay); "
        "positive class 'tested_positive', the rarer one (268 of 768)\n"
    )
    given = ("rank", model, data, "--by", "global")
    assert j48geo(*given).err == settings
    assert j48geo(*given, "-v").err == (
        f"{settings}j48geo: note: metric: standard (divided by the standard deviation), "
        f"from {data}, the training data\n"
        "j48geo: note: 768 cases, 15 leaf scores → 549 scores\n"
        "j48geo: note: 20 of 768 distances are 0 (2.6%)\n"
    )
    assert j48geo("rank", model, data, "-q").err == ""


def test_nearby_is_the_ranking_where_the_training_data_is_known(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = fixtures_dir / "pima" / "model.txt", fixtures_dir / "pima" / "data.arff"
    done = j48geo("rank", model, data, "-f", "jsonl")
    assert done.out == j48geo("rank", model, data, "--by", "nearby", "-f", "jsonl").out
    assert done.err == (
        f"j48geo: note: {data} is the training data (all 20 leaf counts replay); ranked by nearby, "
        "average of the leaves around (the papers' ranking: --by global); positive class "
        "'tested_positive', the rarer one (268 of 768)\n"
        "j48geo: note: 30 cases: the tree's class, which stands, is not the most probable one\n"
    )
    fitted = tmp_path / "model.json"
    for methods, wanted in (("nearby", "nearby"), ("gdk", "local")):
        train = ("--train", data, "--method", methods)
        assert j48geo("fit", model, *train, "-o", fitted).code == 0
        assert f"; ranked by {wanted}, " in j48geo("rank", fitted, data).err


def test_without_training_data_local_is_the_ranking_and_without_counts_global(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = fixtures_dir / "pima" / "model.txt", fixtures_dir / "pima" / "data.arff"
    new = tmp_path / "new.arff"
    new.write_text("".join(data.read_text().splitlines(True)[:-100]))
    done = j48geo("rank", model, new, "-f", "jsonl")
    assert done.out == j48geo("rank", model, new, "--by", "local", "-f", "jsonl").out
    assert "ranked by local, the leaf's estimate, then signed distance (the papers'" in done.err
    done = j48geo(*small(tmp_path), "--positive", "b", "-f", "jsonl")
    assert done.out == j48geo(*small(tmp_path), "--positive", "b", *GLOBAL).out
    assert "; ranked by global, signed distance to the boundary; metric standard" in done.err


@pytest.mark.parametrize("name", ["iris", "small"])
def test_where_no_class_is_positive_the_surest_of_any_class_come_first(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    folder = fixtures_dir / "iris"
    given = ("rank", folder / "model.txt", folder / "data.arff")
    given = given if name == "iris" else small(tmp_path)
    done = j48geo(*given, "-f", "jsonl")
    assert done.code == 0, done.err
    assert "ranked by distance, distance to any change of class" in done.err
    rows = [row for row in records(done.out) if row["score"] is not None]
    assert [row["score"] for row in rows] == [row["distance"] for row in rows]
    assert rows == sorted(rows, key=lambda row: (-row["distance"], row["row"]))
    assert done.out == j48geo(*given, "--by", "distance", "-f", "jsonl").out
    if name == "iris":
        said = "no positive class: the surest of any class come first (--positive LABEL)\n"
        assert said in done.err
        # A ranking of one class is replaced, and that is said.
        done = j48geo(*given, *GLOBAL)
        assert records(done.out) == rows
        assert "no positive class is named, so global has nothing to rank by\n" in done.err


@pytest.mark.parametrize("method", ["raw", "laplace", "m", "gdk", "ldk", "ldk-leaf", "nearby"])
def test_every_probability_is_a_ranking(j48geo: Run, fixtures_dir: Path, method: str) -> None:
    folder = fixtures_dir / "pima"
    given = (folder / "model.txt", folder / "data.arff")
    estimated = records(j48geo("proba", *given, "--method", method, "-f", "jsonl").out)
    wanted = [row["probabilities"]["tested_positive"] for row in estimated]
    ranked = records(j48geo("rank", *given, "--by", method, "-f", "jsonl").out)
    found = [wanted[row["row"] - 1] for row in ranked]
    assert found == sorted(wanted, reverse=True)
    assert len({row["rank"] for row in ranked}) > 5


def test_the_least_sure_come_first_if_they_are_asked_for(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    given = ("rank", folder / "model.txt", folder / "data.arff", "--least-sure", "-f", "jsonl")
    rows = records(j48geo(*given, "--by", "global").out)
    assert [row["score"] for row in rows] == sorted(row["distance"] for row in rows)
    done = j48geo(*given, "--by", "nearby")
    estimated = records(j48geo("proba", *given[1:3], "--method", "nearby", "-f", "jsonl").out)
    for row in records(done.out):
        low, high = sorted(estimated[row["row"] - 1]["probabilities"].values())
        assert row["score"] == pytest.approx(high - low, abs=1e-12)
    scores = [row["score"] for row in records(done.out)]
    assert scores == sorted(scores)
    iris = fixtures_dir / "iris"
    done = j48geo("rank", iris / "model.txt", iris / "data.arff", "--least-sure", "--top", 1)
    assert "the least sure of any class come first" in done.err
    done = j48geo(*given, "--by", "local")
    assert (done.code, done.out) == (2, "")
    assert "--least-sure" in done.err


def test_without_training_data_the_given_data_serves_and_that_is_said(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = fixtures_dir / "pima" / "model.txt", fixtures_dir / "pima" / "data.arff"
    new = tmp_path / "new.arff"
    new.write_text("".join(data.read_text().splitlines(True)[:-100]))
    done = j48geo("rank", model, new, *GLOBAL)
    assert f"; metric standard, from {new}, the data itself; positive class" in done.err
    named = j48geo("rank", model, new, "--train", data, *GLOBAL, "-v")
    assert f"from {data}, the training data\n" in named.err
    assert "the data itself" not in named.err
    whole = {r["row"]: r["score"] for r in records(j48geo("rank", model, data, *GLOBAL).out)}
    assert all(r["score"] == whole[r["row"]] for r in records(named.out))
    assert any(r["score"] != whole[r["row"]] for r in records(done.out))


def test_training_data_with_its_columns_in_another_order_gives_the_same_scores(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    lines = data.read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.lower() == "@data")
    names = [i for i, line in enumerate(lines) if line.lower().startswith("@attribute")]
    turned = [lines[i] for i in names[:-1][::-1]] + [lines[names[-1]], "@data"]
    for line in lines[begin + 1 :]:
        if line:
            *cells, label = line.split(",")
            turned.append(",".join([*cells[::-1], label]))
    other = tmp_path / "turned.arff"
    other.write_text("@relation turned\n" + "\n".join(turned) + "\n")
    for more in ([], ["--by", "global"], ["--by", "global", "--separators", "midgap"]):
        wanted = j48geo("rank", model, data, "-f", "jsonl", *more)
        done = j48geo("rank", model, data, "--train", other, "-f", "jsonl", *more)
        assert (done.code, done.out) == (0, wanted.out)


# -------------------------------------------------------------------------------- formats


@pytest.mark.parametrize(
    "more", [[], ["--by", "global"], ["--by", "local", "--all-classes"], ["--top", "7"]]
)
def test_all_formats_hold_the_same_ranking(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, more: list[str]
) -> None:
    folder = fixtures_dir / "breast-cancer-explorer"
    arguments = ["rank", folder / "model.txt", folder / "data.arff", *more]
    lines = records(j48geo(*arguments, "-f", "jsonl").out)
    assert json.loads(j48geo(*arguments, "-f", "json").out) == lines
    flat = [
        {k: v for k, v in r.items() if k not in ("h", "flags", "method")}
        | {f"h({c})": v for c, v in r.get("h", {}).items()}
        | {"method": r["method"]}
        for r in lines
    ]
    table = csv.DictReader(StringIO(j48geo(*arguments, "-f", "csv").out))
    for row, wanted in zip(table, flat, strict=True):
        assert list(row) == list(wanted)
        assert row == {k: "" if v is None else str(v) for k, v in wanted.items()}
    shown = j48geo(*arguments).lines
    assert len(shown) == len(lines) + 2
    for line, wanted in zip(shown[2:], lines, strict=True):
        words = line.split()
        assert words[:3] == [str(wanted["rank"]), str(wanted["row"]), f"{wanted['score']:.4f}"]
        assert ("+" in words) == (wanted["predicted"] != wanted["actual"])
    file = tmp_path / "ranked.arff"
    assert j48geo(*arguments, "-f", "arff", "-o", file).out == ""
    ranked, data = read_arff(file), read_arff(folder / "data.arff")
    width = len(data.header)
    assert ranked.header.attributes[:width] == data.header.attributes
    assert ranked.header.names[width:] == (
        *("rank", "score"),
        *(k for k in flat[0] if k == "within" or k.startswith("h(")),
    )
    order = [r["row"] - 1 for r in lines]
    np.testing.assert_array_equal(ranked.X[:, :width], data.X[order])
    np.testing.assert_array_equal(ranked.weights, data.weights[order])
    assert ranked.X[:, width].tolist() == [r["rank"] for r in lines]
    assert ranked.X[:, width + 1].tolist() == [r["score"] for r in lines]


@pytest.mark.parametrize("name", ["date", "odd-names", "parcels-weights", "class-first"])
def test_the_arff_holds_every_attribute_and_weight(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    known = case(fixtures_dir / name)
    label = known.tree.classes[0]
    file = tmp_path / "ranked.arff"
    arguments = ("rank", *known.arguments, "--positive", label)
    assert j48geo(*arguments, "-f", "arff", "-o", file).code == 0
    order = [r["row"] - 1 for r in records(j48geo(*arguments, "-f", "jsonl").out)]
    ranked = read_arff(file)
    width = len(known.data.header)
    np.testing.assert_array_equal(ranked.X[:, :width], known.data.X[order])
    np.testing.assert_array_equal(ranked.weights, known.data.weights[order])


def test_a_name_that_is_taken_gets_an_underscore(j48geo: Run, tmp_path: Path) -> None:
    data, model = tmp_path / "d.arff", tmp_path / "m.txt"
    model.write_text("score <= 2: a (2.0)\nscore > 2: b (1.0)\n")
    data.write_text(
        "@relation r\n@attribute score numeric\n@attribute rank string\n"
        "@attribute class {a,b}\n@data\n1,'first one',a\n3,second,b\n1,?,a\n"
    )
    done = j48geo("rank", model, data, "-f", "arff", "--by", "global", "--metric", "none")
    assert done.lines[-3:] == ["3,second,b,1,1", "1,'first one',a,2,-1", "1,?,a,2,-1"]
    header = read_arff(done.out.encode()).header
    assert header.names == ("score", "rank", "class", "rank_", "score_")


@pytest.mark.weka
@pytest.mark.parametrize("name", ["pima", "odd-names", "date"])
def test_weka_reads_the_arff(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, weka: Weka, name: str
) -> None:
    known = case(fixtures_dir / name)
    arguments = ("rank", *known.arguments, "--positive", known.tree.classes[1])
    file = tmp_path / "ranked.arff"
    j48geo(*arguments, "-f", "arff", "-o", file)
    weka.truth(tmp_path / "truth", file, class_index=known.tree.header.class_index or 0)
    seen = [p.actual for p in predictions(tmp_path / "truth" / "weka.csv") if p.set == "train"]
    assert seen == [r["actual"] for r in records(j48geo(*arguments, "-f", "jsonl").out)]


def test_no_rows_give_an_empty_ranking_in_every_format(j48geo: Run, tmp_path: Path) -> None:
    data, model = tmp_path / "d.arff", tmp_path / "m.txt"
    model.write_text("x <= 2: a (2.0)\nx > 2: b (1.0)\n")
    data.write_text(SMALL.partition("1,1,a")[0])
    outs = {}
    for kind in ("table", "csv", "json", "jsonl", "arff"):
        done = j48geo("rank", model, data, "-f", kind, "--by", "global", "-v")
        assert done.code == 0, done.err
        outs[kind] = done.out
    assert (outs["json"], outs["jsonl"]) == ("[]\n", "")
    assert outs["csv"] == "rank,row,score,distance,predicted,leaf,actual,method\n"
    assert len(outs["table"].splitlines()) == 2
    assert len(read_arff(outs["arff"].encode())) == 0
    assert "note: 0 cases, 0 leaf scores → 0 scores\n" in done.err


# ------------------------------------------------------------------------- long files


def test_blocks_and_standard_input_give_what_a_whole_file_gives(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    text = (folder / "data.arff").read_text()
    begin = text.lower().index("@data") + len("@data\n")
    often = 120
    long = tmp_path / "long.arff"
    long.write_text(text[:begin] + text[begin:] * often)
    arguments = ("rank", folder / "model.txt")
    options = ("--metric", "minmax", *GLOBAL)
    once = {r["row"]: r for r in records(j48geo(*arguments, folder / "data.arff", *options).out)}
    done = j48geo(*arguments, long, *options)
    assert f"from {long}, the data itself" in done.err
    rows = records(done.out)
    n = len(once)
    assert sorted(r["row"] for r in rows) == list(range(1, n * often + 1))
    for r in rows:
        origin = once[(r["row"] - 1) % n + 1]
        assert (r["score"], r["leaf"]) == (origin["score"], origin["leaf"])
        assert r["rank"] == (origin["rank"] - 1) * often + 1
    piped = apart(*arguments, "-", *options, "-q", stdin=gzip.compress(long.read_bytes(), 1))
    assert (piped.code, piped.err, piped.out) == (0, "", done.out)


def test_csv_rows_without_a_class_are_ranked_with_the_types_of_the_training_data(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, train = folder / "model.txt", folder / "data.arff"
    lines = j48geo("data", train, "-f", "csv").lines
    new = tmp_path / "new.csv"
    new.write_text("".join(line.rpartition(",")[0] + "\n" for line in lines))
    wanted = records(j48geo("rank", model, train, "-f", "jsonl").out)
    done = j48geo("rank", model, new, "--train", train, "-f", "jsonl")
    assert done.code == 0, done.err
    assert records(done.out) == [row | {"actual": None} for row in wanted]
    ranked = read_arff(j48geo("rank", model, new, "--train", train, "-f", "arff").out.encode())
    assert ranked.header.names[-3:] == ("class", "rank", "score")


# ---------------------------------------------------------------------- measuring


def test_a_file_of_scales_replaces_the_metric(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    known = case(fixtures_dir / "iris")
    scales = {"petalwidth": 0.1, "petallength": 0.25}
    as_json, as_csv = tmp_path / "scales.json", tmp_path / "scales.csv"
    as_json.write_text(json.dumps(scales))
    as_csv.write_text("attribute,accuracy\npetalwidth,0.1\npetallength,0.25\n")
    metric = fit_metric(known.tree, "custom", scales=scales)
    setting = Setting(known.tree, known.counts, metric, 1)
    batch = score_batch(setting, known.data.X)
    for file in (as_json, as_csv):
        done = j48geo(
            *("rank", *known.arguments, "--positive", "Iris-versicolor", *GLOBAL),
            *("--metric", file, "-v"),
        )
        same(records(done.out), batch, known.data, known.tree)
        assert f"metric: custom (divided by the given scales), from {file}\n" in done.err


def test_options_of_measure_and_estimate_reach_the_library(j48geo: Run, fixtures_dir: Path) -> None:
    known = case(fixtures_dir / "parcels-binary")
    n = known.counts.per_class[0]
    p = float(n[1] / n.sum())
    metric = fit_metric(known.tree, "minmax", known.data.X, nominal_weight=0.25)
    shared = {"training": known.data, "boundary": "any", "estimate": "m", "mp": 3.0 * p}
    setting = Setting(known.tree, known.counts, metric, 1, **shared)
    done = j48geo(
        *("rank", *known.arguments, "--positive", known.tree.classes[1], "-f", "jsonl"),
        *("--by", "local", "--estimate", "m", "--m", "3", "--boundary", "any"),
        *("--metric", "minmax", "--nominal-weight", "0.25"),
    )
    batch = score_batch(setting, known.data.X, "local")
    same(records(done.out), batch, known.data, known.tree)


def test_midgap_faces_leave_no_training_case_at_distance_0(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    arguments = ("rank", folder / "model.txt", folder / "data.arff")
    arguments = (*arguments, "--by", "global", "-v")
    assert "note: 20 of 768 distances are 0 (2.6%)\n" in j48geo(*arguments).err
    assert "distances are 0" not in j48geo(*arguments, "--separators", "midgap").err


# ----------------------------------------------------------------- what cannot be ranked


def small(tmp_path: Path, model: str = UNCOUNTED) -> tuple[str, Path, Path]:
    (tmp_path / "m.txt").write_text(model)
    (tmp_path / "d.arff").write_text(SMALL)
    return "rank", tmp_path / "m.txt", tmp_path / "d.arff"


def test_a_tree_of_one_class_is_ranked_by_its_leaf_estimates_and_says_so_once(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "one-leaf"
    done = j48geo("rank", folder / "model.txt", folder / "data.arff", *GLOBAL)
    sentence = (
        "note: all leaves have the same label: there is no decision boundary; cases are ranked by "
        "their leaf estimates\n"
    )
    assert done.err.count(sentence) == 1
    assert "distances are 0" not in done.err
    # The leaves around are one leaf, too.
    near = j48geo("rank", folder / "model.txt", folder / "data.arff", "-f", "jsonl")
    assert {(r["rank"], r["score"]) for r in records(near.out)} == {(1, 11 / 62)}
    rows = records(done.out)
    assert {(r["rank"], r["score"], r["distance"]) for r in rows} == {(1, 11 / 62, None)}
    assert all(r["flags"] == ["no-boundary"] for r in rows)
    table = j48geo(
        *("rank", folder / "model.txt", folder / "data.arff", "--by", "global"),
        *("-f", "csv", "--top", 1),
    )
    assert table.lines[1] == "1,1,0.1774193548387097,Infinity,no,1,no,global"


def test_without_counts_labels_and_distances_still_rank(j48geo: Run, tmp_path: Path) -> None:
    done = j48geo(*small(tmp_path), "--positive", "b", "--metric", "none", "-f", "jsonl", "-v")
    assert records(done.out)[2:] == [
        *(
            {"rank": 3, "row": row, "score": -1.0, "distance": 1.0, "predicted": "a"}
            | {"leaf": leaf, "actual": "a", "method": "global"}
            for row, leaf in ((1, 1), (3, 3))
        ),
        {"rank": 5, "row": 5, "score": None, "distance": None, "predicted": None, "leaf": None}
        | {"actual": "a", "flags": ["no-class"], "method": "global"},
    ]
    assert "note: 5 cases, 3 leaves → 3 scores\n" in done.err
    assert (
        "note: the text alone does not give the class of 1 case with missing values, and so no "
        "distance: they come last\n"
    ) in done.err


@pytest.mark.parametrize("by", ["leaf", "local"])
def test_without_counts_leaf_estimates_are_refused_with_what_to_give(
    j48geo: Run, tmp_path: Path, by: str
) -> None:
    arguments = small(tmp_path)
    done = j48geo(*arguments, "--positive", "b", "--by", by, "-q")
    assert (done.code, done.out, done.err) == (
        5,
        "",
        f"{arguments[1]}: leaf 1 (line 1): the text does not tell how many cases of each class it "
        "holds; expected the training data (as DATA, or with --train FILE)\n",
    )
    done = j48geo(*arguments, "--positive", "b", "--by", by, "--train", arguments[2])
    assert done.code == 0, done.err


def test_scales_that_do_not_fit_the_tree_name_their_file(j48geo: Run, tmp_path: Path) -> None:
    arguments = (*small(tmp_path), "--positive", "b", "-q", "--metric")
    file = tmp_path / "scales.json"
    for text, message in (
        ('{"x": 1, "z": 1}', "unknown attribute 'z'; known: x, y, class"),
        (
            '{"x": 1}',
            "no scale for 'y'; expected one for every numeric attribute that the tree uses",
        ),
        ('{"x": 1, "y": 0}', "scale 0.0 of attribute 'y'; expected a positive number"),
    ):
        file.write_text(text)
        done = j48geo(*arguments, file)
        assert (done.code, done.out, done.err) == (2, "", f"{file}: {message}\n")
    file.write_text('{"x": ')
    done = j48geo(*arguments, file)
    assert done.code == 4
    assert done.err.startswith(f"{file}:1:7: not JSON: ")


def test_nominal_tests_can_be_refused(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "multiway-empty"
    arguments = ("rank", folder / "model.txt", folder / "data.arff", "--positive", "more")
    arguments = (*arguments, "--by", "global")
    assert j48geo(*arguments).code == 0
    done = j48geo(*arguments, "--nominal", "refuse", "-q")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("node 0 tests the nominal attribute 'service', which has no metric")


# ------------------------------------------------------------------------------- weight


def test_a_small_ranking_loads_nothing_heavy(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    arguments = ["rank", str(folder / "model.txt"), str(folder / "data.arff"), "-q"]
    code = (
        "import sys; from j48geo.cli import main\n"
        f"assert main({[*arguments, '--positive', 'Iris-setosa']!r}) == 0\n"
        "heavy = {'numba', 'scipy', 'pandas', 'matplotlib', 'sklearn', 'arff'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------- nearby leaves, zero distances


def test_nearby_ranks_by_the_probability_that_proba_gives(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    ranked = [
        json.loads(x) for x in j48geo("rank", model, data, "--by", "nearby", "-f", "jsonl").lines
    ]
    done = j48geo("proba", model, data, "--method", "nearby", "-f", "jsonl")
    wanted = [json.loads(x)["probabilities"]["tested_positive"] for x in done.lines]
    for row in ranked:
        assert row["score"] == pytest.approx(wanted[row["row"] - 1], abs=1e-12)
    scores = [row["score"] for row in ranked]
    assert scores == sorted(scores, reverse=True)


def test_local_ranking_can_order_equal_leaves_by_nearby(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    done = j48geo("rank", model, data, "--by", "local", "--within", "nearby", "-f", "jsonl")
    plain = j48geo("rank", model, data, "--by", "local", "-f", "jsonl")
    near = j48geo("rank", model, data, "--by", "nearby", "-f", "jsonl")
    by_row = {row["row"]: row["score"] for row in map(json.loads, near.lines)}
    leaf = {row["row"]: row["score"] for row in map(json.loads, plain.lines)}
    rows = [json.loads(x) for x in done.lines]
    keys = [(row["score"], row["within"]) for row in rows]
    assert keys == sorted(keys, reverse=True)
    for row in rows:
        assert row["within"] == by_row[row["row"]]
        assert row["score"] == leaf[row["row"]]


STEPS = """@relation r
@attribute size numeric
@attribute weight numeric
@attribute class {a,b}
@data
""" + "".join(
    f"{size},{weight},{'a' if size <= 1 else 'b'}\n" for size in (0, 1, 2) for weight in range(20)
)


def test_many_zero_distances_are_told_with_their_attributes_and_the_ways_out(
    j48geo: Run, tmp_path: Path
) -> None:
    model, data = tmp_path / "model.txt", tmp_path / "data.arff"
    model.write_text("size <= 1: a (40.0)\nsize > 1: b (20.0)\n")
    data.write_text(STEPS)
    told = (
        "33% of the distances are 0, so they tell little: these cases lie exactly on a threshold "
        "of 'size'; --separators midgap measures to the middle of the gap above it; "
    )
    done = j48geo("rank", model, data, "--by", "global")
    assert f"{told}--by nearby averages the leaves around instead" in done.err
    done = j48geo("proba", model, data, "--method", "gdk")
    assert f"{told}--method nearby averages the leaves around instead" in done.err
    for way in (("--by", "global", "--separators", "midgap"), ("--by", "nearby"), ()):
        assert "tell little" not in j48geo("rank", model, data, *way).err
    assert "tell little" not in j48geo("proba", model, data, "--method", "nearby").err
    # Only ways that can be followed are named.
    other = tmp_path / "other.arff"
    other.write_text(STEPS.replace("0,0,a\n", "0,0,b\n"))
    done = j48geo("rank", model, other, "--by", "global")
    assert "lie exactly on a threshold of 'size'\n" in done.err
    assert "midgap" not in done.err
    assert "--by nearby" not in done.err
