"""Routing of calls to dealers: each dealer serves some families of games and refuses tables of the others."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import grpc

from pitboss.v1 import dealer_pb2_grpc

FAMILY_HEADER = "x-pitboss-family"
"""Metadata by which a shared address routes a call to the dealer of a family."""
WRONG_FAMILY = "WRONG_FAMILY"
MOST_KNOWN = 10_000


class Way(NamedTuple):
    """The route of one call: a dealer's method, and the family it is sent to (empty: unknown)."""

    method: Any
    family: str


class Dealers:
    """The dealers of a house, behind one channel or one for each family.

    The family of a table or a game is learned from the first refusal and remembered; it never changes.
    """

    def __init__(self, channel: grpc.aio.Channel, families: Mapping[str, grpc.aio.Channel]) -> None:
        self.first = dealer_pb2_grpc.DealerServiceStub(channel)
        self._stubs = {family: dealer_pb2_grpc.DealerServiceStub(way) for family, way in families.items()}
        self._names = {method: name for name, method in vars(self.first).items()}
        self._known: dict[str, str] = {}

    def way(self, method: Any, request: Any) -> Way:
        """Return the route of a call; a method of another service is returned unchanged."""
        name = self._names.get(method)
        if name is None:
            return Way(method, "")
        family = self._known.get(_subject(request), "")
        return Way(getattr(self._stubs.get(family, self.first), name), family)

    def elsewhere(self, way: Way, request: Any, reason: str, metadata: Mapping[str, str]) -> bool:
        """Learn from a refusal. Returns whether the request should be sent to another dealer."""
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
    """Return the subject of a request: its table, or else its game."""
    return getattr(request, "table_id", "") or getattr(request, "game", "")
