"""Exports of a running house: rounds and ledger, as JSON lines and as tables."""

import csv
import io
import json
from collections import defaultdict
from pathlib import Path

import psycopg
import pytest
from pitboss import client
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import dealer_pb2
from typer.testing import CliRunner

from services.cli import commands, main
from services.localhouse import local_house
from tests.support import people, play

commands.register(main.app)


def pitboss(*arguments: str) -> str:
    """Run a command that must succeed; return its output."""
    done = CliRunner().invoke(main.app, [*arguments])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def exported(tmp_path: Path, house: local_house.LocalHouse) -> "Exported":
    """Return the export commands."""
    return Exported(tmp_path / "export", house.folder)


class Exported:
    """Runs an export in a thread of its own loop and reads the file."""

    def __init__(self, out: Path, folder: Path) -> None:
        self._out, self._folder = out, folder

    async def __call__(self, *arguments: str) -> str:
        """Return the file's text."""
        import asyncio

        whole = (*arguments, "--out", str(self._out), "--folder", str(self._folder))
        await asyncio.to_thread(pitboss, *whole)
        return self._out.read_text(encoding="utf-8")


async def test_rounds_as_a_table_hold_every_seat_of_every_round(crowd: people.Crowd, exported: Exported) -> None:
    """Each seat has a row, and its chips before and after differ by wins less stakes and fees."""
    table_id, players = await play.opened(crowd, "high_suit")
    await play.rounds(table_id, players, 3)
    rows = list(csv.DictReader(io.StringIO(await exported("export", table_id, "--format", "csv"))))
    assert [(row["round"], row["seat"]) for row in rows] == [
        (f"{n}", f"{s}") for n in (1, 2, 3) for s in range(len(players))
    ]
    for row in rows:
        chips = {name: int(row[name]) for name in ("balance_before", "staked", "won", "fee", "balance_after")}
        assert chips["balance_after"] == chips["balance_before"] - chips["staked"] + chips["won"] - chips["fee"]
        assert (row["status"], row["game"], row["player"]) == (
            "complete",
            "high_suit",
            players[int(row["seat"])].subject,
        )
        assert row["outcome"]
        assert row["started"] <= row["ended"]
    lines = [json.loads(line) for line in (await exported("export", table_id)).splitlines()]
    assert [line["round"] for line in lines] == [1, 2, 3]


async def test_the_ledger_is_exported_whole(
    crowd: people.Crowd, exported: Exported, house: local_house.LocalHouse
) -> None:
    """Both formats hold every entry and leg once, in chronological order."""
    table_id, players = await play.opened(crowd, "baccarat")
    await play.rounds(table_id, players, 2)
    entries = [json.loads(line) for line in (await exported("export-ledger")).splitlines()]
    with psycopg.connect(house.environment["PITBOSS_DATABASE_URL"]) as conn:
        stored = conn.execute(
            "SELECT entry_id::text, account, amount FROM legs JOIN entries USING (entry_id)"
            " WHERE at <= 'epoch'::timestamptz + %s * interval '1 microsecond'",
            (entries[-1]["at_us"],),
        ).fetchall()
    legs = [(one["entry_id"], leg["account"], leg["amount"]) for one in entries for leg in one["legs"]]
    assert sorted(legs) == sorted(stored)
    assert [one["at_us"] for one in entries] == sorted(one["at_us"] for one in entries)
    rows = list(csv.DictReader(io.StringIO(await exported("export-ledger", "--format", "csv"))))
    assert [(row["entry_id"], row["account"], int(row["amount"])) for row in rows][: len(legs)] == legs
    totals: dict[str, int] = defaultdict(int)
    for row in rows:
        totals[row["entry_id"]] += int(row["amount"])
    assert set(totals.values()) == {0}
    assert not (await exported("export-ledger", "--to", "2001-01-01"))


async def test_exports_that_are_broken_off_hold_nothing_up(crowd: people.Crowd) -> None:
    """After more cancelled streams than database connections the next one is served completely."""
    table_id, players = await play.opened(crowd, "high_suit")
    await play.rounds(table_id, players, 2)
    stub, metadata = crowd.auditor()
    for _ in range(12):
        for call in (
            stub.ExportLedger(pb.ExportLedgerRequest(), metadata=metadata),
            stub.ExportRounds(pb.ExportRoundsRequest(table_id=table_id), metadata=metadata),
        ):
            await call.read()
            call.cancel()
    lines = [one async for one in stub.ExportRounds(pb.ExportRoundsRequest(table_id=table_id), metadata=metadata)]
    assert [one.round_number for one in lines] == [1, 2]


async def test_a_voided_round_is_in_the_table_as_one(crowd: people.Crowd, exported: Exported) -> None:
    """A voided round's rows show unchanged chips, no stakes and wins, and the reason."""
    table_id, (ann, _) = await crowd.table("texas_holdem", ("ann", "bob"))
    await ann.house.start_round(table_id)
    staff = crowd.operator.house
    request = dealer_pb2.VoidRoundRequest(request_id=client.request_id(), table_id=table_id, reason="a lamp went out")
    await staff.call(staff.dealer.VoidRound, request)
    rows = list(csv.DictReader(io.StringIO(await exported("export", table_id, "--format", "csv"))))
    assert [(row["seat"], row["status"], row["staked"], row["won"]) for row in rows] == [
        ("0", "voided", "0", "0"),
        ("1", "voided", "0", "0"),
    ]
    assert all(row["balance_before"] == row["balance_after"] == "1000" for row in rows)
    assert all("a lamp went out" in row["outcome"] for row in rows)
