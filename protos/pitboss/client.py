"""A small typed client for front ends.

>>> async with client.connect("127.0.0.1:7400", token) as house:
...     table = await house.take_any_seat("texas_holdem", buy_in=1000)  # a standard table must be open
...     async for seen in house.watch(table.table_id):
...         for option in seen.view.round.options:
...             print(option.action)

Every call has a deadline. A command that got no answer is sent again with the same request id, which is safe, until
the patience that ``connect`` is given ends. Each command takes that id as ``command``; without one it makes one. A
refusal is raised as ``Refused`` with the reason of the house's closed list, the fields that were wrong, the command's
``request_id``, and its text in the caller's language where ``connect`` names one. After DEADLINE_EXCEEDED or
UNAVAILABLE a command may have been done: send it again with that id.

Dealers of different families may stand behind one address (then it routes by the metadata ``x-pitboss-family``) or
have an address each, given by family; the client finds the right one by itself.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import grpc

from pitboss import calls
from pitboss.calls import Refused, refusal
from pitboss.lists import Lists
from pitboss.lobby import Lobby
from pitboss.play import Play
from pitboss.purse import Purse
from pitboss.stubs import request_id, struct
from pitboss.tokens import Token

__all__ = ["House", "Lobby", "Refused", "Token", "connect", "open_channel", "refusal", "request_id", "struct"]

_RETRY = {
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ]
}


class House(Play, Lists, Purse):
    """One caller's way to the house: everything that a front end calls."""


def open_channel(address: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """Open a channel to a service; with credentials over TLS."""
    options = [
        ("grpc.service_config", json.dumps(_RETRY)),
        ("grpc.enable_retries", 1),
        ("grpc.initial_reconnect_backoff_ms", 100),  # a service that was down is found again soon, not after minutes
        ("grpc.max_reconnect_backoff_ms", 1000),
        # A silent house (a dead connection, a frozen process) never ends a stream; the channel sends keepalive pings.
        # The house accepts one every 5 seconds and closes connections that ping more often.
        ("grpc.keepalive_time_ms", calls.KEEPALIVE_SECONDS * 1000),
        ("grpc.keepalive_timeout_ms", calls.KEEPALIVE_TIMEOUT_SECONDS * 1000),
        ("grpc.http2.ping_timeout_ms", calls.KEEPALIVE_TIMEOUT_SECONDS * 1000),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=options)
    return grpc.aio.secure_channel(address, credentials, options=options)


@asynccontextmanager
async def connect(
    address: str | Mapping[str, str],
    token: Token,
    wallets: str = "",
    credentials: grpc.ChannelCredentials | None = None,
    language: str = "",
    patience: float = calls.CALL_PATIENCE_SECONDS,
) -> AsyncIterator[House]:
    """Connect to the house at one address, or at the dealers' addresses by family.

    ``token`` is a token, or a function (also an async one) that returns one. The function is called for the first call,
    shortly before the token expires, and whenever the house refuses the token, so that calls and watches outlive a
    token. ``wallets`` is the address of settlement, if the first address does not serve wallets as well. ``language``
    (en, zh-Hant, zh-Hans) is that of ``Refused.text``. For ``patience`` seconds a call is sent again while the house
    is away, which is longer than a process takes to restart. A rate limit is raised at once, with its
    ``retry_after_seconds``, unless it lasts a second at most. Raises ValueError where no address is given.
    """
    places = dict(address) if isinstance(address, Mapping) else {"": address}
    if not places:
        raise ValueError("no address is given; give one, or one for each family, such as {'poker': '127.0.0.1:7401'}")
    wanted = {*places.values(), *([wallets] if wallets else [])}
    channels = {place: open_channel(place, credentials) for place in sorted(wanted)}
    families = {family: channels[place] for family, place in places.items() if family}
    try:
        yield House(channels[next(iter(places.values()))], token, channels.get(wallets), families, language, patience)
    finally:
        for channel in channels.values():
            await channel.close(None)
