"""Rule tables: from what a user asks for to the value of every parameter."""

import pytest

from winnable.errors import InputError
from winnable.games.ruleset import Parameter, RuleSet, RuleTable
from winnable.games.tripeaks.rules import RULES

TABLE = RuleTable(
    (
        Parameter("draw", {"1": "one card", "3": "three cards"}),
        Parameter("redeals", {"none": "no redeal", "any": "without end"}),
    ),
    (
        RuleSet("plain", "everybody", {"draw": "3", "redeals": "any"}),
        RuleSet("casino", "gamblers", {"draw": "1", "redeals": "none"}),
        RuleSet("single", "the patient", {"draw": "1"}),
    ),
)


def complaint(*arguments, table=TABLE):
    with pytest.raises(InputError) as caught:
        table.resolve(*arguments)
    return str(caught.value)


def test_the_first_rule_set_is_the_default():
    assert TABLE.resolve() == TABLE.resolve("plain")
    assert RULES.resolve().name == "standard"
    assert TABLE.names == ["plain", "casino", "single"]


def test_a_rule_set_takes_what_it_leaves_out_from_the_first():
    assert TABLE.resolve("single").settings == {"draw": "1", "redeals": "any"}
    assert TABLE.resolve("casino").settings == {"draw": "1", "redeals": "none"}


@pytest.mark.parametrize(
    ("name", "changes", "result"),
    [
        (None, ["draw=1"], "single"),
        ("plain", ["draw=1", "redeals=none"], "casino"),
        ("casino", ["redeals=any"], "single"),
        ("casino", ["draw=1"], "casino"),
        ("casino", ["draw=3", "redeals=any"], "plain"),
        (None, ["draw=1", "draw=3"], "plain"),
        (None, [" draw = 1 "], "single"),
        (None, ["redeals=none"], "plain redeals=none"),
        ("casino", ["draw=3"], "casino draw=3"),
        ("single", ["draw=3", "redeals=none"], "single draw=3 redeals=none"),
        ("single", ["redeals=none", "draw=3"], "single draw=3 redeals=none"),
    ],
)
def test_the_name_of_changed_rules(name, changes, result):
    assert TABLE.resolve(name, changes).name == result


def test_changed_rules_have_every_setting_in_the_order_of_the_table():
    changed = TABLE.resolve("casino", ["draw=3"])
    assert list(changed.settings.items()) == [("draw", "3"), ("redeals", "none")]


def test_resolving_leaves_the_table_alone():
    TABLE.resolve("plain", ["draw=1"])
    assert TABLE.resolve("plain").settings["draw"] == "3"


def test_every_combination_in_tripeaks_has_its_canonical_name():
    names = [
        RULES.resolve(name, [f"wrap={wrap}", f"waste={waste}"]).name
        for name in RULES.names
        for wrap in ("yes", "no")
        for waste in ("turned", "empty")
    ]
    assert names == ["standard", "open", "no-wrap", "open-no-wrap"] * 4


def test_an_unknown_rule_set_names_the_nearest_and_all():
    assert complaint("casnio") == (
        "There is no rule set 'casnio'. Did you mean casino? Known: plain, casino, single."
    )
    assert complaint("Casino") == (
        "There is no rule set 'Casino'. Did you mean casino? Known: plain, casino, single."
    )
    assert complaint("xyz") == "There is no rule set 'xyz'. Known: plain, casino, single."
    assert complaint("open-nowrap", table=RULES) == (
        "There is no rule set 'open-nowrap'. Did you mean open-no-wrap? "
        "Known: standard, no-wrap, open, open-no-wrap."
    )


def test_an_unknown_parameter_names_the_nearest_and_all():
    assert complaint(None, ["redeal=none"]) == (
        "There is no rule parameter 'redeal'. Did you mean redeals? Known: draw, redeals."
    )


def test_an_unknown_value_names_those_there_are():
    assert complaint(None, ["draw=2"]) == (
        "There is no value of rule parameter draw '2'. Known: 1, 3."
    )


@pytest.mark.parametrize("change", ["draw", "", "draw:1"])
def test_a_change_without_a_value(change):
    assert complaint(None, [change]) == (
        f"'{change}' sets no rule: write KEY=VALUE, for example wrap=no."
    )
