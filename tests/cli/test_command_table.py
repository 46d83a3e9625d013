"""A walk over the live table of commands: none without words, none without help."""

import inspect
from importlib import import_module

import click
import pytest

from winnable_cli.exit_codes import of_verdicts
from winnable_cli.main import COMMANDS, cli

every_command = pytest.mark.parametrize("name", COMMANDS)


def command_of(name):
    module = name.replace("-", "_")
    command = getattr(import_module(f"winnable_cli.commands.{module}"), module)
    assert isinstance(command, click.Command)
    return command


def test_the_commands():
    assert list(COMMANDS) == [
        "games",
        "deal",
        "show",
        "solve",
        "verify",
        "study",
        "play-rate",
        "report",
        "find",
        "duel",
        "completion",
    ]


@every_command
def test_a_command_has_a_module_and_words(name):
    command = command_of(name)
    assert command.name == name
    assert COMMANDS[name].endswith(".")
    words = inspect.cleandoc(command.callback.__doc__)
    assert len(words.splitlines()[0]) > 20
    module = import_module(f"winnable_cli.commands.{name.replace('-', '_')}")
    assert module.__doc__ == f"``winnable {name}``."


OPTIONS = [
    (name, option.opts[0])
    for name in COMMANDS
    for option in command_of(name).params
    if isinstance(option, click.Option)
]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_option_has_help(name, option):
    (found,) = (each for each in command_of(name).params if option in each.opts)
    assert found.help
    assert len(found.help) > 10
    assert found.help.rstrip("]").endswith(".") or "[default:" in found.help


@every_command
def test_help(winnable, name):
    result = winnable(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: winnable {name} ")
    for option in (option for command, option in OPTIONS if command == name):
        assert option in result.out
    assert all(len(line) <= 80 for line in result.out.splitlines())


def test_help_of_all(winnable):
    for flag in ("--help", "-h"):
        result = winnable(flag)
        assert (result.code, result.err) == (0, "")
        for name, words in COMMANDS.items():
            assert f"  {name} " in result.out
            assert words.split()[0] in result.out


def test_without_a_command_the_help_is_shown(winnable):
    result = winnable()
    assert result.code in (0, 2)
    assert (result.out or result.err).startswith("Usage: winnable")


def test_the_version(winnable):
    from winnable.version import __version__, kernels_digest

    result = winnable("--version")
    assert result.code == 0
    assert __version__ in result.out
    assert result.out.split()[-2:] == ["kernels", kernels_digest()]


def test_common_options_are_common():
    def options(name):
        return {flag for command, flag in OPTIONS if command == name}

    for name in ("deal", "show", "solve", "verify", "study", "play-rate", "find"):
        assert {"--rules", "--set", "--numbering"} <= options(name)
    for name in ("solve", "study", "find"):
        assert {"--max-nodes", "--max-seconds", "--json", "--quiet"} <= options(name)


def test_a_command_of_the_group_is_found_by_click():
    context = click.Context(cli)
    assert cli.list_commands(context) == list(COMMANDS)
    assert cli.get_command(context, "nonsense") is None


def test_exit_status_of_no_deal():
    assert of_verdicts([]) == 0
