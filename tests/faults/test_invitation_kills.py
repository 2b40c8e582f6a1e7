"""Dealers are killed at every step of an invitation: it is made once, used once, and its code comes back."""

from datetime import UTC, datetime, timedelta

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.table import entry_events
from tests.faults import floor
from tests.faults.breaking import Broken
from tests.faults.test_reserved_kills import STEPS
from tests.support import people
from tests.support.people import Crowd


@pytest.mark.parametrize("step", STEPS)
async def test_a_dealer_killed_on_an_invitation_makes_and_uses_it_once(house: Broken, crowd: Crowd, step: str) -> None:
    """Whether or not the dealer had answered, each command has one effect, and the last use one player."""
    owner, guest, late = [await crowd.player(name) for name in ("owner", "guest", "late")]
    table = (await owner.house.create_table("tongbi_san_gong", people.MANUAL, private=True)).table_id
    made = dealer_pb2.CreateInvitationRequest(request_id=client.request_id(), table_id=table, uses=1)
    made.expire_time.FromDatetime(datetime.now(UTC) + timedelta(hours=1))
    code = (await floor.killed_on(house, owner, step, "CreateInvitation", made)).code
    used = dealer_pb2.AcceptInvitationRequest(request_id=client.request_id(), table_id=table, code=code)
    await floor.killed_on(house, guest, step, "AcceptInvitation", used)
    await people.refused("INVITATION_INVALID", late.at(1).accept_invitation(table, code))
    await people.refused("INVITATION_NEEDED", late.at(1).take_seat(table, 1000))
    assert (await guest.at(1).take_seat(table, 1000)).seat == 0
    recorded = await house.events(table)
    kinds = (entry_events.InvitationMade, entry_events.InvitationAccepted)
    assert [type(one) for one in recorded if isinstance(one, kinds)] == list(kinds)
    assert await house.imbalance() == 0
