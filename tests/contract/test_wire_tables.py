"""Tables as the contract shows them: views, options, happenings, results, each of real rounds of every game."""

from random import Random
from typing import Any

import msgspec
import pytest
from pitboss.v1 import table_pb2 as pb

from services.cli.certify import case_keys
from services.contract import wire_actions, wire_events, wire_facts, wire_tables
from services.journal import log_rows
from services.rules import actions, catalogue, random_play
from services.rules.cards import HIDDEN
from services.rules.happenings import (
    AnyHappening,
    Dealt,
    Decided,
    Happening,
    Noted,
    Phase,
    Returned,
    Shown,
    Shuffled,
    Staked,
)
from services.rules.offers import Between, Choice, OneOf, Option, Sets, SomeOf
from services.table import buttons, codec, events, player_seeds, public_table
from tests.support import sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)


def plain(value: object) -> Any:
    """Return values as a Struct holds them: keys are text, tuples are lists, all numbers are of one kind."""
    return msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(value, str_keys=True)))


def check_happening(entry: Happening, message: pb.Happening) -> None:
    """Compare a happening with its message, field by field."""
    kind = message.WhichOneof("kind")
    assert kind == str(entry.__struct_config__.tag)
    held = getattr(message, kind)
    for field in msgspec.structs.fields(type(entry)):
        value, shown = getattr(entry, field.name), field.name
        if isinstance(entry, Decided) and field.name == "action":
            assert wire_actions.from_wire(held.action) == value
            assert held.name == value.name
        elif isinstance(value, dict):
            details = getattr(held, shown)
            assert details == wire_facts.noted(Noted("as noted", facts=value))
            assert len(details.ListFields()) >= len([one for one in value.values() if one is not None])
        elif isinstance(value, tuple):
            assert tuple(getattr(held, shown)) == value
        elif value is None:
            assert not held.HasField(shown)
        else:
            assert getattr(held, shown) == value


@pytest.mark.parametrize("name", GAMES)
def test_happenings_and_events_of_real_rounds_are_shown_whole(name: str) -> None:
    """Every happening of a round arrives with all its fields; every event with its version, time and kind."""
    sitting = sittings.random_sitting(name, "wire")
    for version, event in enumerate(sitting.log, start=1):
        shown = wire_events.event(version, codec.name(event), event, sitting.game.family)
        assert (shown.version, shown.type) == (version, codec.name(event))
        assert shown.event_time.ToMilliseconds() == event.at_ms
        happened = getattr(event, "happenings", ())
        assert len(shown.happenings) == len(happened)
        for entry, message in zip(happened, shown.happenings, strict=True):
            check_happening(entry, message)


HAPPENINGS = [
    Shuffled(stock=0, size=52),
    Dealt(to=0, zone="hand", stock=1, positions=(0, 2), cards=("??", "As")),
    Dealt(to=None, zone="board", stock=0, positions=(9,), cards=("2c",)),
    Shown(owner=0, zone="hand", cards=("As", "Kd")),
    Shown(owner=None, zone="board", cards=()),
    Staked(seat=0, what="ante", amount=5),
    Returned(seat=0, amount=7),
    Phase(name="flop"),
    Decided(seat=0, action=actions.Bid(points=0)),
    Noted(what="winner", seat=0, facts={"winner": [1, 2]}),
    Noted(what="tie"),
]


@pytest.mark.parametrize("entry", HAPPENINGS, ids=repr)
def test_each_kind_of_happening_keeps_zeros_and_absences(entry: AnyHappening) -> None:
    """Seat 0 is a seat, None is nobody."""
    check_happening(entry, wire_events.happening(entry))


def test_no_kind_of_happening_was_forgotten() -> None:
    """The samples above, the contract and the rules know the same kinds."""
    kinds = {str(kind.__struct_config__.tag) for kind in Happening.__subclasses__()}
    assert {str(entry.__struct_config__.tag) for entry in HAPPENINGS} == kinds
    assert {field.name for field in pb.Happening.DESCRIPTOR.oneofs_by_name["kind"].fields} == kinds


@pytest.mark.parametrize("name", GAMES)
def test_options_go_to_the_wire_and_back(name: str) -> None:
    """In every state of a round each option of each seat is the same after the wire, its actions are accepted."""
    rng = Random(f"{name} options")
    sitting = sittings.random_sitting(name, "options", rounds=0)
    sitting.start()
    for _ in range(40):
        round_ = sitting.table.round
        if round_ is None:
            break
        for seat in round_.carry:
            for option in round_.options(seat):
                message = pb.Option.FromString(wire_tables.option(option).SerializeToString())
                again = wire_tables.option_from_wire(message)
                assert (again.action, again.arguments) == (option.action, option.arguments)
                wanted = wire_actions.to_wire(random_play.sample([again], rng))
                assert round_.can(seat, wire_actions.from_wire(wanted))
        sitting.step(rng)


@pytest.mark.parametrize(
    "choice",
    [
        Between(least=0, most=10**15),
        OneOf(values=("s", "h")),
        OneOf(values=(0, 1)),
        OneOf(values=()),
        SomeOf(cards=("As", "2c"), least=0, most=2),
        Sets(sets=(("As",), ("2c", "3c"))),
        Sets(sets=()),
    ],
    ids=repr,
)
def test_each_kind_of_choice_survives_the_wire(choice: Choice) -> None:
    """Ranges, words, numbers, cards out of many and whole sets come back as they were."""
    option = Option(action="raise", arguments={"to": choice})
    assert wire_tables.option_from_wire(wire_tables.option(option)) == option


@pytest.mark.parametrize("name", GAMES)
def test_a_view_shows_what_the_round_shows_to_that_viewer(name: str) -> None:
    """Each seat and a spectator get zones, seats, pots, facts, options of their own view, and nothing else's."""
    rng = Random(f"{name} views")
    sitting = sittings.random_sitting(name, "views", rounds=0)
    sitting.start()
    for _ in range(25):
        round_ = sitting.table.round
        if round_ is None:
            break
        for viewer in (None, *sitting.table.core.seats):
            shown, seen = wire_tables.view(sitting.table, viewer), round_.view(viewer)
            assert [(z.owner if z.HasField("owner") else None, z.name, tuple(z.cards)) for z in shown.round.zones] == [
                (zone.owner, zone.name, zone.cards) for zone in seen.zones
            ]
            assert [(s.seat, s.chips, s.staked, s.status) for s in shown.round.seats] == [
                (s.seat, s.chips, s.staked, s.status) for s in seen.seats
            ]
            assert tuple(shown.round.pots) == seen.pots
            known = plain(case_keys.of(shown.round.facts, name)) | {"button": seen.button}
            assert known == known | {key: value for key, value in plain(round_.facts()).items() if value is not None}
            assert shown.HasField("own_seat") == (viewer is not None)
            wanted = [] if viewer is None else [one.action for one in round_.offers(viewer)]
            assert [option.action for option in shown.round.options] == wanted
            waiting = round_.waiting()
            assert waiting is not None
            assert tuple(shown.round.waiting_for) == waiting.seats
            assert shown.round.deadline_time.ToMilliseconds() == sitting.table.core.deadline_ms
        sitting.step(rng)


def test_an_option_arrives_as_a_button_with_its_price() -> None:
    """Hold'em and tongbi san gong: prices, steps and suggested amounts of a view are those of the table's buttons."""
    for name in ("texas_holdem", "tongbi_san_gong", "blackjack"):
        sitting = Sitting(name)
        sitting.sit({0: 500, 1: 500, 2: 500})
        sitting.start()
        for seat in (0, 1, 2):
            wanted = buttons.of_seat(sitting.table, seat)
            shown = wire_tables.view(sitting.table, seat).round.options
            assert [(one.cost, one.most_cost) for one in shown] == [(one.cost, one.most_cost) for one in wanted]
            for message, button in zip(shown, wanted, strict=True):
                for choice in message.arguments.values():
                    suggested = [(one.word, one.value, one.cost) for one in choice.range.suggestions]
                    assert suggested == [(one.word, one.value, one.cost) for one in button.suggested]
                    assert choice.range.step == (1 if suggested else 0)
                    assert tuple(choice.numbers.costs) == button.costs


def test_hands_of_others_are_not_in_the_bytes_of_a_view() -> None:
    """Texas Hold'em: seat 0 and a spectator get no byte of the cards that seat 1 holds."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    assert sitting.table.round is not None
    own = next(zone for zone in sitting.table.round.view(1).zones if zone.owner == 1)
    assert HIDDEN not in own.cards
    for viewer in (0, None):
        raw = wire_tables.view(sitting.table, viewer).SerializeToString()
        assert not [card for card in own.cards if card.encode() in raw]
    assert all(card.encode() in wire_tables.view(sitting.table, 1).SerializeToString() for card in own.cards)


@pytest.mark.parametrize("name", GAMES)
def test_lists_show_what_filters_filter_by(name: str) -> None:
    """The summary for lists and the one that the log's rows hold say the same, in every phase."""
    sitting = sittings.random_sitting(name, "summary", rounds=0)
    seen = set()
    for step in (None, sitting.start, lambda: sitting.finish(Random(1)), sitting.settle, sitting.close):
        if step is not None:
            step()
        core = sitting.table.core
        shown, row = wire_tables.summary(core), log_rows.summary(core)
        for field in (
            "game",
            "family",
            "title",
            "currency",
            "stake",
            "seats_taken",
            "max_seats",
            "test",
            "round_number",
            "least_buy_in",
            "greatest_buy_in",
        ):
            assert getattr(shown, field) == row[field], field
        assert shown.table_id == core.table_id
        assert pb.TableState.Name(shown.state) == f"TABLE_STATE_{row['state'].upper()}"
        seen.add(row["state"])
    assert seen >= {public_table.OPEN, public_table.SETTLING, public_table.CLOSED}


def test_a_full_and_a_closed_table_have_no_open_seats() -> None:
    """Lists of open seats leave out tables at which nobody may sit down."""
    sitting = Sitting("tongbi_san_gong")
    assert log_rows.summary(sitting.table.core)["open_seats"] is True
    sitting.sit(dict.fromkeys(range(sitting.rules.max_seats), 100))
    assert log_rows.summary(sitting.table.core)["open_seats"] is False
    sitting.close()
    assert log_rows.summary(sitting.table.core)["open_seats"] is False


def test_sealed_actions_are_shown_by_name_only() -> None:
    """An event for everybody holds neither the arguments nor the seal of a secret action."""
    event = events.ActionTaken(
        at_ms=1,
        round_number=1,
        seat=0,
        action={"is": "draw", "sealed": "abcdef"},
        stocks=(),
        happenings=(),
        clock=0,
        deadline_ms=0,
    )
    shown = wire_events.event(5, "ActionTaken", event, "poker")
    assert (shown.action_name, shown.HasField("action")) == ("draw", False)
    assert b"abcdef" not in shown.SerializeToString()


@pytest.mark.parametrize("name", GAMES)
def test_a_result_adds_up(name: str) -> None:
    """Net results, fee, house and pool of the message add up to zero, and each seat's chips match its net."""
    sitting = sittings.random_sitting(name, "result", rounds=1)
    settled = sitting.table.core.settled
    assert settled is not None
    shown = wire_tables.result(settled, sitting.game.family, sitting.table.core.last_names)
    assert sum(seat.net for seat in shown.seats) + shown.fee + shown.house + shown.pot == 0
    for seat in shown.seats:
        assert seat.chips_after - seat.chips_before == seat.net
        assert seat.name == f"Player {seat.seat}"
    assert len(shown.claims) == len(settled.posting.claims)
    for claim, posted in zip(shown.claims, settled.posting.claims, strict=True):
        for party, named in ((claim.payer, posted.payer), (claim.payee, posted.payee)):
            kind = party.WhichOneof("kind")
            written = {"seat": party.seat, "house": "house", "carried_pot": "pot", "pot": f"pot:{party.pot}"}
            assert written[str(kind)] == named
    assert not shown.voided


def test_a_void_round_is_shown_as_such() -> None:
    """The last result of a voided round says so, with the reason, and moves nothing."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.take(player_seeds.set_seed(sitting.table.core, 0, "x", 1))
    assert wire_tables.view(sitting.table, 0).seats[0].seed_set
    sitting.start()
    sitting.void("a torn card")
    shown = wire_tables.view(sitting.table, 0)
    assert (shown.last_result.voided, shown.last_result.void_reason) == (True, "a torn card")
    assert not shown.last_result.seats
    assert shown.round.state == pb.ROUND_STATE_VOIDED
