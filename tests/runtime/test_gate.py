"""The interceptor on a real server: access, errors, metrics, and the bound on a call's time."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.runtime import errors, metrics, server
from services.runtime.identity import Role
from tests.support import echo, waits


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    """Open a channel to an echo that bounds calls at half a second."""
    async with (
        server.running("echo", echo.given(call_seconds=0.5), echo.build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as opened,
    ):
        yield opened


async def refusal(call: Any) -> tuple[grpc.StatusCode, error_details_pb2.ErrorInfo, Any]:
    """Await a call that must fail; return its code, its ErrorInfo and the whole status."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    status = errors.status_of(caught.value)
    assert status is not None, "every refusal carries a status"
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info), "the first detail is the ErrorInfo"
    assert info.domain == "pitboss"
    assert status.message == caught.value.details()
    return caught.value.code(), info, status


async def test_a_caller_with_a_token_is_known_to_the_handler(channel: grpc.aio.Channel) -> None:
    """The handler learns the subject from the token by the context variable."""
    answer = await echo.say_on(channel)(StringValue(value="hello"), metadata=[echo.bearer()])
    assert answer.value == "ann: hello"


async def test_anonymous_callers_reach_health_and_nothing_else(channel: grpc.aio.Channel) -> None:
    """Without a token health answers; a method of ours and reflection refuse."""
    checked = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=echo.NAME))
    assert checked.status == health_pb2.HealthCheckResponse.SERVING
    code, info, _ = await refusal(echo.say_on(channel)(StringValue(value="hello")))
    assert (code, info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")


async def test_anonymous_reflection_is_told_to_sign_in(channel: grpc.aio.Channel) -> None:
    """However the refusal and the first request meet, the caller reads UNAUTHENTICATED and never INTERNAL."""
    for _ in range(200):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _names(channel, [])
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 0)], ids=["good first", "good last", "the same twice"])
async def test_two_authorizations_are_refused(channel: grpc.aio.Channel, order: tuple[int, int]) -> None:
    """Calls and streams with two tokens are refused, whatever the tokens are."""
    entries = [echo.bearer(), echo.bearer(Role.OPERATOR, "eve")]
    metadata = [entries[place] for place in order]
    stream = echo.watch_on(channel)(StringValue(value="count 1"), metadata=metadata)
    for call in (echo.say_on(channel)(StringValue(value="x"), metadata=metadata), stream.read()):
        code, info, status = await refusal(call)
        assert (code, info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
        assert "2 times" in status.message


async def test_reflection_names_the_services_to_every_signed_in_caller(channel: grpc.aio.Channel) -> None:
    """With a token reflection lists the service, health and itself."""
    names = await _names(channel, [echo.bearer()])
    assert {echo.NAME, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} <= names


async def _names(channel: grpc.aio.Channel, metadata: list[tuple[str, str]]) -> set[str]:
    async def ask() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="")

    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    async for answer in stub.ServerReflectionInfo(ask(), metadata=metadata):
        return {one.name for one in answer.list_services_response.service}
    raise AssertionError("reflection did not answer")


@pytest.mark.parametrize("role", [Role.PLAYER, Role.OPERATOR, Role.SERVICE])
async def test_a_method_refuses_roles_that_it_does_not_name(channel: grpc.aio.Channel, role: Role) -> None:
    """Only an auditor may audit; the refusal says who may."""
    code, info, status = await refusal(
        echo.say_on(channel, "Audit")(StringValue(value="x"), metadata=[echo.bearer(role)])
    )
    assert (code, info.reason) == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    assert info.metadata["role"] == role.value
    assert "auditor" in status.message
    allowed = await echo.say_on(channel, "Audit")(StringValue(value="x"), metadata=[echo.bearer(Role.AUDITOR)])
    assert allowed.value == "ann: x"


async def test_a_problem_reaches_the_caller_with_reason_metadata_and_fields(channel: grpc.aio.Channel) -> None:
    """What a handler raises arrives as code, ErrorInfo and field violations, and in the caller's language."""
    metadata = [echo.bearer(), ("accept-language", "zh-TW,en;q=0.5")]
    code, info, status = await refusal(echo.say_on(channel)(StringValue(value="fail problem"), metadata=metadata))
    assert (code, info.reason, dict(info.metadata)) == (grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", {"table": "7"})
    bad, local = error_details_pb2.BadRequest(), error_details_pb2.LocalizedMessage()
    assert status.details[1].Unpack(bad)
    assert (bad.field_violations[0].field, bad.field_violations[0].description) == ("table", "unknown")
    assert status.details[2].Unpack(local)
    assert (local.locale, local.message) == ("zh-Hant", "找不到這張桌。")


async def test_no_localised_text_is_sent_unasked(channel: grpc.aio.Channel) -> None:
    """Without accept-language the status holds no LocalizedMessage."""
    _, _, status = await refusal(echo.say_on(channel)(StringValue(value="fail refused"), metadata=[echo.bearer()]))
    assert not any(detail.Is(error_details_pb2.LocalizedMessage.DESCRIPTOR) for detail in status.details)


@pytest.mark.parametrize(
    ("failure", "code", "reason"),
    [
        ("refused", grpc.StatusCode.FAILED_PRECONDITION, "OUT_OF_TURN"),
        ("crash", grpc.StatusCode.INTERNAL, "INTERNAL"),
        ("away", grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"),
        ("timeout", grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
)
async def test_exceptions_are_mapped_and_leak_nothing(
    channel: grpc.aio.Channel, failure: str, code: grpc.StatusCode, reason: str
) -> None:
    """Each kind of exception has its code and reason, on calls and on streams; what went wrong inside stays inside."""
    request, metadata = StringValue(value=f"fail {failure}"), [echo.bearer()]
    for call in (echo.say_on(channel)(request, metadata=metadata), _all(channel, f"fail {failure}")):
        got, info, status = await refusal(call)
        assert (got, info.reason) == (code, reason)
        assert "hunter2" not in str(status)
        assert "10.0.0.7" not in str(status)


async def test_faults_and_refused_sign_ins_are_reported_of_calls_and_of_streams() -> None:
    """Each is reported once, with caller, method and cause; a refusal by the rules is not."""
    told: list[tuple[str, ...]] = []

    @asynccontextmanager
    async def build(process: server.Process) -> AsyncIterator[Sequence[server.Service]]:
        process.observer = lambda *what: told.append(what)
        yield [echo.service()]

    good, forged = [echo.bearer()], [("authorization", "Bearer forged")]
    async with (
        server.running("echo", echo.given(), build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        for metadata, failure in ((good, "refused"), (good, "crash"), (forged, "refused")):
            request = StringValue(value=f"fail {failure}")
            await refusal(echo.say_on(channel)(request, metadata=metadata))
            await refusal(_all(channel, request.value, metadata))
    assert [(kind, method.rpartition("/")[2]) for kind, _, method, _ in told] == [
        ("error", "Say"),
        ("error", "Watch"),
        ("sign_in_refused", "Say"),
        ("sign_in_refused", "Watch"),
    ]
    assert [who for _, who, _, _ in told[2:]] == ["anonymous"] * 2
    assert "anonymous" not in {who for _, who, _, _ in told[:2]}


async def test_a_stream_that_fails_says_where_to_resume(channel: grpc.aio.Channel) -> None:
    """The version that the handler sent last goes along with the error."""
    _, info, _ = await refusal(_all(channel, "fail away"))
    assert info.metadata["version"] == "2"


async def _all(channel: grpc.aio.Channel, request: str, metadata: list[tuple[str, str]] | None = None) -> list[str]:
    call = echo.watch_on(channel)(StringValue(value=request), metadata=metadata or [echo.bearer()])
    return [message.value async for message in call]


async def test_a_stream_gives_all_its_messages_and_ends(channel: grpc.aio.Channel) -> None:
    """A stream of two hundred messages arrives whole and in order."""
    assert await _all(channel, "count 200") == [str(number) for number in range(200)]


@pytest.mark.parametrize("request_", ["stay", "count 100000"], ids=["waiting", "sending"])
async def test_a_stream_that_its_client_leaves_is_closed_at_once(channel: grpc.aio.Channel, request_: str) -> None:
    """The handler of a cancelled stream is closed, whether it waits or sends, and no stream counts as open."""

    def number_open() -> float | None:
        labels = {"service": "Echo", "method": "Watch"}
        return metrics.REGISTRY.get_sample_value("pitboss_open_streams", labels)

    call = echo.watch_on(channel)(StringValue(value=request_), metadata=[echo.bearer()])
    assert (await call.read()).value == "0"
    assert (len(echo.watching), number_open()) == (1, 1)
    call.cancel()
    await waits.eventually(lambda: not echo.watching and not number_open(), "the handler is closed", seconds=10)


async def test_bytes_that_are_no_message_are_refused_with_a_reason(channel: grpc.aio.Channel) -> None:
    """Malformed bytes give INVALID_ARGUMENT with MALFORMED_REQUEST, not an unknown error."""
    code, info, _ = await refusal(echo.say_on(channel)(b"\xff\xff\xff", metadata=[echo.bearer()]))
    assert (code, info.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST")


async def test_a_call_without_a_deadline_gets_the_house_s_bound(channel: grpc.aio.Channel) -> None:
    """A handler that never returns is ended at the bound although the client set no deadline."""
    code, info, _ = await refusal(echo.say_on(channel)(StringValue(value="wait 30"), metadata=[echo.bearer()]))
    assert (code, info.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")


async def test_a_method_that_may_take_longer_does(channel: grpc.aio.Channel) -> None:
    """A method with a bound of its own runs on beyond the bound of all calls."""
    call = echo.say_on(channel, "Audit")(StringValue(value="wait 0.8"), metadata=[echo.bearer(Role.AUDITOR)])
    assert (await call).value == "ann: wait 0.8"


async def test_calls_are_counted_by_method_and_code_without_ids(channel: grpc.aio.Channel) -> None:
    """An answered and a refused call raise their counters; no label holds a subject."""

    def count(code: str) -> float:
        labels = {"service": "Echo", "method": "Say", "code": code}
        return metrics.REGISTRY.get_sample_value("pitboss_requests_total", labels) or 0.0

    answered, missing = count("OK"), count("NOT_FOUND")
    say = echo.say_on(channel)
    await say(StringValue(value="x"), metadata=[echo.bearer(subject="very-special-subject")])
    await refusal(say(StringValue(value="fail problem"), metadata=[echo.bearer()]))
    assert (count("OK"), count("NOT_FOUND")) == (answered + 1, missing + 1)
    assert b"very-special-subject" not in metrics.text()


async def test_the_request_id_of_the_caller_comes_back_with_a_refusal(channel: grpc.aio.Channel) -> None:
    """A caller that names its call finds the name in the trailing metadata, so that logs can be searched."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await echo.say_on(channel)(
            StringValue(value="fail crash"), metadata=[echo.bearer(), ("x-request-id", "call-77")]
        )
    trailing: Any = caught.value.trailing_metadata()
    assert ("x-request-id", "call-77") in list(trailing)
    assert "call-77" in (caught.value.details() or "")
