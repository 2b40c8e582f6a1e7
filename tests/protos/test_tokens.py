"""A client whose token ends: it asks its caller for another one, once, and goes on where it was."""

import asyncio

import grpc
import pytest
from pitboss import client
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
