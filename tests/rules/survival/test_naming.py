"""Nicknames are chosen between rounds, are unique at the table and stay with the player who chose them."""

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, facts
from services.rules.game import Table
from services.rules.refusals import Reason, Refused
from services.rules.survival.nickname import GAME, NicknameRules, nicknames

RULES = NicknameRules()
TABLE = Table(chips={0: 100, 1: 100, 3: 100}, names={0: "ann", 1: "bob", 3: "dan"})


def choose(table: Table, seat: int, name: str) -> Table:
    """Choose a nickname and return the table with its memory stored and loaded as JSON."""
    memory = GAME.between(RULES, table, seat, actions.SetNickname(name))
    return msgspec.structs.replace(table, memory=msgspec.json.decode(msgspec.json.encode(memory)))


def test_default_is_the_players_name() -> None:
    """A player who chooses nothing is called by its own name."""
    assert nicknames(TABLE) == {0: "ann", 1: "bob", 3: "dan"}


def test_chosen_names_are_kept_and_shown() -> None:
    """A chosen name shows in the round and stays in memory from round to round."""
    table = choose(choose(TABLE, 1, "Tiger"), 3, "大車")
    round_, _ = GAME.start(RULES, table, ScriptedChance(Script()))
    shown = round_.view(None).facts.family
    assert isinstance(shown, facts.Survival)
    assert shown.nicknames == {0: "ann", 1: "Tiger", 3: "大車"}
    for _ in range(RULES.max_flips):
        round_.on_timeout(ScriptedChance(Script()))
    assert round_.outcome is not None
    assert round_.outcome.memory == table.memory
    assert nicknames(table) == {0: "ann", 1: "Tiger", 3: "大車"}


@pytest.mark.parametrize("name", ["", "x" * 21, " Tiger", "Tiger ", "   ", "a\nb", "a\u202eb", "bob", "BOB", "ｂob"])
def test_names_not_allowed(name: str) -> None:
    """A name that is empty, too long, unprintable or sounds like another seat's is refused."""
    with pytest.raises(Refused) as refusal:
        choose(TABLE, 0, name)
    assert refusal.value.reason == Reason.ILLEGAL_ACTION


@pytest.mark.parametrize("name", ["x", "x" * 20, "ann", "Ann", "Big Bob", "虎"])
def test_names_allowed(name: str) -> None:
    """One to twenty characters that are nobody else's, the own name in any spelling too."""
    assert nicknames(choose(TABLE, 0, name))[0] == name


def test_a_name_given_up_is_free_again() -> None:
    """A new choice frees the old nickname; a player's own name is free while another one is in use."""
    table = choose(choose(TABLE, 1, "Tiger"), 1, "Lion")
    table = choose(table, 0, "Tiger")
    table = choose(table, 3, "Bob")
    assert nicknames(table) == {0: "Tiger", 1: "Lion", 3: "Bob"}


def test_the_next_player_of_a_seat_does_not_inherit_the_name() -> None:
    """A nickname belongs to the player; a newcomer whose name is taken gets the seat's number added."""
    table = choose(TABLE, 1, "cat")
    table = msgspec.structs.replace(table, names={0: "ann", 1: "eve", 3: "dan"})
    assert nicknames(table) == {0: "ann", 1: "eve", 3: "dan"}
    taken = choose(TABLE, 0, "fay")
    taken = msgspec.structs.replace(taken, names={0: "ann", 1: "bob", 3: "fay"})
    assert nicknames(taken) == {0: "fay", 1: "bob", 3: "fay (3)"}


def test_only_seated_players_choose() -> None:
    """A seat that is not taken is refused, and between rounds no other action is known."""
    with pytest.raises(Refused) as refusal:
        GAME.between(RULES, TABLE, 2, actions.SetNickname("x"))
    assert refusal.value.reason == Reason.NOT_SEATED
    with pytest.raises(Refused) as refusal:
        GAME.between(RULES, TABLE, 1, actions.CallNickname(0))
    assert refusal.value.reason == Reason.ROUND_NOT_OPEN
