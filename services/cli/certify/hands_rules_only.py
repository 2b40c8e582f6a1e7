"""Plays recorded hands on the rules alone and compares chips, pots and the amounts that were legal."""

from typing import Final

import msgspec

from services.cli.certify import hands
from services.cli.certify.hands import Decision, RecordedHand
from services.cli.certify.rules_only import Failed, rules_for
from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.chance import Chance
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.offers import Between
from services.rules.poker import structures
from services.rules.poker.engine import PokerRound
from services.rules.poker.stakes import BlindRound
from services.rules.refusals import Refused

MOST_TABLES: Final = 1000
"""Tables that are remembered at most, so that odd files cannot fill the memory."""
CALL_ONLY = 1
"""Length of a list of legal amounts without a raise."""

_TABLES: dict[tuple[str, bytes], tuple[Game, HouseRules]] = {}


def play(hand: RecordedHand) -> None:
    """Play one hand on the rules alone; raises Failed with the first difference, chips and legal amounts included."""
    if reason := hand.unplayable():
        raise Failed(f"{hand.name}: {reason}")
    game, rules = _table_of(hand.variant, msgspec.json.encode(hand.house_rules()))
    chips = dict(enumerate(hand.starting_stacks))
    table = Table(chips=chips, first_button=hand.button, memory=hand.forced.memory())
    chance = ScriptedChance(Script(stocks=hand.stocks()))
    round_, _ = game.start(rules, table, chance)
    assert isinstance(round_, PokerRound), f"{hand.variant} is not a game with betting rounds"
    for place, decision in enumerate(hand.actions):
        where = f"{hand.name}, action {place} (seat {decision.seat} {decision.action})"
        waiting = round_.waiting()
        if hands.needless(decision, waiting.seats if waiting else ()):
            continue
        _compare_legal(round_, decision, where)
        _take(round_, decision, chance, where)
    _compare_result(hand, rules, round_)


def _table_of(variant: str, keys: bytes) -> tuple[Game, HouseRules]:
    found = _TABLES.get((variant, keys))
    if found is None:
        if variant not in catalogue.FILES:
            raise Failed(f"there is no game {variant!r} in this house")
        game = catalogue.game(variant)
        found = game, rules_for(game, msgspec.json.decode(keys))
        if len(_TABLES) < MOST_TABLES:
            _TABLES[variant, keys] = found
    return found


def _take(round_: Round, decision: Decision, chance: Chance, where: str) -> None:
    try:
        offered = {option.action for option in round_.options(decision.seat)}
        round_.act(decision.seat, hands.action_of(decision, offered), chance)
    except Refused as refusal:
        raise Failed(f"{where}: refused with {refusal.reason} ({refusal})") from refusal


def _compare_legal(round_: PokerRound, decision: Decision, where: str) -> None:
    if not decision.legal or round_.outcome is not None:
        return
    ours = legal(round_, decision.seat)
    if ours != decision.legal and not _differs_by_sheet(round_, decision, ours):
        raise Failed(f"{where}: legal are {list(ours)}, recorded {list(decision.legal)}")


def _differs_by_sheet(round_: PokerRound, decision: Decision, ours: tuple[int, ...]) -> bool:
    """Return whether a difference is one of the known ones between the rule sheet and the recording engine.

    In the sheet the amount to call is the full big blind, even if it was posted short (0.1). A seat that only called a
    blind may not raise again after a short all-in [poker D3]. In fixed limit a
    big blind is the first bet of a round [poker 0.4]. A raise is legal while a live opponent has chips, even if none of
    them can match more than the amount to call [poker 0.3].
    """
    if decision.street == 0 and _short_big_blind(round_):
        return True
    if round_.can(decision.seat, actions.BringIn()):
        return ours[1:] == decision.legal[1:]
    if not ours or ours[0] != decision.legal[0]:
        return False
    place = round_.order.index(decision.seat)
    if len(ours) == CALL_ONLY:
        acted = round_.acted[place] >= 0 or round_.rules.betting == structures.FIXED_LIMIT
        return acted and not round_.structure.may_raise(round_, place)
    nobody_matches = all(
        round_.totals[other] + round_.stacks[other] <= round_.to_call
        for other, live in enumerate(round_.live)
        if live and other != place
    )
    return len(decision.legal) == CALL_ONLY and nobody_matches


def _short_big_blind(round_: PokerRound) -> bool:
    if not isinstance(round_, BlindRound):
        return False
    whole = round_.carry[round_.order[round_.big_blind_position()]]
    return whole - min(whole, round_.rules.blind_ante) < round_.rules.minimum


def legal(round_: PokerRound, seat: int) -> tuple[int, ...]:
    """Return the legal amounts of a seat in the form of the recorded hands; empty if it is not its turn."""
    spans = {option.action: option.arguments for option in round_.options(seat)}
    if not spans:
        return ()
    place = round_.order.index(seat)
    call_to = min(round_.to_call, round_.totals[place] + round_.stacks[place])
    for name, argument in (("bet", "amount"), ("raise", "to")):
        if name in spans:
            span = spans[name][argument]
            assert isinstance(span, Between), f"{name} has no range"
            return (call_to, span.least, span.most)
    return (call_to,)


def _compare_result(hand: RecordedHand, rules: HouseRules, round_: PokerRound) -> None:
    if round_.outcome is None:
        raise Failed(f"{hand.name}: the hand has not ended; it waits for {round_.waiting()}")
    posting = pipeline.settle(round_.outcome, rules, round_.carry, 0)
    shares = {(claim.payer, claim.payee): claim.amount for claim in posting.claims}
    found = {
        "finishing stacks": [stack + posting.net[seat] for seat, stack in enumerate(hand.starting_stacks)],
        "uncalled": round_.outcome.facts["returned"],
        "pots": [pot.amount for pot in round_.outcome.pots],
        "winners": [sorted(pot.winners) for pot in round_.outcome.pots],
        "shares": [
            [shares.get((f"pot:{number}", seat), 0) for seat in sorted(pot.winners)]
            for number, pot in enumerate(round_.outcome.pots)
        ],
    }
    recorded = {
        "finishing stacks": list(hand.finishing_stacks),
        "uncalled": {back.seat: back.amount for back in hand.uncalled},
        "pots": [pot.amount for pot in hand.pots],
        "winners": [sorted(pot.winners) for pot in hand.pots],
        "shares": [[share for _, share in sorted(zip(pot.winners, pot.shares, strict=True))] for pot in hand.pots],
    }
    for what, value in recorded.items():
        if found[what] != value:
            raise Failed(f"{hand.name}: {what} are {found[what]}, recorded {value}")
