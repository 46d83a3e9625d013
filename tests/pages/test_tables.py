"""What lies where: every card has a place in every position."""

from collections import Counter

import pytest
from replay_stories import (
    GAMES,
    ONE_PLAYER,
    golden_deals,
    golden_story,
    random_game,
    random_story,
    story_of,
)

from winnable.cards import parse_card
from winnable.duel.rules import apply
from winnable.games import REGISTRY
from winnable.games.tripeaks.rules import COVERED_BY, TABLEAU_SIZE
from winnable.pages.stories import TABLES
from winnable.pages.tables import duel, spider
from winnable.pages.tables.piles import DOWN, Heap

STORIES = [(game, rules) for game in ONE_PLAYER for rules in golden_deals(game)]


def test_every_game_has_a_table():
    assert set(TABLES) == set(REGISTRY)


def check_piles(story):
    names = [pile.name for pile in story.piles]
    assert len(set(names)) == len(names)
    places = [(pile.x, pile.band, pile.y) for pile in story.piles]
    assert len(set(places)) == len(places)
    (cards,) = {
        frozenset(Counter(card for heap in position for card in heap.cards).items())
        for position in story.positions
    }
    assert sum(count for _, count in cards) in (52, 104)
    for position in story.positions:
        assert len(position) == len(story.piles)
        assert all(0 <= heap.hidden <= len(heap.cards) for heap in position)


@pytest.mark.parametrize(("game", "rules"), STORIES)
def test_no_card_is_lost_on_the_way_to_a_win(game, rules):
    story = golden_story(game, rules)
    assert len(story.positions) == len(story.words) + 1 > 30
    assert story.ending == "Won."
    check_piles(story)


@pytest.mark.parametrize(
    "changes",
    [
        (),
        ("face-down-rows=2",),
        ("redeal=shuffle",),
        ("stop=called",),
    ],
    ids=str,
)
def test_no_card_is_lost_in_a_game_of_two(changes):
    for number in range(3):
        check_piles(random_story("russian-bank", number, *changes))


def test_zank_shows_the_open_stock_card():
    story = random_story("zank", 1)
    check_piles(story)
    stocks = [i for i, pile in enumerate(story.piles) if pile.name.endswith("'s stock")]
    hidden = {story.positions[0][i].hidden for i in stocks}
    assert hidden == {35, 34}


def test_a_card_of_the_peaks_lies_between_those_that_cover_it():
    piles = story_of("tripeaks").piles
    for place in range(TABLEAU_SIZE):
        for above, side in zip(COVERED_BY[place], (-1, 1), strict=False):
            assert 0 < side * (piles[above].x - piles[place].x) < 1
            assert 0 < piles[above].y - piles[place].y < 1


def test_a_card_of_the_peaks_is_face_down_until_it_is_open():
    story = story_of("tripeaks")
    for position in story.positions:
        for place, covering in enumerate(COVERED_BY):
            is_covered = any(position[above].cards for above in covering)
            assert position[place].hidden == int(bool(position[place].cards) and is_covered)


def test_the_top_of_the_stock_is_what_is_turned_next():
    story = story_of("tripeaks")
    for before, after, words in zip(
        story.positions, story.positions[1:], story.words, strict=False
    ):
        if words.startswith("turn"):
            assert before[-2].cards[-1] == after[-1].cards[-1]


def test_complete_runs_stay_where_they_are():
    """Also where another suit's run leaves the table later."""
    story = story_of("spider")
    runs = [i for i, pile in enumerate(story.piles) if pile.name.startswith("complete run")]
    assert len(runs) == 8
    for before, after in zip(story.positions, story.positions[1:], strict=False):
        assert all(after[i] == before[i] or not before[i].cards for i in runs)
    assert all(len(story.positions[-1][i].cards) == 13 for i in runs)


def test_columns_fan_downwards():
    piles = spider.layout(None)
    assert [pile.fan for pile in piles if pile.name.startswith("column")] == [DOWN] * 10


@pytest.mark.parametrize("game", GAMES)
def test_the_last_position_is_the_end_of_the_game(game):
    story = story_of(game)
    last = dict(zip((pile.name for pile in story.piles), story.positions[-1], strict=True))
    if game == "tripeaks":
        assert not any(heap.cards for name, heap in last.items() if name.startswith("row"))
    elif game in ONE_PLAYER:
        up = [heap for name, heap in last.items() if name.startswith(("foundation", "complete"))]
        assert {len(heap.cards) for heap in up} == {13}
    else:
        winner = random_game(game, 1)[3].outcome.winner
        own = [heap for name, heap in last.items() if name.startswith(f"player {winner}'s")]
        assert own == [Heap()] * 3
        assert story.ending == f"Player {winner} has won."


# Words of two-player games


@pytest.mark.parametrize("game", ["russian-bank", "zank"])
def test_words_name_the_card_that_moves(game):
    start, variant, moves, _ = random_game(game, 1)
    state = start
    seen = set()
    for move in moves:
        words = duel.in_words(move, state)
        assert words.startswith(f"player {state.mover} ")
        before, after = duel.heaps(state), duel.heaps(apply(state, move, variant))
        pieces = words.split()
        if pieces[2] in ("moves", "discards"):
            card = parse_card(pieces[3])
            tops = [heap.cards[-1] for heap in after if heap.cards]
            assert card in tops
            assert any(heap.cards[-1:] == (card,) for heap in before)
        seen.add((pieces[2], pieces[-1] == "foundation", "opponent's" in words))
        state = apply(state, move, variant)
    assert {kind for kind, _, _ in seen} >= {"moves", "discards"}
    assert ("moves", True, False) in seen
    assert ("moves", False, True) in seen


def test_words_of_a_call():
    start, variant, moves, _ = random_game("russian-bank", 0, "stop=called")
    state = start
    calls = []
    for move in moves:
        if str(move) == "stop":
            calls.append((duel.in_words(move, state), state.fault.mover))
        state = apply(state, move, variant)
    assert calls
    for words, culprit in calls:
        assert words == (f"player {1 - culprit} calls stop: the move is taken back, the turn ends")


def test_words_of_an_ending():
    start, variant, _, _ = random_game("zank", 1)
    assert duel.ending(start) == f"The game goes on: player {start.mover} is to move."
    _, _, _, drawn = random_game("zank", 2)
    assert duel.ending(drawn) == "A draw: repetition."
