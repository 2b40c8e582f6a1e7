"""Matches of Three-fold Honeymoon over several rounds: who plays, who joins, who gets the rest.

Source: [honeymoon Play 1, D4, D6].
"""

from typing import Any

import msgspec

from services.house import pipeline
from services.rules import catalogue, facts, game
from services.rules.happenings import Dealt, Happening, Shuffled, Staked
from services.rules.tricks.round import TrickRound
from tests.rules.tricks import playing

HONEYMOON = catalogue.game("honeymoon")
NAMES = {0: "ann", 1: "bob", 2: "cat", 3: "dan", 4: "eve"}


def rules_of(keys: dict[str, Any]) -> game.HouseRules:
    """Make house rules."""
    made = msgspec.convert(keys, HONEYMOON.rules_type)
    assert not HONEYMOON.faults(made)
    return made


def table_of(chips: dict[int, int], **more: Any) -> game.Table:
    """Make a table before its first round; seat 0 has the first button."""
    return game.Table(chips=chips, names={seat: NAMES[seat] for seat in chips}, first_button=0, **more)


def start(rules: game.HouseRules, table: game.Table, seed: int = 1) -> tuple[TrickRound, list[Happening]]:
    """Start a round."""
    round_, record = HONEYMOON.start(rules, table, playing.chance(seed))
    assert isinstance(round_, TrickRound)
    return round_, record


def after(rules: game.HouseRules, table: game.Table, round_: TrickRound, leave: tuple[int, ...] = ()) -> game.Table:
    """Settle a round that has ended; ``leave`` get up from the table."""
    outcome = round_.outcome
    assert outcome is not None
    posting = pipeline.settle(outcome, rules, round_.carry, table.pot)
    chips = {seat: held + posting.net.get(seat, 0) for seat, held in table.chips.items() if seat not in leave}
    # What a table remembers goes through the log and comes back.
    memory = msgspec.json.decode(msgspec.json.encode(outcome.memory))
    return msgspec.structs.replace(
        table,
        chips=chips,
        names={seat: table.names[seat] for seat in chips},
        pot=table.pot + posting.pot,
        button=outcome.button if outcome.counts else table.button,
        memory=memory,
    )


def play(rules: game.HouseRules, table: game.Table, leave: tuple[int, ...] = (), seed: int = 1) -> game.Table:
    """Play a round; ``leave`` ask for it before the first card."""
    round_, _ = start(rules, table, seed)
    for seat in leave:
        round_.leave_asked(seat)
    return after(rules, table, playing.play_out(round_, playing.chance(seed)), leave)


def test_a_match_takes_the_stake_once_and_goes_on_until_the_pot_is_empty() -> None:
    """Each seat pays one stake; the next rounds take none; with the pot empty a new match takes stakes again."""
    rules = rules_of({})
    table = play(rules, table_of(dict.fromkeys(range(4), 100)))
    rounds = 1
    while table.pot:
        assert sum(table.chips.values()) + table.pot == 400
        assert table.memory["match_round"] == rounds + 1
        assert HONEYMOON.closed_match(rules, table, in_round=False)
        _, record = start(rules, table)
        assert not any(isinstance(entry, Staked) for entry in record)
        table = play(rules, table, seed=rounds)
        rounds += 1
    # 40 chips, and no round brings fewer than three points or more than six.
    assert 40 / 6 <= rounds <= 14
    assert not HONEYMOON.closed_match(rules, table, in_round=False)
    round_, record = start(rules, table)
    assert sum(isinstance(entry, Staked) for entry in record) == 4
    shown = round_.view(None).facts.family
    assert isinstance(shown, facts.Tricks)
    assert shown.match_round == 1


def test_a_seat_without_chips_plays_its_match_to_the_end() -> None:
    """The least carry counts when a match starts; a seat that staked its last chips stays in the match."""
    rules = rules_of({"queens": "club"})
    table = play(rules, table_of({0: 10, 1: 10, 2: 10, 3: 10, 4: 9}))
    assert table.chips[4] == 9
    round_, _ = start(rules, table)
    assert set(round_.carry) == {0, 1, 2, 3}
    assert 0 in round_.carry.values() or sum(round_.carry.values()) == 3


def test_the_rest_is_paid_out_after_the_last_round_of_a_match() -> None:
    """With ``match_rounds: 2`` nothing is left in the pot after the second round, and the next one stakes anew."""
    rules = rules_of({"match_rounds": 2, "stake": 50})
    table = play(rules, table_of(dict.fromkeys(range(4), 100)))
    assert table.pot > 0
    table = play(rules, table)
    assert table.pot == 0
    assert sum(table.chips.values()) == 400
    _, record = start(rules, table)
    assert sum(isinstance(entry, Staked) for entry in record) == 4


def test_who_leaves_in_a_round_forfeits_his_part_and_ends_the_match() -> None:
    """The rest goes to the seats that stay, odd chips from the left of the button on; the leaver keeps his points."""
    rules = rules_of({"stake": 25, "queens": "club"})
    round_, _ = start(rules, table_of(dict.fromkeys(range(4), 100)))
    round_.leave_asked(2)
    round_.leave_asked(2)
    done = playing.play_out(round_, playing.chance(3))
    assert done.outcome is not None
    rest = {claim.payee: claim.amount for claim in done.outcome.claims if claim.why == "rest"}
    # 100 chips less three points; the button is seat 0, so that seats 1 and 3 come before it.
    assert rest == {1: 33, 3: 32, 0: 32}
    posting = pipeline.settle(done.outcome, rules, done.carry, 0)
    assert posting.pot == 0
    assert posting.net[2] == done.facts()["points"].get(2, 0) - 25


def left(rules: game.HouseRules, leave: tuple[int, ...], chips: int = 100) -> game.Table:
    """Return a table at which seats have left after the first round of a match of four."""
    round_, _ = start(rules, table_of(dict.fromkeys(range(4), chips)))
    table = table_of(dict.fromkeys(range(4), chips))
    return after(rules, table, playing.play_out(round_, playing.chance(1)), leave)


def test_who_leaves_between_rounds_ends_the_match_without_a_further_round() -> None:
    """The next start deals nothing: it pays the rest to those that stayed, moves no button, and frees the table."""
    rules = rules_of({})
    table = left(rules, (1,))
    there = sum(table.chips.values()) + table.pot
    assert table.pot > 0
    assert HONEYMOON.closed_match(rules, table, in_round=False)
    round_, record = start(rules, table)
    assert round_.outcome is not None
    assert not round_.outcome.counts
    assert round_.waiting() is None
    assert not any(isinstance(entry, Dealt | Shuffled | Staked) for entry in record)
    assert set(round_.carry) == {0, 2, 3}
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=type(round_)).view(0) == round_.view(0)
    paid = after(rules, table, round_)
    assert (paid.pot, paid.button, sum(paid.chips.values())) == (0, table.button, there)
    assert not HONEYMOON.closed_match(rules, paid, in_round=False)


def test_a_stranger_in_an_old_seat_is_no_heir() -> None:
    """Where the seat of a match is taken by somebody else, it neither plays on nor gets part of the rest."""
    rules = rules_of({})
    table = left(rules, (1,))
    table = msgspec.structs.replace(
        table,
        chips={**table.chips, 1: 500},
        names={**table.names, 1: "eve"},
    )
    round_, _ = start(rules, table)
    assert set(round_.carry) == {0, 2, 3}
    assert HONEYMOON.pot_heirs(rules, table) == (2, 3, 0)


def test_a_match_that_all_have_left_leaves_its_pot_to_the_next() -> None:
    """New seats may join; they start a match, and pay the stake on top of what all others forfeited."""
    rules = rules_of({})
    table = left(rules, (0, 1, 2, 3))
    assert not HONEYMOON.closed_match(rules, table, in_round=False)
    assert HONEYMOON.pot_heirs(rules, table) == ()
    table = msgspec.structs.replace(table, chips=dict.fromkeys(range(4), 100), names=dict.fromkeys(range(4), "new"))
    round_, record = start(rules, table)
    assert sum(isinstance(entry, Staked) for entry in record) == 4
    assert round_.view(None).pots == (table.pot + 40,)


def test_a_win_cap_cannot_hold_up_a_match_that_has_ended() -> None:
    """Chips that no seat may take stay in the pot; once a seat has left, the next round starts a match all the same."""
    rules = rules_of({"win_cap": "stake", "stake": 10})
    table = left(rules, (1,), chips=10)
    round_, _ = start(rules, table)
    table = after(rules, table, round_)
    assert table.pot > 0
    assert not HONEYMOON.closed_match(rules, table, in_round=False)
    table = msgspec.structs.replace(table, chips=dict.fromkeys(range(4), 50), names={0: "a", 1: "b", 2: "c", 3: "d"})
    _, record = start(rules, table)
    assert sum(isinstance(entry, Staked) for entry in record) == 4


def test_a_pot_that_a_cap_keeps_after_the_last_round_stays_in_the_match() -> None:
    """While the pot is not empty no stake is paid; each further round is one too many, and pays out the rest again."""
    rules = rules_of({"win_cap": "stake", "match_rounds": 1})
    table = play(rules, table_of(dict.fromkeys(range(4), 10)))
    assert table.pot == 0, "who brought the stake may win back as much"
    rules = rules_of({"win_cap": "stake", "match_rounds": 2})
    table = play(rules, table_of(dict.fromkeys(range(4), 10)))
    table = play(rules, table)
    assert table.pot > 0, "a seat without chips may win none"
    _, record = start(rules, table)
    assert not any(isinstance(entry, Staked) for entry in record)
    last = play(rules, table)
    assert sum(last.chips.values()) + last.pot == 40
    assert last.pot < table.pot - 6


def test_points_from_the_others_need_no_match() -> None:
    """Without a pot anybody may join at any time, also without chips."""
    rules = rules_of({"point_from": "others"})
    table = play(rules, table_of({0: 100, 1: 100, 2: 100, 3: 0}))
    assert table.pot == 0
    assert not HONEYMOON.closed_match(rules, table, in_round=False)
    assert HONEYMOON.least_carry(rules) == 0
    assert set(start(rules, table)[0].carry) == {0, 1, 2, 3}
