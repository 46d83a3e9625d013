"""Writes commands.md, the page of all commands, from what ``--help`` is made from.

``make reference`` does it; tests refuse a page that is out of date.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from winnable_cli.completing import PROGRAM
from winnable_cli.main import cli

PAGE = Path(__file__).with_name("commands.md")
HEAD = """\
# Commands

What `--help` prints, command by command. This page is made by `make reference`.
"""


def page() -> str:
    """The whole page."""
    commands = list(_commands(click.Context(cli, info_name=PROGRAM, **cli.context_settings)))
    contents = [f"- [`{context.command_path}`](#{_anchor(context)})" for context in commands]
    sections = ["\n\n".join(_section(context)) for context in commands]
    return "\n".join([HEAD, *contents, "", "\n\n".join(sections)]) + "\n"


def _commands(context: click.Context) -> Iterator[click.Context]:
    """The command of a context and, depth first, all commands of its group."""
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            if command is None:
                raise LookupError(f"there is no command {context.command_path} {name}")
            yield from _commands(click.Context(command, info_name=name, parent=context))


def _anchor(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def _section(context: click.Context) -> Iterator[str]:
    """The paragraphs about one command."""
    command = context.command
    yield f"## {context.command_path}"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```\n{usage}\n```"
    yield from _words(command.help or "")
    if isinstance(command, click.Group):
        table = getattr(command, "table", {})
        yield _list((name, table.get(name, "")) for name in command.list_commands(context))
    # Arguments are in the usage, and only some versions of click list them too.
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    yield _list(record for each in options if (record := each.get_help_record(context)))


def _words(text: str) -> Iterator[str]:
    """The paragraphs of a help text; those that click is told to leave as they are, as code."""
    for paragraph in inspect.cleandoc(text).split("\f")[0].strip().split("\n\n"):
        if paragraph.startswith("\b\n"):
            code = inspect.cleandoc(paragraph.removeprefix("\b\n"))
            yield f"```\n{code}\n```"
        elif paragraph.strip():
            yield _escaped(" ".join(paragraph.split()))


def _list(rows: Iterable[tuple[str, str]]) -> str:
    lines = []
    for name, words in rows:
        text = _escaped(" ".join(words.split()))
        lines.append(f"- `{name}`: {text}" if text else f"- `{name}`")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Text in which Markdown sees no mark-up by mistake."""
    return re.sub(r"\*|<(?=[a-zA-Z/])", r"\\\g<0>", text)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
