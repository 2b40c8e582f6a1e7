"""The back office's methods: each names the module that does it, and ``ACCESS`` the roles that may call it."""

from typing import Any

from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import back_office_pb2_grpc

from services.ledger.signatures import EntryKey
from services.livestate.store import LiveState
from services.privacy.keys import PlayerKeys
from services.privacy.names import Names
from services.runtime import context
from services.runtime.identity import Role
from services.runtime.pools import Pool
from services.runtime.settings import Settings
from services.settlement.backoffice import (
    adjustments,
    ledger_lines,
    liability,
    limits,
    performance,
    significant_event_list,
    statements,
    switches,
    templates,
    voids,
)
from services.settlement.limits.admission import Admission


class BackOfficeService(back_office_pb2_grpc.BackOfficeServiceServicer):
    """See ``protos/pitboss/v1/back_office.proto``."""

    def __init__(
        self,
        pool: Pool,
        settings: Settings,
        admission: Admission,
        live: LiveState,
        keys: PlayerKeys,
        names: Names,
        key: EntryKey,
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._admission = admission
        self._live = live
        self._keys = keys
        self._names = names
        self._key = key

    async def _open(self, *found: pb.Switch | pb.Limit | pb.SignificantEvent) -> None:
        """Replace sealed reasons by their text, in the caller's language."""
        show = await self._names.shower([one.reason for one in found], context.current().language)
        for one in found:
            one.reason = show(one.reason)

    async def SetSwitch(self, request: pb.SetSwitchRequest, _: Any) -> pb.SetSwitchResponse:
        """Switch everything, a game, a table or a player off or on."""
        answer = await switches.switch(self._pool, self._keys, request)
        await self._open(answer.switch)
        return answer

    async def ListSwitches(self, request: pb.ListSwitchesRequest, _: Any) -> pb.ListSwitchesResponse:
        """List the switches with their present state."""
        answer = await switches.listed(self._pool, request)
        await self._open(*answer.switches)
        return answer

    async def RequestAdjustment(self, request: pb.RequestAdjustmentRequest, _: Any) -> pb.RequestAdjustmentResponse:
        """Request a change of a wallet."""
        return await adjustments.ask(self._pool, self._settings, request)

    async def DecideAdjustment(self, request: pb.DecideAdjustmentRequest, _: Any) -> pb.DecideAdjustmentResponse:
        """Approve or reject an adjustment that another person requested."""
        return await adjustments.decide(self._pool, self._key, request)

    async def ListAdjustments(self, request: pb.ListAdjustmentsRequest, _: Any) -> pb.ListAdjustmentsResponse:
        """List adjustments."""
        return await adjustments.listed(self._pool, request)

    async def ListVoids(self, request: pb.ListVoidsRequest, _: Any) -> pb.ListVoidsResponse:
        """List requested voids."""
        return await voids.listed(self._pool, request)

    async def ProposeTemplate(self, request: pb.ProposeTemplateRequest, _: Any) -> pb.ProposeTemplateResponse:
        """Propose a table template."""
        return await templates.propose(self._pool, self._settings, request)

    async def DecideTemplate(self, request: pb.DecideTemplateRequest, _: Any) -> pb.DecideTemplateResponse:
        """Approve or reject a template that another person proposed."""
        return await templates.decide(self._pool, request)

    async def RetireTemplate(self, request: pb.RetireTemplateRequest, _: Any) -> pb.RetireTemplateResponse:
        """Take a template out of use."""
        return await templates.retire(self._pool, request)

    async def SetLimit(self, request: pb.SetLimitRequest, _: Any) -> pb.SetLimitResponse:
        """Set a limit or an exclusion."""
        answer = await limits.limit(self._pool, self._settings, self._admission, self._live, self._keys, request)
        await self._open(answer.limit)
        return answer

    async def ListLimits(self, request: pb.ListLimitsRequest, _: Any) -> pb.ListLimitsResponse:
        """List a player's limits."""
        answer = await limits.listed(self._pool, self._admission.clock, request)
        await self._open(*answer.limits)
        return answer

    async def ListSignificantEvents(
        self,
        request: pb.ListSignificantEventsRequest,
        _: Any,
    ) -> pb.ListSignificantEventsResponse:
        """List significant events."""
        answer = await significant_event_list.listed(self._pool, self._settings, request)
        await self._open(*answer.significant_events)
        return answer

    async def GetPlayerStatement(self, request: pb.GetPlayerStatementRequest, _: Any) -> pb.GetPlayerStatementResponse:
        """Return the statement of a player's money."""
        return await statements.statement(self._pool, self._settings, request)

    async def ListPlayedRounds(self, request: pb.ListPlayedRoundsRequest, _: Any) -> pb.ListPlayedRoundsResponse:
        """List a player's rounds."""
        return await statements.played(self._pool, self._settings, request)

    async def ListGamePerformance(
        self,
        request: pb.ListGamePerformanceRequest,
        _: Any,
    ) -> pb.ListGamePerformanceResponse:
        """List the performance of games."""
        return await performance.performance(self._pool, self._settings, request)

    async def ListTurnover(self, request: pb.ListTurnoverRequest, _: Any) -> pb.ListTurnoverResponse:
        """List turnover and fees."""
        return await performance.turnover(self._pool, self._settings, request)

    async def GetHouseLiability(self, request: pb.GetHouseLiabilityRequest, _: Any) -> pb.GetHouseLiabilityResponse:
        """Return what the house holds for players."""
        return await liability.liability(self._pool, self._settings, request)

    async def ListLedgerLines(self, request: pb.ListLedgerLinesRequest, _: Any) -> pb.ListLedgerLinesResponse:
        """List the lines of the ledger behind a number of a report."""
        return await ledger_lines.listed(self._pool, self._settings, request)


STAFF = (Role.OPERATOR,)
READERS = (Role.OPERATOR, Role.AUDITOR)
OWNERS = (Role.PLAYER, *READERS)

ACCESS: dict[str, tuple[Role, ...]] = {
    "SetSwitch": STAFF,
    "ListSwitches": READERS,
    "RequestAdjustment": STAFF,
    "DecideAdjustment": STAFF,
    "ListAdjustments": READERS,
    "ListVoids": READERS,
    "ProposeTemplate": STAFF,
    "DecideTemplate": STAFF,
    "RetireTemplate": STAFF,
    "SetLimit": (Role.PLAYER, Role.OPERATOR),
    "ListLimits": OWNERS,
    "ListSignificantEvents": READERS,
    "GetPlayerStatement": OWNERS,
    "ListPlayedRounds": OWNERS,
    "ListGamePerformance": READERS,
    "ListTurnover": READERS,
    "GetHouseLiability": READERS,
    "ListLedgerLines": READERS,
}
"""The roles that may call each method; a player sees and sets only its own."""
