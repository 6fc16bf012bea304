"""Which options belong to which tree: a text may hold the output of several runs of Weka.

A run is what one command printed: its options, its trees, its evaluation. Markers inside a
tree block are names of attributes and say nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from lark import Token

from j48geo.core.tree import Options
from j48geo.read.j48.options import parse_j48_options
from j48geo.read.j48.surroundings import Run, Span, parse_runs


def find_block_options(markers: tuple[Token, ...], blocks: list[Span], text: str) -> list[Options]:
    """The options of each block, given where it begins (its banner included) and ends."""
    found = [Options()] * len(blocks)
    for run in parse_runs(markers, blocks):
        shared = _options(run.markers)
        old = _old_weka(run, blocks, text)
        for k, block in enumerate(run.trees):
            found[block] = replace(_own(shared, k, len(run.trees)), old_weka=old)
    return found


def _own(shared: list[Options], tree: int, trees: int) -> Options:
    """Options of one tree of a run: its own, or those that all share."""
    if not shared:
        return Options()
    if len(shared) == trees:
        return shared[tree]
    if len(set(shared)) > 1:  # several J48s, and no telling which printed this tree
        return Options(text=shared[0].text, scheme=shared[0].scheme)
    return shared[0]


def _options(markers: list[Token]) -> list[Options]:
    scheme = ""
    for kind in ("SCHEME", "SPLIT_EVALUATOR", "OPTIONS", "FILTERED"):
        for marker in markers:
            if marker.type == kind:
                text = str(marker).partition("using" if kind == "FILTERED" else ":")[2]
                # The Experimenter glues the version, a filtered classifier its filter.
                text = text.partition("(version")[0].partition(" on data filtered through")[0]
                text = text.strip()
                if kind == "SCHEME" and re.fullmatch(r"\w+", text):
                    scheme = text  # the KnowledgeFlow prints the bare name, without options
                elif text:
                    parsed = parse_j48_options(text)
                    return [replace(own, scheme=scheme) for own in parsed] if scheme else parsed
    return [Options(scheme=scheme)] if scheme not in ("", "J48") else []


def _old_weka(run: Run, blocks: list[Span], text: str) -> bool | None:
    """True where the run can only come from 3.6: one line between the two times, or no padding."""
    for marker in run.markers:
        if marker.type == "TIMES" and "Time taken to test" in marker:
            return True
        if marker.type == "SCHEME" and str(marker).startswith("Scheme:weka"):
            return True
    kinds = {marker.type for marker in run.markers}
    if run.is_evaluated and run.trees and not kinds & {"FOLD_MODEL", "MODEL", "RUN"}:
        # The command line of 3.6 has no banner of its own, only a blank line and the options.
        first = blocks[run.trees[0]][0]
        start = min([first, *(marker.start_pos or 0 for marker in run.markers)])
        before = text[start:first].strip()
        if before.startswith("Options:") or (not text[:first].strip() and text.startswith("\n")):
            return True
    return None
