"""Rounds in words, in three languages, and rounds as a player saw them."""

import re

import pytest
from google.protobuf import json_format

from services.audit import recall, round_parts
from services.audit.narrative import Narrator
from services.contract import wire_tables
from services.fairness.scripted import Script
from services.rules import actions, cards, catalogue, personal
from services.table import events
from services.table.differences import plain
from services.table.replay import Replay
from tests.properties.test_hidden import cards_in
from tests.support import audit_rows, sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
LANGUAGES = ("en", "zh-Hant", "zh-Hans")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_told_in_every_language(game: str, language: str) -> None:
    """The narrative holds names, cards and results, without placeholders and empty lines."""
    sitting = sittings.random_sitting(game, "words")
    for part in audit_rows.rounds(sitting):
        lines = list(Narrator(language).round(part))
        assert catalogue.game(game).name.within(language) in lines[0]
        assert not [line for line in lines if not line.strip() or re.search(r"\{\w*\}", line)]
        settled = [line for line in lines if re.search(r"Player \d+", line)]
        assert settled


@pytest.mark.parametrize("game", GAMES)
def test_a_story_tells_only_cards_that_the_table_showed(game: str) -> None:
    """Every card in the narrative was public in the log: dealt or shown face up, or played openly."""
    sitting = sittings.random_sitting(game, "told", rounds=1)
    for part, language in zip(audit_rows.rounds(sitting), LANGUAGES, strict=False):
        public = {
            card
            for event in sitting.log
            if not isinstance(event, events.TableOpened)
            for card in cards_in(plain(event))
        }
        for line in Narrator(language).round(part):
            told = {word for word in re.findall(r"\b(?:[2-9TJQKA][shdc]|1t|2t)\b", line) if cards.is_card(word)}
            assert told <= public, line


def test_sealed_arguments_and_void_rounds_are_told_as_such() -> None:
    """Discards stay sealed in the narrative; a void's line holds the reason and the return of all stakes."""
    sitting = sittings.random_sitting("five_card_draw", "sealed", rounds=2)
    lines = [line for part in audit_rows.rounds(sitting) for line in Narrator("en").round(part)]
    assert any("(sealed)" in line for line in lines)
    voided = Sitting("tongbi_san_gong")
    voided.sit({0: 500, 1: 500})
    voided.start()
    voided.void("a torn card")
    for language, word in (("en", "all stakes are back"), ("zh-Hant", "作廢"), ("zh-Hans", "作废")):
        last = list(Narrator(language).round(audit_rows.rounds(voided)[0]))[-1]
        assert word in last
        assert "a torn card" in last


@pytest.mark.parametrize("game", GAMES)
def test_a_recalled_round_shows_each_seat_its_own_view_at_every_step(game: str) -> None:
    """A recall is marked as a replay, and each step equals the seat's view at the time."""
    sitting = sittings.random_sitting(game, "recalled", rounds=1)
    [part] = audit_rows.rounds(sitting)
    started = sitting.log[part[0].version - 1]
    assert isinstance(started, events.RoundStarted)
    for seat in list(started.carry)[:3]:
        shown = list(recall.steps(sittings.AUDIT, part, seat, "en"))
        assert [step.version for step in shown] == [row.version for row in part]
        again = Replay(sitting.table_id, sitting.opener, compare=False)
        for row, step in zip(part, shown, strict=True):
            again.take(row.version, sitting.log[row.version - 1])
            assert again.table is not None
            seen = json_format.MessageToDict(wire_tables.view(again.table, seat), preserving_proto_field_name=True)
            assert set(cards_in(json_format.MessageToDict(step.view))) == set(cards_in(seen))
            assert json_format.MessageToDict(step.view).keys() == seen.keys()


def _hand_of_poker() -> Sitting:
    """Return a hand of hold'em with a fold, a main pot, a side pot and a showdown."""
    sitting = Sitting("texas_holdem", first_button=0)
    sitting.sit({0: 100, 1: 300, 2: 300, 3: 50})
    dealt = cards.parse("Qs 7c 4h Ks Qd 2d 6s Kd 5h 5c 9s 3d 8h")
    sitting.script(Script(stocks=(tuple(dealt) + tuple(card for card in cards.PACK_52 if card not in dealt),)))
    sitting.start()
    for seat, action in ((3, actions.Fold()), (0, actions.AllIn()), (1, actions.AllIn()), (2, actions.Call())):
        sitting.act(seat, action)
    sitting.settle()
    return sitting


POTS = {
    "en": (
        "seat 0 Player 0 has two pair, kings and fives (Ks Kd 5h 5c 9s)",
        "main pot of 300: seat 0 Player 0 wins with two pair, kings and fives (Ks Kd 5h 5c 9s)",
        "side pot 1 of 400: seat 1 Player 1 wins with two pair, queens and fives (Qs Qd 5h 5c 9s)",
        "seat 0 Player 0: Ks Kd, 100 → 300 (+200)",
        "seat 3 Player 3: 4h 6s, 50 → 50 (+0)",
    ),
    "zh-Hant": (
        "座位 0 Player 0 的牌型：二對K、5（Ks Kd 5h 5c 9s）",
        "主池 300：座位 0 Player 0 以二對K、5（Ks Kd 5h 5c 9s）贏得",
        "邊池 1 400：座位 1 Player 1 以二對Q、5（Qs Qd 5h 5c 9s）贏得",
        "座位 0 Player 0：Ks Kd, 100 → 300（+200）",
        "座位 3 Player 3：4h 6s, 50 → 50（+0）",
    ),
    "zh-Hans": (
        "座位 0 Player 0 的牌型：二对K、5（Ks Kd 5h 5c 9s）",
        "主池 300：座位 0 Player 0 以二对K、5（Ks Kd 5h 5c 9s）赢得",
        "边池 1 400：座位 1 Player 1 以二对Q、5（Qs Qd 5h 5c 9s）赢得",
        "座位 0 Player 0：Ks Kd, 100 → 300（+200）",
        "座位 3 Player 3：4h 6s, 50 → 50（+0）",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_auditor_reads_who_won_which_pot_with_what(language: str) -> None:
    """Pots are numbered and name seat, hand and best five; a table holds each seat's cards, folded ones too."""
    [part] = audit_rows.rounds(_hand_of_poker())
    read = round_parts.read(sittings.AUDIT, part, b"", language, 10**6, personal.veiled)
    lines = [line for one in read for line in one.words]
    assert not set(POTS[language]) - set(lines)


def test_a_player_reads_no_hand_that_was_folded() -> None:
    """A recalled round describes the hands that were shown, and no card of a seat that folded."""
    [part] = audit_rows.rounds(_hand_of_poker())
    lines = "\n".join(step.words for step in recall.steps(sittings.AUDIT, part, 0, "en"))
    assert POTS["en"][1] in lines
    assert "seat 3 Player 3: 50 → 50 (+0)" in lines
    assert "4h" not in lines
