"""``winnable duel``."""

from __future__ import annotations

import click

from winnable_cli.group import lazy_group

# Name -> one line of help; each command is in the module of its name here.
COMMANDS = {
    "play": "Play against an agent, or two persons in turn.",
    "advise": "Say what to play in a position.",
    "judge": "Prove who wins with best play.",
    "solvable": "Find out whether a player can go out if both help.",
    "simulate": "Have two agents play a range of deals; resumable.",
}


@click.command(cls=lazy_group(COMMANDS, "winnable_cli.commands.duel"))
def duel() -> None:
    """Play the two-player games Russian Bank and Zank-Patience, and study them.

    Their rules: 'winnable games russian-bank' and 'winnable games zank'.
    """
