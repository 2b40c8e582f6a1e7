"""Hands whose result is known from elsewhere are reproduced to the chip by the engine."""

from pathlib import Path

import msgspec
import pytest

from services.cli.certify import hands, hands_rules_only
from services.cli.certify.cases import CaseError
from services.cli.certify.rules_only import Failed

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / "tests" / "cases" / "hands"
FILES = [path for folder in (OURS, ROOT / "tests" / "hands") for path in sorted(folder.glob("*.jsonl"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_hands_come_out_to_the_chip(path: Path) -> None:
    """Finishing stacks, uncalled chips, pots, winners, shares and legal amounts are those of the record."""
    played = 0
    for hand in hands.load(path):
        hands_rules_only.play(hand)
        played += 1
    assert played


def test_a_wrong_record_is_found() -> None:
    """A record with a chip moved, a wrong pot, an illegal action or a wrong amount fails with its name."""
    hand = next(iter(hands.load(OURS)))
    stacks = hand.finishing_stacks
    moved = (stacks[0] - 1, stacks[1] + 1, *stacks[2:])
    for wrong in (
        msgspec.structs.replace(hand, finishing_stacks=moved),
        msgspec.structs.replace(hand, uncalled=(hands.Returned(0, 1),)),
        msgspec.structs.replace(hand, actions=hand.actions[:-1]),
        msgspec.structs.replace(hand, actions=(hands.Decision(hand.actions[0].seat, 0, "check"), *hand.actions)),
        msgspec.structs.replace(hand, variant="solitaire"),
    ):
        with pytest.raises(Failed):
            hands_rules_only.play(wrong)


def test_a_line_that_is_no_hand_is_named(tmp_path: Path) -> None:
    """A broken line is reported with file and line number."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"variant": 1}\n')
    with pytest.raises(CaseError, match=r"broken\.jsonl:1"):
        list(hands.load(broken))


def test_forced_bets_that_the_house_cannot_make_are_named() -> None:
    """A hand whose small blind or post is above the big blind is reported before it is played."""
    hand = next(iter(hands.load(ROOT / "tests" / "hands" / "posts.jsonl")))
    for blinds, wrong in (((150, 100, 0, 0), "small blind is at least 1"), ((50, 100, 150, 0), "a post is at most")):
        with pytest.raises(Failed, match=wrong):
            hands_rules_only.play(msgspec.structs.replace(hand, blinds=blinds))


def test_the_words_of_a_bring_in_differ() -> None:
    """Records that call the bring-in a call and its completion a raise are played as those that name both."""
    for hand in hands.load(ROOT / "tests" / "hands" / "stud_bring_in_random.jsonl"):
        renamed = {"bring_in": "call", "complete": "raise", "bet": "raise"}
        decisions = [
            msgspec.structs.replace(one, action=renamed.get(one.action, one.action) if not one.street else one.action)
            for one in hand.actions
        ]
        hands_rules_only.play(msgspec.structs.replace(hand, actions=tuple(decisions)))
