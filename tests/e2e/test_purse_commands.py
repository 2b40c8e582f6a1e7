"""``pitboss backoffice deposit``, ``withdraw`` and ``exclude`` against a running house."""

import asyncio
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from services.cli import commands, main
from services.localhouse.local_house import LocalHouse
from tests.support.people import Crowd, refused


async def run(house: LocalHouse, *arguments: str, well: bool = True) -> str:
    """Run a back-office command as Olga; it must succeed, or, with ``well=False``, end with a refusal in words."""
    if not any(group.name == "backoffice" for group in main.app.registered_groups):
        commands.register(main.app)
    whole = ["backoffice", *arguments, "--folder", str(house.folder), "--as", "olga"]
    done: Any = await asyncio.to_thread(CliRunner().invoke, main.app, whole)
    assert (done.exit_code == 0) == well, done.output
    return str(done.stdout if well else done.output)


async def test_money_comes_and_goes_by_command_once_for_each_request(house: LocalHouse, crowd: Crowd) -> None:
    """The balance is printed, a repetition moves nothing, and an amount beyond the balance is refused in words."""
    player = await crowd.player("Pia", 100)
    paid = ("deposit", player.subject, "40", "--reason", "cash at the desk", "--request-id", "desk-1")
    first = json.loads(await run(house, *paid))
    assert first["balance"] == "140"
    assert json.loads(await run(house, *paid)) == first
    taken = json.loads(await run(house, "withdraw", player.subject, "15", "--reason", "paid out"))
    assert taken["balance"] == "125"
    assert await player.house.balance() == 125
    said = await run(house, "withdraw", player.subject, "126", "--reason", "paid out", well=False)
    assert "the wallet holds 125" in said


async def test_a_player_is_excluded_and_let_in_again_by_command(house: LocalHouse, crowd: Crowd) -> None:
    """An exclusion is for days, until a moment, or permanent, each longer than the last one; lifting takes a day."""
    player = await crowd.player("Pia", 100)
    deposit = ("deposit", player.subject, "1", "--reason", "cash")
    for end, words in (
        (("--days", "2"), "until "),
        (("--until", "2099-01-31"), "until 2099-01-31T00:00:00Z"),
        (("--for-ever",), "permanently"),
    ):
        made = json.loads(await run(house, "exclude", player.subject, *end, "--reason", "a court's order"))["limit"]
        assert (made["kind"], made["set_by"], made["actor"]) == ("LIMIT_KIND_EXCLUSION", "house", "olga")
        assert f"excluded {words}" in await run(house, *deposit, well=False)
    await refused("EXCLUDED", crowd.operator.house.deposit(player.subject, 1))
    lifted = json.loads(await run(house, "exclude", player.subject, "--lift", "--reason", "a court's order"))["limit"]
    assert "until_time" not in lifted
    assert "excluded permanently" in await run(house, *deposit, well=False)


@pytest.mark.parametrize(
    "end", [(), ("--days", "2", "--lift"), ("--until", "soon"), ("--until", "2001-01-01"), ("--days", "-1")]
)
async def test_an_exclusion_without_one_clear_end_is_refused(house: LocalHouse, end: tuple[str, ...]) -> None:
    """A missing, doubled, invalid or past end of an exclusion is refused in words, and nothing is recorded."""
    said = await run(house, "exclude", "nobody-yet", *end, "--reason", "a test", well=False)
    assert any(word in said for word in ("exactly one of", "2027-01-31", "is past", "days"))
    assert '"limits"' not in await run(house, "limits", "nobody-yet")
