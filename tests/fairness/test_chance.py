"""The chance of a round: resumable, and no draw moved by another."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import chance, scripted, shuffle
from services.fairness.chance import RoundChance, SealedChance, Used
from services.fairness.scripted import Script, ScriptedChance
from services.rules import cards

SEED = bytes(range(32))
SCRIPT = Script(stocks=(("As",), ("Kd", "2c")), picks={"seat": (3, 1), "card": ("5h",)}, dice=((6, 2), (4,)))

uses = st.lists(st.sampled_from(["shuffle", "seat", "card", "dice"]), max_size=12)


def draw(source: RoundChance, use: str) -> object:
    """Draw once, as a game does."""
    if use == "shuffle":
        return source.shuffle(cards.PACK_52)
    if use == "dice":
        return source.dice(2)
    return source.pick(range(6) if use == "seat" else cards.PACK_52, use)


def resumed(source: RoundChance) -> RoundChance:
    """Go on from the stored counts alone."""
    used = msgspec.json.decode(msgspec.json.encode(source.used), type=Used)
    if isinstance(source, ScriptedChance):
        return ScriptedChance.resume(source.script, source.seed, used)
    return SealedChance.resume(source.seed, used)


@given(uses, st.data())
def test_a_round_can_be_resumed_anywhere(order: list[str], data: st.DataObject) -> None:
    """Chance that is stored and loaded between draws gives what chance in one piece gives [R27]."""
    is_scripted = data.draw(st.booleans())
    whole: RoundChance = ScriptedChance(SCRIPT, seed=SEED) if is_scripted else SealedChance(SEED)
    pieces = resumed(whole)
    for use in order:
        assert draw(pieces, use) == draw(whole, use)
        if data.draw(st.booleans()):
            pieces = resumed(pieces)
    assert pieces.used == whole.used


@given(uses)
def test_no_draw_depends_on_another_kind(order: list[str]) -> None:
    """The n-th draw of a kind is the same whatever else was drawn before it [R25]."""
    mixed = SealedChance(SEED)
    found = [(use, draw(mixed, use)) for use in order]
    for kind in set(order):
        alone = SealedChance(SEED)
        assert [value for use, value in found if use == kind] == [draw(alone, kind) for _ in range(order.count(kind))]


def test_shuffles_are_remembered_for_the_commitment() -> None:
    """Each shuffle since the object was made is listed with its stock's number, and a change by the game is not."""
    source = SealedChance(SEED, shuffles=2)
    first = source.shuffle(cards.PACK_52)
    second = source.shuffle(cards.PACK_54)
    order = list(first)
    first.reverse()
    assert source.made == [(2, order), (3, second)]
    assert order == shuffle.shuffle(SEED, 2, cards.PACK_52)
    script = ScriptedChance(SCRIPT, shuffles=1)
    scripted_order = script.shuffle(cards.PACK_52)
    assert script.made == [(1, scripted_order)]
    assert scripted_order[:2] == ["Kd", "2c"]


def test_scripts_play_as_written() -> None:
    """A script gives its cards on top and the rest in the pack's order, its picks and its throws, then the defaults."""
    source = ScriptedChance(SCRIPT)
    assert source.shuffle(("2c", "As", "Kd")) == ["As", "2c", "Kd"]
    assert source.shuffle(("2c", "As", "Kd")) == ["Kd", "2c", "As"]
    assert source.shuffle(("2c", "As", "Kd")) == ["2c", "As", "Kd"]
    assert [source.pick(range(4), "seat") for _ in range(3)] == [3, 1, 0]
    assert source.pick(("4h", "5h"), "card") == "5h"
    assert [source.dice(2), source.dice(1), source.dice(3)] == [(6, 2), (4,), (1, 1, 1)]
    with pytest.raises(scripted.ScriptError, match="As more often"):
        ScriptedChance(SCRIPT).shuffle(("2c",))
    with pytest.raises(scripted.ScriptError, match="picks 3"):
        ScriptedChance(SCRIPT).pick(range(3), "seat")


def test_dice_and_picks_are_fair() -> None:
    """Over many seeds each face and each option comes about equally often (chi-square below its 99.9 % point)."""
    faces: Counter[int] = Counter()
    seats: Counter[int] = Counter()
    for number in range(2000):
        source = SealedChance(number.to_bytes(32, "big"))
        faces.update(source.dice(3))
        seats[source.pick(range(6), "seat")] += 1
    for found, expected in ((faces, 1000), (seats, 2000 / 6)):
        assert sorted(found) in ([1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5])
        assert sum((count - expected) ** 2 / expected for count in found.values()) < 20.5


def test_draws_are_frozen() -> None:
    """The picks and dice of this seed never change: rounds of years ago must replay."""
    source = chance.SealedChance(SEED)
    assert [source.pick(range(10), "seat") for _ in range(6)] == [6, 5, 2, 5, 2, 4]
    assert source.pick(cards.PACK_52, "card") == "7d"
    assert [source.dice(3) for _ in range(3)] == [(6, 3, 1), (1, 4, 5), (3, 6, 5)]
