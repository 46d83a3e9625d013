"""The page that plays a solution: the table, and the moves to step through.

A page holds the piles' places, what lies on them at first, and of each move only what it changes.
The script that plays it knows no game.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import Any

from winnable.cards import PACK_SIZE, card_symbol, parse_card
from winnable.pages.page import asset, page
from winnable.pages.tables.piles import SQUARED, Heap, Pile

# A card is one letter in a page: the code 0 is A, 51 is z.
_LETTERS = ascii_letters[PACK_SIZE // 2 :] + ascii_letters[: PACK_SIZE // 2]
_CARD_NAME = re.compile(r"\b[A2-9TJQK][CDHS]\b")


@dataclass(frozen=True)
class Story:
    """What a page tells.

    title: of what, such as the game and the deal's number.
    facts: what is said below the title; the first one is the verdict.
    piles: the table.
    positions: what lies on each pile, at first and after each move.
    words: what each move does.
    ending: what the last move comes to.
    """

    title: str
    facts: Sequence[str]
    piles: Sequence[Pile]
    positions: Sequence[Sequence[Heap]]
    words: Sequence[str] = ()
    ending: str = ""


def replay_page(story: Story) -> str:
    """The story as a whole HTML document; without moves it shows the table only."""
    data = {
        "piles": [_pile_data(pile) for pile in story.piles],
        "start": [[_letters(heap), heap.hidden] for heap in story.positions[0]],
        "steps": _steps(story.positions),
        "ending": story.ending,
    }
    # Nothing in a script may look like its end.
    compact = json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    script = f"const REPLAY = {compact};\n{asset('replay.js')}"
    return page(story.title, _body(story), asset("replay.css"), script)


def _pile_data(pile: Pile) -> dict[str, Any]:
    """A pile as the script reads it; what is usual is left out."""
    data: dict[str, Any] = {
        "name": pile.name,
        "x": round(pile.x, 3),
        "band": pile.band,
    }
    if pile.y:
        data["y"] = pile.y
    if pile.fan != SQUARED:
        data["fan"] = pile.fan
    if pile.last:
        data["last"] = pile.last
    if pile.caption:
        data["caption"] = pile.caption
    if pile.is_counted:
        data["counted"] = 1
    if not pile.has_slot:
        data["bare"] = 1
    return data


def _letters(heap: Heap) -> str:
    return "".join(_LETTERS[card] for card in heap.cards)


def _steps(positions: Sequence[Sequence[Heap]]) -> list[list[list[Any]]]:
    """For each move, the piles that it changes.

    Of each: its number, how many of its cards stay, those that come on top of these, and how many
    are face down then; the last two only as far as they are needed.
    """
    return [
        [
            [number, *_change(old, new)]
            for number, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
        ]
        for before, after in zip(positions, positions[1:], strict=False)
    ]


def _change(old: Heap, new: Heap) -> list[Any]:
    kept = 0
    for one, other in zip(old.cards, new.cards, strict=False):
        if one != other:
            break
        kept += 1
    added = _letters(new)[kept:]
    if new.hidden:
        return [kept, added, new.hidden]
    return [kept, added] if added else [kept]


def _body(story: Story) -> str:
    """The elements that the script fills; the moves stand there as text."""
    facts = "\n".join(f"<p>{html.escape(_for_people(fact))}</p>" for fact in story.facts)
    count = len(story.words)
    return f"""<main class="{"replay" if count else "deal"}">
<header>
<h1>{html.escape(story.title)}</h1>
{facts}
</header>
<noscript><p>The table is drawn by a script, and this browser runs none.</p></noscript>
<section class="board" aria-label="Table">
<div id="stage" aria-hidden="true"></div>
{_CONTROLS.format(count=count) if count else ""}<div class="views">
{_SPEED if count else ""}<label><input type="checkbox" id="reveal"> Show face-down cards</label>
<details id="words"><summary>The table in words</summary><ul></ul></details>
</div>
</section>
{_moves(story.words)}</main>"""


_CONTROLS = """<div class="controls" role="group" aria-label="Replay">
<p id="move"></p>
<input type="range" id="slider" min="0" max="{count}" value="0" aria-label="Move">
<div class="buttons">
<button type="button" id="start">Start</button>
<button type="button" id="back">Back</button>
<button type="button" id="play">Play</button>
<button type="button" id="next">Next</button>
<button type="button" id="end">End</button>
</div>
<p class="keys">Keys: ← and → one move, space plays and pauses, Home and End.</p>
<p id="spoken" class="spoken" aria-live="polite"></p>
</div>
"""

_SPEED = """<label class="speed">Speed <select id="speed">
<option value="0.5">½</option>
<option value="1" selected>1</option>
<option value="2">2</option>
<option value="5">5</option>
</select></label>
"""


def _moves(words: Sequence[str]) -> str:
    """The list of moves; the script makes each a button."""
    if not words:
        return ""
    items = "\n".join(f"<li>{html.escape(_for_people(each), quote=False)}" for each in words)
    return f"""<section class="moves" aria-label="Moves">
<h2>Moves</h2>
<ol id="moves" role="list">
{items}
</ol>
</section>
"""


def _for_people(words: str) -> str:
    """Words as a sentence's beginning, with suit symbols."""
    shown = _CARD_NAME.sub(lambda match: card_symbol(parse_card(match[0])), words)
    return shown[:1].upper() + shown[1:]
