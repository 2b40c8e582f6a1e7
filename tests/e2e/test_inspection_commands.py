"""``pitboss table``, ``floor``, ``round``, ``player``, ``wallet`` and ``close`` against a running house."""

from pathlib import Path

import pytest

from services.cli import reach
from services.runtime.identity import Role
from services.runtime.settings import SettingsRefused
from tests.support import people, waits
from tests.support.command_line import Office
from tests.support.people import Crowd, action


async def test_a_complaint_is_looked_into_and_the_table_closed(office: Office, crowd: Crowd, tmp_path: Path) -> None:
    """Commands show seats, a round in words, and what a player holds and has played; another one closes the table."""
    table_id, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    await ann.house.start_round(table_id)
    shown = await office.run("table", table_id)
    assert "Texas hold'em" in shown
    assert "waits for seat 0" in shown
    assert [line.split()[:2] for line in shown.splitlines()[-2:]] == [["0", ann.subject], ["1", bob.subject]]
    assert table_id in await office.run("floor", "--test")
    await ann.house.act(table_id, action("fold"))
    await people.until_settled(ann.house, table_id, 1)

    told = await office.done("round", table_id, "1")
    assert "Ann" in told
    assert "fold" in told
    page = tmp_path / "round.html"
    await office.done("round", table_id, "1", "--language", "zh-Hant", "--html", str(page))
    assert page.read_text(encoding="utf-8").startswith('<!doctype html>\n<html lang="zh-Hant">')
    assert "NOT_FOUND" in await office.done("round", table_id, "7", well=False)

    wallet = await office.run("wallet", ann.subject)
    assert f"{ann.subject} holds " in wallet
    assert "buy_in" in wallet
    player = await office.run("player", ann.subject)
    assert "no limits, and not excluded" in player
    assert table_id in player

    assert "closed; the table is at version" in await office.run("close", table_id, "--reason", "the night is over")
    assert "nobody sits here" in await waits.eventually(lambda: office.run("table", table_id), "the closed table")


async def test_a_command_that_changes_something_says_where_and_as_whom(office: Office, crowd: Crowd) -> None:
    """The house and the person stand on standard error, also with --yes; a command that only reads says neither."""
    ann = await crowd.player("ann")
    line = ("backoffice", "deposit", ann.subject, "5", "--reason", "a test", "--as", "olga")
    for given in (line, ("--yes", *line), (*line, "--yes")):
        done = await office.called(*given)
        assert done.exit_code == 0, done.output
        assert "changes the house at 127.0.0.1:" in done.stderr
        assert "as olga (operator)" in done.stderr
    assert (await office.called("wallet", ann.subject, "--as", "olga")).stderr == ""


async def test_a_person_acts_with_a_token_of_its_own(
    office: Office, crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token in the environment says who acts, and its role what may be done; nobody is named beside it."""
    ann = await crowd.player("ann")
    line = ("backoffice", "deposit", ann.subject, "5", "--reason", "a test")
    monkeypatch.setenv(reach.OWN_TOKEN, crowd.reach.token("pete", Role.OPERATOR))
    done = await office.called(*line)
    assert (done.exit_code, "as pete (operator)" in done.stderr) == (0, True), done.output
    named = await office.called(*line, "--as", "olga")
    assert isinstance(named.exception, SettingsRefused)
    monkeypatch.setenv(reach.OWN_TOKEN, ann.token)
    assert "PERMISSION_DENIED" in await office.done(
        "backoffice", "off", "game", "war", "--reason", "a test", well=False
    )
    monkeypatch.setenv(reach.OWN_TOKEN, "nonsense")
    assert isinstance((await office.called(*line)).exception, SettingsRefused)
