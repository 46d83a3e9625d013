"""A position of the two-player games as bytes and words, and its cards on the move: kernels.

*Cells* are bytes, shape (`CELL_COUNT`,). Each player has 104 of them for waste and stock together:
the waste grows from the front, its bottom card first, and the stock lies at the back with its last
card in the last cell, so that the card turned next comes first. Both together never hold more than
all 104 cards. A reserve has 40 cells, bottom first: besides the 13 cards dealt there can be no
more than a chain of one suit, 25 cards, on one of them. A house has 16: two face-down cards and a
run from a king are 15. The rest are counts and flags.

*Words* are uint64, shape (`WORD_COUNT`,): two halves of the position's 128-bit key, the state of
the generator that shuffles wastes, the number of turns, and the exact *code* of each house.

The key is a sum of hashed parts, one for each card in each place, each house, and the flags, so
that a move changes it by a few parts. All houses hash alike: their order makes no difference.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.arrays import ByteArray
from winnable.cards import PACK_SIZE, SUIT_COUNT, is_red
from winnable.deals.kernels.native import STEP, mix
from winnable.jit import inlined, kernel, lean_kernel

KeyArray: TypeAlias = NDArray[np.uint64]

CARD_COUNT = 104
RESERVE_ROOM = 40
HOUSE_ROOM = 16
HOUSE_COUNT = 8
# Past the bits of all cards, and of a card above a king, in masks.
NO_CARD = 60

# Cells. Where there is one for each player, house or foundation they follow one another; the two
# foundations of a suit do too, the higher first.
DECKS = 0
RESERVES = DECKS + 2 * CARD_COUNT
HOUSES = RESERVES + 2 * RESERVE_ROOM
RESERVE_SIZE = HOUSES + HOUSE_COUNT * HOUSE_ROOM
OPEN_RESERVE = RESERVE_SIZE + 2
STOCK_SIZE = OPEN_RESERVE + 2
TURNED_OVER = STOCK_SIZE + 2
WASTE_SIZE = TURNED_OVER + 2
HOUSE_SIZE = WASTE_SIZE + 2
# The end card of each house again, `NO_CARD` for an empty one: moves are found from these.
ENDS = HOUSE_SIZE + HOUSE_COUNT
HIDDEN = ENDS + HOUSE_COUNT
FOUNDATIONS = HIDDEN + HOUSE_COUNT
MOVER = FOUNDATIONS + 8
TURNED = MOVER + 1
# 1 in a first turn without loading.
BARRED = TURNED + 1
# One more than the turns since a foundation card, 0 in the turn of one.
QUIET = BARRED + 1
OUTCOME = QUIET + 1
# 1 when the last move can be called on.
FAULT = OUTCOME + 1
CELL_COUNT = FAULT + 1

# Outcomes.
GOING_ON, FIRST_WON, SECOND_WON, REPETITION, QUIET_DRAW = range(5)

# Words.
KEY_LOW, KEY_HIGH, CHANCE, TURN_COUNT, HOUSE_CODES = range(5)
WORD_COUNT = HOUSE_CODES + HOUSE_COUNT

# What parts of the key are made of; codes of houses lie below all others.
LANE_LOW = np.uint64(0x6A09E667F3BCC908)
LANE_HIGH = np.uint64(0xBB67AE8584CAA73B)
PILE_PART, FOUNDATION_PART, FLAG_PART = 1 << 40, 2 << 40, 3 << 40
# The number of a pile in its parts is that of the first one, plus the player.
RESERVE_PILE, STOCK_PILE, WASTE_PILE = 0, 2, 4
FLAG_MOVER, FLAG_TURNED, FLAG_BARRED = range(3)
# The leading bits of a house's code, to which the count of face-down cards is added.
CODE_HEAD = 4


class Codes(NamedTuple):
    """A variant as kernels read it.

    compulsory: 1 in Russian Bank.
    only_empty: 1 where only an empty house obliges the reserve.
    loads: 1 for the opponent's reserve plus 2 for his waste.
    first_load, in_suit, shuffles, called, seen_rule, must_play: 1 where the rules say so, else 0.
    open_stock: 1 in Zank-Patience.
    starter: 0 player 0, 1 the higher reserve top, 2 the lower one.
    hidden: face-down cards in each house.
    ranks, suits, houses, reserve: the size of decks and table.
    """

    compulsory: int
    only_empty: int
    loads: int
    first_load: int
    in_suit: int
    shuffles: int
    called: int
    seen_rule: int
    must_play: int
    open_stock: int
    starter: int
    hidden: int
    ranks: int
    suits: int
    houses: int
    reserve: int


# Arrays


@inlined
def copy_array(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy one array of shape (n,) into another: see `lean_kernel` for why this is a loop."""
    for i in range(len(source)):
        target[i] = source[i]


# Cards and piles


def _masks_of_builds() -> NDArray[np.int64]:
    """Which cards go on each end card: in alternating colours, and in suit; int64 masks."""
    masks = np.zeros((2, NO_CARD + 1), np.int64)
    for end in range(SUIT_COUNT, PACK_SIZE):
        for card in range(
            end // SUIT_COUNT * SUIT_COUNT - SUIT_COUNT, end // SUIT_COUNT * SUIT_COUNT
        ):
            masks[0, end] |= (is_red(card) != is_red(end)) << card
            masks[1, end] |= (card == end - SUIT_COUNT) << card
    return masks


def _masks_of_loads() -> NDArray[np.int64]:
    """Which cards go on each card of the opponent's; int64 masks."""
    masks = np.zeros(NO_CARD + 1, np.int64)
    for top in range(PACK_SIZE):
        for card in (top - SUIT_COUNT, top + SUIT_COUNT):
            if 0 <= card < PACK_SIZE:
                masks[top] |= 1 << card
    return masks


# Indexed by `Codes.in_suit` and the end card, and by the top card.
BUILDS_ON = _masks_of_builds()
LOADS_ON = _masks_of_loads()


@inlined
def foundation_mask(cells: ByteArray) -> int:
    """The cards that the foundations take next; of a complete one, a card that there isn't."""
    mask = 0
    for place in range(8):
        mask |= 1 << (4 * np.int64(cells[FOUNDATIONS + place]) + (place >> 1))
    return mask


@inlined
def load_mask(codes: Codes, kind: int, top: int, barred: int) -> int:
    """The cards that go on the top of an opponent's pile: `kind` 1 his reserve, 2 his waste."""
    is_allowed = codes.loads & kind != 0 and barred == 0
    return LOADS_ON[top] if is_allowed else 0


@inlined
def reserve_top(cells: ByteArray, player: int) -> int:
    """The top card of a reserve, `NO_CARD` when it is empty."""
    size = np.int64(cells[RESERVE_SIZE + player])
    return np.int64(cells[RESERVES + player * RESERVE_ROOM + size - 1]) if size > 0 else NO_CARD


@inlined
def waste_top(cells: ByteArray, player: int) -> int:
    """The top card of a waste, `NO_CARD` when it is empty."""
    size = np.int64(cells[WASTE_SIZE + player])
    return np.int64(cells[DECKS + player * CARD_COUNT + size - 1]) if size > 0 else NO_CARD


@inlined
def turned_card(cells: ByteArray) -> int:
    """The mover's open stock card, `NO_CARD` when there is none."""
    if cells[TURNED] == 0:
        return NO_CARD
    player = np.int64(cells[MOVER])
    at = (player + 1) * CARD_COUNT - np.int64(cells[STOCK_SIZE + player])
    card: int = np.int64(cells[DECKS + at])
    return card


# The key


@inlined
def add_part(words: KeyArray, part: int) -> None:
    """Add a part to both halves of the key."""
    words[KEY_LOW] += mix(np.uint64(part) ^ LANE_LOW)
    words[KEY_HIGH] += mix(np.uint64(part) ^ LANE_HIGH)


@inlined
def drop_part(words: KeyArray, part: int) -> None:
    """Take a part out of both halves of the key."""
    words[KEY_LOW] -= mix(np.uint64(part) ^ LANE_LOW)
    words[KEY_HIGH] -= mix(np.uint64(part) ^ LANE_HIGH)


@inlined
def card_part(pile: int, depth: int, card: int) -> int:
    """The part of a card that has `depth` cards under it in a reserve, stock or waste."""
    return PILE_PART + (pile << 16) + (depth << 8) + card


@inlined
def foundation_part(place: int, height: int) -> int:
    """The part of one of the eight foundations."""
    return FOUNDATION_PART + (place << 8) + height


@lean_kernel
def house_code(cells: ByteArray, house: int) -> int:
    """What a house holds, exactly, in 33 bits; 0 for an empty one.

    The run of open cards goes down from its first card with colours or the suit settled, so that
    one bit tells each further card.
    """
    size = np.int64(cells[HOUSE_SIZE + house])
    hidden = np.int64(cells[HIDDEN + house])
    if size == 0:
        return 0
    first = HOUSES + house * HOUSE_ROOM
    code: int = CODE_HEAD + hidden
    for i in range(hidden + 1):
        code = code << 6 | np.int64(cells[first + i])
    for i in range(hidden + 1, size):
        code = code << 1 | (np.int64(cells[first + i]) >> 1) & 1
    return code


@inlined
def code_with(code: int, card: int) -> int:
    """The code of a house when a card is put there."""
    return CODE_HEAD << 6 | card if code == 0 else code << 1 | (card >> 1) & 1


@inlined
def set_house_code(words: KeyArray, house: int, code: int) -> None:
    """Store a house's code, with its part of the key."""
    before = np.int64(words[HOUSE_CODES + house])
    if before != 0:
        drop_part(words, before)
    if code != 0:
        add_part(words, code)
    words[HOUSE_CODES + house] = np.uint64(code)


@lean_kernel
def set_keys(cells: ByteArray, words: KeyArray) -> None:
    """Compute the ends and codes of the houses, and the key, from the other cells alone."""
    words[KEY_LOW] = np.uint64(0)
    words[KEY_HIGH] = np.uint64(0)
    for player in range(2):
        for i in range(np.int64(cells[RESERVE_SIZE + player])):
            card = np.int64(cells[RESERVES + player * RESERVE_ROOM + i])
            add_part(words, card_part(RESERVE_PILE + player, i, card))
        for i in range(np.int64(cells[WASTE_SIZE + player])):
            card = np.int64(cells[DECKS + player * CARD_COUNT + i])
            add_part(words, card_part(WASTE_PILE + player, i, card))
        for i in range(np.int64(cells[STOCK_SIZE + player])):
            card = np.int64(cells[DECKS + (player + 1) * CARD_COUNT - 1 - i])
            add_part(words, card_part(STOCK_PILE + player, i, card))
    for house in range(HOUSE_COUNT):
        size = np.int64(cells[HOUSE_SIZE + house])
        end = HOUSES + house * HOUSE_ROOM + size - 1
        cells[ENDS + house] = cells[end] if size > 0 else NO_CARD
        words[HOUSE_CODES + house] = np.uint64(0)
        set_house_code(words, house, house_code(cells, house))
    for place in range(8):
        add_part(words, foundation_part(place, np.int64(cells[FOUNDATIONS + place])))
    for flag in range(3):
        if cells[MOVER + flag] != 0:
            add_part(words, FLAG_PART + flag)


@inlined
def set_flag(cells: ByteArray, words: KeyArray, flag: int, value: int) -> None:
    """Set `FLAG_MOVER`, `FLAG_TURNED` or `FLAG_BARRED` to 0 or 1."""
    if cells[MOVER + flag] != value:
        if value == 1:
            add_part(words, FLAG_PART + flag)
        else:
            drop_part(words, FLAG_PART + flag)
        cells[MOVER + flag] = value


# Cards on the move


@lean_kernel
def take_reserve(cells: ByteArray, words: KeyArray, player: int) -> int:
    """Take the top card of a reserve; the next one is open."""
    size = np.int64(cells[RESERVE_SIZE + player]) - 1
    card: int = np.int64(cells[RESERVES + player * RESERVE_ROOM + size])
    drop_part(words, card_part(RESERVE_PILE + player, size, card))
    cells[RESERVE_SIZE + player] = size
    still_open = np.int64(cells[OPEN_RESERVE + player]) - 1
    cells[OPEN_RESERVE + player] = min(size, max(1, still_open))
    return card


@lean_kernel
def take_stock(cells: ByteArray, words: KeyArray) -> int:
    """Take the mover's open stock card."""
    player = np.int64(cells[MOVER])
    card = turned_card(cells)
    size = np.int64(cells[STOCK_SIZE + player]) - 1
    drop_part(words, card_part(STOCK_PILE + player, size, card))
    cells[STOCK_SIZE + player] = size
    set_flag(cells, words, FLAG_TURNED, 0)
    return card


@lean_kernel
def take_house(cells: ByteArray, words: KeyArray, house: int) -> int:
    """Take the end card of a house; a face-down card under it is turned up."""
    size = np.int64(cells[HOUSE_SIZE + house]) - 1
    first = HOUSES + house * HOUSE_ROOM
    card: int = np.int64(cells[first + size])
    cells[HOUSE_SIZE + house] = size
    cells[ENDS + house] = cells[first + size - 1] if size > 0 else NO_CARD
    if size > np.int64(cells[HIDDEN + house]):
        code = np.int64(words[HOUSE_CODES + house]) >> 1
    else:
        cells[HIDDEN + house] = max(0, size - 1)
        code = house_code(cells, house)
    set_house_code(words, house, code)
    return card


@lean_kernel
def put_on_house(cells: ByteArray, words: KeyArray, house: int, card: int) -> None:
    """Put a card on a house."""
    size = np.int64(cells[HOUSE_SIZE + house])
    cells[HOUSES + house * HOUSE_ROOM + size] = card
    cells[HOUSE_SIZE + house] = size + 1
    cells[ENDS + house] = card
    set_house_code(words, house, code_with(np.int64(words[HOUSE_CODES + house]), card))


@lean_kernel
def put_on_foundation(cells: ByteArray, words: KeyArray, card: int) -> None:
    """Put a card on a foundation that takes it."""
    place = 2 * (card & 3)
    if cells[FOUNDATIONS + place] != card >> 2:
        place += 1
    drop_part(words, foundation_part(place, card >> 2))
    add_part(words, foundation_part(place, (card >> 2) + 1))
    cells[FOUNDATIONS + place] = (card >> 2) + 1
    cells[QUIET] = 0


@lean_kernel
def put_on_reserve(cells: ByteArray, words: KeyArray, player: int, card: int) -> None:
    """Load a card on a reserve."""
    size = np.int64(cells[RESERVE_SIZE + player])
    cells[RESERVES + player * RESERVE_ROOM + size] = card
    cells[RESERVE_SIZE + player] = size + 1
    cells[OPEN_RESERVE + player] = np.int64(cells[OPEN_RESERVE + player]) + 1
    add_part(words, card_part(RESERVE_PILE + player, size, card))


@lean_kernel
def put_on_waste(cells: ByteArray, words: KeyArray, player: int, card: int) -> None:
    """Load or discard a card on a waste."""
    size = np.int64(cells[WASTE_SIZE + player])
    cells[DECKS + player * CARD_COUNT + size] = card
    cells[WASTE_SIZE + player] = size + 1
    add_part(words, card_part(WASTE_PILE + player, size, card))


@kernel
def shuffle_waste(cells: ByteArray, words: KeyArray, player: int) -> None:
    """Order the waste by the generator's next words, the smallest at the bottom: turned first."""
    first = DECKS + player * CARD_COUNT
    size = np.int64(cells[WASTE_SIZE + player])
    drawn = np.empty(size, np.uint64)
    for i in range(size):
        words[CHANCE] += STEP
        word = mix(words[CHANCE])
        card = cells[first + i]
        place = i
        # Insertion: there are some thirty cards, seldom shuffled.
        while place > 0 and drawn[place - 1] > word:
            drawn[place] = drawn[place - 1]
            cells[first + place] = cells[first + place - 1]
            place -= 1
        drawn[place] = word
        cells[first + place] = card


@lean_kernel
def fill_stock(cells: ByteArray, words: KeyArray, codes: Codes) -> None:
    """Make the mover's waste his stock when that is empty."""
    player = np.int64(cells[MOVER])
    size = np.int64(cells[WASTE_SIZE + player])
    if cells[STOCK_SIZE + player] != 0 or size == 0:
        return
    first = DECKS + player * CARD_COUNT
    for i in range(size):
        drop_part(words, card_part(WASTE_PILE + player, i, np.int64(cells[first + i])))
    if codes.shuffles == 1:
        shuffle_waste(cells, words, player)
    # From the end on, as the two places can overlap.
    for i in range(size - 1, -1, -1):
        card = np.int64(cells[first + i])
        cells[first + CARD_COUNT - size + i] = card
        add_part(words, card_part(STOCK_PILE + player, size - 1 - i, card))
    cells[STOCK_SIZE + player] = size
    cells[WASTE_SIZE + player] = 0
    cells[TURNED_OVER + player] = 1


@inlined
def open_stock(cells: ByteArray, words: KeyArray, codes: Codes) -> None:
    """In Zank-Patience, open the mover's next stock card."""
    if codes.open_stock == 1:
        fill_stock(cells, words, codes)
        is_there = cells[STOCK_SIZE + np.int64(cells[MOVER])] != 0
        set_flag(cells, words, FLAG_TURNED, 1 if is_there else 0)


@inlined
def is_out(cells: ByteArray, player: int) -> bool:
    """Whether a player has played all his cards."""
    piles = np.int64(cells[RESERVE_SIZE + player]) + np.int64(cells[STOCK_SIZE + player])
    return bool(piles + np.int64(cells[WASTE_SIZE + player]) == 0)
