"""Who comes and goes, in a round's narrative and in the event stream, in three languages."""

import re
from random import Random

import pytest

from services.audit import recall, round_parts
from services.audit.narrative import Narrator
from services.contract import comings, wire_events
from services.rules import house_players, personal
from services.rules.refusals import Reason
from services.table import codec, entry_events, events, money, top_up, waiting_line
from services.table.records import Reservation
from tests.support import audit_rows, sittings
from tests.support.nights import Night
from tests.support.sittings import Sitting

GAME = "tongbi_san_gong"
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
KINDS = (
    events.SeatTaken,
    events.ChipsAdded,
    events.TopUpSet,
    events.TopUpFailed,
    events.LeaveAsked,
    events.SeatLeft,
    events.SatOut,
    events.SatIn,
    events.RemovedForAbsence,
    events.WaitingJoined,
    events.WaitingLeft,
    events.WaitingEnded,
    entry_events.SeatReserved,
    entry_events.ReservationReleased,
    entry_events.ReservationsEnded,
    events.TableClosed,
)
PRIVATE = (events.TopUpSet, events.TopUpFailed)
TOLD = {
    "en": """
        bot (house player) takes seat 2 with 300 in chips
        Player 0 adds 40 in chips
        Player 1 is topped up to 700 in chips before each round
        Player 0 sits out from the next round on
        Player 0 is back and is dealt in from the next round on
        A player joins the waiting list
        Player 1 leaves after this round
        A player leaves the waiting list
        Player 1 leaves with 500 in chips
        Player 0 is topped up to 900 in chips before each round
        Player 0 could not be topped up: Your balance is too low.
        Seat 4 is reserved for a player
        Seat 4 is reserved no longer
        The table is closed: the night is over
        Player 0 leaves with 540 in chips
        bot leaves with 300 in chips
    """,
    "zh-Hant": """
        bot（電腦玩家） 入座 2 號位，帶入籌碼 300
        Player 0 加入籌碼 40
        Player 1 設定每局開始前自動補足至 700
        Player 0 自下一局起暫時離座
        Player 0 回座，自下一局起參與
        有玩家加入候補名單
        Player 1 將於本局結束後離開
        有玩家退出候補名單
        Player 1 離開，取回籌碼 500
        Player 0 設定每局開始前自動補足至 900
        Player 0 未能自動補籌碼：餘額不足。
        座位 4 已為玩家預留
        座位 4 不再預留
        本桌已關閉：the night is over
        Player 0 離開，取回籌碼 540
        bot 離開，取回籌碼 300
    """,
    "zh-Hans": """
        bot（电脑玩家） 入座 2 号位，带入筹码 300
        Player 0 加入筹码 40
        Player 1 设定每局开始前自动补足至 700
        Player 0 自下一局起暂时离座
        Player 0 回座，自下一局起参与
        有玩家加入候补名单
        Player 1 将于本局结束后离开
        有玩家退出候补名单
        Player 1 离开，取回筹码 500
        Player 0 设定每局开始前自动补足至 900
        Player 0 未能自动补筹码：余额不足。
        座位 4 已为玩家预留
        座位 4 不再预留
        本桌已关闭：the night is over
        Player 0 离开，取回筹码 540
        bot 离开，取回筹码 300
    """,
}


def busy_round() -> Sitting:
    """Return a round at which people come and go, that is voided, and what comes after it."""
    sitting = Sitting(GAME)
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    core, bot = sitting.table.core, f"{house_players.PREFIX}one"
    seat = money.choose_seat(core, player=bot, name="bot", test=True, seat=2, buy_in=300)
    sitting.take([events.SeatTaken(at_ms=sitting.tick(), seat=seat)])
    sitting.add(0, 40)
    sitting.take(top_up.set_level(core, 1, 700, sitting.tick()))
    sitting.sit_out(0)
    sitting.sit_in(0)
    now = sitting.tick()
    sitting.take(waiting_line.join(core, "ann", now, now + waiting_line.WAIT_MS))
    sitting.leave(1)
    sitting.take(waiting_line.leave(core, "ann", sitting.tick()))
    sitting.void()
    sitting.take(top_up.set_level(core, 0, 900, sitting.tick()))
    sitting.take([events.TopUpFailed(at_ms=sitting.tick(), seat=0, reason=Reason.INSUFFICIENT_FUNDS.value)])
    kept = Reservation(seat=4, player="ann", until_ms=sitting.now + 60_000)
    sitting.take([entry_events.SeatReserved(at_ms=sitting.tick(), reservation=kept)])
    sitting.take([entry_events.ReservationReleased(at_ms=sitting.tick(), seat=4)])
    sitting.close()
    return sitting


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_auditor_reads_who_came_and_went(language: str) -> None:
    """Each event is one sentence, with names, chips and reasons, and a house player is marked as one."""
    [part] = audit_rows.rounds(busy_round())
    read = round_parts.read(sittings.AUDIT, part, b"", language, 10**6, personal.veiled)
    lines = [line for one in read for line in one.words]
    wanted = [line.strip() for line in TOLD[language].strip().splitlines()]
    assert [line for line in lines if line in wanted] == wanted


def test_a_player_reads_nothing_of_the_top_ups_of_others() -> None:
    """A recalled round tells who came and went in it, but no level of anybody."""
    [part] = audit_rows.rounds(busy_round())
    lines = "\n".join(step.words for step in recall.steps(sittings.AUDIT, part, 0, "en"))
    assert "bot (house player) takes seat 2 with 300 in chips" in lines
    assert "topped up" not in lines


def test_chips_that_the_house_adds_before_a_round_are_told_as_a_top_up() -> None:
    """What settlement adds while it clears the seats is no wish of the player at that moment."""
    told = comings.told(events.ChipsAdded(at_ms=1, seat=3, chips=1200), lambda _: "ann", automatic=True)
    assert told is not None
    assert (told.en, told.zh_hant, told.zh_hans) == (
        "ann is topped up by 1,200 in chips",
        "ann 自動補入籌碼 1,200",
        "ann 自动补入筹码 1,200",
    )


def test_namesakes_stay_apart_and_two_waits_end_in_one_sentence() -> None:
    """A second ann gets the tag of her seat, and several waits are counted."""
    sitting = Sitting(GAME)
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    narrator = Narrator("en", every_hand=True)
    lines = list(narrator.event(sitting.log[-1]))
    seat = money.choose_seat(sitting.table.core, player="x", name="Player 1", test=True, seat=2, buy_in=5)
    lines = list(narrator.event(events.SeatTaken(at_ms=1, seat=seat)))
    assert lines == ["Player 1·#2 takes seat 2 with 5 in chips"]
    assert list(narrator.event(events.WaitingEnded(at_ms=1, players=("a", "b")))) == [
        "The time of 2 players on the waiting list is over"
    ]


@pytest.mark.parametrize("game", ["texas_holdem", "war", "blackjack", "spoil_five", "dou_dizhu", GAME])
def test_every_event_of_a_night_is_told_where_somebody_comes_or_goes(game: str) -> None:
    """The stream has a text in three languages and the chips that move; nobody reads of another's top-ups there."""
    night = Night(game, Random(f"{game} comings"))
    for _ in range(150):
        night.step()
    for version, event in enumerate(night.sitting.log, start=1):
        shown = wire_events.event(version, codec.name(event), event, night.sitting.game.family)
        is_told = isinstance(event, KINDS) and not isinstance(event, PRIVATE)
        assert shown.HasField("text") == is_told
        for text in (shown.text.en, shown.text.zh_hant, shown.text.zh_hans):
            assert bool(text) == is_told
            assert not re.search(r"[{}]|guest", text)
        moved = event.seat.chips if isinstance(event, events.SeatTaken) else getattr(event, "chips", 0)
        assert shown.chips == moved
    for part in audit_rows.rounds(night.sitting):
        for language in LANGUAGES:
            assert not [line for line in Narrator(language, every_hand=True).round(part) if re.search(r"[{}]", line)]


def test_a_close_in_the_stream_shows_no_text_of_a_player() -> None:
    """The reason of a close may be sealed: it stands in its own field, where it can be erased."""
    closed = events.TableClosed(at_ms=1, reason="sealed:reason:ab:cd", closed_by="ann", shares={})
    assert wire_events.event(1, "TableClosed", closed, "showdown").text.en == "The table is closed"
