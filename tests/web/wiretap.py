"""What a browser has received and what its page holds in memory, searched for cards."""

import asyncio
import base64
import json
import re
from collections.abc import Iterable
from typing import Any, Final, Self

from playwright.async_api import CDPSession, Error, Page

RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight"} | {
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
SUITS: Final = {"s": ("spades", "♠"), "h": ("hearts", "♥"), "d": ("diamonds", "♦"), "c": ("clubs", "♣")}
DECK: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS)
_SENT: Final = re.compile(rb"(?:[\x0a-\x7a]|[\x80-\xff][\x01-\x07])\x02([2-9TJQKA][shdc])")
"""A card in a message: the tag of a field, the length 2, the card's two letters."""
_NAMED: Final = {
    form: rank + suit
    for rank, name in RANKS.items()
    for suit, (suit_name, sign) in SUITS.items()
    for form in (f"{'10' if rank == 'T' else rank}{sign}", f"{name} of {suit_name}", f'"{rank}{suit}"')
}
_NAMES: Final = re.compile("|".join(re.escape(form) for form in sorted(_NAMED, key=len, reverse=True)))


def named(text: str) -> set[str]:
    """Return the cards that a text names: by sign, by words, or as JSON."""
    return {_NAMED[form] for form in _NAMES.findall(text)}


def sent(body: bytes) -> set[str]:
    """Return the cards in the bytes of an answer: in fields of messages, and named in texts."""
    return {card.decode() for card in _SENT.findall(body)} | named(body.decode("utf-8", "replace"))


def held(snapshot: dict[str, Any]) -> set[str]:
    """Return the cards in a heap: in arrays, in properties of objects, and named in texts.

    A text of two letters alone says nothing, because a minified script has variables of each such name.
    """
    strings, nodes, edges = snapshot["strings"], snapshot["nodes"], snapshot["edges"]
    meta = snapshot["snapshot"]["meta"]
    node_fields, edge_fields = meta["node_fields"], meta["edge_fields"]
    kinds, edge_kinds = meta["node_types"][0], meta["edge_types"][0]
    width, edge_width = len(node_fields), len(edge_fields)
    at = {name: node_fields.index(name) for name in ("type", "name", "edge_count")}
    to = edge_fields.index("to_node")
    a_object, a_string = kinds.index("object"), kinds.index("string")
    wanted = {edge_kinds.index("element"), edge_kinds.index("property")}
    found: set[str] = set()
    edge = 0
    for node in range(0, len(nodes), width):
        end = edge + nodes[node + at["edge_count"]] * edge_width
        if nodes[node + at["type"]] == a_object:
            for one in range(edge, end, edge_width):
                target = edges[one + to]
                if edges[one] in wanted and nodes[target + at["type"]] == a_string:
                    found.add(strings[nodes[target + at["name"]]].rpartition("-")[2])
        edge = end
    return (found & DECK) | set().union(*(named(text) for text in strings if len(text) > 2))


class Wiretap:
    """Everything that one page has received since it was opened."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._bodies: dict[str, bytes] = {}
        self._streamed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.addresses: dict[str, str] = {}
        self._chunks: list[str] = []

    @classmethod
    async def of(cls, page: Page) -> Self:
        """Tap a page before it opens its first address."""
        session = await page.context.new_cdp_session(page)
        tap = cls(session)
        session.on("Network.responseReceived", lambda event: tap._begin(tap._stream(event)))
        session.on("Network.dataReceived", tap._take)
        session.on("Network.loadingFinished", lambda event: tap._begin(tap._whole(event["requestId"])))
        session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: tap._chunks.append(event["chunk"]))
        await session.send("Network.enable")
        await session.send("HeapProfiler.enable")
        return tap

    async def received(self) -> bytes:
        """Return the bytes of all answers so far."""
        while self._tasks:
            await asyncio.gather(*self._tasks)
        missing = self.addresses.keys() - self._bodies.keys()
        assert not missing, [self.addresses[one] for one in missing]
        return b"".join(self._bodies.values())

    async def cards(self) -> set[str]:
        """Return the cards in all answers so far."""
        return sent(await self.received())

    async def remembered(self, page: Page) -> set[str]:
        """Return the cards in the page's memory: its heap, its document and its storage."""
        self._chunks.clear()
        await self._session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        kept = await page.evaluate(
            "() => document.documentElement.outerHTML + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)"
        )
        return held(json.loads("".join(self._chunks))) | named(kept) | named(kept.replace('\\"', '"'))

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stream(self, event: dict[str, Any]) -> None:
        if event["type"] == "Preflight":
            return  # the browser asks whether it may call: no answer of the house
        request = event["requestId"]
        self.addresses[request] = event["response"]["url"]
        try:
            answer = await self._session.send("Network.streamResourceContent", {"requestId": request})
        except Error:
            return  # it has ended already: its whole body is asked for
        self._streamed.add(request)
        before = base64.b64decode(answer["bufferedData"])
        self._bodies[request] = before + self._bodies.get(request, b"")

    def _take(self, event: dict[str, Any]) -> None:
        if data := event.get("data"):
            request = event["requestId"]
            self._bodies[request] = self._bodies.get(request, b"") + base64.b64decode(data)

    async def _whole(self, request: str) -> None:
        try:
            answer = await self._session.send("Network.getResponseBody", {"requestId": request})
        except Error:
            return  # a streamed answer is not kept a second time
        body = answer["body"]
        whole = base64.b64decode(body) if answer["base64Encoded"] else body.encode()
        self._bodies[request] = max(whole, self._bodies.get(request, b""), key=len)


def visible(zones: Iterable[Any]) -> set[str]:
    """Return the cards whose faces a view's zones show."""
    return {card for zone in zones for card in zone.cards} & DECK
