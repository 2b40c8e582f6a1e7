"""What a player can prove about its own cards, and what it cannot learn."""

import hashlib

import pytest
from pitboss import client, proofs
from pitboss.v1 import actions_pb2 as do

from services.cli.certify import over_grpc
from services.fairness.scripted import Script
from services.rules import cards
from tests.support import people


async def test_a_player_proves_its_own_cards_against_the_commitment(crowd: people.Crowd) -> None:
    """Each hole card that a player sees leads to the root in the log from before the deal."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"))
    await players[0].house.start_round(table_id)
    for seat, player in enumerate(players):
        seen = await player.house.table(table_id)
        own = next(zone for zone in seen.round.zones if zone.HasField("owner") and zone.owner == seat)
        assert cards.HIDDEN not in own.cards
        for card in own.cards:
            proof = await player.house.card_proof(table_id, 1, card)
            assert proof.root == seen.round.stocks[0].root
            assert proofs.check(proof, seen.round.stocks[0].root)


async def test_a_card_that_was_not_seen_is_not_proven(crowd: people.Crowd) -> None:
    """A request for another's card is refused in the same words whether or not somebody holds it."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"))
    await players[0].house.start_round(table_id)
    views = [await player.house.table(table_id) for player in players]
    seen = {card for zone in views[0].round.zones for card in zone.cards}
    said = set()
    for card in cards.PACK_52:
        if card not in seen:
            refusal = await people.refused("PERMISSION_DENIED", players[0].house.card_proof(table_id, 1, card))
            said.add(refusal.message.replace(card, "the card"))
    assert len(said) == 1


async def test_the_sign_for_a_hidden_card_proves_none(crowd: people.Crowd) -> None:
    """A request for a hidden card is refused at every moment of a round, to players and to strangers."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"))
    await players[0].house.start_round(table_id)
    stranger = crowd.person("eve")
    for asking in (*players, stranger):
        for sign in (cards.HIDDEN, "", "?", "Zz"):
            await people.refused("PERMISSION_DENIED", asking.house.card_proof(table_id, 1, sign))
    for _ in range(2):
        turn = (await players[0].house.table(table_id)).round.waiting_for[0]
        await players[turn].house.act(table_id, do.Action(all_in=do.AllInAction()))
    await people.refused("PERMISSION_DENIED", stranger.house.card_proof(table_id, 1, cards.HIDDEN))


async def test_a_proof_is_of_the_round_that_was_asked_for(crowd: people.Crowd) -> None:
    """A card held in the second round is proven for that round; the first, the next and any other are NOT_FOUND."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"))
    await people.refused("NOT_FOUND", players[0].house.card_proof(table_id, 1, "As"))
    await players[0].house.start_round(table_id)
    turn = (await players[0].house.table(table_id)).round.waiting_for[0]
    await players[turn].house.act(table_id, do.Action(fold=do.FoldAction()))
    await people.until_settled(players[0].house, table_id, 1)
    await players[0].house.start_round(table_id)
    seen = await players[0].house.table(table_id)
    own = next(zone.cards[0] for zone in seen.round.zones if zone.HasField("owner") and zone.owner == 0)
    assert (await players[0].house.card_proof(table_id, 2, own)).card == own
    for number in (-1, 0, 1, 3, 1 << 62):
        await people.refused("NOT_FOUND", players[0].house.card_proof(table_id, number, own))


async def test_a_card_shown_in_one_stock_tells_nothing_of_another(crowd: people.Crowd) -> None:
    """The draw for the dealer shows a card; where the same card lies in the hand's stock stays hidden."""
    bench = over_grpc.Bench(crowd.operator.house, lambda named: crowd.person(named.partition("|")[0], test=True).house)
    await bench.set_up("royal_holdem", {}, ("ann", "bob"), (1000, 1000), 0)
    draw, hand = ("Ks", "2d"), ("3c", "Ks", "4c", "5c")
    await bench.start(Script(stocks=(draw, hand)), {}, 0)
    views = {seat: await player.table(bench.table_id) for seat, player in bench.seats.items()}
    holder = next(seat for seat, view in views.items() if any("Ks" in zone.cards for zone in view.round.zones))
    for seat, player in bench.seats.items():
        proof = await player.card_proof(bench.table_id, 1, "Ks")
        assert proofs.check(proof, views[seat].round.stocks[proof.stock].root)
        assert proof.stock == 0 or seat == holder


async def test_neither_house_nor_players_alone_decide_the_order(crowd: people.Crowd) -> None:
    """The house commits to its seed before a player's seed is taken, and both go into the round."""
    table_id, players = await crowd.table("tongbi_san_gong", ("ann", "bob"))
    before = (await players[0].house.table(table_id)).next_seed_commitment
    answer = await players[0].house.set_seed(table_id, "my own luck")
    assert answer.house_commitment == before
    await players[0].house.start_round(table_id)
    after = (await players[0].house.table(table_id)).next_seed_commitment
    assert after != before
    assert len(bytes.fromhex(after)) == hashlib.sha256().digest_size
    for bad in ("", "x" * 65, "line\nbreak"):
        await people.refused("INVALID_ARGUMENT", players[0].house.set_seed(table_id, bad))
    with pytest.raises(client.Refused):
        await crowd.operator.house.set_seed(table_id, "not mine")
