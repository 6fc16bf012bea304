from __future__ import annotations

import json
from math import inf, nan

import numpy as np

from j48geo.core.dataset import Header
from j48geo.score.ranking import RankedRows, RankingFacts, ScoreCollector
from j48geo.score.scores import ScoredBatch
from j48geo.show.reports.ranking import ranking_details, ranking_report, ranking_sentences


def shown(ranked: RankedRows, form: str = "jsonl") -> str:
    return "".join(ranking_report(ranked).format_rows(form, Header("", ())))


def scores(parts: int = 1, within: bool = False) -> ScoreCollector:
    """Six rows of odd numbers, given in so many parts."""
    score = np.array([0.5, -0.0, nan, 0.0, -2.5e-7, inf])
    distance = np.array([0.5, 0.0, nan, inf, 2.5e-7, 1e300])
    h = np.stack([-distance, distance], axis=1)
    predicted = np.array([0, 1, -1, 1, 1, 0])
    leaf = np.array([3, -1, -1, 0, 0, 11])
    actual = np.array([0, 0, nan, 1, 1, 0.0])
    collector = ScoreCollector(("да, yes", 'no "never"\n'), "global")
    for part in np.array_split(np.arange(6), parts):
        second = score[part] * 2 if within else None
        batch = ScoredBatch(
            score[part], second, distance[part], predicted[part], leaf[part], h[part]
        )
        collector.add(batch, actual[part])
    return collector


def test_what_json_has_no_number_for_is_null_with_a_flag() -> None:
    rows = [json.loads(line) for line in shown(scores().ranked()).splitlines()]
    assert [(r["rank"], r["row"]) for r in rows] == [(1, 6), (2, 1), (3, 2), (3, 4), (5, 5), (6, 3)]
    assert [r.get("flags") for r in rows] == [
        *(["infinite-score"], None, None, ["no-boundary"], None, ["no-class"])
    ]
    assert [r["score"] for r in rows] == [None, 0.5, 0.0, 0.0, -2.5e-7, None]
    assert [r["leaf"] for r in rows] == [12, 4, None, 1, 1, None]
    assert rows[3]["h"] == {"да, yes": None, 'no "never"\n': None}
    assert rows[5]["predicted"] is None
    assert rows[5]["actual"] is None
    assert "-0.0" not in shown(scores().ranked())


def test_a_score_that_is_no_number_is_flagged() -> None:
    collector = ScoreCollector(("a", "b"), "global")
    one = np.array([1.0])
    collector.add(ScoredBatch(one * nan, None, one, np.array([0]), np.array([0]), None), one)
    line = shown(collector.ranked())
    assert json.loads(line)["flags"] == ["no-score"]


def test_parts_do_not_matter_and_top_cuts() -> None:
    whole = shown(scores().ranked())
    assert shown(scores(4).ranked()) == whole
    top = shown(scores(2).ranked(top=3))
    assert top == "".join(whole.splitlines(True)[:3])
    array = shown(scores().ranked(), "json")
    assert json.loads(array) == [json.loads(line) for line in whole.splitlines()]


def test_scores_that_only_look_like_distances_are_written_as_they_are() -> None:
    collector = ScoreCollector(("a", "b"), "global")
    score = np.array([0.25, -0.5, 0.1])
    distance = np.array([0.25, 0.5, 0.3])
    for part in (slice(0, 2), slice(2, 3)):
        batch = ScoredBatch(
            score[part],
            None,
            distance[part],
            np.zeros(3, dtype=np.intp)[part],
            np.zeros(3, dtype=np.intp)[part],
            None,
        )
        collector.add(batch, np.zeros(3)[part])
    rows = [json.loads(line) for line in shown(collector.ranked()).splitlines()]
    assert [(r["score"], r["distance"]) for r in rows] == [(0.25, 0.25), (0.1, 0.3), (-0.5, 0.5)]


def test_csv_and_table_show_infinite_and_unknown_numbers() -> None:
    ranked = scores(within=True).ranked()
    lines = shown(ranked, "csv").replace('no ""never""\n', "no").splitlines()
    assert lines[0] == (
        'rank,row,score,distance,predicted,leaf,actual,within,"h(да, yes)","h(no)",method'
    )
    assert lines[1] == '1,6,Infinity,1e+300,"да, yes",12,"да, yes",Infinity,-1e+300,1e+300,global'
    assert lines[-1] == "6,3,,,,,,,,,global"
    table = shown(ranked, "table").splitlines()
    assert len(table) == 8
    assert len({len(line) for line in table[:2]}) == 1
    assert table[2].split()[:4] == ["1", "6", "Infinity", "1e+300"]
    assert table[4].split()[4:9] == ["no", '"never"\\n', "-", "да,", "yes"]
    assert " + " in table[4]
    assert table[-1].split()[:4] == ["6", "3", "?", "?"]


def test_the_sentences_count_in_the_singular_too() -> None:
    one = np.array([0.0])
    batch = ScoredBatch(one, None, one, np.array([0]), np.array([0]), None)
    assert ranking_details(RankingFacts.of(batch, frozenset([0.5])), 1, 1) == [
        "1 case, 1 leaf score → 1 score",
        "1 of 1 distances are 0 (100.0%)",
    ]
    assert ranking_details(RankingFacts.of(batch), 1, 1)[0] == "1 case, 1 leaf → 1 score"


def test_nothing_is_said_of_distances_that_are_not_zero_or_not_there() -> None:
    for distance in (0.5, inf):
        one = np.array([distance])
        facts = RankingFacts.of(ScoredBatch(one, None, one, np.array([-1]), np.array([0]), None))
        assert ranking_details(facts, 1, 1) == ["1 case, 1 leaf → 1 score"]
        assert ranking_sentences(facts) == [
            "the text alone does not give the class of 1 case with missing values, and so no "
            "distance: they come last"
        ]
