"""The entry point: finds the command, runs it, and turns errors into one sentence."""

from __future__ import annotations

import os
import sys

import click

from winnable.errors import InputError
from winnable.version import __version__, kernels_digest
from winnable_cli import exit_codes
from winnable_cli.completing import answer_shell
from winnable_cli.group import lazy_group

# Name -> one line of help. The module of the same name (with _ for -) holds the command; it is
# imported when the command runs, so that a glance at the help loads nothing.
COMMANDS = {
    "games": "List games, rule sets and numberings, or the exact rules of one game.",
    "deal": "Print a deal.",
    "show": "Draw a deal in the terminal, in colour.",
    "solve": "Decide deals and print a solution of each.",
    "verify": "Replay a solution by the plain rules.",
    "study": "Solve a range of numbers and print the win rate; resumable.",
    "play-rate": "Print what a player wins who can't see hidden cards.",
    "report": "Print what stores of studies say.",
    "find": "Print numbers of winnable (or unwinnable) deals.",
    "duel": "Two-player games: play, ask for advice, have agents play.",
    "completion": "Print the script that teaches a shell to complete commands.",
}


def show_version(ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    """Print what two installations have to have in common for their results to be the same."""
    if is_asked and not ctx.resilient_parsing:
        click.echo(f"winnable, version {__version__}, kernels {kernels_digest()}")
        ctx.exit()


@click.command(
    cls=lazy_group(COMMANDS, "winnable_cli.commands"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version, and the digest of the sources that decide results.",
)
def cli() -> None:
    """Decide whether a deal of a patience game can be won, and prove it.

    'winnable' is printed only with a solution that was replayed, 'unwinnable' only after a finished
    search; all else is 'unknown'.
    """


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit status. Errors become a sentence on stderr."""
    try:
        asked_by_shell = answer_shell(cli)
        if asked_by_shell is not None:
            return asked_by_shell
        # Not cli.main(): that ends the process by itself when the reader of stdout goes away.
        with cli.make_context("winnable", sys.argv[1:] if args is None else args) as context:
            status = int(cli.invoke(context) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return exit_codes.BAD_INPUT
    except (InputError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        return _fail(text)
    except (click.Abort, KeyboardInterrupt):
        click.echo("winnable: interrupted", err=True)
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        # The reader (head, for example) has enough. Nothing more can be written, not even by the
        # interpreter when it flushes stdout at its end.
        _silence_stdout()
        return exit_codes.BROKEN_PIPE
    except OSError as error:
        # Most often a full disk, behind stdout or behind the folder of compiled code.
        _silence_stdout()
        where = f" ({error.filename})" if error.filename else ""
        return _fail(f"The system says: {error.strerror or error}{where}.")


def _fail(text: str) -> int:
    click.echo(f"winnable: {text}", err=True)
    return exit_codes.BAD_INPUT


def _silence_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """The console script."""
    sys.exit(run())
