"""What the contract shows to staff alone: who plays in a seat, and an ended round with the cards of every seat."""

from typing import Any

import pytest
from pitboss import client, parts
from pitboss.v1 import audit_pb2, table_pb2

from services.rules.cards import HIDDEN
from services.runtime.identity import Role
from tests.support import people, play


async def read(crowd: people.Crowd, reader: people.Person, table_id: str, number: int) -> audit_pb2.ReadRoundResponse:
    """Read a round with its steps."""
    request = audit_pb2.ReadRoundRequest(table_id=table_id, round_number=number, language="en", with_steps=True)
    stream: Any = crowd.audit_stub().ReadRound(request, metadata=reader.metadata, timeout=60)
    return await parts.read_round(stream)


async def test_staff_alone_sees_who_plays_in_a_seat(crowd: people.Crowd) -> None:
    """Operators and auditors see the player of a seat; players and services do not."""
    table_id, players = await play.opened(crowd, "texas_holdem")

    async def seen(person: people.Person) -> list[str]:
        return [seat.player for seat in (await person.house.table(table_id)).seats]

    subjects = [player.subject for player in players]
    assert await seen(crowd.operator) == subjects
    assert await seen(crowd.person("odo", Role.AUDITOR)) == subjects
    for person in (players[0], crowd.person("watcher"), crowd.person("front", Role.SERVICE)):
        assert await seen(person) == [""] * len(players)


async def test_an_ended_round_is_read_step_by_step_with_every_hand(crowd: people.Crowd) -> None:
    """The steps are the events of the round, each with its lines and its table; no card of a seat is hidden."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    number = await play.rounds(table_id, players)
    found = await read(crowd, crowd.operator, table_id, number)
    assert [step.version for step in found.steps] == [event.version for event in found.events]
    assert [line for step in found.steps for line in step.words] == list(found.words)
    for step in found.steps:
        assert step.view.version == step.version
        held = [card for zone in step.view.round.zones if zone.HasField("owner") for card in zone.cards]
        assert len(held) == 2 * len(players)
        assert HIDDEN not in held
    assert found.steps[-1].view.round.state == table_pb2.ROUND_STATE_ENDED


async def test_nobody_reads_a_round_of_its_own(crowd: people.Crowd) -> None:
    """A person who had a seat is refused the round, whatever the case of its name; a stranger reads it."""
    table_id, players = await play.opened(crowd, "texas_holdem")
    number = await play.rounds(table_id, players)
    for subject in (players[0].subject, players[1].subject.upper()):
        with pytest.raises(Exception, match="you had a seat") as caught:
            await read(crowd, crowd.person(subject, Role.OPERATOR), table_id, number)
        assert client.refusal(caught.value).reason == "SECOND_PERSON_NEEDED"  # type: ignore[arg-type]  # an RpcError
