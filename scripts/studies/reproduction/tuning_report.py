"""The tables of the study of tuning, in Markdown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reproduction.statistics import verdict
from reproduction.tables import row
from reproduction.tuning_data import ENTRIES, LARGE, PHASES, WHOLE
from reproduction.tuning_grid import grid_tables
from reproduction.tuning_nbtree import NBTREE, SECONDS
from reproduction.tuning_rule import rule_table
from reproduction.tuning_study import METHODS, SCALE

__all__ = ["complete", "tuning_report", "whole_report"]

Floats = NDArray[np.float64]
Record = dict[str, Any]
Known = Mapping[str, Mapping[str, Mapping[str, Floats]]]
"""By data set, method and measure: a number for each split."""

MEASURES = {
    "auc": ("AUC or M × 100", 100, 2, 1),
    "mse": ("MSE × 100", 100, 2, -1),
    "logloss": ("log-loss", 1, 3, -1),
    "calibration": ("calibration error × 100", 100, 2, -1),
    "cpu": ("CPU s", 1, 3, -1),
}
"""Title, factor, digits, and whether more is better."""

PAIRS: tuple[tuple[str, str], ...] = (
    *((name, "nearby") for name in METHODS if name.startswith("nearby ")),
    *(
        (champion, peer)
        for champion in ("nearby tuned for rank", "nearby tuned for proba")
        for peer in ("laplace", "m", "hs", "hs tuned for rank", "hs tuned for proba", "gdk", "ldk")
    ),
    ("nearby tuned for rank", "local"),
    *(("nearby tuned for proba", peer) for peer in SCALE),
    *((ours, NBTREE) for ours in ("nearby", "nearby tuned for rank", "nearby tuned platt")),
    ("nearby tuned platt", "nearby tuned for proba"),
    ("nearby tuned platt", "nearby platt"),
    ("laplace isotonic", "laplace"),
    ("laplace platt", "laplace"),
    ("gdk platt", "gdk"),
)


def complete(records: Sequence[Record], names: Sequence[str]) -> list[Record]:
    """Records of the splits that all these sets have; where NBTree was alone there is none."""
    have = defaultdict(set)
    for record in records:
        if set(record["methods"]) - {NBTREE}:
            have[record["data"]].add(record["number"])
    common = set.intersection(*(have[name] for name in names)) if names else set()
    return [r for r in records if r["data"] in names and r["number"] in common]


def tuning_report(records: Sequence[Record], phases: Sequence[str], seed: int) -> Iterator[str]:
    """All tables of these groups of sets."""
    used, known = _known(records, [name for phase in phases for name in PHASES[phase]])
    splits = len({record["number"] for record in used})
    yield f"Seed {seed}, {splits} splits of each of {len(known)} sets.\n"
    if "development" in phases:
        yield from grid_tables(known)
    else:
        yield "### The rule of the protocol, applied\n"
        yield "Mean difference to nearby in each group; wins and losses by the corrected t test.\n"
        yield from rule_table(known, {phase: PHASES[phase] for phase in phases})
    for phase in phases:
        part = {name: known[name] for name in PHASES[phase] if name in known}
        yield f"### Means over the sets: {phase} ({len(part)})\n"
        yield from _means(part, (*METHODS, *SCALE))
    yield "### NBTree, where it came to an end\n"
    yield from _nbtree(used, known, phases)
    yield "### Paired, all sets of these groups together\n"
    yield "Wins, ties and losses of the first by the corrected t test, 5 %, each set by itself.\n"
    for measure in ("auc", "logloss", "mse", "calibration"):
        yield from _pairs(known, measure)
    if len(phases) > 1:
        yield "### Mean difference to nearby, group by group\n"
        yield from _by_group(known, phases)
        yield "### Log-loss by the number of classes\n"
        yield from _by_classes(known)
    yield "### What was chosen\n"
    yield from _chosen(used)
    yield "### CPU seconds of --tune and the size of the training part\n"
    yield from _costs(used, known)
    yield "### Every set\n"
    for measure in ("auc", "logloss"):
        yield from _every(known, measure)


def whole_report(records: Sequence[Record], seed: int) -> Iterator[str]:
    """The large sets without a sample of 3,000 cases being taken from them."""
    whole = [record for record in records if record["data"] in WHOLE]
    named = [{**record, "data": record["data"].removesuffix(", whole")} for record in whole]
    used, known = _known(named, LARGE)
    splits = len({record["number"] for record in used})
    yield f"Seed {seed}, {splits} splits of each of {len(known)} sets of more than 3,000 cases.\n"
    yield "### The same rule on these sets\n"
    yield from rule_table(known, {"whole": LARGE})
    yield "### Means over the sets: whole\n"
    yield from _means(known, [t for t in METHODS if all(t in m for m in known.values())])
    yield "### Paired: whole\n"
    for measure in ("auc", "logloss", "mse", "calibration"):
        yield from _pairs(known, measure)
    yield "### CPU seconds of --tune on them\n"
    yield from _costs(used, known)


def _known(records: Sequence[Record], names: Sequence[str]) -> tuple[list[Record], Known]:
    used = complete(records, names)
    measured = _by_set(used)
    return used, {name: measured[name] for name in names if name in measured}


def _by_set(records: Sequence[Record]) -> Known:
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for record in sorted(records, key=lambda r: r["number"]):
        of_set = found.setdefault(record["data"], {})
        for name, reached in record["methods"].items():
            of_method = of_set.setdefault(name, {})
            for measure in MEASURES:
                if reached.get(measure) is not None:
                    of_method.setdefault(measure, []).append(reached[measure])
    return {
        data: {
            name: {measure: np.array(values) for measure, values in measures.items()}
            for name, measures in methods.items()
        }
        for data, methods in found.items()
    }


def _means(known: Known, titles: Sequence[str]) -> Iterator[str]:
    yield row(["method", *(title for title, *_ in MEASURES.values())])
    yield "|---" * (1 + len(MEASURES)) + "|"
    for name in titles:
        cells = [name]
        for measure, (_, factor, digits, _) in MEASURES.items():
            values = [m[name][measure].mean() for m in known.values() if measure in m.get(name, {})]
            whole = len(values) == len(known)
            cells.append(f"{factor * np.mean(values):.{digits}f}" if values and whole else "–")
        yield row(cells)
    yield ""


def _nbtree(records: Sequence[Record], known: Known, phases: Sequence[str]) -> Iterator[str]:
    """Means of the sets on which NBTree answered in time, and the names of the others."""
    given = [(record["data"], record["methods"].get(NBTREE)) for record in records]
    late = [data for data in known if any(d == data and a and "late" in a for d, a in given)]
    missing = {d for d, a in given if a is None}
    ended = {data: m for data, m in known.items() if data not in late and data not in missing}
    yield f"A fit had {SECONDS:.0f} s of CPU. Out of time on {len(late)}: {_names(late)}.\n"
    if missing - set(late):
        yield f"Not run to the end: {_names([d for d in known if d in missing - set(late)])}.\n"
    for phase in phases:
        part = {name: ended[name] for name in PHASES[phase] if name in ended}
        yield f"{phase} ({len(part)} of {len(PHASES[phase])}):\n"
        beside = [name for name in METHODS if name.startswith("nearby")]
        yield from _means(part, ("laplace", "m", "hs", "gdk", *beside, NBTREE))


def _names(sets: Sequence[str]) -> str:
    return ", ".join(sets) or "none"


def _pairs(known: Known, measure: str) -> Iterator[str]:
    title, factor, digits, sign = MEASURES[measure]
    yield row([title, "against", "sets", "wins", "ties", "losses", "mean difference", "lost on"])
    yield "|---" * 8 + "|"
    for first, second in PAIRS:
        outcome, means = {}, []
        for data, methods in known.items():
            a, b = (methods.get(name, {}).get(measure) for name in (first, second))
            if a is None or b is None or len(a) != len(b) or len(a) < 2:
                continue
            outcome[data] = sign * verdict(a - b)
            means.append(float((a - b).mean()))
        if not outcome:
            continue
        came = list(outcome.values())
        lost = ", ".join(data for data, v in outcome.items() if v < 0) or "–"
        counts = [str(came.count(k)) for k in (1, 0, -1)]
        mean = f"{factor * np.mean(means):+.{digits}f}"
        yield row([first, second, str(len(came)), *counts, mean, lost])
    yield ""


def _by_group(known: Known, phases: Sequence[str]) -> Iterator[str]:
    names = [name for name in METHODS if name.startswith("nearby ")]
    yield row(["method", *(f"{m}, {p}" for m in ("AUC or M × 100", "log-loss") for p in phases)])
    yield "|---" * (1 + 2 * len(phases)) + "|"
    for name in names:
        cells = [name]
        for measure, factor, digits in (("auc", 100, 2), ("logloss", 1, 3)):
            for phase in phases:
                sets = [known[data] for data in PHASES[phase] if data in known]
                found = [(m[name][measure] - m["nearby"][measure]).mean() for m in sets]
                cells.append(f"{factor * np.mean(found):+.{digits}f}")
        yield row(cells)
    yield ""


def _by_classes(known: Known) -> Iterator[str]:
    two = [data for data in known if ENTRIES[data].positive]
    more = [data for data in known if not ENTRIES[data].positive]
    yield row(["method", f"two classes ({len(two)} sets)", f"more classes ({len(more)} sets)"])
    yield "|---" * 3 + "|"
    for name in METHODS:
        if name.startswith("nearby"):
            means = [[known[data][name]["logloss"].mean() for data in sets] for sets in (two, more)]
            yield row([name, *(f"{np.mean(found):.3f}" for found in means)])
    yield ""


def _chosen(records: Sequence[Record]) -> Iterator[str]:
    titles = [name for name, method in METHODS.items() if method.tune and not method.recalibrate]
    for title in titles:
        found = Counter(record["methods"][title].get("chosen") for record in records)
        words = "; ".join(f"{what} ({n} times)" for what, n in found.most_common(8))
        yield f"- {title}: {words}\n"


def _costs(records: Sequence[Record], known: Known) -> Iterator[str]:
    yield row(["data", "training rows", "leaves", "CPU s of --tune"])
    yield "|---" * 4 + "|"
    for data, methods in known.items():
        of_set = [record for record in records if record["data"] == data]
        leaves = float(np.mean([record["leaves"] for record in of_set]))
        spent = float(methods["nearby tuned for rank"]["cpu"].mean())
        yield row([data, str(of_set[0]["train"]), f"{leaves:.0f}", f"{spent:.2f}"])
    yield ""


def _every(known: Known, measure: str) -> Iterator[str]:
    title, factor, digits, _ = MEASURES[measure]
    names = [
        *("laplace", "hs", "gdk", "nearby", "nearby shrunken 0.45", "nearby tuned for rank"),
        *("nearby tuned for proba", "nearby platt", "random forest"),
    ]
    yield row([title, *names])
    yield "|---" * (1 + len(names)) + "|"
    for data, methods in known.items():
        yield row(
            [data, *(f"{factor * methods[name][measure].mean():.{digits}f}" for name in names)]
        )
    yield ""
