"""A client whose token ends: it asks its caller for another one, once, and goes on where it was."""

import asyncio
import base64
import json
import time

import grpc
import pytest
from pitboss import client, tokens
from pitboss.v1 import actions_pb2

from tests.protos.test_client import TABLE, served, watched
from tests.support import waits


class SignIn:
    """A caller that signs in: each call returns the next token."""

    def __init__(self, *texts: str) -> None:
        self.left = list(texts)
        self.asked = 0

    def __call__(self) -> str:
        """Return the next token; after the last one, the last one again."""
        self.asked += 1
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]

    async def later(self) -> str:
        """Return the next token after a moment."""
        await waits.turns()
        return self()


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_call_asks_for_a_token_when_its_own_has_ended(is_async: bool) -> None:
    """The function is asked for the first token, and again when that one is refused; the call is answered."""
    sign_in = SignIn("old", "the token")
    async with served(token=sign_in.later if is_async else sign_in) as (dealer, house):
        assert (await house.act(TABLE, actions_pb2.Action())).version == 7
        assert sign_in.asked == 2
        assert dealer.tokens == {"Bearer old", "Bearer the token"}
        assert len({request.request_id for request in dealer.asked}) == 1
        await house.act(TABLE, actions_pb2.Action())
        assert sign_in.asked == 2


async def test_many_calls_that_are_refused_at_once_sign_in_once() -> None:
    """Twenty calls with an old token ask the function for one new token, not for twenty."""
    sign_in = SignIn("old", "the token")
    async with served(token=sign_in.later) as (_, house):
        answers = await asyncio.gather(*(house.act(TABLE, actions_pb2.Action()) for _ in range(20)))
        assert (len(answers), sign_in.asked) == (20, 2)


async def test_a_token_that_nobody_can_renew_is_told() -> None:
    """A plain text is sent once; a function whose tokens are all refused is asked once for each call."""
    async with served(token="old") as (dealer, house):
        with pytest.raises(client.Refused) as caught:
            await house.act(TABLE, actions_pb2.Action())
        assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
        assert len(dealer.asked) == 1
    sign_in = SignIn("old", "older", "oldest")
    async with served(token=sign_in) as (dealer, house):
        with pytest.raises(client.Refused):
            await house.act(TABLE, actions_pb2.Action())
        assert (len(dealer.asked), sign_in.asked) == (2, 2)


async def test_a_watch_goes_on_with_the_next_token() -> None:
    """A stream that ends with its token is taken up from the last version with the token that the caller gets."""
    sign_in, seen = SignIn("the token", "the next"), list[int]()

    def signed_in() -> str:
        token = sign_in()
        dealer.good = f"Bearer {token}"
        return token

    async with served(token=signed_in) as (dealer, house):
        dealer.failures = [grpc.StatusCode.UNAUTHENTICATED]
        with pytest.raises(client.Refused) as caught:
            await watched(house, 10, seen)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
        assert seen == [11, 12, 13, 14]
        assert sign_in.asked == 2


async def test_a_watch_whose_token_is_refused_for_good_ends() -> None:
    """Where the next token is refused too, before any message, the watch ends with UNAUTHENTICATED."""
    sign_in, seen = SignIn("old", "older", "oldest"), list[int]()
    async with served(token=sign_in) as (_, house):
        with pytest.raises(client.Refused) as caught:
            await watched(house, 0, seen)
        assert (caught.value.code, sign_in.asked, seen) == (grpc.StatusCode.UNAUTHENTICATED, 2, [])


def signed(name: str, good_for_seconds: float, issued: bool = True) -> str:
    """Return a text in the form of a token that expires."""
    now = time.time()
    claims = {"sub": name, "exp": now + good_for_seconds} | ({"iat": now} if issued else {})
    middle = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"{name}.{middle}.signature"


@pytest.mark.parametrize("issued", [True, False])
async def test_a_token_is_renewed_before_it_expires(monkeypatch: pytest.MonkeyPatch, issued: bool) -> None:
    """Late in its life, the next call carries the next token, and nothing is refused."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    sign_in = SignIn(signed("first", 100, issued), signed("second", 3600, issued), signed("third", 3600, issued))
    kept = tokens.Tokens(sign_in)
    seen = []
    for seconds in (0, 79, 2, 3569, 2):  # a life of 100 seconds, then those of an hour
        now[0] += seconds
        seen.append((await kept.current()).split(".")[0])
    assert seen == ["first", "first", "second", "second", "third"]
    assert sign_in.asked == 3


async def test_a_sign_in_that_fails_early_leaves_the_token_that_is_still_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last token is sent on; when it is refused, the caller learns why there is no other."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    texts: list[str] = [signed("first", 100)]

    def sign_in() -> str:
        return texts.pop()

    kept = tokens.Tokens(sign_in)
    first = await kept.current()
    now[0] += 90
    assert await kept.current() == first
    with pytest.raises(IndexError):
        await kept.renewed(first)


@pytest.mark.parametrize("text", ["plain", "a.b.c", "a.e30.c", "a.bnVsbA.c", "é.é.é"])
async def test_a_token_that_says_no_end_is_kept_until_it_is_refused(text: str) -> None:
    """Any text may be a token."""
    sign_in = SignIn(text)
    kept = tokens.Tokens(sign_in)
    assert [await kept.current(), await kept.current()] == [text, text]
    assert sign_in.asked == 1
