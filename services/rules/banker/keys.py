"""Descriptions of the house rules of games with a bank [banker "Common"]."""

from typing import Annotated

from services.rules.kinds import MOST_FACTOR, Choice, Flag, Integer, Number
from services.rules.schema import Group, Rule, Unit
from services.rules.text import Text

Banker = Annotated[
    str,
    Rule(
        label=Text("Who banks", "莊家", "庄家"),
        help=Text(
            "Who takes the bets and pays the wins. A seat that banks needs one more seat.",
            "由誰收注與賠付。由玩家坐莊時需多一個座位。",
            "由谁收注与赔付。由玩家坐庄时需多一个座位。",
        ),
        group=Group.BANK,
        kind=Choice(
            labels={
                "house": Text("The house", "系統坐莊", "系统坐庄"),
                "seat": Text("A player", "玩家坐莊", "玩家坐庄"),
            }
        ),
    ),
]
BankerRounds = Annotated[
    int,
    Rule(
        label=Text("Rounds with the same bank", "連莊局數", "连庄局数"),
        help=Text(
            "After so many rounds the bank moves on to the left, where a player banks.",
            "玩家坐莊時，每隔此局數由左手邊接莊。",
            "玩家坐庄时，每隔此局数由左手边接庄。",
        ),
        group=Group.BANK,
        unit=Unit.ROUNDS,
        kind=Integer(least=1),
    ),
]
Cover = Annotated[
    int,
    Rule(
        label=Text("Chips behind a bet", "下注保證倍數", "下注保证倍数"),
        help=Text(
            "A seat must hold so many times its bet, since it may lose more than the bet.",
            "玩家持有的籌碼須為下注額的此倍數，因為可能輸超過注額。",
            "玩家持有的筹码须为下注额的此倍数，因为可能输超过注额。",
        ),
        group=Group.STAKES,
        unit=Unit.MULTIPLE,
        kind=Integer(least=1, greatest=MOST_FACTOR),
    ),
]
BetWhen = Annotated[
    str,
    Rule(
        label=Text("When bets are made", "下注時機", "下注时机"),
        help=Text(
            "Whether players see their first cards before they bet.",
            "玩家下注前是否先看到自己的牌。",
            "玩家下注前是否先看到自己的牌。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "after_cards": Text("After the first cards", "看牌後下注", "看牌后下注"),
                "before_deal": Text("Before the deal", "發牌前下注", "发牌前下注"),
            }
        ),
    ),
]
NaturalPays = Annotated[
    str,
    Rule(
        label=Text("A natural pays", "黑傑克賠率", "黑杰克赔率"),
        help=Text(
            "What an ace and a ten-card as the first two cards pay.",
            "首兩張為 A 與十點牌時的賠率。",
            "首两张为 A 与十点牌时的赔率。",
        ),
        group=Group.PAYS,
        kind=Choice(
            labels={
                "1:1": Text("1 to 1, as any 21", "1 賠 1，與一般 21 點相同", "1 赔 1，与一般 21 点相同"),
                "3:2": Text("3 to 2", "2 賠 3", "2 赔 3"),
            }
        ),
    ),
]
NaturalsEnd = Annotated[
    bool,
    Rule(
        label=Text("Naturals end the drawing", "天牌不補牌", "天牌不补牌"),
        help=Text(
            "Nobody draws where the banker's first two cards make 8 or 9.",
            "莊家首兩張為 8 或 9 點時，各家都不補牌。",
            "庄家首两张为 8 或 9 点时，各家都不补牌。",
        ),
        group=Group.PLAY,
        kind=Flag(),
    ),
]
BankerStandsOn = Annotated[
    int | float,
    Rule(
        label=Text("The house stands on", "系統停牌點數", "系统停牌点数"),
        help=Text(
            "The house draws below this total; half points are possible.",
            "系統坐莊時，低於此點數即補牌；可用半點。",
            "系统坐庄时，低于此点数即补牌；可用半点。",
        ),
        group=Group.PLAY,
        unit=Unit.POINTS,
        kind=Number(least=0.5, greatest=10.5, step=0.5),
    ),
]
BankMode = Annotated[
    str,
    Rule(
        label=Text("How the bank is given", "上莊方式", "上庄方式"),
        help=Text("How a player becomes the banker of a round.", "玩家如何成為莊家。", "玩家如何成为庄家。"),
        group=Group.BANK,
        kind=Choice(
            labels={
                "grab": Text("All may grab it", "搶莊", "抢庄"),
                "rotate": Text("It is offered from seat to seat", "輪莊", "轮庄"),
            }
        ),
    ),
]
PreviewCards = Annotated[
    int | None,
    Rule(
        label=Text("Cards seen before the bank", "搶莊前看牌", "抢庄前看牌"),
        help=Text(
            "How many own cards a player sees before bidding for the bank.",
            "玩家決定是否上莊前可看到的自己的牌數。",
            "玩家决定是否上庄前可看到的自己的牌数。",
        ),
        group=Group.BANK,
        unit=Unit.CARDS,
        kind=Integer(least=0, greatest=2),
        absent=Text("2 where the bank is grabbed, else 0", "搶莊時 2 張，否則 0 張", "抢庄时 2 张，否则 0 张"),
    ),
]
TieRule = Annotated[
    str,
    Rule(
        label=Text("Equal points", "同點比法", "同点比法"),
        help=Text(
            "What decides between hands of equal points.", "點數相同時如何分出大小。", "点数相同时如何分出大小。"
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "points_then_courts": Text("More court cards win", "公牌多者大", "公牌多者大"),
                "points": Text("Nothing: a tie", "不再比較，視為和局", "不再比较，视为和局"),
            }
        ),
    ),
]
SanGongHand = Annotated[
    str,
    Rule(
        label=Text("The san gong bet wins with", "三公注的贏法", "三公注的赢法"),
        help=Text(
            "Whose three court cards win a bet on san gong.",
            "押三公時，哪一家的三公算贏。",
            "押三公时，哪一家的三公算赢。",
        ),
        group=Group.PAYS,
        kind=Choice(
            labels={
                "player": Text("The player's hand", "閒家的牌", "闲家的牌"),
                "either": Text("Either hand", "任一家的牌", "任一家的牌"),
            }
        ),
    ),
]
WhiteSingle = Annotated[
    str,
    Rule(
        label=Text("A single white tile counts", "單張白板", "单张白板"),
        help=Text("What one white tile adds to a total.", "一張白板算幾點。", "一张白板算几点。"),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "half": Text("Half a point", "半點", "半点"),
                "zero": Text("Nothing", "零點", "零点"),
            }
        ),
    ),
]
EqualHands = Annotated[
    str,
    Rule(
        label=Text("Equal hands", "牌型相同", "牌型相同"),
        help=Text(
            "Who wins where a player's and the banker's hands are equal.",
            "閒家與莊家牌型完全相同時誰贏。",
            "闲家与庄家牌型完全相同时谁赢。",
        ),
        group=Group.PLAY,
        kind=Choice(
            labels={
                "push": Text("Nobody: the bet is returned", "和局，退回注金", "和局，退回注金"),
                "banker": Text("The banker", "莊家贏", "庄家赢"),
            }
        ),
    ),
]
Ace = Annotated[
    str,
    Rule(
        label=Text("The ace is", "A 的大小", "A 的大小"),
        help=Text(
            "Whether an ace ranks below the two or above the king.",
            "A 小於 2，或大於 K。",
            "A 小于 2，或大于 K。",
        ),
        group=Group.PLAY,
        kind=Choice(labels={"low": Text("Low", "最小", "最小"), "high": Text("High", "最大", "最大")}),
    ),
]
MinBonus = Annotated[
    int,
    Rule(
        label=Text("Least bonus bet", "最低紅利注", "最低红利注"),
        help=Text(
            "The least chips of a bonus bet beside the ante.", "底注旁紅利注的最低籌碼。", "底注旁红利注的最低筹码。"
        ),
        group=Group.STAKES,
        unit=Unit.CHIPS,
        kind=Integer(least=1),
    ),
]
CallMultiple = Annotated[
    int,
    Rule(
        label=Text("A call costs", "跟注倍數", "跟注倍数"),
        help=Text("How many times the ante a call adds.", "跟注為底注的幾倍。", "跟注为底注的几倍。"),
        group=Group.STAKES,
        unit=Unit.MULTIPLE,
        kind=Integer(least=2, greatest=2),
    ),
]
Decks = Annotated[
    int,
    Rule(
        label=Text("Decks", "牌副數", "牌副数"),
        help=Text(
            "So many packs of 52 cards are shuffled together for each round.",
            "每局以此數量的 52 張牌混洗。",
            "每局以此数量的 52 张牌混洗。",
        ),
        group=Group.PLAY,
        kind=Integer(least=1, greatest=8),
    ),
]
WarTie = Annotated[
    str,
    Rule(
        label=Text("Second tie in a war", "戰爭再平手", "战争再平手"),
        help=Text(
            "What a seat wins whose card equals the banker's again after going to war.",
            "戰爭後再次與莊家同點時的賠付。",
            "战争后再次与庄家同点时的赔付。",
        ),
        group=Group.PAYS,
        kind=Choice(
            labels={
                "raise": Text("The raise pays 1:1", "加注 1 賠 1", "加注 1 赔 1"),
                "bonus": Text("Ante and raise pay 1:1", "底注與加注皆 1 賠 1", "底注与加注皆 1 赔 1"),
            }
        ),
    ),
]
