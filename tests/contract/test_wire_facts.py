"""Facts on the wire: every field of a record has its field of the same name, and nothing of an old log is lost."""

from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest
from pitboss.v1 import facts_pb2
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_events, wire_facts, wire_tables
from services.rules import actions, catalogue, facts
from services.table import codec, events
from tests.support import sittings
from tests.support.sittings import Sitting

GOLDEN: Final = Path(__file__).parents[1] / "table" / "golden"
UNSETTLED: Final = [path for path in sorted(GOLDEN.glob("*.json")) if not path.name.startswith("RoundSettled")]
FAMILY: Final = "family_facts"


@pytest.mark.parametrize("family", list(facts.FAMILIES))
def test_records_and_messages_have_the_same_fields(family: str) -> None:
    """The common record and each family's record name the fields of their messages, no more and no fewer."""
    empty = facts.of(family, {})
    shown = wire_facts.shown(empty)
    own = getattr(shown, str(shown.WhichOneof(FAMILY)))
    assert {field.name for field in own.DESCRIPTOR.fields} == set(type(empty.family).__struct_fields__)
    families = {field.name for field in facts_pb2.RoundFacts.DESCRIPTOR.oneofs_by_name[FAMILY].fields}
    common = {field.name for field in facts_pb2.RoundFacts.DESCRIPTOR.fields} - families
    assert common == set(facts.Common.__struct_fields__)


def test_a_key_without_a_field_is_refused() -> None:
    """A game cannot show a fact that the contract does not know."""
    with pytest.raises(msgspec.ValidationError, match="glitter"):
        facts.of("poker", {"glitter": 1})


@pytest.mark.parametrize("path", UNSETTLED, ids=lambda path: path.stem)
def test_events_of_older_logs_are_shown(path: Path) -> None:
    """Each recorded shape of an event is written with all details of what was noted."""
    kind = path.stem.split(".")[0]
    event = codec.decode(kind, path.read_text(encoding="utf-8"))
    shown = wire_events.event(1, kind, event, "poker")
    for message in shown.happenings:
        assert message.WhichOneof("kind")


@pytest.mark.parametrize("family", list(facts.FAMILIES))
def test_results_of_older_logs_are_shown(family: str) -> None:
    """The recorded settlement of each family is written as a result with the facts of its family."""
    text = (GOLDEN / f"RoundSettled.v1.{family}.json").read_text(encoding="utf-8")
    settled = codec.decode("RoundSettled", text)
    assert isinstance(settled, events.RoundSettled)
    shown = wire_tables.result(settled, family, {})
    assert shown.facts.WhichOneof(FAMILY)


def test_a_betting_round_shows_bets_raises_and_what_a_call_costs() -> None:
    """Hold'em, blinds 5 and 10: after a raise to 30 the others see 30 to match, and 50 as the least raise."""
    sitting = Sitting("texas_holdem", first_button=0)
    sitting.sit({0: 500, 1: 500, 2: 15})
    sitting.start()
    sitting.act(0, actions.Raise(to=30))
    seen = wire_tables.view(sitting.table, 1).round
    assert seen.betting == pb.Betting(current_bet=30, last_raise=20, least_raise_to=50, total=45)
    assert {seat.seat: (seat.bet, seat.to_call) for seat in seen.seats} == {0: (30, 0), 1: (5, 25), 2: (10, 5)}


def test_a_banked_round_shows_who_banks_and_a_match_of_tricks_its_trick() -> None:
    """The bank is a seat or the house; the cards of the current trick stand in the order in which they were played."""
    house = Sitting("casino_holdem")
    house.sit({0: 500})
    house.start()
    shown = wire_tables.view(house.table, None).round.facts
    assert (shown.house_banks, shown.HasField("banker")) == (True, False)
    tricks = Sitting("spoil_five", first_button=0)
    tricks.sit({0: 500, 1: 500, 2: 500})
    tricks.start()
    rng = Random(1)
    while not wire_tables.view(tricks.table, None).round.facts.trick:
        tricks.step(rng, lapses=0.0)
    seen = wire_tables.view(tricks.table, None).round
    assert [(one.seat, one.card) for one in seen.facts.trick] == [
        (zone.owner, zone.cards[0]) for zone in seen.zones if zone.name == "trick"
    ]
    assert seen.facts.tricks_completed == 0
    assert seen.facts.trump in {"s", "h", "d", "c"}


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_no_seat_is_a_text_and_no_number_a_double(game: str) -> None:
    """Facts, details and results of real rounds hold messages of facts.proto only, whose seats are integers."""
    sitting = sittings.random_sitting(game, "typed", rounds=1)
    shown = wire_tables.view(sitting.table, None)
    assert shown.last_result.facts.WhichOneof(FAMILY)
    for message in facts_pb2.DESCRIPTOR.message_types_by_name.values():
        for field in message.fields:
            assert field.type not in {field.TYPE_DOUBLE, field.TYPE_FLOAT}
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                assert field.message_type.fields_by_name["key"].type == field.TYPE_INT32


def test_bets_on_spots_are_shown_to_everybody_while_a_round_runs_and_after_it() -> None:
    """Ante 2 and a tie bet of 1 are two entries of the seat for every viewer; a result does not repeat them."""
    sitting = Sitting("casino_war")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    sitting.act(0, actions.PlaceBet("ante", 1))
    sitting.act(0, actions.PlaceBet("ante", 1))
    sitting.act(0, actions.PlaceBet("tie", 1))
    placed = [facts_pb2.SpotBet(seat=0, spot="ante", amount=2), facts_pb2.SpotBet(seat=0, spot="tie", amount=1)]
    for viewer in (None, 0, 1):
        assert list(wire_tables.view(sitting.table, viewer).round.facts.banker_game.spot_bets) == placed
    sitting.act(0, actions.Done())
    sitting.act(1, actions.Done())
    rng = Random(1)
    while sitting.table.round is not None:
        sitting.step(rng)
    sitting.settle()
    ended = wire_tables.view(sitting.table, None)
    assert ended.round.state == pb.ROUND_STATE_ENDED
    assert list(ended.round.facts.banker_game.spot_bets)[:2] == placed
    assert not ended.last_result.facts.banker_game.spot_bets
