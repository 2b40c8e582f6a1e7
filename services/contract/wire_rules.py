"""House rules as the contract shows them: values of the kinds of their schema, and the schema as a form."""

from collections.abc import Mapping
from typing import Any, Final

from pitboss.v1 import catalogue_pb2 as pb

from services.contract import wire_texts
from services.house import templates
from services.rules import catalogue, schema, schema_labels
from services.rules.game import Game, HouseRules
from services.rules.kinds import Choice, Flag, Integer, IntegerList, IntegerTable, Kind, Number
from services.rules.schema import Field, Group, Unit

GROUPS: Final = {
    Group.STAKES: pb.HOUSE_RULE_GROUP_STAKES,
    Group.SEATS: pb.HOUSE_RULE_GROUP_SEATS,
    Group.TIMES: pb.HOUSE_RULE_GROUP_TIMES,
    Group.PLAY: pb.HOUSE_RULE_GROUP_PLAY,
    Group.PAYS: pb.HOUSE_RULE_GROUP_PAYS,
    Group.BANK: pb.HOUSE_RULE_GROUP_BANK,
    Group.LENGTH: pb.HOUSE_RULE_GROUP_LENGTH,
    Group.HOUSE: pb.HOUSE_RULE_GROUP_HOUSE,
}
UNITS: Final = {
    Unit.NONE: pb.HOUSE_RULE_UNIT_UNSPECIFIED,
    Unit.CHIPS: pb.HOUSE_RULE_UNIT_CHIPS,
    Unit.SECONDS: pb.HOUSE_RULE_UNIT_SECONDS,
    Unit.BASIS_POINTS: pb.HOUSE_RULE_UNIT_BASIS_POINTS,
    Unit.SEATS: pb.HOUSE_RULE_UNIT_SEATS,
    Unit.ROUNDS: pb.HOUSE_RULE_UNIT_ROUNDS,
    Unit.TURNS: pb.HOUSE_RULE_UNIT_TURNS,
    Unit.CARDS: pb.HOUSE_RULE_UNIT_CARDS,
    Unit.POINTS: pb.HOUSE_RULE_UNIT_POINTS,
    Unit.MULTIPLE: pb.HOUSE_RULE_UNIT_MULTIPLE,
}
FIELDS: Final = {
    templates.TITLE: pb.TEMPLATE_FIELD_TITLE,
    templates.STAKE: pb.TEMPLATE_FIELD_STAKE,
    templates.SEATS: pb.TEMPLATE_FIELD_SEATS,
    templates.TIMES: pb.TEMPLATE_FIELD_TIMES,
    templates.BUY_IN: pb.TEMPLATE_FIELD_BUY_IN,
    templates.PLAY: pb.TEMPLATE_FIELD_PLAY,
}
"""What a template may leave open; title and bounds of a buy-in open no house rule."""


def values(game_id: str, version: int, rules: Mapping[str, Any]) -> dict[str, pb.HouseRuleValue]:
    """Write house rules of a version of a game as plain values; a rule without a value is left out."""
    described = schema.declared(catalogue.nearest(game_id, version).rules_type)
    return {
        key: value(described[key].kind, given) for key, given in rules.items() if given is not None and key in described
    }


def value(kind: Kind, given: Any) -> pb.HouseRuleValue:
    """Write one value of a kind."""
    match kind:
        case Integer():
            return pb.HouseRuleValue(integer=given)
        case Number():
            return pb.HouseRuleValue(number=given)
        case Flag():
            return pb.HouseRuleValue(flag=given)
        case Choice():
            return pb.HouseRuleValue(choice=given)
        case IntegerList():
            return pb.HouseRuleValue(list=pb.IntegerList(values=given))
        case IntegerTable():
            return pb.HouseRuleValue(table=pb.IntegerTable(entries=given))


def fields(game: Game, rules: HouseRules) -> list[pb.HouseRuleField]:
    """Write the schema of a game's house rules; limits hold beside the values of ``rules``."""
    return [_field(game, rules, one) for one in game.fields(rules)]


def _field(game: Game, rules: HouseRules, one: Field) -> pb.HouseRuleField:
    rule, default = one.rule, one.default
    unit = schema_labels.UNITS.get(rule.unit)
    return pb.HouseRuleField(
        key=one.key,
        label=wire_texts.text(rule.label),
        help=wire_texts.text(rule.help),
        group=GROUPS[rule.group],
        unit=UNITS[rule.unit],
        group_label=wire_texts.text(schema_labels.GROUPS[rule.group]),
        unit_label=wire_texts.text(unit) if unit else None,
        default_value=None if default is None else value(rule.kind, default),
        absent=wire_texts.text(rule.absent) if rule.absent else None,
        fixed=one.is_fixed,
        opened_by=FIELDS.get(templates.field_of(one.key, rules), pb.TEMPLATE_FIELD_UNSPECIFIED),
        **_kind(game, rule.kind),
    )


def _kind(game: Game, kind: Kind) -> dict[str, Any]:
    match kind:
        case Integer():
            return {
                "integer": pb.IntegerField(
                    least=kind.least,
                    greatest=kind.greatest,
                    step=kind.step,
                    zero=wire_texts.text(kind.zero) if kind.zero else None,
                    not_below=kind.not_below,
                    not_above=kind.not_above,
                )
            }
        case Number():
            return {"number": pb.NumberField(least=kind.least, greatest=kind.greatest, step=kind.step)}
        case Flag():
            return {"flag": pb.FlagField(values=kind.values)}
        case Choice():
            return {"choice": pb.ChoiceField(choices=wire_texts.labelled(kind.labels))}
        case IntegerList():
            bounds = pb.IntegerListField(least=kind.least, greatest=kind.greatest, most_values=kind.most_entries)
            return {"list": bounds}
        case IntegerTable():
            names = wire_texts.labelled({name: game.words[name] for name in kind.entries})
            return {"table": pb.IntegerTableField(least=kind.least, greatest=kind.greatest, names=names)}
