"""Whatever is sent that makes no sense is refused with a clear reason, and nothing is appended."""

import uuid
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from pitboss import client
from pitboss.v1 import actions_pb2, audit_pb2, dealer_pb2, report_pb2, wallet_pb2

from tests.faults import floor, proofs, refusing
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import people
from tests.support.people import Crowd

NOWHERE = ["", "0", "no-table", str(uuid.UUID(int=0)), str(uuid.uuid4()), "x" * 100_000, "\x00", "'; DROP TABLE events"]
AMOUNTS = [0, -1, -(1 << 63), (1 << 63) - 1, 1 << 53]


def expected(table_id: str) -> str:
    """Return the reason for which this text is refused as a table's id."""
    return "INVALID_ARGUMENT" if "\x00" in table_id else "TABLE_NOT_FOUND"


async def test_unknown_tables_are_not_found(house: Broken, crowd: Crowd) -> None:
    """Every method about a table says TABLE_NOT_FOUND for an id of no table; text with U+0000 is INVALID_ARGUMENT."""
    player, staff = await crowd.player("ann"), crowd.operator
    before = await house.counts()
    fold = people.action("fold")
    calls: list[tuple[people.Person, str, Callable[[str], Any]]] = [
        (player, "GetTable", lambda it: dealer_pb2.GetTableRequest(table_id=it)),
        (player, "Act", refusing.varied(dealer_pb2.ActRequest, "table_id", action=fold)),
        (player, "TakeSeat", refusing.varied(dealer_pb2.TakeSeatRequest, "table_id", buy_in=100)),
        (player, "AddChips", refusing.varied(dealer_pb2.AddChipsRequest, "table_id", amount=100)),
        (player, "LeaveSeat", refusing.varied(dealer_pb2.LeaveSeatRequest, "table_id")),
        (player, "StartRound", refusing.varied(dealer_pb2.StartRoundRequest, "table_id")),
        (player, "SetSeed", refusing.varied(dealer_pb2.SetSeedRequest, "table_id", seed="a")),
        (player, "GetCardProof", lambda it: dealer_pb2.GetCardProofRequest(table_id=it, round_number=1, card="As")),
        (staff, "VoidRound", refusing.varied(dealer_pb2.VoidRoundRequest, "table_id", reason="x")),
        (staff, "CloseTable", refusing.varied(dealer_pb2.CloseTableRequest, "table_id", reason="x")),
        (staff, "PassDeadline", refusing.varied(dealer_pb2.PassDeadlineRequest, "table_id")),
        (staff, "ScriptRound", refusing.varied(dealer_pb2.ScriptRoundRequest, "table_id")),
    ]
    for person, method, make in calls:
        for text in NOWHERE:
            refusal = await refusing.refused(floor.once(person, 0, method, make(text)))
            assert refusal.reason == expected(text), f"{method} of {text[:20]!r}: {refusal}"
    for text in NOWHERE:
        with pytest.raises(client.Refused) as caught:
            async for _ in player.house.watch(text):
                pass
        assert caught.value.reason == expected(text)
    stub, metadata = crowd.auditor()
    for text in NOWHERE:
        for method, request in (
            ("ReadRound", audit_pb2.ReadRoundRequest(table_id=text, round_number=1)),
            ("ReplayTable", audit_pb2.ReplayTableRequest(table_id=text)),
            ("VerifyStream", audit_pb2.VerifyStreamRequest(table_id=text)),
        ):
            assert (
                await refusing.refused(refusing.asked(getattr(stub, method), request, metadata))
            ).reason == expected(text)
    await refusing.unchanged(house, before)


async def test_amounts_out_of_bounds_are_refused(house: Broken, crowd: Crowd, table: Played) -> None:
    """Zero, negative and enormous amounts are refused in every field for an amount, and no chip moves."""
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
            refusal = await refusing.refused(floor.once(acting, 0, "Act", request))
            assert refusal.reason in ("AMOUNT_OUT_OF_RANGE", "INSUFFICIENT_CHIPS", "ILLEGAL_ACTION"), refusal
        for method, make in (
            ("TakeSeat", refusing.varied(dealer_pb2.TakeSeatRequest, "buy_in", table_id=other)),
            ("TakeAnySeat", refusing.varied(dealer_pb2.TakeAnySeatRequest, "buy_in", game="suit_betting")),
            ("AddChips", refusing.varied(dealer_pb2.AddChipsRequest, "amount", table_id=other)),
        ):
            await refusing.refused(floor.once(stranger, 0, method, make(amount)))
        for kind, call in ((wallet_pb2.DepositRequest, "Deposit"), (wallet_pb2.WithdrawRequest, "Withdraw")):
            moving: Any = kind(request_id=uuid.uuid4().hex, player=stranger.subject, amount=amount)
            if amount != 1 << 53 or call == "Withdraw":
                await refusing.refused(staff.call(getattr(staff.wallets, call), moving))
    for seat_number in (-1, -(1 << 31), (1 << 31) - 1, 50):
        sitting = dealer_pb2.TakeSeatRequest(request_id=uuid.uuid4().hex, table_id=other, seat=seat_number, buy_in=100)
        await refusing.refused(floor.once(stranger, 0, "TakeSeat", sitting))
    await refusing.unchanged(house, before)
    await proofs.hold(house, crowd, table)


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
    for cards in ([foreign], [held[0], held[0]], ["??"], ["1x"], ["x" * 10_000], [""], ["As"] * 1000):
        request = dealer_pb2.ActRequest(
            request_id=uuid.uuid4().hex, table_id=table.table_id, action=people.action("draw", discards=cards)
        )
        refusal = await refusing.refused(floor.once(table.players[seat], 0, "Act", request))
        assert refusal.reason in ("CARD_NOT_HELD", "ILLEGAL_CARDS", "AMOUNT_OUT_OF_RANGE"), refusal
    await refusing.unchanged(house, before)
    await table.finish()
    await proofs.hold(house, crowd, table)


async def test_commands_that_say_nothing_are_refused(house: Broken, table: Played) -> None:
    """A refusal names what is missing: the kind of an action, or a valid request id of a command."""
    player = table.players[(await table.view()).round.waiting_for[0]]
    before = await house.counts()
    empty = dealer_pb2.ActRequest(request_id="one", table_id=table.table_id, action=actions_pb2.Action())
    assert (await refusing.refused(floor.once(player, 0, "Act", empty))).reason == "INVALID_ARGUMENT"
    absent = dealer_pb2.ActRequest(request_id="two", table_id=table.table_id)
    assert (await refusing.refused(floor.once(player, 0, "Act", absent))).reason == "INVALID_ARGUMENT"
    for text in ("", "x" * 65, "é", "\x00", "a\nb"):
        named = dealer_pb2.ActRequest(request_id=text, table_id=table.table_id, action=people.action("fold"))
        refusal = await refusing.refused(floor.once(player, 0, "Act", named))
        assert (refusal.reason, "request_id" in refusal.message) == ("INVALID_ARGUMENT", True)
        made = dealer_pb2.CreateTableRequest(request_id=text, game="texas_holdem")
        assert (await refusing.refused(floor.once(player, 0, "CreateTable", made))).reason == "INVALID_ARGUMENT"
    for seed in ("", *refusing.TEXTS[:3]):
        given = dealer_pb2.SetSeedRequest(request_id=uuid.uuid4().hex, table_id=table.table_id, seed=seed)
        assert (await refusing.refused(floor.once(player, 0, "SetSeed", given))).reason == "INVALID_ARGUMENT"
    await refusing.unchanged(house, before)


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
            (
                dealer_pb2.CloseTableRequest(request_id="a", table_id=table.table_id, reason=text),
                staff.dealer.CloseTable,
            ),
        )
        for request, method in calls:
            await refusing.refused(staff.call(method, request))
    report = report_pb2.GetHouseReportRequest(currency="\x00")
    async with grpc.aio.insecure_channel(crowd.reach.settlement) as channel:
        method = channel.unary_unary(
            "/pitboss.v1.ReportService/GetHouseReport",
            report_pb2.GetHouseReportRequest.SerializeToString,
            report_pb2.GetHouseReportResponse.FromString,
        )
        await refusing.refused(refusing.asked(method, report, crowd.operator.metadata))
    await refusing.unchanged(house, before)
