"""What each command prints, for people and as JSON, and how it ends."""

import csv
import io
import json
import re

import pytest

from winnable.deals import NUMBERINGS
from winnable.duel.game import DUELS
from winnable.games import REGISTRY, get_game
from winnable.games.canfield import rules as canfield

KEYS = {
    "game": str,
    "rules": str,
    "settings": dict,
    "numbering": (str, type(None)),
    "number": (int, type(None)),
    "verdict": str,
    "moves": (list, type(None)),
    "nodes": int,
    "seconds": float,
    "limit": (str, type(None)),
}
# Of the numbering winnable: the first two deals are won, the others are the first lost ones.
WON, ALSO_WON, LOST, ALSO_LOST = 0, 1, 59, 101
CARD = r"\b[A2-9TJQK][CDHS]\b"


def check_types(row):
    for key, kind in KEYS.items():
        assert isinstance(row[key], kind), key
    assert all(isinstance(move, str) for move in row["moves"] or [])


# --- games ---


def test_games_lists_every_game(winnable):
    result = winnable("games")
    assert (result.code, result.err) == (0, "")
    assert all(f"{name}: " in result.out for name in DUELS)
    for name in REGISTRY:
        assert f"{name}: " in result.out
        assert all(rules in result.out for rules in get_game(name).rules.names)


def test_games_as_json(winnable):
    rows = winnable("games", "--json").rows
    assert [row["game"] for row in rows] == [*REGISTRY, *DUELS]
    (row,) = (row for row in rows if row["game"] == "tripeaks")
    assert row == winnable("games", "tripeaks", "--json").row
    assert list(row["rule_sets"]) == ["standard", "no-wrap", "open", "open-no-wrap"]
    assert row["rule_sets"]["open"] == {"wrap": "yes", "waste": "empty"}
    assert set(row["parameters"]) == {"wrap", "waste"}
    assert row["numberings"][0] == "winnable"


@pytest.mark.parametrize("name", REGISTRY)
def test_one_game_tells_everything_that_can_be_typed(winnable, name):
    result = winnable("games", name)
    game = get_game(name)
    assert result.code == 0
    for parameter in game.rules.parameters:
        assert all(f"{parameter.name}={value}: " in result.out for value in parameter.values)
    assert all(f"  {rules}: " in result.out for rules in game.rules.names)
    assert all(f"  {numbering}: " in result.out for numbering in game.numberings)
    assert game.rules_text in result.out


# --- deal ---


def test_a_deal_in_its_three_forms(winnable):
    text = winnable("deal", "tripeaks", 7, "--format", "text")
    row = winnable("deal", "tripeaks", 7, "--format", "json").row
    drawn = winnable("deal", "tripeaks", 7)
    assert (text.code, drawn.code) == (0, 0)
    cards = re.findall(CARD, text.out)
    assert len(set(cards)) == 52
    assert row["deal"]["tableau"] + row["deal"]["stock"] == cards
    assert (row["game"], row["numbering"], row["number"]) == ("tripeaks", "winnable", 7)
    assert drawn.out.startswith("Tri-Peaks 7 (numbering winnable), rules standard\n")
    # The first stock card lies on the waste when play begins.
    assert len(re.findall("[♣♦♥♠]", drawn.out)) == 52
    assert f"waste: {cards[28][0]}" in drawn.out


def test_deals_of_a_range_and_single_numbers(winnable):
    rows = winnable("deal", "tripeaks", "3:5", 1, "--format", "json").rows
    assert [row["number"] for row in rows] == [3, 4, 5, 1]
    text = winnable("deal", "tripeaks", "3:5", 1, "--format", "text").out
    assert len(text.strip().split("\n\n")) == 4


def test_a_deal_of_microsoft_by_its_pysol_name(winnable):
    one = winnable("deal", "tripeaks", "ms17", "--numbering", "pysol", "--format", "json").row
    other = winnable("deal", "tripeaks", 17, "--numbering", "ms", "--format", "json").row
    assert one == other


# --- solve ---


@pytest.mark.parametrize(
    ("numbers", "options", "verdicts", "code"),
    [
        ([WON], [], ["winnable"], 0),
        ([WON, ALSO_WON], [], ["winnable"] * 2, 0),
        ([LOST], [], ["unwinnable"], 1),
        ([WON, LOST, ALSO_WON], [], ["winnable", "unwinnable", "winnable"], 1),
        ([WON], ["--max-nodes", 1], ["unknown"], 3),
        ([LOST], ["--max-nodes", 1], ["unknown"], 3),
        (["0:2"], [], ["winnable"] * 3, 0),
    ],
)
def test_verdicts_and_exit_status(winnable, numbers, options, verdicts, code):
    result = winnable("solve", "tripeaks", *numbers, *options, "--json")
    assert [row["verdict"] for row in result.rows] == verdicts
    assert result.code == code
    for row in result.rows:
        check_types(row)
        assert (row["moves"] is not None) == (row["verdict"] == "winnable")
        assert (row["limit"] is not None) == (row["verdict"] == "unknown")
    plain = winnable("solve", "tripeaks", *numbers, *options, "--quiet")
    assert plain.code == code
    words = [line.rpartition(": ")[2] for line in plain.out.splitlines()]
    assert words == verdicts


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_unknown_wins_over_unwinnable(winnable, monkeypatch, order):
    from winnable.games.base import Solution, Verdict
    from winnable.games.tripeaks.game import TriPeaks

    verdicts = list(Verdict)
    words = iter(verdicts[index] for index in order)

    def solve(self, deal, rules, limits):
        verdict = next(words)
        moves = () if verdict is Verdict.WINNABLE else None
        limit = "seconds" if verdict is Verdict.UNKNOWN else None
        return Solution(verdict, moves, 1, 0.5, limit, {"stock_turned": 1, "stock_left": 23})

    monkeypatch.setattr(TriPeaks, "solve", solve)
    result = winnable("solve", "tripeaks", "0:2")
    assert result.code == 3
    assert "--max-seconds" in result.out


def test_a_solution_for_people(winnable):
    row = winnable("solve", "tripeaks", WON, "--json").row
    plain = winnable("solve", "tripeaks", WON)
    lines = plain.out.splitlines()
    assert lines[0] == "Tri-Peaks 0 (numbering winnable), rules standard: winnable"
    score = f"{row['stock_turned']} of 24, {row['stock_left']} left over."
    assert lines[1].startswith(f"  {len(row['moves'])} moves. ")
    assert lines[1].endswith(score)
    assert len(lines) == 2 + len(row["moves"])
    # Each line names the card of its move.
    for move, line in zip(row["moves"], lines[2:], strict=True):
        assert move.split()[1] in line
    shown = winnable("solve", "tripeaks", WON, "--show").out
    assert shown.count("waste: ") == len(row["moves"]) + 1


def test_an_unwinnable_deal_for_people(winnable):
    result = winnable("solve", "tripeaks", LOST)
    assert "unwinnable" in result.out
    assert "No line wins" in result.out


def test_rules_by_name_and_by_parameter_are_the_same(winnable):
    row = winnable("solve", "tripeaks", LOST, "--rules", "open", "--json").row
    changed = winnable("solve", "tripeaks", LOST, "--set", "waste=empty", "--json").row
    assert changed["rules"] == "open"
    assert {**row, "seconds": 0} == {**changed, "seconds": 0}


# --- deals as text ---


@pytest.mark.parametrize("number", [WON, LOST])
def test_text_of_a_deal_is_solved_like_its_number(winnable, tmp_path, number):
    file = tmp_path / "deal.txt"
    text = winnable("deal", "tripeaks", number, "--format", "text").out
    by_number = winnable("solve", "tripeaks", number, "--json")
    for form in (text, text.replace("\n", "\r\n"), "\ufeff" + text, "# note\n" + text.lower()):
        file.write_bytes(form.encode())
        typed = winnable("solve", "tripeaks", "--deal", file, "--json")
        assert typed.code == by_number.code
        for key in ("verdict", "moves", "nodes"):
            assert typed.row[key] == by_number.row[key]
        assert typed.row["number"] is typed.row["numbering"] is None
    stdin = winnable("solve", "tripeaks", "--deal", "-", "--json", stdin=text)
    assert stdin.row["moves"] == by_number.row["moves"]
    again = winnable("deal", "tripeaks", "--deal", file, "--format", "text")
    assert again.out == text


def test_several_deals_in_a_file(winnable, tmp_path):
    file = tmp_path / "deals.txt"
    file.write_text(winnable("deal", "tripeaks", WON, LOST, ALSO_WON, "--format", "text").out)
    result = winnable("solve", "tripeaks", "--deal", file, "--json")
    assert [row["verdict"] for row in result.rows] == ["winnable", "unwinnable", "winnable"]
    assert result.code == 1


def test_one_deal_a_line(winnable):
    lines = []
    for number in (WON, LOST):
        deal = winnable("deal", "tripeaks", number, "--format", "json").row["deal"]
        lines.append(" ".join(deal["tableau"] + deal["stock"]))
    result = winnable("solve", "tripeaks", "--deal", "-", "--json", stdin="\n".join(lines))
    assert [row["verdict"] for row in result.rows] == ["winnable", "unwinnable"]


# --- verify ---


@pytest.fixture
def solution(winnable):
    return winnable("solve", "tripeaks", WON, "--json").row["moves"]


def verified(winnable, moves, *options):
    text = "\n".join(moves) + "\n"
    return winnable("verify", "tripeaks", WON, "-", *options, stdin=text)


def test_a_solution_is_legal_and_wins(winnable, solution, tmp_path):
    result = verified(winnable, solution)
    assert (result.code, result.err) == (0, "")
    assert f"{len(solution)} legal moves, won" in result.out
    row = verified(winnable, solution, "--json").row
    assert (row["legal"], row["won"], row["legal_moves"]) == (True, True, len(solution))
    assert row["problem"] is None
    file = tmp_path / "moves.txt"
    file.write_bytes(("# a solution\r\n\r\n" + "  # x\r\n".join(solution)).encode())
    assert winnable("verify", "tripeaks", WON, file).code == 0


def test_the_json_of_solve_is_a_solution(winnable):
    text = winnable("solve", "tripeaks", WON, "--json").out
    assert winnable("verify", "tripeaks", WON, "-", stdin=text).code == 0


def test_a_typed_deal_is_verified(winnable, solution, tmp_path):
    file = tmp_path / "deal.txt"
    file.write_text(winnable("deal", "tripeaks", WON, "--format", "text").out)
    text = "\n".join(solution)
    assert winnable("verify", "tripeaks", "--deal", file, "-", stdin=text).code == 0
    moves = tmp_path / "moves.txt"
    moves.write_text(text)
    deal = file.read_text()
    assert winnable("verify", "tripeaks", "--deal", "-", moves, stdin=deal).code == 0


def test_legal_moves_that_do_not_win(winnable, solution):
    result = verified(winnable, solution[:-1])
    assert result.code == 1
    assert f"{len(solution) - 1} legal moves, not won" in result.out
    row = verified(winnable, solution[:-1], "--json").row
    assert (row["legal"], row["won"]) == (True, False)


def test_an_illegal_move_is_named_with_its_reason(winnable, solution):
    stock = winnable("deal", "tripeaks", WON, "--format", "json").row["deal"]["stock"]
    wrong = [*solution[:2], f"turn {stock[-1]}", *solution[2:]]
    result = verified(winnable, wrong)
    assert result.code == 1
    assert f"Move 3 (turn {stock[-1]}) is illegal" in result.err
    assert f"not {stock[-1]}" in result.err
    assert result.out == ""
    result = verified(winnable, wrong, "--json")
    assert result.code == 1
    assert (result.row["legal"], result.row["won"], result.row["legal_moves"]) == (False, False, 2)
    assert stock[-1] in result.row["problem"]


def test_a_covered_card_and_a_wrong_rank(winnable):
    tableau = winnable("deal", "tripeaks", WON, "--format", "json").row["deal"]["tableau"]
    result = verified(winnable, [f"play {tableau[0]}"])
    assert result.code == 1
    covering = f"{tableau[0]} is covered by {tableau[3]} and {tableau[4]}"
    assert f"Move 1 (play {tableau[0]})" in result.err
    assert covering in result.err


def test_moves_after_the_win_are_told(winnable, solution):
    result = verified(winnable, [*solution, "turn", "turn", "play AS"])
    assert result.code == 1
    assert f"Move {len(solution) + 3} " in result.err


@pytest.mark.parametrize("move", ["hello", "play 1Z", "turn turn turn", "play", "play AS KD"])
def test_an_unreadable_move_is_bad_input(winnable, solution, move):
    result = verified(winnable, [solution[0], move, *solution[1:]])
    assert result.code == 2
    assert "2" in result.err
    assert move in result.err


LATE_CANFIELD = """
foundation: 5C 6C 5D 6D 5H 6H 7H 8H 9H TH JH QH KH AH 2H 3H 4H 5S 6S 7S 8S 9S TS JS
reserve: QS 7C 7D
tableau: KS 2S AS 3S
stock: 8C 9C TC JC QC KC AC 2C 3C 4C 8D 9D TD JD QD KD AD 2D 3D 4D 4S
"""


ONE_CARD_LEFT = """
foundation: 5C 6C 7C 8C 9C TC JC QC KC AC 2C 3C 4C 5D 6D 7D 8D 9D TD JD QD KD AD 2D 3D 4D
    5H 6H 7H 8H 9H TH JH QH KH AH 2H 3H 4H 5S 6S 7S 8S 9S TS JS QS KS AS 2S 3S
reserve: --
column 1: --
column 2: --
column 3: --
column 4: --
stock: 4S
"""


def test_the_best_score_of_a_deal_that_is_lost(winnable):
    asked = ("solve", "canfield", 4, "--numbering", "solvitaire", "--rules", "thoughtful")
    row = winnable(*asked, "--best", "--json").row
    assert row["verdict"] == "unwinnable"
    assert row["moves"] is None
    assert 4 <= row["foundation_found"] <= row["foundation_bound"] < 52
    rules = canfield.RULES.resolve("thoughtful")
    deal = get_game("canfield").deal(NUMBERINGS["solvitaire"], 4, rules)
    end = canfield.replay(deal, map(canfield.parse_move, row["best_moves"]), rules)
    assert canfield.cards_up(end) == row["foundation_found"]
    text = winnable(*asked, "--best").out
    assert f"{row['foundation_found']} cards" in text
    assert "   1  " in text
    assert "best_moves" not in winnable(*asked, "--json").row


def test_casino_play_pays_for_cards(winnable):
    rows = winnable("solve", "canfield", "20:24", "--rules", "casino", "--best", "--json").rows
    for row in rows:
        assert row["money"] == 5 * row["foundation_found"] - 50
        assert row["foundation_found"] == row["foundation_bound"]
    ready = ("solve", "canfield", "--deal", "-", "--rules", "casino", "--best")
    assert "260 paid for a stake of 50" in winnable(*ready, stdin=ONE_CARD_LEFT).out
    assert winnable(*ready, "--json", stdin=ONE_CARD_LEFT).row["money"] == 210


def test_a_shorter_solution_with_what_is_proved(winnable):
    asked = ("solve", "canfield", 2, "--numbering", "solvitaire", "--max-seconds", 1)
    row, plain = winnable(*asked, "--shortest", "--json").row, winnable(*asked, "--json").row
    assert 52 - 1 <= row["moves_bound"] <= len(row["moves"]) <= len(plain["moves"])
    assert "moves_bound" not in plain
    late = winnable("solve", "canfield", "--deal", "-", "--shortest", stdin=LATE_CANFIELD)
    assert "the fewest that win" in late.out
    peaks = winnable("solve", "tripeaks", WON, "--shortest", "--best", "--json").row
    assert peaks["moves_bound"] == len(peaks["moves"])


# --- study and report ---


def test_a_study_prints_its_report_and_goes_on(winnable, tmp_path):
    store = tmp_path / "s.sqlite"
    study = ("study", "tripeaks", "0:59", "--store", store)
    first = winnable(*study)
    assert first.code == 0
    assert str(store) in first.err
    assert "%|" not in first.err  # no bar, as stderr is no terminal
    assert "win rate" in first.out
    again = winnable(*study)
    assert (again.code, again.out) == (0, first.out)
    assert "60 of 60 are there already" in again.err
    assert winnable("report", store).out == first.out
    row = winnable(*study, "--json").row
    assert (row["deals"], row["unwinnable"], row["numbers"]) == (60, 1, [[0, 59]])
    assert winnable("report", store, "--json").row == row
    more = winnable("study", "tripeaks", "50:69", "--store", store, "--json", "--workers", 2)
    assert more.row["numbers"] == [[0, 69]]
    assert "10 of 20 are there already" in more.err


def test_unknown_deals_are_listed_and_settled_later(winnable, tmp_path):
    store = tmp_path / "s.sqlite"
    study = ("study", "canfield", "0:9", "--store", store, "--workers", 1)
    first = winnable(*study, "--max-nodes", 1, "--json").row
    assert len(first["unknown_numbers"]) == first["unknown"] > 0
    retry = (*study, "--retry-unknown", "--max-nodes", 100_000)
    second = winnable(*retry)
    assert f"Tried {first['unknown']} unknown deals once more" in second.err
    row = winnable("report", store, "--json").row
    assert (row["deals"], row["unknown"], row["max_nodes"]) == (10, 0, 1)
    assert row["retried"]["settled"] == first["unknown"]
    whole = winnable("study", "canfield", "0:9", "--store", tmp_path / "w.sqlite", "--json").row
    assert row["verdict_sha256"] == whole["verdict_sha256"]
    third = winnable(*retry)
    assert "No unknown deal is left" in third.err
    assert (third.code, third.out) == (0, second.out)


def test_quiet_leaves_stderr_empty(winnable, tmp_path):
    store = tmp_path / "s.sqlite"
    assert winnable("study", "tripeaks", "0:9", "--store", store, "--quiet").err == ""
    assert winnable("find", "tripeaks", "--quiet").err == ""
    assert winnable("solve", "tripeaks", WON, "--quiet").err == ""
    last = 2**32 - 1
    ending = ("--numbering", "aisleriot", "--from", last, "--count", 5)
    assert winnable("find", "tripeaks", *ending, "--quiet").err == ""


def test_the_default_store_is_in_this_folder(winnable, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    winnable("study", "tripeaks", "0:1")
    winnable("study", "tripeaks", "1:2", "--rules", "open", "--numbering", "ms", "--best")
    winnable("study", "tripeaks", "0:1", "--max-nodes", 5)
    winnable("study", "tripeaks", "0:1", "--max-nodes", 6)
    names = sorted(path.name for path in tmp_path.glob("*.sqlite"))
    assert len(names) == 4
    assert "tripeaks-standard-winnable.sqlite" in names
    assert "tripeaks-open-ms-best.sqlite" in names


def test_a_study_with_scores(winnable, tmp_path):
    store = tmp_path / "s.sqlite"
    row = winnable("study", "tripeaks", "0:29", "--best", "--store", store, "--json").row
    assert sum(row["scores"]["stock_left"].values()) == row["winnable"]
    plain = winnable("report", store)
    assert "mean stock_left" in plain.out
    head, *rows = csv.reader(io.StringIO(winnable("report", store, "--csv").out))
    assert head == ["number", "verdict", "stock_left"]
    solved = winnable("solve", "tripeaks", "0:9", "--json").rows
    for line, answer in zip(rows, solved, strict=False):
        left = "" if answer["stock_left"] is None else str(answer["stock_left"])
        assert line == [str(answer["number"]), answer["verdict"], left]


def test_reports_of_several_stores(winnable, tmp_path):
    stores = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for store, rules in zip(stores, ("standard", "open"), strict=True):
        winnable("study", "tripeaks", "0:9", "--rules", rules, "--store", store)
    assert [row["rules"] for row in winnable("report", *stores, "--json").rows] == [
        "standard",
        "open",
    ]
    assert winnable("report", *stores).out.count("Tri-Peaks\n") == 2
    table = winnable("report", *stores, "--markdown").out.splitlines()
    assert table[0].startswith("| game | rules |")
    assert "`standard`" in table[2]
    assert "`open`" in table[3]
    summary = tmp_path / "a.json"
    summary.write_text(winnable("report", stores[0], "--json").out)
    assert winnable("report", summary).out == winnable("report", stores[0]).out


# --- find ---


@pytest.mark.parametrize("options", [[], ["--unwinnable"], ["--rules", "open-no-wrap"]])
def test_found_deals_are_what_was_asked_for(winnable, options):
    result = winnable("find", "tripeaks", "--count", 3, "--from", 50, *options)
    assert result.code == 0
    numbers = [int(line) for line in result.out.splitlines()]
    assert len(numbers) == 3
    rows = winnable("find", "tripeaks", "--count", 3, "--from", 50, *options, "--json").rows
    assert [row["number"] for row in rows] == numbers
    wanted = "unwinnable" if "--unwinnable" in options else "winnable"
    rules = [option for option in options if option != "--unwinnable"]
    # They are all there are: none in between was left out.
    span = f"50:{numbers[-1]}"
    solved = winnable("solve", "tripeaks", span, *rules, "--json").rows
    assert numbers == [row["number"] for row in solved if row["verdict"] == wanted]
    for row in rows:
        check_types(row)
        if wanted == "winnable":
            moves = json.dumps({"moves": row["moves"]})
            verified = winnable("verify", "tripeaks", row["number"], "-", *rules, stdin=moves)
            assert verified.code == 0
        deal = row["deal"]["tableau"] + row["deal"]["stock"]
        assert len(set(deal)) == 52


def test_found_deals_leave_the_stock_cards_asked_for(winnable):
    options = ("--min-stock-left", 12, "--count", 3)
    rows = winnable("find", "tripeaks", *options, "--json").rows
    assert all(row["stock_left"] >= 12 for row in rows)
    span = f"0:{rows[-1]['number']}"
    solved = winnable("solve", "tripeaks", span, "--json").rows
    assert [row["number"] for row in rows] == [
        row["number"] for row in solved if (row["stock_left"] or 0) >= 12
    ]


def test_the_search_ends_with_the_numbering(winnable):
    last = 2**32 - 1
    result = winnable("find", "tripeaks", "--numbering", "aisleriot", "--from", last, "--count", 9)
    assert result.code == 0
    assert len(result.out.splitlines()) <= 1
    assert str(last) in result.err


def test_a_found_deal_of_a_pysol_name(winnable):
    rows = winnable("find", "tripeaks", "--numbering", "pysol", "--from", "ms5", "--json").rows
    assert rows[0]["numbering"] == "ms"
    assert rows[0]["number"] >= 5


@pytest.mark.compiled_only
def test_report_checks_a_store(winnable, tmp_path):
    path = tmp_path / "s.sqlite"
    assert winnable("study", "tripeaks", "0:99", "--rules", "no-wrap", "--store", path).code == 0
    result = winnable("report", path, "--check", "30", "--quiet")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{path}: 30 deals checked, 30 solved again, ")
    assert result.out.endswith(" solutions replayed; all agree\n")
    assert winnable("report", path, "--check", "30", "--json").code == 2


@pytest.mark.compiled_only
def test_canfield_in_the_form_of_another_program(winnable, tmp_path):
    file = tmp_path / "deal.json"
    file.write_text(winnable("deal", "canfield", 4, "--format", "solvitaire").out)
    deals = [
        winnable("deal", "canfield", *words, "--json").row for words in ([4], ["--deal", file])
    ]
    assert deals[0]["deal"] == deals[1]["deal"]
    refused = winnable("deal", "tripeaks", 4, "--format", "solvitaire")
    assert (refused.code, refused.out) == (2, "")
    assert "Tri-Peaks" in refused.err


@pytest.mark.compiled_only
@pytest.mark.parametrize("rules", ["thoughtful", "aisleriot"])
def test_canfield_from_deal_to_report(winnable, tmp_path, rules):
    path = tmp_path / "s.sqlite"
    options = ("--rules", rules)
    row = winnable("solve", "canfield", 2, *options, "--json").row
    assert row["verdict"] == "winnable"
    solution = tmp_path / "solution.txt"
    solution.write_text("\n".join(row["moves"]))
    assert winnable("verify", "canfield", 2, solution, *options).code == 0
    assert winnable("study", "canfield", "0:19", *options, "--store", path).code == 0
    assert "win rate" in winnable("report", path).out
    assert winnable("report", path, "--check", 20).code == 0
    refused = winnable("find", "canfield", "--min-stock-left", 3)
    assert (refused.code, refused.out) == (2, "")


@pytest.mark.compiled_only
def test_find_passes_over_unknown_deals(winnable):
    options = ("--max-nodes", 115_000)
    rows = winnable("solve", "tripeaks", "0:9", *options, "--json").rows
    known = [row["number"] for row in rows if row["verdict"] == "winnable"]
    assert "unknown" in {row["verdict"] for row in rows[: known[-1]]}
    found = winnable("find", "tripeaks", "--count", len(known), *options)
    assert (found.code, found.out.split()) == (0, [str(number) for number in known])
