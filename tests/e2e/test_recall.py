"""A player's recall of its own rounds: step by step, with nothing that it could not see at the table [R2]."""

import random
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from pitboss import parts
from pitboss.v1 import audit_pb2 as pb

from services.rules import catalogue
from tests.support import people, play

FAMILIES = {
    "poker": "texas_holdem",
    "banker": "blackjack",
    "showdown": "san_gong",
    "tricks": "loo",
    "climbing": "dou_dizhu",
    "survival": "ninety_nine",
}
Seen = dict[tuple[int, int], dict[str, Any]]


async def recall(crowd: people.Crowd, player: people.Person, table_id: str, **more: Any) -> pb.RecallRoundsResponse:
    """Ask for a player's rounds at a table."""
    request = pb.RecallRoundsRequest(table_id=table_id, language="en", **more)
    return await parts.recalled(crowd.audit_stub().RecallRounds(request, metadata=player.metadata, timeout=60))


async def watched(table_id: str, players: list[people.Person], seen: Seen) -> None:
    """Play one round; note what each seat sees at each version."""
    rng = random.Random(table_id)
    number = await play.start(table_id, players)
    going = True
    while going:
        for seat, player in enumerate(players):
            view = await player.house.table(table_id)
            seen[seat, view.version] = json_format.MessageToDict(view, preserving_proto_field_name=True)
        going = await play.step(table_id, players, number, rng)


@pytest.mark.parametrize("family", list(FAMILIES))
async def test_a_round_is_recalled_as_it_was_seen(family: str, crowd: people.Crowd) -> None:
    """Every step is marked as a replay, and its view equals the seat's view at that version."""
    assert set(FAMILIES) == set(catalogue.families())
    table_id, players = await play.opened(crowd, FAMILIES[family])
    seen: Seen = {}
    for _ in range(2):
        await watched(table_id, players, seen)
    compared = 0
    for seat, player in enumerate(players):
        answer = await recall(crowd, player, table_id)
        assert [one.round_number for one in answer.rounds] == [2, 1]
        assert all(one.replay for one in answer.rounds)
        for one in answer.rounds:
            versions = [step.version for step in one.steps]
            assert versions == list(range(versions[0], versions[-1] + 1))
            assert any(step.words for step in one.steps)
            for step in one.steps:
                if (seat, step.version) in seen:
                    compared += 1
                    assert plain(json_format.MessageToDict(step.view), one.round_number) == plain(
                        seen[seat, step.version], one.round_number
                    )
    assert compared >= 2 * len(players)


async def test_hands_of_others_stay_hidden_in_a_recall(crowd: people.Crowd) -> None:
    """Two players' recalls of a folded hand: each shows its own cards alone, and a stranger recalls nothing."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"))
    await players[0].house.start_round(table_id)
    own = {}
    for seat, player in enumerate(players):
        view = await player.house.table(table_id)
        own[seat] = [card for zone in view.round.zones if zone.owner == seat for card in zone.cards]
        assert len(own[seat]) == 2
    acting = next(iter((await players[0].house.table(table_id)).round.waiting_for))
    await players[acting].house.act(table_id, people.action("fold"))
    await people.until_settled(players[0].house, table_id, 1)
    for seat, player in enumerate(players):
        text = json_format.MessageToJson((await recall(crowd, player, table_id)).rounds[0])
        assert [card for card in (*own[seat], *own[1 - seat]) if f'"{card}"' in text] == own[seat]
    stranger = await crowd.player("eve")
    assert not (await recall(crowd, stranger, table_id)).rounds


async def test_ten_rounds_and_more_are_recalled_in_pages(crowd: people.Crowd) -> None:
    """Pages are complete, newest first, without the running round; staff cannot recall."""
    table_id, players = await play.opened(crowd, "high_suit")
    await play.rounds(table_id, players, 12)
    first = await recall(crowd, players[0], table_id)
    rest = await recall(crowd, players[0], table_id, page_token=first.next_page_token)
    assert [one.round_number for one in (*first.rounds, *rest.rounds)] == list(range(12, 0, -1))
    assert len(first.rounds) == 10
    stub, metadata = crowd.auditor()
    with pytest.raises(grpc.RpcError) as caught:
        await parts.recalled(stub.RecallRounds(pb.RecallRoundsRequest(table_id=table_id), metadata=metadata))
    assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED


def plain(view: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a view without the clock and the result of the round before, which is a recall of its own."""
    older = view.get("last_result", {}).get("round_number") != str(number)
    left_out = {"clock", "presence", "spectators"} | ({"last_result"} if older else set())
    return {key: value for key, value in view.items() if key not in left_out}
