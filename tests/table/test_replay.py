"""A replay equals the log byte for byte, and every change is reported by version and field."""

from random import Random

import msgspec
import pytest

from services.rules import catalogue
from services.table import codec, commands, differences, events, full_table, public_table
from services.table.events import Event
from services.table.replay import Replay, Sealed
from tests.support import sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)

DECIDED: dict[type[Event], set[str]] = {
    events.RoundStarted: {
        "round_number",
        "table",
        "house_commitment",
        "player_seeds",
        "carry",
        "button",
        "stocks",
        "happenings",
        "clock",
        "deadline_ms",
    },
    events.ActionTaken: {"round_number", "stocks", "happenings", "clock", "deadline_ms"},
    events.DeadlinePassed: {"round_number", "passed", "stocks", "happenings", "clock", "deadline_ms"},
    events.RoundEnded: {"at_ms", "round_number", "outcome", "reveal"},
    events.RoundSettled: {"round_number", "posting", "outcome", "seats"},
    events.SeatLeft: {"seat", "player", "chips"},
    events.RemovedForAbsence: {"player", "chips"},
    events.RoundVoided: {"round_number"},
    events.TableClosed: {"shares", "to_house"},
    events.ActedBetween: {"memory"},
}
"""What the rules decide in each event; the rest is the command, which the chain of hashes guards."""

CHANGES = 25
"""Changes tried in each game."""


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_are_decided_again_to_the_byte(game: str) -> None:
    """Replay of a random table finds no difference, counts its rounds and ends with the very same table."""
    for number in range(3):
        sitting = sittings.random_sitting(game, f"replay {number}")
        again = sitting.again()
        assert again.differences == []
        assert again.rounds == sitting.table.core.round_number > 0
        assert again.table is not None
        assert as_read(again.table) == as_read(sitting.table)


@pytest.mark.parametrize("game", GAMES)
def test_any_change_of_what_was_decided_is_named_by_version_and_field(game: str) -> None:
    """One value of one event is changed: the first difference is at that event and at that field."""
    sitting = sittings.random_sitting(game, "tampered")
    rng = Random(f"{game} changes")
    places = [
        (at, path)
        for at, event in enumerate(sitting.log)
        for path in sittings.leaves(differences.plain(event))
        if path[0] in DECIDED.get(type(event), ())
    ]
    tried: set[type[Event]] = set()
    for at, path in rng.sample(places, min(len(places), CHANGES)):
        other = sittings.with_change(sitting.log[at], path)
        if other is None:
            continue
        tried.add(type(other))
        found = sitting.differences([*sitting.log[:at], other, *sitting.log[at + 1 :]])
        assert found, f"{type(other).__name__} {sittings.dotted(path)} was changed and nothing was found"
        field = sittings.dotted(path)
        assert found[0].version == at + 1
        assert found[0].field in {field, f"{field}.more"}, f"{type(other).__name__} {field}: {found[0]}"
        assert found[0].expected != found[0].found
    assert tried


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_command_is_found_where_it_decides_otherwise(game: str) -> None:
    """An action that was replaced by another legal one, or put to another seat, is found at or after its version."""
    sitting = sittings.random_sitting(game, "commands")
    for at, event in enumerate(sitting.log):
        if isinstance(event, events.ActionTaken):
            other = msgspec.structs.replace(event, seat=97)
            found = sitting.differences([*sitting.log[:at], other, *sitting.log[at + 1 :]])
            assert found[0].version == at + 1
            assert found[0].expected.startswith("refused")
            return


def _agrees(event: events.Event) -> bool:
    return isinstance(event, events.ActionTaken) and event.action["is"] == "run_twice"


@pytest.mark.parametrize("game", GAMES)
def test_events_dropped_or_exchanged_are_found(game: str) -> None:
    """A log without one of its decisions, or with two neighbours exchanged, differs from what the rules decide."""
    sitting = sittings.random_sitting(game, "dropped")
    log = sitting.log
    kinds = events.RoundStarted | events.ActionTaken | events.DeadlinePassed | events.RoundEnded | events.RoundSettled
    # Whether a seat agreed to two boards that another refused is for the chain to tell.
    decided = [at for at, event in enumerate(log) if isinstance(event, kinds) and not _agrees(event)]
    for at in Random(game).sample(decided, min(len(decided), 12)):
        # What was cut off at the end is for the chain's head to tell.
        assert at == len(log) - 1 or sitting.differences([*log[:at], *log[at + 1 :]]), type(log[at])
        if not isinstance(log[at], events.ActionTaken):  # in a window two seats may act in either order
            assert sitting.differences([*log[: at - 1], log[at], log[at - 1], *log[at + 1 :]]), type(log[at])


@pytest.mark.parametrize("game", GAMES)
def test_a_rebuild_from_the_last_start_equals_the_live_table(game: str) -> None:
    """At every event of a round the table rebuilt from its start alone is the live one, hidden cards included."""
    rng = Random(f"{game} rebuild")
    sitting = sittings.random_sitting(game, "rebuild", rounds=1)
    if sitting.game.closed_match(sitting.rules, sitting.table.core.for_rules(), in_round=False) is not None:
        sitting.table.core.memory = {}
    try:
        sitting.start()
    except Exception:  # who is broke after the first round plays no second
        sitting = sittings.random_sitting(game, "rebuild again", rounds=0)
        sitting.start()
    for _ in range(6):
        first = sitting.last_start
        again = sitting.again(sitting.log[first - 1 :], first, compare=False)
        assert again.table is not None
        assert as_read(without_the_past(again.table)) == as_read(without_the_past(sitting.table))
        if sitting.table.core.phase != public_table.IN_ROUND:
            break
        sitting.step(rng, 0.0)


def as_read(table: full_table.FullTable) -> object:
    """Return everything that a live table stores, as read from JSON: keys are text, tuples are lists."""
    return msgspec.to_builtins(msgspec.msgpack.decode(full_table.store(table), strict=False), str_keys=True)


def without_the_past(table: full_table.FullTable) -> full_table.FullTable:
    """Return a table without the result of its last round, which a start does not restate."""
    core = msgspec.structs.replace(table.core, settled=None, voided=None, last_names={}, ended_ms=0)
    return full_table.FullTable(core=core, game=table.game, rules=table.rules, round=table.round, dealing=table.dealing)


def test_a_running_round_stays_sealed_for_who_may_not_open_it() -> None:
    """Replay reports a seed that is not revealed."""
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    again = Replay(sitting.table_id, lambda _: None, compare=True)
    for version, event in enumerate(sitting.log[:-1], start=1):
        again.take(version, event)
    with pytest.raises(Sealed, match="round 1"):
        again.take(len(sitting.log), sitting.log[-1])


def test_a_wrong_seed_changes_every_commitment() -> None:
    """A deck dealt from another seed than the sealed one is found at the round's start."""
    sitting = sittings.random_sitting("texas_holdem", "other seed", rounds=1)
    other = Sitting("texas_holdem", sitting.rules, salt="other")
    again = Replay(sitting.table_id, other.opener, compare=True)
    found = None
    for version, event in enumerate(sitting.log, start=1):
        try:
            again.take(version, event)
        except (AssertionError, KeyError, ValueError):
            break
        found = found or next(iter(again.differences), None)
    assert found is not None
    assert found.version == sitting.last_start
    assert found.field.startswith("stocks")


def test_what_the_table_refuses_now_is_named_as_a_difference() -> None:
    """A seat taken twice, chips beyond the bound and a second request to leave are each reported as refused."""
    sitting = Sitting("tongbi_san_gong", most=1000)
    sitting.sit({0: 500, 1: 500})
    bad: list[tuple[Event, str]] = [
        (events.ChipsAdded(at_ms=1, seat=0, chips=900), "AMOUNT_OUT_OF_RANGE"),
        (events.ChipsAdded(at_ms=1, seat=5, chips=9), "NOT_SEATED"),
        (events.SeedSet(at_ms=1, seat=0, seed=""), "INVALID_ARGUMENT"),
        (events.RoundVoided(at_ms=1, round_number=1, reason="x", voided_by="b", reveal=""), "ROUND_NOT_OPEN"),
        (
            events.DeadlinePassed(at_ms=1, round_number=0, passed=0, stocks=(), happenings=(), clock=0, deadline_ms=0),
            "ROUND_NOT_OPEN",
        ),
    ]
    for event, reason in bad:
        again = sitting.again()
        again._again(len(sitting.log) + 1, event)
        assert [one.expected for one in again.differences] == [f"refused: {reason}"], type(event)


def test_a_replay_can_begin_anew_after_a_broken_round() -> None:
    """After ``restart`` the next start is enough to go on."""
    sitting = sittings.random_sitting("tongbi_san_gong", "restart", rounds=2)
    again = sitting.again()
    again.restart()
    first = sitting.last_start
    for version, event in enumerate(sitting.log[first - 1 :], start=first):
        again.take(version, event)
    assert again.differences == []
    assert again.rounds == 1


def test_a_replay_can_begin_anew_wherever_it_broke_off() -> None:
    """After any first events, ``restart`` and the next start show no difference: nothing due is left over."""
    sitting = sittings.random_sitting("tongbi_san_gong", "restart", rounds=2)
    starts = [at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundStarted)]
    assert len(starts) > 1
    for at in range(1, starts[-1] + 1):
        again = Replay(sitting.table_id, sitting.opener, compare=True)
        for version, event in enumerate(sitting.log[:at], start=1):
            again.take(version, event)
        again.restart()
        first = next(start for start in starts if start >= at)
        for version, event in enumerate(sitting.log[first:], start=first + 1):
            again.take(version, event)
        assert again.differences == [], at


def test_taking_events_tells_the_round_who_asked_to_leave() -> None:
    """A seat that leaves during a match of Honeymoon ends it, live and replayed alike [honeymoon D6]."""
    sitting = Sitting("honeymoon")
    sitting.sit({0: 500, 1: 500, 2: 500, 3: 500})
    sitting.start()
    sitting.leave(2)
    stored = full_table.load(full_table.store(sitting.table))
    sitting.finish(Random(3), lapses=0.0)
    assert sitting.table.core.round is not None
    outcome = sitting.table.core.round.outcome
    assert outcome is not None
    assert outcome.memory["match_over"] is True
    assert sitting.again().differences == []
    rest = sitting.log[stored.core.version :]
    again = Replay(sitting.table_id, sitting.opener, compare=True)
    again.table = stored
    for version, event in enumerate(rest, start=stored.core.version + 1):
        again.take(version, event)
    assert again.differences == []
    assert codec.encode(rest[-1]) == codec.encode(sitting.log[-1])
    commands.take(again.table, [])
