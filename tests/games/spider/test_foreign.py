"""Spider deals of other programs: KPat's saves and Solvitaire's JSON."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kpat_saves import Table, dealt_table, legacy
from plain_spider import SUIT_COUNTS, cards, late_position, random_deal

from winnable.cards import card_name
from winnable.deals import NUMBERINGS
from winnable.errors import InputError
from winnable.games.spider import GAME
from winnable.games.spider.rules import RULES, complete_run, parse_move, replay
from winnable.games.spider.text import format_deal, parse_deals

RELAXED = RULES.resolve("relaxed-four-suit")
DEAL = GAME.deal(NUMBERINGS["kpat"], 1, RELAXED)


def one(text):
    [state] = parse_deals(text)
    return state


def refused(text):
    with pytest.raises(InputError) as caught:
        parse_deals(text)
    return str(caught.value)


def played(deal, *moves):
    return replay(deal, map(parse_move, moves), RELAXED)


def played_table(current):
    """KPat's deal 1 with 8D on 9S (turning up 2S), and then a row; `current` says where it is."""
    table = dealt_table(DEAL, current=current == 0)
    state = table.state(current=current == 1)
    table.move(state, 1, "stack8", "stack5")
    table.turn_up(state, "stack8")
    state = table.state(current=current == 2)
    for column in range(10):
        table.move(state, 1, "redeals0", f"stack{column}", face_up=True)
    return table.text()


def test_a_save_of_a_fresh_deal():
    text = dealt_table(DEAL, current=True).text()
    assert '<card id="0' in text
    assert 'turn="face-down"' in text
    assert one(text) == DEAL
    assert one("\ufeff" + text.replace("\n", "\r\n")) == DEAL


@pytest.mark.parametrize("suits", SUIT_COUNTS)
def test_saves_with_fewer_suits(suits):
    deal = random_deal(4, suits)
    assert one(dealt_table(deal, suits, current=True).text()) == deal


def test_the_current_position_counts_not_the_undone_ones():
    moved = played(DEAL, "move 1 from 9 to 6")
    assert card_name(moved.columns[5][-1]) == "8D"
    assert one(played_table(0)) == DEAL
    assert one(played_table(1)) == moved
    assert one(played_table(2)) == played(DEAL, "move 1 from 9 to 6", "deal")


def test_runs_that_have_left_the_table():
    late = late_position(11, "2")
    table = dealt_table_of_position(late, "2")
    assert one(table.text()) == late


def dealt_table_of_position(state, options):
    """A save of one state with complete runs; rows of the stock are the last ones."""
    table = Table(options)
    first = table.state(current=True)
    rows = len(state.stock) // 10
    for row in range(rows):
        cards_of_row = state.stock[10 * row : 10 * row + 10][::-1]
        table.add(first, f"redeals{5 - rows + row}", cards_of_row, False)
    for column, pile in enumerate(state.columns):
        table.add(first, f"stack{column}", pile[: state.hidden[column]], False)
        table.add(first, f"stack{column}", pile[state.hidden[column] :], True)
    runs = [suit for suit, count in enumerate(state.finished) for _ in range(count)]
    for leg, suit in enumerate(runs):
        table.add(first, f"legs{leg}", complete_run(suit), True)
    return table


@given(suits=st.sampled_from(SUIT_COUNTS), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_positions_near_the_end(suits, seed):
    state = late_position(seed, suits)
    assert one(dealt_table_of_position(state, suits).text()) == state


def test_legacy_saves():
    assert one(legacy(DEAL)) == DEAL
    moved = played(DEAL, "move 1 from 9 to 6", "deal")
    assert one(legacy(moved)) == moved
    assert one(legacy(random_deal(1, "1"), options="", game="14")) == random_deal(1, "1")


def test_a_save_of_another_game():
    klondike = Table("1", game="klondike").text()
    assert refused(klondike) == (
        "This is a save of another of KPat's games: game-type is 'klondike'."
    )
    assert refused(legacy(DEAL, game="10")) == (
        "This is a save of another of KPat's games: id is '10'."
    )
    assert refused('<?xml version="1.0"?><svg/>') == (
        "This XML begins with <svg>, so that it is no save of KPat's."
    )
    assert refused("<kpat-game").startswith(
        "This begins like a save of KPat's, but is no XML: unclosed token"
    )


def test_a_save_with_unknown_cards():
    text = dealt_table(DEAL, current=True).text()
    for old, new in (('suit="clubs"', 'suit="stars"'), ('rank="ace"', 'rank="joker"')):
        changed = text.replace(old, new, 1)
        assert changed != text
        sentence = refused(changed)
        assert sentence.startswith("In this save of KPat's the card with the id ")
        assert new.partition("=")[2].strip('"') in sentence
        assert sentence.endswith(" is unknown.")
    # The number says another card than the names.
    assert "is unknown" in refused(text.replace('rank="ace"', 'rank="two"', 1))
    assert refused(text.replace('id="0', 'id="x', 1)).startswith(
        "In this save of KPat's a <card> has 'x"
    )
    assert "a <move> has 'first' as its position" in refused(
        text.replace('position="0"', 'position="first"', 1)
    )
    assert "the card with suit 3 and value 14 is unknown" in refused(
        legacy(DEAL).replace('suit="3" value="13"', 'suit="3" value="14"', 1)
    )
    assert "a <card> has '' as its suit" in refused(legacy(DEAL).replace(' suit="3"', "", 1))


def test_a_save_with_other_piles_or_suits():
    text = dealt_table(DEAL, current=True).text()
    assert refused(text.replace('"stack3"', '"waste"')) == (
        "KPat save: Spider has no pile 'waste'."
    )
    assert refused(text.replace('options="4"', 'options="3"')) == (
        "KPat save: this is a game of three suits; here there are 4, 2 or 1."
    )
    assert refused(Table().text()).startswith("KPat save: 0 cards instead of 104; ")
    # A card that is there a third time.
    table = dealt_table(DEAL)
    table.add(table.state(current=True), "stack9", cards("5H"), True)
    assert refused(table.text()) == (
        "KPat save: 105 cards instead of 104; 5H 3 times instead of twice."
    )
    table = dealt_table(DEAL)
    table.move(table.state(current=True), 1, "stack9", "legs0")
    assert refused(table.text()) == (
        "KPat save: the cards of ♣ that have left the table are no complete runs, and nothing else "
        "leaves it in Spider."
    )


def solvitaire(state, mark=True):
    """A position as Solvitaire writes it, face-down cards with a small letter for the suit."""
    columns = []
    for column, hidden in zip(state.columns, state.hidden, strict=True):
        names = [card_name(card).replace("T", "10") for card in column]
        columns.append(
            [
                name[:-1] + name[-1].lower() if mark and i < hidden else name
                for i, name in enumerate(names)
            ]
        )
    gone = [
        card_name(card)
        for suit, count in enumerate(state.finished)
        for card in count * complete_run(suit)[::-1]
    ]
    return json.dumps(
        {
            "tableau piles": columns,
            "stock": [card_name(card) for card in reversed(state.stock)],
            "foundations": gone,
        }
    )


@pytest.mark.parametrize("mark", [True, False])
def test_a_whole_deal_of_solvitaires(mark):
    assert one(solvitaire(DEAL, mark)) == DEAL
    assert parse_deals("\ufeff" + solvitaire(DEAL, mark) + "\r\n" + solvitaire(DEAL)) == [
        DEAL,
        DEAL,
    ]


@given(suits=st.sampled_from(SUIT_COUNTS), seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_positions_as_solvitaires_json(suits, seed):
    state = late_position(seed, suits)
    assert one(solvitaire(state)) == state
    # And so the text that comes of it.
    assert one(format_deal(one(solvitaire(state)))) == state


def test_solvitaires_deals_of_other_games():
    spider = json.loads(solvitaire(DEAL))
    assert refused(json.dumps(spider | {"waste": ["3D"]})) == (
        "JSON deal 1: Spider has no waste; this is a deal of another game."
    )
    assert refused(json.dumps(spider | {"reserve": ["3D"]})) == (
        "JSON deal 1: Spider has no reserve; this is a deal of another game."
    )
    nine = spider | {"tableau piles": spider["tableau piles"][:9]}
    assert refused(json.dumps(nine)) == (
        "JSON deal 1: there are 9 columns; Spider has 10, so that this may be a deal of another "
        "game."
    )
    assert refused(json.dumps(spider | {"foundations": ["AS"]})) == (
        "JSON deal 1: the cards of ♠ that have left the table are no complete runs, and nothing "
        "else leaves it in Spider."
    )
    covered = spider["tableau piles"]
    covered[2][-1] = covered[2][-1][:-1] + covered[2][-1][-1].lower()
    covered[2][0] = covered[2][0].upper()
    assert refused(json.dumps(spider | {"tableau piles": covered})) == (
        "JSON deal 1: in a column a face-down card lies on a face-up one."
    )
