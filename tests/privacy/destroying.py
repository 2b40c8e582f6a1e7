"""Destroys players' keys in tests without an operator: the two records and the one function."""

import uuid

from services.registry import player_keys
from tests.support.served import Connection


async def destroy(conn: Connection, player: str) -> str:
    """Destroy a player's key as two persons would; returns its id."""
    erasure_id = await approve(conn, player)
    return await player_keys.destroy(conn, erasure_id)


async def approve(conn: Connection, player: str) -> str:
    """Record that two persons agree on an erasure; return its id."""
    erasure_id = str(uuid.uuid4())
    key = uuid.uuid4().hex
    await conn.execute(
        "INSERT INTO erasure_requests (number, erasure_id, player, reason, asked_by, request_key, digest)"
        " SELECT coalesce(max(number), 0) + 1, %s::uuid, %s, 'its wish', 'alice', %s, 'x' FROM erasure_requests",
        (erasure_id, player, key),
    )
    await conn.execute(
        "INSERT INTO erasure_decisions (erasure_id, approved, reason, decided_by, request_key, digest)"
        " VALUES (%s, true, 'so be it', 'bertha', %s, 'x')",
        (erasure_id, key),
    )
    return erasure_id
