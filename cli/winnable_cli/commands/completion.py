"""``winnable completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from winnable_cli.completing import PROGRAM, VARIABLE
from winnable_cli.output import say

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that teaches a shell to complete commands, games, rule sets and numberings.

    For bash, in ~/.bashrc:  eval "$(winnable completion bash)"

    For zsh, in ~/.zshrc:  eval "$(winnable completion zsh)"

    For fish, once:  winnable completion fish > ~/.config/fish/completions/winnable.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    say(kind(ctx.find_root().command, {}, PROGRAM, VARIABLE).source().rstrip())
