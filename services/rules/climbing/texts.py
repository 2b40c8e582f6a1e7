"""What players read about Fight the Landlord; the terms are those of the seed document."""

from typing import Final

from services.rules.ranking import climbing
from services.rules.text import Text
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Fight the Landlord", zh_hant="鬥地主", zh_hans="斗地主")

SUMMARY: Final = Text(
    en=(
        "Three seats, 54 cards, the landlord alone against two farmers. Each seat is dealt 17 cards, three are "
        "laid aside face down. The seat that gets the face-up card of the pack bids first. Bidding by points: "
        "one turn each, 1 to 3 points, more than every bid before; 3 ends it; the highest bidder is landlord "
        "and his bid is the multiplier. Bidding by robbing: the first who calls starts at 3, every robbery "
        "doubles. If nobody bids, nothing is paid and a new round is dealt. The landlord takes the three cards "
        "and leads any combination; each next seat beats it with a higher one of the same type and length, or "
        "passes; after two passes in a row the last to play leads anything. Bombs (four of a rank) beat all "
        "but higher bombs and the rocket (both jokers), and each bomb or rocket played doubles the multiplier. "
        "The first side to have an empty hand wins: each farmer pays the landlord, or is paid by him, base × "
        "multiplier. Kickers of a plane differ in rank and never join both jokers. At the deadline a seat "
        "passes in the bidding and when following; when leading, its lowest single is played. A lost "
        "connection is treated the same way. If a malfunction occurs, the round is void and all chips are "
        "returned."
    ),
    zh_hant=(
        "三人、54 張牌，地主一人對兩名農民。每人先發 17 張，留三張地主牌牌面朝下。摸到翻開的明牌者優先叫牌。叫地主："
        "每人一次，選 1 至 3 分，須大於前面的分值，選 3 分立即成為地主；叫分最高者為地主，分值即倍數。搶地主：第一個"
        "叫地主者以 3 倍起，每搶一次乘二。若無人叫牌，本局不計，重新發牌。地主收下三張地主牌並先出任一牌型；下家須以"
        "同牌型、同張數的更大牌壓過，或選擇「過」；連續兩家過後，最後出牌者可再任意出牌。炸彈（四張同點）大過一般牌"
        "型，王炸（兩張 Joker）最大，每打出一次炸彈或王炸，倍數乘二。任一方先出完手牌即獲勝：每名農民付給地主、或由地"
        "主付給每名農民 底注 × 倍數。飛機的翼點數須各不相同，兩張 Joker 不可同時作翼。逾時：叫牌與跟牌時視為過，領牌"
        "時自動打出最小的單張；斷線亦同。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "三人、54 张牌，地主一人对两名农民。每人先发 17 张，留三张地主牌牌面朝下。摸到翻开的明牌者优先叫牌。叫地主："
        "每人一次，选 1 至 3 分，须大于前面的分值，选 3 分立即成为地主；叫分最高者为地主，分值即倍数。抢地主：第一个"
        "叫地主者以 3 倍起，每抢一次乘二。若无人叫牌，本局不计，重新发牌。地主收下三张地主牌并先出任一牌型；下家须以"
        "同牌型、同张数的更大牌压过，或选择“过”；连续两家过后，最后出牌者可再任意出牌。炸弹（四张同点）大过一般牌型，"
        "王炸（两张 Joker）最大，每打出一次炸弹或王炸，倍数乘二。任一方先出完手牌即获胜：每名农民付给地主、或由地主付"
        "给每名农民 底注 × 倍数。飞机的翼点数须各不相同，两张 Joker 不可同时作翼。逾时：叫牌与跟牌时视为过，领牌时自"
        "动打出最小的单张；断线亦同。若系统故障，本局作废，所有筹码退回。"
    ),
)

LANDLORD_WINS: Final = Text(
    en="the landlord has no cards left: two farmers pay him",
    zh_hant="地主先出完手牌：兩名農民各付",
    zh_hans="地主先出完手牌：两名农民各付",
)
FARMER_WINS: Final = Text(
    en="a farmer has no cards left: the landlord pays each farmer",
    zh_hant="任一農民先出完手牌：地主付給每名農民",
    zh_hans="任一农民先出完手牌：地主付给每名农民",
)

WORDS: Final[dict[str, Text]] = {
    "bidding": Text(en="bidding", zh_hant="叫牌", zh_hans="叫牌"),
    "play": Text(en="play", zh_hant="出牌", zh_hans="出牌"),
    "ended": Text(en="ended", zh_hant="結束", zh_hans="结束"),
    "hand": Text(en="hand", zh_hant="手牌", zh_hans="手牌"),
    "played": Text(en="played", zh_hant="打出", zh_hans="打出"),
    "passed": Text(en="passes", zh_hant="過", zh_hans="过"),
    "pass": Text(en="pass", zh_hant="過", zh_hans="过"),
    "bid": Text(en="bid", zh_hant="叫分", zh_hans="叫分"),
    "points": Text(en="points", zh_hant="分", zh_hans="分"),
    "call_landlord": Text(en="call landlord", zh_hant="叫地主", zh_hans="叫地主"),
    "rob": Text(en="rob", zh_hant="搶地主", zh_hans="抢地主"),
    "nobody_bid": Text(en="nobody bids", zh_hant="無人叫牌", zh_hans="无人叫牌"),
    "landlord": Text(en="landlord", zh_hant="地主", zh_hans="地主"),
    "farmer": Text(en="farmer", zh_hant="農民", zh_hans="农民"),
    "landlord_cards": Text(en="landlord's cards", zh_hant="地主牌", zh_hans="地主牌"),
    "face_up": Text(en="card face up", zh_hant="明牌", zh_hans="明牌"),
    "first": Text(en="bids first", zh_hant="先叫", zh_hans="先叫"),
    "multiplier": Text(en="multiplier", zh_hant="倍數", zh_hans="倍数"),
    "cards": Text(en="cards", zh_hant="牌", zh_hans="牌"),
    "single": Text(en="single", zh_hant="單張", zh_hans="单张"),
    "pair": Text(en="pair", zh_hant="一對", zh_hans="一对"),
    "triple": Text(en="triple", zh_hant="三條", zh_hans="三条"),
    "triple_single": Text(en="triple with one", zh_hant="三帶一", zh_hans="三带一"),
    "triple_pair": Text(en="triple with a pair", zh_hant="三帶二", zh_hans="三带二"),
    "straight": Text(en="straight", zh_hant="單順", zh_hans="单顺"),
    "pairs": Text(en="pairs in a row", zh_hant="連對", zh_hans="连对"),
    "plane": Text(en="plane", zh_hant="飛機", zh_hans="飞机"),
    "plane_small": Text(en="plane with small wings", zh_hant="飛機帶小翼", zh_hans="飞机带小翼"),
    "plane_large": Text(en="plane with large wings", zh_hant="飛機帶大翼", zh_hans="飞机带大翼"),
    "four_two": Text(en="four with two", zh_hant="四帶二", zh_hans="四带二"),
    "four_pairs": Text(en="four with two pairs", zh_hant="四帶兩對", zh_hans="四带两对"),
    "bomb": Text(en="bomb", zh_hant="炸彈", zh_hans="炸弹"),
    "rocket": Text(en="rocket", zh_hant="王炸", zh_hans="王炸"),
}

TERMS: Final = Terms(
    phase="bidding play ended",
    zone="hand landlord_cards played",
    status="bidding landlord farmer",
    reason="landlord farmer",
    action="bid call_landlord rob pass play",
    argument="points cards",
    word=" ".join((*climbing.EQUAL_WINGS, climbing.BOMB, climbing.ROCKET)),
    happening="bid call_landlord rob passed nobody_bid face_up landlord played",
    fact="landlord multiplier face_up first points cards combination cards_left",
)


def greatest_win(most: int, *, capped: bool) -> Text:
    """Return what a seat can win at most; ``capped``: no more than its own carry either."""
    if capped:
        return Text(
            en=f"{most} chips as landlord, half as a farmer; at most the losers' chips and the seat's own carry",
            zh_hant=f"地主最多 {most} 籌碼，農民為其半數；不超過輸家的籌碼，也不超過自己的帶入",
            zh_hans=f"地主最多 {most} 筹码，农民为其半数；不超过输家的筹码，也不超过自己的带入",
        )
    return Text(
        en=f"{most} chips as landlord, half as a farmer; never more than the losers' chips",
        zh_hant=f"地主最多 {most} 籌碼，農民為其半數；不超過輸家的籌碼",
        zh_hans=f"地主最多 {most} 筹码，农民为其半数；不超过输家的筹码",
    )
