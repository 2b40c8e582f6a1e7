"""Invitations to private tables: made, listed and revoked by the table's owner, accepted by other players.

A code is derived from the invitation's id with a key that only dealers hold, so that a repeated request gets the same
code while nothing that is stored holds it: the log has its digest, and the stored answer names the key in its place.
"""

import uuid

from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests, wire_line
from services.dealer.context import DealerContext
from services.dealer.reserved_seats import require_owner
from services.dealer.table_commands import TableCommand
from services.dealer.vault import Vault
from services.runtime.identity import Caller
from services.table import invitations
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.records import Invitation


class CreateInvitation(TableCommand[pb.CreateInvitationResponse]):
    """Makes an invitation; until ``with_code`` its answer holds the id of the code's key instead of the code."""

    kind = "CreateInvitation"
    answer_type = pb.CreateInvitationResponse

    def __init__(self, request: pb.CreateInvitationRequest, caller: Caller, vault: Vault) -> None:
        super().__init__(request, caller)
        self._vault = vault
        code, self._key_id = vault.code(self.table_id, invitation_id := uuid.uuid4().hex)
        self._wanted = Invitation(
            invitation_id=invitation_id,
            digest=invitations.digest(self.table_id, code),
            uses=request.uses,
            until_ms=requests.moment_us(request.expire_time, "expire_time") // 1000,
        )

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the invitation."""
        require_owner(table.core, self._caller)
        return invitations.make(table.core, self._wanted, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.CreateInvitationResponse:
        """Return the invitation and the key of its code."""
        invitation = _shown(self._wanted)
        return pb.CreateInvitationResponse(version=table.core.version, code=self._key_id, invitation=invitation)

    def with_code(self, answer: pb.CreateInvitationResponse) -> pb.CreateInvitationResponse:
        """Return an answer with its code; without one where the key is gone."""
        answer.code, _ = self._vault.code(self.table_id, answer.invitation.invitation_id, answer.code)
        return answer


class AcceptInvitation(TableCommand[pb.AcceptInvitationResponse]):
    """Uses an invitation by its code."""

    kind = "AcceptInvitation"
    answer_type = pb.AcceptInvitationResponse

    def __init__(self, request: pb.AcceptInvitationRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._code = requests.text(invitations.normalised(request.code), "code", invitations.LONGEST_CODE, least=1)

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the use; nothing where the player may enter already."""
        return invitations.accept(table.core, self.actor, self._code, now_ms, test=self._caller.test)

    def reply(self, table: FullTable, made: list[Event]) -> pb.AcceptInvitationResponse:
        """Return the table's version."""
        return pb.AcceptInvitationResponse(version=table.core.version)


class RevokeInvitation(TableCommand[pb.RevokeInvitationResponse]):
    """Revokes an invitation."""

    kind = "RevokeInvitation"
    answer_type = pb.RevokeInvitationResponse

    def __init__(self, request: pb.RevokeInvitationRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._invitation_id = requests.text(request.invitation_id, "invitation_id", invitations.LONGEST_CODE, least=1)

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the revocation; nothing where there is no such invitation."""
        require_owner(table.core, self._caller)
        return invitations.revoke(table.core, self._invitation_id, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.RevokeInvitationResponse:
        """Return the table's version."""
        return pb.RevokeInvitationResponse(version=table.core.version)


async def listed(house: DealerContext, table_id: str, caller: Caller) -> pb.ListInvitationsResponse:
    """Return the invitations of a table to its owner, the oldest first. Raises Refused."""
    async with house.tables.checkout(table_id) as held:
        core, now_ms = held.table.core, house.now_ms()
        require_owner(core, caller)
        live = [one for one in core.invitations.values() if invitations.is_live(one, now_ms)]
        return pb.ListInvitationsResponse(invitations=[_shown(one) for one in live], guests=len(core.guests))


def _shown(one: Invitation) -> pb.Invitation:
    return pb.Invitation(
        invitation_id=one.invitation_id, uses_left=one.uses, expire_time=wire_line.moment(one.until_ms)
    )
