"""One text on its way to trees: where its blocks are, which header and dialect each follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from lark import Token

from j48geo.core.counts import add_errors_to_weights
from j48geo.core.dataset import Header
from j48geo.core.tree import BoxTree, Options, Split
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import Ensemble
from j48geo.errors import ModelReadError
from j48geo.read.j48.diagnosis import explain_failure
from j48geo.read.j48.layout import read_layout, refuse_later_lines
from j48geo.read.j48.scanner import (
    BlockReading,
    ScanFailure,
    describe_open_line,
    find_branch_choices,
    have_same_shape,
    scan_block,
)
from j48geo.read.j48.surroundings import (
    Surroundings,
    find_block_options,
    find_surroundings,
    read_printed_header,
)
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.tree_builder import (
    ParsedNode,
    build_box_tree,
    build_split,
    infer_header,
    inner_nodes,
    parse_branches,
)
from j48geo.read.j48.vocabulary import (
    DIALECTS,
    WEKA,
    WITHOUT_COUNTS,
    Branch,
    Dialect,
    GuessedVocabulary,
    InventedLabels,
    KnownVocabulary,
    Vocabulary,
)
from j48geo.read.j48.wrappers import find_wrapper
from j48geo.text import quote_value

_STEPS_PER_LINE = 64
_MAX_STARTS = 2000
_MAX_TREES = 10_000
_UNDER_A_BANNER = (WEKA, WITHOUT_COUNTS)  # a J48 banner promises J48's own lines
_EVALUATED = frozenset({"EVALUATION", "FOLD_MODEL", "MODEL", "RUN", "TIMES"})
_START = re.compile(r"^(?![|\s])[^\n]{0,4000}? (?:<=|>=|!=|<|>|=) ", re.M)


_Maker = Callable[[Dialect], Vocabulary]


class _ReadBlock(NamedTuple):
    """A block that could be read."""

    readings: list[BlockReading]
    vocabulary: Vocabulary
    header: Header | None
    exhausted: bool


class _FailedBlock(NamedTuple):
    """The furthest that any vocabulary and dialect came; `progress` is in characters."""

    progress: int
    failure: ScanFailure
    vocabulary: Vocabulary


class _TreeBlock(NamedTuple):
    """Where a tree stands, its banner included, and what came of reading it."""

    title: str
    begin: int
    end: int
    banner: Token | None
    outcome: _ReadBlock | _FailedBlock | ModelReadError


@dataclass
class Document:
    """One text on its way to trees.

    `strict` holds every footer to its tree; else only a footer in Weka's own spelling counts.
    """

    text: str
    source: str
    header: Header | None
    strict: bool = False

    def __post_init__(self) -> None:
        self.place: TextPosition = TextPosition(self.text, self.source)
        self.around: Surroundings = find_surroundings(self.text)
        self.ensemble: Ensemble | None = None
        self.budget = _STEPS_PER_LINE * (self.text.count("\n") + 16)

    def banner_entries(self) -> list[Entry]:
        """The trees that stand under a banner."""
        banners = self.around.banners
        if len(banners) > _MAX_TREES:
            raise self.place.error(
                banners[_MAX_TREES].start_pos or 0, f"more than {_MAX_TREES} trees"
            )
        blocks: list[_TreeBlock] = []
        end = 0
        for banner in banners:
            begin = banner.start_pos or 0
            if begin < end:
                continue  # a banner inside a block is a name
            start = _skip_blank(self.text, banner.end_pos or 0)
            own = self.around.between(end, begin, "HEADER")
            title = self._title(banner, end)
            try:
                outcome = self._scan(start, own[-1] if own else None, _UNDER_A_BANNER)
            except ModelReadError as error:
                blocks.append(_TreeBlock(title, begin, start, banner, error))
                end = start
                continue
            end = start if isinstance(outcome, _FailedBlock) else outcome.readings[0].end
            blocks.append(_TreeBlock(title, begin, end, banner, outcome))
        return self._entries(blocks)

    def bare_entries(self) -> list[Entry]:
        """Trees without a banner: every line that begins a whole block."""
        blocks: list[_TreeBlock] = []
        end = 0
        furthest: _FailedBlock | None = None
        failed: int | None = None
        for start in self._starts():
            if start < end:
                continue
            outcome = self._scan(start, None, DIALECTS)
            if isinstance(outcome, _FailedBlock):
                if furthest is None or outcome.progress > furthest.progress:
                    furthest = outcome
                if self._is_broken_tree(outcome):
                    break
                failed = start
                continue
            self._refuse_lines_before(start)
            self._refuse_branches_before(start, failed, outcome)
            if outcome.header is None:
                refuse_later_lines(self.place, outcome.readings[0], strict=self.strict)
            end = outcome.readings[0].end
            title = f"tree at line {self.place.line(start)}"
            blocks.append(_TreeBlock(title, start, end, None, outcome))
        if not blocks:
            return [Entry("tree", (), self._why_no_tree(furthest))]
        return self._entries(blocks)

    def _entries(self, blocks: list[_TreeBlock]) -> list[Entry]:
        spans = [(block.begin, block.end) for block in blocks]
        options = find_block_options(self.around.markers, spans, self.text)
        entries = [self._entry(block, own) for block, own in zip(blocks, options, strict=True)]
        if spans:
            self.ensemble = find_wrapper(
                self.text, spans, self.around.markers, entries, options[0], self.header
            )
        return entries

    def _why_no_tree(self, furthest: _FailedBlock | None) -> ModelReadError:
        broken = furthest is not None and self._is_broken_tree(furthest)
        if self.around.kinds & _EVALUATED and not broken:
            return ModelReadError(
                "Weka's output, but without a tree",
                "expected the output of a J48 without the options -o and -p",
                self.source,
            )
        if furthest is None:
            return ModelReadError(
                "no J48 tree was found in this text",
                "expected lines such as `NAME <= NUMBER: CLASS (12.0/3.0)`",
                self.source,
            )
        return explain_failure(self.place, furthest.failure, furthest.vocabulary)

    def _is_broken_tree(self, failed: _FailedBlock) -> bool:
        """Whether lines were read before the failure, so that going on would lose them.

        Without a header one line proves nothing: any prose may hold an equals sign.
        """
        stop = failed.failure.pos
        lines = self.text.count("\n", stop - failed.progress, stop)
        return lines >= (1 if isinstance(failed.vocabulary, KnownVocabulary) else 2)

    def _starts(self) -> Iterator[int]:
        if self.text.lstrip().startswith(": "):  # a lone leaf, and nothing before it
            yield self.text.index(": ")
            return
        for match in islice(_START.finditer(self.text), _MAX_STARTS):
            yield match.start()

    def _refuse_lines_before(self, start: int) -> None:
        before = self.text[self.text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
        if before.startswith("|"):
            raise self.place.error(
                start - 1 - len(before),
                "the tree begins with an indented line: its first lines are missing",
                "expected the whole tree",
            )

    def _refuse_branches_before(self, start: int, failed: int | None, outcome: _ReadBlock) -> None:
        """Refuse a node whose first branch stands further up, where only the values could tell."""
        root = outcome.readings[0].branches[0]
        if failed is None or outcome.header is not None or root.operator != "=":
            return
        if self.text.startswith(f"{root.name} = ", failed):
            raise self.place.error(
                failed,
                f"the branch stands apart from the other branches of {quote_value(root.name)}",
                "expected them in the lines below it",
            )

    def _scan(
        self, start: int, own: Token | None, dialects: tuple[Dialect, ...]
    ) -> _ReadBlock | _FailedBlock:
        """Read the block at `start` with the first vocabulary and dialect that fit."""
        furthest: _FailedBlock | None = None
        for make, header in self._vocabularies(start, own):
            for dialect in dialects:
                vocabulary = make(dialect)
                scan = scan_block(self.text, start, vocabulary, self.budget)
                if scan.readings:
                    return _ReadBlock(scan.readings, vocabulary, header, scan.exhausted)
                if scan.exhausted:
                    raise self.place.error(start, "the tree has too many possible readings")
                failure = scan.failure
                assert failure is not None
                progress = failure.pos - start
                if furthest is None or progress > furthest.progress:
                    furthest = _FailedBlock(progress, failure, vocabulary)
        assert furthest is not None
        return furthest

    def _vocabularies(
        self, start: int, own: Token | None
    ) -> Iterator[tuple[_Maker, Header | None]]:
        printed = read_printed_header(own) if own is not None else None
        if printed is not None:
            for header in _class_choices(printed, self.header):
                yield partial(KnownVocabulary, header), header
        if self.header is None:
            listed = self.around.lists_for(start)
            if any(listed):
                yield (
                    partial(GuessedVocabulary, names=listed.attributes, classes=listed.classes),
                    None,
                )
            yield GuessedVocabulary, None  # a filter may have made other attributes
            return
        yield partial(KnownVocabulary, self.header), self.header
        if "INDICATOR" in self.around.kinds:
            yield partial(InventedLabels, self.header), self.header
        if self.around.between(0, start, "META"):  # its attributes are those of no data
            yield GuessedVocabulary, None

    def _entry(self, block: _TreeBlock, options: Options) -> Entry:
        outcome = block.outcome
        if isinstance(outcome, ModelReadError):
            return Entry(block.title, (), outcome)
        if isinstance(outcome, _FailedBlock):
            error = explain_failure(self.place, outcome.failure, outcome.vocabulary)
            return Entry(block.title, (), error)
        grown: list[BoxTree] = []
        problem: ModelReadError | None = None
        # Of readings too many to list, alike in shape, two show what is open.
        alike = outcome.exhausted and have_same_shape(outcome.readings)
        for reading in outcome.readings[: 2 if alike else None]:
            try:
                layout, notes = read_layout(
                    self.place,
                    self.around,
                    reading,
                    outcome.vocabulary.dialect,
                    block.banner,
                    strict=self.strict,
                )
                if outcome.header is None and block.banner is not None:
                    refuse_later_lines(self.place, reading, strict=self.strict)
                root = parse_branches(reading, self.place)
                header = self._header(outcome, reading, root)
            except ModelReadError as error:  # a reading that its own footer contradicts
                problem = problem or error
                continue
            tree = build_box_tree(
                root,
                header,
                dialect=outcome.vocabulary.dialect,
                options=options,
                layout=layout,
                place=self.place,
                notes=notes,
            )
            if layout.summed:
                tree = add_errors_to_weights(tree)
            if tree not in grown:
                grown.append(tree)
        if not grown:
            return Entry(block.title, (), problem)
        choices = self._choices(outcome, grown[0])
        return Entry(
            block.title,
            tuple(grown),
            None,
            outcome.exhausted,
            choices=choices,
            open_line=describe_open_line(outcome.readings, self.place),
        )

    def _choices(self, outcome: _ReadBlock, tree: BoxTree) -> dict[int, tuple[Split, ...]]:
        """The splits each node can be read as, where the readings are too many to list."""
        if not outcome.exhausted or outcome.header is None or not have_same_shape(outcome.readings):
            return {}
        positions = {name: i for i, name in enumerate(tree.header.names)}
        parsed = inner_nodes(parse_branches(outcome.readings[0], self.place))
        choices = {}
        for (node, own), lines in zip(tree.splits, parsed, strict=True):
            ways = find_branch_choices(self.text, lines.branches, outcome.vocabulary)
            if len(ways) > 1:
                exact = own.slack == 0
                splits = (build_split(way, tree.header, positions, exact) for way in ways)
                choices[node.index] = tuple(splits)
        return choices

    def _header(
        self, outcome: _ReadBlock, reading: BlockReading, root: ParsedNode | Branch
    ) -> Header:
        if outcome.header is None:
            labels = {branch.leaf.label for branch in reading.branches if branch.leaf is not None}
            listed = self.around.lists_for(reading.branches[0].start).classes
            classes = listed if labels <= set(listed) else self.around.classes
            return infer_header(root, reading, classes=classes, place=self.place)
        if isinstance(outcome.vocabulary, InventedLabels):
            return _with_labels(outcome.header, reading)
        return outcome.header

    def _title(self, banner: Token, end: int) -> str:
        name = str(banner).strip().split("\n")[-2].strip()
        where = self.around.between(end, banner.start_pos or 0, "MODEL", "FOLD_MODEL")
        context = str(where[-1]).strip("= \n") if where else ""
        return f"{name} at line {banner.line}" + (f" ({context})" if context else "")


def _skip_blank(text: str, pos: int) -> int:
    while text.startswith("\n", pos):
        pos += 1
    return pos


def _class_choices(printed: Header, wanted: Header | None) -> Iterator[Header]:
    """A printed header with its class chosen: by name if the data has one, else from the end.

    Filters may move the class, and the header does not say which attribute it is.
    """
    name = "" if wanted is None else wanted.class_attribute.name
    places = [i for i, attribute in enumerate(printed.attributes) if attribute.is_nominal]
    places.sort(key=lambda i: (printed.attributes[i].name != name, -i))
    for place in places:
        yield replace(printed, class_index=place)


def _with_labels(header: Header, reading: BlockReading) -> Header:
    """The header with a class of the labels that the reading shows, ``neg_X`` before ``pos_X``."""
    labels = {branch.leaf.label for branch in reading.branches if branch.leaf is not None}
    if len(labels) == 1:  # a tree that always says the same has the other class all the same
        (only,) = labels
        labels |= {f"neg_{only[4:]}", f"pos_{only[4:]}"} if only[:4] in ("neg_", "pos_") else set()
    attributes = list(header.attributes)
    assert header.class_index is not None
    attributes[header.class_index] = replace(
        header.class_attribute, values=tuple(sorted(labels)), type="nominal"
    )
    return replace(header, attributes=tuple(attributes), inferred=True)
