"""Hands in the Open Hand History format, version 1.4.7 (hh-specs.handhistory.org): one JSON object a hand.

The format has street names for table-card games only. The betting rounds of draw and stud keep the names of this house
(``before_draw``, ``round_1`` …), except the first one: the format names it ``Preflop`` and allows no ``Bet`` in it, so
the first bet of a stud hand is written as ``Raise``. It has no word for a bring-in, which is written as
``Post Extra Blind``. No seat is the hero of an auditor's export: every hand is ``Observed``.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.audit.handhistory import record
from services.audit.handhistory.record import HandRecord, NotExportable
from services.rules.cards import Card
from services.rules.outcomes import BOARD, BOARDS, SECOND_BOARD
from services.rules.poker.boards import RUN_IT
from services.rules.poker.show_or_muck import WINDOW

SPEC: Final = "1.4.7"
SITE: Final = "Pitboss"

LIMITS: Final = {"no_limit": "NL", "pot_limit": "PL", "fixed_limit": "FL"}
ACTIONS: Final = {
    "fold": "Fold",
    "check": "Check",
    "call": "Call",
    "bet": "Bet",
    "raise": "Raise",
    "bring_in": "Post Extra Blind",
}
POSTS: Final = {
    "ante": "Post Ante",
    "small_blind": "Post SB",
    "big_blind": "Post BB",
    "post": "Post Extra Blind",
    "dead_blind": "Post Dead",
    "straddle": "Straddle",
}
STREETS: Final = {"flop": "Flop", "turn": "Turn", "river": "River", "showdown": "Showdown"}
FIRST_STREET: Final = "Preflop"
OBSERVED: Final = "Observed"
QUESTIONS: Final = frozenset({RUN_IT, WINDOW.name})
"""Phases in which seats are asked something beside the betting."""
RUN_TWICE: Final = "Run_It_Twice"
NO_CURRENCY: Final = "XXX"
"""The code of ISO 4217 for "no currency", for chips whose name is not a code of three letters."""
CODE_LETTERS: Final = 3


def document(hand: HandRecord) -> dict[str, Any]:
    """Return the object of a hand. Raises NotExportable."""
    kind = hand.formats.ohh if hand.formats else ""
    if not kind:
        raise NotExportable(f"Open Hand History has no game type for {hand.game}")
    return {
        "ohh": {
            "spec_version": SPEC,
            "site_name": SITE,
            "network_name": SITE,
            "internal_version": "1.0.0",
            "tournament": False,
            # The number of a round counts at its table only; programs take two hands of one number for one.
            "game_number": f"{hand.table}-{hand.hand}",
            "start_date_utc": hand.started,
            "table_name": hand.table,
            "game_type": kind,
            "bet_limit": {"bet_type": LIMITS[hand.betting], "bet_cap": 0},
            "table_size": hand.max_seats,
            "currency": hand.currency if len(hand.currency) == CODE_LETTERS else NO_CURRENCY,
            "dealer_seat": hand.button + 1,
            "small_blind_amount": hand.small_blind,
            "big_blind_amount": hand.big_blind,
            "ante_amount": hand.ante,
            "hero_player_id": None,
            "flags": [OBSERVED, RUN_TWICE] if _twice(hand) else [OBSERVED],
            "players": [
                {"id": player.seat, "seat": player.seat + 1, "name": player.name, "starting_stack": player.stack}
                for player in hand.players
            ],
            "rounds": _rounds(hand),
            "pots": [
                {
                    "number": number,
                    "amount": pot.amount,
                    "rake": pot.rake,
                    "player_wins": [{"player_id": seat, "win_amount": won} for seat, won in pot.shares.items()],
                }
                for number, pot in enumerate(hand.pots)
            ],
        }
    }


def write(hand: HandRecord) -> str:
    """Return a hand as a line of JSON, followed by the format's separator. Raises NotExportable."""
    return msgspec.json.encode(document(hand)).decode() + "\n"


def _rounds(hand: HandRecord) -> list[dict[str, Any]]:
    """Split the steps into rounds: table cards begin one, as does every phase after the first actions.

    Of a hand that was run twice the streets of the second board follow those of the first.
    """
    rounds = [_round(0, FIRST_STREET)]
    number, laid = 0, {BOARD: 0}
    for step in hand.steps:
        if isinstance(step, record.Deal) and step.seat is None:
            laid[step.zone] = laid.get(step.zone, _common(hand)) + len(step.cards)
            rounds.append(_round(len(rounds), ("Flop", "Turn", "River")[laid[step.zone] - 3]))
            rounds[-1]["cards"] = list(step.cards)
        elif isinstance(step, record.Street) and _begins(step, rounds[-1]):
            rounds.append(_round(len(rounds), STREETS.get(step.name, step.name)))
        for action in _actions(step, first=len(rounds) == 1):
            rounds[-1]["actions"].append({"action_number": number, **action})
            number += 1
    return rounds


def _twice(hand: HandRecord) -> bool:
    """Return whether the hand was run twice."""
    return any(isinstance(step, record.Deal) and step.zone == SECOND_BOARD for step in hand.steps)


def _common(hand: HandRecord) -> int:
    """Return the number of table cards that belong to both boards."""
    dealt = [step for step in hand.steps if isinstance(step, record.Deal) and step.seat is None]
    of = {zone: sum(len(step.cards) for step in dealt if step.zone == zone) for zone in BOARDS}
    return of[BOARD] - of[SECOND_BOARD]


def _round(number: int, street: str) -> dict[str, Any]:
    return {"id": number, "street": street, "actions": []}


def _begins(step: record.Street, last: dict[str, Any]) -> bool:
    """Return whether a phase begins a round of its own: neither the first, nor a question, nor the last cards'."""
    if step.name in QUESTIONS:
        return False
    decided = any(action["action"] in ACTIONS.values() for action in last["actions"])
    return step.name == "showdown" or (decided and STREETS.get(step.name, step.name) != last["street"])


def _actions(step: record.AnyStep, *, first: bool) -> list[dict[str, Any]]:
    if isinstance(step, record.Post):
        return [{"player_id": step.seat, "action": POSTS[step.what], "amount": step.amount, "is_allin": step.all_in}]
    if isinstance(step, record.Act):
        name = ACTIONS["raise" if first and step.action == "bet" else step.action]
        return [{"player_id": step.seat, "action": name, "amount": step.amount, "is_allin": step.all_in}]
    return _cards_moved(step)


def _cards_moved(step: record.AnyStep) -> list[dict[str, Any]]:
    if isinstance(step, record.Exchange):
        both = [_cards(step.seat, "Mucks Cards", step.discards), _cards(step.seat, "Dealt Cards", step.cards)]
        return both if step.discards else []
    if isinstance(step, record.Deal) and step.seat is not None:
        return [_cards(step.seat, "Dealt Cards", step.cards)]
    if isinstance(step, record.Expose):
        return [_cards(step.seat, "Shows Cards", (step.card,))]
    if isinstance(step, record.Muck):
        return [_cards(step.seat, "Mucks Cards", ())]
    if isinstance(step, record.Show):
        return [_cards(step.seat, "Shows Cards", step.cards)]
    return []


def _cards(seat: int, action: str, cards: Sequence[Card]) -> dict[str, Any]:
    return {"player_id": seat, "action": action, "cards": list(cards)}
