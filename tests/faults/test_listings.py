"""Page tokens that no page gave, and odd filters, sizes and numbers, are refused."""

import uuid

from pitboss.v1 import audit_pb2, catalogue_pb2, dealer_pb2, wallet_pb2

from tests.faults import floor, refusing
from tests.support.people import Crowd

TOKENS = [
    "garbage",
    "-1",
    "9" * 40,
    "9" * 10_000,
    "٣",
    "\x00",
    "_",
    "1_\x00",
    "1_x",
    "9" * 40 + "_" + str(uuid.UUID(int=0)),
    "x" * 10_000,
]


async def test_bad_page_tokens_and_filters_are_refused(crowd: Crowd) -> None:
    """Page tokens that no page gave are INVALID_ARGUMENT everywhere; so are odd filters, sizes and numbers."""
    player, staff = await crowd.player("ann"), crowd.operator.house
    stub, auditor = crowd.auditor()
    table = (await staff.create_table("texas_holdem")).table_id
    for token in TOKENS:
        recall = audit_pb2.RecallRoundsRequest(table_id=table, page_token=token)
        for method, request, metadata in (
            (player.house.dealer.ListTables, dealer_pb2.ListTablesRequest(page_token=token), player.metadata),
            (player.house.catalogue.ListGames, catalogue_pb2.ListGamesRequest(page_token=token), player.metadata),
            (
                player.house.wallets.ListStatementLines,
                wallet_pb2.ListStatementLinesRequest(page_token=token),
                player.metadata,
            ),
            (stub.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_token=token), auditor),
            (stub.RecallRounds, recall, player.metadata),
        ):
            try:
                refusal = await refusing.refused(refusing.asked(method, request, metadata))
            except BaseException as error:
                error.add_note(f"{type(request).__name__} with the token {token[:20]!r}")
                raise
            assert refusal.reason == "INVALID_ARGUMENT", f"{token[:20]!r}: {refusal}"
    for size in (-1, -(1 << 31)):
        await refusing.refused(floor.once(player, 0, "ListTables", dealer_pb2.ListTablesRequest(page_size=size)))
        await refusing.refused(
            refusing.asked(stub.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_size=size), auditor)
        )
    for text in refusing.TEXTS:
        for field in ("game", "family", "currency"):
            listing = dealer_pb2.ListTablesRequest(**{field: text})  # type: ignore[arg-type]  # a text field each
            assert (await refusing.refused(floor.once(player, 0, "ListTables", listing))).reason == "INVALID_ARGUMENT"
    for number in (-1, 0, 1 << 62, -(1 << 63)):
        await refusing.refused(
            refusing.asked(stub.ReadRound, audit_pb2.ReadRoundRequest(table_id=table, round_number=number), auditor)
        )
        proof = audit_pb2.ProveInclusionRequest(checkpoint_number=number, table_id=table)
        await refusing.refused(refusing.asked(stub.ProveInclusion, proof, auditor))
        card = dealer_pb2.GetCardProofRequest(table_id=table, round_number=number, card="As")
        await refusing.refused(floor.once(player, 0, "GetCardProof", card))
        replay = audit_pb2.ReplayTableRequest(table_id=table, from_version=number, to_version=number)
        await refusing.answered(refusing.asked(stub.ReplayTable, replay, auditor))
        watch = dealer_pb2.WatchTableRequest(table_id=table, after_version=number)
        await refusing.answered(
            refusing.first(player.house.dealer.WatchTable(watch, timeout=60, metadata=player.metadata))
        )
