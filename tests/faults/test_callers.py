"""A caller without rights or identity is refused; no log holds a token or a secret."""

import re
import uuid
from typing import Any

import jwt
from pitboss.v1 import dealer_pb2

from services.localhouse import secret_set
from services.runtime import settings
from services.runtime.identity import Caller, Identity, Role
from tests.faults import floor, refusing
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people
from tests.support.people import Crowd


async def test_who_may_not_act_is_refused(house: Broken, crowd: Crowd, table: Played) -> None:
    """Strangers have no seat, others not the turn, operators no seat at all; cards not held cannot be played."""
    seen = await table.view()
    turn = seen.round.waiting_for[0]
    waiting = next(at for at in range(len(table.players)) if at != turn)
    stranger = await crowd.player("ann")
    climbing = await Played.open(crowd, "dou_dizhu")
    tricks = await Played.open(crowd, "loo")
    before = await house.counts()

    def act(table_id: str, word: str, **arguments: Any) -> dealer_pb2.ActRequest:
        return dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table_id, action=people.action(word, **arguments)
        )

    for person, method, request, reason in (
        (table.players[waiting], "Act", act(table.table_id, "fold"), "OUT_OF_TURN"),
        (table.players[turn], "Act", act(table.table_id, "slap"), "ILLEGAL_ACTION"),
        (table.players[turn], "Act", act(table.table_id, "draw", discards=["??", "As", "As"]), "ILLEGAL_ACTION"),
        (stranger, "Act", act(table.table_id, "fold"), "NOT_SEATED"),
        (
            stranger,
            "StartRound",
            dealer_pb2.StartRoundRequest(request_id="s", table_id=climbing.table_id),
            "NOT_SEATED",
        ),
        (
            stranger,
            "SetSeed",
            dealer_pb2.SetSeedRequest(request_id="t", table_id=table.table_id, seed="a"),
            "NOT_SEATED",
        ),
        (crowd.operator, "Act", act(table.table_id, "fold"), "PERMISSION_DENIED"),
        (
            stranger,
            "VoidRound",
            dealer_pb2.VoidRoundRequest(request_id="v", table_id=table.table_id, reason="x"),
            "PERMISSION_DENIED",
        ),
        (
            stranger,
            "PassDeadline",
            dealer_pb2.PassDeadlineRequest(request_id="w", table_id=table.table_id),
            "PERMISSION_DENIED",
        ),
        (climbing.players[0], "Act", act(climbing.table_id, "play", cards=["As"]), "ROUND_NOT_OPEN"),
        (tricks.players[0], "Act", act(tricks.table_id, "set_nickname", name="x" * 10_000), "ROUND_NOT_OPEN"),
    ):
        refusal = await refusing.refused(floor.once(person, 1, method, request))
        assert refusal.reason == reason, f"{method}: {refusal}"
    await refusing.unchanged(house, before)


async def test_tokens_that_do_not_hold_are_refused(house: Broken, crowd: Crowd, table: Played) -> None:
    """No token, a foreign one, an expired one, one for elsewhere, one without signature: UNAUTHENTICATED, unlogged."""
    identity: Identity = crowd.reach.identity
    caller = Caller(subject=table.players[0].subject, role=Role.PLAYER)
    own = Identity(settings.load(**secret_set.of_tokens(house.running.folder / "secrets.json")))
    public = house.running.environment["PITBOSS_JWT_PUBLIC_KEY"]

    def signed(**other: str) -> str:
        return own.sign(good | other)

    good = jwt.decode(identity.mint(caller, 60.0), options={"verify_signature": False})
    tokens = [
        "",
        "x",
        "a.b.c",
        "eyJhbGciOiJub25lIn0.e30.",
        identity.mint(caller, 60.0, 1_000_000.0),
        jwt.encode(good, "another secret, long enough to sign with", "HS256"),
        jwt.encode(good, public, "HS256"),
        signed(aud="elsewhere"),
        signed(iss="elsewhere"),
        signed(role="king"),
        signed(sub=""),
        jwt.encode(good, "", "none"),
        identity.mint(caller, 60.0)[:-2],
        "x" * 5000,
    ]
    before = await house.counts()
    for token in tokens:
        for metadata in ([("authorization", f"Bearer {token}")], [("authorization", token)]):
            request = dealer_pb2.GetTableRequest(table_id=table.table_id)
            stub = table.players[0].house.dealer
            refusal = await refusing.refused(refusing.asked(stub.GetTable, request, metadata))
            assert (refusal.reason, refusal.code.name) == ("UNAUTHENTICATED", "UNAUTHENTICATED"), token[:20]
    await refusing.unchanged(house, before)
    said = house.said()
    for token in tokens:
        if len(token) > 60:
            assert token not in said, "a token stands in a log"
            signature = token.rpartition(".")[2]
            assert not signature or signature not in said, "the signature of a token stands in a log"


async def test_logs_hold_no_token_and_no_secret(house: Broken, crowd: Crowd, table: Played) -> None:
    """After all this no log line of any process or server holds a token, a key or a password."""
    await table.finish()
    said = house.said()
    assert not re.search(r"eyJ[A-Za-z0-9_-]{10,}\.", said), "a token stands in a log"
    for person in (*table.players, crowd.operator):
        assert person.token.rpartition(".")[2] not in said
    for secret in house.secrets():
        assert secret not in said, "a secret of the house stands in a log"
