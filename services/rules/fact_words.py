"""The names of facts for players; a game that calls a fact otherwise has the word among its own."""

from typing import Final

from services.rules.text import Text

WORDS: Final[dict[str, Text]] = {
    # of a round and its result
    "banker": Text("banker", "莊家", "庄家"),
    "house_banks": Text("the house banks", "賭場作莊", "赌场作庄"),
    "seat": Text("seat", "座位", "座位"),
    "card": Text("card", "牌", "牌"),
    "trump": Text("trumps", "王牌", "王牌"),
    "multiplier": Text("multiplier", "倍數", "倍数"),
    "count": Text("count", "計數", "计数"),
    "trick_number": Text("number of the trick", "第幾墩", "第几墩"),
    "trick": Text("current trick", "本墩", "本墩"),
    "tricks": Text("tricks won", "所得墩數", "所得墩数"),
    "sides": Text("sides", "分方", "分方"),
    "side_tricks": Text("tricks of the sides", "雙方墩數", "双方墩数"),
    "winners": Text("winners", "贏家", "赢家"),
    "hands": Text("hands shown", "攤牌牌型", "摊牌牌型"),
    "out": Text("out", "出局", "出局"),
    "pots": Text("pots", "底池", "底池"),
    "low_winners": Text("winners of the low half", "低牌贏家", "低牌赢家"),
    "lows": Text("low hands shown", "攤出的低牌", "摊出的低牌"),
    "low": Text("low hand", "低牌", "低牌"),
    "second_winners": Text("winners of the second board", "第二副公牌贏家", "第二副公牌赢家"),
    "second_low_winners": Text(
        "winners of the second board's low half", "第二副公牌的低牌贏家", "第二副公牌的低牌赢家"
    ),
    "second_hands": Text("hands with the second board", "第二副公牌的牌型", "第二副公牌的牌型"),
    "second_lows": Text("low hands with the second board", "第二副公牌的低牌", "第二副公牌的低牌"),
    "second_hand": Text("hand with the second board", "第二副公牌的牌型", "第二副公牌的牌型"),
    "second_low": Text("low hand with the second board", "第二副公牌的低牌", "第二副公牌的低牌"),
    "returned": Text("chips returned", "退回的籌碼", "退回的筹码"),
    "drawn": Text("cards exchanged", "換牌張數", "换牌张数"),
    "multiples": Text("multiples", "倍數", "倍数"),
    "points": Text("points", "點數", "点数"),
    "turned": Text("turned card", "翻開的牌", "翻开的牌"),
    "tricks_completed": Text("tricks played", "已打墩數", "已打墩数"),
    "match_round": Text("round of the match", "本場第幾局", "本场第几局"),
    "match_over": Text("the match is over", "本場結束", "本场结束"),
    "held": Text("cards held", "持牌張數", "持牌张数"),
    # of what was noted
    "amount": Text("chips", "籌碼", "筹码"),
    "hand": Text("hand", "牌型", "牌型"),
    "seat_points": Text("points of the hands", "各家點數", "各家点数"),
    "total": Text("total", "總點數", "总点数"),
    "card_count": Text("number of cards", "張數", "张数"),
    "cards": Text("cards", "牌", "牌"),
    "combination": Text("combination", "牌型", "牌型"),
    "cards_left": Text("cards left", "剩餘張數", "剩余张数"),
    "multiple": Text("multiple", "倍數", "倍数"),
    "other_seat": Text("other seat", "對方座位", "对方座位"),
    "spot_bets": Text("bets of the seats", "各家下注", "各家下注"),
    "spot": Text("spot", "下注區", "下注区"),
    "pool": Text("pool", "彩池", "彩池"),
    "action": Text("action", "動作", "动作"),
    # carried from round to round
    "banker_rounds": Text("rounds as banker", "連莊局數", "连庄局数"),
    "bank_is_free": Text("the bank is given anew", "重新決定莊家", "重新决定庄家"),
    "used_cards": Text("cards already played in this match", "本場已用的牌", "本场已用的牌"),
    # happenings that every game can have
    "decided": Text("decided at the deadline", "逾時由系統決定", "超时由系统决定"),
}
