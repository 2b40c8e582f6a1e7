"""Who comes to a table and goes, in words: seats, chips, pauses, the waiting line, reservations and the table's close.

The same sentences stand in a round's narrative, where people have names, and in the event stream, where seats are named
by their numbers: a player may be erased, and a sentence that was sent cannot.
"""

from collections.abc import Callable
from typing import Any, Final

from services.rules.refusals import Reason
from services.rules.text import Text
from services.runtime import wordings
from services.table import entry_events, events, idle
from services.table.events import Event

SEAT: Final = Text("Seat {seat}", "座位 {seat}", "座位 {seat}")
TAKEN: Final = Text(
    "{who} takes seat {seat} with {chips:,} in chips",
    "{who} 入座 {seat} 號位，帶入籌碼 {chips:,}",
    "{who} 入座 {seat} 号位，带入筹码 {chips:,}",
)
SEAT_TAKEN: Final = Text(
    "Seat {seat} is taken with {chips:,} in chips",
    "座位 {seat} 有玩家入座，帶入籌碼 {chips:,}",
    "座位 {seat} 有玩家入座，带入筹码 {chips:,}",
)
ADDED: Final = Text("{who} adds {chips:,} in chips", "{who} 加入籌碼 {chips:,}", "{who} 加入筹码 {chips:,}")
TOPPED_UP: Final = Text(
    "{who} is topped up by {chips:,} in chips", "{who} 自動補入籌碼 {chips:,}", "{who} 自动补入筹码 {chips:,}"
)
TOP_UP_SET: Final = Text(
    "{who} is topped up to {chips:,} in chips before each round",
    "{who} 設定每局開始前自動補足至 {chips:,}",
    "{who} 设定每局开始前自动补足至 {chips:,}",
)
TOP_UP_OFF: Final = Text("{who} is topped up no longer", "{who} 取消自動補籌碼", "{who} 取消自动补筹码")
TOP_UP_FAILED: Final = Text(
    "{who} could not be topped up: {reason}", "{who} 未能自動補籌碼：{reason}", "{who} 未能自动补筹码：{reason}"
)
LEAVES_LATER: Final = Text("{who} leaves after this round", "{who} 將於本局結束後離開", "{who} 将于本局结束后离开")
LEFT: Final = Text(
    "{who} leaves with {chips:,} in chips", "{who} 離開，取回籌碼 {chips:,}", "{who} 离开，取回筹码 {chips:,}"
)
SAT_OUT: Final = Text("{who} sits out from the next round on", "{who} 自下一局起暫時離座", "{who} 自下一局起暂时离座")
SAT_OUT_BY_CLOCK: Final = Text(
    "{who} sits out: the time ran out for two decisions in a row",
    "{who} 連續兩次逾時，暫時離座",
    "{who} 连续两次超时，暂时离座",
)
SAT_IN: Final = Text(
    "{who} is back and is dealt in from the next round on", "{who} 回座，自下一局起參與", "{who} 回座，自下一局起参与"
)
REMOVED: Final = Text(
    "{who} was away for too long and is cashed out with {chips:,} in chips",
    "{who} 離座過久，座位收回，退還籌碼 {chips:,}",
    "{who} 离座过久，座位收回，退还筹码 {chips:,}",
)
WAITS: Final = Text("A player joins the waiting list", "有玩家加入候補名單", "有玩家加入候补名单")
WAITS_NO_LONGER: Final = Text("A player leaves the waiting list", "有玩家退出候補名單", "有玩家退出候补名单")
WAIT_OVER: Final = Text("A player's time on the waiting list is over", "有玩家的候補時間已到", "有玩家的候补时间已到")
WAITS_OVER: Final = Text(
    "The time of {count} players on the waiting list is over",
    "有 {count} 位玩家的候補時間已到",
    "有 {count} 位玩家的候补时间已到",
)
RESERVED: Final = Text("Seat {seat} is reserved for a player", "座位 {seat} 已為玩家預留", "座位 {seat} 已为玩家预留")
RELEASED: Final = Text("Seat {seat} is reserved no longer", "座位 {seat} 不再預留", "座位 {seat} 不再预留")
RESERVATIONS_OVER: Final = Text(
    "Not taken in time, and reserved no longer: seat {seats}",
    "未及時入座，不再預留：座位 {seats}",
    "未及时入座，不再预留：座位 {seats}",
)
CLOSED_NOW: Final = Text("The table is closed", "本桌已關閉", "本桌已关闭")
CLOSED: Final = Text("The table is closed: {reason}", "本桌已關閉：{reason}", "本桌已关闭：{reason}")

Who = Callable[[int], Text | str]
"""Returns what a seat is called; a name is the same in each language."""


def by_number(seat: int) -> Text:
    """Return what a seat is called where nobody's name is shown."""
    return SEAT.filled(seat=seat)


def of_everybody(event: Event) -> Text | None:
    """Return what everybody at a table may read of an event; None where nobody comes or goes."""
    if isinstance(event, events.TopUpSet | events.TopUpFailed):
        return None  # a player's own affair
    if isinstance(event, events.SeatTaken):
        return SEAT_TAKEN.filled(seat=event.seat.seat, chips=event.seat.chips)
    if isinstance(event, events.TableClosed) and not idle.is_own(event):
        return CLOSED_NOW  # the reason may be a player's text
    return told(event, by_number)


def told(event: Event, who: Who, *, automatic: bool = False, reason: str = "") -> Text | None:
    """Return an event in words; None where nobody comes or goes.

    ``automatic``: chips were added by a top-up before a round. ``reason``: that of a close, opened where it was sealed.
    """
    found = _TOLD.get(type(event))
    if found is None:
        return None
    sentence, values = found(event)
    if automatic and sentence is ADDED:
        sentence = TOPPED_UP
    if sentence is CLOSED and reason and not idle.is_own(event):
        values = {"reason": reason}
    seat = event.seat.seat if isinstance(event, events.SeatTaken) else getattr(event, "seat", None)
    return _said(sentence, who="" if seat is None else who(seat), **values)


def _said(sentence: Text, **values: object) -> Text:
    """Return a sentence with its values, texts among them in its own language."""

    def within(language: str) -> str:
        given = {name: one.within(language) if isinstance(one, Text) else one for name, one in values.items()}
        return sentence.within(language).format_map(given)

    return Text(within("en"), within("zh-Hant"), within("zh-Hans"))


Said = tuple[Text, dict[str, object]]


def cause(reason: str) -> Text:
    """Return a reason of the closed list in words; one that is no longer in the list as it was recorded."""
    return wordings.TEXTS[Reason(reason)] if reason in set(Reason) else Text(reason, reason, reason)


def _waits_over(event: events.WaitingEnded) -> Said:
    count = len(event.players)
    return (WAIT_OVER if count == 1 else WAITS_OVER), {"count": count}


def _closed(event: events.TableClosed) -> Said:
    return CLOSED, {"reason": idle.REASON if idle.is_own(event) else event.reason}


_TOLD: Final[dict[type[Event], Callable[[Any], Said]]] = {
    events.SeatTaken: lambda e: (TAKEN, {"seat": e.seat.seat, "chips": e.seat.chips}),
    events.ChipsAdded: lambda e: (ADDED, {"chips": e.chips}),
    events.TopUpSet: lambda e: (TOP_UP_SET if e.level else TOP_UP_OFF, {"chips": e.level}),
    events.TopUpFailed: lambda e: (TOP_UP_FAILED, {"reason": cause(e.reason)}),
    events.LeaveAsked: lambda _: (LEAVES_LATER, {}),
    events.SeatLeft: lambda e: (LEFT, {"chips": e.chips}),
    events.SatOut: lambda e: (SAT_OUT_BY_CLOCK if e.by_clock else SAT_OUT, {}),
    events.SatIn: lambda _: (SAT_IN, {}),
    events.RemovedForAbsence: lambda e: (REMOVED, {"chips": e.chips}),
    events.WaitingJoined: lambda _: (WAITS, {}),
    events.WaitingLeft: lambda _: (WAITS_NO_LONGER, {}),
    events.WaitingEnded: _waits_over,
    entry_events.SeatReserved: lambda e: (RESERVED, {"seat": e.reservation.seat}),
    entry_events.ReservationReleased: lambda e: (RELEASED, {"seat": e.seat}),
    entry_events.ReservationsEnded: lambda e: (RESERVATIONS_OVER, {"seats": ", ".join(map(str, e.seats))}),
    events.TableClosed: _closed,
}
