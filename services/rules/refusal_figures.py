"""What a refusal tells besides its reason: the figures in its metadata, and the same in words for players.

A reason may have several sets of figures, the fuller first: a bet below a bound, or none of the values on offer.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from services.rules import field_bounds
from services.rules.refusals import Reason, Refused
from services.rules.text import Text

LEAST: Final = "least"
GREATEST: Final = "greatest"
"""The ends of the keys that bound a value: ``least`` alone, or ``FIELD_least``."""


class Figures(msgspec.Struct, frozen=True):
    """Keys of the metadata that a refusal has, and its text with their values in the places of ``{key}``."""

    keys: tuple[str, ...]
    text: Text | None = None


FIGURES: Final[Mapping[Reason, tuple[Figures, ...]]] = {
    Reason.OUT_OF_TURN: (
        Figures(
            ("turn",),
            Text(
                "It is not your turn; seat {turn} is to act.",
                "還沒輪到你，現在輪到座位 {turn}。",
                "还没轮到你，现在轮到座位 {turn}。",
            ),
        ),
    ),
    Reason.NOT_SEATED: (
        Figures(
            ("table_id",),
            Text("You have no seat at this table.", "你在這張桌沒有座位。", "你在这张桌没有座位。"),
        ),
        Figures(("seat",)),
    ),
    Reason.AMOUNT_OUT_OF_RANGE: (
        Figures(
            ("chips", "greatest_buy_in"),
            Text(
                "The seat holds {chips} in chips; the table's greatest buy-in is {greatest_buy_in}.",
                "座位上有 {chips} 籌碼，本桌買入上限為 {greatest_buy_in}。",
                "座位上有 {chips} 筹码，本桌买入上限为 {greatest_buy_in}。",
            ),
        ),
        Figures(
            ("greatest_buy_in",),
            Text(
                "The seat holds the table's greatest buy-in ({greatest_buy_in}).",
                "座位上的籌碼已達本桌買入上限（{greatest_buy_in}）。",
                "座位上的筹码已达本桌买入上限（{greatest_buy_in}）。",
            ),
        ),
        Figures(
            ("left_with", "least", "greatest", "minutes"),
            Text(
                "You left this table with {left_with} in chips: for the next {minutes} min you may return only with as"
                " much or more.",
                "你離開本桌時帶走 {left_with} 籌碼，{minutes} 分鐘內再入座至少須買入同額。",
                "你离开本桌时带走 {left_with} 筹码，{minutes} 分钟内再入座至少须买入同额。",
            ),
        ),
        Figures(
            ("least", "greatest"),
            Text(
                "The amount must be from {least} to {greatest}.",
                "金額須介於 {least} 與 {greatest} 之間。",
                "金额须介于 {least} 与 {greatest} 之间。",
            ),
        ),
        Figures(("least",), Text("The amount must be at least {least}.", "金額至少 {least}。", "金额至少 {least}。")),
        Figures(
            ("greatest",),
            Text("The amount may be at most {greatest}.", "金額最多 {greatest}。", "金额最多 {greatest}。"),
        ),
        Figures(("choices",), Text("Choose one of {choices}.", "請選擇：{choices}。", "请选择：{choices}。")),
    ),
    Reason.INSUFFICIENT_CHIPS: (
        Figures(
            ("chips", "needed"),
            Text(
                "That needs {needed} in chips; you have {chips}.",
                "需要 {needed} 籌碼，你有 {chips}。",
                "需要 {needed} 筹码，你有 {chips}。",
            ),
        ),
    ),
    Reason.INSUFFICIENT_FUNDS: (
        Figures(
            ("balance", "needed", "missing", "currency"),
            Text(
                "Your balance is {balance} {currency}; needed: {needed}, missing: {missing}.",
                "餘額 {balance} {currency}，需要 {needed}，還差 {missing}。",
                "余额 {balance} {currency}，需要 {needed}，还差 {missing}。",
            ),
        ),
    ),
    Reason.NOT_ENOUGH_SEATS: (
        Figures(
            ("seats", "needed", "chips"),
            Text(
                "Players needed for a round, each with {chips} in chips or more: {needed}; here now: {seats}.",
                "開局需要 {needed} 位持有 {chips} 籌碼以上的玩家，目前 {seats} 位。",
                "开局需要 {needed} 位持有 {chips} 筹码以上的玩家，目前 {seats} 位。",
            ),
        ),
        Figures(
            ("seats", "needed"),
            Text(
                "Players needed for a round: {needed}; here now: {seats}.",
                "開局需要 {needed} 位玩家，目前 {seats} 位。",
                "开局需要 {needed} 位玩家，目前 {seats} 位。",
            ),
        ),
    ),
    Reason.SEAT_TAKEN: (
        Figures(
            ("seat", "free_seats"),
            Text(
                "Seat {seat} is taken. Free: {free_seats}.",
                "座位 {seat} 已有人。空位：{free_seats}。",
                "座位 {seat} 已有人。空位：{free_seats}。",
            ),
        ),
    ),
    Reason.TABLE_FULL: (
        Figures(
            ("seats",),
            Text("Every seat is taken; seats in all: {seats}.", "{seats} 個座位已滿。", "{seats} 个座位已满。"),
        ),
        Figures(
            ("buy_in",),
            Text(
                "No open seat takes a buy-in of {buy_in} now.",
                "目前沒有接受 {buy_in} 籌碼的空位。",
                "目前没有接受 {buy_in} 筹码的空位。",
            ),
        ),
    ),
    Reason.ROUND_IN_PROGRESS: (
        Figures(
            ("round_number",),
            Text(
                "Round {round_number} is in progress; wait until it is settled.",
                "第 {round_number} 局進行中，請等待結算。",
                "第 {round_number} 局进行中，请等待结算。",
            ),
        ),
    ),
    Reason.MATCH_IN_PROGRESS: (
        Figures(
            ("match_round",),
            Text(
                "A match is being played here, now at round {match_round}; you can join when it is over.",
                "本桌的賽局正在第 {match_round} 局，結束後才能入座。",
                "本桌的赛局正在第 {match_round} 局，结束后才能入座。",
            ),
        ),
    ),
    Reason.SEAT_HELD: (
        Figures(
            ("until_ms", "left_ms", "place", "waiting"),
            Text(
                "The free seats are held for players who wait; waiting here: {waiting}.",
                "空位正為候補的玩家保留，目前有 {waiting} 人候補。",
                "空位正为候补的玩家保留，目前有 {waiting} 人候补。",
            ),
        ),
    ),
    Reason.LINE_FULL: (
        Figures(
            ("waiting", "most"),
            Text(
                "The waiting list is full; waiting here: {waiting}.",
                "已有 {waiting} 人候補，達到上限。",
                "已有 {waiting} 人候补，达到上限。",
            ),
        ),
    ),
    Reason.ROUND_STILL_OPEN: (
        Figures(
            ("round_number",),
            Text(
                "Round {round_number} has not ended yet.",
                "第 {round_number} 局尚未結束。",
                "第 {round_number} 局尚未结束。",
            ),
        ),
    ),
    Reason.STALE_VERSION: (Figures(("version",)),),
    Reason.SEEDS_CLOSED: (
        Figures(
            ("most",),
            Text(
                "Wait for the next round; seeds or actions for each seat: at most {most}.",
                "請等下一局：每個座位最多 {most} 次種子或操作。",
                "请等下一局：每个座位最多 {most} 次种子或操作。",
            ),
        ),
    ),
    Reason.WRONG_FAMILY: (Figures(("family",)),),
    Reason.LIMIT_REACHED: (
        Figures(
            ("limit", "left"),
            Text("A limit has been reached; left of it: {left}.", "已達上限，尚餘 {left}。", "已达上限，尚余 {left}。"),
        ),
        Figures(
            ("limit", "most"),
            Text("A limit has been reached: {most} at most.", "已達上限：最多 {most}。", "已达上限：最多 {most}。"),
        ),
    ),
    Reason.SWITCHED_OFF: (Figures(("scope",)),),
    Reason.EXCLUDED: (
        Figures(
            ("set_by", "until"),
            Text(
                "This player is excluded from play until {until}.",
                "此玩家在 {until} 前不得參與遊戲。",
                "此玩家在 {until} 前不得参与游戏。",
            ),
        ),
        Figures(
            ("set_by", "for_ever"), Text("This player is excluded from play.", "此玩家已被排除。", "此玩家已被排除。")
        ),
    ),
    Reason.TOO_MANY_REQUESTS: (
        Figures(
            ("retry_seconds",),
            Text(
                "Too many requests; try again in {retry_seconds} s.",
                "請求過多，請於 {retry_seconds} 秒後再試。",
                "请求过多，请于 {retry_seconds} 秒后再试。",
            ),
        ),
    ),
}
"""The figures of each reason that has some; a refusal has all keys of one of the sets."""


def lacking(reason: Reason, metadata: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of keys of which a refusal's metadata should have one and has none; empty where all is well."""
    known = FIGURES.get(reason, ())
    if not known or any(metadata.keys() >= set(one.keys) for one in known):
        return ()
    return tuple(one.keys for one in known)


def impossible(metadata: Mapping[str, str]) -> list[str]:
    """Return the keys of the metadata that bound a value from below, above its greatest one: no value would be right.

    >>> impossible({"least": "1", "greatest": "0", "amount_least": "1", "amount_greatest": "9"})
    ['least']
    """
    ranges = ((key, f"{key[: -len(LEAST)]}{GREATEST}") for key in metadata if key.endswith(LEAST))
    return [
        key for key, greatest in ranges if greatest in metadata and float(metadata[key]) > float(metadata[greatest])
    ]


def text(refusal: Refused) -> Text | None:
    """Return a refusal's text with its figures; None where it has none."""
    for one in FIGURES.get(refusal.reason, ()):
        if one.text is not None and refusal.metadata.keys() >= set(one.keys):
            return one.text.filled(**{key: field_bounds.readable(key, refusal.metadata[key]) for key in one.keys})
    return None
