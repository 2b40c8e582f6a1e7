"""The stubs of a house's services, for one caller."""

import uuid
from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf import struct_pb2

from pitboss import calls, dealers
from pitboss.tokens import Token
from pitboss.v1 import back_office_pb2_grpc, catalogue_pb2_grpc, privacy_pb2_grpc, wallet_pb2_grpc


def struct(values: Mapping[str, Any]) -> struct_pb2.Struct:
    """Write plain values as a Struct, as facts and memory are."""
    message = struct_pb2.Struct()
    message.update(dict(values))
    return message


def request_id() -> str:
    """Return a new id for a command; keep it to send the same command again."""
    return uuid.uuid4().hex


class Stubs(calls.Caller):
    """One caller's way to the house; ``families`` are channels to the dealers that serve them, where these differ.

    ``language`` is sent as ``accept-language``: en, zh-Hant, zh-Hans, or a list such as ``zh-TW, en;q=0.5``. A call is
    sent again for ``patience`` seconds while the house is away.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        token: Token,
        wallets: grpc.aio.Channel | None = None,
        families: Mapping[str, grpc.aio.Channel] | None = None,
        language: str = "",
        patience: float = calls.CALL_PATIENCE_SECONDS,
    ) -> None:
        super().__init__(token, dealers.Dealers(channel, families or {}), language, patience)
        self.dealer = self._dealers.first
        self.catalogue = catalogue_pb2_grpc.CatalogueServiceStub(channel)
        self.wallets = wallet_pb2_grpc.WalletServiceStub(wallets or channel)
        self.office = back_office_pb2_grpc.BackOfficeServiceStub(wallets or channel)
        self.privacy = privacy_pb2_grpc.PrivacyServiceStub(wallets or channel)
