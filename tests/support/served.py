"""Single processes of the house for tests, served within the test by their own composition roots, on real servers."""

import base64
import importlib
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import psycopg
import pytest
from pitboss import client
from pitboss.v1 import (
    audit_pb2_grpc,
    back_office_pb2_grpc,
    catalogue_pb2_grpc,
    dealer_pb2_grpc,
    privacy_pb2_grpc,
    report_pb2_grpc,
    settlement_pb2,
    settlement_pb2_grpc,
    wallet_pb2_grpc,
)

from services.eventlog import log
from services.journal import log_rows
from services.ledger.signatures import EntryKey
from services.runtime import server
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import Settings
from services.table import commands, events
from tests.support import echo
from tests.support.sittings import Sitting

LEDGER_SEED = bytes(range(128, 160))
METADATA = log_rows.Metadata(actor="boss", role="operator", command="test", process="dealer")


def given(postgres_url: str, redis_url: str, **more: object) -> Settings:
    """Return the settings of a process with the keys that ``tests.support.sittings`` seals with."""
    keys: dict[str, object] = {
        "deal_keys": {"deal-test": base64.b64encode(bytes(range(32))).decode()},
        "deal_key": "deal-test",
        "audit_keys": {"audit-test": base64.b64encode(bytes(range(32, 64))).decode()},
        "audit_key": "audit-test",
        "personal_keys": {"personal-test": base64.b64encode(bytes(range(96, 128))).decode()},
        "personal_key": "personal-test",
        "checkpoint_key": base64.b64encode(bytes(range(64, 96))).decode(),
        "ledger_key": base64.b64encode(LEDGER_SEED).decode(),
        "ledger_public_keys": [EntryKey(LEDGER_SEED).key_id],
        "scripted_decks": True,
        "currencies": ["TWD", "OVER", "FULL", "FLOOD"],
        "database_url": postgres_url,
        "redis_url": redis_url,
        "pool_min": 1,
    }
    return echo.given(**(keys | more))


class Served:
    """A process that serves, and its callers."""

    def __init__(self, settings: Settings, running: server.Running, channel: grpc.aio.Channel) -> None:
        self.settings, self.running, self.channel = settings, running, channel
        self._identity = Identity(settings)
        self.money: Any = settlement_pb2_grpc.SettlementServiceStub(channel)
        self.wallets: Any = wallet_pb2_grpc.WalletServiceStub(channel)
        self.office: Any = back_office_pb2_grpc.BackOfficeServiceStub(channel)
        self.privacy: Any = privacy_pb2_grpc.PrivacyServiceStub(channel)
        self.reports: Any = report_pb2_grpc.ReportServiceStub(channel)
        self.audit: Any = audit_pb2_grpc.AuditServiceStub(channel)
        self.dealer: Any = dealer_pb2_grpc.DealerServiceStub(channel)
        self.catalogue: Any = catalogue_pb2_grpc.CatalogueServiceStub(channel)

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"127.0.0.1:{self.running.port}"

    def token(self, subject: str, role: Role = Role.PLAYER, *, test: bool = False) -> str:
        """Make a token."""
        return self._identity.mint(Caller(subject=subject, role=role, test=test), 600)

    async def call(self, method: Any, request: Any, role: Role = Role.SERVICE, subject: str = "") -> Any:
        """Call a method in a role; return the answer, or the first one of a stream."""
        metadata = (("authorization", f"Bearer {self.token(subject or role.value, role)}"),)
        try:
            call = method(request, metadata=metadata, timeout=10)
            return await (call.read() if hasattr(call, "read") else call)
        except grpc.RpcError as error:
            raise client.refusal(error) from None

    async def refused(
        self, reason: str, method: Any, request: Any, role: Role = Role.SERVICE, subject: str = ""
    ) -> str:
        """Call a method that must refuse with this reason; return the message."""
        with pytest.raises(client.Refused) as caught:
            await self.call(method, request, role, subject)
        assert caught.value.reason == reason, str(caught.value)
        return caught.value.message


def built(name: str) -> Any:
    """Return the composition root of a process; it is imported only where it is served."""
    root = importlib.import_module(f"services.{name}.process")
    return root.build([]) if name == "dealer" else root.build


@asynccontextmanager
async def serve(name: str, settings: Settings, build: Any = None) -> AsyncIterator[Served]:
    """Serve one process of the house in this event loop; ``build`` puts it together otherwise than usual."""
    async with server.running(name, settings, build or built(name)) as running:
        channel = client.open_channel(f"127.0.0.1:{running.port}")
        try:
            yield Served(settings, running, channel)
        finally:
            await channel.close(None)


Connection = psycopg.AsyncConnection[Any]


async def connect(url: str) -> Connection:
    """Open a connection that commits every statement by itself."""
    return await psycopg.AsyncConnection.connect(url, autocommit=True)


async def publish(conn: Connection, sitting: Sitting, *, together: bool = False) -> None:
    """Append to the log what it does not hold yet of a table, an append for each event or one for all."""
    head = await log.read_head(conn, sitting.table_id)
    first = 0 if head is None else head.version
    whole = Sitting.folded(sitting.log[:first], sitting.table_id) if first else None
    pending = sitting.log[first:]
    parts = [pending] if together else [[event] for event in pending]
    for part in parts:
        if not part:
            continue
        whole = Sitting.grown(whole, part, sitting.table_id)
        done = await log.append(conn, [log_rows.append(whole, part, METADATA, follows=None)])
        assert [one.outcome for one in done] == ["appended"]


async def catch_up(conn: Connection, sitting: Sitting) -> list[events.Event]:
    """Take into a table what others appended to its log."""
    later = [log_rows.from_stored(one) for one in await log.read(conn, sitting.table_id, len(sitting.log), 1000)]
    commands.take(sitting.table, later)
    sitting.log.extend(later)
    return later


def table_id() -> str:
    """Make up a table's id."""
    return str(uuid.uuid4())


def on_behalf(subject: str, role: str = "player", *, test: bool = True) -> settlement_pb2.OnBehalf:
    """Return the metadata that names the player for whom a dealer calls."""
    return settlement_pb2.OnBehalf(subject=subject, role=role, name=f"Player {subject}", test=test)


def request_id() -> str:
    """Make up an id for a command."""
    return uuid.uuid4().hex
