"""Odd but well-formed requests: no value of a field causes an internal error."""

import csv
import io
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf import message_factory, timestamp_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from pitboss import client
from pitboss.v1 import audit_pb2, back_office_pb2, report_pb2, settlement_pb2, wallet_pb2

from services.runtime import csv_table
from services.runtime.identity import Role
from tests.support import served
from tests.support.served import Served, request_id

SERVICES = (
    back_office_pb2.DESCRIPTOR.services_by_name["BackOfficeService"],
    report_pb2.DESCRIPTOR.services_by_name["ReportService"],
    settlement_pb2.DESCRIPTOR.services_by_name["SettlementService"],
    wallet_pb2.DESCRIPTOR.services_by_name["WalletService"],
)
METHODS = {f"{service.name}.{method.name}": method for service in SERVICES for method in service.methods}
TRIES = 60
INTEGERS = (0, 1, -1, 2, 100, 500, 501, 10**15, 10**15 + 1, 2**31 - 1, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63))
TEXTS = (
    "",
    "0",
    "1",
    "00",
    "-1",
    "9" * 18,
    "9" * 19,
    "x",
    "ann",
    "ANN",
    "house",
    "CHIPS",
    "XTS",
    "=A1+B1",
    "A" * 300,
    "\u200b",
    "\U0001f0a1",
    "'; DROP TABLE legs; --",
    "texas_holdem",
    "operator",
    "player",
    "W10=",
    "WyIiLCIiLCIiXQ==",
    "00000000-0000-4000-8000-000000000000",
    "12.00000000-0000-4000-8000-000000000000.1.1",
)
SECONDS = (0, 1, -1, 253_402_300_799, 253_402_300_800, 2**62, -(2**62), 2**63 - 1, -(2**63), 1_700_000_000)
NANOS = (0, 1, 999_999_999, 10**9, 2**31 - 1, -1, -(2**31))


@pytest.fixture
async def settlement(postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve settlement."""
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as process:
        yield process


def filled(message: Any, rng: Random) -> Any:
    """Return a message with odd values in most fields."""
    if isinstance(message, timestamp_pb2.Timestamp):
        message.seconds, message.nanos = rng.choice(SECONDS), rng.choice(NANOS)
        return message
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.25:
            continue
        if field.name == "request_id" and rng.random() < 0.8:
            message.request_id = request_id()
        elif field.is_repeated or (field.message_type is not None and field.message_type.name == "Struct"):
            continue
        elif field.message_type is not None:
            filled(getattr(message, field.name), rng)
            getattr(message, field.name).SetInParent()
        else:
            setattr(message, field.name, value(field, rng))
    return message


def value(field: FieldDescriptor, rng: Random) -> Any:
    """Return a value that a field of this type can hold."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return rng.choice(TEXTS)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.choice((b"", b"\xff" * 32, b"x"))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    bits = 31 if field.type in (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_ENUM) else 63
    number = rng.choice(INTEGERS)
    return rng.randrange(5) if field.type == FieldDescriptor.TYPE_ENUM else max(-(2**bits), min(2**bits - 1, number))


async def answered(process: Served, method: MethodDescriptor, request: Any, role: Role) -> str:
    """Call a method; return the reason of its refusal, "" for an answer, of a stream its first message."""
    open_: Any = process.channel.unary_stream if method.server_streaming else process.channel.unary_unary
    call = open_(
        f"/{method.containing_service.full_name}/{method.name}",
        request_serializer=lambda sent: sent.SerializeToString(),
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    running = call(request, metadata=(("authorization", f"Bearer {process.token('staff-x', role)}"),), timeout=60)
    try:
        if not method.server_streaming:
            await running
            return ""
        async for _ in running:
            running.cancel()
            return ""
    except grpc.RpcError as error:
        return client.refusal(error).reason
    raise AssertionError(f"a stream without a message: {request}")


@pytest.mark.parametrize("name", METHODS)
async def test_no_odd_request_is_a_fault_of_the_house(settlement: Served, name: str) -> None:
    """Requests drawn from the ends of every type, in every role that may call the method, are answered or refused."""
    method, rng = METHODS[name], Random(f"extremes {name}")
    roles = (Role.SERVICE,) if "Settlement" in name else (Role.OPERATOR, Role.PLAYER, Role.AUDITOR, Role.SERVICE)
    wrong = []
    for _ in range(TRIES):
        request = filled(message_factory.GetMessageClass(method.input_type)(), rng)
        reason = await answered(settlement, method, request, rng.choice(roles))
        if reason in ("INTERNAL", "UNKNOWN", "UNAVAILABLE", "DEADLINE_EXCEEDED"):
            wrong.append((reason, str(request)))
    assert wrong == []


@pytest.mark.parametrize("field", ["from_time", "to_time"])
@pytest.mark.parametrize("seconds", [-(2**62), -1, 253_402_300_800, 2**62])
async def test_the_exported_ledger_refuses_moments_that_there_are_none_of(
    postgres_url: str, redis_url: str, field: str, seconds: int
) -> None:
    """Seconds beyond every year, and nanoseconds beyond a second, are refused with the name of their field."""
    async with served.serve("audit", served.given(postgres_url, redis_url)) as process:
        metadata = (("authorization", f"Bearer {process.token('auditor', Role.AUDITOR)}"),)
        for odd in ({"seconds": seconds}, {"seconds": 5, "nanos": 10**9}, {"seconds": 5, "nanos": -1}):
            request = audit_pb2.ExportLedgerRequest(**{field: timestamp_pb2.Timestamp(**odd)})
            with pytest.raises(grpc.RpcError) as caught:
                async for _ in process.audit.ExportLedger(request, metadata=metadata, timeout=60):
                    pass
            refusal = client.refusal(caught.value)
            assert (refusal.reason, field in refusal.message) == ("INVALID_ARGUMENT", True)


def spans() -> dict[str, MethodDescriptor]:
    """Return the methods that read a span of time, by their names."""
    services = (audit_pb2.DESCRIPTOR.services_by_name["AuditService"], *SERVICES)
    methods = (method for service in services for method in service.methods)
    return {one.name: one for one in methods if {"from_time", "to_time"} <= set(one.input_type.fields_by_name)}


@pytest.mark.parametrize("method", spans().values(), ids=spans())
async def test_a_span_that_ends_before_it_begins_is_refused(
    postgres_url: str, redis_url: str, method: MethodDescriptor
) -> None:
    """Every method that reads a span of time refuses one whose end lies before its beginning."""
    name, role = ("audit", Role.AUDITOR) if method.containing_service.name == "AuditService" else ("settlement", None)
    request: Any = message_factory.GetMessageClass(method.input_type)()
    request.from_time.seconds, request.to_time.seconds = 2_000_000, 1_000_000
    if "player" in method.input_type.fields_by_name:
        request.player = "ann"
    async with served.serve(name, served.given(postgres_url, redis_url)) as process:
        assert await answered(process, method, request, role or Role.OPERATOR) == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    ("method", "request_type"),
    [
        ("ListSwitches", back_office_pb2.ListSwitchesRequest),
        ("ListAdjustments", back_office_pb2.ListAdjustmentsRequest),
        ("ListVoids", back_office_pb2.ListVoidsRequest),
        ("ListSignificantEvents", back_office_pb2.ListSignificantEventsRequest),
        ("ListStatementLines", wallet_pb2.ListStatementLinesRequest),
        ("GetPlayerStatement", back_office_pb2.GetPlayerStatementRequest),
        ("ListLimits", back_office_pb2.ListLimitsRequest),
    ],
)
@pytest.mark.parametrize("token", ["0", "00", "01", "-1", "+1", " 1", "１", "9" * 19])
async def test_a_token_that_no_page_gave_is_refused(
    settlement: Served, method: str, request_type: Any, token: str
) -> None:
    """Page tokens have one form: every other text is refused, by every list."""
    request = request_type(page_token=token)
    if "player" in request.DESCRIPTOR.fields_by_name:
        request.player = "ann"
    stub = settlement.wallets if method == "ListStatementLines" else settlement.office
    await settlement.refused("INVALID_ARGUMENT", getattr(stub, method), request, Role.OPERATOR)


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1+1"])
def test_no_text_in_a_table_is_a_formula(text: str) -> None:
    """The writer of CSV disarms formulas in headings and lines; numbers stay numbers, and nothing else changes."""
    file = io.StringIO()
    table = csv_table.CsvTable(file)
    table.row((text, -5, "plain", [text]))
    table.rows([("note", text)])
    first, second = csv.reader(io.StringIO(file.getvalue(), newline=""))
    assert first[:3] == [f"'{text}", "-5", "plain"]
    assert second == ["note", f"'{text}"]
