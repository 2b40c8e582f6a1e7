"""What players read about the survival games; names and terms are those of the seed document."""

from typing import Final

from services.rules import ante_pot
from services.rules.text import Text
from services.rules.vocabulary import Terms

NINETY_NINE: Final = Text(en="Ninety-nine", zh_hant="九十九", zh_hans="九十九")
NICKNAME: Final = Text(en="Nicknames", zh_hant="綽號", zh_hans="绰号")
PULL_CART: Final = Text(en="Pull the Cart", zh_hant="拉大車", zh_hans="拉大车")
WAR: Final = Text(en="War", zh_hant="戰爭", zh_hans="战争")
COUNT_OFF: Final = Text(en="Counting Off", zh_hant="報數", zh_hans="报数")

LAST_LEFT: Final = Text(
    en="the last seat with cards, or the most cards at the limit (equal numbers share)",
    zh_hant="最後唯一持有手牌者，或達上限時持牌最多者（相同則平分）",
    zh_hans="最后唯一持有手牌者，或达上限时持牌最多者（相同则平分）",
)
LAST_ABLE: Final = Text(
    en="the last seat that is still in; at the limit of turns all that are still in share",
    zh_hant="最後仍有牌可出者；達出牌上限時由仍在場者平分",
    zh_hans="最后仍有牌可出者；达出牌上限时由仍在场者平分",
)
MOST_CARDS: Final = Text(
    en="the last seat left, or the most cards after the last flip (equal numbers share)",
    zh_hant="最後留下者，或最後一次翻牌後持牌最多者（相同則平分）",
    zh_hans="最后留下者，或最后一次翻牌后持牌最多者（相同则平分）",
)

NINETY_NINE_SUMMARY: Final = Text(
    en=(
        "Every seat stakes the ante and holds five cards; the top card of the stock starts the total. In turn "
        "a seat plays one card that leaves the total at 99 or below and draws one. A counts 1; 2, 3, 6, 7, 8 "
        "and 9 their number; 4 turns the direction; 5 skips the next seat (or, where the house says so, names "
        "it); T is plus or minus 10, Q plus or minus 20, never below 0; J changes nothing; K makes it 99. A "
        "seat that has no playable card on its turn is out. The last seat left takes the antes; at the limit "
        "of turns all that are still in share them. Deadline: the playable card held longest is played, T and "
        "Q as plus where that fits; a lost connection is treated the same way. If a malfunction occurs, the "
        "round is void and all chips are returned."
    ),
    zh_hant=(
        "每人付底注並持五張牌，餘牌最上方的牌翻開作為起始總點數。輪到者打出一張使總點數不超過 99 的牌，並補一張。A 為"
        " 1；2、3、6、7、8、9 依點數相加；4 迴轉；5 跳格（或依房規指定下家）；10 加減 10；Q 加減 20，不低於 0；J "
        "PASS；K 為 99。輪到而無牌可出者退出。最後仍有牌可出者贏得全部底注；達出牌上限時由仍在場者平分。逾時：自動打"
        "出持有最久的可出之牌，10 與 Q 可加則加；斷線亦同。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "每人付底注并持五张牌，余牌最上方的牌翻开作为起始总点数。轮到者打出一张使总点数不超过 99 的牌，并补一张。A 为"
        " 1；2、3、6、7、8、9 依点数相加；4 回转；5 跳格（或依房规指定下家）；10 加减 10；Q 加减 20，不低于 0；J "
        "PASS；K 为 99。轮到而无牌可出者退出。最后仍有牌可出者赢得全部底注；达出牌上限时由仍在场者平分。逾时：自动打"
        "出持有最久的可出之牌，10 与 Q 可加则加；断线亦同。若系统故障，本局作废，所有筹码退回。"
    ),
)

NICKNAME_SUMMARY: Final = Text(
    en=(
        "Every seat stakes the ante and chooses a nickname before the round. All 52 cards are dealt. Every "
        "seat turns its top card at the same time; a seat that shows the same rank as another may call that "
        "seat's nickname, and the first right call takes the called seat's whole face-up pile under its stack. "
        "A wrong call costs the top face-down card. Each seat has one call a flip. A seat without any card is "
        "out. The last seat left takes the antes, or after the last flip the seat with the most cards; equal "
        "numbers share. Deadline: the window closes and the next cards are turned; a lost connection only "
        "means no call. If a malfunction occurs, the round is void and all chips are returned."
    ),
    zh_hant=(
        "每人付底注，並於開始前選定一個綽號。52 張牌全部發出。所有玩家同時翻開最上面一張牌；與他人牌面點數相同者立刻"
        "喊出對方綽號，最先喊對者將對方翻開的牌全部取走，置於自己疊牌的下方。喊錯者付出蓋著的最上面一張牌給對方。每次"
        "翻牌每人限喊一次。無牌可翻者退出。最後留下者，或最後一次翻牌後持牌最多者，贏得全部底注；相同則平分。逾時：喊"
        "牌時間結束，翻開下一張牌；斷線視同未喊。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "每人付底注，并于开始前选定一个绰号。52 张牌全部发出。所有玩家同时翻开最上面一张牌；与他人牌面点数相同者立刻"
        "喊出对方绰号，最先喊对者将对方翻开的牌全部取走，置于自己叠牌的下方。喊错者付出盖着的最上面一张牌给对方。每次"
        "翻牌每人限喊一次。无牌可翻者退出。最后留下者，或最后一次翻牌后持牌最多者，赢得全部底注；相同则平分。逾时：喊"
        "牌时间结束，翻开下一张牌；断线视同未喊。若系统故障，本局作废，所有筹码退回。"
    ),
)

PULL_CART_SUMMARY: Final = Text(
    en=(
        "Every seat stakes the ante; all 52 cards are dealt. From the left of the button each seat in turn "
        "turns its top card to the end of the row. If the row already held the rank, that seat may collect "
        "until the next card is turned: the nearest earlier card of the rank, the new one and all between go "
        "under its stack, and it turns again. A seat without cards is out. The last seat with cards wins the "
        "row and the antes; at the limit of turns the most cards in hand win, equal numbers share. Deadline: "
        "the card is turned for the seat; a lost connection is treated the same way. If a malfunction occurs, "
        "the round is void and all chips are returned."
    ),
    zh_hant=(
        "每人付底注，52 張牌全部發出。由發牌者左手邊開始，輪流將最上方的牌翻開置於桌面牌列末端。若牌列中已有相同點"
        "數，翻牌者可在下一張牌翻開前收牌：最近一張相同點數的牌、新翻的牌及其間所有牌，置於自家牌堆下方，並再翻一張。"
        "無牌者退出。最後唯一持有手牌者贏得牌列與全部底注；達上限時手牌最多者勝，相同則平分。逾時：系統代為翻牌；斷線"
        "亦同。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "每人付底注，52 张牌全部发出。由发牌者左手边开始，轮流将最上方的牌翻开置于桌面牌列末端。若牌列中已有相同点"
        "数，翻牌者可在下一张牌翻开前收牌：最近一张相同点数的牌、新翻的牌及其间所有牌，置于自家牌堆下方，并再翻一张。"
        "无牌者退出。最后唯一持有手牌者赢得牌列与全部底注；达上限时手牌最多者胜，相同则平分。逾时：系统代为翻牌；断线"
        "亦同。若系统故障，本局作废，所有筹码退回。"
    ),
)

WAR_SUMMARY: Final = Text(
    en=(
        "Four seats stake the ante and hold 13 cards each. In every battle the button (later the last winner) "
        "turns its top card, then the others clockwise; the highest rank (ace high) takes all of them under "
        "its stack. Those tied for the highest turn one more each, until one is highest. A seat without cards "
        "is out. The last seat with cards takes the antes; at the limit of battles the most cards win, equal "
        "numbers share. The server turns the cards unless the house lets the seats do it; then at the "
        "deadline, or when the connection is lost, the card is turned for the seat. If a malfunction occurs, "
        "the round is void and all chips are returned."
    ),
    zh_hant=(
        "四人付底注，每人 13 張牌。每輪由發牌者（其後為上輪贏家）先翻開最上方的牌，其他玩家依順時針翻牌；牌面最大者（"
        "A 最大）將所有翻開的牌置於手牌堆最下方。最大點數平手者各再翻一張，直到分出勝負。無牌者退出。最後唯一持有手牌"
        "者贏得全部底注；達輪數上限時持牌最多者勝，相同則平分。除房規另訂外由系統翻牌；若由玩家翻牌，逾時或斷線時系統"
        "代為翻牌。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "四人付底注，每人 13 张牌。每轮由发牌者（其后为上轮赢家）先翻开最上方的牌，其他玩家依顺时针翻牌；牌面最大者（"
        "A 最大）将所有翻开的牌置于手牌堆最下方。最大点数平手者各再翻一张，直到分出胜负。无牌者退出。最后唯一持有手牌"
        "者赢得全部底注；达轮数上限时持牌最多者胜，相同则平分。除房规另订外由系统翻牌；若由玩家翻牌，逾时或断线时系统"
        "代为翻牌。若系统故障，本局作废，所有筹码退回。"
    ),
)

COUNT_OFF_SUMMARY: Final = Text(
    en=(
        "Every seat stakes the ante; all 52 cards are dealt. From the button on the server turns one card "
        "after the other onto the table and counts 1 to 13, again and again. When a card's number (A 1, J 11, "
        "Q 12, K 13) is the count, the first slap takes all cards on the table under its stack and its next "
        "card is turned with count 1. A wrong slap costs the top card, which goes to the seat that turned. One "
        "slap a card. A seat without cards when the window closes is out. The last seat left takes the antes; "
        "at the limit of cards the most cards in hand win, equal numbers share. Deadline: the next card is "
        "turned; a lost connection only means no slap. If a malfunction occurs, the round is void and all "
        "chips are returned."
    ),
    zh_hant=(
        "每人付底注，52 張牌全部發出。從發牌者開始，系統依序翻牌至桌上並報數 1 至 13，周而復始。當牌的點數（A 為 1、"
        "J 11、Q 12、K 13）與所報數字一致時，最先放手者將桌上所有牌收回，置於自家手牌堆下方，並由其下一張牌從 1 開"
        "始。誤放手者付出最上面一張牌給出牌玩家。每張牌每人限放手一次。放手時間結束時無牌者退出。最後留下者贏得全部底"
        "注；達翻牌上限時手牌最多者勝，相同則平分。逾時：翻開下一張牌；斷線視同未放手。若系統故障，本局作廢，所有籌碼"
        "退回。"
    ),
    zh_hans=(
        "每人付底注，52 张牌全部发出。从发牌者开始，系统依序翻牌至桌上并报数 1 至 13，周而复始。当牌的点数（A 为 1、"
        "J 11、Q 12、K 13）与所报数字一致时，最先放手者将桌上所有牌收回，置于自家手牌堆下方，并由其下一张牌从 1 开"
        "始。误放手者付出最上面一张牌给出牌玩家。每张牌每人限放手一次。放手时间结束时无牌者退出。最后留下者赢得全部底"
        "注；达翻牌上限时手牌最多者胜，相同则平分。逾时：翻开下一张牌；断线视同未放手。若系统故障，本局作废，所有筹码"
        "退回。"
    ),
)

WORDS: Final[dict[str, Text]] = ante_pot.WORDS | {
    "play": Text(en="play", zh_hant="出牌", zh_hans="出牌"),
    "window": Text(en="window for claims", zh_hant="搶牌時間", zh_hans="抢牌时间"),
    "ended": Text(en="ended", zh_hant="結束", zh_hans="结束"),
    "in": Text(en="in", zh_hant="在場", zh_hans="在场"),
    "out": Text(en="out", zh_hant="退出", zh_hans="退出"),
    "winner": Text(en="winner", zh_hant="贏家", zh_hans="赢家"),
    "winners": Text(en="winners", zh_hant="贏家", zh_hans="赢家"),
    "hand": Text(en="hand", zh_hant="手牌", zh_hans="手牌"),
    "stack": Text(en="stack", zh_hant="牌堆", zh_hans="牌堆"),
    "stock": Text(en="stock", zh_hant="餘牌", zh_hans="余牌"),
    "pile": Text(en="face-up pile", zh_hant="翻開的牌", zh_hans="翻开的牌"),
    "row": Text(en="row", zh_hant="卡牌列", zh_hans="卡牌列"),
    "line": Text(en="row", zh_hant="卡牌列", zh_hans="卡牌列"),
    "table": Text(en="cards on the table", zh_hant="桌上的牌", zh_hans="桌上的牌"),
    "turn": Text(en="on turn", zh_hant="輪到", zh_hans="轮到"),
    "cards": Text(en="cards", zh_hant="牌", zh_hans="牌"),
    "played": Text(en="played", zh_hant="打出", zh_hans="打出"),
    "total": Text(en="total", zh_hant="總點數", zh_hans="总点数"),
    "direction": Text(en="direction", zh_hant="方向", zh_hans="方向"),
    "sign": Text(en="sign", zh_hant="加減", zh_hans="加减"),
    "plus": Text(en="plus", zh_hant="加", zh_hans="加"),
    "minus": Text(en="minus", zh_hant="減", zh_hans="减"),
    "next": Text(en="next seat", zh_hant="指定下家", zh_hans="指定下家"),
    "flip": Text(en="flip", zh_hant="翻牌", zh_hans="翻牌"),
    "flips": Text(en="cards turned", zh_hant="翻牌次數", zh_hans="翻牌次数"),
    "tops": Text(en="showing cards", zh_hant="牌面", zh_hans="牌面"),
    "turned_over": Text(en="turns its pile over", zh_hant="將翻開的牌蓋回", zh_hans="将翻开的牌盖回"),
    "set_nickname": Text(en="choose a nickname", zh_hant="選定綽號", zh_hans="选定绰号"),
    "nicknames": Text(en="nicknames", zh_hant="綽號", zh_hans="绰号"),
    "name": Text(en="name", zh_hant="名字", zh_hans="名字"),
    "call_nickname": Text(en="call", zh_hant="喊綽號", zh_hans="喊绰号"),
    "target": Text(en="called seat", zh_hant="被喊者", zh_hans="被喊者"),
    "right_call": Text(en="calls correctly", zh_hant="喊對", zh_hans="喊对"),
    "wrong_call": Text(en="calls wrongly", zh_hant="喊錯", zh_hans="喊错"),
    "collect": Text(en="collect", zh_hant="收牌", zh_hans="收牌"),
    "collected": Text(en="collects", zh_hant="收牌", zh_hans="收牌"),
    "match": Text(en="match", zh_hant="點數相同", zh_hans="点数相同"),
    "right_lapsed": Text(en="loses the right to collect", zh_hant="失去收牌機會", zh_hans="失去收牌机会"),
    "battle": Text(en="battle", zh_hant="較量", zh_hans="较量"),
    "battles": Text(en="battles", zh_hant="輪數", zh_hans="轮数"),
    "battle_won": Text(en="wins the battle", zh_hant="贏得此輪", zh_hans="赢得此轮"),
    "turned": Text(en="cards turned", zh_hant="翻出的牌", zh_hans="翻出的牌"),
    "slap": Text(en="slap", zh_hant="放手", zh_hans="放手"),
    "right_slap": Text(en="slaps correctly", zh_hant="搶到", zh_hans="抢到"),
    "wrong_slap": Text(en="slaps wrongly", zh_hant="誤放手", zh_hans="误放手"),
    "count": Text(en="count", zh_hant="報數", zh_hans="报数"),
    "last": Text(en="turned the last card", zh_hant="出牌玩家", zh_hans="出牌玩家"),
}

_TERMS: Final = Terms(
    phase="ended", status="in out", reason="ante pot", happening="winner out", fact="held winners out"
)
NINETY_NINE_TERMS: Final = _TERMS + Terms(
    phase="play",
    zone="hand pile",
    action="play",
    argument="cards sign next",
    word="plus minus",
    happening="played",
    fact="cards count direction stock total turn",
)
NICKNAME_TERMS: Final = _TERMS + Terms(
    phase="window",
    zone="pile stack",
    action="call_nickname set_nickname",
    argument="target flip name",
    happening="flip right_call wrong_call turned_over",
    fact="card_count flip flips nicknames other_seat tops",
)
PULL_CART_TERMS: Final = _TERMS + Terms(
    phase="play",
    zone="row stack",
    action="collect flip",
    happening="collected match right_lapsed",
    fact="card_count flips line turn",
)
WAR_TERMS: Final = _TERMS + Terms(
    phase="play",
    zone="battle stack",
    action="flip",
    happening="battle_won",
    fact="battle battles seat card turn turned",
)
COUNT_OFF_TERMS: Final = _TERMS + Terms(
    phase="window",
    zone="stack table",
    action="slap",
    argument="flip",
    happening="count right_slap wrong_slap",
    fact="card_count count flip flips last other_seat table",
)
