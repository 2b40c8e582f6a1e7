"""The longest rounds that players can make are read, exported and recalled without delaying others."""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import TypeVar

import pytest
from google.protobuf.message import Message
from pitboss import parts
from pitboss.v1 import audit_pb2 as pb

from services.audit import offline
from services.contract import wire_tables
from services.rules import actions, catalogue, chips
from services.runtime.identity import LONGEST_NAME, Role
from services.runtime.settings import Settings
from services.table import action_bound, events, money, stake_allowance
from tests.support import echo, people, served, sittings
from tests.support.served import Served
from tests.support.sittings import Sitting
from tests.table.test_action_bound import longest

M = TypeVar("M", bound=Message)
OLD_BETS = 1_500
"""Bets of an older house's round, which knew no bound: from 1,100 on its answers were larger than a message may be."""
RICH = 10**9


@pytest.fixture
def settings(postgres_url: str, redis_url: str) -> Settings:
    """Return the settings of an audit process."""
    return served.given(postgres_url, redis_url)


@pytest.fixture
async def auditor(settings: Settings) -> AsyncIterator[Served]:
    """Serve audit."""
    async with served.serve("audit", settings) as process:
        yield process


async def written(url: str, sitting: Sitting) -> None:
    """Settle a table's round and write its log."""
    sitting.settle()
    async with await served.connect(url) as conn:
        await served.publish(conn, sitting)


def old_round(bets: int) -> Sitting:
    """Return a round of ``count`` bets of one chip, played without the bound."""
    sitting = Sitting("suit_betting", table_id=served.table_id())
    sitting.sit({0: RICH, 1: RICH})
    sitting.start()
    bound, type(sitting.game).most_actions = type(sitting.game).most_actions, bets
    try:
        for _ in range(bets):
            sitting.act(0, actions.PlaceBet("spade", 1))
    finally:
        type(sitting.game).most_actions = bound
    sitting.on_timeout()
    return sitting


async def small(stream: AsyncIterable[M], most: int) -> AsyncIterator[M]:
    """Yield a stream's messages; fail if one exceeds the bound on messages."""
    async for message in stream:
        assert message.ByteSize() <= most
        yield message


def metadata(auditor: Served, subject: str, role: Role = Role.PLAYER) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call."""
    return (("authorization", f"Bearer {auditor.token(subject, role)}"),)


async def recalled(auditor: Served, table_id: str, player: str, token: str = "") -> pb.RecallRoundsResponse:
    """Recall a page of a player's rounds at a table."""
    request = pb.RecallRoundsRequest(table_id=table_id, page_token=token)
    stream = auditor.audit.RecallRounds(request, metadata=metadata(auditor, player), timeout=120)
    return await parts.recalled(small(stream, auditor.settings.message_bytes))


async def recalled_steps(auditor: Served, table_id: str, player: str) -> list[pb.RecalledStep]:
    """Recall a player's only round at a table, page by page, and return all its steps."""
    found: list[pb.RecalledStep] = []
    token = ""
    while True:
        page = await recalled(auditor, table_id, player, token)
        assert {one.round_number for one in page.rounds} == {1}
        found += [step for one in page.rounds for step in one.steps]
        token = page.next_page_token
        if not token:
            return found


async def seen_whole(auditor: Served, sitting: Sitting) -> None:
    """Read, export, replay and recall a table's only round; each answer holds every event of it."""
    who, most = metadata(auditor, "auditor", Role.AUDITOR), auditor.settings.message_bytes
    first = sitting.last_start
    request = pb.ReadRoundRequest(table_id=sitting.table_id, round_number=1, language="en")
    read = await parts.read_round(small(auditor.audit.ReadRound(request, metadata=who, timeout=120), most))
    versions = list(range(first, len(sitting.log) + 1))
    assert [one.version for one in read.events] == versions
    assert [one["version"] for one in json.loads(read.document)["events"]] == versions
    export = auditor.audit.ExportRounds(pb.ExportRoundsRequest(table_id=sitting.table_id), metadata=who, timeout=120)
    [(number, line)] = [one async for one in parts.exported_lines(small(export, most))]
    assert (number, line) == (1, read.document)
    assert [found for _, found in offline.check([json.loads(line)])] == [[]]
    told = await auditor.audit.ReplayTable(pb.ReplayTableRequest(table_id=sitting.table_id), metadata=who, timeout=120)
    others = [one for one in told.mismatches if one.kind != "ledger"]  # no settlement wrote this log: it has no entries
    assert (told.rounds_replayed, others) == (1, [])
    seat = next(iter(sitting.table.core.last_carry))
    shown = await recalled_steps(auditor, sitting.table_id, f"p{seat}")
    over = next(at for at, event in enumerate(sitting.log, start=1) if type(event).__name__ == "RoundSettled")
    assert [step.version for step in shown] == list(range(first, over + 1))
    assert all(step.view.fields for step in shown)


async def test_the_longest_round_of_every_game_is_read_exported_and_recalled(
    auditor: Served, postgres_url: str
) -> None:
    """In every game, however often seats repeat an action, each answer about the round fits into a message."""
    for game in catalogue.FILES:
        sitting = longest(game, 20_000, table_id=served.table_id())
        await written(postgres_url, sitting)
        try:
            await seen_whole(auditor, sitting)
        except BaseException as error:
            error.add_note(game)
            raise


async def test_a_round_of_an_older_house_that_is_longer_than_any_bound_is_read_too(
    auditor: Served, postgres_url: str, size: int
) -> None:
    """A document larger than a message comes in parts, and the old round replays without a difference."""
    sitting = old_round(OLD_BETS * size)
    await written(postgres_url, sitting)
    await seen_whole(auditor, sitting)


async def test_recalls_of_a_long_round_leave_the_auditor_to_others(
    auditor: Served, postgres_url: str, size: int
) -> None:
    """While both players recall the round twice at once, every short call of the auditor is answered."""
    sitting = old_round(OLD_BETS * size)
    await written(postgres_url, sitting)
    await recalled(auditor, sitting.table_id, "p0")
    recalls = [asyncio.create_task(recalled(auditor, sitting.table_id, f"p{at % 2}")) for at in range(4)]
    answered = 0
    while not any(one.done() for one in recalls):
        await auditor.call(auditor.audit.ListCheckpoints, pb.ListCheckpointsRequest(), Role.AUDITOR)
        answered += 1
    assert answered >= 10
    first, *rest = await asyncio.gather(*recalls)
    assert rest[1] == first


async def test_bets_of_one_chip_end_at_the_bound_over_the_contract(crowd: people.Crowd) -> None:
    """Bets beyond the bound of actions are refused with the rest of the bound; the round ends as usual."""
    table_id, [ann, bob] = await crowd.table("suit_betting", ("ann", "bob"), {"bet_seconds": 600})
    await ann.house.start_round(table_id)
    most = catalogue.game("suit_betting").most_actions
    bet = people.action("place_bet", spot="spade", amount=1)
    for _ in range(most):
        await ann.house.act(table_id, bet)
    refusal = await people.refused("ILLEGAL_ACTION", ann.house.act(table_id, bet))
    assert "what is left is done" in refusal.message
    seen = await ann.house.table(table_id)
    assert [option.action for option in seen.round.options] == ["done"]
    await bob.house.act(table_id, bet)
    for player in (ann, bob):
        await player.house.act(table_id, people.action("done"))
    await people.until_settled(ann.house, table_id, 1)
    again = crowd.audit_stub().RecallRounds(
        pb.RecallRoundsRequest(table_id=table_id), metadata=ann.metadata, timeout=60
    )
    [shown] = (await parts.recalled(again)).rounds
    assert len(shown.steps) > most


async def test_seeds_for_one_round_end_at_their_bound_over_the_contract(crowd: people.Crowd) -> None:
    """Seeds beyond the bound are refused with SEEDS_CLOSED; after the next start seeds are accepted again."""
    table_id, [ann, bob] = await crowd.table("texas_holdem", ("ann", "bob"))
    for number in range(action_bound.MOST_BETWEEN):
        await ann.house.set_seed(table_id, f"luck {number}")
    await people.refused("SEEDS_CLOSED", ann.house.set_seed(table_id, "more luck"))
    await bob.house.set_seed(table_id, "bob's own")
    await ann.house.start_round(table_id)
    await ann.house.set_seed(table_id, "for the next one")


def test_one_event_and_one_view_of_the_largest_table_fit_a_message() -> None:
    """With the most seats and the longest names, every part of an answer fits into a message."""
    most, sitting = echo.given().message_bytes // 2, Sitting("casino_holdem")
    for seat in range(chips.MOST_SEATS):
        chosen = money.choose_seat(
            sitting.table.core,
            player=f"{seat:064}",
            name="莊" * LONGEST_NAME,
            test=True,
            seat=seat,
            buy_in=10**15,
        )
        sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=chosen)])
    largest = 0
    sitting.start()
    while sitting.table.round is not None:
        waiting = sitting.table.round.waiting()
        assert waiting is not None
        for seat in waiting.seats:
            able = {option.action for option in stake_allowance.options(sitting.table, seat)}
            if "place_bet" in able:
                sitting.act(seat, actions.PlaceBet("ante", 1000))
                sitting.act(seat, actions.PlaceBet("bonus", 1000))
                sitting.act(seat, actions.Done())
            else:
                sitting.act(seat, actions.Call())
        largest = max(largest, wire_tables.view(sitting.table, 0).ByteSize())
    sitting.settle()
    assert largest < most
    assert max(len(text.encode()) for text in sittings.texts(sitting.log)) < most
