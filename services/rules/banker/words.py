"""Words and sentences that all games against a bank show to people."""

from typing import Final

from services.rules.text import Text
from services.rules.vocabulary import Terms


def same(english: str, chinese: str) -> Text:
    """Make a text whose Chinese is written alike in both scripts."""
    return Text(english, chinese, chinese)


COMMON: Final[dict[str, Text]] = {
    "banker": Text("banker", "莊家", "庄家"),
    "bank": Text("the house's hand", "莊家牌", "庄家牌"),
    "hand": Text("hand", "手牌", "手牌"),
    "bets": Text("betting", "下注", "下注"),
    "deal": Text("deal", "發牌", "发牌"),
    "play": Text("play", "補牌", "补牌"),
    "showdown": Text("showdown", "開牌", "开牌"),
    "ended": Text("ended", "本局結束", "本局结束"),
    "bet": Text("bet", "下注", "下注"),
    "pass": Text("pass", "不下注", "不下注"),
    "done": Text("done betting", "完成下注", "完成下注"),
    "place_bet": Text("place a bet", "下注", "下注"),
    "amount": Text("amount", "金額", "金额"),
    "spot": Text("spot", "下注區", "下注区"),
    "no_bets": Text("nobody bet; the round does not count", "無人下注，本局不計", "无人下注，本局不计"),
    "betting": Text("betting", "下注中", "下注中"),
    "waiting": Text("waiting", "等待", "等待"),
    "passed": Text("sits this round out", "本局不下注", "本局不下注"),
    "turn": Text("to act", "輪到行動", "轮到行动"),
    "win": Text("beats the banker", "贏莊家", "赢庄家"),
    "lose": Text("loses to the banker", "輸給莊家", "输给庄家"),
    "tie": Text("tie", "和局", "和局"),
    "net": Text("net of all bets", "各注相抵後的淨額", "各注相抵后的净额"),
    "total": Text("total", "點數", "点数"),
}

TURNS: Final[dict[str, Text]] = {
    "hit": Text("hit", "補牌", "补牌"),
    "stand": Text("stand", "停牌", "停牌"),
    "stood": Text("stands", "已停牌", "已停牌"),
    "bust": Text("bust", "爆牌", "爆牌"),
    "five_cards": Text("five cards without bust", "過五關", "过五关"),
    "split": same("split", "分牌"),
    "second": same("second hand", "第二手牌"),
    "natural": Text("natural: ace and ten-card", "天生二十一點", "天生二十一点"),
    "full": Text("as many points as possible", "滿點", "满点"),
    "banker_bust": Text("the banker busts", "莊家爆牌", "庄家爆牌"),
}
"""Words of the games whose hands are played in turn."""

SPOT_BETS: Final = Terms(fact="spot_bets seat spot amount")
"""Words of the bets that are shown of every seat."""

BET_TERMS: Final = SPOT_BETS + Terms(
    phase="bets deal showdown ended",
    zone="hand bank",
    status="banker betting bet passed",
    reason="bet",
    action="bet pass",
    argument="amount",
    happening="pass no_bets",
    suggestion="min max",
    fact="banker house_banks banker_rounds",
)
"""Words of the games in which every player makes one bet."""

SPOT_TERMS: Final = SPOT_BETS + Terms(
    phase="bets deal ended",
    status="banker betting done",
    reason="net",
    action="place_bet done",
    argument="spot amount",
    happening="done no_bets",
    suggestion="min max",
    fact="banker house_banks banker_rounds",
)
"""Words of the games in which players bet on spots."""

TURN_TERMS: Final = Terms(
    phase="play",
    status="turn stood bust five_cards full",
    reason="win lose bust five_cards banker_bust",
    action="hit stand",
    happening="turn stand bust five_cards full total",
    fact="total",
)
"""Words of the games whose hands are played in turn."""

WINDOW: Final = Text(
    "All players bet at the same time, within the betting time, and a bet cannot be taken back. A player "
    "who does not act before the deadline makes no (further) bet.",
    "所有玩家在下注時間內同時下注，下注後不可收回；逾時未行動者視為不下注（已下之注有效）。",
    "所有玩家在下注时间内同时下注，下注后不可收回；逾时未行动者视为不下注（已下之注有效）。",
)

MALFUNCTION: Final = Text(
    "If a malfunction occurs, the round is void: all chips are returned and the round does not count. A "
    "disconnected player is treated like one who does not act: at the deadline the default action above is "
    "taken.",
    "如發生故障，本局作廢，所有籌碼退還且本局不計。斷線玩家視同未行動：時限一到即採取上述的預設動作。",
    "如发生故障，本局作废，所有筹码退还且本局不计。断线玩家视同未行动：时限一到即采取上述的默认动作。",
)


def paragraphs(*parts: Text) -> Text:
    """Join texts into one, a line each."""
    return Text(
        "\n".join(part.en for part in parts),
        "\n".join(part.zh_hant for part in parts),
        "\n".join(part.zh_hans for part in parts),
    )


def per_bet(times: str, english: str, hant: str, hans: str) -> Text:
    """Return the greatest win of a player as a multiple of its bet, with the reason."""
    return Text(
        f"{times} × the bet ({english}), before the fee; with a win cap, at most the chips held at the start.",
        f"下注金額的{times}倍（{hant}），未扣活動費；該桌設有贏額上限時，不超過本局帶入的籌碼。",
        f"下注金额的{times}倍（{hans}），未扣活动费；该桌设有赢额上限时，不超过本局带入的筹码。",
    )
