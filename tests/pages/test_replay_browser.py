"""Pages in a real browser: stepped through by button, key and list, on a desk and on a phone.

Needs Chromium and the extra `browser`; without them these tests are skipped. The variable
WINNABLE_BROWSER names the browser's program, and then nothing is skipped.
"""

import os
import re
import shutil
from pathlib import Path

import pytest
from replay_stories import GAMES, golden_story, random_game, random_story, story_of

from winnable.cards import card_symbol, parse_card
from winnable.pages.replay import replay_page

ASKED_FOR = os.environ.get("WINNABLE_BROWSER")
DESK = {"width": 1280, "height": 850}
PHONE = {"width": 375, "height": 700}
SCREENS = pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])


def missing(what):
    """Skip for a reason, or fail where the browser was asked for."""
    if ASKED_FOR:
        pytest.fail(f"WINNABLE_BROWSER is set, but {what}")
    pytest.skip(what)


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install '.[browser]'")
    names = [ASKED_FOR] if ASKED_FOR else ["chromium", "chromium-browser", "google-chrome"]
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        missing(f"there is no {' or '.join(names)} on this machine")
    # The sandbox of Chromium refuses to run as root.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = ["--no-sandbox"] if is_root else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=arguments)
        yield started
        started.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """A function that opens a story's page; a message or a request of the page fails the test."""
    complaints = []
    contexts = []

    def opened(story, screen=DESK, **settings):
        file = tmp_path / "page.html"
        file.write_text(replay_page(story), encoding="utf-8")
        settings = {"reduced_motion": "reduce", **settings}
        contexts.append(browser.new_context(viewport=screen, **settings))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url == file.as_uri() else complaints.append(request.url)
            ),
        )
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def said(page):
    """The move in words, as it is seen."""
    return page.inner_text("#move").replace("\ufe0e", "")


def expected(story, number):
    """What should be seen after so many moves."""
    total = len(story.words)
    if number == 0:
        return f"The deal: {total} moves to come."
    words = with_symbols(story.words[number - 1])
    end = f" {story.ending}" if number == total else ""
    return f"Move {number} of {total}: {words}.{end}"


def with_symbols(words):
    """A move's words with suit symbols, and a capital at the beginning."""
    cards = re.sub(r"\b[A2-9TJQK][CDHS]\b", lambda name: card_symbol(parse_card(name[0])), words)
    return cards[0].upper() + cards[1:]


def described(page):
    """The table in words, by pile."""
    if not page.evaluate("document.getElementById('words').open"):
        page.click("summary")
    lines = page.locator("#words li").all_inner_texts()
    return dict(line.split(": ", 1) for line in lines)


def wait_for(page, element, words):
    """Wait until an element has words that match; a page's policy forbids waiting for a script."""
    from playwright.sync_api import expect

    expect(page.locator(element)).to_have_text(re.compile(words), timeout=20_000)


def check_won(game, piles):
    if game == "tripeaks":
        assert not any(name.startswith("row") for name in piles)
    elif game == "canfield":
        up = [words for name, words in piles.items() if name.startswith("foundation")]
        assert len(up) == 4
        assert all(words.endswith("on top of 12") for words in up)
        assert (piles["stock"], piles["reserve"], piles["column 1"]) == ("empty",) * 3
    elif game == "spider":
        runs = [words for name, words in piles.items() if name.startswith("complete run")]
        assert len(runs) == 8
        assert all(words.startswith("king of") and words.endswith("top of 12") for words in runs)
        assert all(piles[f"column {number}"] == "empty" for number in range(1, 11))
    else:
        winner = random_game(game, 1)[3].outcome.winner
        assert all(
            piles[f"player {winner}'s {name}"] == "empty" for name in ("reserve", "stock", "waste")
        )


def check_layout(page):
    """Nothing is wider than the screen, and every card is on the table."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    outside = page.evaluate(
        """() => {
            const table = document.getElementById("stage").getBoundingClientRect();
            return [...document.querySelectorAll(".card")].filter((card) => {
                const box = card.getBoundingClientRect();
                return box.left < table.left || box.right > table.right
                    || box.top < table.top || box.bottom > table.bottom;
            }).length;
        }"""
    )
    assert outside == 0


@pytest.mark.parametrize("game", GAMES)
def test_stepping_to_the_end(open_page, game):
    story = story_of(game)
    total = len(story.words)
    page = open_page(story)
    assert said(page) == expected(story, 0)
    for number in range(1, 4):
        page.get_by_role("button", name="Next", exact=True).click()
        assert said(page) == expected(story, number)
    page.keyboard.press("ArrowLeft")
    assert said(page) == expected(story, 2)
    page.get_by_role("button", name="Back", exact=True).click()
    assert said(page) == expected(story, 1)
    # On the way through hundreds of moves the slider saves time.
    left = min(total - 1, 60)
    page.fill("#slider", str(total - left))
    assert said(page) == expected(story, total - left)
    for _ in range(left):
        page.keyboard.press("ArrowRight")
    assert said(page) == expected(story, total)
    assert story.ending in said(page)
    check_won(game, described(page))
    page.keyboard.press("ArrowRight")
    assert said(page) == expected(story, total)
    page.keyboard.press("Home")
    assert said(page) == expected(story, 0)
    page.keyboard.press("End")
    assert said(page) == expected(story, total)


@pytest.mark.parametrize("game", GAMES)
@SCREENS
def test_the_table_fits_the_screen(open_page, tmp_path, game, screen):
    story = story_of(game)
    dark = {"color_scheme": "dark"} if screen is PHONE else {}
    page = open_page(story, screen, **dark)
    pictures = Path(os.environ.get("WINNABLE_SCREENSHOTS", tmp_path))
    for part in (0, 1, 2):
        number = len(story.words) * part // 2
        page.fill("#slider", str(number))
        assert said(page) == expected(story, number)
        check_layout(page)
        picture = pictures / f"{game}-{screen['width']}-{part}.png"
        page.screenshot(path=picture)
        assert picture.stat().st_size > 5000
    controls = page.locator(".controls").bounding_box()
    assert controls["y"] + controls["height"] <= screen["height"] + 1


def test_it_plays_and_pauses(open_page):
    story = story_of("tripeaks")
    page = open_page(story)
    page.select_option("#speed", "5")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    wait_for(page, "#move", r"Move ([3-9]|\d\d) of")
    assert page.get_by_role("button", name="Pause").is_visible()
    assert page.get_attribute("#spoken", "aria-live") == "off"
    page.keyboard.press("Space")
    stopped = said(page)
    assert page.get_attribute("#spoken", "aria-live") == "polite"
    page.wait_for_timeout(500)
    assert said(page) == stopped
    page.fill("#slider", str(len(story.words) - 1))
    page.get_by_role("button", name="Play", exact=True).click()
    wait_for(page, "#play", "^Play$")
    assert said(page) == expected(story, len(story.words))


def test_a_move_of_the_list_is_jumped_to(open_page):
    story = story_of("canfield")
    page = open_page(story)
    button = page.locator("#moves button").nth(99)
    button.click()
    assert said(page) == expected(story, 100)
    assert button.get_attribute("aria-current") == "step"
    page.keyboard.press("ArrowDown")
    assert said(page) == expected(story, 101)
    assert page.locator("#moves [aria-current]").count() == 1
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "step"


def test_it_is_spoken_without_symbols(open_page):
    story = story_of("tripeaks")
    page = open_page(story)
    page.keyboard.press("ArrowRight")
    spoken = page.text_content("#spoken")
    assert re.search(r"\b(\d+|ace|jack|queen|king) of (clubs|diamonds|hearts|spades)\b", spoken)
    assert not set("♣♦♥♠") & set(spoken)
    assert page.get_attribute("#stage", "aria-hidden") == "true"
    assert described(page)["waste"].endswith(" on top of 1")


def test_face_down_cards_can_be_shown(open_page):
    story = story_of("spider")
    page = open_page(story)
    first = story.positions[0][-10]
    assert described(page)["column 1"].startswith(f"{first.hidden} face down, ")
    assert page.locator(".card.down .face").first.is_hidden()
    page.check("#reveal")
    assert page.locator(".card.down .face").first.is_visible()
    assert described(page)["column 1"].count(" of ") == len(first.cards)
    check_layout(page)


def test_a_deal_without_a_solution(open_page):
    page = open_page(golden_story("tripeaks", "standard", "unwinnable"))
    assert page.locator("button").count() == 0
    assert page.get_by_text("Unwinnable").is_visible()
    assert page.locator(".card").count() == 52
    check_layout(page)


def test_the_page_of_a_game_of_two_thousand_moves(open_page):
    story = random_story("zank", 40)
    page = open_page(story, PHONE)
    page.keyboard.press("End")
    assert said(page) == expected(story, len(story.words))
    check_layout(page)
