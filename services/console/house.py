"""The way to the house: channels to its processes, and one caller's calls with its own token."""

from collections.abc import Mapping
from typing import Any, Final

import grpc
from pitboss import client, parts
from pitboss.v1 import audit_pb2, audit_pb2_grpc, report_pb2_grpc

from services.runtime import tls
from services.runtime.settings import Settings

PATIENCE_SECONDS: Final = 2.0
"""Seconds for which a call is repeated while a process of the house is away."""
READ_SECONDS: Final = 60.0
"""Bound on reading a round, which an auditor's worker replays."""


class Channels:
    """The channels of the process, shared by all its callers."""

    def __init__(self, settings: Settings) -> None:
        places = settings.dealer_addresses or {"": settings.listen}
        wanted = {*places.values(), settings.settlement_address, settings.audit_address}
        credentials = tls.channel_credentials(settings)
        self._open = {place: client.open_channel(place, credentials) for place in sorted(wanted)}
        self._first = self._open[next(iter(places.values()))]
        self._families: Mapping[str, grpc.aio.Channel] = {
            family: self._open[place] for family, place in places.items() if family
        }
        self._settlement = self._open[settings.settlement_address]
        self._audit = self._open[settings.audit_address]

    def caller(self, token: str, language: str) -> "House":
        """Return one caller's way to the house."""
        return House(self._first, self._settlement, self._audit, self._families, token, language)

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._open.values():
            await channel.close(None)


class House(client.House):
    """The house as one signed-in person reaches it: by that person's token, and by nothing else."""

    def __init__(
        self,
        dealer: grpc.aio.Channel,
        settlement: grpc.aio.Channel,
        audit: grpc.aio.Channel,
        families: Mapping[str, grpc.aio.Channel],
        token: str,
        language: str,
    ) -> None:
        super().__init__(dealer, token, settlement, families, language, PATIENCE_SECONDS)
        self.audit: Any = audit_pb2_grpc.AuditServiceStub(audit)
        self.reports: Any = report_pb2_grpc.ReportServiceStub(settlement)
        self._bearer = (("authorization", f"Bearer {token}"), ("accept-language", language))

    async def read_round(self, table_id: str, number: int, language: str) -> audit_pb2.ReadRoundResponse:
        """Return an ended round with its steps. Raises Refused."""
        request = audit_pb2.ReadRoundRequest(table_id=table_id, round_number=number, language=language, with_steps=True)
        try:
            return await parts.read_round(self.audit.ReadRound(request, metadata=self._bearer, timeout=READ_SECONDS))
        except grpc.RpcError as error:
            raise client.refusal(error) from None
