"""A table goes on under the version of the rules that it was opened with, whatever the house plays today."""

from random import Random

import msgspec
import pytest

from services.contract import wire_tables
from services.rules import catalogue
from services.rules.catalogue import UnknownRules
from services.rules.refusals import Reason
from services.table import codec, event_fold, events, full_table, money, public_table
from services.table.replay import Replay
from tests.support import aged, sittings
from tests.support.sittings import Sitting


@pytest.fixture(autouse=True)
def _yesterday(aged_house: aged.House) -> None:
    """Begin in a house that knows the first versions only."""
    aged_house(aged.YESTERDAY)


def played(game: str, rounds: int = 3) -> Sitting:
    """Play rounds to their end; the last one is not settled."""
    sitting = Sitting(game, salt="aged")
    sitting.sit({0: 500, 1: 500, 2: 500})
    rng = Random(f"aged {game}")
    for number in range(1, rounds + 1):
        sitting.start()
        sitting.finish(rng, lapses=0.2)
        if number < rounds:
            sitting.settle()
    return sitting


def views(sitting: Sitting) -> list[bytes]:
    """Return every view of every seat after each event of a log."""
    again = Replay(sitting.table_id, sitting.opener, compare=False)
    found = []
    for version, event in enumerate(sitting.log, start=1):
        again.take(version, event)
        assert again.table is not None, "a replay has a table"
        found += [wire_tables.view(again.table, seat).SerializeToString(deterministic=True) for seat in (None, 0, 1, 2)]
    return found


@pytest.mark.parametrize("game", aged.GAMES)
def test_the_two_versions_play_differently(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and choices end otherwise under the second version; else the other tests would show nothing."""
    first = played(game)
    aged.house(monkeypatch, aged.TODAY)
    assert played(game).log[0] != first.log[0]
    ends = [[event for event in one.log if isinstance(event, events.RoundEnded)] for one in (first, played(game))]
    assert ends[0] != ends[1]


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_log_of_the_first_version_is_replayed_to_the_byte(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay, fold and every view come out as they did before the rules changed."""
    sitting = played(game)
    before = views(sitting)
    aged.house(monkeypatch, aged.TODAY)
    again = sitting.again()
    assert again.differences == []
    assert again.rounds == 3
    assert views(sitting) == before
    assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_round_is_settled_late_under_its_own_rules(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that ended before the rules changed is paid afterwards as it would have been then."""
    sitting = played(game)
    now = sitting.now + 1000
    before = [codec.encode(event) for event in money.settle(sitting.table.core, now)]
    aged.house(monkeypatch, aged.TODAY)
    assert [codec.encode(event) for event in money.settle(sitting.table.core, now)] == before


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_table_goes_on_under_the_version_of_its_opening(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Further rounds of an open table are the first version's; a table that is opened now has the second."""
    sitting, control = played(game), played(game)
    control.settle()
    control.start()
    control.finish(Random(7), lapses=0.2)
    aged.house(monkeypatch, aged.TODAY)
    reloaded = Sitting.folded(sitting.log, sitting.table_id)
    sitting.table = full_table.of_core(reloaded)
    sitting.settle()
    sitting.start()
    sitting.finish(Random(7), lapses=0.2)
    assert sittings.texts(sitting.log) == sittings.texts(control.log)
    assert sitting.table.game.version == 1
    assert Sitting(game).table.game.version == 2


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_stored_table_is_read_by_the_rules_that_it_was_stored_under(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A live table in the middle of a round of the first version is the same after the rules have changed."""
    sitting = played(game, rounds=1)
    sitting.settle()
    sitting.start()
    stored = full_table.store(sitting.table)
    aged.house(monkeypatch, aged.TODAY)
    table = full_table.load(stored)
    assert table.game is catalogue.game(game, 1)
    assert full_table.store(table) == stored
    assert table.ended is None
    assert table.round == sitting.table.round


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_stored_table_of_rules_that_are_gone_is_not_read(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that does not keep the version says so instead of reading cards by other rules."""
    stored = full_table.store(played(game).table)
    aged.house(monkeypatch, aged.FORGETFUL)
    with pytest.raises(UnknownRules, match=r"version 1 of .* it knows 2") as caught:
        full_table.load(stored)
    assert caught.value.reason is Reason.UNKNOWN_RULES


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_stored_round_of_another_version_than_its_table_is_not_read(game: str) -> None:
    """The version stands beside the round too, so that a blob of mixed parts is found out."""
    fields = msgspec.msgpack.decode(full_table.store(played(game).table), strict=False)
    with pytest.raises(msgspec.DecodeError, match="version 2 of the rules, the table of version 1"):
        full_table.load(msgspec.msgpack.encode({**fields, "rules_version": 2}))


def test_a_log_that_names_no_version_is_of_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs from before versions were recorded fold, replay and are written again byte for byte."""
    sitting = played(aged.SHOWDOWN)
    unnamed = [_without_version(event) for event in sitting.log]
    aged.house(monkeypatch, aged.TODAY)
    again = sitting.again(unnamed)
    assert again.differences == []
    assert again.table is not None
    assert again.table.game.version == 1
    assert not any("rules_version" in codec.encode(event) for event in unnamed)


def _without_version(event: events.Event) -> events.Event:
    fields = msgspec.json.decode(codec.encode(event))
    for opening in (fields.get("opening"), fields.get("table", {}).get("opening")):
        if opening:
            del opening["rules_version"]
    return codec.decode_lifted(codec.name(event), fields)


def test_an_unknown_version_refuses_what_needs_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names the game, the version and what is kept; a version of another game is none of this one's."""
    core = event_fold.opened(sittings.TABLE, _opened(Sitting(aged.POKER)))
    aged.house(monkeypatch, aged.FORGETFUL)
    with pytest.raises(UnknownRules) as caught:
        public_table.game_of(core)
    assert caught.value.metadata == {"rules_version": "1", "known": "2"}
    assert catalogue.versions(aged.POKER) == (2,)
    assert catalogue.versions("no_such_game") == ()
    with pytest.raises(UnknownRules, match="it knows no version"):
        catalogue.game("no_such_game", 1)


def _opened(sitting: Sitting) -> events.TableOpened:
    first = sitting.log[0]
    assert isinstance(first, events.TableOpened), "a log begins with the opening"
    return first


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_every_version_that_a_game_keeps_is_a_game_of_its_own_number(game: str) -> None:
    """Versions are counted from 1 without gaps, and the newest is the one that is played."""
    kept = catalogue.versions(game)
    assert kept == tuple(range(1, len(kept) + 1))
    assert [catalogue.game(game, version).version for version in kept] == list(kept)
    assert catalogue.game(game) is catalogue.game(game, kept[-1])
