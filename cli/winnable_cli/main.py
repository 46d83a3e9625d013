"""The entry point: finds the command, runs it, and turns errors into one sentence."""

from __future__ import annotations

import os
import sys

import click

from winnable.errors import InputError
from winnable.version import __version__
from winnable_cli import exit_codes
from winnable_cli.group import lazy_group

# Name -> one line of help. The module of the same name (with _ for -) holds the command; it is
# imported when the command runs, so that a glance at the help loads nothing.
COMMANDS = {
    "games": "List games, rule sets and numberings, or the exact rules of one game.",
    "deal": "Print a deal.",
    "solve": "Decide deals and print a solution of each.",
    "verify": "Replay a solution by the plain rules.",
    "study": "Solve a range of numbers and print the win rate; resumable.",
    "play-rate": "Print what a player wins who can't see hidden cards.",
    "report": "Print what stores of studies say.",
    "find": "Print numbers of winnable (or unwinnable) deals.",
    "duel": "Two-player games: play, ask for advice, have agents play.",
}


@click.command(
    cls=lazy_group(COMMANDS, "winnable_cli.commands"),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="winnable")
def cli() -> None:
    """Decide whether a deal of a patience game can be won, and prove it.

    'winnable' is printed only with a solution that was replayed, 'unwinnable' only after a finished
    search; all else is 'unknown'.
    """


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit status. Errors become a sentence on stderr."""
    try:
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
