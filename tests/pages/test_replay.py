"""A page holds the whole story, and nothing that leads out of it."""

import re
import string
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from replay_stories import (
    GAMES,
    ONE_PLAYER,
    data_of,
    golden_deals,
    golden_story,
    random_game,
    random_story,
    story_of,
)

from winnable.pages.replay import Story, replay_page
from winnable.pages.tables.piles import Heap, Pile

LETTERS = string.ascii_uppercase + string.ascii_lowercase
MOST_BYTES = 300 * 1024


class Outline(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.elements = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def named(self, name):
        return [attributes for tag, attributes in self.elements if tag == name]


def played_again(data):
    """The positions that a page's script comes to, read as the script reads them."""
    heaps = [(letters, hidden) for letters, hidden in data["start"]]
    yield list(heaps)
    for step in data["steps"]:
        for number, kept, *rest in step:
            letters, hidden = (*rest, *("", 0)[len(rest) :])
            heaps[number] = (heaps[number][0][:kept] + letters, hidden)
        yield list(heaps)


def spelled(position):
    return [("".join(LETTERS[card] for card in heap.cards), heap.hidden) for heap in position]


@pytest.mark.parametrize("game", GAMES)
def test_the_steps_lead_through_the_positions(game):
    story = story_of(game)
    data = data_of(replay_page(story))
    assert list(played_again(data)) == list(map(spelled, story.positions))
    assert [pile["name"] for pile in data["piles"]] == [pile.name for pile in story.piles]
    assert data["ending"] == story.ending


@pytest.mark.parametrize("game", GAMES)
def test_a_step_has_only_what_changes(game):
    steps = data_of(replay_page(story_of(game)))["steps"]
    assert max(map(len, steps)) <= 12
    assert sum(map(len, steps)) < 4 * len(steps)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_loaded_from_elsewhere(game):
    page = replay_page(story_of(game))
    outline = Outline(page)
    for tag, attributes in outline.elements:
        assert not {"src", "href", "action", "onclick"} & set(attributes), tag
    (policy,) = (each["content"] for each in outline.named("meta") if "http-equiv" in each)
    assert policy.startswith("default-src 'none'")
    addresses = set(re.findall(r"https?://[^\"' ]+", page))
    # A name, not an address that is asked.
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_the_moves_are_a_list_in_words():
    page = replay_page(story_of("tripeaks"))
    items = re.findall(r"<li>(.*)", page)
    words = story_of("tripeaks").words
    assert len(items) == len(words)
    assert re.fullmatch(r"(Play|Turn) .*", items[0])
    assert not any(re.search(r"\b[A2-9TJQK][CDHS]\b", item) for item in items)
    assert any("10♦" in item for item in items)


def test_texts_are_escaped():
    story = Story("a <b> & c", ["x < y"], [Pile("</script>", 0, 0)], [[Heap()]])
    page = replay_page(story)
    assert "a &lt;b&gt; &amp; c" in page
    assert "X &lt; y" in page
    assert page.count("</script>") == 1


def test_controls_have_names():
    outline = Outline(replay_page(story_of("canfield")))
    assert len(outline.named("button")) == 5
    ids = {attributes.get("id") for _, attributes in outline.elements}
    assert {"start", "back", "play", "next", "end", "slider", "speed", "reveal"} <= ids
    (slider,) = (each for each in outline.named("input") if each["type"] == "range")
    assert slider["aria-label"] == "Move"
    assert slider["max"] == str(len(story_of("canfield").words))
    assert any(each.get("aria-live") == "polite" for each in outline.named("p"))


@pytest.mark.parametrize(("game", "rules"), [("tripeaks", "standard"), ("canfield", "thoughtful")])
def test_a_deal_without_a_solution_is_shown(game, rules):
    story = golden_story(game, rules, "unwinnable")
    page = replay_page(story)
    assert (story.facts[0], len(story.positions), list(story.words)) == ("unwinnable", 1, [])
    assert not Outline(page).named("button")
    assert "Unwinnable" in page
    assert data_of(page)["steps"] == []


@pytest.mark.parametrize("game", ONE_PLAYER)
def test_the_page_of_every_golden_solution_is_small(game):
    for rules in golden_deals(game):
        assert len(replay_page(golden_story(game, rules)).encode()) < 60 * 1024


def test_the_page_of_a_long_game_is_small():
    """Nearly two thousand moves; of 19,000 games of agents, the longest had 2,648."""
    _, _, moves, _ = random_game("zank", 40)
    size = len(replay_page(random_story("zank", 40)).encode())
    assert len(moves) > 1800
    assert size < MOST_BYTES
    assert size / len(moves) * 2648 < MOST_BYTES


def test_the_page_of_a_spider_solution_grows_slowly():
    """Of four suits, solutions have about three hundred moves; three times as many would fit."""
    story = golden_story("spider", "four-suit")
    whole = len(replay_page(story).encode())
    fresh = replace(story, positions=story.positions[:1], words=[])
    empty = len(replay_page(fresh).encode())
    assert empty + 1000 * (whole - empty) / len(story.words) < MOST_BYTES
