"""House rules over the contract: a form that says everything, values that come back as sent, all faults at once."""

from typing import Any

import pytest
from google.protobuf import json_format
from google.rpc import error_details_pb2
from pitboss import rules as wire
from pitboss.v1 import catalogue_pb2 as pb

from services.contract import house_rules, wire_rules
from services.house import standards, templates
from services.rules import catalogue, schema
from services.rules.faults import Fault, out_of_range
from services.rules.game import Game
from services.rules.refusals import Reason, Refused
from services.runtime import errors

GAMES = list(catalogue.FILES)
LANGUAGES = ("en", "zh-Hant", "zh-Hans")


def refused(game: Game, rules: dict[str, Any]) -> Refused:
    """Return the refusal of house rules."""
    with pytest.raises(Refused) as caught:
        house_rules.house_rules(game, wire.house_rules(rules))
    assert caught.value.reason is Reason.HOUSE_RULE_OUT_OF_RANGE
    return caught.value


def detail(refusal: Refused, language: str, kind: type) -> Any:
    """Return one detail of the status of a refusal."""
    found = kind()
    for one in errors.to_status(refusal, language).details:
        one.Unpack(found)
    return found


@pytest.mark.parametrize("game_id", GAMES)
def test_a_form_is_built_from_the_schema_alone(game_id: str) -> None:
    """Every key has label, help and group, its kind with a default of that kind, and what opens it."""
    game = catalogue.game(game_id)
    fields = wire_rules.fields(game, game.rules_type())
    assert {field.key for field in fields} == set(schema.declared(game.rules_type))
    for field in fields:
        assert all((field.label.en, field.label.zh_hant, field.label.zh_hans, field.help.zh_hans)), field.key
        assert field.group != pb.HOUSE_RULE_GROUP_UNSPECIFIED
        assert all((field.group_label.en, field.group_label.zh_hant, field.group_label.zh_hans))
        assert bool(field.unit) == bool(field.unit_label.zh_hans)
        assert field.HasField("default_value") or field.absent.en
        assert field.WhichOneof("kind") == (field.default_value.WhichOneof("kind") or "integer")
    open_ = {field.key for field in fields if field.opened_by}
    assert open_.isdisjoint({"fee_bps", "win_cap", "rake_bps", "banker"})
    assert {"min_seats", "max_seats", "turn_seconds"} <= open_


@pytest.mark.parametrize("game_id", GAMES)
def test_a_form_that_is_sent_as_it_was_opened_is_accepted(game_id: str) -> None:
    """Defaults, and the rules of a template, are values that the house takes back; nothing changes by them."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    fields = wire_rules.fields(game, rules)
    filled = {field.key: field.default_value for field in fields if field.HasField("default_value")}
    taken = house_rules.house_rules(game, filled)
    tables = {field.key for field in fields if field.WhichOneof("kind") == "table"}  # a form names every entry
    assert all(getattr(taken, key) == getattr(rules, key) for key in set(filled) - tables)
    assert game.payouts(taken) == game.payouts(rules)
    terms = standards.terms(game_id)
    shown = wire_rules.values(game_id, terms.rules_version, terms.rules)
    assert house_rules.varied(terms, game, shown, staff=False) == house_rules.house_rules(game, shown)


@pytest.mark.parametrize("game_id", GAMES)
def test_values_are_of_their_kind_on_the_wire(game_id: str) -> None:
    """Integers are integers, flags flags; nothing is null, and Python values come back as they were."""
    game = catalogue.game(game_id)
    plain = {key: getattr(game.rules_type(), key) for key in schema.declared(game.rules_type)}
    shown = wire_rules.values(game_id, 1, plain)
    again = wire.plain(shown)
    assert set(again) == {key for key, value in plain.items() if value is not None}
    for key, value in again.items():
        assert value == (list(plain[key]) if isinstance(plain[key], tuple) else plain[key])
        assert isinstance(value, bool) == isinstance(plain[key], bool)
    assert "null" not in json_format.MessageToJson(pb.GetGameResponse(house_rules=shown))


def test_all_wrong_keys_are_told_at_once() -> None:
    """An unknown key, a wrong kind and values beyond their limits: a violation for each, with limits as metadata."""
    game = catalogue.game("texas_holdem")
    wrong = {"turnseconds": 5, "betting": "spread", "max_seats": 11, "turn_seconds": "soon", "rake_bps": -1}
    refusal = refused(game, wrong)
    assert {path for path, _ in refusal.fields} == {f"house_rules.{key}" for key in wrong}
    assert refusal.metadata == {
        "max_seats_least": "2",
        "max_seats_greatest": "10",
        "rake_bps_least": "0",
        "rake_bps_greatest": "10000",
        "betting_choices": "no_limit,pot_limit,fixed_limit",
    }


def test_a_template_and_the_game_name_all_wrong_keys_at_once() -> None:
    """A closed key, a stake beyond the template's range, and a value beyond the game's: one refusal for all."""
    terms = standards.terms("texas_holdem")
    wrong = {"big_blind": 10**15, "rake_bps": 1, "turn_seconds": 0, "odd": 1}
    with pytest.raises(Refused) as caught:
        house_rules.varied(terms, catalogue.game("texas_holdem"), wire.house_rules(wrong), staff=False)
    assert {path for path, _ in caught.value.fields} == {f"house_rules.{key}" for key in wrong}
    assert caught.value.metadata["big_blind_greatest"] == str(terms.greatest_stake)
    assert caught.value.metadata["turn_seconds_least"] == "1"


def test_what_hangs_on_a_wrong_key_is_not_told_as_well() -> None:
    """A least bet of no number does not make the greatest bet wrong."""
    refusal = refused(catalogue.game("casino_holdem"), {"min_bet": "ten", "max_bet": 5})
    assert [path for path, _ in refusal.fields] == ["house_rules.min_bet"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_which_rule_must_be_what(language: str) -> None:
    """The text names the rule by its label and says its limits; each violation has its own text, in each language."""
    game = catalogue.game("texas_holdem")
    refusal = refused(game, {"max_seats": 11, "turn_seconds": 0})
    text = detail(refusal, language, error_details_pb2.LocalizedMessage).message
    labels = {key: rule.label.within(language) for key, rule in schema.declared(game.rules_type).items()}
    assert all(part in text for part in (labels["max_seats"], labels["turn_seconds"], "10", "3600"))
    bad = detail(refusal, language, error_details_pb2.BadRequest)
    assert [one.localized_message.locale for one in bad.field_violations] == [language, language]
    assert {"3600" in one.localized_message.message for one in bad.field_violations} == {False, True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_which_rule_is_unknown(language: str) -> None:
    """An unknown key has its own text beside its field, and stands in the whole text besides the wrong values."""
    refusal = refused(catalogue.game("texas_holdem"), {"turnseconds": 5, "max_seats": 11})
    text = detail(refusal, language, error_details_pb2.LocalizedMessage).message
    bad = detail(refusal, language, error_details_pb2.BadRequest)
    own = {one.field: one.localized_message.message for one in bad.field_violations}
    assert own.keys() == {"house_rules.turnseconds", "house_rules.max_seats"}
    assert all(own.values())
    assert all(part in text for part in ("turnseconds", *own.values()))


def test_every_key_of_a_game_can_be_wrong_and_the_status_still_fits() -> None:
    """Sixteen violations with their texts stay below what peers cut off."""
    game = catalogue.game("blackjack")
    wrong: dict[str, Any] = dict.fromkeys(schema.declared(game.rules_type), "?" * 50)
    wrong |= dict.fromkeys(("min_bet", "cover", "turn_seconds", "banker_rounds", "rake_cap"), 1 << 60)
    refusal = refused(game, wrong)
    for language in LANGUAGES:
        status = errors.to_status(refusal, language)
        assert status.ByteSize() * 4 / 3 + len(status.message) < 8000
        assert len(detail(refusal, language, error_details_pb2.BadRequest).field_violations) == len(wrong)


def test_a_label_is_set_apart_from_what_is_said_of_its_rule() -> None:
    """In each language; the sentence of a rule that a template fixes begins without a verb that would do so."""
    found = [Fault("return_minutes", "fixed", templates.FIXED), out_of_range("max_seats", 9, 2, 6)]
    text = house_rules.refused(catalogue.game("texas_holdem"), found).text
    assert text is not None
    for words, mark, parts in ((text.en, ": ", "; "), (text.zh_hant, "：", "；"), (text.zh_hans, "：", "；")):
        assert all(mark in part for part in words.split(parts)), words
