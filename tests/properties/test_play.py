"""Random play of every game of the catalogue: it ends, it pays, and what is offered is what is taken."""

from random import Random

import msgspec
import pytest

from services.house import settlement
from services.rules import actions, catalogue, random_play
from services.rules.game import Game, Round
from services.rules.offers import enumerate_actions, is_offered
from services.rules.refusals import Refused
from tests.support import worlds
from tests.support.chances import Recording

GAMES = list(catalogue.FILES)
SEEDS = range(3)
"""More of them find rarer faults; these are what a run of all tests can afford."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game_id", GAMES)
def test_rounds_end_and_chips_are_conserved(game_id: str, seed: int) -> None:
    """Rounds under any house rules end, and seats, pool, house and fees together hold what they held before."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} {seed}")
    for rules in [worlds.default_rules(game), *(worlds.varied_rules(game, rng) for _ in range(8))]:
        for table in worlds.rounds(game, rules, rng, 2):
            total = sum(table.chips.values())
            beside = 0
            for _ in range(3):
                if not worlds.can_start(game, rules, table):
                    break
                round_, _ = worlds.play(game, rules, table, Recording(rng), rng)
                table, posting, _ = worlds.after(game, rules, table, round_)  # noqa: PLW2901 - the table goes on
                beside += posting.house + posting.fee
                assert sum(table.chips.values()) + table.pot + beside == total
                assert all(held >= 0 for held in table.chips.values())


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_offered_is_accepted_and_nothing_else(game_id: str) -> None:
    """Every action listed is legal, every other one is refused for a reason, and asking changes nothing."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} offers")
    budget = [250]

    def watch(round_: Round) -> None:
        if budget[0] > 0 and rng.random() < 0.5:
            budget[0] -= 1
            before = msgspec.msgpack.encode(round_)
            for seat in round_.carry:
                _check_offers(game, round_, seat, rng)
            assert msgspec.msgpack.encode(round_) == before, f"{game.id}: asking changed the round"

    for rules in [worlds.default_rules(game), *(worlds.varied_rules(game, rng) for _ in range(3))]:
        for table in worlds.rounds(game, rules, rng, 2):
            worlds.play(game, rules, table, Recording(rng), rng, watch)


def _check_offers(game: Game, round_: Round, seat: int, rng: Random) -> None:
    offered = round_.options(seat)
    if offered:
        listed = [random_play.sample(offered, rng) for _ in range(2)]
        listed += enumerate_actions(rng.choice(offered), 4)
        for action in listed:
            assert is_offered(offered, action), f"{game.id}: {action} is not found in its own options"
            round_.verify(seat, action)
    for _ in range(4):
        action = worlds.wild_action(round_, rng)
        legal = round_.can(seat, action)
        assert legal == is_offered(offered, action), (
            f"{game.id}: seat {seat} {action} is {'legal' if legal else 'refused'}, options are {offered}"
        )


@pytest.mark.parametrize("game_id", GAMES)
def test_waiting_and_options_agree(game_id: str) -> None:
    """Exactly the seats that are waited for are offered something, and a new deadline moves the clock."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} waiting")
    for rules in [worlds.default_rules(game), worlds.varied_rules(game, rng)]:
        for table in worlds.rounds(game, rules, rng, 2):
            chance = Recording(rng)
            round_, _ = game.start(rules, table, chance)
            while (before := round_.waiting()) is not None:
                assert 1 <= before.seconds <= 3600
                assert set(before.seats) <= set(round_.carry)
                able = {seat for seat in round_.carry if round_.options(seat)}
                assert able == set(before.seats), f"{game.id}: waits for {before.seats}, but {able} may act"
                move = worlds.choose(round_, rng)
                worlds.take(round_, move, chance)
                now = round_.waiting()
                if now is None:
                    break
                if move.seat is None:
                    assert now.clock > before.clock, f"{game.id}: the deadline passed and the clock stands still"
                assert now.clock >= before.clock
                if set(now.seats) - set(before.seats):
                    assert now.clock > before.clock, f"{game.id}: {now.seats} got no new deadline"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_stored_round_goes_on_as_if_it_had_never_been_stored(game_id: str) -> None:
    """Loaded after every move, and played again from the same chance, a round has equal states and happenings."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} stored")
    for rules in [worlds.default_rules(game), worlds.varied_rules(game, rng)]:
        for table in worlds.rounds(game, rules, rng, 2):
            seed = rng.randrange(10**9)
            chance = Recording(Random(seed))
            again = Recording(Random(seed))
            round_, begun = game.start(rules, table, chance)
            stored, repeated = game.start(rules, table, again)
            assert begun == repeated
            steps = 0
            while round_.waiting() is not None:
                bytes_ = msgspec.msgpack.encode(stored)
                assert bytes_ == msgspec.msgpack.encode(round_), f"{game.id}: the stored round differs"
                stored = msgspec.msgpack.decode(bytes_, type=game.round_type)
                assert msgspec.msgpack.encode(stored) == bytes_, f"{game.id}: loading changes the round"
                move = worlds.choose(round_, rng)
                assert worlds.take(round_, move, chance) == worlds.take(stored, move, again)
                steps += 1
                assert steps < worlds.MOST_MOVES
            assert msgspec.msgpack.encode(stored) == msgspec.msgpack.encode(round_)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_round_that_is_over_takes_nothing(game_id: str) -> None:
    """After the end every action is refused: the round is not open, and who never was in it is not seated."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} over")
    for table in worlds.rounds(game, worlds.default_rules(game), rng, 1):
        round_, _ = worlds.play(game, worlds.default_rules(game), table, Recording(rng), rng)
        before = msgspec.msgpack.encode(round_)
        for _ in range(20):
            action = worlds.wild_action(round_, rng)
            for seat, reason in ((rng.choice(sorted(round_.carry)), "ROUND_NOT_OPEN"), (99, "NOT_SEATED")):
                with pytest.raises(Refused) as refused:
                    round_.act(seat, action, Recording(rng))
                assert refused.value.reason == reason, f"{game.id}: {action}"
                assert str(refused.value), "a refusal says what was wrong"
        assert round_.options(min(round_.carry)) == []
        assert msgspec.msgpack.encode(round_) == before


@pytest.mark.parametrize("game_id", GAMES)
def test_seats_outside_the_round_are_refused_first(game_id: str) -> None:
    """Every sheet tests first whether the seat is in the round, whatever the action is."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} outside")

    def watch(round_: Round) -> None:
        if rng.random() < 0.3:
            with pytest.raises(Refused) as refused:
                round_.verify(99, worlds.wild_action(round_, rng))
            assert refused.value.reason == "NOT_SEATED"
            assert round_.options(99) == []

    for table in worlds.rounds(game, worlds.default_rules(game), rng, 1):
        worlds.play(game, worlds.default_rules(game), table, Recording(rng), rng, watch)


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_and_outcomes_can_be_logged(game_id: str) -> None:
    """Happenings, actions and outcomes come back from JSON as they went in; claims fit into a ledger entry."""
    game = catalogue.game(game_id)
    rng = Random(f"{game.id} logged")
    for table in worlds.rounds(game, worlds.default_rules(game), rng, 2):
        rules = worlds.default_rules(game)
        round_, moves = worlds.play(game, rules, table, Recording(rng), rng)
        for move in moves:
            if move.action is not None:
                logged = msgspec.json.encode(move.action)
                assert actions.build(move.action.name, actions.arguments(move.action)) == move.action
                assert msgspec.json.encode(msgspec.json.decode(logged)) == logged
        posting = worlds.after(game, rules, table, round_)[1]
        decoded = msgspec.json.decode(msgspec.json.encode(posting), type=settlement.Posting)
        assert decoded == posting
