"""What the command's exit status means, in one place."""

from __future__ import annotations

from collections.abc import Iterable

from winnable.games.base import Verdict

OK = 0
# `solve`: some deal is unwinnable. `verify`: the moves are not legal, or do not win.
NO = 1
# Wrong usage, a bad deal, a store that can't be used.
BAD_INPUT = 2
# `solve`: some deal is unknown. Stands above NO, since a script must not take silence for proof.
UNKNOWN = 3
# Stopped by Ctrl-C, as shells have it: 128 and the signal's number.
INTERRUPTED = 130
# The reader of stdout went away, as shells have it: 128 and SIGPIPE. Not OK: the answers that were
# not printed could have been of any kind.
BROKEN_PIPE = 141


def of_verdicts(verdicts: Iterable[Verdict]) -> int:
    """The exit status of `solve` for the verdicts that it printed."""
    seen = set(verdicts)
    if Verdict.UNKNOWN in seen:
        return UNKNOWN
    return NO if Verdict.UNWINNABLE in seen else OK
