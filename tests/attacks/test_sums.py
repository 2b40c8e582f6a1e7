"""Every possible win can be paid: seats, rounds and tables at the largest possible sums."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from pitboss.v1 import settlement_pb2 as pb

from services.contract import movements
from services.house import pipeline
from services.journal import log_rows
from services.ledger import accounts, books, checks
from services.ledger.records import Entry
from services.rules import actions, catalogue, chips
from services.rules.game import HouseRules
from services.rules.outcomes import HOUSE, Claim, Outcome
from services.rules.refusals import Refused
from services.settlement import wallet_bounds
from services.table import codec, events, money, public_table
from tests.contract.test_movements import Ledger, appends
from tests.support import served, worlds
from tests.support.served import Connection, Served, request_id
from tests.support.settlement_floor import CURRENCY, Floor, RealSitting
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
LARGEST = wallet_bounds.MOST_IN_HOUSE // 4
"""Chips of one seat if four seats hold the maximum of a currency."""
MOST_BITS = 2**63 - 1


@pytest.fixture
async def floor(postgres_url: str, redis_url: str) -> AsyncIterator[Floor]:
    """Serve settlement."""
    async with (
        served.serve("settlement", served.given(postgres_url, redis_url)) as settlement,
        await served.connect(postgres_url) as conn,
    ):
        yield Floor(settlement, conn, Random(7))


def seat(sitting: Sitting, number: int, held: int) -> None:
    """Seat a player who has won far more than can be brought."""
    record = events.SeatRecord(seat=number, player=f"p{number}", name=f"Player {number}", test=True, chips=held)
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=record)])


def extreme(game: str, rng: Random) -> tuple[Sitting, int]:
    """Return a table whose seats hold the most chips that can exist, under rules drawn from their largest values."""
    played = catalogue.game(game)
    rules = worlds.varied_rules(played, rng)
    table = next(worlds.rounds(played, rules, rng, 1), None)
    if table is None:
        rules = worlds.default_rules(played)
        table = next(worlds.rounds(played, rules, rng, 1))
    sitting = Sitting(game, rules, first_button=table.first_button)
    for number in table.chips:
        seat(sitting, number, rng.choice((LARGEST, chips.MOST_CHIPS, 2 * chips.MOST_CHIPS)))
    return sitting, len(table.chips)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_every_round_at_the_extremes_is_written_and_paid(game: str, seed: int) -> None:
    """With any chips at the seats, rounds fit into log and ledger, and everybody is paid out at the close."""
    rng = Random(f"sums {game} {seed}")
    sitting, seats = extreme(game, rng)
    for _ in range(3):
        if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.at_stake()):
            break
        sitting.start()
        round_ = sitting.table.core.round
        assert round_ is not None
        assert max(round_.carry.values()) <= chips.MOST_CHIPS
        sitting.finish(rng)
        sitting.settle()
    if sitting.table.core.phase == public_table.OPEN:
        sitting.close()
    ledger, core = Ledger(), None
    for made in appends(sitting):
        core = Sitting.grown(core, made, sitting.table_id)
        ledger.post(movements.entry(core, made, "boss"))
        assert all(abs(balance) <= MOST_BITS for balance in ledger.balances.values())
        for event in made:
            text = codec.encode(event)
            assert codec.encode(codec.decode(codec.name(event), text)) == text
    assert not sitting.table.core.seats, seats


@pytest.mark.parametrize("seats", [1, 3, chips.MOST_SEATS])
def test_the_bank_pays_its_bound_in_proportion_and_no_more(seats: int) -> None:
    """Claims far beyond 64 bits are shared as with any short payer, and the posting fits into an entry."""
    claims = tuple(Claim(payer=HOUSE, payee=seat, amount=(seat + 1) * 10**21, why="bet") for seat in range(seats))
    carry = dict.fromkeys(range(seats), chips.MOST_CHIPS)
    posting = pipeline.settle(Outcome(claims=claims), HouseRules(fee_bps=100), carry, 0)
    assert posting.house == -chips.MOST_PAID
    assert sum(posting.net.values()) + posting.fee == chips.MOST_PAID
    assert sorted(posting.net.values()) == list(posting.net.values())


def test_a_table_takes_as_many_seats_as_one_entry_pays_out() -> None:
    """Every table has a bound of seats, and its close fits into one entry."""
    sitting = Sitting("casino_holdem", catalogue.game("casino_holdem").rules_type(max_seats=0))
    sitting.sit(dict.fromkeys(range(chips.MOST_SEATS), 100))
    with pytest.raises(Refused, match="all 250 seats are taken"):
        money.choose_seat(sitting.table.core, player="late", name="late", test=True, seat=None, buy_in=100)
    with pytest.raises(Refused, match="does not exist"):
        money.choose_seat(sitting.table.core, player="late", name="late", test=True, seat=chips.MOST_SEATS, buy_in=100)
    made = sitting.close()
    entry = movements.entry(sitting.table.core, made, "boss")
    assert entry is not None
    assert len(entry.legs) == 2 * chips.MOST_SEATS
    metadata = log_rows.Metadata(actor="boss", role="operator", command="CloseTable", process="settlement")
    assert len(log_rows.append(sitting.table.core, made, metadata, follows=None).events) == chips.MOST_SEATS + 1


async def all_in(sitting: RealSitting, conn: Connection, settlement: Served) -> None:
    """Play one round in which everybody goes all-in, to its settlement."""
    sitting.start()
    while sitting.table.core.phase == public_table.IN_ROUND:
        round_ = sitting.table.round
        assert round_ is not None
        waiting = round_.waiting()
        assert waiting is not None
        [acting] = waiting.seats
        offered = {option.action for option in round_.options(acting)}
        word = next(word for word in ("all_in", "call", "check") if word in offered)
        sitting.act(acting, actions.build(word, {}))
    await served.publish(conn, sitting, together=True)
    await settlement.call(settlement.money.SettleRound, pb.SettleRoundRequest(table_id=sitting.table_id))
    await served.catch_up(conn, sitting)
    assert sitting.table.core.phase == public_table.OPEN


@pytest.mark.parametrize(("seats", "brought"), [(2, 6 * 10**14), (3, 6 * 10**14), (2, 10**15), (6, 10**15)])
async def test_who_wins_everything_at_a_table_takes_it_home(floor: Floor, seats: int, brought: int) -> None:
    """When all seats go all-in until one holds everything, it leaves with it, and no chip is missing."""
    sitting = RealSitting("texas_holdem")
    await served.publish(floor.conn, sitting)
    names = [f"big{number}" for number in range(seats)]
    for name in names:
        await floor.deposit(name, brought)
        await floor.money("BuyIn", sitting, name, amount=brought)
    for _ in range(60):
        held = [one.chips for one in sitting.table.core.seats.values()]
        if sum(1 for one in held if one) == 1:
            break
        await all_in(sitting, floor.conn, floor.settlement)
    winner = max(sitting.table.core.seats.values(), key=lambda one: one.chips)
    assert winner.chips > chips.MOST_CHIPS
    await floor.money("CashOut", sitting, winner.player)
    assert await books.balance(floor.conn, accounts.wallet(CURRENCY, winner.player)) == winner.chips
    await floor.money("CloseOut", sitting, "operator", reason="home")
    balances = [await books.balance(floor.conn, accounts.wallet(CURRENCY, name)) for name in names]
    assert sum(balances) == seats * brought
    assert await checks.imbalance(floor.conn) == 0


async def test_a_bank_that_owes_its_bound_takes_no_more_chips_to_tables(floor: Floor) -> None:
    """Players' balances stay far below 64 bits, and the chips can be withdrawn."""
    sitting = RealSitting("blackjack")
    await served.publish(floor.conn, sitting)
    await floor.deposit("ann", 1000)
    bank = accounts.parts("house", CURRENCY)[0]
    rich = accounts.wallet(CURRENCY, "rich")
    entry = Entry(
        entry_id=served.table_id(),
        kind="adjustment",
        currency=CURRENCY,
        legs=accounts.legs({bank: -wallet_bounds.MOST_IN_HOUSE - 1, rich: wallet_bounds.MOST_IN_HOUSE + 1}),
        reason="luck",
        actor="nobody",
    )
    assert (await books.post(floor.conn, entry)).outcome == "posted"
    request = pb.BuyInRequest(
        request_id=request_id(), table_id=sitting.table_id, amount=500, on_behalf=served.on_behalf("ann", test=False)
    )
    said = await floor.settlement.refused("AMOUNT_OUT_OF_RANGE", floor.settlement.money.BuyIn, request)
    assert str(wallet_bounds.MOST_IN_HOUSE) in said
    await floor.withdraw("ann", 1000)
