"""A table is moved to another version of its rules between rounds, and its log tells it."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.contract import wire_events, wire_tables
from services.rules import catalogue
from services.rules.catalogue import UnknownRules
from services.rules.refusals import Reason, Refused
from services.table import codec, event_fold, events, rules_move
from services.table.events import Event
from tests.support import aged, sittings
from tests.support.sittings import Sitting


@pytest.fixture(autouse=True)
def _today(aged_house: aged.House) -> None:
    """Play in a house that keeps both versions."""
    aged_house(aged.TODAY)


def old(game: str, monkeypatch: pytest.MonkeyPatch, rounds: int = 1) -> Sitting:
    """Return a table that was opened under the first version, after some rounds."""
    aged.house(monkeypatch, aged.YESTERDAY)
    sitting = Sitting(game)
    aged.house(monkeypatch, aged.TODAY)
    sitting.sit({0: 500, 1: 500, 2: 500})
    for _ in range(rounds):
        play(sitting)
    return sitting


def play(sitting: Sitting) -> None:
    """Play and settle a round; seats that have lost everything bring more first."""
    for seat, one in list(sitting.table.core.seats.items()):
        if not one.chips:
            sitting.add(seat, 500)
    sitting.start()
    sitting.finish(Random(sitting.table.core.round_number), lapses=0.2)
    sitting.settle()


def move(sitting: Sitting, version: int = 2, reason: str = "as announced") -> list[Event]:
    """Move the table."""
    made = rules_move.move(sitting.table.core, version, moved_by="boss", reason=reason, at_ms=sitting.tick())
    return sitting.take(made)


@pytest.mark.parametrize("game", aged.GAMES)
def test_the_next_round_is_played_by_the_version_that_the_table_was_moved_to(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """House rules, seats and chips stay; game, phases and payouts are those of the new version, also after a reload."""
    sitting = old(game, monkeypatch)
    kept = dict(sitting.table.core.opening.rules)
    chips = {seat: one.chips for seat, one in sitting.table.core.seats.items()}
    [moved] = move(sitting)
    assert isinstance(moved, events.RulesMoved)
    assert (moved.was, moved.rules_version, moved.moved_by, moved.reason) == (1, 2, "boss", "as announced")
    assert sitting.table.game is catalogue.game(game, 2)
    assert sitting.table.core.opening.rules == kept
    assert {seat: one.chips for seat, one in sitting.table.core.seats.items()} == chips
    assert wire_tables.view(sitting.table, None).table.rules_version == 2
    play(sitting)
    assert type(sitting.table.ended.round) is catalogue.game(game, 2).round_type if sitting.table.ended else False
    assert Sitting.folded(sitting.log, sitting.table_id) == sitting.table.core


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_log_with_a_move_is_replayed_to_the_byte(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round is replayed by the version of its own time, from the opening on and from each start on."""
    sitting = old(game, monkeypatch, rounds=2)
    move(sitting)
    play(sitting)
    move(sitting, 1, "back again")
    play(sitting)
    assert sitting.again().differences == []
    starts = [at for at, event in enumerate(sitting.log, 1) if isinstance(event, events.RoundStarted)]
    for first in starts:
        assert sitting.again(sitting.log[first - 1 :], first).differences == []


def test_the_round_that_ended_before_a_move_is_shown_by_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands of the last round keep their categories and ranks when the table is moved, in memory and after a reload."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    before = wire_tables.view(sitting.table, None).round
    move(sitting)
    assert wire_tables.view(sitting.table, None).round == before
    again = sitting.again(compare=False).table
    assert again is not None
    assert wire_tables.view(again, None).round == before


def test_a_forged_move_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version, another set of house rules or another memory than the move yields is found by the replay."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    move(sitting)
    play(sitting)
    at = next(place for place, event in enumerate(sitting.log) if isinstance(event, events.RulesMoved))
    forged: list[dict[str, Any]] = [
        {"rules": {**sitting.table.core.opening.rules, "base": 7}},
        {"memory": {"more": 1}},
        {"was": 2},
        {"rules_version": 3},
    ]
    for changes in forged:
        log = list(sitting.log)
        log[at] = msgspec.structs.replace(sitting.log[at], **changes)
        assert sitting.differences(log), changes


def test_a_table_is_moved_between_rounds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a round runs or waits for its settlement, and once the table is closed, the move is refused."""
    sitting = old(aged.SHOWDOWN, monkeypatch, rounds=0)
    sitting.start()
    with pytest.raises(Refused) as running:
        move(sitting)
    assert running.value.reason is Reason.ROUND_IN_PROGRESS
    sitting.finish(Random(1))
    with pytest.raises(Refused):
        move(sitting)
    sitting.settle()
    sitting.close()
    with pytest.raises(Refused) as closed:
        move(sitting)
    assert closed.value.reason is Reason.TABLE_CLOSED


def test_a_move_names_a_version_that_is_kept_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown version and an empty or unprintable reason are refused; the table's own version is no event."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    with pytest.raises(UnknownRules, match=r"version 3 of .* it knows 1, 2"):
        move(sitting, 3)
    for reason in ("", "a\nb", "x" * 201):
        with pytest.raises(Refused, match="reason"):
            move(sitting, reason=reason)
    assert move(sitting, 1) == []


@pytest.mark.parametrize(("changes", "word"), [({"gone": 1}, "gone"), ({"base": 0}, "base")])
def test_house_rules_that_do_not_fit_a_version_are_named(
    changes: dict[str, Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that the version does not know, and a value that it does not take, are refused with the key."""
    newest = type(catalogue.game(aged.SHOWDOWN))
    monkeypatch.setattr(newest, "taken_over", lambda _, __, rules, memory: ({**rules, **changes}, memory))
    sitting = old(aged.SHOWDOWN, monkeypatch)
    with pytest.raises(Refused, match=word) as caught:
        move(sitting)
    assert caught.value.reason is Reason.HOUSE_RULE_OUT_OF_RANGE


def test_a_version_may_say_what_becomes_of_rules_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dropped rule is left out, a renamed memory is carried over, and the replay decides the same."""
    newest = type(catalogue.game(aged.SHOWDOWN))

    def taken_over(
        _: object, version: int, rules: dict[str, Any], memory: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return {key: value for key, value in rules.items() if key != "turn_seconds"}, {**memory, "came_from": version}

    monkeypatch.setattr(newest, "taken_over", taken_over)
    sitting = old(aged.SHOWDOWN, monkeypatch)
    move(sitting)
    assert sitting.table.core.memory["came_from"] == 1
    assert "turn_seconds" not in sitting.table.core.opening.rules
    assert sitting.again().differences == []


def test_rules_that_an_older_table_lacks_stay_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table from before the house closed idle ones stays permanent after a move."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    assert "idle_minutes" not in sitting.table.core.opening.rules
    move(sitting)
    assert "idle_minutes" not in sitting.table.core.opening.rules
    assert sitting.table.core.idle_ms == 0


def test_people_at_the_table_are_told_in_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event that they watch holds the reason of staff, and the move in three languages."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    [moved] = move(sitting)
    shown = wire_events.event(sitting.table.core.version, codec.name(moved), moved, "showdown")
    assert shown.reason == "as announced"
    assert all("2" in text for text in (shown.text.en, shown.text.zh_hant, shown.text.zh_hans))
    assert shown.text.zh_hant != shown.text.zh_hans


def test_a_table_of_a_version_that_is_gone_cannot_be_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules of until now are not kept, nobody can say what is to be taken over."""
    sitting = old(aged.POKER, monkeypatch)
    aged.house(monkeypatch, aged.FORGETFUL)
    core = sitting.table.core
    with pytest.raises(UnknownRules):
        rules_move.move(core, 2, moved_by="boss", reason="a try", at_ms=1)


@pytest.mark.parametrize("test", [True, False])
def test_the_house_banks_no_version_whose_returns_it_does_not_know(*, test: bool) -> None:
    """At a table for money the bets of the version must be shown to return no more than is staked."""
    sitting = Sitting("blackjack")
    core = sitting.table.core
    core.opening = msgspec.structs.replace(core.opening, test=test, rules={**core.opening.rules, "max_bet": 10_000})
    if test:
        assert rules_move.least_return(core, 1) == ""
        return
    with pytest.raises(Refused) as caught:
        rules_move.least_return(core, 1)
    assert caught.value.reason is Reason.RETURN_TOO_HIGH


def test_the_fold_alone_knows_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settlement, which holds no deck, sees the version, the house rules and the stake of the moved table."""
    sitting = old(aged.SHOWDOWN, monkeypatch)
    move(sitting)
    core = Sitting.folded(sitting.log, sittings.TABLE)
    assert core.opening.version == 2
    assert core.opening.stake == sitting.table.game.stake(sitting.table.rules)
    event_fold.fold(
        core,
        events.RulesMoved(
            at_ms=1,
            rules_version=1,
            was=2,
            rules=core.opening.rules,
            memory={},
            least_return="0.5",
            moved_by="b",
            reason="r",
        ),
    )
    assert (core.opening.version, core.opening.least_return) == (1, "0.5")
