"""Hands that were run twice, in the formats of hand histories and in words [poker 0.16]."""

import msgspec
import pytest

from services.audit import recall, round_parts
from services.audit.handhistory import ohh, phh
from services.audit.handhistory.record import HandRecord, NotExportable
from services.fairness.scripted import Script
from services.rules import actions, cards, catalogue, personal
from services.rules.game import Table
from tests.audit.handhistory import test_exports
from tests.support import audit_rows, sittings
from tests.support.seeded import Seeded
from tests.support.sittings import Sitting

DECK = {
    "texas_holdem": "2c Ks As 2d Kd Ad 3h 7s 9c 4d 6h Kh 8s 8c Qd 5h",
    "omaha_hi_lo": "2c As Kd 2d 2s Kh 3c Qh 9c 3d Jd 9s Kc 4d 5c 8h 4h Qs Qc 3h Td 7c",
}
AGREE = actions.RunTwice()


def run_twice(game_id: str) -> Sitting:
    """Return a hand in which seat 1 folds and two seats, all-in before the flop, run it twice."""
    rules = msgspec.convert({"run_it": "twice", "betting": "no_limit"}, catalogue.game(game_id).rules_type)
    sitting = Sitting(game_id, rules, first_button=0)
    sitting.sit(dict.fromkeys(range(3), 100))
    dealt = tuple(cards.parse(DECK[game_id]))
    rest = tuple(card for card in cards.PACK_52 if card not in dealt)
    sitting.script(Script(stocks=(dealt + rest,)))
    sitting.start()
    for seat, action in ((0, actions.AllIn()), (1, actions.Fold()), (2, actions.Call()), (2, AGREE), (0, AGREE)):
        sitting.act(seat, action)
    sitting.settle()
    return sitting


POTS = {
    "en": [
        "seat 0 Player 0 has pair of aces (As Ad 9c 7s 6h); with the second board two pair, aces and eights",
        "main pot of 205, first board: seat 0 Player 0 wins with pair of aces (As Ad 9c 7s 6h); second board: seat 2",
        "; second board: seat 2 Player 2 wins with full house, kings over eights (Ks Kd Kh 8s 8c)",
    ],
    "zh-Hant": [
        "座位 0 Player 0 的牌型：一對A（As Ad 9c 7s 6h）；第二副公牌：二對A、8（As Ad 8s 8c Kh）",
        "主池 205，第一副公牌：座位 0 Player 0 以一對A（As Ad 9c 7s 6h）贏得；第二副公牌：座位 2 Player 2 以葫蘆，K帶8",
    ],
    "zh-Hans": [
        "座位 0 Player 0 的牌型：一对A（As Ad 9c 7s 6h）；第二副公牌：二对A、8（As Ad 8s 8c Kh）",
        "主池 205，第一副公牌：座位 0 Player 0 以一对A（As Ad 9c 7s 6h）赢得；第二副公牌：座位 2 Player 2 以葫芦，K带8",
    ],
}


@pytest.mark.parametrize("language", POTS)
def test_an_auditor_reads_who_won_which_board_with_what(language: str) -> None:
    """Each pot names the winner and the hand of either board."""
    [part] = audit_rows.rounds(run_twice("texas_holdem"))
    read = round_parts.read(sittings.AUDIT, part, b"", language, 10**6, personal.veiled)
    lines = "\n".join(line for one in read for line in one.words)
    assert [told for told in POTS[language] if told not in lines] == []


def test_halves_of_each_board_are_told() -> None:
    """In a high-low game each board's halves are named by themselves."""
    [part] = audit_rows.rounds(run_twice("omaha_hi_lo"))
    lines = "\n".join(step.words for step in recall.steps(sittings.AUDIT, part, 1, "en"))
    assert "main pot of 205, first board, high half: seat 0 Player 0 wins with full house, kings over fours" in lines
    assert "low half: seat 2 Player 2 wins with 8-5-4-2-A low" in lines
    assert "second board: seat 2 Player 2 wins with three queens" in lines


def test_the_log_of_two_boards_replays() -> None:
    """A hand with two boards is replayed to the same text."""
    for game_id in DECK:
        assert run_twice(game_id).again().differences == []


def record() -> HandRecord:
    """Return the record of a hand that was run twice behind the flop."""
    rules = test_exports.rules_of("texas_holdem", run_it="twice")
    flop = [
        (0, actions.Call()),
        (1, actions.Check()),
        (1, actions.AllIn()),
        (0, actions.Call()),
        (0, AGREE),
        (1, AGREE),
    ]
    moves = iter(flop)

    table = Table(chips={0: 90, 1: 90}, button=1)
    return test_exports.record_of("texas_holdem", rules, table, Seeded(4), lambda _: next(moves))


def test_open_hand_history_has_the_streets_of_both_boards() -> None:
    """The format has a flag for such hands; the second board's streets follow those of the first."""
    hand = ohh.document(record())["ohh"]
    assert hand["flags"] == ["Observed", "Run_It_Twice"]
    assert [one["street"] for one in hand["rounds"]] == [
        "Preflop",
        "Flop",
        "Turn",
        "River",
        "Turn",
        "River",
        "Showdown",
    ]
    assert [len(one.get("cards", ())) for one in hand["rounds"]] == [0, 3, 1, 1, 1, 1, 0]
    assert sum(win["win_amount"] for win in hand["pots"][0]["player_wins"]) == 180


def test_phh_cannot_say_that_a_board_was_run_twice() -> None:
    """The format has no notation for it, and the house writes no hand that a reader would play otherwise."""
    with pytest.raises(NotExportable, match="dealt twice"):
        phh.write(record())
