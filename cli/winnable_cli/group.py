"""A group of commands, each in a module of its own that is imported when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """A group that imports a command only when it is called.

    table: name to one line of help, in the order in which they are listed.
    package: the dotted name of the package that has a module, with a command, of each name
        (with _ for -).
    """

    table: Mapping[str, str] = {}
    package: str = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, without importing anything."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, None when there is none."""
        if cmd_name not in self.table:
            return None
        module = cmd_name.replace("-", "_")
        command = getattr(import_module(f"{self.package}.{module}"), module)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; raises InputError for an unknown one."""
        is_wrong = args and args[0] not in self.table and not args[0].startswith("-")
        # A shell that asks for completions gets none.
        if is_wrong and not ctx.resilient_parsing:
            from winnable.errors import unknown_name

            raise unknown_name("command", args[0], self.table)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that a word may become, again without importing anything; or options."""
        names = self.table.items()
        found = [CompletionItem(name, help=s) for name, s in names if name.startswith(incomplete)]
        return found or click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their one line."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.table.items()))


def lazy_group(table: Mapping[str, str], package: str) -> type[LazyGroup]:
    """The class of a group with these commands."""
    members: dict[str, Any] = {"table": table, "package": package}
    return type("LazyGroup", (LazyGroup,), members)
