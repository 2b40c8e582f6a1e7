"""Opening a table: what is recorded, and each fault reported with its field."""

import math
from typing import Any

import msgspec
import pytest
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import catalogue_pb2
from pitboss.v1 import dealer_pb2 as pb

from services.contract import structs
from services.dealer import opening
from services.house import standards
from services.rules import catalogue
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from services.runtime.settings import Settings
from tests.properties.test_house_rules import BAD
from tests.support import echo

GAMES = list(catalogue.FILES)
BOSS = Caller(subject="boss", role=Role.OPERATOR)


def settings(**more: object) -> Settings:
    """Return settings."""
    return echo.given(**more)


def asked(game: str, rules: dict[str, Any] | None = None, **more: Any) -> pb.CreateTableRequest:
    """Ask for a table."""
    return pb.CreateTableRequest(request_id="r", game=game, house_rules=house_rules.house_rules(rules or {}), **more)


def refused(request: pb.CreateTableRequest, caller: Caller = BOSS) -> Refused:
    """Return the refusal of a request."""
    with pytest.raises(Refused) as caught:
        opening.opening(request, caller, settings(), None)
    return caught.value


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_written_down_with_all_its_rules(game: str) -> None:
    """Defaults included, as the game's own type reads them again; names, currency and bounds are filled in."""
    made, _ = opening.opening(asked(game), BOSS, settings(), None)
    played = catalogue.game(game)
    assert msgspec.convert(made.rules, played.rules_type) == played.rules_type()
    assert (made.game, made.family, made.rules_version) == (game, played.family, played.version)
    assert made.title == played.name.en
    assert (made.currency, made.test, made.scripted, made.opened_by) == ("CHIPS", False, False, "boss")
    assert made.least_buy_in == max(1, played.least_carry(played.rules_type()))
    assert made.max_seats == played.rules_type().max_seats


@pytest.mark.parametrize("game", GAMES)
def test_every_fault_of_the_common_rules_is_named_with_its_field(game: str) -> None:
    """Values outside the limits: each is refused, and the violation's path is the key."""
    for key, value in BAD:
        if key == "min_seats" and value > 0 and catalogue.game(game).rules_type().max_seats == 0:
            continue
        refusal = refused(asked(game, {key: value}))
        assert refusal.reason is Reason.HOUSE_RULE_OUT_OF_RANGE
        assert f"house_rules.{key}" in dict(refusal.fields), f"{key} = {value}"
        assert key in refusal.message


@pytest.mark.parametrize("game", GAMES)
def test_every_fault_that_a_game_finds_reaches_the_caller(game: str) -> None:
    """For nonsense in each house rule the violations name the faults that the game finds."""
    played = catalogue.game(game)
    for field in msgspec.structs.fields(played.rules_type):
        default = getattr(played.rules_type(), field.name)
        if isinstance(default, bool) or not isinstance(default, int | str):
            continue
        value = -(10**6) if isinstance(default, int) else "nonsense"
        faults = played.faults(msgspec.convert({field.name: value}, played.rules_type))
        assert faults, f"{game} takes {field.name} = {value}"
        refusal = refused(asked(game, {field.name: value}))
        assert dict(refusal.fields) == {f"house_rules.{fault.field}": fault.message for fault in faults}


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"bonus_of_the_day": 1}, "bonus_of_the_day"),
        ({"turn_seconds": "soon"}, "turn_seconds"),
        ({"turn_seconds": 1.5}, "turn_seconds"),
        ({"win_cap": 3}, "win_cap"),
        ({"turn_seconds": catalogue_pb2.HouseRuleValue()}, "turn_seconds"),
    ],
)
def test_unknown_keys_and_wrong_kinds_are_named(rules: dict[str, Any], says: str) -> None:
    """An unknown key, or a value of another kind, is refused with its name."""
    refusal = refused(asked("tongbi_san_gong", rules))
    assert refusal.reason is Reason.HOUSE_RULE_OUT_OF_RANGE
    assert says in refusal.message
    assert f"house_rules.{says}" in dict(refusal.fields)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("turnseconds", 10, "do you mean 'turn_seconds'?"),
        ("Base", 10, "do you mean 'base'?"),
        ("bonus_of_the_day", 1, "it has fee_bps, win_cap"),
        ("k" * 5000, 1, "has no house rule 'kkk"),
        ("turn_seconds", "soon", "a whole number is wanted, not a word"),
        ("turn_seconds", 1.5, "a whole number is wanted, not a number with a fraction"),
        ("turn_seconds", True, "a whole number is wanted, not true or false"),
        ("win_cap", catalogue_pb2.HouseRuleValue(), "a word is wanted, not nothing"),
        ("win_cap", "w" * 5000, "is not known"),
        ("multiples", 2, "a list of whole numbers is wanted, not a whole number"),
        ("multiples", list(range(1, 5000)), "4999 entries; give at most"),
        ("multipliers", {"x" * 5000: 1}, "is not known"),
        ("base", (1 << 63) - 1, "is out of range"),
    ],
)
def test_what_is_wrong_with_a_house_rule_is_said_shortly_in_words(key: str, value: Any, says: str) -> None:
    """Refusals hold neither a library's words nor huge numbers, and suggest the nearest key."""
    refusal = refused(asked("tongbi_san_gong", {key: value}))
    assert refusal.reason is Reason.HOUSE_RULE_OUT_OF_RANGE
    assert says in refusal.message
    assert len(refusal.message) < 400
    assert not {"`", "$", "Object", "int"} & set(refusal.message.replace(",", " ").split())
    assert "`" not in refusal.message


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"title": "x" * 61}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"least_buy_in": -1}, "least_buy_in"),
        ({"least_buy_in": 10**15 + 1}, "least_buy_in"),
        ({"greatest_buy_in": 5, "least_buy_in": 6}, "greatest_buy_in"),
        ({"greatest_buy_in": -1}, "greatest_buy_in"),
        ({"first_button": -1}, "first_button"),
        ({"first_button": 99}, "first_button"),
        ({"currency": "twd"}, "currency"),
        ({"currency": "TW"}, "currency"),
        ({"currency": "TOOLONGER"}, "currency"),
    ],
)
def test_every_other_field_is_bounded_and_named(more: dict[str, Any], field: str) -> None:
    """Title, buy-ins, first button, currency."""
    refusal = refused(asked("tongbi_san_gong", **more))
    assert refusal.reason is Reason.INVALID_ARGUMENT
    assert [path for path, _ in refusal.fields] == [field]
    if field.endswith(("buy_in", "button")):
        assert int(refusal.metadata[f"{field}_least"]) <= int(refusal.metadata[f"{field}_greatest"])


def test_test_tables_play_for_the_test_currency_and_they_alone() -> None:
    """A test table for real money, or a real one for test chips, is refused; a test player's table is a test table."""
    for more in ({"test": True, "currency": "CHIPS"}, {"currency": "XTS"}):
        assert refused(asked("war", **more)).reason is Reason.WRONG_CURRENCY
    made, _ = opening.opening(asked("war"), Caller(subject="t", role=Role.OPERATOR, test=True), settings(), None)
    assert (made.test, made.currency) == (True, "XTS")


@pytest.mark.parametrize("subject", ["guinea", "house-player.zz"])
def test_players_of_test_money_open_test_tables_alone(subject: str) -> None:
    """A test player's table and a house player's are test tables; for real money they open none."""
    caller = Caller(subject=subject, role=Role.PLAYER, test=subject == "guinea")
    terms = standards.terms("razz")
    made, _ = opening.opening(asked("razz"), caller, settings(), terms)
    assert (made.test, made.currency) == (True, "XTS")
    with pytest.raises(Refused) as caught:
        opening.opening(asked("razz", currency="CHIPS"), caller, settings(), terms)
    assert caught.value.reason is Reason.WRONG_CURRENCY


def test_an_unknown_game_is_named() -> None:
    """A request for an unknown game is refused with the name of the game."""
    refusal = refused(asked("old_maid"))
    assert refusal.reason is Reason.UNKNOWN_GAME
    assert "old_maid" in refusal.message


def test_whole_numbers_of_a_struct_become_whole_again() -> None:
    """Structs know fractions only: 10.0 is 10, 0.5 stays, what is no number is left alone."""
    given = client.struct({"a": 10, "b": 0.5, "c": [1, {"d": 2}], "e": "1", "f": True})
    found = structs.plain(given, "memory")
    assert found == {"a": 10, "b": 0.5, "c": [1, {"d": 2}], "e": "1", "f": True}
    assert type(found["a"]) is int
    assert type(found["f"]) is bool
    assert math.isclose(found["b"], 0.5)


def test_warnings_of_the_house_edge_reach_who_opens_the_table() -> None:
    """The creator of a table gets the warnings about its rules."""
    for game in GAMES:
        _, warnings = opening.opening(asked(game), BOSS, settings(), None)
        assert warnings == catalogue.game(game).warnings(catalogue.game(game).rules_type())


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_a_standard_template_takes_20_to_100_stakes(game: str) -> None:
    """Where nobody names bounds they follow the stake, a varied one too; named ones are kept, one of them alone too."""
    terms = standards.terms(game)
    rules = catalogue.game(game).standard_rules()
    made, _ = opening.opening(asked(game), BOSS, settings(), terms)
    stake = made.stake
    if not stake:
        assert (made.least_buy_in, made.greatest_buy_in) == (1, 0)
        return
    assert made.least_buy_in == max(20 * stake, catalogue.game(game).least_carry(rules))
    assert made.greatest_buy_in == 5 * made.least_buy_in
    least, _ = opening.opening(asked(game, least_buy_in=1000 * stake), BOSS, settings(), terms)
    assert (least.least_buy_in, least.greatest_buy_in) == (1000 * stake, 5000 * stake)
    wide, _ = opening.opening(asked(game, greatest_buy_in=5000 * stake), BOSS, settings(), terms)
    assert (wide.least_buy_in, wide.greatest_buy_in) == (made.least_buy_in, 5000 * stake)
