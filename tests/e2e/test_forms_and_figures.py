"""A form for a table built from GetGame alone, and refusals that tell their figures, over gRPC."""

from collections.abc import AsyncIterator

import pytest
from pitboss import client
from pitboss.v1 import catalogue_pb2 as pb

from services.rules import catalogue
from tests.support.people import Crowd, action, refused


@pytest.fixture
async def chinese(crowd: Crowd) -> AsyncIterator[client.House]:
    """Yield the house as it speaks in Traditional Chinese to a player with 500 chips."""
    ann = await crowd.player("ann", 500)
    dealer, purse = client.open_channel(crowd.reach.dealers[0]), client.open_channel(crowd.reach.settlement)
    try:
        yield client.House(dealer, ann.token, purse, language="zh-Hant")
    finally:
        await dealer.close(None)
        await purse.close(None)


async def test_every_game_is_opened_from_its_form(crowd: Crowd) -> None:
    """For each game the rules that its template leaves open are sent as the form shows them, and a table opens."""
    house = crowd.operator.house
    for game in catalogue.FILES:
        told, template = await house.game(game), await house.template(game)
        able = {*template.varies, *template.staff_varies}
        filled = {
            field.key: template.house_rules[field.key]
            for field in told.fields
            if field.opened_by in able and not field.fixed and field.key in template.house_rules
        }
        assert {"min_seats", "max_seats"} <= filled.keys() | {field.key for field in told.fields if field.fixed}, game
        made = await house.create_table(game, filled)
        view = await house.table(made.table_id)
        assert dict(view.house_rules) == dict(template.house_rules), game
        assert all(value.WhichOneof("kind") for value in view.house_rules.values())


async def test_a_form_follows_what_is_chosen(crowd: Crowd) -> None:
    """Where a player banks there is one seat more, and the greatest bet is never below the least."""
    stranger = crowd.person("stranger").house
    asked = {"banker": "seat", "min_bet": 50}
    fields = {field.key: field for field in (await stranger.game("blackjack", asked)).fields}
    assert (fields["max_seats"].integer.greatest, fields["max_seats"].default_value.integer) == (8, 8)
    assert fields["max_bet"].integer.least == 50
    assert fields["max_bet"].integer.zero.zh_hans
    assert fields["natural_pays"].choice.choices[1].word == "3:2"
    assert fields["fee_bps"].opened_by == pb.TEMPLATE_FIELD_UNSPECIFIED


async def test_refusals_tell_their_figures(crowd: Crowd, chinese: client.House) -> None:
    """Bounds of a buy-in, balance and what is missing, seats, whose turn: in the metadata and in the player's words."""
    house = chinese
    rules = {"start": "manual"}
    table_id = (await crowd.operator.house.create_table("texas_holdem", rules, greatest_buy_in=2000)).table_id
    told = await refused("AMOUNT_OUT_OF_RANGE", house.take_seat(table_id, 5000))
    assert told.metadata["greatest"] == "2000"
    assert told.locale == "zh-Hant"
    assert all(figure in told.text for figure in (told.metadata["least"], "2000"))
    told = await refused("INSUFFICIENT_FUNDS", house.take_seat(table_id, 2000))
    assert told.metadata == {"balance": "500", "needed": "2000", "missing": "1500", "currency": "CHIPS"}
    assert all(figure in told.text for figure in ("500", "2000", "1500"))
    await house.take_seat(table_id, 500, 0)
    told = await refused("NOT_ENOUGH_SEATS", house.start_round(table_id))
    assert (told.metadata["seats"], told.metadata["needed"]) == ("1", "2")
    bob = await crowd.player("bob")
    told = await refused("SEAT_TAKEN", bob.house.take_seat(table_id, 1000, 0))
    assert (told.metadata["seat"], told.metadata["free_seats"][:4]) == ("0", "1, 2")
    await bob.house.take_seat(table_id, 1000, 1)
    await house.start_round(table_id)
    [turn] = (await house.table(table_id)).round.waiting_for
    late = bob.house if turn == 0 else house
    told = await refused("OUT_OF_TURN", late.act(table_id, action("fold")))
    assert told.metadata["turn"] == str(turn)
    told = await refused("ROUND_IN_PROGRESS", house.start_round(table_id))
    assert told.metadata["round_number"] == "1"
    assert "1" in told.text


async def test_a_form_shows_what_is_wrong_beside_each_field(chinese: client.House) -> None:
    """Each wrong key has its own text in the player's language, with the limits as numbers besides."""
    house = chinese
    wrong = {"max_seats": 99, "turn_seconds": 0}
    told = await refused("HOUSE_RULE_OUT_OF_RANGE", house.create_table("texas_holdem", wrong))
    assert told.field_texts.keys() == told.fields.keys() == {"house_rules.max_seats", "house_rules.turn_seconds"}
    assert told.field_texts["house_rules.max_seats"] == "必須介於 2 與 10 之間"
    assert told.metadata["turn_seconds_greatest"] == "3600"
