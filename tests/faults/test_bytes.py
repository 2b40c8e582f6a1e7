"""What is no message, no method or too large is refused before any command is decided."""

from typing import Any

import grpc
import pytest
from pitboss import client

from tests.faults import refusing
from tests.faults.breaking import Broken
from tests.support.people import Crowd


@pytest.mark.parametrize(
    "path",
    [
        "DealerService/Act",
        "DealerService/CreateTable",
        "DealerService/WatchTable",
        "DealerService/Play",
        "DealerService/ListTables",
        "CatalogueService/GetGame",
    ],
)
async def test_bytes_that_are_no_message_are_refused(house: Broken, crowd: Crowd, path: str) -> None:
    """Bytes that no message of the method makes are MALFORMED_REQUEST."""
    before = await house.counts()
    player = await crowd.player("ann", 0)
    async with grpc.aio.insecure_channel(crowd.reach.dealers[0]) as channel:
        no_text = [] if path.endswith("ListTables") else [b"\x0a\x02\xc3\x28"]  # its first field is a number
        for raw in (b"\xff", b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)), b"\x0a\x7f" + b"x" * 9, *no_text):
            kinds: dict[str, Any] = {"WatchTable": channel.unary_stream, "Play": channel.stream_stream}
            make = kinds.get(path.partition("/")[2], channel.unary_unary)
            asked = iter([raw]) if path.endswith("Play") else raw
            call = make(f"/pitboss.v1.{path}")(asked, timeout=60, metadata=player.metadata)
            refusal = await refusing.refused(refusing.first(call))
            assert (refusal.reason, refusal.code.name) == ("MALFORMED_REQUEST", "INVALID_ARGUMENT")
    await refusing.unchanged(house, before)


async def test_unknown_methods_and_huge_messages_are_refused(house: Broken, crowd: Crowd) -> None:
    """A method that is not there is UNIMPLEMENTED, a message beyond the bound RESOURCE_EXHAUSTED."""
    player = await crowd.player("ann", 0)
    before = await house.counts()
    async with grpc.aio.insecure_channel(crowd.reach.dealers[0]) as channel:
        for path, raw, code in (
            ("/pitboss.v1.DealerService/Cheat", b"", grpc.StatusCode.UNIMPLEMENTED),
            ("/pitboss.v1.WalletService/Deposit", b"", grpc.StatusCode.UNIMPLEMENTED),
            ("/pitboss.v1.DealerService/Act", b"\x0a" * (1 << 21), grpc.StatusCode.RESOURCE_EXHAUSTED),
        ):
            calling: Any = channel.unary_unary
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await calling(path)(raw, timeout=60, metadata=player.metadata)
            assert caught.value.code() is code
            reason = client.refusal(caught.value).reason
            assert reason == ("NOT_FOUND" if code is grpc.StatusCode.UNIMPLEMENTED else "MALFORMED_REQUEST")
    await refusing.unchanged(house, before)
