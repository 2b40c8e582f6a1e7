"""Proofs for players: a card that the caller has seen, against the commitment that stood in the log before the deal."""

from collections.abc import Iterable
from typing import Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.dealer.context import DealerContext
from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.fairness import commitment
from services.journal import log_rows
from services.rules import cards
from services.rules.happenings import AnyHappening, Dealt
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller
from services.table import events
from services.table.full_table import Dealing, FullTable
from services.table.replay import Replay

MOST_READ: Final = 10_000
"""Events of one round that are gone through."""


class Place(msgspec.Struct, frozen=True):
    """The place of a card: stock and position, and the round's chance."""

    stock: int
    position: int
    dealing: Dealing


async def prove(house: DealerContext, request: pb.GetCardProofRequest, caller: Caller) -> pb.GetCardProofResponse:
    """Prove one card. Raises Refused (``PERMISSION_DENIED``) for a card that the caller has not seen in that round."""
    recorded = await _round(house, request.table_id, request.round_number)
    replay = Replay(request.table_id, house.tables.opener(request.table_id), compare=False)
    place = seen(replay, recorded, request.card, caller.subject)
    if place is None:
        message = f"you have not seen the card {request.card[:2]!r} in round {request.round_number}"
        raise Refused(Reason.PERMISSION_DENIED, message)
    order = place.dealing.orders[place.stock]
    proof = commitment.prove(place.dealing.round_seed, place.stock, order, place.position)
    return pb.GetCardProofResponse(
        stock=place.stock,
        position=place.position,
        card=proof.card,
        nonce=proof.nonce.hex(),
        path=[node.hex() for node in proof.path],
        root=commitment.root(place.dealing.round_seed, place.stock, order).hex(),
        size=proof.size,
    )


async def _round(house: DealerContext, table_id: str, number: int) -> list[StoredEvent]:
    async with house.pool.connection() as conn:
        head = await log.read_head(conn, table_id)
        if head is None:
            raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all")
        recorded = await log.read(conn, table_id, head.rebuild_version - 1, MOST_READ)
    started = log_rows.from_stored(recorded[0])
    if not isinstance(started, events.RoundStarted) or started.round_number != number:
        raise Refused(Reason.NOT_FOUND, f"round {number} is not the running or last round of this table")
    return recorded


def seen(replay: Replay, recorded: Iterable[StoredEvent], card: str, player: str) -> Place | None:
    """Go through a round with a player's eyes until the card is in sight, at a position that was dealt by then.

    A card in sight may lie in several stocks (one that was shown, and a later one): the player has seen the one that
    was dealt face up, else the one of the newest stock, from which its own hidden cards came. The sign for a hidden
    card is not a card: nobody has seen it.
    """
    if not cards.is_card(card):
        return None
    dealt: dict[tuple[int, int], str] = {}
    for one in recorded:
        event = log_rows.from_stored(one)
        replay.take(one.version, event)
        table = replay.table
        if table is None or table.round is None or table.dealing is None:
            return None
        _note(dealt, getattr(event, "happenings", ()))
        place = _in_sight(table, dealt, card, player)
        if place is not None:
            return place
    return None


def _note(dealt: dict[tuple[int, int], str], happened: Iterable[AnyHappening]) -> None:
    for entry in happened:
        if isinstance(entry, Dealt):
            for position, face in zip(entry.positions, entry.cards, strict=True):
                dealt[entry.stock, position] = face


def _in_sight(table: FullTable, dealt: dict[tuple[int, int], str], card: str, player: str) -> Place | None:
    assert table.round is not None, "a round is open"
    assert table.dealing is not None, "a round has its chance"
    face_up = [key for key, face in dealt.items() if face == card]
    if face_up:
        return Place(*face_up[0], table.dealing)
    seat = table.core.seat_of(player)
    view = table.round.view(None if seat is None else seat.seat)
    if all(card not in zone.cards for zone in view.zones):
        return None
    newest = max((stock for stock, _ in dealt), default=0)
    orders = table.dealing.orders
    places = [key for key in dealt if key[0] == newest and orders[key[0]][key[1]] == card]
    return Place(*min(places), table.dealing) if places else None
