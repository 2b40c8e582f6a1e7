"""Random hands played by PokerKit, written in the form of the recorded hands (``pitboss certify FILE.jsonl``).

``python -m tests.rules.poker.pokerkit_records KIND COUNT [SEED]`` prints that many hands of a kind, one a line.
"""

import json
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pokerkit
from pokerkit import Automation, State

BY_HAND = {
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
}
AUTOMATIONS = tuple(one for one in Automation if one not in BY_HAND)
"""PokerKit does everything by itself but the decisions and the showdown, before which its pots can be read."""

PUT_IN = (
    pokerkit.AntePosting,
    pokerkit.BlindOrStraddlePosting,
    pokerkit.BringInPosting,
    pokerkit.CheckingOrCalling,
)
Entry = dict[str, Any]


def holdem(chance: random.Random, mode: str) -> tuple[Entry, State]:
    """Start a hand of hold'em or Omaha with antes; ``mode``: ``live``, ``dead`` or ``big_blind``."""
    kind: Any
    kind, variant, betting = chance.choice(
        [
            (pokerkit.NoLimitTexasHoldem, "texas_holdem", "no_limit"),
            (pokerkit.NoLimitTexasHoldem, "texas_holdem", "no_limit"),
            (pokerkit.PotLimitOmahaHoldem, "omaha", "pot_limit"),
        ]
    )
    seats, big = chance.randint(2, 9), chance.choice([2, 10, 100])
    small, ante = big // 2, chance.choice([1, big // 2, big])
    antes = [ante] * seats if mode != "big_blind" else [0] * seats
    blinds = [big, small] if seats == 2 else [small, big] + [0] * (seats - 2)
    if mode == "big_blind":
        antes[0 if seats == 2 else 1] = ante
    sizes = [ante, ante + small, big, big + ante + 1, 4 * big, 10 * big, 40 * big, 150 * big]
    stacks = [chance.choice(sizes) + chance.randrange(3) for _ in range(seats)]
    blind = 0 if seats == 2 else 1
    stacks[blind] = max(stacks[blind], ante + big)  # the full big blind is to be called [poker 0.1]; in PokerKit not
    rows = [tuple(row[::-1] if seats == 2 else row) for row in (antes, blinds)]
    state: State = kind.create_state(AUTOMATIONS, mode == "live", *rows, big, tuple(stacks), seats)
    entry = {"variant": variant, "betting": betting, "min_bet": big, "antes": antes, "blinds": blinds}
    return {**entry, "ante_mode": "live" if mode == "live" else "dead", "starting_stacks": stacks}, state


def blinds(chance: random.Random, mode: str) -> tuple[Entry, State]:
    """Start a hand of hold'em or Omaha; ``mode``: ``straddle``, or ``no_small`` where nobody has the small blind."""
    kind: Any
    kind, variant, betting = chance.choice(
        [
            (pokerkit.NoLimitTexasHoldem, "texas_holdem", "no_limit"),
            (pokerkit.PotLimitOmahaHoldem, "omaha", "pot_limit"),
        ]
    )
    seats, big = chance.randint(3, 9), chance.choice([2, 10, 100])
    first = [big // 2, big, 2 * big] if mode == "straddle" else chance.choice([[big, 0, 0], [0, big, 0]])
    row = first + [0] * (seats - 3)
    sizes = [big // 2, big, big + 1, 2 * big, 4 * big, 10 * big, 40 * big, 150 * big]
    stacks = [chance.choice(sizes) + chance.randrange(3) for _ in range(seats)]
    stacks = [stack if blind < big else max(stack, blind) for stack, blind in zip(stacks, row, strict=True)]
    state: State = kind.create_state(AUTOMATIONS, True, 0, tuple(row), big, tuple(stacks), seats)
    entry = {"variant": variant, "betting": betting, "min_bet": big, "antes": [0] * seats, "blinds": row}
    return {**entry, "ante_mode": "live", "starting_stacks": stacks}, state


def stud(chance: random.Random, mode: str) -> tuple[Entry, State]:
    """Start a hand of seven-card stud with a bring-in."""
    del mode  # there is one
    seats, bet = chance.randint(2, 7), chance.choice([4, 10, 20])
    bring_in, ante = chance.choice([1, 2, bet // 2]), chance.choice([0, 1, 2])
    stacks = [chance.choice([1, 2, 3, 5, 8, 15, 40, 100, 1000]) + chance.randrange(3) for _ in range(seats)]
    state = pokerkit.FixedLimitSevenCardStud.create_state(
        AUTOMATIONS, True, ante, bring_in, bet, 2 * bet, tuple(stacks), seats
    )
    entry = {"variant": "seven_card_stud", "betting": "fixed_limit", "min_bet": bet, "bring_in": bring_in}
    return {
        **entry,
        "antes": [ante] * seats,
        "ante_mode": "live",
        "blinds": [0] * seats,
        "starting_stacks": stacks,
    }, state


KINDS: dict[str, tuple[Callable[[random.Random, str], tuple[Entry, State]], str]] = {
    "live": (holdem, "live"),
    "dead": (holdem, "dead"),
    "big_blind": (holdem, "big_blind"),
    "straddle": (blinds, "straddle"),
    "no_small": (blinds, "no_small"),
    "stud": (stud, ""),
}


def span(state: State) -> tuple[int, ...]:
    """Return the legal totals as PokerKit sees them: [call] or [call, least raise, greatest raise]."""
    seat = state.actor_index
    assert seat is not None
    owed = state.effective_bring_in_amount if state.can_post_bring_in() else state.checking_or_calling_amount
    call = state.bets[seat] + (owed or 0)
    if not state.can_complete_bet_or_raise_to():
        return (call,)
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    return (call, least or 0, most or 0)


def closed(state: State) -> bool:
    """Return whether a raise of this street was all-in; whether it reopens is read differently there [poker D3]."""
    for one in reversed(state.operations):
        if isinstance(one, pokerkit.HoleDealing | pokerkit.BoardDealing):
            return False
        if isinstance(one, pokerkit.CompletionBettingOrRaisingTo) and not state.stacks[one.player_index]:
            return True
    return False


def decide(state: State, chance: random.Random) -> Entry:
    """Take a random action and return it as a decision."""
    seat = state.actor_index
    assert seat is not None
    legal, street, owed = span(state), state.street_index, state.checking_or_calling_amount
    whole, price = state.bets[seat] + state.stacks[seat], max(state.bets)
    may_raise = len(legal) > 1 and not closed(state)
    words = ["call"] * 5 + ["raise"] * 3 * may_raise + ["fold"] * (bool(owed) and state.can_fold())
    word, amount = chance.choice(words), legal[0]
    if word == "fold":
        state.fold()
        return {"seat": seat, "street": street, "action": "fold", "legal": legal}
    if word == "raise":
        amount = chance.choice([legal[1], legal[2], chance.randint(legal[1], legal[2]), min(legal[2], 2 * legal[1])])
        word = "complete" if state.completion_status else "raise" if price else "bet"
        state.complete_bet_or_raise_to(amount)
    elif state.can_post_bring_in():
        word = "bring_in"
        state.post_bring_in()
    else:
        word = "call" if owed else "check"
        state.check_or_call()
    found = {"seat": seat, "street": street, "action": word, "to": amount, "legal": legal}
    return {**found, "all_in": True} if amount == whole and word != "check" else found


def uncalled(state: State, seats: int) -> tuple[dict[int, int], int]:
    """Return the chips that nobody called, and all that were put in.

    PokerKit leaves the last bet of a sole survivor uncollected.
    """
    back: dict[int, int] = {}
    total = 0
    staked = dict.fromkeys(range(seats), 0)
    for one in state.operations:
        if isinstance(one, pokerkit.CompletionBettingOrRaisingTo):
            staked[one.player_index] = one.amount
        elif isinstance(one, PUT_IN):
            staked[one.player_index] += one.amount
        elif isinstance(one, pokerkit.BetCollection):
            for seat, kept in enumerate(one.bets):
                other = max(amount for rival, amount in staked.items() if rival != seat)
                over = min(staked[seat] - kept, max(0, staked[seat] - other))
                back[seat] = back.get(seat, 0) + over
            total += sum(staked.values())
            staked = dict.fromkeys(staked, 0)
    return {seat: amount for seat, amount in sorted(back.items()) if amount}, total


def pots(state: State, total: int) -> list[Entry]:
    """Return each pot with the seats that can win it and those that do; odd chips from the left of the button."""
    live = [seat for seat, status in enumerate(state.statuses) if status]
    if len(live) == 1:
        return [{"amount": total, "eligible": live, "winners": live, "shares": [total]}] if total else []
    found = []
    for pot in state.pots:
        hands = {seat: state.get_hand(seat, 0, 0) for seat in pot.player_indices}
        best = max(hand for hand in hands.values() if hand is not None)
        winners = [seat for seat, hand in hands.items() if hand == best]
        each, odd = divmod(pot.amount, len(winners))
        shares = [each + (place < odd) for place in range(len(winners))]
        found.append({"amount": pot.amount, "eligible": list(hands), "winners": winners, "shares": shares})
    return found


def record(kind: str, number: int, seed: int) -> Entry:
    """Play one hand and return its record."""
    make, mode = KINDS[kind]
    chance = random.Random(f"{kind} {seed} {number}")
    random.seed(f"{kind} {seed} {number}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        entry, state = make(chance, mode)
        seats = len(entry["starting_stacks"])
        entry |= {"source": "synthetic-pokerkit", "id": f"{kind}-{seed}-{number}", "seats": seats, "button": seats - 1}
        decisions = []
        hole: list[list[str]] = [[] for _ in range(seats)]
        while state.actor_index is not None or state.can_show_or_muck_hole_cards():
            if state.actor_index is None:
                state.show_or_muck_hole_cards(True)
            else:
                decisions.append(decide(state, chance))
    board = []
    for operation in state.operations:
        if isinstance(operation, pokerkit.HoleDealing):
            hole[operation.player_index] += [repr(card) for card in operation.cards]
        if isinstance(operation, pokerkit.BoardDealing):
            board += [repr(card) for card in operation.cards]
    entry |= {"hole": hole, "board": board, "actions": decisions}
    back, total = uncalled(state, seats)
    entry |= {
        "pots": pots(state, total - sum(back.values())),
        "uncalled": [{"seat": seat, "amount": sum_} for seat, sum_ in back.items()],
    }
    return {**entry, "finishing_stacks": finished(entry, state)}


def finished(entry: Entry, state: State) -> list[int]:
    """Return the final stacks: each pot is split by itself; PokerKit merges pots that end with equal contenders."""
    whole = [int(stack) for stack in state.stacks]
    if sum(state.statuses) == 1:
        while state.can_push_chips():
            state.push_chips()
        return [int(stack) for stack in state.stacks]
    for pot in entry["pots"]:
        for seat, share in zip(pot["winners"], pot["shares"], strict=True):
            whole[seat] += share
    return whole


def records(kind: str, count: int, seed: int = 0) -> Iterator[Entry]:
    """Play hands of a kind."""
    for number in range(count):
        yield record(kind, number, seed)


if __name__ == "__main__":
    for one in records(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0):
        sys.stdout.write(json.dumps(one, separators=(",", ":")) + "\n")
