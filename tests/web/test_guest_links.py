"""Links of guests: what is stored, who may take it, how long and how often, and the command that prints one."""

import asyncio
import json
import os
import threading
from pathlib import Path

import pytest
import typer
from pitboss import client
from typer.testing import CliRunner

from services.cli import guest_command, reach
from services.localhouse import local_house
from services.runtime import guest_links
from services.runtime.identity import Role

TOKEN = "eyJhbGciOi.a-token-of-a-guest.signature"


app = typer.Typer()
guest_command.register(app)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file of links that does not exist yet."""
    return tmp_path / "guests.json"


def test_the_file_holds_neither_code_nor_token(file: Path) -> None:
    """A reader of the file signs in as nobody: it holds neither the token nor the code, and both files are 0600."""
    umask = os.umask(0)
    try:
        code = guest_links.add(file, TOKEN)
    finally:
        os.umask(umask)
    stored = file.read_text()
    assert TOKEN not in stored
    assert TOKEN.split(".")[1] not in stored
    assert code not in stored
    assert {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {
        "guests.json": 0o600,
        "guests.lock": 0o600,
    }
    for name in json.loads(stored):
        assert guest_links.take(file, name) is None, "the name of an entry is no code"
    assert guest_links.take(file, code) == TOKEN


def test_each_link_has_a_key_of_its_own(file: Path) -> None:
    """The same token is stored in different forms, and an entry that is put under another name opens to nothing."""
    codes = [guest_links.add(file, TOKEN) for _ in range(2)]
    stored = json.loads(file.read_text())
    (one, first), (other, second) = stored.items()
    assert first["sealed"] != second["sealed"]
    file.write_text(json.dumps({one: second, other: first}))
    assert [guest_links.take(file, code) for code in codes] == [None, None]


def test_of_many_takers_one_gets_the_token(file: Path) -> None:
    """Takers that come at the same moment get the token once, and entries that others add meanwhile stay."""
    code, many = guest_links.add(file, TOKEN), 8
    together, taken, added = threading.Barrier(2 * many), list[str | None](), list[str]()

    def take() -> None:
        together.wait(60)
        taken.append(guest_links.take(file, code))

    def add() -> None:
        together.wait(60)
        added.append(guest_links.add(file, "another"))

    threads = [threading.Thread(target=one) for one in (take, add) * many]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(taken, key=str) == [*[None] * (many - 1), TOKEN]
    assert [guest_links.take(file, one) for one in added] == ["another"] * many


def test_a_link_ends(file: Path) -> None:
    """A link is taken up to the end of its life and not after it; then its entry is gone from the file."""
    early, late = (guest_links.add(file, TOKEN, now=1000.0) for _ in range(2))
    assert guest_links.take(file, early, now=1000.0 + guest_links.LIFE_SECONDS - 1) == TOKEN
    assert guest_links.take(file, late, now=1000.0 + guest_links.LIFE_SECONDS) is None
    assert json.loads(file.read_text()) == {}


@pytest.mark.parametrize("stored", ["", "[]", "null", '{"0af": "a token in clear"}', '{"0af": {"sealed": 1}}', "{"])
def test_a_file_of_another_shape_gives_nothing_and_is_replaced(file: Path, stored: str) -> None:
    """What an earlier version or an accident left in the file is never a link, and new links work."""
    file.write_text(stored)
    assert guest_links.take(file, "0af") is None
    assert guest_links.take(file, guest_links.add(file, TOKEN)) == TOKEN
    assert "in clear" not in file.read_text()


async def test_the_command_prints_a_link_for_a_guest_with_test_money(house: local_house.LocalHouse) -> None:
    """`pitboss guest` prints an address whose code is worth a player's token of test money, once."""
    line = ["--name", "Nia", "--chips", "250", "--folder", str(house.folder)]
    done = await asyncio.to_thread(CliRunner().invoke, app, line)
    assert done.exit_code == 0, done.output
    page, _, code = done.output.strip().partition("/#guest=")
    assert page == house.page_url
    token = guest_links.take(house.guests, code)
    assert token is not None
    found = reach.of_folder(house.folder)
    caller = found.identity.verify(token)
    assert (caller.role, caller.test, caller.name) == (Role.PLAYER, True, "Nia")
    async with client.connect(found.dealers[0], token, found.settlement) as guest:
        assert (await anext(aiter(guest.watch_wallet(currency="XTS")))).balance == 250
    assert guest_links.take(house.guests, code) is None


@pytest.mark.parametrize("wrong", [["--chips", "0"], ["--chips", "10000001"], ["--folder", "/nowhere"]])
def test_the_command_refuses_in_words(wrong: list[str]) -> None:
    """Money beyond the bounds and a folder without a house are refused before anything is made."""
    done = CliRunner().invoke(app, wrong)
    assert done.exit_code == 2
    assert wrong[0] in done.output or "not the folder" in done.output
