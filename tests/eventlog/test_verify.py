"""Verifying a stream: each kind of damage is found and named, at its version; an unharmed stream has none."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.eventlog import canonical, verify
from services.eventlog.records import StoredEvent, StreamHead

STREAM = "6a1f0c52-8f3e-4d53-9a70-0d2c1b9a4e07"


def made(many: int = 6, untimed: int = 0) -> list[StoredEvent]:
    """Make an unharmed stream; the first ``untimed`` events are of the release whose hashes leave the moment out."""
    events, previous = [], canonical.FIRST
    for version in range(1, many + 1):
        data, moment = f'{{"n": {version}}}', 1_700_000_000_000 + version
        hashed = moment if version > untimed else None
        previous = canonical.event_hash(previous, STREAM, version, "Made.v1", data, "{}", hashed)
        shard = canonical.shard_of(STREAM)
        events.append(StoredEvent(STREAM, version, shard, version * 3, "Made.v1", data, "{}", moment, previous))
    return events


def head_of(events: list[StoredEvent]) -> StreamHead:
    """Make the stream's own row."""
    last = events[-1]
    return StreamHead(STREAM, last.shard, last.version, last.hash, 1, "", None, 0, 0)


def changed(events: list[StoredEvent], at: int, **fields: object) -> list[StoredEvent]:
    """Change fields of one event."""
    return [msgspec.structs.replace(each, **fields) if each.version == at else each for each in events]


def rewritten(events: list[StoredEvent], start: int) -> list[StoredEvent]:
    """Change an event and make every hash from there on right again."""
    done, previous = [], canonical.FIRST
    for each in events:
        data = '{"n": 99}' if each.version == start else each.data
        previous = canonical.event_hash(
            previous, STREAM, each.version, each.type, data, each.metadata, each.recorded_at_ms
        )
        done.append(msgspec.structs.replace(each, data=data, hash=previous))
    return done


Damage = Callable[[list[StoredEvent]], list[StoredEvent]]
GOLDEN_UNTIMED = ["d2154b66b5682122", "65e3e1436dec71cb", "116e344a1cdbfe83"]
GOLDEN = ["43a2f3b4f954129c", "5617d9211d98d63e", "e4d61659bbb78928"]

DAMAGES: dict[str, tuple[Damage, tuple[int, str, str]]] = {
    "data edited": (lambda log: changed(log, 3, data='{"n": 33}'), (3, "edit", "data")),
    "type edited": (lambda log: changed(log, 1, type="Made.v2"), (1, "edit", "data")),
    "moment edited": (lambda log: changed(log, 3, recorded_at_ms=1), (3, "edit", "data")),
    "moment edited at the end": (lambda log: changed(log, 6, recorded_at_ms=1), (6, "edit", "data")),
    "metadata edited at the end": (lambda log: changed(log, 6, metadata='{"a": 1}'), (6, "edit", "data")),
    "hash edited": (lambda log: changed(log, 4, hash=bytes(32)), (4, "edit", "hash")),
    "last hash edited": (lambda log: changed(log, 6, hash=bytes(32)), (6, "edit", "hash")),
    "shard edited": (lambda log: changed(log, 4, shard=3), (4, "edit", "shard")),
    "position edited": (lambda log: changed(log, 4, position=2), (4, "edit", "position")),
    "dropped": (lambda log: log[:2] + log[3:], (3, "gap", "version")),
    "two dropped": (lambda log: log[:2] + log[4:], (3, "gap", "version")),
    "first dropped": (lambda log: log[1:], (1, "gap", "version")),
    "cut back": (lambda log: log[:4], (5, "gap", "version")),
    "stands twice": (lambda log: [*log, log[2]], (3, "duplicate", "version")),
    "two claim a version": (lambda log: [*log, *changed(log[2:3], 3, data='{"n": 33}')], (3, "fork", "version")),
    "appended behind the head": (lambda _: made(7), (7, "fork", "version")),
    "rewritten to the end": (lambda log: rewritten(log, 5), (6, "fork", "hash")),
}


def test_an_unharmed_stream_has_no_mismatch() -> None:
    """Any order of the rows of an unharmed stream, whole or from the middle, verifies."""
    events = made()
    known = {each.version: each.hash for each in events}
    assert verify.verify(reversed(events), head_of(events), known) == []
    assert verify.verify(events[3:], head_of(events), known, after=(3, events[2].hash)) == []
    assert verify.verify([], None) == []


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_named(name: str) -> None:
    """Each damage gives a mismatch with its stream, version, kind and column."""
    events = made()
    damage, expected = DAMAGES[name]
    found = verify.verify(damage(events), head_of(events))
    assert expected in [(each.version, each.kind, each.field) for each in found], found
    assert {each.stream_id for each in found} == {STREAM}
    assert all(each.detail for each in found)


def test_one_damage_is_one_mismatch() -> None:
    """An edit, a gap, a duplicate and a fork do not make all later events look wrong."""
    for name in ("data edited", "hash edited", "last hash edited", "dropped", "stands twice", "two claim a version"):
        assert len(verify.verify(DAMAGES[name][0](made()), head_of(made()))) == 1, name


def test_swapped_events_are_two_edits() -> None:
    """Two events that changed places are both named."""
    events = made()
    third, fourth = events[2], events[3]
    swapped = changed(changed(events, 3, data=fourth.data), 4, data=third.data)
    found = verify.verify(swapped, head_of(events))
    assert [(each.version, each.kind) for each in found] == [(3, "edit"), (4, "edit")]


def test_a_rewritten_history_is_shown_by_a_known_hash() -> None:
    """A history with all hashes made right again, the stream's row too, is found by a hash that was kept elsewhere."""
    events = made()
    forged = rewritten(events, 2)
    assert verify.verify(forged, head_of(forged)) == []
    found = verify.verify(forged, head_of(forged), {4: events[3].hash})
    assert [(each.version, each.kind, each.field) for each in found] == [(4, "fork", "hash")]


def test_a_cut_history_is_shown_by_a_known_version() -> None:
    """A tail cut off together with the stream's row is found by a version that was known."""
    events = made()
    found = verify.verify(events[:4], head_of(events[:4]), {6: events[5].hash})
    assert [(each.version, each.kind) for each in found] == [(5, "gap")]


@given(st.data())
def test_no_single_edit_goes_unseen(data: st.DataObject) -> None:
    """Whatever one field of one event is changed to, the stream no longer verifies."""
    events = made()
    version = data.draw(st.integers(1, len(events)))
    fields = ["type", "data", "metadata", "hash", "version", "stream_id", "recorded_at_ms"]
    field = data.draw(st.sampled_from(fields))
    old = getattr(events[version - 1], field)
    values: dict[str, st.SearchStrategy[object]] = {
        "hash": st.binary(min_size=32, max_size=32),
        "version": st.integers(0, 10),
        "recorded_at_ms": st.integers(0, 2**53),
        "stream_id": st.uuids().map(str),
    }
    new = data.draw(values.get(field, st.text()).filter(lambda value: value != old))
    assert verify.verify(changed(events, version, **{field: new}), head_of(events)) != []


def test_fields_cannot_flow_into_each_other() -> None:
    """Text moved from one field to its neighbour gives other canonical bytes."""
    for moment in (None, 5):
        one = canonical.canonical(STREAM, 1, "Made.v1", '{"a": 1}', "{}", moment)
        assert one != canonical.canonical(STREAM, 1, "Made.v1", '{"a": 1}{', "}", moment)
        assert one != canonical.canonical(STREAM, 11, "Made.v", '1{"a": 1}', "{}", moment)
    assert canonical.canonical(STREAM, 1, "a", "{}", "{}5", None) != canonical.canonical(STREAM, 1, "a", "{}", "{}", 5)


def test_the_chain_has_the_values_it_always_had() -> None:
    """Known hashes of a fixed stream, in both forms: with other bytes no stored log could be verified."""
    assert [each.hash.hex()[:16] for each in made(3, untimed=3)] == GOLDEN_UNTIMED
    assert [each.hash.hex()[:16] for each in made(3)] == GOLDEN


@pytest.mark.parametrize("untimed", [0, 1, 3, 6])
def test_a_log_of_the_release_before_goes_on(untimed: int) -> None:
    """A stream whose older events leave the moment out verifies, and what is edited in either part is found."""
    events = made(untimed=untimed)
    assert verify.verify(events, head_of(events)) == []
    for version in range(1, 7):
        found = verify.verify(changed(events, version, data='{"n": 33}'), head_of(events))
        assert [(one.version, one.kind) for one in found] == [(version, "edit")]
        timed = verify.verify(changed(events, version, recorded_at_ms=1), head_of(events))
        assert [(one.version, one.kind) for one in timed] == ([(version, "edit")] if version > untimed else [])


def test_no_event_goes_back_to_the_older_form() -> None:
    """An event whose hash leaves the moment out is named where the event before it holds the moment."""
    events = made(3)
    last = events[-1]
    previous = canonical.event_hash(events[1].hash, STREAM, 3, last.type, last.data, last.metadata, None)
    events[-1] = msgspec.structs.replace(last, hash=previous)
    found = verify.verify(events, head_of(events))
    assert [(one.version, one.kind, one.field) for one in found] == [(3, "edit", "recorded_at")]
