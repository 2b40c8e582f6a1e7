"""The typed client on a real gRPC server: repetitions, refusals, and resumed watches."""

import inspect
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.rpc import code_pb2
from pitboss import calls, client, codes
from pitboss.v1 import actions_pb2, dealer_pb2_grpc, table_pb2
from pitboss.v1 import dealer_pb2 as pb

from services.rules.refusals import Reason, Refused
from services.runtime import errors, reasons, wordings

TABLE = "6f1b2c3d-0000-4000-8000-00000000a001"


class Dealer(dealer_pb2_grpc.DealerServiceServicer):
    """A dealer that fails a set number of calls with a code and then answers."""

    def __init__(self) -> None:
        self.failures: list[grpc.StatusCode | Refused] = []
        self.asked: list[Any] = []
        self.tokens: set[str] = set()
        self.languages: list[str] = []
        self.version = 0
        self.away = 0
        self.good = "Bearer the token"

    async def _enter(self, request: Any, context: Any) -> None:
        self.asked.append(request)
        given = dict(context.invocation_metadata())
        self.tokens.add(given["authorization"])
        self.languages.append(given.get("accept-language", ""))
        await self._verify(context)
        if not self.failures:
            return
        failure = self.failures.pop(0)
        if isinstance(failure, Refused):
            status = errors.to_status(failure, self.languages[-1])
            metadata = ((errors.DETAILS_KEY, status.SerializeToString()),)
            await context.abort(reasons.CODES[failure.reason], status.message, metadata)
        await context.abort(failure, "not now")

    async def _verify(self, context: Any) -> None:
        if dict(context.invocation_metadata())["authorization"] != self.good:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token has expired")

    async def Act(self, request: pb.ActRequest, context: Any) -> pb.ActResponse:
        """Answer with the next version."""
        await self._enter(request, context)
        return pb.ActResponse(version=7)

    async def AddChips(self, request: pb.AddChipsRequest, context: Any) -> pb.AddChipsResponse:
        """Answer."""
        await self._enter(request, context)
        return pb.AddChipsResponse(version=7)

    async def ListTables(self, request: pb.ListTablesRequest, context: Any) -> pb.ListTablesResponse:
        """Return three pages of one table."""
        await self._enter(request, context)
        at = int(request.page_token or 0)
        token = str(at + 1) if at < 2 else ""
        return pb.ListTablesResponse(tables=[table_pb2.TableSummary(table_id=str(at))], next_page_token=token)

    async def WatchTable(self, request: pb.WatchTableRequest, context: Any) -> AsyncIterator[pb.WatchTableResponse]:
        """Send two versions from where it was asked to go on, then fail as told or end."""
        self.asked.append(request)
        await self._verify(context)
        if self.away:
            self.away -= 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "nobody is here")
        for number in range(request.after_version + 1, request.after_version + 3):
            yield pb.WatchTableResponse(view=table_pb2.TableView(version=number))
        failure = self.failures.pop(0) if self.failures else grpc.StatusCode.NOT_FOUND
        assert not isinstance(failure, Refused)
        await context.abort(failure, "the stream ends")


@asynccontextmanager
async def served(
    language: str = "", token: client.Token = "the token", patience: float = calls.CALL_PATIENCE_SECONDS
) -> AsyncIterator[tuple[Dealer, client.House]]:
    """Serve such a dealer and yield a client of it."""
    dealer, server = Dealer(), grpc.aio.server()  # type: ignore[abstract]  # the others are never called
    dealer_pb2_grpc.add_DealerServiceServicer_to_server(dealer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with client.connect(f"127.0.0.1:{port}", token, language=language, patience=patience) as house:
            yield dealer, house
    finally:
        await server.stop(0)


async def watched(house: client.House, after: int, seen: list[int], patience: float | None = 600.0) -> None:
    """Watch until the stream ends; note every version."""
    async for message in house.watch(TABLE, after, patience):
        seen.append(message.view.version)  # noqa: PERF401 - the stream ends with an error


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait shortly between tries."""
    monkeypatch.setattr(calls, "PAUSE_SECONDS", 0.01)


async def test_a_call_that_got_no_answer_is_sent_again_with_the_same_id() -> None:
    """Twice unavailable: the third try is answered; all tries carry one request id and the token."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAVAILABLE] * 2
        answer = await house.act(TABLE, actions_pb2.Action())
        assert answer.version == 7
        assert len({request.request_id for request in dealer.asked}) == 1
        assert len(dealer.asked) == 3
        assert dealer.tokens == {"Bearer the token"}
        await house.act(TABLE, actions_pb2.Action())
        assert len({request.request_id for request in dealer.asked}) == 2
        await house.act(TABLE, actions_pb2.Action(), 6, "my own id")
        assert (dealer.asked[-1].request_id, dealer.asked[-1].expected_version) == ("my own id", 6)


async def test_the_client_gives_up_when_its_patience_ends() -> None:
    """A house that stays away is reported as UNAVAILABLE, and every call ends."""
    async with served(patience=0.3) as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAVAILABLE] * 10_000
        began = time.monotonic()
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE
        assert time.monotonic() - began < 10
        assert len({request.request_id for request in dealer.asked}) == 1
        assert len(dealer.asked) > 1


async def test_a_call_outlasts_a_house_that_is_away_for_long() -> None:
    """Far more failures in a row than the channel repeats: the command gets through, with its one request id."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAVAILABLE] * 40
        assert (await house.act(TABLE, actions_pb2.Action())).version == 7
        assert len({request.request_id for request in dealer.asked}) == 1
        dealer.failures = [grpc.StatusCode.UNAVAILABLE] * 40
        assert len(await house.tables()) == 3


async def test_a_command_whose_answer_was_lost_is_sent_again_with_the_same_id() -> None:
    """After a deadline the client sends the same money command, which is paid once, and never one with a new id."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.DEADLINE_EXCEEDED] * 2
        await house.add_chips(TABLE, 500)
        assert len(dealer.asked) == 3
        assert len({request.request_id for request in dealer.asked}) == 1


async def test_the_caller_can_repeat_a_command_that_got_no_answer_at_all() -> None:
    """When every try was lost, the refusal carries the id with which the caller sends the same command again."""
    async with served(patience=0.0) as (dealer, house):
        dealer.failures = [grpc.StatusCode.DEADLINE_EXCEEDED]
        with pytest.raises(client.Refused) as caught:
            await house.add_chips(TABLE, 500)
        assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
        await house.add_chips(TABLE, 500, caught.value.request_id)
        assert len({request.request_id for request in dealer.asked}) == 1


async def test_a_question_whose_answer_was_late_is_not_asked_again() -> None:
    """A list that took too long would take as long again; its refusal carries no id, for nothing was commanded."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.DEADLINE_EXCEEDED]
        with pytest.raises(client.Refused) as caught:
            await house.tables()
        assert (len(dealer.asked), caught.value.request_id) == (1, "")


def test_every_command_takes_its_request_id() -> None:
    """Each method of the client that makes a request id also takes one, so that each command can be repeated."""
    commands = [
        method
        for _, method in inspect.getmembers(client.House, inspect.isfunction)
        if "request_id=" in inspect.getsource(method)
    ]
    assert len(commands) >= 9
    for method in commands:
        assert "command" in inspect.signature(method).parameters, method.__name__


async def test_a_short_rate_limit_is_waited_for() -> None:
    """While all pauses that a rate limit asks for last a second at most, the client waits and gets its answer."""
    async with served() as (dealer, house):
        dealer.failures = [Refused(Reason.TOO_MANY_REQUESTS, "slow down", retry_seconds=0.05)] * 6
        began = time.monotonic()
        await house.act(TABLE, actions_pb2.Action())
        assert time.monotonic() - began >= 0.05 * 6


@pytest.mark.parametrize("seconds", [1.01, 5, 3600])
async def test_a_longer_rate_limit_is_raised_at_once(seconds: float) -> None:
    """The caller hears of the limit and its pause after one try: patience is for a house that is away."""
    async with served() as (dealer, house):
        dealer.failures = [Refused(Reason.TOO_MANY_REQUESTS, "slow down", retry_seconds=seconds)]
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert (caught.value.reason, caught.value.retry_after_seconds) == ("TOO_MANY_REQUESTS", seconds)
        assert len(dealer.asked) == 1


async def test_short_rate_limits_do_not_add_up_to_a_long_wait() -> None:
    """A call waits for one second of rate limits in all, then raises the limit."""
    async with served() as (dealer, house):
        dealer.failures = [Refused(Reason.TOO_MANY_REQUESTS, "slow down", retry_seconds=0.4)] * 100
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert (caught.value.reason, len(dealer.asked)) == ("TOO_MANY_REQUESTS", 3)


@pytest.mark.parametrize("code", [grpc.StatusCode.ABORTED, grpc.StatusCode.INTERNAL, grpc.StatusCode.NOT_FOUND])
async def test_other_failures_are_not_sent_again(code: grpc.StatusCode) -> None:
    """What was answered stays answered."""
    async with served() as (dealer, house):
        dealer.failures = [code]
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert (caught.value.code, caught.value.message) == (code, "not now")
        assert len(dealer.asked) == 1


@pytest.mark.parametrize("code", [one for one in grpc.StatusCode if one is not grpc.StatusCode.OK])
async def test_a_failure_without_a_reason_gets_one_of_the_closed_list(code: grpc.StatusCode) -> None:
    """Where gRPC or something on the way ends a call, the caller still reads a reason of the list."""
    async with served(patience=0.0) as (dealer, house):
        dealer.failures = [code] * 16
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        reason = Reason(caught.value.reason)
        assert caught.value.code is code
        assert reason is Reason.INTERNAL or code in (reasons.CODES[reason], *codes.REASONS)


async def test_a_request_that_is_too_long_is_malformed_and_says_the_bound() -> None:
    """The request never reaches the house; reason and message say what is wrong and what would be right."""
    async with served(patience=0.0) as (dealer, house):
        with pytest.raises(client.Refused) as caught:
            await house.act("x" * (4 << 20), actions_pb2.Action())
        assert (caught.value.reason, dealer.asked) == ("MALFORMED_REQUEST", [])
        assert "longer than the house accepts" in caught.value.message
        assert str(4 << 20) in caught.value.message


@pytest.mark.parametrize("reason", [one for one in Reason if one is not Reason.WRONG_FAMILY])
async def test_every_reason_of_the_closed_list_reaches_the_caller(reason: Reason) -> None:
    """Reason, code, words and what machines need arrive as they were sent."""
    async with served(patience=0.0) as (dealer, house):
        refusal = Refused(reason, "in words", metadata={"version": 12})
        dealer.failures = [refusal] * 16
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        refused = caught.value
        assert (refused.reason, refused.message, refused.code) == (reason.value, "in words", reasons.CODES[reason])
        assert refused.metadata == {"version": "12"}
        assert str(refused) == f"{reason.value}: in words"
        assert code_pb2.Code.Value(refused.code.name)


async def test_a_watch_goes_on_from_the_last_version_seen() -> None:
    """A stream that breaks is taken up again behind what arrived; no version is missed and none comes twice."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAVAILABLE] * 3
        seen: list[int] = []
        with pytest.raises(client.Refused) as caught:
            await watched(house, 10, seen)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert seen == list(range(11, 19))
        assert [request.after_version for request in dealer.asked] == [10, 12, 14, 16]


@pytest.mark.parametrize("patience", [600.0, None])
async def test_a_watch_outlasts_a_house_that_is_away_for_long(patience: float | None) -> None:
    """Far more failures in a row than a call is tried: the watch gets through in the end, and misses nothing."""
    async with served() as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAVAILABLE]
        dealer.away = 80
        seen: list[int] = []
        with pytest.raises(client.Refused) as caught:
            await watched(house, 10, seen, patience)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert seen == [11, 12, 13, 14]
        assert dealer.away == 0


async def test_a_watch_gives_up_when_its_callers_patience_ends() -> None:
    """A house that is away for good ends the watch after the seconds that the caller set, not before."""
    async with client.connect("127.0.0.1:9", "token") as house:
        seen: list[int] = []
        began = time.monotonic()
        with pytest.raises(client.Refused) as caught:
            await watched(house, 0, seen, 0.3)
        assert 0.3 <= time.monotonic() - began < 5
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE
        assert seen == []


def test_pauses_between_tries_grow_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """After any number of failures the pauses of a watch stay within their bounds."""
    monkeypatch.undo()
    for failures in (1, 2, 10, 1_000_000):
        longest = min(calls.PAUSE_SECONDS * failures, calls.MOST_PAUSE_SECONDS)
        assert longest / 2 <= calls.pause(failures) <= longest


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
async def test_a_refusal_carries_its_text_in_the_callers_language(language: str) -> None:
    """The language is sent with every call; the text of the reason, its locale and the metadata come back."""
    async with served(language) as (dealer, house):
        refusal = Refused(Reason.STALE_VERSION, "for developers", metadata={"version": 12})
        dealer.failures = [refusal]
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert dealer.languages == [language]
        text = wordings.TEXTS[Reason.STALE_VERSION].within(language)
        assert (caught.value.text, caught.value.locale) == (text, language)
        assert caught.value.metadata == {"version": "12"}
        assert caught.value.message == "for developers"


async def test_without_a_language_no_text_is_asked_for() -> None:
    """No header is sent, and a refusal has no text for the player."""
    async with served() as (dealer, house):
        dealer.failures = [Refused(Reason.STALE_VERSION, "for developers")]
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert dealer.languages == [""]
        assert (caught.value.text, caught.value.locale) == ("", "")


async def test_lists_are_read_page_by_page() -> None:
    """All pages are fetched, each with the token of the one before."""
    async with served() as (dealer, house):
        assert [table.table_id for table in await house.tables(game="war")] == ["0", "1", "2"]
        assert [request.page_token for request in dealer.asked] == ["", "1", "2"]
        assert {request.game for request in dealer.asked} == {"war"}


def test_request_ids_are_never_the_same() -> None:
    """Two commands never share an id by accident."""
    ids = {client.request_id() for _ in itertools.repeat(None, 1000)}
    assert len(ids) == 1000
    assert all(1 <= len(one) <= 64 for one in ids)


async def test_a_refusal_keeps_fields_and_figures() -> None:
    """Every field that was wrong comes with what would be right, beside the metadata."""
    async with served() as (dealer, house):
        fields = [("house_rules.ante", "0; give 1 to 100"), ("house_rules.seats", "9; give 2 to 6")]
        refusal = Refused(
            Reason.HOUSE_RULE_OUT_OF_RANGE, "two are wrong", metadata={"least": 1, "most": 100}, fields=fields
        )
        dealer.failures = [refusal]
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert caught.value.fields == dict(fields)
        assert caught.value.metadata == {"least": "1", "most": "100"}
