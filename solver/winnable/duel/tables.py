"""The two games' rule parameters and named rule sets, their rules in words, and deck sizes.

Both games are played by one set of rules with options. An option that is a parameter of one game
only has a fixed value in the other, see `FIXED`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from winnable.cards import RANK_COUNT, SUIT_COUNT, Card, make_card
from winnable.errors import InputError, unknown_name
from winnable.games.ruleset import Parameter, Rules, RuleSet, RuleTable

RUSSIAN_BANK = "russian-bank"
ZANK = "zank"
# Turns without a foundation card that make a draw.
QUIET_TURNS = 200

RUSSIAN_BANK_RULES = RuleTable(
    parameters=(
        Parameter(
            "starter",
            {
                "first": "player 0 begins: who that is, is settled outside the deal, by a cut",
                "high-reserve": "the higher reserve top begins; a tie: the house tops in the order "
                "of dealing decide, then player 0 begins",
                "low-reserve": "the lower reserve top begins; ties as for the higher one",
            },
        ),
        Parameter(
            "reserve-to-house",
            {
                "any": "a reserve top that fits any house has to be dealt with before the stock",
                "empty": "only an empty house obliges the reserve top",
            },
        ),
        Parameter(
            "first-turn-load",
            {
                "no": "in the first turn of the game nothing goes on the opponent's piles",
                "yes": "loading is allowed from the first turn on",
            },
        ),
        Parameter(
            "redeal",
            {
                "turn-over": "an empty stock is replaced by the waste turned over, not shuffled",
                "shuffle": "an empty stock is replaced by the waste, shuffled",
            },
        ),
        Parameter(
            "face-down-rows",
            {
                "0": "each house begins with one open card",
                "1": "each house has a face-down card under the open one; the stock has 31 cards",
                "2": "each house has two face-down cards; the stock has 27 cards",
            },
        ),
        Parameter(
            "house-build",
            {
                "colour": "houses build down in alternating colours",
                "suit": "houses build down in suit, as in early versions",
            },
        ),
        Parameter(
            "stop",
            {
                "enforced": "a compulsory move can't be missed",
                "called": "it can be missed, and the opponent may then call 'stop', which takes "
                "the fault back and ends the turn",
            },
        ),
    ),
    rule_sets=(
        RuleSet(
            "standard",
            "the Spanish description of the game: Banco Ruso, Crapette, Tunj",
            {
                "starter": "first",
                "reserve-to-house": "any",
                "first-turn-load": "no",
                "redeal": "turn-over",
                "face-down-rows": "0",
                "house-build": "colour",
                "stop": "enforced",
            },
        ),
        RuleSet(
            "pagat",
            "Crapette as described at pagat.com: an empty house obliges, loading at once",
            {"starter": "low-reserve", "reserve-to-house": "empty", "first-turn-load": "yes"},
        ),
        RuleSet("early", "early versions: houses build down in suit", {"house-build": "suit"}),
    ),
)

ZANK_RULES = RuleTable(
    parameters=(
        Parameter(
            "load",
            {
                "both": "cards may go on the opponent's reserve and waste",
                "waste": "cards may go on the opponent's waste only",
                "reserve": "cards may go on the opponent's reserve only",
            },
        ),
        Parameter(
            "must-play",
            {
                "no": "the turn may be ended at any time",
                "own": "the turn may be ended only when neither the own reserve's nor the own "
                "stock's card has any place to go",
            },
        ),
        Parameter(
            "seen-rule",
            {
                "no": "nothing has to go to a foundation",
                "yes": "while the end card of a house fits a foundation, such a card has to go "
                "there before anything else is done",
            },
        ),
    ),
    rule_sets=(
        RuleSet(
            "standard",
            "the help text of a computer Zank-Patience",
            {"load": "both", "must-play": "no", "seen-rule": "no"},
        ),
    ),
)

RULE_TABLES = {RUSSIAN_BANK: RUSSIAN_BANK_RULES, ZANK: ZANK_RULES}

# What each game says where only the other one has a parameter.
FIXED = {
    RUSSIAN_BANK: {"load": "both", "must-play": "no", "seen-rule": "no"},
    ZANK: {
        "starter": "high-reserve",
        "reserve-to-house": "none",
        "first-turn-load": "yes",
        "redeal": "turn-over",
        "face-down-rows": "0",
        "house-build": "colour",
        "stop": "enforced",
    },
}

_LAYOUT = """\
Layout: two packs, one a player. From his own shuffled pack each player deals 13 cards to his
reserve, of which only the top one, the last dealt, is open; then four open cards, his four of the
eight houses; the other 35 cards are his stock, face down. His waste is empty. The houses and the
eight foundations, which are empty, belong to both.
"""

_PLAY = """\
Play: foundations build up in suit from the ace and never give a card back. Houses build down in
alternating colours, nothing goes on an ace, cards move one at a time, and an empty house takes any
available card. Available are the top of one's own reserve, the end card of each house and one's
own open stock card; never a waste card, a foundation card or a card of the opponent. Loading: an
available card may go on the top of the opponent's reserve or waste, when it has the same suit and
is one rank higher or lower; an empty pile can't be loaded."""

_ENDS = """\
Won: at once, also in mid-turn, when one's own reserve, stock and waste are all empty.

Within one turn no position may come a second time. The game is drawn when a turn begins with a
position and player with which an earlier turn began, and after 200 turns in which no card went to
a foundation. Houses have no order: positions that differ only in which house holds what are the
same."""

RULES_TEXTS = {
    RUSSIAN_BANK: f"""\
{_LAYOUT}
{_PLAY}

A turn: player 0 begins. The player makes any number of moves. He may turn the top card of his
stock; it can be played, and then the next one be turned, or it is discarded to his waste, which
ends the turn. When a card is to be turned and the stock is empty, the waste is turned over,
unshuffled, and is the stock. With stock and waste both empty the player passes. The first player
may not load in the first turn.

Compulsory, in this order: (1) the reserve's top goes to a foundation when it fits; (2) so do the
end cards of houses and the open stock card, in any order; (3) while the reserve's top fits any
house, the stock's card may not be turned, played or discarded, and the player may not pass.

{_ENDS}""",
    ZANK: f"""\
{_LAYOUT}
{_PLAY}

A turn: the player with the higher reserve top begins (the ace is low; in a tie the house tops
decide in the order of dealing, then player 0 begins). The top card of the stock lies open from the
start of its owner's turn, and the next one as soon as it is played. The player makes any number of
moves, none of them compulsory. To end his turn he discards the stock's top card to his waste; with
stock and waste both empty he passes. When the stock is empty and a card is needed, the waste is
turned over, unshuffled, and is the stock.

{_ENDS}""",
}


@dataclass(frozen=True)
class Size:
    """How large the decks and the table are; smaller ones serve exhaustive search.

    ranks: ranks in each pack, from the ace up.
    suits: suits in each pack, in the order clubs, diamonds, hearts, spades.
    houses: houses on the table, half of them dealt by each player.
    reserve: cards dealt to each reserve.

    Raises InputError for a size that can't be played.
    """

    ranks: int = RANK_COUNT
    suits: int = SUIT_COUNT
    houses: int = 8
    reserve: int = 13

    def __post_init__(self) -> None:
        for name, value, first, last in (
            ("ranks", self.ranks, 1, RANK_COUNT),
            ("suits", self.suits, 1, SUIT_COUNT),
            ("houses", self.houses, 2, 8),
            ("reserve", self.reserve, 0, 13),
        ):
            if not first <= value <= last:
                raise InputError(f"{name}={value} can't be played: give {first} to {last}.")
        if self.houses % 2:
            raise InputError(
                f"houses={self.houses} can't be played: each player deals half of the houses, so "
                "that their number is even."
            )

    @property
    def pack(self) -> list[Card]:
        """The cards of one pack."""
        return [make_card(rank, suit) for rank in range(self.ranks) for suit in range(self.suits)]


FULL_SIZE = Size()


@dataclass(frozen=True)
class Variant:
    """What exactly is played: the game, its rules, and the size of deck and table.

    Raises InputError when the packs are too small for the layout.
    """

    game: str
    rules: Rules
    size: Size = FULL_SIZE

    def __post_init__(self) -> None:
        needed = self.size.reserve + self.size.houses // 2 * (1 + self.face_down_rows)
        if needed > len(self.size.pack):
            raise InputError(
                f"A pack of {len(self.size.pack)} cards is too small: reserve and houses of a "
                f"player take {needed}."
            )

    def says(self, parameter: str) -> str:
        """The value of a rule parameter, also of one that only the other game lets people set."""
        fixed = FIXED[self.game]
        return fixed[parameter] if parameter in fixed else self.rules.settings[parameter]

    @property
    def face_down_rows(self) -> int:
        """How many face-down cards each house begins with."""
        return int(self.says("face-down-rows"))

    @property
    def is_stock_open(self) -> bool:
        """Whether the stock's top card lies open by itself, so that there is no move `turn`."""
        return self.game == ZANK

    @property
    def are_faults_called(self) -> bool:
        """Whether a compulsory move can be missed, for the opponent to call 'stop'."""
        return self.says("stop") == "called"


def variant_of(
    game: str, name: str | None = None, changes: Iterable[str] = (), size: Size = FULL_SIZE
) -> Variant:
    """The variant that a user asks for.

    Parameters
    ----------
    game:
        ``russian-bank`` or ``zank``.
    name, changes:
        A rule set and single parameters as ``key=value``; see `RuleTable.resolve`.
    size:
        Decks and table.

    Raises
    ------
    InputError
        For a game, rule set, parameter or value that does not exist.
    """
    if game not in RULE_TABLES:
        raise unknown_name("two-player game", game, RULE_TABLES)
    return Variant(game, RULE_TABLES[game].resolve(name, changes), size)
