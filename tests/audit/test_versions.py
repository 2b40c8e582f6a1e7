"""Rounds of rules that have changed since: exported, told, recalled and checked as they were played."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from services.audit import documents, offline, recall, replay_part, round_parts
from services.audit.handhistory import round_reader
from services.audit.handhistory.record import NotExportable
from services.audit.narrative import Narrator
from services.audit.offline import Finding
from services.audit.replay_part import Part
from services.rules import catalogue, personal
from services.settlement import round_figures
from services.settlement.backoffice import performance
from services.table import event_fold, events, rules_move
from services.table.replay import Replay
from tests.support import aged, audit_rows, sittings
from tests.support.sittings import Sitting

LANGUAGES = ("en", "zh-Hant", "zh-Hans")


@pytest.fixture(autouse=True)
def _yesterday(aged_house: aged.House) -> None:
    """Begin in a house that knows the first versions only."""
    aged_house(aged.YESTERDAY)


def played(game: str) -> Sitting:
    """Play two rounds and settle them."""
    sitting = Sitting(game, salt="aged")
    sitting.sit({0: 500, 1: 500, 2: 500})
    rng = Random(f"aged {game}")
    for _ in range(2):
        sitting.start()
        sitting.finish(rng, lapses=0.2)
        sitting.settle()
    return sitting


def told(sitting: Sitting) -> dict[str, Any]:
    """Return all that auditors and players read of the rounds of a table."""
    parts = audit_rows.rounds(sitting)
    whole: dict[str, Any] = {"documents": audit_rows.exported(sitting)}
    whole["rows"] = [documents.rows(one) for one in whole["documents"]]
    for language in LANGUAGES:
        whole[f"words {language}"] = [list(_narrated(sitting, part, language)) for part in parts]
        whole[f"recalled {language}"] = [
            step.SerializeToString(deterministic=True)
            for part in parts
            for seat in (0, 1, 2)
            for step in recall.steps(sittings.AUDIT, part, seat, language)
        ]
    whole["read"] = [
        answer.SerializeToString(deterministic=True)
        for part in parts
        for answer in round_parts.read(sittings.AUDIT, part, bytes(32), "en", 10**6, personal.veiled)
    ]
    if sitting.game.hand_history is not None:
        whole["phh"] = [round_reader.FORMS["phh"](round_reader.of_document(one)) for one in whole["documents"]]
        whole["ohh"] = [round_reader.FORMS["ohh"](round_reader.of_document(one)) for one in whole["documents"]]
    return whole


def _narrated(sitting: Sitting, part: list[Any], language: str) -> Iterator[str]:
    return Narrator(language, every_hand=True).round(part, Replay(sitting.table_id, sitting.opener, compare=False))


def findings(*exported: dict[str, Any]) -> list[Finding]:
    """Check documents offline; return all findings."""
    return [one for _, found in offline.check(exported) for one in found]


@pytest.mark.parametrize("game", aged.GAMES)
def test_everything_that_is_read_of_the_past_stays_as_it_was(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports in every format, narratives and recalls in every language are the same bytes under newer rules."""
    sitting = played(game)
    before = told(sitting)
    aged.house(monkeypatch, aged.TODAY)
    after = told(sitting)
    assert after.keys() == before.keys()
    for key, value in before.items():
        assert after[key] == value, key
    assert findings(*after["documents"]) == []
    assert [row[3] for rows in after["rows"] for row in rows] == [1] * len(
        [row for rows in after["rows"] for row in rows]
    )


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_log_of_the_first_version_has_no_finding(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay of auditors, in independent parts, finds nothing once the rules have changed."""
    sitting = played(game)
    aged.house(monkeypatch, aged.TODAY)
    whole, rounds = audit_rows.of_sitting(sitting), audit_rows.rounds(sitting)
    for segments in ([whole[: rounds[0][0].version - 1], *rounds], rounds):
        report = replay_part.replay(sittings.AUDIT, Part(sitting.table_id, segments, []))
        assert report.differences == []
        assert report.rounds == 2


@pytest.mark.parametrize("game", aged.GAMES)
def test_a_version_that_was_never_there_is_a_mismatch_that_says_so(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One difference for the opening and one for each round name the version and those that are kept."""
    sitting = played(game)
    aged.house(monkeypatch, aged.FORGETFUL)
    whole, rounds = audit_rows.of_sitting(sitting), audit_rows.rounds(sitting)
    segments = [whole[: rounds[0][0].version - 1], *rounds]
    report = replay_part.replay(sittings.AUDIT, Part(sitting.table_id, segments, []))
    assert [(one.version, one.field) for one in report.differences] == [
        (segment[0].version, "rules_version") for segment in segments
    ]
    for one in report.differences:
        assert one.expected == "a version of the rules that is kept (2)"
        assert one.found == f"version 1 of '{game}' is not in this house; it knows 2"
    assert report.events_read == len(whole)


@pytest.mark.parametrize("game", aged.GAMES)
def test_an_export_of_rules_that_are_gone_is_a_finding(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that does not know the version says so of each round, with its chain checked all the same."""
    exported = audit_rows.exported(played(game))
    aged.house(monkeypatch, aged.FORGETFUL)
    found = findings(*exported)
    assert [(one.round, one.kind) for one in found] == [(1, offline.RULES), (2, offline.RULES)]
    assert all("version 1 of" in one.detail for one in found)
    if game == aged.POKER:
        with pytest.raises(NotExportable, match="version 1 of"):
            round_reader.of_document(exported[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", aged.GAMES)
def test_rounds_of_rules_that_are_gone_are_told_by_the_record(
    game: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Narrative, recall and export of such a round say what is missing and show no view; nothing raises."""
    sitting = played(game)
    aged.house(monkeypatch, aged.FORGETFUL)
    for part in audit_rows.rounds(sitting):
        lines = list(Narrator(language).round(part))
        assert game in lines[0]
        assert any("Player 0" in line for line in lines)
        steps = list(recall.steps(sittings.AUDIT, part, 0, language))
        assert [step.version for step in steps] == [row.version for row in part]
        assert not any(step.HasField("view") for step in steps)
        assert list(round_parts.read(sittings.AUDIT, part, bytes(32), language, 10**6, personal.veiled))
    document = audit_rows.exported(sitting)[0]
    assert document["hidden"].startswith("version 1 of")
    assert [one.kind for one in findings(document)] == [offline.HIDDEN]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_between_rounds_is_told_after_the_round_before_it(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The narrative names both versions and the reason, an export with the move in it has no finding."""
    sitting = played(aged.SHOWDOWN)
    aged.house(monkeypatch, aged.TODAY)
    moved = rules_move.move(sitting.table.core, 2, moved_by="boss", reason="as announced", at_ms=sitting.tick())
    sitting.take(moved)
    sitting.start()
    sitting.finish(Random(5))
    sitting.settle()
    parts = audit_rows.rounds(sitting)
    last = list(Narrator(language).round(parts[1]))[-1]
    assert {"1", "2"} <= set(last)
    assert last.endswith("as announced")
    assert catalogue.game(aged.SHOWDOWN, 2).name.within(language) in next(iter(Narrator(language).round(parts[2])))
    assert findings(*audit_rows.exported(sitting)) == []


def test_reports_tell_the_versions_of_a_game_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same house rules under two versions are two configurations, each with its own version."""
    first = played(aged.SHOWDOWN)
    aged.house(monkeypatch, aged.TODAY)
    second = played(aged.SHOWDOWN)
    figures = [_figures(one) for one in (first, second)]
    assert [one.rules_version for one in figures] == [1, 2]
    assert figures[0].rules == figures[1].rules
    assert figures[0].configuration != figures[1].configuration
    assert performance.theoretical_returns(aged.SHOWDOWN, 9, figures[0].rules) == []


def _figures(sitting: Sitting) -> Any:
    core = event_fold.begin(sitting.table_id, 1, sitting.log[0])
    for event in sitting.log[1:]:
        at = round_figures.before(core)
        event_fold.fold(core, event)
        if isinstance(event, events.RoundSettled):
            return round_figures.rounds(at, core, [event])[0]
    raise AssertionError("no round was settled")
