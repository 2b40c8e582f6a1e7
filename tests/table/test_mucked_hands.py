"""A mucked hand at a table: the clock's decision is formal, and nobody else reads or proves the cards [poker 0.17]."""

import json
from typing import Any

import msgspec
import pytest

from services.audit import recall, round_parts
from services.audit.handhistory import ohh, phh, round_reader
from services.contract import wire_tables
from services.dealer import card_proofs
from services.fairness.scripted import Script
from services.rules import actions, cards, catalogue, personal
from services.table.replay import Replay
from tests.support import audit_rows, sittings
from tests.support.sittings import Sitting

DECK = "Ks As Kd Ad 2h 7s 9c 3d 4h"
HELD = ("Ks", "Kd")


def beaten(*, absence: bool = False, **keys: Any) -> Sitting:
    """Return a hand of hold'em in which seat 1 has lost with kings and may muck."""
    rules = msgspec.convert({"show": "losers", **keys}, catalogue.game("texas_holdem").rules_type)
    sitting = Sitting("texas_holdem", rules, first_button=0, absence=absence)
    sitting.sit({0: 100, 1: 100})
    begin(sitting)
    return sitting


def begin(sitting: Sitting) -> None:
    """Play a scripted hand to its showdown."""
    dealt = tuple(cards.parse(DECK))
    sitting.script(Script(stocks=(dealt + tuple(card for card in cards.PACK_52 if card not in dealt),)))
    sitting.start()
    while sitting.table.round is not None and sitting.table.round.view(None).phase != "show_or_muck":
        waiting = sitting.table.round.waiting()
        assert waiting is not None
        [seat] = waiting.seats
        names = [option.action for option in sitting.table.round.options(seat)]
        sitting.act(seat, actions.Check() if "check" in names else actions.Call())


def test_the_choice_has_five_seconds_and_no_time_bank() -> None:
    """A single loser is asked, but its time bank does not run."""
    sitting = beaten(time_bank_s=60)
    core = sitting.table.core
    assert (core.deadline_ms - sitting.now, core.bank_ms) == (5000, 0)
    sitting.on_timeout()
    assert sitting.table.core.time_spent == {}


def test_silence_is_no_absence() -> None:
    """The clock mucks in two rounds: the seat does not sit out."""
    sitting = beaten(absence=True)
    for _ in range(2):
        sitting.on_timeout()
        sitting.settle()
        assert sitting.table.core.lapses == {}
        begin(sitting)
    assert sitting.table.core.absent == {}


@pytest.mark.parametrize("by_clock", [False, True])
def test_views_and_events_keep_a_mucked_hand_from_everybody_else(by_clock: bool) -> None:
    """After the settlement spectators and the winner see no card of it, and no name of the hand."""
    sitting = beaten()
    sitting.on_timeout() if by_clock else sitting.act(1, actions.Muck())
    sitting.settle()
    for viewer in (None, 0):
        seen = str(wire_tables.view(sitting.table, viewer))
        assert not [card for card in HELD if f'"{card}"' in seen]
    own = wire_tables.view(sitting.table, 1).round
    assert {card for zone in own.zones for card in zone.cards} >= set(HELD)
    assert {hand.seat: hand.rank for hand in own.hands} == {0: 1, 1: 0}
    log = "".join(sittings.texts(sitting.log[sitting.last_start :]))
    assert not [card for card in HELD if f'"{card}"' in log]
    assert sitting.again().differences == []


def test_others_cannot_prove_a_mucked_card() -> None:
    """The winner proves its own cards, not the mucked ones; who held them can."""
    sitting = beaten()
    sitting.act(1, actions.Muck())
    [part] = audit_rows.rounds(sitting)
    for player, known in (("p0", False), ("p1", True)):
        for card in HELD:
            replay = Replay(sitting.table_id, sitting.opener, compare=False)
            assert (card_proofs.seen(replay, part, card, player) is not None) == known


def test_players_read_no_mucked_card_and_auditors_do() -> None:
    """A recalled round says that the seat mucks; the auditor's last lines hold its cards."""
    sitting = beaten()
    sitting.act(1, actions.Muck())
    sitting.settle()
    [part] = audit_rows.rounds(sitting)
    told = "\n".join(step.words for step in recall.steps(sittings.AUDIT, part, 0, "en"))
    assert "Player 1: muck" in told
    assert "Ks" not in told
    read = round_parts.read(sittings.AUDIT, part, b"", "en", 10**6, personal.veiled)
    assert "Ks Kd" in "\n".join(line for one in read for line in one.words)


def test_exported_hands_say_who_mucked() -> None:
    """Both formats name the muck; a shown hand is a showing."""
    for answer, shown in ((actions.Muck(), False), (actions.Reveal(), True)):
        sitting = beaten()
        sitting.act(1, answer)
        sitting.settle()
        recorded = list(enumerate(sitting.log, start=1))[sitting.last_start - 1 :]
        record = round_reader.of_events(sitting.table_id, recorded, sitting.opener)
        assert ("p1 sm KsKd" in phh.write(record)) == shown
        acts = [act for one in json.loads(ohh.write(record))["ohh"]["rounds"] for act in one["actions"]]
        last = [act for act in acts if act["player_id"] == 1][-1]
        assert (last["action"], last["cards"]) == (("Shows Cards", list(HELD)) if shown else ("Mucks Cards", []))
