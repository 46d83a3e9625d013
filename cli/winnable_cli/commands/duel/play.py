"""``winnable duel play``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from winnable.cards import card_symbol
from winnable.duel.agents import AGENTS, ALL, PLANNER, Agent, get_agent, get_sight
from winnable.duel.game import draw
from winnable.duel.position import PASS, STOP, Ending, Move, State, parse_move, source_card
from winnable.duel.rules import legal_moves
from winnable.duel.save import read_save
from winnable.duel.session import Session
from winnable.errors import InputError
from winnable_cli.asked import duel_and_variant, duel_session
from winnable_cli.html_file import checked_page, html_option, write_game
from winnable_cli.options import (
    agent_help,
    duel_deal_option,
    game_argument,
    numbering_option,
    quiet_option,
    rules_options,
    sight_option,
)
from winnable_cli.output import announce_compilation, results, say

PERSON = "person"
# What can be typed besides moves.
HELP = """\
a move: source and target, such as 'r h3' or 't f', or turn, discard, pass, stop; see 'moves'
moves: every legal move        hint: what the planner would play
undo: take back (between two persons, or with --players-see all)
stop: call on a compulsory move that was missed        switch: pass, with no card left to discard
save FILE: keep the game; --deal FILE goes on with it        table: draw it again
quit: end"""


@dataclass
class Chairs:
    """Who plays: the agent in each chair, None for a person, and what agents see."""

    agents: tuple[Agent | None, Agent | None]
    sight: str
    seed: int

    @property
    def may_undo(self) -> bool:
        """Whether moves can be taken back: not where that would show an opponent's cards."""
        return self.agents == (None, None) or self.sight == ALL

    def caller(self, state: State) -> Agent | None:
        """The agent against whom a fault was made, None where that is a person."""
        assert state.fault is not None
        return self.agents[1 - state.fault.mover]


@click.command()
@game_argument
@click.argument("number", metavar="[NUMBER]", required=False)
@duel_deal_option
@click.option(
    "--opponent",
    metavar="AGENT",
    default=PLANNER,
    show_default=True,
    help=agent_help("Who plays the other chair: person, or an agent"),
)
@click.option(
    "--chair",
    type=click.Choice(["0", "1"]),
    default="0",
    show_default=True,
    help="Which player you are against an agent.",
)
@sight_option
@numbering_option
@rules_options
@html_option
@quiet_option
def play(
    game: str,
    number: str | None,
    deal_file: str | None,
    opponent: str,
    chair: str,
    players_see: str,
    numbering: str,
    rules: str | None,
    changes: tuple[str, ...],
    html_file: str | None,
    quiet: bool,
) -> int:
    """Play a deal against an agent, or with another person, in a terminal or through a pipe.

    Moves are read one a line; 'help' lists what else can be typed. Without NUMBER and --deal it is
    deal 0. The table is drawn before each of a person's moves. With --html the page is written when
    the game ends or is left.
    """
    if deal_file == "-":
        raise InputError("Moves come from standard input; name a file for --deal.")
    page = checked_page(html_file)
    played, variant = duel_and_variant(game, rules, changes)
    if number is None and deal_file is None:
        number = "0"
    session = duel_session(played, variant, number, numbering, deal_file)
    other = None if opponent == PERSON else _opponent(opponent)
    agents = (None, other) if chair == "0" else (other, None)
    chairs = Chairs(agents, get_sight(players_see), seed=len(session.moves))
    announce_compilation(quiet)
    say(f"{played.title}, rules {variant.rules.name}; 'help' lists what can be typed.")
    _play(session, chairs)
    if page is not None:
        start, moves, _ = read_save(session.save(), variant)
        deal = "" if number is None else f" {number}"
        title = f"{played.title}{deal}, rules {variant.rules.name}"
        write_game(page, variant, start, title, [], moves, quiet)
    return 0


def _opponent(name: str) -> Agent:
    if name.partition(":")[0] not in AGENTS:
        from winnable.errors import unknown_name

        raise unknown_name("opponent", name, [PERSON, *AGENTS])
    return get_agent(name)


def _play(session: Session, chairs: Chairs) -> None:
    """Play until the game is over, or the person leaves it."""
    lines = _lines()
    while session.state.outcome is None:
        if _agents_act(session, chairs):
            continue
        say("")
        say(draw(session.state))
        for line in lines:
            if not line:
                continue
            if line.lower() == "quit":
                return
            if _act(session, chairs, line):
                break
        else:
            say("The input has ended before the game.")
            return
    say("")
    say(draw(session.state))
    say(_ended(session.state))


def _lines() -> Iterator[str]:
    """What is typed, without blanks at its ends; a prompt where a person sits there."""
    if sys.stdin is None:
        raise InputError("Standard input is closed, so that no move can be read.")
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, file=results())
        line = sys.stdin.readline()
        if not line:
            return
        yield line.strip()


def _agents_act(session: Session, chairs: Chairs) -> bool:
    """Have an agent whose business it is make its moves; whether there was one."""
    state = session.state
    if state.fault is not None:
        if chairs.caller(state) is None:
            return False
        say(f"player {1 - state.fault.mover}: stop")
        session.play(STOP)
        return True
    agent = chairs.agents[state.mover]
    if agent is None:
        return False
    for move in _chosen(agent, session, chairs):
        say(f"player {state.mover}: {_worded(session.state, move)}")
        session.play(move)
    return True


def _chosen(agent: Agent, session: Session, chairs: Chairs) -> list[Move]:
    from winnable.duel.simulate import choose

    seed = (chairs.seed + len(session.moves)) * 0xD1342543DE82EF95 % 2**64
    return choose(agent, session.turn_positions, session.variant, chairs.sight, seed)


def _act(session: Session, chairs: Chairs, line: str) -> bool:
    """Do what a person typed; whether the table is to be drawn anew."""
    word, _, rest = line.partition(" ")
    word = word.lower()
    try:
        if word == "save":
            _save(session, rest.strip())
            return False
        command = {"help": _help, "moves": _moves, "hint": _hint}.get(line.lower())
        if command is not None:
            command(session, chairs)
            return False
        if line.lower() == "undo":
            _undo(session, chairs)
        elif line.lower() != "table":
            session.play(PASS if line.lower() == "switch" else parse_move(line))
    except InputError as error:
        say(str(error))
        return False
    return True


def _help(session: Session, chairs: Chairs) -> None:
    say(HELP)


def _moves(session: Session, chairs: Chairs) -> None:
    moves = legal_moves(session.state, session.variant)
    say(", ".join(_worded(session.state, move) for move in moves))


def _hint(session: Session, chairs: Chairs) -> None:
    state = session.state
    move = STOP if state.fault is not None else _chosen(get_agent(PLANNER), session, chairs)[0]
    say(_worded(state, move))


def _undo(session: Session, chairs: Chairs) -> None:
    """Take back the last move, and an agent's moves since a person's."""
    if not chairs.may_undo:
        raise InputError(
            "Against an agent moves stand: they may have shown cards. They can be taken back "
            "between two persons, and with --players-see all."
        )
    session.undo()
    while session.moves and chairs.agents[session.state.mover] is not None:
        session.undo()


def _save(session: Session, name: str) -> None:
    if not name:
        raise InputError("Name a file: save FILE.")
    try:
        Path(name).write_text(session.save() + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{name} can't be written: {error.strerror or error}.") from None
    say(f"Saved in {name}.")


def _worded(state: State, move: Move) -> str:
    """A move with its card."""
    card = source_card(state, move.source)
    return str(move) if card is None else f"{move} ({card_symbol(card)})"


def _ended(state: State) -> str:
    assert state.outcome is not None
    if state.outcome.ending is Ending.WON:
        return f"Player {state.outcome.winner} has won."
    return f"A draw: {state.outcome.ending.value}."
