"""Rule parameters and named rule sets as tables.

Every rule that changes a verdict has a name and a value. A rule set is one row: the values that
differ from the game's first rule set, and who plays it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from winnable.errors import InputError, unknown_name


@dataclass(frozen=True)
class Parameter:
    """One rule that can be set: its name and what each of its values means."""

    name: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class RuleSet:
    """A named row of the table: what differs from the first row, and who plays so."""

    name: str
    played_by: str
    differences: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """The rules of one verdict: a name for people, and the value of every parameter."""

    name: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class RuleTable:
    """All parameters and rule sets of a game. The first rule set is the default."""

    parameters: tuple[Parameter, ...]
    rule_sets: tuple[RuleSet, ...]

    @property
    def names(self) -> list[str]:
        """The names of the rule sets, the default first."""
        return [rule_set.name for rule_set in self.rule_sets]

    def values_of(self, rule_set: RuleSet) -> dict[str, str]:
        """Every parameter's value in a rule set."""
        return {**self.rule_sets[0].differences, **rule_set.differences}

    def resolve(self, name: str | None = None, changes: Iterable[str] = ()) -> Rules:
        """The rules that a user asks for.

        Parameters
        ----------
        name:
            A rule set, the default one when None.
        changes:
            Single parameters as ``key=value``, applied on top of the rule set.

        Returns
        -------
        The settings under the name of the rule set that has just these values, or, where no
        named one has them, under the asked name with the changes appended.

        Raises
        ------
        InputError
            For a rule set, parameter or value that does not exist.
        """
        base = self._rule_set(name)
        settings = self.values_of(base)
        for change in changes:
            key, value = self._parse_change(change)
            settings[key] = value
        for rule_set in (base, *self.rule_sets):
            if self.values_of(rule_set) == settings:
                return Rules(rule_set.name, settings)
        original = self.values_of(base)
        changed = [f"{key}={settings[key]}" for key in settings if settings[key] != original[key]]
        return Rules(" ".join([base.name, *changed]), settings)

    def _rule_set(self, name: str | None) -> RuleSet:
        if name is None:
            return self.rule_sets[0]
        for rule_set in self.rule_sets:
            if rule_set.name == name:
                return rule_set
        raise unknown_name("rule set", name, self.names)

    def _parse_change(self, change: str) -> tuple[str, str]:
        key, separator, value = (part.strip() for part in change.partition("="))
        if not separator:
            raise InputError(f"'{change}' sets no rule: write KEY=VALUE, for example wrap=no.")
        by_name = {parameter.name: parameter for parameter in self.parameters}
        if key not in by_name:
            raise unknown_name("rule parameter", key, by_name)
        if value not in by_name[key].values:
            raise unknown_name(f"value of rule parameter {key}", value, by_name[key].values)
        return key, value
