"""Rounds that were voided without their seed, or with another one, are reported; the replay continues after them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import psycopg_pool
import pytest

from services.audit import documents, log_segments, offline, recall, replay_part, replay_service
from services.audit.handhistory import round_reader
from services.audit.handhistory.record import NotExportable
from services.audit.narrative import Narrator
from services.audit.replay_part import Part, Report
from services.eventlog import log
from services.eventlog.records import NewEvent
from services.fairness import verify_deck
from services.fairness.seal import KeyRing
from services.table import commands
from tests.support import audit_rows, pools, sittings
from tests.support.log_events import one
from tests.support.sittings import Sitting

Pool = psycopg_pool.AsyncConnectionPool[Any]
GOLDEN = Path(__file__).parent / "golden" / "voids_of_an_older_house.jsonl"
UNSAID, FOREIGN = 2, 3
"""Rounds of the golden log: voided without a seed and a mark, and voided with the seed of round 1."""


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Yield connections with the roles that the processes have."""
    async with pools.make_pool(postgres_url, None) as opened:
        yield opened


def voided(*, reveal: str = "", seed_lost: bool = False) -> Sitting:
    """Play a round of hold'em, void the second, let a player leave, and play a third."""
    sitting, rng = Sitting("texas_holdem"), Random(4)
    sitting.sit({0: 500, 1: 500, 2: 500})
    sitting.start()
    sitting.finish(rng)
    sitting.settle()
    sitting.start()
    sitting.step(rng, 0)
    sitting.take(commands.void_round(sitting.table, "a torn card", "boss", reveal, sitting.tick(), seed_lost=seed_lost))
    sitting.leave(2)
    sitting.start()
    sitting.finish(rng)
    sitting.settle()
    return sitting


def decided(sitting: Sitting) -> Report:
    """Replay a table's whole log."""
    stored, bounds = audit_rows.of_sitting(sitting), [at for at, _ in enumerate(sitting.log) if _starts(sitting, at)]
    parts = [stored[first:last] for first, last in zip([0, *bounds], [*bounds, len(stored)], strict=True)]
    return replay_part.replay(sittings.AUDIT, Part(sitting.table_id, [part for part in parts if part], []))


def _starts(sitting: Sitting, at: int) -> bool:
    return type(sitting.log[at]).__name__ == "RoundStarted"


def test_a_void_without_a_seed_is_a_finding_and_no_round_in_progress() -> None:
    """It is counted as unrevealed and named at the void; the rounds around it are replayed."""
    sitting = voided()
    report = decided(sitting)
    at = next(at for at, event in enumerate(sitting.log, start=1) if type(event).__name__ == "RoundVoided")
    assert (report.rounds, report.in_progress, report.unrevealed) == (2, 0, 1)
    assert [(one.version, one.field, one.found) for one in report.differences] == [
        (at, "reveal", "no seed of this round was revealed")
    ]


def test_a_void_that_says_that_its_seed_is_lost_is_counted_and_no_finding() -> None:
    """The log and the narrative hold the reason why nothing is revealed."""
    sitting = voided(seed_lost=True)
    report = decided(sitting)
    assert (report.rounds, report.in_progress, report.unrevealed, report.differences) == (2, 0, 1, [])
    lines = list(Narrator("en").round(audit_rows.rounds(sitting)[1]))
    assert "Its cards stay hidden: the key to its seed was gone" in lines


def test_a_void_with_another_rounds_seed_is_a_finding_at_the_void() -> None:
    """The seal is bound to its round: another round's seed does not open, and raises no error."""
    other = Sitting("texas_holdem").reveal(1)
    report = decided(voided(reveal=other))
    assert (report.rounds, report.in_progress, report.unrevealed) == (2, 0, 1)
    assert [(one.field, one.found) for one in report.differences] == [
        ("reveal", "what was revealed is not the seed of this round")
    ]


def test_what_follows_an_unrevealed_void_is_still_decided_again() -> None:
    """After a void, a seat that leaves with other chips and a start that restates another table are found."""
    sitting = voided(seed_lost=True)
    at = next(at for at, event in enumerate(sitting.log) if type(event).__name__ == "SeatLeft")
    sitting.log[at] = msgspec.structs.replace(sitting.log[at], chips=1)
    assert at + 1 in {one.version for one in decided(sitting).differences}
    sitting = voided(seed_lost=True)
    at = [at for at in range(len(sitting.log)) if _starts(sitting, at)][1]
    start: Any = sitting.log[at]
    sitting.log[at] = msgspec.structs.replace(start, table=msgspec.structs.replace(start.table, pot=7))
    assert (at + 1, "table") in {(one.version, one.field) for one in decided(sitting).differences}


def test_an_unrevealed_round_is_exported_and_never_holds() -> None:
    """The document of a hidden round holds the reason; offline its chain is checked and the rest is a finding."""
    documents_ = audit_rows.exported(voided())
    assert [document.get("hidden", "") for document in documents_] == ["", "no seed of this round was revealed", ""]
    found = {document["round"]: [one.kind for one in faults] for document, faults in offline.check(documents_)}
    assert found == {1: [], 2: [offline.HIDDEN], 3: []}
    assert verify_deck.verify(documents_[1]) == ["the deck cannot be checked: no seed of this round was revealed"]
    documents_[1]["events"][1]["data"] += " "
    [(_, faults)] = list(offline.check([documents_[1]]))
    assert {one.kind for one in faults} == {"edit", offline.HIDDEN}
    with pytest.raises(NotExportable):
        round_reader.rewrite(documents.write(documents_[1]), "phh")


def test_a_key_that_the_auditor_lacks_hides_a_round_and_is_named() -> None:
    """Without the key of its time a round is exported as hidden, with the id of the missing key."""
    sitting = voided(seed_lost=True)
    ring = KeyRing("audit", {"newer": bytes(32)}, "newer")
    document = documents.of_round(ring, sitting.table_id, audit_rows.rounds(sitting)[0], bytes(32))
    assert document["hidden"] == "this auditor does not hold the key 'audit-test' that the seed was revealed under"


async def written(pool: Pool) -> None:
    """Write the golden log of an older house."""
    events = [NewEvent(**json.loads(line)) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    async with pool.connection() as conn:
        await log.append(conn, [one(sittings.TABLE, 0, *events)])


async def test_a_log_of_an_older_house_with_such_voids_is_read_whole(pool: Pool) -> None:
    """Replay, export and recall of that table work, and both voids are reported for every split of the log."""
    await written(pool)
    for part in (1, 1000):
        report = await replay_service.replay(pool, sittings.AUDIT, sittings.TABLE, 0, 0, part=part)
        assert (report.rounds, report.in_progress, report.unrevealed) == (2, 0, 2)
        assert [(one.field, one.found) for one in report.differences] == [
            ("reveal", "no seed of this round was revealed"),
            ("reveal", "what was revealed is not the seed of this round"),
        ]
    hidden = []
    for number in range(1, 5):
        recorded = await log_segments.round_events(pool, sittings.TABLE, number)
        document = documents.of_round(sittings.AUDIT, sittings.TABLE, recorded, bytes(32))
        assert json.loads(documents.write(document))["round"] == number
        hidden += [number] if "hidden" in document else []
        steps = list(recall.steps(sittings.AUDIT, recorded, 0, "en"))
        assert any(step.words for step in steps)
        assert all(step.HasField("view") for step in steps) == ("hidden" not in document)
    assert hidden == [UNSAID, FOREIGN]
