"""Writes saved games as KPat does, in its present form and the legacy one."""

from xml.etree import ElementTree

from winnable.cards import rank_of, suit_of

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)


class Table:
    """Piles of numbered cards, on which moves are made and written down as states."""

    def __init__(self, options="4", number=1, game="spider"):
        self.root = ElementTree.Element("kpat-game")
        self.root.set("game-type", game)
        self.root.set("game-type-options", options)
        self.root.set("deal-number", str(number))
        self.piles = {}
        self.cards = 0

    def state(self, *, current=False):
        """Begin the next position."""
        element = ElementTree.SubElement(self.root, "state")
        if current:
            element.set("current", "true")
        return element

    def add(self, state, pile, cards, face_up):
        """New cards on a pile, all of them face up or face down."""
        numbered = [(self._id(card), card) for card in cards]
        self._write(state, pile, len(self.piles.get(pile, [])), numbered, face_up)
        self.piles.setdefault(pile, []).extend(numbered)

    def move(self, state, size, source, target, face_up=None, turned_round=False):
        """The last cards of a pile to another one; `turned_round`: the last one comes first."""
        moved = self.piles[source][-size:]
        del self.piles[source][-size:]
        if turned_round:
            moved.reverse()
        self._write(state, target, len(self.piles.get(target, [])), moved, face_up)
        self.piles.setdefault(target, []).extend(moved)

    def turn_up(self, state, pile):
        """The last card of a pile is turned face up."""
        self._write(state, pile, len(self.piles[pile]) - 1, self.piles[pile][-1:], True)

    def text(self):
        """The file, indented and with a declaration, as KPat writes it."""
        ElementTree.indent(self.root, "\t")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(
            self.root, encoding="unicode"
        )

    def _id(self, card):
        self.cards += 1
        return self.cards << 16 | suit_of(card) << 8 | rank_of(card) + 1

    def _write(self, state, pile, position, numbered, face_up):
        move = ElementTree.SubElement(state, "move")
        move.set("pile", pile)
        move.set("position", str(position))
        for number, card in numbered:
            element = ElementTree.SubElement(move, "card")
            element.set("id", f"{number:07}")
            element.set("suit", SUITS[suit_of(card)])
            element.set("rank", RANKS[rank_of(card)])
            if face_up is not None:
                element.set("turn", "face-up" if face_up else "face-down")


def dealt_table(deal, options="4", number=1, current=False):
    """The table of a Spider deal, its first state written."""
    table = Table(options, number)
    first = table.state(current=current)
    for row in range(5):
        table.add(first, f"redeals{row}", deal.stock[10 * row : 10 * row + 10][::-1], False)
    for column, cards in enumerate(deal.columns):
        table.add(first, f"stack{column}", cards[: deal.hidden[column]], False)
        table.add(first, f"stack{column}", cards[deal.hidden[column] :], True)
    return table


def legacy(state, options="4", game="17"):
    """A Spider position in KPat's legacy form."""
    root = ElementTree.Element("dealer", id=game, options=options, number="1", moves="0")
    rows = [state.stock[first : first + 10][::-1] for first in range(0, len(state.stock), 10)]
    piles = dict(enumerate([[(card, 0) for card in row] for row in rows], start=6 - len(rows)))
    for column, cards in enumerate(state.columns):
        hidden = state.hidden[column]
        piles[6 + column] = [(card, int(i >= hidden)) for i, card in enumerate(cards)]
    for index in range(1, 24):
        pile = ElementTree.SubElement(root, "pile", index=str(index), z="1.5")
        for card, face_up in piles.get(index, []):
            ElementTree.SubElement(
                pile,
                "card",
                suit=str(suit_of(card)),
                value=str(rank_of(card) + 1),
                faceup=str(face_up),
                z="1.5",
            )
    return '<?xml version="1.0"?>\n<!DOCTYPE kpat>\n' + ElementTree.tostring(
        root, encoding="unicode"
    )
