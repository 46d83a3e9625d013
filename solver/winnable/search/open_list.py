"""An open list for best-first searches: items in buckets of a small integer priority.

Within a bucket the item that came last leaves first, so that among equals a search goes deeper.
The functions are kernels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winnable.arrays import IntArray, LongArray
from winnable.jit import kernel

NONE = -1
_ENTRIES, _UNUSED, _LOWEST = range(3)


class OpenList(NamedTuple):
    """The buckets as linked lists of entries; an entry that was taken is used again.

    heads: int32, shape (priorities,): the first entry of each bucket, `NONE` for none.
    items: int32, shape (entries,): what each entry holds.
    following: int32, shape (entries,): the next entry of its bucket or of the unused ones.
    counts: int64, shape (3,): entries ever used, the first unused one, and a priority below which
        all buckets are empty.
    """

    heads: IntArray
    items: IntArray
    following: IntArray
    counts: LongArray


def new_open_list(priorities: int, entries: int) -> OpenList:
    """An empty list for priorities below the first number, and that many entries at a time."""
    return OpenList(
        np.full(priorities, NONE, np.int32),
        np.empty(entries, np.int32),
        np.empty(entries, np.int32),
        np.array([0, NONE, priorities], np.int64),
    )


@kernel
def push(queue: OpenList, item: int, priority: int) -> bool:
    """Add an item; False when there is no room for it."""
    entry = queue.counts[_UNUSED]
    if entry != NONE:
        queue.counts[_UNUSED] = queue.following[entry]
    else:
        entry = queue.counts[_ENTRIES]
        if entry == len(queue.items):
            return False
        queue.counts[_ENTRIES] = entry + 1
    queue.items[entry] = item
    queue.following[entry] = queue.heads[priority]
    queue.heads[priority] = entry
    queue.counts[_LOWEST] = min(queue.counts[_LOWEST], priority)
    return True


@kernel
def lowest_priority(queue: OpenList) -> int:
    """The priority of the next item, the number of priorities for an empty list."""
    priority = queue.counts[_LOWEST]
    while priority < len(queue.heads) and queue.heads[priority] == NONE:
        priority += 1
    queue.counts[_LOWEST] = priority
    return int(priority)


@kernel
def pop(queue: OpenList, priority: int) -> int:
    """Take the item that came last from a bucket that is not empty."""
    entry = np.int64(queue.heads[priority])
    queue.heads[priority] = queue.following[entry]
    queue.following[entry] = queue.counts[_UNUSED]
    queue.counts[_UNUSED] = entry
    return int(queue.items[entry])
