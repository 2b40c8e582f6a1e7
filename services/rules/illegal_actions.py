"""Refusals of actions that the rules do not allow now: the closed list of their texts for players.

Each text tells what would be right. Where the English message names more (a card, another seat), the text may say less,
but never only that the action is not possible.
"""

from collections.abc import Iterable
from typing import Final

from services.rules.refusals import Reason, Refused
from services.rules.text import Text

# -- poker
CHECK_OWING: Final = Text(
    "You cannot check; a call takes {chips} in chips.",
    "不能「不喊」，跟注需要 {chips} 籌碼。",
    "不能「不喊」，跟注需要 {chips} 筹码。",
)
CHECK_FIRST: Final = Text(
    "You cannot check; the first seat must bet or fold.",
    "不能「不喊」，首家須下注或蓋牌。",
    "不能「不喊」，首家须下注或盖牌。",
)
NOTHING_TO_CALL: Final = Text(
    "There is nothing to call; check or bet.", "目前無注可跟，請「不喊」或下注。", "目前无注可跟，请「不喊」或下注。"
)
NO_BET: Final = Text("You cannot bet now.", "現在不能下注。", "现在不能下注。")
NO_RAISE: Final = Text("You cannot raise now.", "現在不能加注。", "现在不能加注。")
NO_ALL_IN: Final = Text(
    "You cannot go all-in now; call or fold.", "現在不能梭哈，請跟注或蓋牌。", "现在不能梭哈，请跟注或盖牌。"
)
KEEP_ONE: Final = Text(
    "Before the show-hand round you must keep at least 1 chip.",
    "梭哈輪之前須至少保留 1 籌碼。",
    "梭哈轮之前须至少保留 1 筹码。",
)
BETTING_ROUND: Final = Text(
    "This is a betting round: fold, check, call, bet or raise.",
    "現在是下注輪，請蓋牌、不喊、跟注、下注或加注。",
    "现在是下注轮，请盖牌、不喊、跟注、下注或加注。",
)
BRING_IN: Final = Text(
    "Bring in for {chips} or bet {bet}.",
    "請以 {chips} 籌碼開牌，或下注 {bet}。",
    "请以 {chips} 筹码开牌，或下注 {bet}。",
)
NOT_DUE: Final = Text(
    "No bring-in is due; call, raise or fold.",
    "目前無須開牌注，請跟注、加注或蓋牌。",
    "目前无须开牌注，请跟注、加注或盖牌。",
)
NO_STRADDLE: Final = Text(
    "This table has no straddle; its house rules say so.", "本桌規則不設抓頭。", "本桌规则不设抓头。"
)
STRADDLE_BETWEEN: Final = Text(
    "Choose between rounds whether you straddle.", "請在兩局之間選擇是否抓頭。", "请在两局之间选择是否抓头。"
)
DRAW: Final = Text(
    "Draw now: exchange 0 to {most} cards.", "現在是換牌，可換 0 至 {most} 張。", "现在是换牌，可换 0 至 {most} 张。"
)
SHOW_OR_MUCK: Final = Text(
    "The hand is over: show your cards or keep them hidden.",
    "本局勝負已定，請選擇亮牌或不亮牌。",
    "本局胜负已定，请选择亮牌或不亮牌。",
)
RUN_IT: Final = Text(
    "Say now whether the table cards are dealt twice or once.",
    "請選擇剩餘公牌發兩次或一次。",
    "请选择剩余公牌发两次或一次。",
)
EXPOSE: Final = Text("Turn up one of your down cards.", "請亮出一張暗牌。", "请亮出一张暗牌。")

# -- banker
NOTHING_TO_DECIDE: Final = Text(
    "You have nothing to decide now.", "目前沒有需要你決定的事。", "目前没有需要你决定的事。"
)
POSSIBLE: Final = Text("Possible now: {actions}.", "現在可以：{actions}。", "现在可以：{actions}。")
ROW_TAKEN: Final = Text(
    "That row is not free; take one of {rows}.", "該欄已被占用，可選：{rows}。", "该栏已被占用，可选：{rows}。"
)
SPLIT_ACES: Final = Text(
    "Only two aces as the first two cards can be split; hit or stand.",
    "只有起手兩張 A 可以分牌，請補牌或停牌。",
    "只有起手两张 A 可以分牌，请补牌或停牌。",
)
NO_SPOT: Final = Text("There is no such spot to bet on.", "沒有這個下注區。", "没有这个下注区。")
ANTE_FIRST: Final = Text(
    "A bonus needs an ante; place the ante first.", "須先下底注，才能下獎勵注。", "须先下底注，才能下奖励注。"
)
MUST_HIT: Final = Text(
    "The hand is too low to stand; you must hit.", "點數不足，不能停牌，須補牌。", "点数不足，不能停牌，须补牌。"
)
GATE: Final = Text(
    "Pass, guess or bet in this game.", "本遊戲只能不要、猜大小或下注。", "本游戏只能不要、猜大小或下注。"
)
BET_GUESS: Final = Text("You have guessed and must bet now.", "你已猜大小，現在須下注。", "你已猜大小，现在须下注。")
GUESS_PAIR: Final = Text(
    "A guess needs two cards of one rank; bet or pass.",
    "兩張牌點數相同時才能猜大小，請下注或不要。",
    "两张牌点数相同时才能猜大小，请下注或不要。",
)
GUESS_SIDE: Final = Text("Guess higher or lower.", "請猜大或小。", "请猜大或小。")
GUESS_FIRST: Final = Text(
    "The two cards are of one rank; guess higher or lower first, or pass.",
    "兩張牌點數相同，請先猜大小，或不要。",
    "两张牌点数相同，请先猜大小，或不要。",
)

# -- showdown
WAITS: Final = Text("The table waits for this: {actions}.", "目前須進行：{actions}。", "目前须进行：{actions}。")
DONE_ALREADY: Final = Text("You have done this already.", "你已完成此動作。", "你已完成此动作。")

# -- climbing
BID_OR_PASS: Final = Text("Bid points, or pass.", "請叫分或不叫。", "请叫分或不叫。")
CALL_LANDLORD: Final = Text("Call landlord, or pass.", "請叫地主或不叫。", "请叫地主或不叫。")
ROB_LANDLORD: Final = Text("Rob, or pass.", "請搶地主或不搶。", "请抢地主或不抢。")
PLAY_OR_PASS: Final = Text("Play cards, or pass.", "請出牌或過。", "请出牌或过。")
LEADER_PLAYS: Final = Text(
    "You lead and may not pass; play any combination.",
    "由你領出，不能過，可出任意牌型。",
    "由你领出，不能过，可出任意牌型。",
)
CARDS_ALONE: Final = Text(
    "Play the cards alone, without a call, a sign or a next seat.",
    "請只出牌，不附加喊牌、正負號或下一家。",
    "请只出牌，不附加喊牌、正负号或下一家。",
)

# -- tricks
PLAY_CARD: Final = Text("Play a card.", "請出一張牌。", "请出一张牌。")
LAY_DOWN: Final = Text(
    "You hold no card that may be led to the first trick; lay one face down.",
    "你沒有第一墩可領出的牌，請扣一張牌。",
    "你没有第一墩可领出的牌，请扣一张牌。",
)
CALLS: Final = Text("Only trumps or the joker can be called.", "只能喊王牌或鬼牌。", "只能喊王牌或鬼牌。")
CALL_BY_LEADING: Final = Text(
    "This can be called only by leading {card}.", "須領出 {card} 才能這樣喊。", "须领出 {card} 才能这样喊。"
)
NAME_ADJUTANT: Final = Text("Name the adjutant's card.", "請指名副官牌。", "请指名副官牌。")
BID_TRUMPS: Final = Text(
    "Bid points with a trump suit, or pass.", "請喊分並選王牌花色，或不喊。", "请喊分并选王牌花色，或不喊。"
)
TRUMP_SUIT: Final = Text(
    "A trump suit is spades, hearts, diamonds or clubs.",
    "王牌花色須為黑桃、紅心、方塊或梅花。",
    "王牌花色须为黑桃、红心、方块或梅花。",
)
TAKE_TURNED: Final = Text("Take the turned card, or pass.", "請換王牌，或過。", "请换王牌，或过。")

# -- survival
FLIP: Final = Text("Flip a card.", "請翻牌。", "请翻牌。")
NO_MATCH: Final = Text("You have no match to collect.", "你沒有可收的牌。", "你没有可收的牌。")
ALL_TURNED: Final = Text(
    "All {most} cards of this round have been turned.", "本局 {most} 張牌已全部翻完。", "本局 {most} 张牌已全部翻完。"
)
OUT_OF_ROUND: Final = Text(
    "You are out; you play again in the next round.", "你已出局，下一局再參加。", "你已出局，下一局再参加。"
)
OLD_FLIP: Final = Text("Another card shows by now.", "桌面已翻出另一張牌。", "桌面已翻出另一张牌。")
CLAIMED: Final = Text(
    "You have acted on this card; wait for the next one.",
    "你已對這張牌行動，請等下一張。",
    "你已对这张牌行动，请等下一张。",
)
PILE_TAKEN: Final = Text(
    "Your pile was taken; wait for the next flip.",
    "你的牌堆已被收走，請等下次翻牌。",
    "你的牌堆已被收走，请等下次翻牌。",
)
CALL_SEATS: Final = Text("Call one of the seats {seats}.", "只能喊座位 {seats}。", "只能喊座位 {seats}。")
PLAY_ONE: Final = Text("Play one card.", "請出一張牌。", "请出一张牌。")
NEEDS_SIGN: Final = Text("{card} needs a sign, plus or minus.", "{card} 須選加或減。", "{card} 须选加或减。")
NO_SIGN: Final = Text("{card} takes no sign.", "{card} 不能選加或減。", "{card} 不能选加或减。")
NEEDS_NEXT: Final = Text(
    "{card} must name the next seat, one of {seats}.",
    "{card} 須指定下一家：座位 {seats}。",
    "{card} 须指定下一家：座位 {seats}。",
)
NO_NEXT: Final = Text("{card} names no next seat.", "{card} 不能指定下一家。", "{card} 不能指定下一家。")
NICKNAME_LENGTH: Final = Text(
    "A nickname has 1 to {most} characters.", "綽號須為 1 至 {most} 個字。", "绰号须为 1 至 {most} 个字。"
)
NICKNAME_LETTERS: Final = Text(
    "A nickname has visible letters, and no space at either end.",
    "綽號須為可見文字，前後不可有空格。",
    "绰号须为可见文字，前后不可有空格。",
)
NICKNAME_TAKEN: Final = Text(
    "That nickname is taken at this table.", "本桌已有人使用這個綽號。", "本桌已有人使用这个绰号。"
)

WORDS: Final[dict[str, Text]] = {
    "arrange": Text("arrange the hand", "排牌", "排牌"),
    "bet": Text("bet", "下注", "下注"),
    "bet_multiple": Text("choose a multiple", "選擇倍數", "选择倍数"),
    "bid_banker": Text("ask for the bank", "搶莊", "抢庄"),
    "call": Text("call", "跟注", "跟注"),
    "call_nickname": Text("call a nickname", "喊綽號", "喊绰号"),
    "collect": Text("collect", "收牌", "收牌"),
    "done": Text("done betting", "完成下注", "完成下注"),
    "exchange": Text("change for the Miss", "換 Miss", "换 Miss"),
    "fold": Text("fold", "棄牌", "弃牌"),
    "guess": Text("guess", "猜大小", "猜大小"),
    "hit": Text("hit", "補牌", "补牌"),
    "pass": Text("pass", "不要", "不要"),
    "place_bet": Text("place a bet", "下注", "下注"),
    "play": Text("play", "出牌", "出牌"),
    "reveal": Text("show the cards", "攤牌", "摊牌"),
    "slap": Text("slap", "放手", "放手"),
    "split": Text("split", "分牌", "分牌"),
    "stand": Text("stand", "停牌", "停牌"),
    "support": Text("support", "支持", "支持"),
}
"""Actions in a list of what is possible now."""


def illegal(message: str, text: Text, **values: object) -> Refused:
    """Return the refusal of an action; ``values`` fill the places of the text, such as ``{chips}``.

    >>> illegal("you cannot draw now", DRAW, most=3).text.en
    'Draw now: exchange 0 to 3 cards.'
    """
    return Refused(Reason.ILLEGAL_ACTION, message, text=text.filled(**values) if values else text)


def possible(message: str, names: Iterable[str], text: Text = POSSIBLE) -> Refused:
    """Return the refusal of an action where others are possible: ``text`` with their words for ``{actions}``."""
    words = [WORDS[name] for name in dict.fromkeys(names)]
    lists = Text(
        ", ".join(word.en for word in words),
        "、".join(word.zh_hant for word in words),
        "、".join(word.zh_hans for word in words),
    )
    filled = Text(
        text.en.format(actions=lists.en),
        text.zh_hant.format(actions=lists.zh_hant),
        text.zh_hans.format(actions=lists.zh_hans),
    )
    return Refused(Reason.ILLEGAL_ACTION, message, text=filled)
