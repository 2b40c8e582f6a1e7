"""Whatever is sent that makes no sense is refused with a clear reason; nothing is appended, nothing secret logged."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import grpc
import jwt
import pytest
from google.protobuf import struct_pb2
from pitboss import client
from pitboss.v1 import actions_pb2, audit_pb2, catalogue_pb2, dealer_pb2, report_pb2, wallet_pb2

from services.runtime.identity import Caller, Identity, Role
from services.runtime.reasons import Reason
from tests import people
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.people import Crowd

REASONS = {reason.value for reason in Reason}
NOWHERE = ["", "0", "no-table", str(uuid.UUID(int=0)), str(uuid.uuid4()), "x" * 100_000, "\x00", "'; DROP TABLE events"]
AMOUNTS = [0, -1, -(1 << 63), (1 << 63) - 1, 1 << 53]
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
TEXTS = ["\x00", "x" * 100_000, "a\nb", "\u202e"]


@pytest.fixture
async def table(house: Broken, crowd: Crowd) -> Played:
    """Give a table of hold'em in mid-round."""
    del house
    opened = await Played.open(crowd, "texas_holdem")
    await opened.start()
    return opened


async def _refused(call: Any) -> client.Refused:
    """Await a call that must be refused with a reason of the closed list, by a fault of the caller's."""
    with pytest.raises(client.Refused) as caught:
        await call
    assert caught.value.reason in REASONS - {"INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"}, caught.value
    assert caught.value.message, "a refusal says in words what was wrong"
    return caught.value


async def _unchanged(house: Broken, before: dict[str, int]) -> None:
    assert await house.counts() == before, "something that was refused was written"


def _with(make: Callable[..., Any], field: str, **more: Any) -> Callable[[Any], Any]:
    return lambda value: make(**{"request_id": uuid.uuid4().hex, field: value, **more})


async def test_unknown_tables_are_not_found(house: Broken, crowd: Crowd) -> None:
    """Every method about a table says TABLE_NOT_FOUND for what is none, whatever the text."""
    player, staff = await crowd.player("ann"), crowd.operator
    before = await house.counts()
    fold = people.action("fold")
    calls: list[tuple[people.Person, str, Callable[[str], Any]]] = [
        (player, "GetTable", lambda it: dealer_pb2.GetTableRequest(table_id=it)),
        (player, "Act", _with(dealer_pb2.ActRequest, "table_id", action=fold)),
        (player, "TakeSeat", _with(dealer_pb2.TakeSeatRequest, "table_id", buy_in=100)),
        (player, "AddChips", _with(dealer_pb2.AddChipsRequest, "table_id", amount=100)),
        (player, "LeaveSeat", _with(dealer_pb2.LeaveSeatRequest, "table_id")),
        (player, "StartRound", _with(dealer_pb2.StartRoundRequest, "table_id")),
        (player, "SetSeed", _with(dealer_pb2.SetSeedRequest, "table_id", seed="a")),
        (player, "GetCardProof", lambda it: dealer_pb2.GetCardProofRequest(table_id=it, round_number=1, card="As")),
        (staff, "VoidRound", _with(dealer_pb2.VoidRoundRequest, "table_id", reason="x")),
        (staff, "CloseTable", _with(dealer_pb2.CloseTableRequest, "table_id", reason="x")),
        (staff, "PassDeadline", _with(dealer_pb2.PassDeadlineRequest, "table_id")),
        (staff, "ScriptRound", _with(dealer_pb2.ScriptRoundRequest, "table_id")),
    ]
    for person, method, make in calls:
        for text in NOWHERE:
            refusal = await _refused(floor.once(person, 0, method, make(text)))
            assert refusal.reason == "TABLE_NOT_FOUND", f"{method} of {text[:20]!r}: {refusal}"
    for text in NOWHERE:
        with pytest.raises(client.Refused) as caught:
            async for _ in player.house.watch(text):
                pass
        assert caught.value.reason == "TABLE_NOT_FOUND"
    stub, metadata = crowd.auditor()
    for text in NOWHERE:
        for method, request in (
            ("ReadRound", audit_pb2.ReadRoundRequest(table_id=text, round_number=1)),
            ("ReplayTable", audit_pb2.ReplayTableRequest(table_id=text)),
            ("VerifyStream", audit_pb2.VerifyStreamRequest(table_id=text)),
        ):
            assert (await _refused(_plain(getattr(stub, method), request, metadata))).reason == "TABLE_NOT_FOUND"
    await _unchanged(house, before)


async def _plain(method: Any, request: Any, metadata: Any) -> Any:
    try:
        return await method(request, timeout=10, metadata=metadata)
    except grpc.RpcError as error:
        raise client.refusal(error) from None


async def test_amounts_out_of_bounds_are_refused(house: Broken, crowd: Crowd, table: Played) -> None:
    """Nought, negative and enormous amounts are refused wherever one is named, and no chip moves."""
    seen = await table.view()
    seat = seen.round.waiting_for[0]
    acting, stranger, staff = table.players[seat], await crowd.player("ann"), crowd.operator.house
    other = (await crowd.operator.house.create_table("suit_betting")).table_id
    before = await house.counts()
    for amount in AMOUNTS:
        for word, arguments in (("bet", {"amount": amount}), ("raise", {"to": amount})):
            request = dealer_pb2.ActRequest(
                request_id=uuid.uuid4().hex, table_id=table.table_id, action=people.action(word, **arguments)
            )
            refusal = await _refused(floor.once(acting, 0, "Act", request))
            assert refusal.reason in ("AMOUNT_OUT_OF_RANGE", "INSUFFICIENT_CHIPS", "ILLEGAL_ACTION"), refusal
        for method, make in (
            ("TakeSeat", _with(dealer_pb2.TakeSeatRequest, "buy_in", table_id=other)),
            ("TakeAnySeat", _with(dealer_pb2.TakeAnySeatRequest, "buy_in", game="suit_betting")),
            ("AddChips", _with(dealer_pb2.AddChipsRequest, "amount", table_id=other)),
        ):
            await _refused(floor.once(stranger, 0, method, make(amount)))
        for kind, call in ((wallet_pb2.DepositRequest, "Deposit"), (wallet_pb2.WithdrawRequest, "Withdraw")):
            moving: Any = kind(request_id=uuid.uuid4().hex, player=stranger.subject, amount=amount)
            if amount != 1 << 53 or call == "Withdraw":
                await _refused(staff.call(getattr(staff.wallets, call), moving))
    for seat_number in (-1, -(1 << 31), (1 << 31) - 1, 50):
        sitting = dealer_pb2.TakeSeatRequest(request_id=uuid.uuid4().hex, table_id=other, seat=seat_number, buy_in=100)
        await _refused(floor.once(stranger, 0, "TakeSeat", sitting))
    await _unchanged(house, before)
    await proofs.hold(house, crowd, table)


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
        (stranger, "StartRound", dealer_pb2.StartRoundRequest(request_id="s", table_id=climbing.table_id),
         "NOT_SEATED"),
        (stranger, "SetSeed", dealer_pb2.SetSeedRequest(request_id="t", table_id=table.table_id, seed="a"),
         "NOT_SEATED"),
        (crowd.operator, "Act", act(table.table_id, "fold"), "PERMISSION_DENIED"),
        (stranger, "VoidRound", dealer_pb2.VoidRoundRequest(request_id="v", table_id=table.table_id, reason="x"),
         "PERMISSION_DENIED"),
        (stranger, "PassDeadline", dealer_pb2.PassDeadlineRequest(request_id="w", table_id=table.table_id),
         "PERMISSION_DENIED"),
        (climbing.players[0], "Act", act(climbing.table_id, "play", cards=["As"]), "ROUND_NOT_OPEN"),
        (tricks.players[0], "Act", act(tricks.table_id, "set_nickname", name="x" * 10_000), "ROUND_NOT_OPEN"),
    ):  # fmt: skip
        refusal = await _refused(floor.once(person, 1, method, request))
        assert refusal.reason == reason, f"{method}: {refusal}"
    await _unchanged(house, before)


async def test_cards_that_are_not_held_are_refused(house: Broken, crowd: Crowd) -> None:
    """In a game in which cards are played, cards of others, no cards at all, and doubles are refused by name."""
    table = await Played.open(crowd, "five_card_draw")
    await table.start()
    while (view := await table.view()).round.phase not in ("draw", "drawing"):
        chosen = await table.next_action()
        assert chosen is not None, f"the draw never came ({view.round.phase})"
        chosen[1].action.Clear()
        own = await table.view(chosen[0])
        words = {option.action for option in own.round.options}
        getattr(chosen[1].action, "call" if "call" in words else "check").SetInParent()
        await table.act(*chosen)
    seat = view.round.waiting_for[0]
    own = await table.view(seat)
    held = next(zone.cards for zone in own.round.zones if zone.HasField("owner") and zone.owner == seat)
    foreign = next(card for card in ("As", "Ks", "Qs", "Js", "Ts", "9s") if card not in held)
    before = await house.counts()
    for cards in ([foreign], [held[0], held[0]], ["??"], ["1x"], ["\x00"], ["x" * 10_000], [""], ["As"] * 1000):
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table.table_id, action=people.action("draw", discards=cards)
        )
        refusal = await _refused(floor.once(table.players[seat], 0, "Act", request))
        assert refusal.reason in ("CARD_NOT_HELD", "ILLEGAL_CARDS", "AMOUNT_OUT_OF_RANGE"), refusal
    await _unchanged(house, before)
    await table.finish()
    await proofs.hold(house, crowd, table)


async def test_tokens_that_do_not_hold_are_refused(house: Broken, crowd: Crowd, table: Played) -> None:
    """No token, a foreign one, an expired one, one for elsewhere, one without signature: UNAUTHENTICATED, unlogged."""
    identity: Identity = crowd.reach.identity
    caller = Caller(subject=table.players[0].subject, role=Role.PLAYER)
    secret = house.running.environment["PITBOSS_JWT_SECRET"]
    good = jwt.decode(identity.mint(caller, 60.0), options={"verify_signature": False})
    tokens = [
        "", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", identity.mint(caller, 60.0, 1_000_000.0),
        jwt.encode(good, "another secret, long enough to sign with", "HS256"),
        jwt.encode(good | {"aud": "elsewhere"}, secret, "HS256"),
        jwt.encode(good | {"iss": "elsewhere"}, secret, "HS256"),
        jwt.encode(good | {"role": "king"}, secret, "HS256"), jwt.encode(good | {"sub": ""}, secret, "HS256"),
        jwt.encode(good, "", "none"), identity.mint(caller, 60.0)[:-2], "x" * 5000,
    ]  # fmt: skip
    before = await house.counts()
    for token in tokens:
        for metadata in ([("authorization", f"Bearer {token}")], [("authorization", token)]):
            request = dealer_pb2.GetTableRequest(table_id=table.table_id)
            stub = table.players[0].house.dealer
            refusal = await _refused(_plain(stub.GetTable, request, metadata))
            assert (refusal.reason, refusal.code.name) == ("UNAUTHENTICATED", "UNAUTHENTICATED"), token[:20]
    await _unchanged(house, before)
    said = house.said()
    for token in tokens:
        if len(token) > 60:
            assert token not in said, "a token stands in a log"
            signature = token.rpartition(".")[2]
            assert not signature or signature not in said, "the signature of a token stands in a log"


@pytest.mark.parametrize(
    "path",
    ["DealerService/Act", "DealerService/CreateTable", "DealerService/WatchTable", "DealerService/ListTables",
     "CatalogueService/GetGame"],
)  # fmt: skip
async def test_bytes_that_are_no_message_are_refused(house: Broken, crowd: Crowd, path: str) -> None:
    """Bytes that no message of the method makes are MALFORMED_REQUEST."""
    before = await house.counts()
    player = await crowd.player("ann", 0)
    async with grpc.aio.insecure_channel(crowd.reach.dealers[0]) as channel:
        no_text = [] if path.endswith("ListTables") else [b"\x0a\x02\xc3\x28"]  # its first field is a number
        for raw in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)), b"\x0a\x7f" + b"x" * 9, *no_text):
            make: Any = channel.unary_stream if path.endswith("WatchTable") else channel.unary_unary
            call = make(f"/pitboss.v1.{path}")(raw, timeout=10, metadata=player.metadata)
            refusal = await _refused(_first(call))
            assert (refusal.reason, refusal.code.name) == ("MALFORMED_REQUEST", "INVALID_ARGUMENT")
    await _unchanged(house, before)


async def _first(call: Any) -> Any:
    try:
        return await (call.read() if hasattr(call, "read") else call)
    except grpc.RpcError as error:
        raise client.refusal(error) from None


async def test_unknown_methods_and_huge_messages_are_refused(house: Broken, crowd: Crowd) -> None:
    """A method that is not there is UNIMPLEMENTED, a message beyond the bound RESOURCE_EXHAUSTED."""
    player = await crowd.player("ann", 0)
    before = await house.counts()
    async with grpc.aio.insecure_channel(crowd.reach.dealers[0]) as channel:
        for path, raw, code in (
            ("/pitboss.v1.DealerService/Cheat", b"", grpc.StatusCode.UNIMPLEMENTED),
            ("/pitboss.v1.WalletService/Deposit", b"", grpc.StatusCode.UNIMPLEMENTED),
            ("/pitboss.v1.DealerService/Act", b"\x0a" * (1 << 21), grpc.StatusCode.RESOURCE_EXHAUSTED),
        ):
            calling: Any = channel.unary_unary
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await calling(path)(raw, timeout=10, metadata=player.metadata)
            assert caught.value.code() is code
    await _unchanged(house, before)


async def test_commands_that_say_nothing_are_refused(house: Broken, table: Played) -> None:
    """An action without a kind, a command without a request id or with an absurd one, is told what is missing."""
    player = table.players[(await table.view()).round.waiting_for[0]]
    before = await house.counts()
    empty = dealer_pb2.ActRequest(request_id="one", table_id=table.table_id, action=actions_pb2.Action())
    assert (await _refused(floor.once(player, 0, "Act", empty))).reason == "INVALID_ARGUMENT"
    absent = dealer_pb2.ActRequest(request_id="two", table_id=table.table_id)
    assert (await _refused(floor.once(player, 0, "Act", absent))).reason == "INVALID_ARGUMENT"
    for text in ("", "x" * 65, "é", "\x00", "a\nb"):
        named = dealer_pb2.ActRequest(request_id=text, table_id=table.table_id, action=people.action("fold"))
        refusal = await _refused(floor.once(player, 0, "Act", named))
        assert (refusal.reason, "request_id" in refusal.message) == ("INVALID_ARGUMENT", True)
        made = dealer_pb2.CreateTableRequest(request_id=text, game="texas_holdem")
        assert (await _refused(floor.once(player, 0, "CreateTable", made))).reason == "INVALID_ARGUMENT"
    for seed in ("", *TEXTS[:3]):
        given = dealer_pb2.SetSeedRequest(request_id=uuid.uuid4().hex, table_id=table.table_id, seed=seed)
        assert (await _refused(floor.once(player, 0, "SetSeed", given))).reason == "INVALID_ARGUMENT"
    await _unchanged(house, before)


def _rules() -> list[Any]:
    nested = struct_pb2.Value(number_value=1)
    for _ in range(25):
        nested = struct_pb2.Value(struct_value=struct_pb2.Struct(fields={"a": nested}))
    odd: list[dict[str, Any]] = [
        {"turn_seconds": -5}, {"turn_seconds": 0}, {"turn_seconds": 1e300}, {"turn_seconds": 1.5}, {"no_such_rule": 1},
        {"big_blind": "many"}, {"big_blind": None}, {"big_blind": [1, 2]}, {"max_seats": 1 << 40}, {"fee_bps": 20_000},
        {"win_cap": "maybe"}, {"": 1}, {"\x00": 1}, {"x" * 10_000: 1}, {"small_blind": -1}, {"max_seats": 0},
        {"min_seats": 9, "max_seats": 2}, {"big_blind": 1 << 62}, {"turn_seconds": True}, {"rake_bps": -1},
    ]  # fmt: skip
    made = [client.struct(one) for one in odd]
    made += [
        struct_pb2.Struct(fields={"turn_seconds": struct_pb2.Value(number_value=number)})
        for number in (float("nan"), float("inf"), float("-inf"))
    ]
    return [
        *made,
        struct_pb2.Struct(fields={"turn_seconds": struct_pb2.Value()}),
        struct_pb2.Struct(fields={"a": nested}),
    ]


async def test_odd_house_rules_are_refused(house: Broken, crowd: Crowd) -> None:
    """House rules that are none, or out of bounds, name the rule; so do unknown games, titles and currencies."""
    before = await house.counts()
    staff = crowd.operator
    for rules in _rules():
        request = dealer_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, game="texas_holdem", house_rules=rules)
        refusal = await _refused(floor.once(staff, 0, "CreateTable", request))
        assert refusal.reason in ("HOUSE_RULE_OUT_OF_RANGE", "INVALID_ARGUMENT"), f"{rules}: {refusal}"
    wrong: list[dict[str, Any]] = [
        *({"game": game} for game in ("", "chess", "\x00", "x" * 100_000, "../../etc", "Texas_Holdem")),
        *({"game": "texas_holdem", "title": title} for title in TEXTS),
        *({"game": "texas_holdem", "currency": text} for text in ("x", "chips", "\x00\x00\x00", "X" * 99, "XTS")),
        *({"game": "texas_holdem", "least_buy_in": amount} for amount in (-1, -(1 << 63), (1 << 63) - 1)),
        *({"game": "texas_holdem", "greatest_buy_in": amount} for amount in (-1, (1 << 63) - 1)),
        *({"game": "texas_holdem", "first_button": seat} for seat in (-1, 99, (1 << 31) - 1)),
        {"game": "texas_holdem", "test": True, "currency": "CHIPS"},
    ]
    for given in wrong:
        request = dealer_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, **given)
        await _refused(floor.once(staff, 0, "CreateTable", request))
        named = given.get("game", "")
        if named != "texas_holdem":
            with pytest.raises(client.Refused) as caught:
                await staff.house.game(named)
            assert caught.value.reason == "UNKNOWN_GAME"
    await _unchanged(house, before)


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
            (player.house.wallets.ListStatementLines, wallet_pb2.ListStatementLinesRequest(page_token=token),
             player.metadata),
            (stub.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_token=token), auditor),
            (stub.RecallRounds, recall, player.metadata),
        ):  # fmt: skip
            try:
                refusal = await _refused(_plain(method, request, metadata))
            except BaseException as error:
                error.add_note(f"{type(request).__name__} with the token {token[:20]!r}")
                raise
            assert refusal.reason == "INVALID_ARGUMENT", f"{token[:20]!r}: {refusal}"
    for size in (-1, 1 << 30, -(1 << 31)):
        await _refused(floor.once(player, 0, "ListTables", dealer_pb2.ListTablesRequest(page_size=size)))
        await _refused(_plain(stub.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_size=size), auditor))
    for text in TEXTS:
        for field in ("game", "family", "currency"):
            listing = dealer_pb2.ListTablesRequest(**{field: text})  # type: ignore[arg-type]  # a text field each
            assert (await _refused(floor.once(player, 0, "ListTables", listing))).reason == "INVALID_ARGUMENT"
    for number in (-1, 0, 1 << 62, -(1 << 63)):
        await _refused(_plain(stub.ReadRound, audit_pb2.ReadRoundRequest(table_id=table, round_number=number), auditor))
        proof = audit_pb2.ProveInclusionRequest(checkpoint_number=number, table_id=table)
        await _refused(_plain(stub.ProveInclusion, proof, auditor))
        card = dealer_pb2.GetCardProofRequest(table_id=table, round_number=number, card="As")
        await _refused(floor.once(player, 0, "GetCardProof", card))
        replay = audit_pb2.ReplayTableRequest(table_id=table, from_version=number, to_version=number)
        await _answered_or_refused(_plain(stub.ReplayTable, replay, auditor))
        watch = dealer_pb2.WatchTableRequest(table_id=table, after_version=number)
        await _answered_or_refused(_first(player.house.dealer.WatchTable(watch, timeout=5, metadata=player.metadata)))


async def _answered_or_refused(call: Any) -> None:
    try:
        await call
    except client.Refused as refusal:
        assert refusal.reason in REASONS - {"INTERNAL", "UNAVAILABLE"}, refusal  # noqa: PT017 - either is right


async def test_odd_texts_are_refused_wherever_they_would_be_kept(house: Broken, crowd: Crowd, table: Played) -> None:
    """Subjects, reasons and currencies with controls, or too long, are refused before the database has to."""
    staff = crowd.operator.house
    before = await house.counts()
    for text in ("\x00", "x" * 100_000):
        calls: tuple[tuple[Any, Any], ...] = (
            (wallet_pb2.DepositRequest(request_id="a", player=text, amount=1), staff.wallets.Deposit),
            (wallet_pb2.DepositRequest(request_id="a", player="ann", amount=1, reason=text), staff.wallets.Deposit),
            (wallet_pb2.DepositRequest(request_id="a", player="ann", amount=1, currency=text), staff.wallets.Deposit),
            (wallet_pb2.WithdrawRequest(request_id="a", player=text, amount=1), staff.wallets.Withdraw),
            (wallet_pb2.GetBalanceRequest(player=text), staff.wallets.GetBalance),
            (wallet_pb2.ListStatementLinesRequest(player=text), staff.wallets.ListStatementLines),
            (dealer_pb2.VoidRoundRequest(request_id="a", table_id=table.table_id, reason=text), staff.dealer.VoidRound),
            (dealer_pb2.CloseTableRequest(request_id="a", table_id=table.table_id, reason=text),
             staff.dealer.CloseTable),
        )  # fmt: skip
        for request, method in calls:
            await _refused(staff.call(method, request))
    report = report_pb2.GetHouseReportRequest(currency="\x00")
    async with grpc.aio.insecure_channel(crowd.reach.settlement) as channel:
        method = channel.unary_unary(
            "/pitboss.v1.ReportService/GetHouseReport",
            report_pb2.GetHouseReportRequest.SerializeToString,
            report_pb2.GetHouseReportResponse.FromString,
        )
        await _refused(_plain(method, report, crowd.operator.metadata))
    await _unchanged(house, before)


async def test_logs_hold_no_token_and_no_secret(house: Broken, crowd: Crowd, table: Played) -> None:
    """After all this no log line of any process or server holds a token, a key or a password."""
    await table.finish()
    said = house.said()
    assert not re.search(r"eyJ[A-Za-z0-9_-]{10,}\.", said), "a token stands in a log"
    for person in (*table.players, crowd.operator):
        assert person.token.rpartition(".")[2] not in said
    for secret in house.secrets():
        assert secret not in said, "a secret of the house stands in a log"
