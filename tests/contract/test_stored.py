"""Events as rows of the log, and back."""

import msgspec
import pytest

from services.journal import log_rows, summaries
from services.rules import catalogue
from services.table import codec, event_fold, events, public_table
from tests.support import sittings
from tests.table.test_golden import recorded

METADATA = log_rows.Metadata(actor="ann", role="player", command="Act", process="dealer")


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_every_append_of_a_round_says_what_the_log_needs(game: str) -> None:
    """Versions, types, the place to rebuild from, mark and summary of each command's append follow from its events."""
    sitting = sittings.random_sitting(game, "appends", rounds=1)
    core = event_fold.begin(sitting.table_id, 1, sitting.log[0])
    for event in sitting.log[1:]:
        event_fold.fold(core, event)
        made = log_rows.append(core, [event], METADATA, follows=bytes(32))
        assert made.stream_id == sitting.table_id
        assert (made.expected, made.expected_hash) == (core.version - 1, bytes(32))
        assert made.rebuild == (0 if isinstance(event, events.RoundStarted) else None)
        if isinstance(event, events.ActionTaken | events.DeadlinePassed):
            assert (made.mark, made.summary) == (None, None)
        else:
            marks = {public_table.IN_ROUND: log_rows.IN_ROUND, public_table.SETTLING: log_rows.UNSETTLED}
            between = log_rows.STARTING if core.due_ms else ""
            assert made.mark == marks.get(core.phase, between)
            assert msgspec.json.decode(made.summary or "") == log_rows.summary(core)
            assert msgspec.json.decode(msgspec.json.encode(summaries.read(made.summary))) == msgspec.json.decode(
                made.summary or ""
            )
        [new] = made.events
        assert log_rows.from_stored(recorded(new.type, new.data)) == codec.decode(codec.name(event), new.data)
        assert msgspec.json.decode(new.metadata, type=log_rows.Metadata) == METADATA


def test_an_append_that_ends_a_round_is_marked_for_settlement() -> None:
    """An action and the end of its round are one append: it is marked unsettled though an action is in it."""
    sitting = sittings.random_sitting("tongbi_san_gong", "marks", rounds=1)
    ended = next(at for at, event in enumerate(sitting.log) if isinstance(event, events.RoundEnded))
    core = event_fold.begin(sitting.table_id, 1, sitting.log[0])
    for event in sitting.log[1 : ended + 1]:
        event_fold.fold(core, event)
    made = log_rows.append(core, sitting.log[ended - 1 : ended + 1], METADATA, follows=None)
    assert made.mark == log_rows.UNSETTLED
    assert made.expected == ended - 1
    assert len(made.events) == 2


def test_the_first_append_expects_no_stream() -> None:
    """A table's opening makes the stream, and is where it is rebuilt from."""
    sitting, command = sittings.Sitting("war"), log_rows.Command(key="ann:1", digest=bytes(32))
    made = log_rows.append(sitting.table.core, sitting.log, METADATA, command, b"a", follows=None)
    assert (made.expected, made.rebuild, made.mark) == (0, 0, "")
    assert (made.request_key, made.request_digest, made.answer) == ("ann:1", bytes(32), b"a")


def test_rows_of_unknown_types_are_refused_by_name() -> None:
    """An unknown type and a text that does not fit its type are different errors."""
    with pytest.raises(codec.UnknownEventError, match="TableBurnt"):
        log_rows.from_stored(recorded("TableBurnt.v1", "{}"))
