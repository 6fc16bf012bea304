"""Growing and scoring for many data sets, in several processes, from where a run was stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from typing import Any

import j48geo
from reproduction.catalogue import CATALOGUE, load
from reproduction.growing import BATCH, KINDS, folder_of, grow, grown
from reproduction.progress import Progress
from reproduction.scoring import score_sample
from reproduction.sources import NoDataError
from reproduction.store import Results, append

__all__ = ["available", "grow_all", "samples_of", "score_all"]


def samples_of(name: str, samples: int | None) -> int:
    """How many samples of a data set are taken: what is asked for, or as many as it is worth."""
    return CATALOGUE[name].samples if samples is None else samples


def available(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Data sets that can be had, and for the others why not."""
    found, missing = [], {}
    for name in names:
        try:
            load(name)
            found.append(name)
        except NoDataError as error:
            missing[name] = str(error)
    return found, missing


def grow_all(
    names: Sequence[str], samples: int | None, seed: int, *, processes: int, nbtree: bool = True
) -> None:
    """Grow all trees that are not in the cache: the quick ones of all data sets first."""
    trees = tuple(kind for kind in KINDS if kind != "nbtree")
    rounds = [trees, ("nbtree",)] if nbtree else [trees]
    progress = Progress(len(names) * len(rounds), "growing")
    with ProcessPoolExecutor(processes) as pool:
        jobs = [
            pool.submit(_grow, name, samples_of(name, samples), seed, kinds)
            for kinds in rounds
            for name in names
        ]
        for job in as_completed(jobs):
            progress.step(job.result())


def _grow(name: str, samples: int, seed: int, kinds: tuple[str, ...]) -> str:
    grow(load(name), samples, seed, report=lambda said: None, kinds=kinds)
    return name


def score_all(names: Sequence[str], samples: int | None, seed: int, *, processes: int) -> None:
    """Score all samples that are not in the results, or not with all methods."""
    blocks = [
        (name, start, min(start + BATCH, samples_of(name, samples)))
        for name in names
        for start in range(0, samples_of(name, samples), BATCH)
    ]
    progress = Progress(len(blocks), "scoring")
    with ProcessPoolExecutor(processes) as pool:
        jobs = {pool.submit(_score, *block, seed): block for block in blocks}
        for job in as_completed(jobs):
            name, _, end = jobs[job]
            append(name, seed, job.result())
            progress.step(f"{name} {end}")


def _score(name: str, start: int, end: int, seed: int) -> list[dict[str, Any]]:
    known = Results.kept(name, seed)
    data = _data(name, seed)
    return [
        record
        for each in _grown(name, start, end, seed)
        for record in score_sample(data, each, known.done(each.number))
    ]


def _grown(name: str, start: int, end: int, seed: int) -> Iterator[Any]:
    return (each for each in grown(name, end, seed) if each.number >= start)


@lru_cache(maxsize=4)
def _data(name: str, seed: int) -> j48geo.Dataset:
    return j48geo.read_arff(folder_of(name, seed) / "data.arff").with_class("last")
