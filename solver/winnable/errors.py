"""What a user can do wrong, told in one sentence that also says what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Input that can't be used. Its text is a whole sentence for the user."""


class StoreError(InputError):
    """A result store that can't be read, can't be written or belongs to something else."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a name that is in no table: says the nearest known name, then all of them.

    Parameters
    ----------
    kind:
        What the name should have been, for example ``"rule set"``.
    name:
        What was given.
    known:
        The names that exist, in the order in which they should be listed.
    """
    names = list(known)
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]}?" if near else ""
    return InputError(f"There is no {kind} '{name}'.{hint} Known: {', '.join(names)}.")
