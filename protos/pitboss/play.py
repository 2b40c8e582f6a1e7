"""Play at tables: seats, rounds, actions, and the stream of a table."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any

from pitboss import calls, rules
from pitboss.session import Session
from pitboss.stubs import Stubs, request_id
from pitboss.v1 import actions_pb2, dealer_pb2


class Play(Stubs):
    """Commands of one caller at tables. Each takes its request id as ``command``; without one it makes one."""

    async def create_table(
        self,
        game: str = "",
        house_rules: Mapping[str, Any] | None = None,
        command: str = "",
        **more: Any,
    ) -> dealer_pb2.CreateTableResponse:
        """Open a table from the standard template of a game, or from the one named by ``template_id``.

        ``house_rules``: what is varied; ``more``: template_id, title, currency, least_buy_in, greatest_buy_in, private,
        test, first_button.
        """
        request = dealer_pb2.CreateTableRequest(
            request_id=command or request_id(), game=game, house_rules=rules.house_rules(house_rules or {}), **more
        )
        return await self.call(self.dealer.CreateTable, request)

    async def take_seat(
        self, table_id: str, buy_in: int, seat: int | None = None, command: str = ""
    ) -> dealer_pb2.TakeSeatResponse:
        """Take a seat, the lowest open one if none is named."""
        request = dealer_pb2.TakeSeatRequest(
            request_id=command or request_id(), table_id=table_id, buy_in=buy_in, seat=seat
        )
        return await self.call(self.dealer.TakeSeat, request)

    async def take_any_seat(
        self, game: str, buy_in: int, stake: int = 0, command: str = "", template_ids: Sequence[str] = ()
    ) -> dealer_pb2.TakeAnySeatResponse:
        """Take any open seat of a game and stake (0: any) at tables of these templates (none: the standard one)."""
        request = dealer_pb2.TakeAnySeatRequest(
            request_id=command or request_id(), game=game, buy_in=buy_in, stake=stake, template_ids=template_ids
        )
        return await self.call(self.dealer.TakeAnySeat, request)

    async def join_line(self, table_id: str, command: str = "") -> dealer_pb2.JoinWaitingListResponse:
        """Wait for a seat of a table; the views that follow show the place in line, and when a seat is held."""
        request = dealer_pb2.JoinWaitingListRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.JoinWaitingList, request)

    async def leave_line(self, table_id: str, command: str = "") -> dealer_pb2.LeaveWaitingListResponse:
        """Wait no longer for a seat of a table."""
        request = dealer_pb2.LeaveWaitingListRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.LeaveWaitingList, request)

    async def wait_for_any_seat(
        self, game: str, stake: int = 0, command: str = "", template_ids: Sequence[str] = (), currency: str = ""
    ) -> dealer_pb2.WaitForAnySeatResponse:
        """Wait for a seat at any table of a game and stake (0: any); ``watch_wait`` shows the place and the offer."""
        request = dealer_pb2.WaitForAnySeatRequest(
            request_id=command or request_id(), game=game, stake=stake, currency=currency, template_ids=template_ids
        )
        return await self.call(self.dealer.WaitForAnySeat, request)

    async def stop_waiting(self, command: str = "") -> dealer_pb2.StopWaitingResponse:
        """Wait no longer for a seat at any table; an offered seat is given back."""
        request = dealer_pb2.StopWaitingRequest(request_id=command or request_id())
        return await self.call(self.dealer.StopWaiting, request)

    async def watch_wait(
        self, patience: float | None = calls.PATIENCE_SECONDS
    ) -> AsyncGenerator[dealer_pb2.SeatWait | None, None]:
        """Watch the caller's wait for a seat at any table: the place, then the offer; None while it does not wait.

        See ``watch`` for ``patience``.
        """
        request = dealer_pb2.WatchSeatWaitRequest()
        async with aclosing(self.stream(self.dealer.WatchSeatWait, lambda: request, patience)) as messages:
            async for message in messages:
                yield message.wait if message.HasField("wait") else None

    async def reserve_seat(
        self, table_id: str, seat: int, player: str, until: datetime, command: str = ""
    ) -> dealer_pb2.ReserveSeatResponse:
        """Reserve a free seat for a player, named as its token names it, until a moment."""
        request = dealer_pb2.ReserveSeatRequest(
            request_id=command or request_id(), table_id=table_id, seat=seat, player=player
        )
        request.until_time.FromDatetime(until)
        return await self.call(self.dealer.ReserveSeat, request)

    async def release_seat(self, table_id: str, seat: int, command: str = "") -> dealer_pb2.ReleaseSeatResponse:
        """End the reservation of a seat."""
        request = dealer_pb2.ReleaseSeatRequest(request_id=command or request_id(), table_id=table_id, seat=seat)
        return await self.call(self.dealer.ReleaseSeat, request)

    async def invite(
        self, table_id: str, until: datetime, uses: int = 1, command: str = ""
    ) -> dealer_pb2.CreateInvitationResponse:
        """Make an invitation to a private table; its ``code`` lets so many players enter until a moment."""
        request = dealer_pb2.CreateInvitationRequest(request_id=command or request_id(), table_id=table_id, uses=uses)
        request.expire_time.FromDatetime(until)
        return await self.call(self.dealer.CreateInvitation, request)

    async def accept_invitation(
        self, table_id: str, code: str, command: str = ""
    ) -> dealer_pb2.AcceptInvitationResponse:
        """Enter a private table by the code of an invitation."""
        request = dealer_pb2.AcceptInvitationRequest(request_id=command or request_id(), table_id=table_id, code=code)
        return await self.call(self.dealer.AcceptInvitation, request)

    async def revoke_invitation(
        self, table_id: str, invitation_id: str, command: str = ""
    ) -> dealer_pb2.RevokeInvitationResponse:
        """Revoke an invitation; who came by it and has no seat may no longer enter."""
        request = dealer_pb2.RevokeInvitationRequest(
            request_id=command or request_id(), table_id=table_id, invitation_id=invitation_id
        )
        return await self.call(self.dealer.RevokeInvitation, request)

    async def add_chips(self, table_id: str, amount: int, command: str = "") -> dealer_pb2.AddChipsResponse:
        """Add chips; in an open round they count from the next one on."""
        request = dealer_pb2.AddChipsRequest(request_id=command or request_id(), table_id=table_id, amount=amount)
        return await self.call(self.dealer.AddChips, request)

    async def leave(self, table_id: str, command: str = "") -> dealer_pb2.LeaveSeatResponse:
        """Leave now, or, from an open round, when it is settled."""
        request = dealer_pb2.LeaveSeatRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.LeaveSeat, request)

    async def set_top_up(self, table_id: str, level: int, command: str = "") -> dealer_pb2.SetTopUpResponse:
        """Set the level to which the caller's seat is topped up before each round, from its wallet; 0: none."""
        request = dealer_pb2.SetTopUpRequest(request_id=command or request_id(), table_id=table_id, level=level)
        return await self.call(self.dealer.SetTopUp, request)

    async def sit_out(self, table_id: str, command: str = "") -> dealer_pb2.SitOutResponse:
        """Keep the seat and be dealt in no more, from the next round on."""
        request = dealer_pb2.SitOutRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.SitOut, request)

    async def sit_in(self, table_id: str, command: str = "") -> dealer_pb2.SitInResponse:
        """Be dealt in again, from the next round on."""
        request = dealer_pb2.SitInRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.SitIn, request)

    async def start_round(self, table_id: str, command: str = "") -> dealer_pb2.StartRoundResponse:
        """Start a round."""
        request = dealer_pb2.StartRoundRequest(request_id=command or request_id(), table_id=table_id)
        return await self.call(self.dealer.StartRound, request)

    async def act(
        self, table_id: str, action: actions_pb2.Action, expected_version: int | None = None, command: str = ""
    ) -> dealer_pb2.ActResponse:
        """Act for the caller's seat."""
        request = dealer_pb2.ActRequest(
            request_id=command or request_id(), table_id=table_id, action=action, expected_version=expected_version
        )
        return await self.call(self.dealer.Act, request)

    def session(self, patience: float | None = None) -> Session:
        """Open a session of play, for ``async with``: actions and followed tables over one stream.

        It serves a caller that plays many tables, or acts often. A command is sent again for ``patience`` seconds while
        the house is away (None: as for calls).
        """
        return Session(self._dealers, self._tokens, self._metadata, self._patience if patience is None else patience)

    async def close_table(self, table_id: str, reason: str, command: str = "") -> dealer_pb2.CloseTableResponse:
        """Close a table between rounds; a player closes only its own, while nobody sits there."""
        request = dealer_pb2.CloseTableRequest(request_id=command or request_id(), table_id=table_id, reason=reason)
        return await self.call(self.dealer.CloseTable, request)

    async def move_rules(
        self, table_id: str, rules_version: int, reason: str, command: str = ""
    ) -> dealer_pb2.MoveRulesResponse:
        """Move a table to another version of its game's rules, from the next round on; operators only."""
        request = dealer_pb2.MoveRulesRequest(
            request_id=command or request_id(), table_id=table_id, rules_version=rules_version, reason=reason
        )
        return await self.call(self.dealer.MoveRules, request)

    async def set_seed(self, table_id: str, seed: str, command: str = "") -> dealer_pb2.SetSeedResponse:
        """Set the caller's seed for the next round."""
        request = dealer_pb2.SetSeedRequest(request_id=command or request_id(), table_id=table_id, seed=seed)
        return await self.call(self.dealer.SetSeed, request)

    async def card_proof(self, table_id: str, round_number: int, card: str) -> dealer_pb2.GetCardProofResponse:
        """Return the proof of a card that this caller has seen."""
        request = dealer_pb2.GetCardProofRequest(table_id=table_id, round_number=round_number, card=card)
        return await self.call(self.dealer.GetCardProof, request)

    async def watch(
        self, table_id: str, after_version: int = 0, patience: float | None = calls.PATIENCE_SECONDS
    ) -> AsyncGenerator[dealer_pb2.WatchTableResponse, None]:
        """Watch a table; a broken stream is resumed from the last version seen.

        While the house is unavailable, the watch retries with pauses of at most 5 seconds, or of the length that the
        house asks for. After ``patience`` seconds without an answer (None: never) it raises Refused, as it does when
        the house refuses. A silent house is detected within ``SILENT_SECONDS``. When the token expires, the watch
        continues with the token that the caller's function returns.
        """
        seen = after_version

        def request() -> dealer_pb2.WatchTableRequest:
            return dealer_pb2.WatchTableRequest(table_id=table_id, after_version=seen)

        async with aclosing(self.stream(self.dealer.WatchTable, request, patience)) as messages:
            async for message in messages:
                seen = message.view.version
                yield message
