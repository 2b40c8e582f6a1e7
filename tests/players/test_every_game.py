"""House players alone play a round of every game over gRPC, and everybody sees what they are."""

import pytest
from pitboss import parts
from pitboss.v1 import audit_pb2

from services.players import money, tables
from services.players.crew import Member
from services.players.pace import Pace
from services.rules import catalogue
from tests.players.conftest import playing
from tests.support import people, play

LANGUAGES = {"en": "(house player)", "zh-Hant": "（電腦玩家）", "zh-Hans": "（电脑玩家）"}


@pytest.mark.parametrize("game", list(catalogue.FILES))
async def test_house_players_play_a_round_of_every_game(
    game: str, crowd: people.Crowd, members: list[Member], pace: Pace
) -> None:
    """A round that the house starts is played to its end and replayed; seats, results, lists and texts mark them."""
    operator = crowd.operator.house
    told = await operator.game(game)
    keys = play.HURRY | {"start_countdown_s": 0}
    rules = {key: value for key, value in keys.items() if key in told.house_rules}
    table = (await operator.create_table(game, rules, test=True)).table_id
    seats = max(3, tables.needed(game)) if told.game.max_seats != 2 else 2
    for member in members[:seats]:
        await money.sit(member, (await operator.table(table)).table)
    async with playing(members, table, pace, rest_seconds=3600):
        ended = await people.until_settled(operator, table, 1)
    assert ended.table.house_players == ended.table.seats_taken == seats
    assert all(seat.house_player for seat in ended.seats)
    assert ended.last_result.seats
    assert all(seat.house_player for seat in ended.last_result.seats)
    [listed] = [one for one in await operator.tables(game=game, include_test=True) if one.table_id == table]
    assert listed.house_players == seats
    await told_and_replayed(crowd, table)
    for member in members[:seats]:
        await member.house.leave(table)  # or the process that other tests of this house start plays on here too


async def told_and_replayed(crowd: people.Crowd, table: str) -> None:
    """Check that the history of the first round marks house players in each language, and that a replay agrees."""
    stub, auditor = crowd.auditor()
    for language, mark in LANGUAGES.items():
        request = audit_pb2.ReadRoundRequest(table_id=table, round_number=1, language=language)
        read = await parts.read_round(stub.ReadRound(request, metadata=auditor, timeout=30))
        assert mark in read.words[0]
    replay = await stub.ReplayTable(audit_pb2.ReplayTableRequest(table_id=table), metadata=auditor, timeout=60)
    assert list(replay.mismatches) == []
