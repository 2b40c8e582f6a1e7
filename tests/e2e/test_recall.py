"""A player's recall of its own rounds: step by step, with nothing that it could not see at the table [R2]."""

import random
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from pitboss import parts, proofs
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import table_pb2

from services.rules import catalogue
from services.rules.cards import HIDDEN, PACK_54
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
            assert (one.seat, len(one.house_commitment)) == (seat, 64)
            assert [step.event.version for step in one.steps] == versions
            require_proofs(one)
            for step in one.steps:
                if (seat, step.version) in seen:
                    compared += 1
                    assert plain(json_format.MessageToDict(step.view), one.round_number) == plain(
                        seen[seat, step.version], one.round_number
                    )
    assert compared >= 2 * len(players)


def require_proofs(one: pb.RecalledRound) -> None:
    """Check that a round's proofs hold, and that they are of the cards that the player saw: all of them, no others."""
    views = [json_format.ParseDict(json_format.MessageToDict(step.view), table_pb2.TableView()) for step in one.steps]
    roots = {stock.stock: stock.root for view in views for stock in view.round.stocks}
    dealt = [entry.dealt for step in one.steps for entry in step.event.happenings if entry.HasField("dealt")]
    shown = [zone.cards for view in views for zone in view.round.zones]
    shown += [entry.shown.cards for step in one.steps for entry in step.event.happenings if entry.HasField("shown")]
    in_sight = {card for cards in (*shown, *(deal.cards for deal in dealt)) for card in cards} - {HIDDEN}
    assert one.proofs
    assert all(proofs.check(proof, roots[proof.stock]) for proof in one.proofs)
    proven = {proof.card for proof in one.proofs}
    assert proven <= in_sight
    own = {card for deal in dealt for card in deal.cards} - {HIDDEN}
    is_one_pack = len(roots) == 1 and all(proof.size <= len(PACK_54) for proof in one.proofs)
    assert proven >= (in_sight if is_one_pack else own)
    places = {(deal.stock, position) for deal in dealt for position in deal.positions}
    assert {(proof.stock, proof.position) for proof in one.proofs} <= places


async def test_a_round_is_recalled_by_its_number(crowd: people.Crowd) -> None:
    """One round comes alone, with the digest of the own seed; a stranger gets nothing, and no round is made up."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    await play.rounds(table_id, players, 1)
    given = await players[0].house.set_seed(table_id, "lucky")
    await play.rounds(table_id, players, 2, seed=1)
    page = await recall(crowd, players[0], table_id, round_number=2)
    assert ([one.round_number for one in page.rounds], page.next_page_token) == ([2], "")
    [found] = page.rounds
    assert (found.seed_digest, found.house_commitment) == (given.seed_digest, given.house_commitment)
    assert not (await recall(crowd, players[1], table_id, round_number=2)).rounds[0].seed_digest
    stranger = await crowd.player("eve")
    assert not (await recall(crowd, stranger, table_id, round_number=2)).rounds
    for number, reason in ((9, "NOT_FOUND"), (-1, "INVALID_ARGUMENT")):
        with pytest.raises(grpc.RpcError) as caught:
            await recall(crowd, players[0], table_id, round_number=number)
        assert caught.value.code().name == reason
    number = await play.start(table_id, players)
    assert not (await recall(crowd, players[0], table_id, round_number=number)).rounds


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
