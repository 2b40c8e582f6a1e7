"""Every log stays readable: golden events of every type and shape, and steps from old shapes.

A file ``golden/<Type>.v<N>.<what>.json`` holds the data of one event as this house, or an earlier release of it, wrote
it. Files are added, never changed: one that no longer reads means that logs of that time no longer do.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.eventlog import canonical, upcast
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.rules import actions
from services.rules.happenings import Happening
from services.table import codec, events, public_table
from services.table.replay import Replay
from tests.support import sittings

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.json"))
LOGS = sorted((GOLDEN / "logs").glob("*.log"))
"""Whole logs of tables, an event a line: its type with its shape, a space, its data."""

NOT_OF_A_NIGHT = {"ActedBetween", "PotFunded", "RoundScripted", "RulesMoved", "StakesAllowed", "ReservationsEnded"}
"""Events that the golden logs do not hold; each has golden events of its own."""


def recorded(type_: str, data: str) -> StoredEvent:
    """Return an event as it is read from the log."""
    shard = canonical.shard_of(sittings.TABLE)
    return StoredEvent(sittings.TABLE, 1, shard, 1, type_, data, "{}", 0, bytes(32))


def parts(file: Path) -> tuple[str, str]:
    """Return type (with its shape) and text of a golden event."""
    return ".".join(file.name.split(".")[:2]), file.read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_event_is_read(file: Path) -> None:
    """It is an event of its type; in today's shape it is written to the very same text."""
    type_, text = parts(file)
    event = log_rows.from_stored(recorded(type_, text))
    name, _ = upcast.split(type_)
    assert type(event) is events.TYPES[name]
    if upcast.Upcasts(codec.STEPS).newest(name) == type_:
        assert codec.encode(event) == text
        assert codec.encode(codec.decode_lifted(name, msgspec.json.decode(text))) == text


def test_golden_events_cover_every_type_happening_and_action() -> None:
    """No type of event, no kind of happening and no action is without a golden one, in today's shape too."""
    texts = [parts(file) for file in FILES]
    newest = upcast.Upcasts(codec.STEPS).newest
    assert {type_ for type_, _ in texts} >= {newest(name) for name in events.TYPES}
    tags = {tag for _, text in texts for tag in re.findall(r'"is":"(\w+)"', text)}
    happenings = {str(kind.__struct_config__.tag) for kind in Happening.__subclasses__()}
    assert tags >= happenings | set(actions.BY_NAME)


@pytest.mark.parametrize("file", LOGS, ids=lambda file: file.stem)
def test_a_golden_log_is_decided_again(file: Path) -> None:
    """A night with waits, top-ups, absences and rounds that the house starts and closes replays to the same text."""
    again = Replay(sittings.TABLE, sittings.Sitting(file.name.split(".")[0]).opener, compare=True)
    for version, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        type_, _, text = line.partition(" ")
        again.take(version, log_rows.from_stored(recorded(type_, text)), text)
    assert again.differences == []
    assert again.table is not None
    assert (again.table.core.phase, again.table.core.seats) == (public_table.CLOSED, {})


def test_golden_logs_hold_everything_of_a_tables_life() -> None:
    """Each event by which somebody comes or goes, or the house acts by itself, is in one of the logs."""
    lines = [line.partition(" ") for file in LOGS for line in file.read_text(encoding="utf-8").splitlines()]
    house = [name for name in events.TYPES if name not in NOT_OF_A_NIGHT]
    assert {upcast.split(type_)[0] for type_, _, _ in lines} >= set(house)
    texts = [text for _, _, text in lines]
    for part in ('"closed_by":"house"', '"idle_ms":', '"top_up":', '"line":', '"by_clock":true'):
        assert any(part in text for text in texts), part


# -- shapes of the past


def _split_name(fields: dict[str, Any]) -> dict[str, Any]:
    """Lead a made-up first shape, which had ``who``, to the second, which has ``player``."""
    return {**{key: value for key, value in fields.items() if key != "who"}, "player": fields["who"]}


def _in_chips(fields: dict[str, Any]) -> dict[str, Any]:
    """Lead a made-up second shape, which counted in hundreds, to the third, which counts chips."""
    return {**{key: value for key, value in fields.items() if key != "hundreds"}, "chips": fields["hundreds"] * 100}


@pytest.fixture
def _older_shapes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let ``SeatLeft`` be in its third shape."""
    monkeypatch.setitem(codec.STEPS, ("SeatLeft", 1), _split_name)
    monkeypatch.setitem(codec.STEPS, ("SeatLeft", 2), _in_chips)
    monkeypatch.setattr(log_rows, "_UPCASTS", upcast.Upcasts(codec.STEPS))
    log_rows._shape.cache_clear()
    yield
    log_rows._shape.cache_clear()


@pytest.mark.usefixtures("_older_shapes")
@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("SeatLeft.v1", '{"at_ms":7,"seat":2,"who":"ann","hundreds":5}'),
        ("SeatLeft.v2", '{"at_ms":7,"seat":2,"player":"ann","hundreds":5}'),
        ("SeatLeft.v3", '{"at_ms":7,"seat":2,"player":"ann","chips":500}'),
    ],
)
def test_events_of_earlier_shapes_are_lifted_step_by_step(type_: str, data: str) -> None:
    """Every former shape is read as today's event, and written in today's shape."""
    event = log_rows.from_stored(recorded(type_, data))
    assert event == events.SeatLeft(at_ms=7, seat=2, player="ann", chips=500)
    metadata = log_rows.Metadata(actor="ann", role="player", command="LeaveSeat", process="settlement")
    assert log_rows.to_new(event, metadata).type == "SeatLeft.v3"


@pytest.mark.usefixtures("_older_shapes")
def test_an_event_of_a_newer_release_is_refused() -> None:
    """A shape beyond today's is never guessed at."""
    with pytest.raises(upcast.ShapeError, match="newer version"):
        log_rows.from_stored(recorded("SeatLeft.v4", "{}"))


@pytest.mark.usefixtures("_older_shapes")
def test_whole_rounds_of_an_earlier_shape_are_decided_again() -> None:
    """A log whose leavers are in the oldest shape replays without a difference."""
    sitting = sittings.random_sitting("tongbi_san_gong", "old shapes", rounds=1)
    sitting.close()
    assert any(isinstance(event, events.SeatLeft) for event in sitting.log)
    again = Replay(sitting.table_id, sitting.opener, compare=True)
    for version, event in enumerate(sitting.log, start=1):
        type_, data = f"{codec.name(event)}.v1", codec.encode(event)
        if isinstance(event, events.SeatLeft):
            fields = msgspec.json.decode(data)
            if fields["chips"] % 100:
                type_ = "SeatLeft.v3"
            else:
                fields["who"], fields["hundreds"] = fields.pop("player"), fields.pop("chips") // 100
                data = msgspec.json.encode(fields).decode()
        again.take(version, log_rows.from_stored(recorded(type_, data)))
    assert again.differences == []
