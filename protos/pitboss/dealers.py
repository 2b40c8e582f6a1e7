"""Which dealer a call goes to: each serves some families of games and refuses the tables of others."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import grpc

from pitboss.v1 import dealer_pb2_grpc

FAMILY_HEADER = "x-pitboss-family"
"""Metadata by which one address for all families finds the dealer."""
WRONG_FAMILY = "WRONG_FAMILY"
MOST_KNOWN = 10_000


class Way(NamedTuple):
    """Where one call goes: the method of a dealer, and the family that it is taken for (empty: not known)."""

    method: Any
    family: str


class Dealers:
    """The dealers of a house, behind one channel or one for each family.

    Which family a table or a game belongs to is learned from the first refusal and kept, for it never changes.
    """

    def __init__(self, channel: grpc.aio.Channel, families: Mapping[str, grpc.aio.Channel]) -> None:
        self.first = dealer_pb2_grpc.DealerServiceStub(channel)
        self._stubs = {family: dealer_pb2_grpc.DealerServiceStub(way) for family, way in families.items()}
        self._names = {method: name for name, method in vars(self.first).items()}
        self._known: dict[str, str] = {}

    def way(self, method: Any, request: Any) -> Way:
        """Find where a call goes; a method of another service stays as it is."""
        name = self._names.get(method)
        if name is None:
            return Way(method, "")
        family = self._known.get(_subject(request), "")
        return Way(getattr(self._stubs.get(family, self.first), name), family)

    def elsewhere(self, way: Way, request: Any, reason: str, metadata: Mapping[str, str]) -> bool:
        """Learn from a refusal; True where the same request has another way to go."""
        family = metadata.get("family", "")
        if reason != WRONG_FAMILY or not family or family == way.family:
            return False
        self._keep(_subject(request), family)
        return True

    def answered(self, way: Way, answer: Any) -> None:
        """Learn from an answer which family a new table belongs to."""
        table_id = getattr(answer, "table_id", "")
        if table_id and way.family:
            self._keep(table_id, way.family)

    def _keep(self, subject: str, family: str) -> None:
        if len(self._known) >= MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[subject] = family


def _subject(request: Any) -> str:
    """Name what a request is about: a table, or else a game."""
    return getattr(request, "table_id", "") or getattr(request, "game", "")
