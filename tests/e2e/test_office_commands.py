"""``pitboss backoffice`` and ``pitboss report`` against a running house."""

import asyncio
import csv
import datetime as dt
import io
import json

import pytest
from pitboss.v1 import back_office_pb2 as pb
from typer.testing import CliRunner

from services.cli import main, report_commands
from services.localhouse.local_house import LocalHouse
from tests.support import play, waits
from tests.support.command_line import Office
from tests.support.people import Crowd, action, refused


async def test_a_table_is_moved_to_a_version_by_command(office: Office, crowd: Crowd) -> None:
    """The command says what it did; a version that the house does not keep is refused in words, with those it keeps."""
    table_id, _ = await crowd.table("tongbi_san_gong", ("Ann", "Bob"))
    done = await office.run("backoffice", "move-rules", table_id, "1", "--reason", "as announced")
    assert done.startswith("nothing to do: the table has version 1")
    refusal = await office.run("backoffice", "move-rules", table_id, "9", "--reason", "a typing error", well=False)
    assert "UNKNOWN_RULES" in refusal
    assert "it knows 1" in refusal


async def test_switches_and_voids_by_command(office: Office, crowd: Crowd) -> None:
    """A game goes off and on, a running round is voided, each with its reason and the operator's own name."""
    table_id, players = await crowd.table("texas_holdem", ("Ann", "Bob"))
    await players[0].house.start_round(table_id)
    await office.run("backoffice", "void", table_id, "--reason", "a player's line was cut")
    view = await players[0].house.table(table_id)
    assert view.last_result.voided
    assert view.last_result.void_reason == "a player's line was cut"
    try:
        await office.run("backoffice", "off", "table", table_id, "--reason", "to be looked at")
        await waits.switches_read()
        await refused("SWITCHED_OFF", players[0].house.start_round(table_id))
        listed = json.loads(await office.run("backoffice", "switches"))
        [mine] = [one for one in listed["switches"] if one.get("subject") == table_id]
        assert (mine["actor"], mine["reason"]) == ("olga", "to be looked at")
    finally:
        await office.run("backoffice", "on", "table", table_id, "--reason", "looked at")
    await waits.switches_read()
    await players[0].house.start_round(table_id)
    told = [json.loads(line) for line in (await office.run("report", "events")).splitlines()]
    mine = [one["kind"] for one in told[1:] if table_id in one["subject"] and one["actor"] == "olga"]
    assert mine == ["round_voided", "switch", "switch"]


async def test_an_adjustment_by_command_needs_two_names(office: Office, crowd: Crowd) -> None:
    """The requester cannot approve; another person can, and the statement shows both names."""
    player = await crowd.player("Pia", 100)
    made = json.loads(await office.run("backoffice", "adjust", player.subject, "25", "--reason", "goodwill"))
    adjustment = made["adjustment"]["adjustment_id"]
    decide = ("backoffice", "decide", adjustment, "--approve", "--reason", "fair")
    assert "SECOND_PERSON_NEEDED" in await office.run(*decide, well=False)
    await office.run(*decide, name="otto")
    heading, line = (
        json.loads(text) for text in (await office.run("report", "statement", "--player", player.subject)).splitlines()
    )
    assert heading["title"] == f"Statement of {player.subject}"
    assert (line["deposits"], line["adjustments"], line["closing_balance"]) == (100, 25, 125)
    assert line["adjustment_lines"][0]["reason"] == "goodwill (asked by olga, approved by otto)"


async def test_a_void_of_much_by_command_needs_two_names(office: Office, crowd: Crowd) -> None:
    """The first person reads what to do next; the second one rejects one request and approves another."""
    table_id, players = await crowd.table("texas_holdem", ("Ann", "Bob"), buy_in=200_000)
    await players[0].house.start_round(table_id)
    [acting] = (await players[0].house.table(table_id)).round.waiting_for
    await players[acting].house.act(table_id, action("all_in"))
    for approve, said in (("--reject", "rejected"), ("--approve", "voided; the table is at version")):
        asked = await office.run("backoffice", "void", table_id, "--reason", "a torn card")
        assert f"decide-void {table_id}" in asked
        listed = json.loads(await office.run("backoffice", "voids", "--pending"))["voids"]
        [mine] = [one for one in listed if one["table_id"] == table_id]
        assert mine["void_id"] in asked
        decide = ("backoffice", "decide-void", table_id, mine["void_id"], approve, "--reason", "seen")
        assert "SECOND_PERSON_NEEDED" in await office.run(*decide, well=False)
        assert said in await office.run(*decide, name="otto")
    assert (await players[0].house.table(table_id)).last_result.voided
    told = [json.loads(line) for line in (await office.run("report", "events")).splitlines()]
    mine = [one["kind"] for one in told[1:] if table_id in one["subject"]]
    assert sorted(mine) == ["round_voided", "void_decided", "void_decided", "void_requested", "void_requested"]


@pytest.mark.parametrize("order", [("-25", "--reason", "a mistake"), ("--reason", "a mistake", "-25")])
async def test_an_adjustment_out_of_a_wallet_is_written_as_it_is_said(
    office: Office, crowd: Crowd, order: tuple[str, ...]
) -> None:
    """A negative amount is accepted, and an unknown word is refused."""
    player = await crowd.player("Pia", 100)
    made = json.loads(await office.run("backoffice", "adjust", player.subject, *order))
    assert int(made["adjustment"]["amount"]) == -25
    for wrong in ("--bogus", "-x", "much"):
        await office.run("backoffice", "adjust", player.subject, wrong, "--reason", "a mistake", well=False)
        await office.run("backoffice", "adjust", player.subject, "5", wrong, "--reason", "a mistake", well=False)


@pytest.mark.parametrize("name", report_commands.REPORTS)
async def test_every_report_is_written_as_json_lines_and_as_csv(office: Office, crowd: Crowd, name: str) -> None:
    """Both forms hold the same lines under the same heading, whose columns are the lines' fields."""
    table_id, players = await play.opened(crowd, "tongbi_san_gong")
    await play.rounds(table_id, players, 2)
    await office.run("backoffice", "on", "table", table_id, "--reason", "an event to report")
    # Both end at one moment: chips of other tables may move between the two.
    end = dt.datetime.now(dt.UTC).isoformat()
    given = ("report", name, "--player", players[0].subject, "--to", end)
    lines = [json.loads(line) for line in (await office.run(*given)).splitlines()]
    rows = list(csv.reader(io.StringIO(await office.run(*given, "--format", "csv"))))
    assert lines[0]["house"] == "Pitboss"
    assert lines[0]["note"] == ""
    blank = rows.index([])
    assert {row[0] for row in rows[:blank]} == set(lines[0])
    assert rows[blank + 1] == list(lines[1])
    assert len(rows) - blank - 2 == len(lines) - 1 > 0
    for row, line in zip(rows[blank + 2 :], lines[1:], strict=True):
        assert [cell for cell in row if cell.lstrip("-").isdigit()] == [
            str(value) for value in line.values() if str(value).lstrip("-").isdigit()
        ]


async def test_a_report_of_an_empty_span_says_no_activity(office: Office) -> None:
    """An empty report has only its heading, with the requested span."""
    text = await office.run("report", "turnover", "--from", "2001-01-01", "--to", "2001-01-02T12:00:00")
    [heading] = [json.loads(line) for line in text.splitlines()]
    assert heading["note"] == "no activity"
    assert (heading["from_time"], heading["to_time"]) == ("2001-01-01T00:00:00Z", "2001-01-02T12:00:00Z")


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "nothing"),
        ("report", "games", "--format", "xml"),
        ("report", "games", "--from", "yesterday"),
        ("backoffice", "off", "planet", "--reason", "x"),
    ],
)
async def test_what_cannot_be_understood_is_refused_in_words(office: Office, arguments: tuple[str, ...]) -> None:
    """The message names the valid values."""
    said = await office.run(*arguments, well=False)
    assert any(word in said for word in ("one of", "reports:", "2027-01-31"))


async def test_figures_are_made_again_by_command(
    house: LocalHouse, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command reads every table's log and does not change existing figures."""
    table_id, players = await play.opened(crowd, "tongbi_san_gong")
    await play.rounds(table_id, players)
    request = pb.ListPlayedRoundsRequest(player=players[0].subject)
    operator = crowd.operator.house
    before = await operator.call(operator.office.ListPlayedRounds, request)
    monkeypatch.setenv("PITBOSS_DATABASE_URL", house.environment["PITBOSS_DATABASE_URL"])
    done = await asyncio.to_thread(CliRunner().invoke, main.app, ["backoffice", "rebuild"])
    assert done.exit_code == 0, done.output
    assert int(done.output.split()[0]) >= 1
    after = await operator.call(operator.office.ListPlayedRounds, request)
    assert after.rounds == before.rounds
