"""Nobody sets the house's odds alone: neither a player, nor one member of staff, nor a stranger's table."""

import uuid
from typing import Any

import pytest
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import back_office_pb2, catalogue_pb2

from services.runtime.identity import Role
from tests.support import people
from tests.support.people import Crowd, Person, refused

CERTAIN = {"odds": {"spade": 1000, "heart": 1000, "club": 1000, "diamond": 1000}, "fee_bps": 0}
"""A quarter on each suit always wins."""
FREE_LOSSES = {"cover": 1, "multipliers": {"ultimate": 1000, "niu_niu": 1000, "big": 1000, "small": 1000, "none": 1000}}
"""The loss is capped at the carry, the win is not."""
BAD_FOR_STRANGERS = {"banker": "seat", "odds": {"spade": 1, "heart": 1, "club": 1, "diamond": 1, "seven": 1}}

RIGGED: list[tuple[str, dict[str, Any], set[str]]] = [
    ("suit_betting", CERTAIN, {"odds", "fee_bps"}),
    ("niu_niu", FREE_LOSSES, {"cover", "multipliers"}),
    ("suit_betting", BAD_FOR_STRANGERS, {"banker", "odds"}),
    ("texas_holdem", {"rake_bps": 10_000}, {"rake_bps"}),
    ("san_gong_banker", {"banker": "house", "win_cap": "none"}, {"banker", "win_cap"}),
    ("blackjack", {"max_bet": 1000, "natural_pays": "3:2"}, {"max_bet", "natural_pays"}),
    ("tongbi_san_gong", {"fee_bps": 0, "win_cap": "none"}, {"fee_bps", "win_cap"}),
    ("baccarat", {"banker": "house"}, {"banker"}),
    ("ten_and_a_half", {"banker_stands_on": 0.5}, {"banker_stands_on"}),
]

UNBANKABLE: list[tuple[str, dict[str, Any]]] = [
    ("suit_betting", CERTAIN),
    # Alone each spot returns exactly 1 after the fee; on all four suits at once there is no fee to speak of.
    ("suit_betting", {"odds": {"spade": 6, "heart": 6, "club": 6, "diamond": 6}, "fee_bps": 5000}),
    ("niu_niu", FREE_LOSSES),
    ("niu_niu", {"cover": 4}),
    ("san_gong_banker", {"banker": "house", "win_cap": "none"}),
    ("tui_tong_zi", {"banker": "house", "win_cap": "none"}),
    ("high_suit", {"banker": "house"}),
    ("baccarat", {"max_bet": 1}),
    ("baccarat", {"bet_when": "before_deal", "max_seats": 1}),
    ("blackjack", {}),
    ("ten_and_a_half", {"banker_stands_on": 0.5}),
]
"""Rules by which the house would lose to a good player, though each key is within its limits."""


def proposal(game: str, rules: dict[str, Any], **more: Any) -> back_office_pb2.ProposeTemplateRequest:
    """Return a proposal for a template that players may open tables from."""
    wanted: dict[str, Any] = {
        "request_id": client.request_id(),
        "template_id": f"rig-{uuid.uuid4().hex[:10]}",
        "game": game,
        "house_rules": house_rules.house_rules(rules),
        "openers": catalogue_pb2.TEMPLATE_OPENERS_PLAYERS,
        "reason": "an attack",
    }
    return back_office_pb2.ProposeTemplateRequest(**wanted | more)


async def propose(person: Person, request: back_office_pb2.ProposeTemplateRequest) -> catalogue_pb2.Template:
    """Propose a template."""
    found: catalogue_pb2.Template = (await person.house.call(person.house.office.ProposeTemplate, request)).template
    return found


async def decide(person: Person, template_id: str, version: int = 1, *, approve: bool = True) -> catalogue_pb2.Template:
    """Approve or reject a template."""
    request = back_office_pb2.DecideTemplateRequest(
        request_id=client.request_id(), template_id=template_id, version=version, approve=approve, reason="an attack"
    )
    found: catalogue_pb2.Template = (await person.house.call(person.house.office.DecideTemplate, request)).template
    return found


@pytest.mark.parametrize("role", [Role.PLAYER, Role.OPERATOR, Role.SERVICE])
@pytest.mark.parametrize(("game", "rules", "named"), RIGGED)
async def test_no_role_opens_a_table_with_odds_of_its_own(
    game: str, rules: dict[str, Any], named: set[str], role: Role, crowd: Crowd
) -> None:
    """Rules that change the house's payments are refused at once, and every such key is named."""
    mallory = crowd.person(f"mallory-{uuid.uuid4().hex[:8]}", role)
    refusal = await refused("HOUSE_RULE_OUT_OF_RANGE", mallory.house.create_table(game, rules))
    assert set(refusal.fields) == {f"house_rules.{key}" for key in named}
    assert f"template {game}" in str(refusal)


async def test_nobody_takes_a_test_table_for_money_or_a_player_one_with_rules(crowd: Crowd) -> None:
    """Only staff may use any rules, and only at test tables."""
    player, tester = await crowd.player("mallory", 0), crowd.person("tester", test=True)
    for person in (player, tester):
        await refused("HOUSE_RULE_OUT_OF_RANGE", person.house.create_table("suit_betting", CERTAIN, test=True))
    await refused(
        "WRONG_CURRENCY", crowd.operator.house.create_table("suit_betting", CERTAIN, test=True, currency="CHIPS")
    )
    made = await crowd.operator.house.create_table("suit_betting", CERTAIN, test=True)
    view = await crowd.operator.house.table(made.table_id)
    assert (view.table.currency, view.table.test, view.table.template_id) == ("XTS", True, "")


@pytest.mark.parametrize(("game", "rules"), UNBANKABLE)
async def test_no_template_pays_players_more_than_it_takes(game: str, rules: dict[str, Any], crowd: Crowd) -> None:
    """A template with a bet that returns more than 1 at good play is refused, and the reason names the bet or rule."""
    request = proposal(game, rules)
    refusal = await refused("RETURN_TOO_HIGH", propose(crowd.operator, request))
    assert refusal.fields
    await refused("NOT_FOUND", crowd.operator.house.template(request.template_id))


async def test_the_refusal_of_a_return_says_which_rule_would_be_right(crowd: Crowd) -> None:
    """Blackjack with bets after the first card and no maximum is refused with the missing rule: max_bet."""
    refusal = await refused("RETURN_TOO_HIGH", propose(crowd.operator, proposal("blackjack", {"max_bet": 0})))
    assert "Set max_bet close to min_bet" in str(refusal)


async def test_staff_alone_approve_nothing(crowd: Crowd) -> None:
    """The proposer cannot decide, in any spelling of the name; until a second person does, nothing opens."""
    mallory = crowd.person(f"mallory-{uuid.uuid4().hex[:8]}", Role.OPERATOR)
    made = await propose(mallory, proposal("texas_holdem", {"rake_bps": 10_000}))
    assert made.state == catalogue_pb2.TEMPLATE_STATE_PROPOSED
    for name in (mallory.subject, mallory.subject.upper()):
        again = crowd.person(name, Role.OPERATOR)
        await refused("SECOND_PERSON_NEEDED", decide(again, made.template_id))
    await refused("TEMPLATE_CLOSED", mallory.house.create_table(template_id=made.template_id))
    await refused("PERMISSION_DENIED", decide(await crowd.player("cindy", 0), made.template_id))
    await decide(crowd.person("second", Role.OPERATOR), made.template_id, approve=False)
    await refused("TEMPLATE_CLOSED", mallory.house.create_table(template_id=made.template_id))
    await refused("ALREADY_DECIDED", decide(crowd.operator, made.template_id))


async def test_a_quick_seat_passes_strange_tables_by(crowd: Crowd) -> None:
    """A quick seat is never at a private table, nor at a template that favours its bank unless that is named."""
    mallory, ann = await crowd.player("mallory"), await crowd.player("ann")
    rigged = await crowd.template("suit_betting", BAD_FOR_STRANGERS)
    trap = await mallory.house.create_table(template_id=rigged)
    assert (await crowd.operator.house.table(trap.table_id)).table.least_return == "0.153846"
    await mallory.house.take_seat(trap.table_id, 1000)
    hidden = await mallory.house.create_table("suit_betting", {"min_bet": 77}, private=True, least_buy_in=1)
    await refused("TABLE_FULL", ann.house.take_any_seat("suit_betting", 1000, 77))
    fair = await crowd.operator.house.create_table("suit_betting", {"min_bet": 77}, least_buy_in=1)
    seated = await ann.house.take_any_seat("suit_betting", 1000, 77)
    assert seated.table_id == fair.table_id
    assert fair.table_id != hidden.table_id
    bob = await crowd.player("bob")
    named = await bob.house.take_any_seat("suit_betting", 1000, template_ids=[rigged])
    assert named.table_id == trap.table_id


@pytest.mark.parametrize(
    ("game", "varied"),
    [
        ("royal_holdem", {"turn_seconds": 3600, "bet_seconds": 3600}),
        ("count_off", {"claim_seconds": 3600}),
        ("casino_holdem", {"min_seats": 200, "max_seats": 250}),
    ],
)
async def test_a_quick_seat_passes_by_tables_that_make_it_wait(crowd: Crowd, game: str, varied: dict[str, Any]) -> None:
    """A quick seat skips the fullest table if its times or seats were varied, and takes a plain one."""
    mallory, accomplice, ann = [await crowd.player(name) for name in ("mallory", "accomplice", "ann")]
    trap = await mallory.house.create_table(game, varied)
    for lure in (mallory, accomplice):
        await lure.house.take_seat(trap.table_id, 1000)
    await crowd.operator.house.create_table(game)
    seated = await ann.house.take_any_seat(game, 1000)
    assert seated.table_id != trap.table_id
    await ann.house.take_seat(trap.table_id, 1000)


async def test_a_table_that_favours_its_bank_says_so_in_three_languages(crowd: Crowd) -> None:
    """Summary, list and template hold the return of the worst bet, as a number and as a text for players."""
    rigged = await crowd.template("suit_betting", BAD_FOR_STRANGERS)
    made = await (await crowd.player("mallory")).house.create_table(template_id=rigged)
    stranger = await crowd.player("ann", 0)
    template = await stranger.house.template(rigged)
    listed = {one.table_id: one for one in await stranger.house.tables(game="suit_betting")}[made.table_id]
    seen = (await stranger.house.table(made.table_id)).table
    for summary in (listed, seen):
        assert (summary.template_id, summary.template_version) == (rigged, 1)
        assert summary.least_return == "0.153846"
        assert summary.notice == template.notice
    assert "15.4" in seen.notice.en
    assert "莊家" in seen.notice.zh_hant
    assert "庄家" in seen.notice.zh_hans


async def test_a_table_keeps_the_version_it_was_opened_from(crowd: Crowd) -> None:
    """A newer version changes no open table, and quick seats use the newer one only."""
    name = await crowd.template("suit_betting", {"odds": {"seven": 11}})
    old = await crowd.operator.house.create_table(template_id=name)
    again = await propose(crowd.operator, proposal("suit_betting", {"odds": {"seven": 10}}, template_id=name))
    assert again.version == 2
    assert (await crowd.operator.house.template(name)).version == 1
    await decide(crowd.person("second", Role.OPERATOR), name, 2)
    await refused("ALREADY_DECIDED", decide(crowd.person("third", Role.OPERATOR), name, 1))
    shown = await crowd.operator.house.template(name, 1)
    assert shown.state == catalogue_pb2.TEMPLATE_STATE_REPLACED
    ann = await crowd.player("ann")
    await refused("TABLE_FULL", ann.house.take_any_seat("suit_betting", 1000, template_ids=[name]))
    view = await ann.house.table(old.table_id)
    assert house_rules.plain(view.house_rules)["odds"]["seven"] == 11
    assert (view.table.template_id, view.table.template_version) == (name, 1)


async def test_what_an_older_version_was_shown_for_is_not_decided(crowd: Crowd) -> None:
    """A version cannot be approved once a newer one is proposed."""
    first = await propose(crowd.operator, proposal("texas_holdem", {"rake_bps": 100}))
    second = crowd.person(f"second-{uuid.uuid4().hex[:8]}", Role.OPERATOR)
    newer = proposal("texas_holdem", {"rake_bps": 9000}, template_id=first.template_id)
    await propose(second, newer)
    refusal = await refused("STALE_VERSION", decide(crowd.person("third", Role.OPERATOR), first.template_id, 1))
    assert refusal.metadata["version"] == "2"
    await refused("SECOND_PERSON_NEEDED", decide(second, first.template_id, 2))


async def test_a_retired_template_opens_no_table(crowd: Crowd) -> None:
    """A retired template opens no table and has no quick seats; its retirement is a significant event."""
    name = await crowd.template("texas_holdem", {"rake_bps": 200})
    await crowd.operator.house.create_table(template_id=name)
    request = back_office_pb2.RetireTemplateRequest(request_id=client.request_id(), template_id=name, reason="enough")
    office = crowd.operator.house
    for _ in range(2):
        retired = (await office.call(office.office.RetireTemplate, request)).template
        assert retired.state == catalogue_pb2.TEMPLATE_STATE_RETIRED
    await refused("TEMPLATE_CLOSED", office.create_table(template_id=name))
    ann = await crowd.player("ann")
    await refused("TEMPLATE_CLOSED", ann.house.take_any_seat("texas_holdem", 1000, template_ids=[name]))
    told = await office.call(
        office.office.ListSignificantEvents,
        back_office_pb2.ListSignificantEventsRequest(kind="template_retired", page_size=500),
    )
    [event] = [one for one in told.significant_events if name in one.subject]
    assert (event.actor, event.before, event.after) == (crowd.operator.subject, "approved", "retired")


async def test_an_invented_currency_is_taken_nowhere(crowd: Crowd) -> None:
    """Tables, deposits and adjustments are in currencies of the house, and the refusal lists them."""
    mallory = await crowd.player("mallory", 0)
    for currency in ("ZZAAAA", "=A1+B1", "chips", "EUR"):
        office = crowd.operator.house
        adjustment = back_office_pb2.RequestAdjustmentRequest(
            request_id=client.request_id(), player=mallory.subject, currency=currency, amount=1, reason="x"
        )
        for call in (
            mallory.house.create_table("war", currency=currency),
            office.create_table("war", currency=currency),
            office.deposit(mallory.subject, 1, currency),
            office.call(office.office.RequestAdjustment, adjustment),
        ):
            refusal = await refused("INVALID_ARGUMENT", call)
            assert list(refusal.fields) == ["currency"]
            if currency in ("ZZAAAA", "EUR"):
                assert "CHIPS, XTS" in str(refusal)


async def test_players_vary_what_is_open_and_nothing_more(crowd: Crowd) -> None:
    """A player may vary stake, seats, times, title and buy-in; the refusal names every other key."""
    ann: people.Person = await crowd.player("ann", 0)
    made = await ann.house.create_table(
        "texas_holdem",
        {"big_blind": 50, "small_blind": 25, "max_seats": 4, "turn_seconds": 30},
        title="Ann's",
        least_buy_in=100,
        greatest_buy_in=5000,
    )
    view = await ann.house.table(made.table_id)
    assert (view.table.stake, view.table.max_seats, view.table.title) == (50, 4, "Ann's")
    wrong = {"big_blind": 10**7, "max_seats": 11, "betting": "limit", "rake_bps": 1, "turnseconds": 5}
    refusal = await refused("HOUSE_RULE_OUT_OF_RANGE", ann.house.create_table("texas_holdem", wrong))
    assert set(refusal.fields) == {f"house_rules.{key}" for key in wrong}
    assert (refusal.metadata["max_seats_least"], refusal.metadata["max_seats_greatest"]) == ("2", "10")
    staff = await crowd.operator.house.create_table("texas_holdem", {"betting": "pot_limit"})
    assert staff.table_id
