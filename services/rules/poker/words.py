"""What players read of the poker games, in three languages."""

from typing import Final

from services.rules.text import Text
from services.rules.vocabulary import Terms

ACTIONS: Final = {
    "fold": Text(en="fold", zh_hant="蓋牌", zh_hans="盖牌"),
    "check": Text(en="check", zh_hant="不喊", zh_hans="不喊"),
    "call": Text(en="call", zh_hant="跟注", zh_hans="跟注"),
    "bet": Text(en="bet", zh_hant="下注", zh_hans="下注"),
    "raise": Text(en="raise", zh_hant="加注", zh_hans="加注"),
    "all_in": Text(en="all-in", zh_hant="梭哈", zh_hans="梭哈"),
    "amount": Text(en="amount", zh_hant="金額", zh_hans="金额"),
    "to": Text(en="raise to", zh_hant="加注至", zh_hans="加注至"),
}

STATUS: Final = {
    "in": Text(en="in the hand", zh_hant="未蓋牌", zh_hans="未盖牌"),
    "folded": Text(en="folded", zh_hant="已蓋牌", zh_hans="已盖牌"),
}

MONEY: Final = {
    "pot": Text(en="pot", zh_hant="底池", zh_hans="底池"),
    "returned": Text(en="uncalled chips returned", zh_hant="退回未跟注的籌碼", zh_hans="退回未跟注的筹码"),
    "out": Text(en="out of chips", zh_hant="籌碼輸光", zh_hans="筹码输光"),
    "rake": Text(en="rake", zh_hant="抽成", zh_hans="抽成"),
}

ZONES: Final = {
    "show_or_muck": Text(en="show or muck?", zh_hant="是否亮牌", zh_hans="是否亮牌"),
    "reveal": Text(en="show the hand", zh_hant="亮牌", zh_hans="亮牌"),
    "muck": Text(en="muck", zh_hant="不亮牌", zh_hans="不亮牌"),
    "hand": Text(en="hole cards", zh_hant="底牌", zh_hans="底牌"),
    "showdown": Text(en="showdown", zh_hant="攤牌", zh_hans="摊牌"),
    "ended": Text(en="ended", zh_hant="結束", zh_hans="结束"),
}

BLINDS: Final = {
    "small_blind": Text(en="small blind", zh_hant="小盲注", zh_hans="小盲注"),
    "big_blind": Text(en="big blind", zh_hant="大盲注", zh_hans="大盲注"),
    "ante": Text(en="ante", zh_hant="前注", zh_hans="前注"),
    "post": Text(en="post for missed blinds", zh_hant="補下盲注", zh_hans="补下盲注"),
    "dead_blind": Text(en="dead blind", zh_hant="死盲注", zh_hans="死盲注"),
    "straddle": Text(en="straddle", zh_hant="抓頭", zh_hans="抓头"),
    "active": Text(en="straddle under the gun", zh_hant="在槍口位抓頭", zh_hans="在枪口位抓头"),
}

ROUNDS: Final = {
    "round_1": Text(en="first betting round", zh_hant="第一輪下注", zh_hans="第一轮下注"),
    "round_2": Text(en="second betting round", zh_hant="第二輪下注", zh_hans="第二轮下注"),
    "round_3": Text(en="third betting round", zh_hant="第三輪下注", zh_hans="第三轮下注"),
    "round_4": Text(en="fourth betting round", zh_hant="第四輪下注", zh_hans="第四轮下注"),
    "round_5": Text(en="fifth betting round", zh_hant="第五輪下注", zh_hans="第五轮下注"),
}

EXCHANGE: Final = {
    "draw": Text(en="draw", zh_hant="換牌", zh_hans="换牌"),
    "drawn": Text(en="cards exchanged", zh_hant="換牌張數", zh_hans="换牌张数"),
    "count": Text(en="number of cards", zh_hant="張數", zh_hans="张数"),
    "discards": Text(en="cards to exchange", zh_hant="要換的牌", zh_hans="要换的牌"),
}

DRAW: Final = {
    "before_draw": Text(en="before the draw", zh_hant="第一輪下注", zh_hans="第一轮下注"),
    **EXCHANGE,
    "after_draw": Text(en="after the draw", zh_hant="第二輪下注", zh_hans="第二轮下注"),
}

TRIPLE_DRAW: Final = {
    **{name: text for name, text in ROUNDS.items() if name != "round_5"},
    "draw_1": Text(en="first draw", zh_hant="第一次換牌", zh_hans="第一次换牌"),
    "draw_2": Text(en="second draw", zh_hant="第二次換牌", zh_hans="第二次换牌"),
    "draw_3": Text(en="third draw", zh_hant="第三次換牌", zh_hans="第三次换牌"),
    **EXCHANGE,
}

STUD: Final = {
    "up": Text(en="face-up cards", zh_hant="明牌", zh_hans="明牌"),
    **ROUNDS,
    "bring_in": Text(en="bring-in", zh_hant="開牌注", zh_hans="开牌注"),
    "complete": Text(en="completion of the bring-in", zh_hant="補足開牌注", zh_hans="补足开牌注"),
    "exposure": Text(en="choice of the up card", zh_hant="更換底牌", zh_hans="更换底牌"),
    "expose": Text(en="turn up", zh_hant="亮牌", zh_hans="亮牌"),
    "card": Text(en="card", zh_hant="牌", zh_hans="牌"),
    "chosen": Text(en="have chosen", zh_hant="已選定", zh_hans="已选定"),
    "exposes": Text(en="your choice", zh_hant="您選的牌", zh_hans="您选的牌"),
}

DOOR_STUD: Final = {
    word: STUD[word] for word in STUD if word not in {"exposure", "expose", "card", "chosen", "exposes"}
}

ANTES: Final = {"ante": Text(en="ante", zh_hant="底注", zh_hans="底注")}

BOARD: Final = {
    "board": Text(en="table cards", zh_hant="公牌", zh_hans="公牌"),
    "second_board": Text(en="second board", zh_hant="第二副公牌", zh_hans="第二副公牌"),
    "run_it": Text(en="run it twice?", zh_hant="是否發兩次牌", zh_hans="是否发两次牌"),
    "run_twice": Text(en="run it twice", zh_hant="發兩次", zh_hans="发两次"),
    "run_once": Text(en="run it once", zh_hant="發一次", zh_hans="发一次"),
    "chosen": Text(en="have agreed", zh_hant="已同意", zh_hans="已同意"),
    "preflop": Text(en="before the flop", zh_hant="底牌輪", zh_hans="底牌轮"),
    "flop": Text(en="flop", zh_hant="翻牌輪", zh_hans="翻牌轮"),
    "turn": Text(en="turn", zh_hant="轉牌輪", zh_hans="转牌轮"),
    "river": Text(en="river", zh_hant="河牌輪", zh_hans="河牌轮"),
}

FIVE_CARDS: Final = {
    "high_card": Text(en="high card", zh_hant="無爛", zh_hans="无烂"),
    "one_pair": Text(en="one pair", zh_hant="一對", zh_hans="一对"),
    "two_pair": Text(en="two pair", zh_hant="二對", zh_hans="二对"),
    "three_of_a_kind": Text(en="three of a kind", zh_hant="三條", zh_hans="三条"),
    "straight": Text(en="straight", zh_hant="順子", zh_hans="顺子"),
    "flush": Text(en="flush", zh_hant="同花", zh_hans="同花"),
    "full_house": Text(en="full house", zh_hant="葫蘆", zh_hans="葫芦"),
    "four_of_a_kind": Text(en="four of a kind", zh_hant="鐵支", zh_hans="铁支"),
    "straight_flush": Text(en="straight flush", zh_hant="同花順", zh_hans="同花顺"),
}

LOW_FIVE_CARDS: Final = {
    "low": Text(en="low", zh_hant="低牌", zh_hans="低牌"),
    **{name: text for name, text in FIVE_CARDS.items() if name != "high_card"},
}

LOW_GROUPS: Final = {
    name: text for name, text in LOW_FIVE_CARDS.items() if name not in {"straight", "flush", "straight_flush"}
}

BADUGI: Final = {
    "four_cards": Text(en="a badugi", zh_hant="巴都吉", zh_hans="巴都吉"),
    "three_cards": Text(en="three cards", zh_hant="三張牌", zh_hans="三张牌"),
    "two_cards": Text(en="two cards", zh_hant="兩張牌", zh_hans="两张牌"),
    "one_card": Text(en="one card", zh_hant="一張牌", zh_hans="一张牌"),
}

THREE_CARDS: Final = {
    "high_card": Text(en="high card", zh_hant="無爛", zh_hans="无烂"),
    "pair": Text(en="pair", zh_hant="對子", zh_hans="对子"),
    "straight": Text(en="straight", zh_hant="順子", zh_hans="顺子"),
    "flush": Text(en="flush", zh_hant="同花（金花）", zh_hans="同花（金花）"),
    "straight_flush": Text(en="straight flush", zh_hant="同花順（順金）", zh_hans="同花顺（顺金）"),
    "triple": Text(en="three of a kind", zh_hant="豹子", zh_hans="豹子"),
}

HALVES: Final = {
    "high": Text(en="high half", zh_hant="高牌一半", zh_hans="高牌一半"),
    "low": Text(en="low", zh_hant="低牌", zh_hans="低牌"),
}

COMMON: Final = {**ACTIONS, **STATUS, **MONEY, **ZONES}

COMMON_TERMS: Final = Terms(
    phase="showdown show_or_muck ended",
    zone="hand",
    status="in folded all_in",
    reason="bet call raise pot rake",
    action="fold check call bet raise all_in reveal muck",
    argument="amount to",
    happening="showdown pot",
    suggestion="min half_pot pot max",
    fact="amount pot hand hands pots returned winners out",
)
BLIND_TERMS: Final = Terms(
    reason="small_blind big_blind ante post dead_blind straddle", action="straddle", argument="active"
)
ANTE_TERMS: Final = Terms(reason="ante")
BOARD_TERMS: Final = Terms(
    phase="preflop flop turn river run_it",
    zone="board second_board",
    action="run_twice run_once",
    fact="chosen second_hand second_hands second_winners",
)
STUD_TERMS: Final = Terms(
    phase="exposure round_1 round_2 round_3 round_4",
    zone="up",
    reason="bring_in complete",
    action="expose bring_in",
    argument="card",
    happening="decided",
    fact="action chosen exposes",
)
BRING_IN_TERMS: Final = Terms(
    phase="round_1 round_2 round_3 round_4 round_5",
    zone="up",
    reason="bring_in complete",
    action="bring_in",
)
DRAW_TERMS: Final = Terms(
    phase="before_draw draw after_draw",
    action="draw",
    argument="discards",
    happening="decided draw",
    fact="action count drawn",
)
TRIPLE_DRAW_TERMS: Final = Terms(
    phase="round_1 draw_1 round_2 draw_2 round_3 draw_3 round_4",
    action="draw",
    argument="discards",
    happening="decided draw",
    fact="action count drawn",
)
LOW_FIVE_CARD_TERMS: Final = Terms(word=" ".join(LOW_FIVE_CARDS))
LOW_GROUP_TERMS: Final = Terms(word=" ".join(LOW_GROUPS))
BADUGI_TERMS: Final = Terms(word=" ".join(BADUGI))
HALVES_TERMS: Final = Terms(word="high low", fact="low lows low_winners")
SECOND_HALVES_TERMS: Final = Terms(fact="second_low second_lows second_low_winners")
FIVE_CARD_TERMS: Final = Terms(word=" ".join(FIVE_CARDS))
THREE_CARD_TERMS: Final = Terms(word=" ".join(THREE_CARDS))

MALFUNCTION: Final = Text(
    en="If a hand cannot be completed it is void, and every seat gets back the chips that it held at the "
    "start. A disconnected player is treated like one who runs out of time.",
    zh_hant="牌局若無法完成即作廢，各玩家取回該局開始時持有的全部籌碼。斷線視同逾時。",
    zh_hans="牌局若无法完成即作废，各玩家取回该局开始时持有的全部筹码。断线视同逾时。",
)

LADDER: Final = Text(
    en="From low to high: high card, one pair, two pair, three of a kind, straight (A-2-3-4-5 is the lowest), flush, "
    "full house, four of a kind, straight flush.",
    zh_hant="牌型由小到大：無爛、一對、二對、三條、順子（A2345最小）、同花、葫蘆、鐵支、同花順。",
    zh_hans="牌型由小到大：无烂、一对、二对、三条、顺子（A2345最小）、同花、葫芦、铁支、同花顺。",
)

PLAIN: Final = Text(
    en="Suits never decide; equal hands split the pot.",
    zh_hant="花色不分大小，牌面相同則平分底池。",
    zh_hans="花色不分大小，牌面相同则平分底池。",
)

SPLIT: Final = Text(
    en="Each pot is divided by itself: one half goes to the best high hand, the other to the best low hand, which "
    "needs five different ranks of eight or lower. The ace is low there, and straights and flushes do not count "
    "against it. Where nobody who may win a pot has a low hand, the high hand takes all of it. The odd "
    "chip of a pot goes to the high half.",
    zh_hant="每個底池各自分成兩半：一半歸牌型最大者，另一半歸低牌最小者。低牌須為五張不同點數且皆為8或以下，A算最小，順子與"
    "同花不影響低牌。有權爭奪該底池者皆無低牌時，全部歸牌型最大者。除不盡的一枚歸高牌一半。",
    zh_hans="每个底池各自分成两半：一半归牌型最大者，另一半归低牌最小者。低牌须为五张不同点数且皆为8或以下，A算最小，顺子与"
    "同花不影响低牌。有权争夺该底池者皆无低牌时，全部归牌型最大者。除不尽的一枚归高牌一半。",
)

HOME: Final = Text(
    en="Flushes compare by suit first (spades, hearts, diamonds, clubs), then by ranks, unless the table "
    "compares ranks first; straight flushes compare by top card, then suit. All other equal hands split "
    "the pot.",
    zh_hant="同花先比花色（黑桃＞紅心＞方塊＞梅花）再比點數，除非該桌設定先比點數；同花順先比最大張再比花色。其餘牌"
    "面相同則平分底池。",
    zh_hans="同花先比花色（黑桃＞红心＞方块＞梅花）再比点数，除非该桌设定先比点数；同花顺先比最大张再比花色。其余牌"
    "面相同则平分底池。",
)

MONEY_RULES: Final = Text(
    en="A seat wins from each other seat at most what it put in itself. Chips beyond that go into side pots, "
    "and chips that nobody matched are returned. Odd chips go one each to the winners closest to the left "
    "of the button.",
    zh_hant="每位玩家至多贏得他人與自己相同的下注額，超出部分成為邊池，無人跟注的籌碼退回。除不盡的籌碼由發牌者左手邊起依次各得一枚。",
    zh_hans="每位玩家至多赢得他人与自己相同的下注额，超出部分成为边池，无人跟注的筹码退回。除不尽的筹码由发牌者左手边起依次各得一枚。",
)

SHOW_HAND: Final = Text(
    en="The best visible hand opens each betting round. Before the round set by the table (show hand), no bet "
    "or raise may take a seat's last chip; a short stack may always call with all it has. Before the last "
    "betting round every seat chooses which of its down cards to turn up, and the chosen cards are shown "
    "together. A player who runs out of time shows the card dealt last.",
    zh_hant="每輪由明牌牌面最大者開始下注。該桌設定可梭哈的輪次之前，下注與加注不得押上最後一枚籌碼；籌碼不足者仍可全數跟注。"
    "最後一輪下注前，各玩家自行選擇亮出哪一張暗牌，全部選定後同時亮出；逾時者亮出最後發到的牌。",
    zh_hans="每轮由明牌牌面最大者开始下注。该桌设定可梭哈的轮次之前，下注与加注不得押上最后一枚筹码；筹码不足者仍可全数跟注。"
    "最后一轮下注前，各玩家自行选择亮出哪一张暗牌，全部选定后同时亮出；逾时者亮出最后发到的牌。",
)

BRING_IN: Final = Text(
    en="A table may set a bring-in: then the lowest first up card (of equal ranks clubs are lowest) must put in the "
    "bring-in or a full bet, and later rounds go by rank and position. A table may also leave out the choice of the "
    "up card.",
    zh_hant="該桌可設定開牌注：由首張明牌最小者（點數相同時梅花最小）必須下開牌注或完整下注，之後各輪比點數，相同時依座次。"
    "該桌亦可取消自選明牌。",
    zh_hans="该桌可设定开牌注：由首张明牌最小者（点数相同时梅花最小）必须下开牌注或完整下注，之后各轮比点数，相同时依座次。"
    "该桌亦可取消自选明牌。",
)

CHECK_OR_FOLD: Final = Text(
    en="A player who runs out of time checks if possible, otherwise folds.",
    zh_hant="逾時的玩家，可不喊時視為不喊，否則視為蓋牌。",
    zh_hans="逾时的玩家，可不喊时视为不喊，否则视为盖牌。",
)


def joined(*parts: Text) -> Text:
    """Put texts one after the other."""
    return Text(
        en=" ".join(part.en for part in parts),
        zh_hant="".join(part.zh_hant for part in parts),
        zh_hans="".join(part.zh_hans for part in parts),
    )
