"""The dealer's gRPC methods: access, the command to run, and what follows it."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.contract import requests, wire_tables
from services.dealer import (
    access,
    acts,
    audience,
    card_proofs,
    cashier,
    feed,
    opening,
    play_stream,
    starts,
    table_commands,
    table_list,
    views,
)
from services.dealer.context import DealerContext
from services.dealer.entry_service import EntryService
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context

MOST_PASSED = 1000


class DealerService(EntryService):
    """See ``protos/pitboss/v1/dealer.proto``."""

    def __init__(self, house: DealerContext) -> None:
        super().__init__(house)
        self._plays = play_stream.per_caller()

    async def CreateTable(self, request: pb.CreateTableRequest, _: Any) -> pb.CreateTableResponse:
        """Open a table."""
        return await opening.create(self._house, request, context.caller())

    async def ListTables(self, request: pb.ListTablesRequest, _: Any) -> pb.ListTablesResponse:
        """List tables."""
        return await table_list.listed(self._house, request, context.caller())

    async def WatchLobby(self, request: pb.WatchLobbyRequest, _: Any) -> AsyncIterator[bytes]:  # type: ignore[override]  # as WatchTable
        """Stream the open tables that fit a filter."""
        async with aclosing(self._house.lobbies.watch(request, context.caller())) as seen:
            async for message in seen:
                yield message

    async def GetTable(self, request: pb.GetTableRequest, _: Any) -> pb.GetTableResponse:
        """Show a table as the caller may see it."""
        async with self._house.tables.checkout(requests.table_id(request)) as held:
            table = held.table
            audience.refuse_stranger(table.core, context.caller())
            viewer = feed.viewer(table, context.caller())
            show = await self._house.names.shower(wire_tables.all_texts_in(table), context.current().language)
            view = wire_tables.view(table, viewer, show)
            view.MergeFrom(views.moment(table, context.caller(), self._house.now_ms()))
            if context.caller().role in access.READERS:
                for seat in view.seats:
                    seat.player = table.core.seats[seat.seat].player
        view.MergeFrom(await self._house.presence.of_table(table.core))
        if viewer is None:
            await self._house.feeds.audience.refuse_barred(context.caller())
        return pb.GetTableResponse(view=view)

    async def WatchTable(self, request: pb.WatchTableRequest, _: Any) -> AsyncIterator[bytes]:  # type: ignore[override]  # encoded once for all who see the same
        """Stream a table as the caller may see it."""
        if request.after_version < 0:
            raise invalid("after_version", "0, or a version that you have seen")
        caller = context.caller()
        async with aclosing(self._house.feeds.watch(requests.table_id(request), request.after_version, caller)) as seen:
            async for message in seen:
                yield message

    async def AddChips(self, request: pb.AddChipsRequest, _: Any) -> pb.AddChipsResponse:
        """Add chips from the wallet."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.TopUp(
            cashier_pb.TopUpRequest(**cashier.command(request, context.caller()), amount=request.amount)
        )
        await self._house.refresh(request.table_id)
        return pb.AddChipsResponse(version=answer.version)

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, _: Any) -> pb.LeaveSeatResponse:
        """Leave now, or when the round is settled."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.CashOut(
            cashier_pb.CashOutRequest(**cashier.command(request, context.caller()))
        )
        await self._house.refresh(request.table_id)
        return pb.LeaveSeatResponse(version=answer.version, after_round=answer.after_round)

    async def StartRound(self, request: pb.StartRoundRequest, _: Any) -> pb.StartRoundResponse:
        """Start a round; an ended one is settled first, and all seats are checked."""
        requests.table_id(request)
        answer, made = await starts.by_person(self._house, request, context.caller())
        self._house.appended(request.table_id, made)
        return answer

    async def Act(self, request: pb.ActRequest, _: Any) -> pb.ActResponse:
        """Act for the caller's own seat."""
        return await acts.act(self._house, request, context.caller())

    async def Play(self, request_iterator: AsyncIterator[pb.PlayRequest], _: Any) -> AsyncIterator[bytes]:  # type: ignore[override]  # as WatchTable
        """Act at any number of tables over one stream, and follow them."""
        with self._plays.hold(context.caller()):
            stream = play_stream.PlayStream(self._house, context.current())
            async with aclosing(stream.messages(request_iterator)) as messages:
                async for message in messages:
                    yield message

    async def SetSeed(self, request: pb.SetSeedRequest, _: Any) -> pb.SetSeedResponse:
        """Set the caller's seed."""
        requests.table_id(request)
        return await self._house.run(table_commands.SetSeed(request, context.caller()))

    async def SetTopUp(self, request: pb.SetTopUpRequest, _: Any) -> pb.SetTopUpResponse:
        """Set the level of automatic top-ups."""
        requests.table_id(request)
        return await self._house.run(table_commands.SetTopUp(request, context.caller()))

    async def SitOut(self, request: pb.SitOutRequest, _: Any) -> pb.SitOutResponse:
        """Mark the caller's seat as sitting out."""
        requests.table_id(request)
        return await self._house.run(table_commands.SitOut(request, context.caller()))

    async def SitIn(self, request: pb.SitInRequest, _: Any) -> pb.SitInResponse:
        """Take back that the caller's seat sits out."""
        requests.table_id(request)
        return await self._house.run(table_commands.SitIn(request, context.caller()))

    async def VoidRound(self, request: pb.VoidRoundRequest, _: Any) -> pb.VoidRoundResponse:
        """Void the running or ended, unsettled round, or request it."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.VoidOut(
            cashier_pb.VoidOutRequest(
                **cashier.command(request, context.caller()),
                reason=request.reason,
                **await self._house.reveal_of(request.table_id),
            )
        )
        await self._house.refresh(request.table_id)
        return pb.VoidRoundResponse(
            version=answer.version, waits_for_second_person=answer.waits_for_second_person, void_id=answer.void_id
        )

    async def DecideVoid(self, request: pb.DecideVoidRequest, _: Any) -> pb.DecideVoidResponse:
        """Decide a void that another person asked for."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.DecideVoidOut(
            cashier_pb.DecideVoidOutRequest(
                request_id=request.request_id,
                table_id=request.table_id,
                void_id=request.void_id,
                approve=request.approve,
                reason=request.reason,
                on_behalf=cashier.on_behalf(context.caller()),
                **await self._house.reveal_of(request.table_id),
            )
        )
        await self._house.refresh(request.table_id)
        return pb.DecideVoidResponse(version=answer.version, voided=answer.voided)

    async def CloseTable(self, request: pb.CloseTableRequest, _: Any) -> pb.CloseTableResponse:
        """Pay everybody out and close the table."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.CloseOut(
            cashier_pb.CloseOutRequest(**cashier.command(request, context.caller()), reason=request.reason)
        )
        await self._house.refresh(request.table_id)
        return pb.CloseTableResponse(version=answer.version)

    async def MoveRules(self, request: pb.MoveRulesRequest, _: Any) -> pb.MoveRulesResponse:
        """Move a table to another version of its game's rules."""
        await self._house.tables.refuse_others(requests.table_id(request))
        await self._house.settle_if_due(request.table_id)
        answer = await self._house.cashier.stub.MoveOut(
            cashier_pb.MoveOutRequest(
                **cashier.command(request, context.caller()),
                rules_version=request.rules_version,
                reason=request.reason,
            )
        )
        await self._house.refresh(request.table_id)
        return pb.MoveRulesResponse(version=answer.version, rules_version_before=answer.rules_version_before)

    async def GetCardProof(self, request: pb.GetCardProofRequest, _: Any) -> pb.GetCardProofResponse:
        """Prove a card that the caller has seen."""
        requests.table_id(request)
        return await card_proofs.prove(self._house, request, context.caller())

    async def ScriptRound(self, request: pb.ScriptRoundRequest, _: Any) -> pb.ScriptRoundResponse:
        """Script the chance of the next round."""
        self._scripted_only()
        caller = context.caller()
        await self._house.tables.refuse_others(requests.table_id(request))
        if request.pot:
            await self._house.cashier.stub.FundPot(
                cashier_pb.FundPotRequest(
                    request_id=f"{request.request_id}-pot"[-requests.LONGEST_REQUEST_ID :],
                    table_id=request.table_id,
                    amount=request.pot,
                    on_behalf=cashier.on_behalf(caller),
                )
            )
        return await self._house.run(table_commands.ScriptRound(request, caller))

    async def PassDeadline(self, request: pb.PassDeadlineRequest, _: Any) -> pb.PassDeadlineResponse:
        """Pass deadlines at a test table."""
        self._scripted_only()
        times = request.times or 1
        if not 1 <= times <= MOST_PASSED:
            raise invalid("times", f"1 to {MOST_PASSED}", least=1, greatest=MOST_PASSED)
        answer = pb.PassDeadlineResponse()
        for _time in range(times):
            command = table_commands.PassDeadline(requests.table_id(request), context.caller(), forced=True)
            answer = await self._house.run(command)
        return answer

    def _scripted_only(self) -> None:
        if not self._house.settings.scripted_decks:
            message = "this house takes no scripted decks; it must be started with --scripted-decks"
            raise Refused(Reason.SCRIPTED_DECKS_OFF, message)
