"""Descriptions of the house rules on missed blinds, the dead button and straddles [poker 0.13 to 0.15]."""

from typing import Annotated, Final

from services.rules.kinds import Choice
from services.rules.poker.keys import DEAD, NOTHING, POST
from services.rules.schema import Group, Rule
from services.rules.text import Text

WAIT: Final = "wait"
AS_MISSED: Final = "as_missed"
MOVING: Final = "moving"
OFF: Final = "off"
UNDER_THE_GUN: Final = "under_the_gun"

_DUTIES: Final = {
    NOTHING: Text("Nothing", "無須補下", "无须补下"),
    POST: Text("A post of the big blind", "補下一個大盲注", "补下一个大盲注"),
    WAIT: Text("Waits for the big blind", "等到大盲位再入局", "等到大盲位再入局"),
}

MissedBlinds = Annotated[
    str,
    Rule(
        label=Text("Missed blinds", "錯過的盲注", "错过的盲注"),
        help=Text(
            "What a seat does when it comes back after a round without it. With posts, a small blind that it missed is "
            "posted too, dead.",
            "上一局未參加的座位回到牌局時的處理方式。選擇補下時，錯過的小盲注亦以死盲補下。",
            "上一局未参加的座位回到牌局时的处理方式。选择补下时，错过的小盲注亦以死盲补下。",
        ),
        group=Group.PLAY,
        kind=Choice(labels=_DUTIES),
    ),
]
Newcomers = Annotated[
    str,
    Rule(
        label=Text("New players", "新入座玩家", "新入座玩家"),
        help=Text(
            "What a seat does in its first round, unless the table begins.",
            "新入座者首次參加牌局時的處理方式；牌桌第一局除外。",
            "新入座者首次参加牌局时的处理方式；牌桌第一局除外。",
        ),
        group=Group.PLAY,
        kind=Choice(labels={AS_MISSED: Text("As for missed blinds", "同錯過盲注", "同错过盲注"), **_DUTIES}),
    ),
]
Button = Annotated[
    str,
    Rule(
        label=Text("Dealer button", "莊家鈕", "庄家钮"),
        help=Text(
            "How the button moves: to the next player, or so that the big blind always moves to the next player.",
            "莊家鈕的移動方式：移到下一位玩家，或確保大盲注每局都由下一位玩家承擔。",
            "庄家钮的移动方式：移到下一位玩家，或确保大盲注每局都由下一位玩家承担。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                MOVING: Text("Moving: always at a player", "移動：必在玩家手上", "移动：必在玩家手上"),
                DEAD: Text("Dead: may stop at an empty seat", "死鈕：可停在空位", "死钮：可停在空位"),
            }
        ),
    ),
]
Straddle = Annotated[
    str,
    Rule(
        label=Text("Straddle", "抓頭（Straddle）", "抓头（Straddle）"),
        help=Text(
            "Whether the player left of the big blind may double it before the deal.",
            "大盲注左手邊的玩家可否在發牌前下兩倍大盲注。",
            "大盲注左手边的玩家可否在发牌前下两倍大盲注。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                OFF: Text("No straddle", "不可", "不可"),
                UNDER_THE_GUN: Text("One, under the gun", "槍口位一次", "枪口位一次"),
            }
        ),
    ),
]
