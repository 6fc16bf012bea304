"""The rows from which reduced-error pruning (``-R``) grows its tree.

Weka deals the rows into stratified folds and keeps the last fold for pruning
(J48-TEXT-FORMAT section 4). Which rows these are depends on the data alone: the seed only
shuffles the order of the others.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Bools, Ints


def select_growing_rows(label: Ints, folds: int) -> Ints:
    """Rows outside the last of `folds` stratified folds, ascending.

    Parameters
    ----------
    label : array of int, shape (n_cases,)
        Class of each row; rows without a class are left out before.
    folds
        ``-N`` of J48, at least 2.
    """
    n = len(label)
    return np.sort(deal_rows(label, folds)[: n - n // folds])


def deal_rows(label: Ints, folds: int) -> Ints:
    """Rows as ``Instances.stratify`` leaves them: fold after fold, each with all classes.

    The folds are contiguous, and the first n % folds of them have one row more.
    """
    order = stratify_rows(label)
    return np.concatenate([order[start::folds] for start in range(folds)])


def stratify_rows(label: Ints) -> Ints:
    """Rows grouped by class in the order in which Weka's ``Instances.stratify`` groups them.

    Notes
    -----
    Weka runs through the rows once a class and swaps each row of that class to the end of
    the group. Between the group and the place reached there are only rows of other
    classes: a row of the class moves the first of them to the back, any other row joins
    at the back. So they form a queue, and a row of the class turns it by one. `_turn_queue`
    does a whole run at once.
    """
    waiting = np.arange(len(label), dtype=np.intp)
    groups: list[Ints] = [waiting[:0]]
    while len(waiting):
        mine = label[waiting] == label[waiting[0]]
        groups.append(waiting[mine])
        waiting = _turn_queue(waiting, mine)
    return np.concatenate(groups)


def _turn_queue(rows: Ints, mine: Bools) -> Ints:
    """The queue of the others after a run.

    Think of a tape that is only ever written at its end. Step k writes entry k: the row
    itself if it is another's, else a copy of the entry at the head, which moves on by one.
    The queue is what lies from the head to the end.
    """
    others = np.flatnonzero(~mine)
    if not len(others):
        return rows[:0]
    # While the queue is empty there is nothing to turn.
    rows, mine = rows[others[0] :], mine[others[0] :]
    turns = np.cumsum(mine)
    origin = np.where(mine, turns - 1, np.arange(len(rows), dtype=np.intp))
    while mine[origin].any():  # copies of copies: each round halves the way to the original
        origin = origin[origin]
    return rows[origin[turns[-1] :]]
